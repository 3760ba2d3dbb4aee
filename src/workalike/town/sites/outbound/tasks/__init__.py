"""Outbound's tasks: questions about things to do, and going."""

from __future__ import annotations

from workalike.town.sites.outbound.tasks.asking import TEMPLATES as ASKING
from workalike.town.sites.outbound.tasks.booking import TEMPLATES as BOOKING
from workalike.town.sites.outbound.tasks.training import TEMPLATES as TRAINING

TEMPLATES = (*ASKING, *BOOKING, *TRAINING)
