"""The goals of looking for a home: read a page, narrow a search, keep homes and searches, ask for a tour."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from typing import ClassVar
from urllib.parse import urlencode

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action
from workalike.core.key import Criterion, OneOf, RowPattern, Wanted
from workalike.town import moves
from workalike.town.caller import Caller, Form, PageReply
from workalike.town.kit.goal import Goal
from workalike.town.kit.places import slug_of
from workalike.town.kit.reading import Hop, SeenPage, follow, site_of
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.kit.transact import CONTACT, Stop, Transact, contact_form
from workalike.town.look import FIELDS, OracleView
from workalike.town.render import long_date
from workalike.town.sites.hearthline.listing import CHOICES, RANGES, SORTS, read_query
from workalike.town.sites.hearthline.pages import TIMES, WAYS
from workalike.town.town import Town

SITE = "hearthline"
Misses = Iterator[tuple[str, tuple[Goal, ...]]]
GROUPS = {
    "deal": "Buy or rent", "town": "Town", "min": "Price and size", "max": "Price and size", "sqft": "Price and size",
    "kind": "Kind of home", "beds": "Bedrooms", "baths": "Bathrooms", "garage": "Garage", "hoa": "HOA fee a month",
    "lot": "Lot", "built": "Year built", "age": "Time on the market", "pets": "Pets", "feature": "Features",
}  # fmt: skip


class HomePlace(msgspec.Struct, frozen=True):
    """A home, as plain data."""

    slug: str
    address: str
    town: str


def to_home(home: HomePlace) -> tuple[Hop, ...]:
    return Hop("/", "@search", f"{home.address} {home.town}"), Hop(r"/homes\?q=.*", home.address)


def be_at_home(look: OracleView, home: HomePlace) -> Action | None:
    return None if look.at(SITE, f"/home/{home.slug}$") else follow(look, SITE, to_home(home))


class SeeHomePage(SeenPage, frozen=True):
    """See a page of the portal."""

    def misses(self, town: Town) -> Misses:
        row = town.facts[SITE].execute("SELECT * FROM home WHERE status = 'Active' ORDER BY id LIMIT 1").fetchone()
        place = HomePlace(row["slug"], row["address"], row["town"])
        yield "right answer, but a home saved", (self, KeepHome((place,)))
        yield "right answer, but a search saved", (self, KeepSearch((("town", row["town"]),)))


def see_home(home: HomePlace) -> SeeHomePage:
    return SeeHomePage(SITE, f"/home/{home.slug}", to_home(home), home.address)


def see_agent(home: HomePlace, name: str) -> SeeHomePage:
    trail = (*to_home(home), Hop(f"/home/{home.slug}", name))
    return SeeHomePage(SITE, f"/agent/{slug_of(name)}", trail, name)


def see_town(home: HomePlace) -> SeeHomePage:
    trail = (*to_home(home), Hop(f"/home/{home.slug}", home.town))
    return SeeHomePage(SITE, f"/town/{slug_of(home.town)}", trail, home.town)


class SeeSearch(Goal, frozen=True):
    """See the results of a search: filters by name and value, and an order."""

    given: tuple[tuple[str, str], ...]
    sort: str = "new"

    def criteria(self) -> tuple[Criterion, ...]:
        what = ", ".join(f"{GROUPS.get(name, name)}: {label_of(name, value)}" for name, value in self.given)
        return (Criterion("Searches for what was asked", f"Results for {what}.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(SITE, "/homes?" + urlencode([*self.given, ("sort", self.sort)]))

    def next(self, look: OracleView) -> Action | None:
        if any(self._seen(OracleView(seen)) for seen in look.seen):
            return None
        return self.narrow(look)

    def narrow(self, look: OracleView) -> Action | None:
        """The next filter, then the order; None where the results in front are the right ones."""
        away = moves.enter(look, SITE, site_of(SITE).title)
        if away is not None:
            return away
        if not look.at(SITE, "/homes$"):
            deal = next((value for name, value in self.given if name == "deal"), "sale")
            return look.click("link", look.word(SITE, f"deal_{deal}"), up=True)
        asked = moves.query(look.url)
        if any(value not in self._values(name) for name in (*GROUPS, "q") for value in asked.get(name, ())):
            return look.click("link", "Start over")
        for name, value in self.given:
            if value not in asked.get(name, ()):
                return self._set(look, name, value)
        return moves.sort(look, SORTS[self.sort].label) if self.sort not in (*asked.get("sort", ()), "new") else None

    def misses(self, town: Town) -> Misses:
        yield "right answer, but the search saved", (self, KeepSearch(self.given))

    def _values(self, name: str) -> list[str]:
        return [value for key, value in self.given if key == name]

    def _set(self, look: OracleView, name: str, value: str) -> Action:
        if name not in RANGES:
            return moves.narrow(look, GROUPS[name], label_of(name, value))
        field = look.find(FIELDS, RANGES[name])
        if field is None:
            panel = look.find("button", GROUPS[name])
            return look.hit(panel) if panel else look.seek(f"the field {RANGES[name]}")
        return look.fill(FIELDS, RANGES[name], value) or look.click("button", "Apply")

    def _seen(self, then: OracleView) -> bool:
        if not then.at(SITE, "/homes$"):
            return False
        items = [(name, value) for name, values in moves.query(then.url).items() for value in values]
        asked = read_query(items)
        return asked.written == read_query(self.given).written and asked.sort == self.sort


def label_of(name: str, value: str) -> str:
    return CHOICES.get(name, {}).get(value, value)


class KeepSearch(Goal, frozen=True):
    """Have a search remembered."""

    given: tuple[tuple[str, str], ...]

    @property
    def written(self) -> str:
        return read_query(self.given).written

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        return (RowPattern("hearthline_search", after={"query": self.written}),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("Saves the search", f"Exactly these filters are saved: {self.written}.", 6.0),)

    def perform(self, caller: Caller) -> None:
        caller.post(SITE, "/searches", self.given)

    def next(self, look: OracleView) -> Action | None:
        word = look.word(SITE, "save_search")
        if look.was_at(SITE, "/saved") and look.clicked("button", word, SITE, "/homes$"):
            return None
        return SeeSearch(self.given).narrow(look) or look.click("button", word, up=True)

    def misses(self, town: Town) -> Misses:
        yield "no search saved", ()
        for place, (name, _) in enumerate(self.given):
            yield f"without {name}", (replace(self, given=(*self.given[:place], *self.given[place + 1 :])),)
        yield "with a filter too many", (replace(self, given=(*self.given, ("age", "7"))),)


class KeepHome(Save, frozen=True):
    """Have one home of some on the list; the first of them is the oracle's choice."""

    homes: tuple[HomePlace, ...]

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        home = self.homes[0]
        return (SavedThing(SITE, {"home": home.slug}, f"/home/{home.slug}", partial(be_at_home, home=home)),)

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        slugs = tuple(home.slug for home in self.homes)
        return (RowPattern("hearthline_saved", after={"home": slugs[0] if len(slugs) == 1 else OneOf(slugs)}),)

    def criteria(self) -> tuple[Criterion, ...]:
        names = " or ".join(home.address for home in self.homes[:4])
        return (
            Criterion("Keeps a home that fits", f"{names}{' …' if len(self.homes) > 4 else ''}, and no other.", 6.0),
        )

    def others(self, town: Town) -> tuple[KeepHome, ...]:
        right = {home.slug for home in self.homes}
        rows = town.facts[SITE].execute(
            "SELECT * FROM home WHERE town = ? ORDER BY kind != (SELECT kind FROM home WHERE slug = ?), id",
            (self.homes[0].town, self.homes[0].slug),
        )
        wrong = [HomePlace(row["slug"], row["address"], row["town"]) for row in rows if row["slug"] not in right]
        return tuple(KeepHome((home,)) for home in wrong[:2])


class AskTour(Transact, frozen=True):
    """Ask for a tour of a home."""

    path: ClassVar[str] = "/tour"
    record: ClassVar[str] = "tour"
    stage: ClassVar[Wanted] = "contact"

    home: HomePlace
    day: str
    time: str
    way: str
    persona: dict[str, str] = {}
    touch: bool = False
    stops: Stop = ""

    @property
    def site(self) -> str:
        return SITE

    @property
    def chosen(self) -> dict[str, Wanted]:
        return {"home": self.home.slug, "day": self.day, "time": self.time, "way": self.way}

    def allowed(self, town: Town) -> tuple[RowPattern, ...]:
        """To keep the home that one is going to see is no side effect."""
        return KeepHome((self.home,)).changes(town)

    def criteria(self) -> tuple[Criterion, ...]:
        what = f"{self.home.address}, {self.day}, {self.time}, {WAYS[self.way].lower()}."
        end = f"Sent for {self.persona['name']}." if self.persona else "Stops where contact data is asked for."
        return (Criterion("Right tour", what, 6.0), Criterion("Right end", end, 4.0))

    def begin(self, caller: Caller) -> PageReply:
        caller.get(SITE, f"/home/{self.home.slug}")
        caller.post(SITE, f"/tour/start/{self.home.slug}")
        return caller.post(SITE, "/tour/when", {"day": self.day, "time": self.time, "way": self.way})

    def given(self, step: str, page: PageReply) -> Form | None:
        return contact_form(self.persona) if step == "contact" and self.persona else None

    def is_done(self, look: OracleView) -> bool:
        return look.was_at(SITE, "/requested/" if self.persona else "/tour/contact")

    def reach(self, look: OracleView) -> Action | None:
        return be_at_home(look, self.home) or look.click("button", look.word(SITE, "tour"))

    def answer(self, look: OracleView, step: str) -> Action | None:
        if step == "contact":
            return moves.fill_all(look, CONTACT, self.persona)
        names = (long_date(date.fromisoformat(self.day)), self.time, WAYS[self.way])
        ticks = (look.tick("radio", name) for name in names)
        return next((move for move in ticks if move is not None), None)

    def others(self, town: Town) -> Iterator[tuple[str, AskTour]]:
        later = (date.fromisoformat(self.day) + timedelta(1)).isoformat()
        sooner = (date.fromisoformat(self.day) - timedelta(1)).isoformat()
        other = later if self.day < f"{town.world.today + timedelta(14)}" else sooner
        yield "on another day", replace(self, day=other)
        yield "at another time", replace(self, time=next(text for text in TIMES if text != self.time))
        yield "another way", replace(self, way="video" if self.way == "person" else "person")
        query = "SELECT * FROM home WHERE status = 'Active' AND slug != ? ORDER BY town != ?, id LIMIT 1"
        row = town.facts[SITE].execute(query, (self.home.slug, self.home.town)).fetchone()
        yield "of another home", replace(self, home=HomePlace(row["slug"], row["address"], row["town"]))

    def looked(self, town: Town) -> Misses:
        yield "looked at only", (see_home(self.home),)
