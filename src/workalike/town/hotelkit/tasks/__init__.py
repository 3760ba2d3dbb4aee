"""The hotel sites' tasks: questions about rooms and rates, and bookings."""

from __future__ import annotations

from workalike.town.hotelkit.tasks.asking import TEMPLATES as ASKING
from workalike.town.hotelkit.tasks.reserving import TEMPLATES as RESERVING
from workalike.town.hotelkit.tasks.training import TEMPLATES as TRAINING

TEMPLATES = (*ASKING, *RESERVING, *TRAINING)
