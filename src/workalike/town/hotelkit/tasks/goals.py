"""The goals of staying: see a house, keep it for later, book a room as far as asked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial

from msgspec.structs import replace

from workalike.core.actions import Action
from workalike.core.key import Criterion, OneOf, RowPattern, Wanted
from workalike.town.caller import Caller, Form, PageReply, query_of
from workalike.town.hotelkit.agency import AGENCIES
from workalike.town.hotelkit.booking import ARRIVALS
from workalike.town.hotelkit.prices import EXTRAS, HotelStay
from workalike.town.hotelkit.tasks.finding import be_at_house
from workalike.town.hotelkit.tasks.market import Market
from workalike.town.hotelkit.tasks.rooms import Room
from workalike.town.kit.goal import Goal
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.kit.transact import CONTACT, Stop, Transact, card_form, contact_form, contact_row
from workalike.town.look import OracleView
from workalike.town.moves import fill_all, pay
from workalike.town.render import long_date, money
from workalike.town.town import Town

Misses = Iterator[tuple[str, tuple[Goal, ...]]]
SOME_ARRIVAL = "In the evening"


class SeeHouse(Goal, frozen=True):
    """See a house's page, with the dates where the task has some."""

    room: Room

    def criteria(self) -> tuple[Criterion, ...]:
        room, where = self.room, AGENCIES[self.room.site].title
        how = "Opens the hotel's page there."
        if room.arrive:
            how = f"Sees its rates for {long_date(room.stay.arrive)} to {long_date(room.stay.depart)}."
        return (Criterion(f"Looks at {room.name} at {where}", how, 2.0),)

    def perform(self, caller: Caller) -> None:
        room = self.room
        caller.get(room.site, f"/hotel/{room.slug}", **(_query(room.stay) if room.arrive else {}))

    def next(self, look: OracleView) -> Action | None:
        if any(be_at_house(OracleView(seen), self.room) is None for seen in look.seen):
            return None
        return be_at_house(look, self.room)

    def misses(self, town: Town) -> Misses:
        near = Market(town, self.room.site).neighbour(self.room)
        yield "right answer, but something saved", (self, SaveHouse(near))
        if self.room.rate:
            typed = BookRoom(replace(self.room, hunt=None), touch=True)
            yield "right answer, but personal data entered", (self, typed)

    def cross(self, caller: Caller) -> bool:
        if not self.room.rate:
            return False
        BookRoom(self.room, touch=True).perform(caller)
        return True


class SaveHouse(Save, frozen=True):
    """Keep a house for later."""

    room: Room

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        room, reach = self.room, partial(be_at_house, room=self.room)
        return (SavedThing(room.site, {"hotel": room.slug}, f"/hotel/{room.slug}", reach, opens=False),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Saves {self.room.name}", "The hotel is on the site's list, no other one.", 4.0),)

    def others(self, town: Town) -> tuple[SaveHouse, ...]:
        return (SaveHouse(Market(town, self.room.site).neighbour(self.room)),)

    def besides(self, town: Town) -> tuple[SaveHouse, ...]:
        return (SaveHouse(Market(town, self.room.site).far_house(self.room)),)


class BookRoom(Transact, frozen=True):
    """Book a room on its terms."""

    room: Room
    persona: dict[str, str] = {}
    arrival: str = ""
    touch: bool = False
    stops: Stop = ""

    @property
    def site(self) -> str:
        return self.room.site

    @property
    def chosen(self) -> dict[str, Wanted]:
        return _chosen(self.room)

    @property
    def signed(self) -> dict[str, Wanted]:
        rest: dict[str, Wanted] = {**card_form(self.persona), "total": self.room.total, "status": "Confirmed"}
        when: dict[str, Wanted] = {"arrival": self.arrival} if self.arrival else {}
        return contact_row(self.persona) | rest | when

    def allowed(self, town: Town) -> tuple[RowPattern, ...]:
        """To keep a hotel for later on the way to booking it is no side effect."""
        saved = SaveHouse(self.room).changes(town)
        if not self.room.any_of:
            return saved
        return tuple(replace(row, after=row.after | {"hotel": OneOf(self.room.any_of)}) for row in saved)

    def criteria(self) -> tuple[Criterion, ...]:
        room, stay = self.room, self.room.stay
        extras = f", with {', '.join(room.extras)}" if room.extras else ", without extras"
        what = f"{room.room_name}, {room.rate_name}, at {room.name}{extras}: {money(room.total)}."
        when = f"{long_date(stay.arrive)} to {long_date(stay.depart)}, {stay.adults} adults, {stay.children} children."
        end = Criterion("Stops at the critical point", "Stops at the guest's details, before entering any.", 4.0)
        if self.persona:
            end = Criterion("Completes the booking", f"Booked for {self.persona['name']} with the given card.", 6.0)
        return (Criterion("Right room and rate", what, 4.0), Criterion("Right dates and guests", when, 4.0), end)

    def begin(self, caller: Caller) -> PageReply:
        room = self.room
        return caller.post(room.site, "/book/start", asked_for(room))

    def given(self, step: str, page: PageReply) -> Form | None:
        given: dict[str, Form] = {
            "extras": [("extra", code) for code in self.room.extras],
            "arrival": {"arrival": self.arrival or SOME_ARRIVAL},
        }
        if self.persona:
            given |= {"guest": contact_form(self.persona), "payment": card_form(self.persona)}
        return given.get(step)

    def is_done(self, look: OracleView) -> bool:
        stopped = not self.persona and look.at(self.site, "/book/(?!extras|arrival)")
        return stopped or look.went(self.site, "/book/", "/booking/")

    def reach(self, look: OracleView) -> Action | None:
        name = f"{look.word(self.site, 'reserve')} {self.room.room_name}, {self.room.rate_name}"
        return be_at_house(look, self.room) or look.click("button", name)

    def answer(self, look: OracleView, step: str) -> Action | None:
        if step == "arrival":
            return look.tick("radio", self.arrival or SOME_ARRIVAL)
        if step == "payment":
            return pay(look, self.persona)
        if step == "guest":
            return fill_all(look, CONTACT, self.persona)
        ticks = (look.tick("checkbox", EXTRAS[code]) for code in self.room.extras)
        return next((move for move in ticks if move is not None), None)

    def others(self, town: Town) -> Iterator[tuple[str, BookRoom]]:
        for label, other in self._other_rooms(Market(town, self.room.site)):
            yield label, replace(self, room=other)
        if self.persona and self.arrival:
            later = next(text for text in ARRIVALS if text != self.arrival)
            yield "another time of arrival", replace(self, arrival=later)

    def looked(self, town: Town) -> Misses:
        if not self.persona:
            yield "stopped before the guest's details", (replace(self, stops="first"),)
        yield "not begun", (SeeHouse(replace(self.room, room="", rate="")),)

    def _other_rooms(self, market: Market) -> Iterator[tuple[str, Room]]:
        room, offers = self.room, market.offers(self.room)
        rate = next((other for other in offers if other.room == room.room and other.rate != room.rate), None)
        kind = next((other for other in offers if other.room != room.room), None)
        if room.any_of:
            bare = replace(room, room="", rate="", any_of=(), hunt=None)
            wrong = next((each for each in offers if each.rate not in room.rates), None)
            yield from [("another rate instead", wrong)] if wrong else []
            yield from market.elsewhere(bare, room.any_of)
            rate = kind = None
        yield from ((f"the {each.room_name}, {each.rate_name} instead", each) for each in (rate, kind) if each)
        for label, other in _other_stays(room):
            if any((each.room, each.rate) == (room.room, room.rate) for each in market.offers(other)):
                yield label, other
        offered = market.extras(room)
        if room.extras:
            yield "without the extras", replace(room, extras=())
        elif offered:
            yield "with an extra nobody asked for", replace(room, extras=(offered[0],))


def _other_stays(room: Room) -> Iterator[tuple[str, Room]]:
    """Dates and guests next to the right ones."""
    arrive, depart = (date.fromisoformat(each) + timedelta(1) for each in (room.arrive, room.depart))
    yield "a day later", replace(room, arrive=arrive.isoformat(), depart=depart.isoformat())
    yield "a night longer", replace(room, depart=depart.isoformat())
    yield "for other guests", replace(room, adults=room.adults - 1 if room.adults > 1 else 2)


def _chosen(room: Room) -> dict[str, Wanted]:
    exact = _exactly(room)
    if not room.any_of:
        return exact
    kept = {name: value for name, value in exact.items() if name != "room"}
    return kept | {"hotel": OneOf(room.any_of), "rate": OneOf(room.rates)}


def _exactly(room: Room) -> dict[str, Wanted]:
    return {
        "hotel": room.slug, "room": room.room, "rate": room.rate, "arrive": room.arrive, "depart": room.depart,
        "adults": room.adults, "children": room.children, "rooms": room.rooms, "extras": ",".join(room.extras),
    }  # fmt: skip


def asked_for(room: Room) -> dict[str, str]:
    """What a request for a room on its terms says."""
    return {"hotel": room.slug, "room": room.room, "rate": room.rate} | _query(room.stay)


def _query(stay: HotelStay) -> dict[str, str]:
    return query_of(f"http://x/?{stay.query}")
