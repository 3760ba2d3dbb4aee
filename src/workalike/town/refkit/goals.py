"""The goals of looking things up: read a page of the encyclopaedia or the paper, find places, keep what was found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlencode

from msgspec.structs import replace

from workalike.core.actions import Action, Press, Visit
from workalike.core.key import Criterion, FactPattern
from workalike.core.observation import Observation
from workalike.town import moves
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.look import FIELDS, OracleView
from workalike.town.refkit.pages import WrittenPage
from workalike.town.site import DOMAIN
from workalike.town.sites.waymark.pages import SORTS
from workalike.town.town import Town

TITLES = {"commonplace": "Commonplace", "tidings": "The Tidings"}
MAP = "waymark"
KEPT = ("kept", "/kept", "keep")
"""The list of these sites: its table, its path, and the word for the button."""
Misses = Iterator[tuple[str, tuple[Goal, ...]]]


class ReadArticle(Goal, frozen=True):
    """Read a page of the encyclopaedia or the paper."""

    site: str
    slug: str
    title: str

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Reads “{self.title}”", f"Opens the page at {TITLES[self.site]}.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.site, f"/read/{self.slug}")

    def next(self, look: OracleView) -> Action | None:
        return None if look.was_at(self.site, f"/read/{self.slug}$") else be_at_page(look, self)

    def misses(self, town: Town) -> Misses:
        yield "right answer, but something kept", (self, KeepArticle(self.site, self.slug, self.title))


class KeepArticle(Save, frozen=True):
    """Keep a page."""

    site: str
    slug: str
    title: str

    @property
    def looked(self) -> tuple[ReadArticle]:
        return (ReadArticle(self.site, self.slug, self.title),)

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        reach = partial(be_at_page, page=self.looked[0])
        return (SavedThing(self.site, {"page": self.slug}, f"/read/{self.slug}", reach, *KEPT),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Keeps “{self.title}”", f"The page is kept at {TITLES[self.site]}, no other one.", 4.0),)

    def others(self, town: Town) -> tuple[KeepArticle, ...]:
        query = "SELECT slug, title FROM page WHERE slug != ? ORDER BY slug LIMIT 1"
        row = town.facts[self.site].execute(query, (self.slug,)).fetchone()
        return (KeepArticle(self.site, row["slug"], row["title"]),)


class FindPlaces(Goal, frozen=True):
    """See the places of a kind around a ZIP code, in an order."""

    kind: str
    zip: str
    sort: str = "near"

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Looks for: {self.kind}", f"Around {self.zip}, at Waymark.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(MAP, f"/find?{urlencode({'kind': self.kind, 'zip': self.zip, 'sort': self.sort})}")

    def next(self, look: OracleView) -> Action | None:
        return None if any(self.is_shown(seen) for seen in look.seen) else be_at_places(look, self)

    def misses(self, town: Town) -> Misses:
        row = town.facts[MAP].execute("SELECT * FROM place ORDER BY id LIMIT 1").fetchone()
        yield "right answer, but a place kept", (self, KeepPlace(self, row["id"], row["name"]))

    def is_shown(self, seen: Observation) -> bool:
        query = moves.query(seen.url)
        wanted = {"kind": self.kind, "zip": self.zip, "sort": self.sort}
        return OracleView(seen).at(MAP, "/find$") and all(query.get(name) == [text] for name, text in wanted.items())


class SeePlace(Goal, frozen=True):
    """See a place with its hours; it is looked for around a ZIP code."""

    near: FindPlaces
    id: int
    name: str

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Looks at {self.name}", "Opens the place at Waymark.", 2.0),)

    def perform(self, caller: Caller) -> None:
        self.near.perform(caller)
        caller.get(MAP, f"/place/{self.id}")

    def next(self, look: OracleView) -> Action | None:
        return None if look.was_at(MAP, rf"/place/{self.id}\b") else be_at_place(look, self)

    def misses(self, town: Town) -> Misses:
        yield "right answer, but kept", (self, KeepPlace(self.near, self.id, self.name))


class KeepPlace(Save, frozen=True):
    """Keep a place."""

    near: FindPlaces
    id: int
    name: str

    @property
    def looked(self) -> tuple[SeePlace]:
        return (SeePlace(self.near, self.id, self.name),)

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        reach = partial(be_at_place, place=self.looked[0])
        return (SavedThing(MAP, {"place": self.id}, f"/place/{self.id}", reach, *KEPT, opens=False),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Keeps {self.name}", "The place is kept at Waymark, no other one.", 4.0),)

    def perform(self, caller: Caller) -> None:
        self.looked[0].perform(caller)
        super().perform(caller)

    def others(self, town: Town) -> tuple[KeepPlace, ...]:
        query = "SELECT * FROM place WHERE id != ? AND kind = ? ORDER BY abs(id - ?) LIMIT 1"
        row = town.facts[MAP].execute(query, (self.id, self.near.kind, self.id)).fetchone()
        return (replace(self, id=row["id"], name=row["name"]),)


def be_at_page(look: OracleView, page: ReadArticle) -> Action | None:
    """Be on a page, by the site's own search."""
    if look.at(page.site, f"/read/{page.slug}$"):
        return None
    away = moves.enter(look, page.site, TITLES[page.site])
    if away is not None:
        return away
    if look.at(page.site, "/search$") and moves.query(look.url).get("q") == [page.title]:
        return look.click("link", page.title)
    if not look.at(page.site, "/search$"):
        return Visit(f"http://{page.site}.{DOMAIN}/search")
    typed = look.fill(FIELDS, look.word(page.site, "look"), page.title, up=True)
    return typed or Press(("enter",))


def be_at_places(look: OracleView, near: FindPlaces) -> Action | None:
    if near.is_shown(look.observation):
        return None
    away = moves.enter(look, MAP, "Waymark")
    if away is not None:
        return away
    query = moves.query(look.url)
    if look.at(MAP, "/find$") and (query.get("kind"), query.get("zip")) == ([near.kind], [near.zip]):
        return moves.sort(look, SORTS[near.sort].label)
    if not look.at(MAP, "/(find)?$"):
        return Visit(f"http://{MAP}.{DOMAIN}/")
    return (
        look.pick(look.word(MAP, "kind"), near.kind)
        or look.fill(FIELDS, look.word(MAP, "zip"), near.zip)
        or look.click("button", look.word(MAP, "go"))
    )


def be_at_place(look: OracleView, place: SeePlace) -> Action | None:
    if look.at(MAP, f"/place/{place.id}$"):
        return None
    return be_at_places(look, place.near) or look.click("link", place.name)


def reading(site: str, page: WrittenPage) -> ReadArticle:
    return ReadArticle(site, page.slug, page.title)


def fact_in(site: str, page: WrittenPage, field: str) -> tuple[FactPattern, ...]:
    """A fact of a page, which must be there."""
    assert field in page.told() or field == "published", (page.slug, field)
    return (FactPattern(site, page.slug, field),)
