"""The goals of going out: read a page, take seats as far as asked, follow, wait, claim money back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action
from workalike.core.key import Criterion, OneOf, RowPattern, Wanted
from workalike.town.caller import Caller, Form, PageReply
from workalike.town.kit.goal import Goal
from workalike.town.kit.places import slug_of
from workalike.town.kit.reading import Hop, SeenPage, follow
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.kit.transact import CONTACT, Stop, Transact, card_form, contact_form, contact_row
from workalike.town.look import FIELDS, OracleView
from workalike.town.moves import fill_all, pay
from workalike.town.render import long_date
from workalike.town.sites.encore.seats import AGES, DELIVERY, PLANS, blocks, section_of, split_seats
from workalike.town.town import Town

SITE = "encore"
Misses = Iterator[tuple[str, tuple[Goal, ...]]]


class Showing(msgspec.Struct, frozen=True, omit_defaults=True):
    """A date of a production, as plain data."""

    code: str
    event: str
    slug: str
    day: str
    time: str
    kind: str
    venue: str
    city: str

    @property
    def link(self) -> str:
        return f"{long_date(date.fromisoformat(self.day))}, {self.time}"


def to_event(name: str, slug: str) -> tuple[Hop, ...]:
    """The trail to a production: by its name."""
    return Hop("/", "@search", name), Hop(r"/events\?q=.*", name)


def to_show(showing: Showing) -> tuple[Hop, ...]:
    return (*to_event(showing.event, showing.slug), Hop(f"/event/{showing.slug}", showing.link))


class SeeStage(SeenPage, frozen=True):
    """See a page of the ticket office."""

    def misses(self, town: Town) -> Misses:
        row = town.facts[SITE].execute("SELECT name, slug FROM event ORDER BY id LIMIT 1").fetchone()
        yield "right answer, but something followed", (self, FollowEvent(row["name"], row["slug"]))
        yield "right answer, but money claimed back", (self, _some_claim(town))


def see_event(name: str, slug: str) -> SeeStage:
    return SeeStage(SITE, f"/event/{slug}", to_event(name, slug), name)


def see_show(showing: Showing) -> SeeStage:
    return SeeStage(SITE, f"/show/{showing.code}", to_show(showing), f"{showing.event} on {showing.link}")


def see_venue(showing: Showing, slug: str) -> SeeStage:
    trail = (
        *to_event(showing.event, showing.slug),
        Hop(f"/event/{showing.slug}", f"{showing.city}: about {showing.venue}"),
    )
    return SeeStage(SITE, f"/venue/{slug}", trail, showing.venue)


def see_city(showing: Showing, slug: str) -> SeeStage:
    trail = (*see_venue(showing, slug).trail, Hop("/venue/.*", f"Venues in {showing.city}"))
    return SeeStage(SITE, f"/city/{slug_of(showing.city)}", trail, f"the map of {showing.city}")


def see_help() -> SeeStage:
    return SeeStage(SITE, "/help", (Hop("/.*", "@help"),), "the rules on fees and refunds")


class FollowEvent(Save, frozen=True):
    """Have a production on one's list."""

    name: str
    slug: str

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        page, entry = f"/event/{self.slug}", {"event": self.slug}
        return (SavedThing(SITE, entry, page, self._reach, "following", "/following", "follow"),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Follows {self.name}", "It is on the list of the ticket office.", 4.0),)

    def others(self, town: Town) -> tuple[FollowEvent, ...]:
        query = "SELECT name, slug FROM event WHERE slug != ? ORDER BY genre = (SELECT genre FROM event WHERE slug = ?)"
        row = town.facts[SITE].execute(f"{query} DESC, id LIMIT 1", (self.slug, self.slug)).fetchone()
        return (FollowEvent(row["name"], row["slug"]),)

    def besides(self, town: Town) -> tuple[FollowEvent, ...]:
        """Nothing: a task may want several of a genre."""
        return ()

    def _reach(self, look: OracleView) -> Action | None:
        here = look.at(SITE, f"/event/{self.slug}$")
        return None if here else follow(look, SITE, to_event(self.name, self.slug))


class Pick(msgspec.Struct, frozen=True):
    """Seats of a date any of which will do, each choice as orders write it."""

    showing: Showing
    seats: tuple[str, ...]


class TakeSeats(Transact, frozen=True):
    """Take seats of one of the dates. A `quote` only wants to know the price."""

    stage: ClassVar[Wanted] = "buyer"

    picks: tuple[Pick, ...]
    ages: tuple[str, ...]
    delivery: str = "mobile"
    any_delivery: bool = True
    persona: dict[str, str] = {}
    quote: bool = False
    touch: bool = False
    stops: Stop = ""

    @property
    def site(self) -> str:
        return SITE

    @property
    def showing(self) -> Showing:
        return self.picks[0].showing

    @property
    def seats(self) -> str:
        return self.picks[0].seats[0]

    @property
    def chosen(self) -> dict[str, Wanted]:
        return self._wanted(self.picks[0])

    @property
    def signed(self) -> dict[str, Wanted]:
        return contact_row(self.persona) | card_form(self.persona) | {"status": "Confirmed"}

    def allowed(self, town: Town) -> tuple[RowPattern, ...]:
        """To follow what one goes to is no side effect."""
        return FollowEvent(self.showing.event, self.showing.slug).changes(town)

    def reached(self, town: Town) -> tuple[RowPattern, ...]:
        if self.persona or self.quote:
            return ()
        end: dict[str, Wanted] = {"stage": self.stage, "touched": 0}
        return tuple(RowPattern("encore_draft", after=self._wanted(pick) | end) for pick in self.picks)

    def criteria(self) -> tuple[Criterion, ...]:
        ages = ", ".join(AGES[age].lower() for age in self.ages)
        what = f"{self.showing.event}, {self.showing.link}, {self.showing.venue}: {self.seats} or as good ({ages})."
        if self.quote:
            return (Criterion("Finds the price", f"Sees the total with all fees for {what}", 4.0),)
        end = Criterion("Stops at the critical point", "Stops where the buyer's details are asked for.", 4.0)
        if self.persona:
            end = Criterion("Completes the order", f"Ordered for {self.persona['name']} with the given card.", 6.0)
        return (Criterion("Right show and seats", what, 6.0), end)

    def begin(self, caller: Caller) -> PageReply:
        section, chosen = split_seats(self.seats)
        caller.get(SITE, f"/show/{self.showing.code}")
        start = [("seat", seat) for seat in chosen]
        return caller.post(SITE, f"/book/start/{self.showing.code}/{section}", start)

    def given(self, step: str, page: PageReply) -> Form | None:
        chosen, who = split_seats(self.seats)[1], self.persona
        given: dict[str, Form] = {
            "tickets": {f"age_{seat}": age for seat, age in zip(chosen, self.ages, strict=False)},
            "delivery": {"delivery": self.delivery},
        }
        if who:
            given |= {"buyer": contact_form(who), "payment": card_form(who)}
        return given.get(step)

    def is_done(self, look: OracleView) -> bool:
        return look.was_at(SITE, "/booking/" if self.persona else "/book/buyer")

    def reach(self, look: OracleView) -> Action | None:
        showing, (section, chosen) = self.showing, split_seats(self.seats)
        if look.at(SITE, f"/show/{showing.code}/seats/{section}"):
            ticks = (look.tick("checkbox", f"Row {seat[0]}, seat {seat[1:]}") for seat in chosen)
            move = next((move for move in ticks if move is not None), None)
            return move or look.click("button", look.word(SITE, "take"))
        if look.at(SITE, f"/show/{showing.code}$"):
            part = section_of(showing.kind, section)
            assert part is not None
            return look.click("link", part.name)
        return follow(look, SITE, to_show(showing))

    def answer(self, look: OracleView, step: str) -> Action | None:
        if step == "delivery":
            return look.tick("radio", DELIVERY[self.delivery])
        if step == "payment":
            return pay(look, self.persona)
        if step == "buyer":
            return fill_all(look, CONTACT, self.persona)
        seats = zip(split_seats(self.seats)[1], self.ages, strict=True)
        picks = (look.pick(f"Seat {seat}", AGES[age]) for seat, age in seats)
        return next((move for move in picks if move is not None), None)

    def misses(self, town: Town) -> Misses:
        if not self.quote:
            yield from super().misses(town)
            return
        yield from ((label, (wrong,)) for label, wrong in self.others(town))
        yield "personal data typed", (replace(self, touch=True),)

    def looked(self, town: Town) -> Misses:
        if not self.persona:
            yield "stopped at the first step", (replace(self, stops="first"),)
        yield "seats looked at only", (see_show(self.showing),)

    def cross(self, caller: Caller) -> bool:
        return not self.quote and super().cross(caller)

    def _wanted(self, pick: Pick) -> dict[str, Wanted]:
        way: dict[str, Wanted] = {} if self.any_delivery else {"delivery": self.delivery}
        seats: Wanted = pick.seats[0] if len(pick.seats) == 1 else OneOf(pick.seats)
        return {"show": pick.showing.code, "seats": seats, "ages": ",".join(sorted(self.ages))} | way

    def others(self, town: Town) -> Iterator[tuple[str, TakeSeats]]:
        """Other seats, another date, other people; for a quote these leave the right price unseen."""
        showing, section = self.showing, split_seats(self.seats)[0]
        right = {seats for pick in self.picks for seats in pick.seats if pick.showing.code == showing.code}
        row = town.facts[SITE].execute("SELECT * FROM show WHERE code = ?", (showing.code,)).fetchone()
        for part in PLANS[showing.kind]:
            wrong = [each for each in blocks(town.world, row, part, len(self.ages)) if each not in right]
            if wrong and not (self.quote and part.code == section):
                yield f"{wrong[0]} instead", replace(self, picks=(Pick(showing, (wrong[0],)),))
        others = town.facts[SITE].execute(
            "SELECT * FROM show WHERE event = ? AND code != ? AND status = 'sale' ORDER BY id",
            (row["event"], row["code"]),
        )
        dates = {pick.showing.code for pick in self.picks}
        for other in others.fetchall():
            there = replace(showing, code=other["code"], day=other["day"], time=other["time"])
            same = section_of(showing.kind, section)
            first = next(blocks(town.world, other, same, len(self.ages)), "") if same else ""
            if first and other["code"] not in dates:
                yield f"{other['code']} instead", replace(self, picks=(Pick(there, (first,)),))
                break
        if len(set(self.ages)) > 1:
            yield "all of them adults", replace(self, ages=("adult",) * len(self.ages))
        if not self.any_delivery and not self.quote:
            other_way = next(code for code in DELIVERY if code != self.delivery)
            yield "delivered otherwise", replace(self, delivery=other_way)
        if len(self.ages) > 1:
            code, chosen = split_seats(self.seats)
            fewer = Pick(showing, (f"{code} {','.join(chosen[:-1])}",))
            yield "one ticket short", replace(self, picks=(fewer,), ages=self.ages[:-1])


class JoinShowWaitlist(Goal, frozen=True):
    """Be on the waiting list of a date, with the user's data."""

    showing: Showing
    tickets: int
    persona: dict[str, str]

    @property
    def leave(self) -> bool:
        return True

    @property
    def _values(self) -> dict[str, Wanted]:
        return {"tickets": self.tickets, "name": self.persona["name"], "email": self.persona["email"]}

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        return (RowPattern("encore_waiting", after=self._values | {"show": self.showing.code}),)

    def criteria(self) -> tuple[Criterion, ...]:
        what = f"{self.tickets} tickets for {self.showing.event}, {self.showing.link}, for {self.persona['name']}."
        return (Criterion("Is on the waiting list", what, 6.0),)

    def perform(self, caller: Caller) -> None:
        caller.post(SITE, f"/show/{self.showing.code}/waiting", self._values)

    def next(self, look: OracleView) -> Action | None:
        path, word = f"/show/{self.showing.code}/waiting$", look.word(SITE, "join")
        if look.clicked("button", word, SITE, path):
            return None
        if look.at(SITE, path):
            return (
                look.pick("How many tickets", str(self.tickets))
                or look.fill(FIELDS, "Full name", self.persona["name"])
                or look.fill(FIELDS, "E-mail address", self.persona["email"])
                or look.click("button", word)
            )
        if look.at(SITE, f"/show/{self.showing.code}$"):
            return look.click("link", look.word(SITE, "wait"))
        return follow(look, SITE, to_show(self.showing))

    def misses(self, town: Town) -> Misses:
        yield "not on the list", ()
        yield "another number of tickets", (replace(self, tickets=self.tickets % 8 + 1),)
        for field, value in {"name": "Alex Example", "email": "x@else.example"}.items():
            yield f"another {field}", (replace(self, persona=self.persona | {field: value}),)
        query = "SELECT code FROM show WHERE status = 'sold' AND code != ? ORDER BY id LIMIT 1"
        other = town.facts[SITE].execute(query, (self.showing.code,)).fetchone()["code"]
        yield "on another date's list", (replace(self, showing=replace(self.showing, code=other)),)


class FileClaim(Goal, frozen=True):
    """Claim money back, with what stands on a booking."""

    booking: str
    event: str
    day: str
    seats: str
    paid: int
    reason: str
    email: str

    @property
    def leave(self) -> bool:
        return True

    @property
    def _values(self) -> dict[str, str]:
        paid = f"{self.paid // 100}.{self.paid % 100:02d}"
        return {
            "booking": self.booking, "event": self.event, "day": self.day, "seats": self.seats, "paid": paid,
            "reason": self.reason, "email": self.email,
        }  # fmt: skip

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        seats = self.seats.split(", ")
        spelled = OneOf((self.seats, ",".join(seats), " ".join(seats), " and ".join(seats)))
        wanted: dict[str, Wanted] = dict(self._values) | {"seats": spelled, "paid": self.paid}
        return (RowPattern("encore_claim", after=wanted),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("Claims the money back", f"Sends the form as booking {self.booking} has it.", 8.0),)

    def perform(self, caller: Caller) -> None:
        caller.post(SITE, "/claim", self._values)

    def next(self, look: OracleView) -> Action | None:
        word = look.word(SITE, "claim")
        if look.clicked("button", word, SITE, "/claim$"):
            return None
        if not look.at(SITE, "/claim$"):
            return follow(look, SITE, (Hop("/.*", "Claim a refund"),))
        labels = {
            "Booking number": "booking", "Name of the show": "event", "Date of the show": "day", "Seats": "seats",
            "Sum paid": "paid",
        }  # fmt: skip
        return (
            fill_all(look, labels, self._values)
            or look.pick("Reason", self.reason)
            or look.fill(FIELDS, "E-mail address", self.email)
            or look.click("button", word)
        )

    def misses(self, town: Town) -> Misses:
        yield "nothing claimed", ()
        yield "a dollar more", (replace(self, paid=self.paid + 100),)
        yield "another reason", (replace(self, reason="Illness" if self.reason != "Illness" else "Postponed"),)
        yield "another e-mail address", (replace(self, email="x@else.example"),)
        yield "other seats", (replace(self, seats="A1, A2"),)
        yield "claimed twice", (self, self)


def _some_claim(town: Town) -> FileClaim:
    number = str(town.begin_rows("encore_booking")[0]["number"])
    return FileClaim(number, "Anything", "2026-06-01", "A1", 1000, "Illness", "x@else.example")
