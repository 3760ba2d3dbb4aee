"""The hotel sites' tasks: questions about rooms and rates, and bookings."""

from __future__ import annotations

from understudy.town.hotelkit.tasks.asking import TEMPLATES as ASKING
from understudy.town.hotelkit.tasks.reserving import TEMPLATES as RESERVING
from understudy.town.hotelkit.tasks.training import TEMPLATES as TRAINING

TEMPLATES = (*ASKING, *RESERVING, *TRAINING)
