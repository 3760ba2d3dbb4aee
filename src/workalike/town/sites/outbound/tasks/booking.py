"""Going: to a meetup, to what one chooses among many, within a budget, with dinner afterwards, or not at all; and all
that sites with times to book have in common."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from random import Random

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.bookkit.city import CITIES
from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tables import slot_key
from workalike.town.bookkit.tasks import booking
from workalike.town.bookkit.tasks.booking import OpenChoice, any_for_me, any_that_fits, book_one, online, told
from workalike.town.bookkit.tasks.goals import BookSlot, SeeResults, SeeVenue
from workalike.town.bookkit.tasks.market import SlotMarket
from workalike.town.bookkit.tasks.outing import about, outing_of
from workalike.town.bookkit.tasks.target import by_quirk, by_rating
from workalike.town.bookkit.tasks.words import said_time
from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.sites.outbound.tasks.asking import plural_of
from workalike.town.sites.outbound.tasks.draws import SITE, TRADE, draw_party, market_of, template
from workalike.town.sites.outbound.world import LANGUAGES
from workalike.town.template import Demand, Level, TaskDraft, Template
from workalike.town.town import Town


def join_meetup(town: Town, rng: Random) -> TaskDraft | None:
    """A free place at a meetup, with the user's data; the number is brought back."""
    market, who = market_of(town), draw_persona(rng)
    target = by_quirk(TRADE, market, rng, lambda venue: venue.kind == "Meetup" and online(venue))
    if target is None:
        return None
    day, party = market.day(rng), Party(f"adults={rng.randint(1, 2)}")
    days = [each for each in market.days_from(day, 14) if market.free(target.venue, each, party)]
    if not days:
        return None
    outing = outing_of(SITE, target.venue, days[0], party)
    time, number = market.free(target.venue, days[0], party)[0], market.number()
    many = "just me" if party.size == 1 else "me and a friend"
    return TaskDraft(
        (*target.goals, SeeVenue(outing), replace(book_one(outing, time), persona=who, number=number)),
        told(TRADE, town, days[0], party, time) | {"place": target.phrase, "many": many},
        (ExpectedAnswer("booking number", "name", number),),
        shown=(*target.shown, (FactPattern(SITE, number, "number"),)),
        near={"an earlier booking": {"booking number": str(town.begin_rows("outbound_booking")[0]["number"])}},
        persona=who,
    )


def _open(town: Town, rng: Random) -> OpenChoice | None:
    """What fits of two kinds: a language, how long, what it costs, the time of day."""
    market, city = market_of(town), rng.choice(CITIES)
    kinds = tuple(rng.sample(("Walking tour", "Boat trip", "Bike tour", "Cooking class", "Craft workshop"), 2))
    language, longest, most = rng.choice(LANGUAGES), rng.choice((120, 150, 180, 240)), rng.choice((30, 40, 60, 80))
    day, party = market.day(rng), Party(rng.choice(("adults=2", "adults=3", "adults=2,children=1")))
    low, high, part = rng.choice((("09:00", "12:00", "in the morning"), ("12:00", "17:00", "in the afternoon")))
    venues = [
        venue
        for venue in market.all(city, lambda venue: online(venue) and venue.kind in kinds)
        if venue.detail("Language") == language and venue.minutes <= longest and venue.fares[0].cents <= most * 100
    ]
    keys = {venue.slug: market.keys(venue, day, party, low, high) for venue in venues}
    right = [venue for venue in venues if keys[venue.slug]]
    if not right:
        return None
    outing, every = outing_of(SITE, right[0], day, party), tuple(key for each in right for key in keys[each.slug])
    see = SeeResults(SITE, city, (("Language", language, language),), outing.day, outing.party)
    slots = told(TRADE, town, day, party) | {"city": city, "one": kinds[0].lower(), "two": kinds[1].lower()}
    slots |= {"language": language, "longest": f"{longest / 60:g} hours", "most": f"${most}", "part": part}
    slots |= {"low": said_time(low), "high": said_time(high)}
    return OpenChoice(see, outing, every, slots)


def cancel_if_free(town: Town, rng: Random) -> TaskDraft | None:
    """Cancel where everything comes back, and leave it otherwise."""
    market = market_of(town)
    row = rng.choice(town.begin_rows("outbound_booking"))
    venue, number = market.venue(str(row["venue"])), str(row["number"])
    left = datetime.fromisoformat(f"{row['day']}T{row['time']}") - datetime.fromisoformat(f"{town.world.today}T12:00")
    free = left.total_seconds() / 3600 >= venue.numbers["refund"]
    if free != (rng.random() < 0.5):
        return None
    name, here, today = str(row["name"]).split()[-1], outing_of(SITE, venue), town.world.today
    return TaskDraft(
        (SeeVenue(here, "rules"), FindBooking(SITE, number, name, cancel=free)),
        {"site": "Outbound", "number": number, "name": name, "now": f"noon on {today:%B} {today.day}, {today.year}"},
        (ExpectedAnswer("cancelled", "yes_no", free),),
        shown=((about(here, "refund"),), (FactPattern(SITE, number, "day"),)),
    )


def then_dinner(town: Town, rng: Random) -> TaskDraft | None:
    """Something to do, and a table in the same district well after it ends, both booked with the user's data."""
    market, tables, who = market_of(town), SlotMarket(town, "forkline"), draw_persona(rng)
    kinds = ("Walking tour", "Boat trip", "Museum", "Craft workshop")
    target = by_quirk(TRADE, market, rng, lambda venue: venue.kind in kinds and online(venue))
    if target is None:
        return None
    day, party = market.day(rng), Party(f"adults={rng.randint(2, 3)}")
    times = [time for time in market.free(target.venue, day, party) if time >= "14:00"]
    if not times:
        return None
    time, outing = rng.choice(times), outing_of(SITE, target.venue, day, party)
    hours, minutes = map(int, time.split(":"))
    ends = hours * 60 + minutes + target.venue.minutes
    low, high = (f"{(ends + more) // 60:02d}:{(ends + more) % 60:02d}" for more in (60, 180))
    guests = Party(f"guests={party.size}")
    right = [each for each in tables.all(target.venue.city, online) if each.area == target.venue.area]
    keys = [key for each in right for key in tables.keys(each, day, guests, low, high)]
    if not keys:
        return None
    first = next(each for each in right if keys[0].startswith(f"{each.slug} "))
    dinner = outing_of("forkline", first, day, guests)
    area = (("area", target.venue.area, target.venue.area),)
    return TaskDraft(
        (
            *target.goals,
            replace(book_one(outing, time), persona=who, number=market.number()),
            SeeResults("forkline", target.venue.city, area, dinner.day, dinner.party),
            BookSlot(dinner, tuple(keys), persona=who, number=tables.number()),
        ),
        told(TRADE, town, day, party, time) | {"place": target.phrase},
        shown=target.shown,
        persona=who,
    )


def best_we_can_pay(town: Town, rng: Random) -> TaskDraft | None:
    """The best rated of a kind that a family can pay for."""
    market, city = market_of(town), rng.choice(CITIES)
    kind = rng.choice(("Boat trip", "Bike tour", "Cooking class", "Craft workshop", "Museum"))
    venues = market.all(city, lambda venue: venue.kind == kind and online(venue))
    party, day = Party(f"adults=2,children={rng.randint(1, 3)}"), market.day(rng)
    cost = {venue.slug: party.cost(venue.fares) for venue in venues}
    if len(venues) < 3:
        return None
    budget = (sorted(cost.values())[len(cost) // 2] // 500 + 1) * 500
    within = sorted((venue for venue in venues if cost[venue.slug] <= budget), key=lambda venue: -venue.rating)
    if len(within) < 2 or within[0].rating == within[1].rating or len(within) == len(venues):
        return None
    keys = market.keys(within[0], day, party)
    if not keys:
        return None
    outing, seen = outing_of(SITE, within[0], day, party), [outing_of(SITE, venue) for venue in venues]
    slots = told(TRADE, town, day, party) | {"city": city, "kind": kind.lower(), "kinds": plural_of(kind)}
    return TaskDraft(
        (*map(SeeVenue, seen), BookSlot(outing, tuple(keys))),
        slots | {"budget": f"${budget // 100}"},
        shown=(*((about(each, "fare adults"),) for each in seen), *((about(each, "fare children"),) for each in seen)),
    )


def saturday_and_sunday(town: Town, rng: Random) -> TaskDraft | None:
    """A museum on one day and a tour on the next, both the best of their kind, with the user's data."""
    market, who, city = market_of(town), draw_persona(rng), rng.choice(CITIES)
    one = by_rating(TRADE, market, rng, lambda venue: venue.kind == "Museum" and online(venue), city)
    tours = ("Walking tour", "Boat trip")
    two = by_rating(TRADE, market, rng, lambda venue: venue.kind in tours and online(venue), city)
    if one is None or two is None:
        return None
    day, party = market.day(rng, (5,)), draw_party(rng, one.venue)
    sunday = market.days_from(day, 2)[1]
    first, second = market.free(one.venue, day, party), market.free(two.venue, sunday, party)
    if not first or not second:
        return None
    outings = outing_of(SITE, one.venue, day, party), outing_of(SITE, two.venue, sunday, party)
    every = tuple(slot_key(one.venue.slug, outings[0].day, time) for time in first)
    time = rng.choice(second)
    goals = (
        *one.goals,
        BookSlot(outings[0], every, persona=who, number=market.number(1)),
        *two.goals,
        replace(book_one(outings[1], time), persona=who, number=market.number(2)),
    )
    slots = told(TRADE, town, day, party, time) | {"place": one.phrase, "other": two.phrase}
    slots["second"] = f"{sunday:%B} {sunday.day}"
    return TaskDraft(goals, slots, shown=(*one.shown, *two.shown), persona=who)


_DESCRIBED: Demand = "described not named"
_PROSE: Demand = "prose"
_FALLBACK: Demand = "budget and fallback"
_OPEN: Demand = "open choice"
_MANY: Demand = "many criteria"


def _shared(name: str, level: Level, draw: str, *demands: Demand) -> Template:
    return template(name, "activities", level, partial(getattr(booking, draw), TRADE), demands=demands)


TEMPLATES = (
    _shared("described", "medium", "described", _DESCRIBED, _PROSE),
    template("join-meetup", "activities", "medium", join_meetup, demands=(_DESCRIBED, _PROSE, "evidence")),
    _shared("next-free", "hard", "next_free", _FALLBACK, _DESCRIBED, "map and distance"),
    _shared("wait-instead", "medium", "wait_instead", _FALLBACK, _DESCRIBED),
    template("any-that-fits", "activities", "medium", partial(any_that_fits, _open), demands=(_OPEN, _MANY)),
    template("any-for-me", "activities", "hard", partial(any_for_me, _open), demands=(_OPEN, _MANY, "evidence")),
    _shared("as-last-time", "easy", "as_last_time", "form from a document"),
    template("cancel-if-free", "activities", "easy", cancel_if_free, demands=(_PROSE, _FALLBACK)),
    _shared("not-to-book", "medium", "no_reservations", _DESCRIBED, _PROSE),
    _shared("full", "hard", "full_house", _DESCRIBED, "map and distance"),
    _shared("wall", "easy", "walled", _DESCRIBED),
    _shared("near-the-hotel", "hard", "near_the_hotel", "chain over sites", _OPEN, _DESCRIBED),
    template("then-dinner", "activities", "hard", then_dinner, demands=("chain over sites", _OPEN, _PROSE)),
    template("best-we-can-pay", "activities", "medium", best_we_can_pay, demands=(_FALLBACK, "arithmetic", _OPEN)),
    template("weekend", "activities", "hard", saturday_and_sunday, demands=(_DESCRIBED, _OPEN)),
)
