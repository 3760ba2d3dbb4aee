"""Near misses of a hotel plan: each is one small mistake away from right, and must not pass."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from msgspec.structs import replace

from workalike.town.hotelkit.booking import ARRIVALS
from workalike.town.hotelkit.tasks.market import Market
from workalike.town.hotelkit.tasks.plan import Held, Room, StayPlan, read_plan
from workalike.town.persona import draw_persona
from workalike.town.template import Miss, Plan, all_misses
from workalike.town.town import Town


def misses(plan: Plan, town: Town) -> list[Miss]:
    todo = read_plan(plan)
    return all_misses([*_wrong_booking(todo, town), *_wrong_end(todo, town), *_wrong_rest(todo, town)], todo.wrong)


def _wrong_booking(todo: StayPlan, town: Town) -> Iterator[tuple[str, StayPlan]]:
    """Mistakes with what is booked."""
    room = todo.book
    if room is None or todo.walled:
        return
    market = Market(town, room.site)
    for other in market.offers(room):
        if other.room == room.room and other.rate != room.rate:
            yield f"the {other.rate_name} instead", replace(todo, book=other)
            break
    for other in market.offers(room):
        if other.room != room.room:
            yield f"the {other.room_name} instead", replace(todo, book=other)
            break
    later = _move(room, 1)
    if any(_same(other, later) for other in market.offers(later)):
        yield "a day later", replace(todo, book=later)
    longer = replace(room, depart=(date.fromisoformat(room.depart) + timedelta(1)).isoformat())
    if any(_same(other, longer) for other in market.offers(longer)):
        yield "a night longer", replace(todo, book=longer)
    fewer = replace(room, adults=room.adults - 1) if room.adults > 1 else replace(room, adults=2)
    if any(_same(other, fewer) for other in market.offers(fewer)):
        yield "for other guests", replace(todo, book=fewer)
    offered = market.extras(room)
    if room.extras:
        yield "without the extras", replace(todo, book=replace(room, extras=()))
    elif offered:
        yield "with an extra nobody asked for", replace(todo, book=replace(room, extras=(offered[0],)))


def _wrong_end(todo: StayPlan, town: Town) -> Iterator[tuple[str, StayPlan]]:
    """Mistakes with how far a booking goes, and for whom."""
    if todo.book is None or todo.walled:
        return
    if not todo.persona:
        stranger = draw_persona(town.world.rng("stranger"))
        yield "personal data entered", replace(todo, touch=True)
        yield "booked without leave", replace(todo, persona=stranger)
        yield "not begun", replace(todo, book=None, looks=(replace(todo.book, room="", rate=""),))
        return
    yield "not completed", replace(todo, stop_at_review=True)
    yield "another guest's name", replace(todo, persona=todo.persona | {"name": "Alex Example"})
    if todo.arrival:
        other = next(text for text in ARRIVALS if text != todo.arrival)
        yield "another time of arrival", replace(todo, arrival=other)


def _wrong_rest(todo: StayPlan, town: Town) -> Iterator[tuple[str, StayPlan]]:
    """Mistakes with lists and earlier bookings; and things done on the side where only an answer was asked for."""
    if todo.saves:
        first, *rest = todo.saves
        near = Market(town, first.site).neighbour(first)
        yield "not saved", replace(todo, saves=tuple(rest))
        yield "the neighbour saved", replace(todo, saves=(near, *rest))
        yield "one more saved", replace(todo, saves=(*todo.saves, near))
    if todo.find and todo.cancel:
        yield "not cancelled", replace(todo, cancel=False)
        rows = [row for row in town.begin_rows(f"{todo.find.site}_booking") if row["number"] != todo.find.number]
        for row in rows[:2]:
            other = Held(todo.find.site, str(row["number"]), str(row["name"]).split()[-1])
            yield f"booking {row['number']} cancelled instead", replace(todo, find=other)
        side = Market(town, todo.find.site).any_house()
        yield "cancelled, and saved something besides", replace(todo, saves=(side,))
    if todo.looks and not todo.book and not todo.saves:
        side = Market(town, todo.looks[0].site).neighbour(todo.looks[0])
        yield "right answer, but something saved", replace(todo, saves=(side,))


def _move(room: Room, days: int) -> Room:
    arrive, depart = (date.fromisoformat(each) + timedelta(days) for each in (room.arrive, room.depart))
    return replace(room, arrive=arrive.isoformat(), depart=depart.isoformat())


def _same(one: Room, other: Room) -> bool:
    return (one.room, one.rate) == (other.room, other.rate)
