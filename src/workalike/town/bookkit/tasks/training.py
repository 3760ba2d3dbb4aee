"""Tasks of the train split that all sites with times to book can ask for: something kept, a time at a place that is
named, a booking cancelled. A site gives them its trade."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from workalike.town.bookkit.tasks.booking import book_one, online, told
from workalike.town.bookkit.tasks.goals import BookSlot, KeepVenue
from workalike.town.bookkit.tasks.market import SlotMarket
from workalike.town.bookkit.tasks.outing import outing_of
from workalike.town.bookkit.tasks.target import DescribedVenue, Trade
from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.template import TaskDraft
from workalike.town.town import Town

Describe = Callable[[Trade, SlotMarket, Random], DescribedVenue | None]


def keep(trade: Trade, describe: Describe, town: Town, rng: Random) -> TaskDraft | None:
    """A place that is described, kept for later."""
    target = describe(trade, SlotMarket(town, trade.site), rng)
    if target is None:
        return None
    goals = (*target.goals, KeepVenue(outing_of(trade.site, target.venue)))
    return TaskDraft(goals, {"site": trade.title, "place": target.phrase}, shown=target.shown)


def book_named(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """A time at a place that is named, to the critical point."""
    market = SlotMarket(town, trade.site)
    venue, day = market.one(rng, test=online), market.day(rng)
    assert venue is not None
    party = trade.party(rng, venue)
    times = market.free(venue, day, party)
    if not times:
        return None
    time, outing = rng.choice(times), outing_of(trade.site, venue, day, party)
    return TaskDraft((book_one(outing, time),), told(trade, town, day, party, time) | {"name": venue.name})


def book_mine(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """The same, booked with the user's data."""
    draft, who = book_named(trade, town, rng), draw_persona(rng)
    if draft is None:
        return None
    (goal,) = draft.goals
    assert isinstance(goal, BookSlot)
    number = SlotMarket(town, trade.site).number()
    return replace(draft, goals=(replace(goal, persona=who, number=number),), persona=who)


def cancel(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """An earlier booking, by its number."""
    row = rng.choice(town.begin_rows(f"{trade.site}_booking"))
    goal = FindBooking(trade.site, str(row["number"]), str(row["name"]).split()[-1], cancel=True)
    return TaskDraft((goal,), {"site": trade.title, "number": goal.number, "name": goal.name})
