"""The ticket office's tasks: questions, seats, and the train split's."""

from __future__ import annotations

from workalike.town.sites.encore.tasks_asking import TEMPLATES as ASKING
from workalike.town.sites.encore.tasks_taking import TEMPLATES as TAKING
from workalike.town.sites.encore.tasks_training import TEMPLATES as TRAINING

TEMPLATES = (*TAKING, *ASKING, *TRAINING)
