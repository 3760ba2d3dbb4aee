"""The sites of the town, one line each. A site is a folder here whose module has a `SITE`."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from workalike.town.site import Site

NAMES = (
    "search",
    "pay",
    "marlow",
    "kestrel",
    "gannet",
    "solenne",
    "stayward",
    "aldergate",
    "encore",
    "alderbrook",
    "hearthline",
    "fairlead",
    "commonplace",
    "tidings",
    "waymark",
    "forkline",
    "corkboard",
    "swiftdesk",
    "outbound",
)


@cache
def load(names: tuple[str, ...] = NAMES) -> tuple[Site, ...]:
    """The sites by these names, in this order."""
    return tuple(import_module(f"workalike.town.sites.{name}").SITE for name in names)
