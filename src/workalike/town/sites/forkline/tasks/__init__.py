"""Forkline's tasks: questions about restaurants, and tables."""

from __future__ import annotations

from workalike.town.sites.forkline.tasks.asking import TEMPLATES as ASKING
from workalike.town.sites.forkline.tasks.booking import TEMPLATES as BOOKING
from workalike.town.sites.forkline.tasks.training import TEMPLATES as TRAINING

TEMPLATES = (*ASKING, *BOOKING, *TRAINING)
