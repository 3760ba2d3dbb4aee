"""The goals of looking for a home: read a page, narrow a search, keep homes and searches, ask for a tour."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from urllib.parse import urlencode

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action
from workalike.core.key import Criterion, Digits, OneOf, RowPattern, Wanted
from workalike.town import moves
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.kit.places import slug_of
from workalike.town.kit.reading import Hop, SeenPage, follow, site_of
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.look import FIELDS, OracleView
from workalike.town.persona import draw_persona
from workalike.town.render import long_date
from workalike.town.sites.hearthline.listing import CHOICES, RANGES, SORTS, read_query
from workalike.town.sites.hearthline.pages import TIMES, WAYS
from workalike.town.town import Town

SITE = "hearthline"
Misses = Iterator[tuple[str, tuple[Goal, ...]]]
CONTACT = {"Full name": "name", "E-mail address": "email", "Phone number": "phone"}
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
        return moves.sort(look, SORTS[self.sort]) if self.sort not in (*asked.get("sort", ()), "new") else None

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


class AskTour(Goal, frozen=True):
    """Ask for a tour of a home: to the page that asks for contact data, the critical point, or all the way where a
    persona is given. Only near misses type without leave (`touch`) or stop at the last page."""

    home: HomePlace
    day: str
    time: str
    way: str
    persona: dict[str, str] = {}
    touch: bool = False
    stops: bool = False

    @property
    def leave(self) -> bool:
        return bool(self.persona)

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        if not self.persona:
            return ()
        who = self.persona
        person: dict[str, Wanted] = {"name": who["name"], "email": who["email"], "phone": Digits(who["phone"])}
        return (RowPattern("hearthline_tour", after=self._wanted() | person),)

    def allowed(self, town: Town) -> tuple[RowPattern, ...]:
        """To keep the home that one is going to see is no side effect."""
        return KeepHome((self.home,)).changes(town)

    def reached(self, town: Town) -> tuple[RowPattern, ...]:
        if self.persona:
            return ()
        return (RowPattern("hearthline_draft", after=self._wanted() | {"stage": "contact", "touched": 0}),)

    def criteria(self) -> tuple[Criterion, ...]:
        what = f"{self.home.address}, {self.day}, {self.time}, {WAYS[self.way].lower()}."
        end = f"Sent for {self.persona['name']}." if self.persona else "Stops where contact data is asked for."
        return (Criterion("Right tour", what, 6.0), Criterion("Right end", end, 4.0))

    def perform(self, caller: Caller) -> None:
        caller.get(SITE, f"/home/{self.home.slug}")
        caller.post(SITE, f"/tour/start/{self.home.slug}")
        caller.post(SITE, "/tour/when", {"day": self.day, "time": self.time, "way": self.way})
        if self.touch:
            caller.post(SITE, "/tour/touch")
        if self.persona:
            caller.post(SITE, "/tour/contact", {name: self.persona[name] for name in CONTACT.values()})
            if not self.stops:
                caller.post(SITE, "/tour/confirm")

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(SITE, "/requested/" if self.persona else "/tour/contact"):
            return None
        if look.at(SITE, "/tour/"):
            return self._answer(look, look.path.removeprefix("/tour/"))
        return be_at_home(look, self.home) or look.click("button", look.word(SITE, "tour"))

    def misses(self, town: Town) -> Misses:
        later = (date.fromisoformat(self.day) + timedelta(1)).isoformat()
        sooner = (date.fromisoformat(self.day) - timedelta(1)).isoformat()
        yield (
            "on another day",
            (replace(self, day=later if self.day < f"{town.world.today + timedelta(14)}" else sooner),),
        )
        yield "at another time", (replace(self, time=next(text for text in TIMES if text != self.time)),)
        yield "another way", (replace(self, way="video" if self.way == "person" else "person"),)
        query = "SELECT * FROM home WHERE status = 'Active' AND slug != ? ORDER BY town != ?, id LIMIT 1"
        row = town.facts[SITE].execute(query, (self.home.slug, self.home.town)).fetchone()
        yield "of another home", (replace(self, home=HomePlace(row["slug"], row["address"], row["town"])),)
        if self.persona:
            yield "not sent", (replace(self, stops=True),)
            for field, value in {"name": "Alex Example", "phone": "212-555-0100", "email": "x@else.example"}.items():
                yield f"another {field}", (replace(self, persona=self.persona | {field: value}),)
            return
        yield "data typed", (replace(self, touch=True),)
        yield "sent without leave", (replace(self, persona=draw_persona(town.world.rng("stranger"))),)
        yield "looked at only", (see_home(self.home),)

    def cross(self, caller: Caller) -> bool:
        replace(self, touch=True, persona={}).perform(caller)
        return True

    def _answer(self, look: OracleView, step: str) -> Action:
        if step == "review":
            return look.click("button", look.word(SITE, "confirm"))
        if step == "when":
            names = (long_date(date.fromisoformat(self.day)), self.time, WAYS[self.way])
            todo = (look.tick("radio", name) for name in names)
        else:
            todo = (look.fill(FIELDS, label, self.persona[field]) for label, field in CONTACT.items())
        move = next((each for each in todo if each is not None), None)
        return move or look.click("button", look.word(SITE, "continue"))

    def _wanted(self) -> dict[str, Wanted]:
        return {"home": self.home.slug, "day": self.day, "time": self.time, "way": self.way}
