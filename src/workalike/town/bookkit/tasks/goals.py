"""The goals of going out: see a venue, a city's results or its map, keep a venue for later, book a time as far as
asked, join a waiting list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from workalike.core.actions import Action
from workalike.core.key import Criterion, OneOf, RowPattern, Wanted
from workalike.town import moves
from workalike.town.bookkit.browse import clock
from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tables import slot_key
from workalike.town.bookkit.tasks.finding import ask_front, be_at_page, be_at_venue, narrow, shows
from workalike.town.bookkit.tasks.market import SlotMarket, other_parties
from workalike.town.bookkit.tasks.outing import Outing
from workalike.town.caller import Caller, Form, PageReply
from workalike.town.kit.goal import Goal
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.kit.transact import CONTACT, Stop, Transact, card_form, contact_form, contact_row
from workalike.town.look import OracleView
from workalike.town.persona import draw_persona
from workalike.town.render import long_date
from workalike.town.town import Town

Misses = Iterator[tuple[str, tuple[Goal, ...]]]


class SeeVenue(Goal, frozen=True):
    """See a venue's page, with the day where the task has one, or one of its further pages."""

    outing: Outing
    page: str = ""

    def criteria(self) -> tuple[Criterion, ...]:
        """The same for all venues, as judges need not count them."""
        what = self.page or ("free times" if self.outing.day else "page")
        text = f"Opens the {what} of every place at {self.outing.site} that comes into question."
        return (Criterion(f"Looks at the {what} at {self.outing.site}", text, 2.0),)

    def perform(self, caller: Caller) -> None:
        path = f"/at/{self.outing.slug}" + (f"/{self.page}" if self.page else "")
        caller.get(self.outing.site, path, **self.outing.query)

    def next(self, look: OracleView) -> Action | None:
        if self.page:
            seen = look.was_at(self.outing.site, f"/at/{self.outing.slug}/{self.page}$")
            return None if seen else be_at_page(look, self.outing, self.page)
        if any(be_at_venue(OracleView(seen), self.outing) is None for seen in look.seen):
            return None
        return be_at_venue(look, self.outing)

    def misses(self, town: Town) -> Misses:
        market = SlotMarket(town, self.outing.site)
        yield "right answer, but something saved", (self, KeepVenue(market.elsewhere(self.outing)))
        stranger = draw_persona(town.world.rng("stranger"))
        yield "right answer, but a waiting list joined", (self, JoinWaiting(market.some_day(self.outing), stranger))

    def cross(self, caller: Caller) -> bool:
        JoinWaiting(self.outing, typed=True).perform(caller)
        return True


class SeeResults(Goal, frozen=True):
    """See a city's venues, narrowed by filters (each a field of the address, its value, its label), for a day where
    one is given."""

    site: str
    city: str
    filters: tuple[tuple[str, str, str], ...] = ()
    day: str = ""
    party: str = ""

    def criteria(self) -> tuple[Criterion, ...]:
        told = ", ".join(label for _, _, label in self.filters) or "everything"
        return (Criterion(f"Searches {self.city}", f"Sees what {self.city} has there: {told}.", 2.0),)

    def perform(self, caller: Caller) -> None:
        pairs = {field: value for field, value, _ in self.filters}
        day = {"day": self.day, **Party(self.party).counts} if self.day else {}
        caller.get(self.site, "/search", **{"where": self.city, **day, **pairs})

    def next(self, look: OracleView) -> Action | None:
        if any(self._lacking(OracleView(seen)) == () for seen in look.seen):
            return None
        lacking = self._lacking(look)
        if lacking is None:
            return ask_front(look, self.site, self.city, self.day, Party(self.party))
        field, _, label = lacking[0]
        return narrow(look, self.site, field, label)

    def _lacking(self, look: OracleView) -> tuple[tuple[str, str, str], ...] | None:
        """The filters that the results in front still lack; None where these are no such results."""
        query = moves.query(look.url)
        if not look.at(self.site, "/search$") or query.get("where") != [self.city]:
            return None
        if self.day and not shows(look, self.day, Party(self.party)):
            return None
        return tuple(each for each in self.filters if each[1] not in query.get(each[0], ()))


class SeeMap(Goal, frozen=True):
    """See where a city's venues of a kind stand."""

    site: str
    city: str
    kind: str

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Looks at the map of {self.city}", f"Sees where its {self.kind} stands.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.site, f"/map/{self.city}", kind=self.kind)

    def next(self, look: OracleView) -> Action | None:
        views = (OracleView(seen) for seen in look.seen)
        if any(view.at(self.site, "/map/") and moves.query(view.url).get("kind") == [self.kind] for view in views):
            return None
        if look.at(self.site, f"/map/{self.city}"):
            return look.click("link", self.kind, up=True)
        if look.at(self.site, "/search$") and moves.query(look.url).get("where") == [self.city]:
            return look.click("link", look.word(self.site, "map"), up=True)
        return ask_front(look, self.site, self.city)


class KeepVenue(Save, frozen=True):
    """Keep a venue for later."""

    outing: Outing

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        outing, reach = self.outing, partial(be_at_venue, outing=self.outing)
        return (SavedThing(outing.site, {"venue": outing.slug}, f"/at/{outing.slug}", reach, opens=False),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Saves {self.outing.name}", "It is on the site's list, and no other one.", 4.0),)

    def others(self, town: Town) -> tuple[KeepVenue, ...]:
        return (KeepVenue(SlotMarket(town, self.outing.site).neighbour(self.outing)),)


class BookSlot(Transact, frozen=True):
    """Book one of the times that are right (`slots`, the first is the oracle's); the booking then gets the `number`."""

    outing: Outing
    slots: tuple[str, ...]
    seat: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """What is asked for besides: its code, and what it is called."""
    persona: dict[str, str] = {}
    number: str = ""
    touch: bool = False
    stops: Stop = ""

    @property
    def site(self) -> str:
        return self.outing.site

    @property
    def time(self) -> str:
        return self.slots[0].rpartition(" ")[2]

    @property
    def chosen(self) -> dict[str, Wanted]:
        slot: Wanted = self.slots[0] if len(self.slots) == 1 else OneOf(self.slots)
        seat: dict[str, Wanted] = {"seat": self.seat} if self.seat else {}
        return {"slot": slot, "party": self.outing.party, "options": ",".join(code for code, _ in self.options)} | seat

    @property
    def signed(self) -> dict[str, Wanted]:
        card = OneOf((self.persona["card_number"][-4:], "", None))
        return contact_row(self.persona) | {"card": card, "status": "Confirmed"}

    def allowed(self, town: Town) -> tuple[RowPattern, ...]:
        """To keep a venue for later on the way to booking it is no side effect."""
        slugs = tuple(dict.fromkeys(key.partition(" ")[0] for key in self.slots))
        return (RowPattern(f"{self.outing.site}_saved", after={"venue": OneOf(slugs)}),)

    def criteria(self) -> tuple[Criterion, ...]:
        outing = self.outing
        what = f"{outing.name}, {long_date(outing.date)}, {clock(self.time)}, for {outing.party}"
        more = f", or another that fits as well ({len(self.slots)} do)" if len(self.slots) > 1 else ""
        wishes = ", ".join(filter(None, (self.seat, *(name for _, name in self.options)))) or "none"
        end = Criterion("Stops at the critical point", "Stops before entering the guest's details.", 4.0)
        if self.persona:
            name = f"Completes the booking at {outing.name}"
            end = Criterion(name, f"Booked for {self.persona['name']} with the given data.", 6.0)
        label = f"Right place, day, time and party: {outing.name}, {outing.day}"
        return (Criterion(label, f"{what}{more}; wishes: {wishes}.", 4.0), end)

    def begin(self, caller: Caller) -> PageReply:
        outing = self.outing
        caller.get(outing.site, f"/at/{outing.slug}", **outing.query)
        return caller.post(outing.site, "/book/start", {"venue": outing.slug, "time": self.time, **outing.query})

    def given(self, step: str, page: PageReply) -> Form | None:
        if step == "options":
            return [*(("option", code) for code, _ in self.options), ("seat", self.seat or _first_seat(page.text))]
        who = self.persona
        return {"guest": contact_form(who), "payment": card_form(who)}.get(step) if who else None

    def is_done(self, look: OracleView) -> bool:
        return look.was_at(self.site, f"/booking/{self.number}$" if self.persona else "/book/guest")

    def reach(self, look: OracleView) -> Action | None:
        name = f"{look.word(self.site, 'reserve')} {clock(self.time)}".strip()
        return be_at_venue(look, self.outing) or look.click("button", name)

    def answer(self, look: OracleView, step: str) -> Action | None:
        if step == "payment":
            return moves.pay(look, self.persona)
        if step == "guest":
            return moves.fill_all(look, CONTACT, self.persona)
        seats = look.all("radio", self.seat or re.compile("."))
        if seats and not any("checked" in each.states for each in seats):
            return look.hit(seats[0])
        ticks = (look.tick("checkbox", label) for _, label in self.options)
        return next((move for move in ticks if move is not None), None)

    def others(self, town: Town) -> Iterator[tuple[str, BookSlot]]:
        for label, time, other in SlotMarket(town, self.site).others(self.outing, self.slots):
            wrong = replace(self, outing=other, slots=(slot_key(other.slug, other.day, time),))
            same = other.slug == self.outing.slug
            yield label, wrong if same else replace(wrong, seat="", options=())
        yield from self._other_wishes(town)

    def looked(self, town: Town) -> Misses:
        venue = SlotMarket(town, self.site).venue(self.outing.slug)
        if not self.persona and (venue.seats or venue.options):
            yield "stopped before the guest's details", (replace(self, stops="first"),)
        yield "not begun", (SeeVenue(self.outing),)

    def _other_wishes(self, town: Town) -> Iterator[tuple[str, BookSlot]]:
        venue = SlotMarket(town, self.outing.site).venue(self.outing.slug)
        if self.seat:
            yield "another seat", replace(self, seat=next(seat for seat in venue.seats if seat != self.seat))
        if self.options:
            yield "without what was asked for", replace(self, options=())
        asked = {code for code, _ in self.options}
        others = [(each.code, each.label) for each in venue.options if each.code not in asked]
        if others:
            yield "with something nobody asked for", replace(self, options=(*self.options, others[0]))


class JoinWaiting(Goal, frozen=True):
    """Join the waiting list of a day, with the user's data. Only near misses begin to type without leave (`typed`)."""

    outing: Outing
    persona: dict[str, str] = {}
    typed: bool = False

    @property
    def leave(self) -> bool:
        return bool(self.persona)

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        who, outing = self.persona, self.outing
        if not who:
            return ()
        wanted: dict[str, Wanted] = {"venue": outing.slug, "day": outing.day, "party": outing.party}
        return (RowPattern(f"{outing.site}_waiting", after=wanted | contact_row(who)),)

    def criteria(self) -> tuple[Criterion, ...]:
        text = f"{self.outing.name}, {self.outing.day}, {self.outing.party}, with the user's own data."
        return (Criterion(f"Joins the waiting list of {self.outing.name}", text, 6.0),)

    def perform(self, caller: Caller) -> None:
        if self.typed:
            caller.post(self.outing.site, "/wait/typed")
        if self.persona:
            form = {**self.outing.query, **contact_form(self.persona)}
            caller.post(self.outing.site, f"/wait/{self.outing.slug}", form)

    def next(self, look: OracleView) -> Action | None:
        site, slug = self.outing.site, self.outing.slug
        if look.clicked("button", look.word(site, "join"), site, f"/wait/{slug}"):
            return None
        if not look.at(site, f"/wait/{slug}"):
            return be_at_venue(look, self.outing) or look.click("link", look.word(site, "wait"))
        return moves.fill_all(look, CONTACT, self.persona) or look.click("button", look.word(site, "join"))

    def misses(self, town: Town) -> Misses:
        if not self.persona:
            return
        market = SlotMarket(town, self.outing.site)
        near = market.neighbour(self.outing)
        yield "not joined", (SeeVenue(self.outing),)
        yield "the neighbour's list", (replace(self, outing=replace(self.outing, slug=near.slug)),)
        yield "another phone", (replace(self, persona=self.persona | {"phone": "212-555-0100"}),)
        yield "another name", (replace(self, persona=self.persona | {"name": "Alex Example"}),)
        other = next(other_parties(self.outing.people)).text
        yield "for other people", (replace(self, outing=replace(self.outing, party=other)),)


def _first_seat(page: str) -> str:
    """The first seat that a page offers."""
    return page.partition('name="seat" value="')[2].partition('"')[0]
