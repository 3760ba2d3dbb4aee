"""Tables of one's own choice among many, within a budget, or given up where the rules do not suit; and all that sites
with times to book have in common."""

from __future__ import annotations

from functools import partial
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.bookkit.city import CITIES
from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tasks import booking
from workalike.town.bookkit.tasks.booking import OpenChoice, any_for_me, any_that_fits, online, told
from workalike.town.bookkit.tasks.goals import BookSlot, SeeResults, SeeVenue
from workalike.town.bookkit.tasks.outing import about, outing_of
from workalike.town.bookkit.tasks.words import said_time
from workalike.town.bookkit.venue import Venue
from workalike.town.kit.booked import FindBooking
from workalike.town.sites.forkline.tasks.draws import SITE, TRADE, market_of, section, template
from workalike.town.sites.forkline.world import KINDS
from workalike.town.template import Demand, Level, TaskDraft, Template
from workalike.town.town import Town


def _open(town: Town, rng: Random) -> OpenChoice | None:
    """Places of a city that all fit: a price, a rating, something they have, a time about some hour, no deposit."""
    market, city = market_of(town), rng.choice(CITIES)
    trait, rating, level = rng.choice(tuple(TRADE.traits)), rng.choice((4.0, 4.0, 4.5)), rng.choice((2, 3))
    low, high, hour = rng.choice((("18:00", "19:00", "half past six"), ("18:30", "19:30", "seven"),
                                  ("19:00", "20:00", "half past seven")))  # fmt: skip
    day, party = market.day(rng), Party(f"guests={rng.randint(2, 5)}")

    def fits(venue: Venue) -> bool:
        return online(venue) and trait in venue.traits and venue.rating >= rating and venue.level <= level

    venues = [venue for venue in market.all(city, fits) if not venue.paid]
    keys = {venue.slug: market.keys(venue, day, party, low, high) for venue in venues}
    right = [venue for venue in venues if keys[venue.slug]]
    if not 2 <= len(right) <= 6:
        return None
    dear = {2: "no more than $$", 3: "no more than $$$"}[level]
    slots = told(TRADE, town, day, party) | {"city": city, "trait": TRADE.traits[trait], "rating": f"{rating:g}"}
    slots |= {"level": dear, "hour": hour, "low": said_time(low), "high": said_time(high)}
    label = {4.0: "4.0 and up", 4.5: "4.5 and up"}[rating]
    filters = (("trait", trait, trait), ("rating", f"{rating:g}", label))
    see = SeeResults(SITE, city, filters, day.isoformat(), party.text)
    every = tuple(key for venue in right for key in keys[venue.slug])
    return OpenChoice(see, outing_of(SITE, right[0], day, party), every, slots)


def cancel_unless(town: Town, rng: Random) -> TaskDraft | None:
    """Cancel where the rules do not allow something, and leave it otherwise."""
    market = market_of(town)
    row = rng.choice(town.begin_rows("forkline_booking"))
    venue = market.venue(str(row["venue"]))
    topic, words, allowed = rng.choice(
        (
            ("corkage", "lets us bring our own wine", venue.numbers["corkage"] > 0),
            ("dogs", "lets the dog come inside", venue.numbers["dogs"] == 2),
            ("children", "charges only half for our nine-year-old", venue.numbers["child"] > 9),
        )
    )
    if allowed != (rng.random() < 0.5):
        return None
    number, name = str(row["number"]), str(row["name"]).split()[-1]
    goals = (SeeVenue(outing_of(SITE, venue), "rules"), FindBooking(SITE, number, name, cancel=not allowed))
    return TaskDraft(
        goals,
        {"site": "Forkline", "number": number, "name": name, "words": words},
        (ExpectedAnswer("cancelled", "yes_no", not allowed),),
        shown=((about(outing_of(SITE, venue), topic),), (FactPattern(SITE, number, "venue"),)),
    )


def within_budget(town: Town, rng: Random) -> TaskDraft | None:
    """The best rated place of two kinds where three courses for all stay within a sum, and a table there."""
    market, city = market_of(town), rng.choice(CITIES)
    kinds = rng.sample(KINDS, 2)
    venues = market.all(city, lambda venue: venue.kind in kinds and online(venue))
    count = rng.randint(3, 6)
    party, day = Party(f"guests={count}"), market.day(rng)
    cost = {venue.slug: count * section(venue, "Set menu")[0].cents for venue in venues}
    if len(venues) < 4:
        return None
    budget = (sorted(cost.values())[len(cost) // 2] // 1000 + 1) * 1000
    within = sorted((venue for venue in venues if cost[venue.slug] <= budget), key=lambda venue: -venue.rating)
    if len(within) < 2 or within[0].rating == within[1].rating or len(within) == len(venues):
        return None
    keys = market.keys(within[0], day, party, "18:00", "21:00")
    if not keys or any(venue.largest < count for venue in within[:1]):
        return None
    outing = outing_of(SITE, within[0], day, party)
    seen = [outing_of(SITE, venue) for venue in venues]
    slots = told(TRADE, town, day, party) | {
        "city": city,
        "one": kinds[0],
        "two": kinds[1],
        "budget": f"${budget // 100}",
    }
    return TaskDraft(
        (*(SeeVenue(each, "sheet") for each in seen), BookSlot(outing, tuple(keys))),
        slots,
        shown=tuple((about(each, "price Three courses"),) for each in seen),
    )


_DESCRIBED: Demand = "described not named"
_PROSE: Demand = "prose"
_FALLBACK: Demand = "budget and fallback"
_OPEN: Demand = "open choice"
_MANY: Demand = "many criteria"


def _shared(name: str, level: Level, draw: str, *demands: Demand) -> Template:
    return template(name, "restaurants", level, partial(getattr(booking, draw), TRADE), demands=demands)


TEMPLATES = (
    _shared("described", "medium", "described", _DESCRIBED, _PROSE),
    _shared("next-free", "hard", "next_free", _FALLBACK, _DESCRIBED, "map and distance"),
    _shared("wait-instead", "medium", "wait_instead", _FALLBACK, _DESCRIBED),
    template(
        "any-that-fits", "restaurants", "medium", partial(any_that_fits, _open), demands=(_OPEN, _MANY, "fuzzy size")
    ),
    template(
        "any-for-me",
        "restaurants",
        "hard",
        partial(any_for_me, _open),
        demands=(_OPEN, _MANY, "evidence", "fuzzy size"),
    ),
    _shared("as-last-time", "easy", "as_last_time", "form from a document"),
    template("cancel-unless", "restaurants", "easy", cancel_unless, demands=(_PROSE, _FALLBACK)),
    _shared("no-reservations", "medium", "no_reservations", _DESCRIBED, _PROSE),
    _shared("full-house", "hard", "full_house", _DESCRIBED, "map and distance"),
    _shared("wall", "easy", "walled", _DESCRIBED),
    _shared("near-the-hotel", "hard", "near_the_hotel", "chain over sites", _OPEN, _DESCRIBED),
    _shared("two-evenings", "hard", "two_evenings", _DESCRIBED, _PROSE, _MANY),
    template("within-budget", "restaurants", "hard", within_budget, demands=(_FALLBACK, "arithmetic", _OPEN, _MANY)),
)
