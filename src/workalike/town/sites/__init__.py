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
"""The sites of `town@1`, in whose pages, tasks and keys no other one occurs."""
EXTRA = ("fernhall",)
"""Sites that stand outside it: `town-extra` has them besides."""


@cache
def load(names: tuple[str, ...] = NAMES) -> tuple[Site, ...]:
    """The sites by these names, in this order."""
    return tuple(import_module(f"workalike.town.sites.{name}").SITE for name in names)


def load_all() -> tuple[Site, ...]:
    """Every site there is."""
    return load((*NAMES, *EXTRA))


def site_of(name: str) -> Site:
    """A site by its name, wherever it stands."""
    return next(each for each in load_all() if each.name == name)
