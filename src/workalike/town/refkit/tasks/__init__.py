"""Tasks that chain facts over sites that have nothing to do with each other."""

from __future__ import annotations

from workalike.town.refkit.tasks.errands import TEMPLATES as ERRANDS
from workalike.town.refkit.tasks.lookups import TEMPLATES as LOOKUPS
from workalike.town.refkit.tasks.training import TEMPLATES as TRAINING
from workalike.town.refkit.tasks.travels import TEMPLATES as TRAVELS

TEMPLATES = (*LOOKUPS, *TRAVELS, *ERRANDS, *TRAINING)
