"""The shops' tasks: shopping, shopping lists, and comparing the two shops."""

from __future__ import annotations

from understudy.town.shopkit.tasks.comparison import TEMPLATES as COMPARISON
from understudy.town.shopkit.tasks.lists import TEMPLATES as LISTS
from understudy.town.shopkit.tasks.shopping import TEMPLATES as SHOPPING
from understudy.town.shopkit.tasks.training import TEMPLATES as TRAINING

TEMPLATES = (*SHOPPING, *LISTS, *COMPARISON, *TRAINING)
