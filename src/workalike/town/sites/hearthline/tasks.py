"""The portal's tasks: homes to find, questions about them, tours and lists, and the train split's."""

from __future__ import annotations

from workalike.town.sites.hearthline.tasks_asking import TEMPLATES as ASKING
from workalike.town.sites.hearthline.tasks_choosing import TEMPLATES as CHOOSING
from workalike.town.sites.hearthline.tasks_training import TEMPLATES as TRAINING

TEMPLATES = (*CHOOSING, *ASKING, *TRAINING)
