"""The tasks of the sites that sell flights."""

from __future__ import annotations

from workalike.town.flightkit.tasks.asking import TEMPLATES as ASKING
from workalike.town.flightkit.tasks.booking import TEMPLATES as BOOKING
from workalike.town.flightkit.tasks.planning import TEMPLATES as PLANNING
from workalike.town.flightkit.tasks.training import TEMPLATES as TRAINING

TEMPLATES = (*PLANNING, *ASKING, *BOOKING, *TRAINING)
