"""The hotel sites' tasks: questions about rooms and rates, and bookings. Those of the test split describe the houses
that they are about; those of the train split name them."""

from __future__ import annotations

from workalike.town.hotelkit.tasks.asking import TEMPLATES as ASKING
from workalike.town.hotelkit.tasks.choosing import TEMPLATES as CHOOSING
from workalike.town.hotelkit.tasks.reserving import TEMPLATES as RESERVING
from workalike.town.hotelkit.tasks.training import TEMPLATES as TRAINING

TEMPLATES = (*CHOOSING, *ASKING, *RESERVING, *TRAINING)
