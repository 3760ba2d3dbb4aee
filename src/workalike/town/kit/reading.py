"""Reading pages: the goal of having seen one, and the trail by which the oracle gets there, page by page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from workalike.core.actions import Action, Press, Visit
from workalike.core.key import Criterion
from workalike.town import moves
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.look import FIELDS, OracleView
from workalike.town.site import DOMAIN, Site


class Hop(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is done on a page whose path, with or without its query, matches: a link or button is clicked, or a field
    filled and Enter pressed. A name that begins with `@` is a word of the skin."""

    at: str
    name: str
    text: str = ""


class SeenPage(Goal, frozen=True):
    """Have seen a page. Sites say by a class of their own what else could have happened there."""

    site: str
    path: str
    trail: tuple[Hop, ...] = ()
    what: str = "the page"

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Looks at {self.what}", f"Opens it at {site_of(self.site).title}.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.site, self.path)

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(self.site, rf"{re.escape(self.path)}(?:[?#]|$)"):
            return None
        return follow(look, self.site, self.trail)


def follow(look: OracleView, site: str, trail: Sequence[Hop]) -> Action:
    """The next move along a trail: that of the page in front, or back to the front page, where every trail begins."""
    away = moves.enter(look, site, site_of(site).title)
    if away is not None:
        return away
    parts = urlsplit(look.url)
    for hop in reversed(trail):
        if re.fullmatch(hop.at, parts.path) or re.fullmatch(hop.at, f"{parts.path}?{parts.query}"):
            return _done(look, site, hop)
    return Visit(f"http://{site}.{DOMAIN}/")


def _done(look: OracleView, site: str, hop: Hop) -> Action:
    name = look.word(site, hop.name[1:]) if hop.name.startswith("@") else hop.name
    if hop.text:
        return look.fill(FIELDS, name, hop.text, up=True) or Press(("enter",))
    return look.click(("link", "button"), name)


def site_of(name: str) -> Site:
    from workalike.town import sites

    return sites.site_of(name)
