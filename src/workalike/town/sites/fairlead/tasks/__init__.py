"""The jobs board's tasks: questions, what is kept and followed, and applications."""

from __future__ import annotations

from workalike.town.sites.fairlead.tasks.acting import TEMPLATES as ACTING
from workalike.town.sites.fairlead.tasks.asking import TEMPLATES as ASKING
from workalike.town.sites.fairlead.tasks.training import TEMPLATES as TRAINING

TEMPLATES = tuple(sorted((*ASKING, *ACTING, *TRAINING), key=lambda each: each.level != "hard"))
"""The hardest first: what does not share out evenly falls to them."""
