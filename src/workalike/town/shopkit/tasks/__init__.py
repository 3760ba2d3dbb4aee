"""The shops' tasks: shopping, shopping lists, and comparing the two shops."""

from __future__ import annotations

from workalike.town.shopkit.tasks.comparison import TEMPLATES as COMPARISON
from workalike.town.shopkit.tasks.lists import TEMPLATES as LISTS
from workalike.town.shopkit.tasks.shopping import TEMPLATES as SHOPPING
from workalike.town.shopkit.tasks.training import TEMPLATES as TRAINING

TEMPLATES = (*SHOPPING, *LISTS, *COMPARISON, *TRAINING)
