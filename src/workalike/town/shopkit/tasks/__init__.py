"""The shops' tasks: shopping, shopping lists, and comparing the two shops. Those of the test split describe what they
are about; those of the train split name it."""

from __future__ import annotations

from workalike.town.shopkit.tasks.comparison import TEMPLATES as COMPARISON
from workalike.town.shopkit.tasks.described import TEMPLATES as DESCRIBED
from workalike.town.shopkit.tasks.gathering import TEMPLATES as GATHERING
from workalike.town.shopkit.tasks.lists import TEMPLATES as LISTS
from workalike.town.shopkit.tasks.shopping import TEMPLATES as SHOPPING
from workalike.town.shopkit.tasks.training import TEMPLATES as TRAINING
from workalike.town.shopkit.tasks.weighing import TEMPLATES as WEIGHING

TEMPLATES = (*DESCRIBED, *GATHERING, *WEIGHING, *SHOPPING, *LISTS, *COMPARISON, *TRAINING)
