"""Questions about things to do: how long and how steep, what a family pays, what comes back, who may come along, what
is nearest, when there is room."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.bookkit.city import CITIES
from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tasks.goals import SeeMap, SeeVenue
from workalike.town.bookkit.tasks.outing import about, on_the_day, outing_of
from workalike.town.bookkit.tasks.target import by_distance, by_quirk, by_rating, by_trait
from workalike.town.bookkit.tasks.words import people, spelt, when
from workalike.town.bookkit.venue import WEEKDAYS, Venue
from workalike.town.kit.booked import FindBooking
from workalike.town.sites.outbound.tasks.draws import SITE, TRADE, draw_party, kind_is, market_of, template
from workalike.town.template import TaskDraft
from workalike.town.town import Town

MILE, FOOT = 1.609344, 0.3048
BREATH = 10
"""How many minutes a hundred metres of climb add."""


def trail_by_size(town: Town, rng: Random) -> TaskDraft | None:
    """A trail of about some length that also fits otherwise, and how much it climbs."""
    market, city = market_of(town), rng.choice(CITIES)
    trails = market.all(city, kind_is("Trail"))
    best = rng.choice(trails)
    about_km = round(best.numbers["length"] / 10)
    close = [each for each in trails if abs(each.numbers["length"] / 10 - about_km) < 2.5]
    detail = rng.choice(("Difficulty", "Route"))
    fitting = [each for each in close if each.detail(detail) == best.detail(detail)]
    if fitting != [best] or abs(best.numbers["length"] / 10 - about_km) > 0.6:
        return None
    seen = [outing_of(SITE, each) for each in trails]
    words = {"Easy": "easy", "Moderate": "moderate", "Hard": "hard", "Loop": "a loop"}
    words |= {"Out and back": "there and back the same way", "One way": "one way only"}
    others = [each for each in trails if each != best]
    return TaskDraft(
        tuple(map(SeeVenue, seen)),
        {"site": "Outbound", "city": city, "length": f"{about_km} km", "fits": words[best.detail(detail)]},
        (
            ExpectedAnswer("trail", "name", best.name),
            ExpectedAnswer("climb", "number", best.numbers["climb"]),
        ),
        shown=tuple((about(each, "length"),) for each in seen),
        near={"another trail": {"trail": others[0].name}, "another climb": {"climb": others[0].numbers["climb"] + 10}},
    )


def in_miles(town: Town, rng: Random) -> TaskDraft | None:
    """A trail's length in miles and its climb in feet."""
    target = by_quirk(TRADE, market_of(town), rng, kind_is("Trail"))
    if target is None:
        return None
    here, numbers = outing_of(SITE, target.venue), target.venue.numbers
    miles, feet = numbers["length"] / 10 / MILE, numbers["climb"] / FOOT
    if 0.4 < miles * 10 % 1 < 0.6 or 0.4 < feet % 1 < 0.6:
        return None
    return TaskDraft(
        (*target.goals, SeeVenue(here)),
        {"site": "Outbound", "place": target.phrase},
        (
            ExpectedAnswer("miles", "number", round(miles, 1), tolerance=0.04),
            ExpectedAnswer("feet", "number", round(feet), tolerance=0.9),
        ),
        shown=(*target.shown, (about(here, "length"),), (about(here, "climb"),)),
        near={
            "in kilometres": {"miles": numbers["length"] / 10},
            "in metres": {"feet": numbers["climb"]},
        },
    )


def walking_time(town: Town, rng: Random) -> TaskDraft | None:
    """How long a trail takes at a pace, with some minutes for the climb."""
    target = by_distance(TRADE, market_of(town), rng, kind_is("Trail"))
    if target is None:
        return None
    here, numbers = outing_of(SITE, target.venue), target.venue.numbers
    pace = rng.choice((3, 4, 5))
    exact = numbers["length"] / 10 / pace * 60 + numbers["climb"] / 100 * BREATH
    if 0.4 < exact % 1 < 0.6:
        return None
    flat = round(numbers["length"] / 10 / pace * 60)
    return TaskDraft(
        (*target.goals, SeeVenue(here)),
        {"site": "Outbound", "place": target.phrase, "pace": f"{pace} km", "breath": f"{BREATH} minutes"},
        (ExpectedAnswer("time", "duration", round(exact)),),
        shown=(*target.shown, (about(here, "length"),), (about(here, "climb"),)),
        near={"without the climb": {"time": flat}, "an hour more": {"time": round(exact) + 60}},
    )


def family_tickets(town: Town, rng: Random) -> TaskDraft | None:
    """What people of different ages pay together."""
    kinds = ("Museum", "Boat trip", "Walking tour")
    target = by_distance(TRADE, market_of(town), rng, kind_is(*kinds))
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    ages = [rng.choice((1, 2, 4)), rng.choice((6, 8, 9)), rng.choice((12, 13, 15, 16)), rng.choice((59, 61, 63, 66))]
    total = sum(ticket_of(venue, age) for age in (*ages, 38, 40))
    adult = next(fare.cents for fare in venue.fares if fare.code == "adults")
    children = f"children of {ages[0]}, {ages[1]} and {ages[2]}"
    said = f"two adults in their late thirties, a grandmother of {ages[3]}, and {children}"
    return TaskDraft(
        (*target.goals, SeeVenue(here), SeeVenue(here, "rules")),
        {"site": "Outbound", "place": target.phrase, "family": said},
        (ExpectedAnswer("total", "money", total),),
        shown=(*target.shown, *((about(here, f"fare {fare.code}"),) for fare in venue.fares)),
        near={"all as adults": {"total": 6 * adult}, "one adult more": {"total": total + adult}},
    )


def ticket_of(venue: Venue, age: int) -> int:
    """What somebody of an age pays."""
    prices, numbers = {fare.code: fare.cents for fare in venue.fares}, venue.numbers
    if age <= numbers["baby_to"]:
        return 0
    if age <= numbers["child_to"]:
        return prices["children"]
    return prices["seniors"] if age >= numbers["senior_from"] else prices["adults"]


def free_evening(town: Town, rng: Random) -> TaskDraft | None:
    """On which evening a museum costs nothing, and what the two of us save."""
    target = by_quirk(TRADE, market_of(town), rng, kind_is("Museum"))
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    day, saved = WEEKDAYS[venue.numbers["free"]], 2 * venue.fares[0].cents
    other = WEEKDAYS[(venue.numbers["free"] + 1) % 5]
    return TaskDraft(
        (*target.goals, SeeVenue(here), SeeVenue(here, "rules")),
        {"site": "Outbound", "place": target.phrase},
        (ExpectedAnswer("weekday", "name", day), ExpectedAnswer("saving", "money", saved)),
        shown=(*target.shown, (about(here, "free evening"),), (about(here, "fare adults"),)),
        near={"another day": {"weekday": other}, "for one": {"saving": saved // 2}},
    )


def per_hour(town: Town, rng: Random) -> TaskDraft | None:
    """Which of a kind costs an adult least by the hour."""
    market, city = market_of(town), rng.choice(CITIES)
    kind = rng.choice(("Cooking class", "Craft workshop", "Boat trip", "Bike tour"))
    venues = market.all(city, kind_is(kind))
    cost = {each.slug: each.fares[0].cents * 60 / each.minutes for each in venues}
    order = sorted(venues, key=lambda each: cost[each.slug])
    best = cost[order[0].slug]
    if cost[order[1].slug] - best < 25 or 0.4 < best % 1 < 0.6 or round(best) == order[0].fares[0].cents:
        return None
    seen = [outing_of(SITE, each) for each in venues]
    return TaskDraft(
        tuple(map(SeeVenue, seen)),
        {"site": "Outbound", "city": city, "kind": kind.lower(), "kinds": plural_of(kind)},
        (
            ExpectedAnswer("activity", "name", order[0].name),
            ExpectedAnswer("price", "money", round(best)),
        ),
        shown=(*((about(each, "duration"),) for each in seen), *((about(each, "fare adults"),) for each in seen)),
        near={
            "the second": {"activity": order[1].name, "price": round(cost[order[1].slug])},
            "the whole price": {"price": order[0].fares[0].cents},
        },
    )


def plural_of(kind: str) -> str:
    """
    >>> plural_of("Cooking class"), plural_of("Boat trip")
    ('cooking classes', 'boat trips')
    """
    return f"{kind.lower()}es" if kind.endswith("class") else f"{kind.lower()}s"


def comes_back(town: Town, rng: Random) -> TaskDraft | None:
    """What of a booking is paid back when it is cancelled so long before."""
    market = market_of(town)
    rows = [row for row in town.begin_rows("outbound_booking") if int(str(row["total"])) > 0]
    row = rng.choice(rows)
    venue, hours = market.venue(str(row["venue"])), rng.choice((12, 30, 60, 100, 200))
    total, part = int(str(row["total"])), venue.numbers["part"]
    back = total if hours >= venue.numbers["refund"] else total * part / 100
    begins = datetime.fromisoformat(f"{row['day']}T{row['time']}")
    if back != int(back) or begins - timedelta(hours=hours) < datetime.fromisoformat(f"{town.world.today}T12:00"):
        return None
    number, here = str(row["number"]), outing_of(SITE, venue)
    found = FindBooking(SITE, number, str(row["name"]).split()[-1])
    wrong = total if back != total else total * part // 100
    return TaskDraft(
        (found, SeeVenue(here, "rules")),
        {"site": "Outbound", "number": number, "name": found.name, "hours": str(hours)},
        (ExpectedAnswer("refund", "money", int(back)),),
        shown=((FactPattern(SITE, number, "total"),), (about(here, "refund"),)),
        near={"the other case": {"refund": wrong}},
    )


def school_trip(town: Town, rng: Random) -> TaskDraft | None:
    """What a large party pays after what groups get off."""
    kinds = ("Museum", "Boat trip", "Walking tour", "Craft workshop")
    target = by_rating(TRADE, market_of(town), rng, kind_is(*kinds))
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    count, grown = rng.randint(16, 24), rng.randint(2, 3)
    party = Party(f"adults={grown},children={count}")
    plain = party.cost(venue.fares)
    total = plain * (100 - venue.numbers["off"]) / 100
    if total != int(total):
        return None
    age = venue.numbers["child_to"]
    return TaskDraft(
        (*target.goals, SeeVenue(here), SeeVenue(here, "rules")),
        {"site": "Outbound", "place": target.phrase, "count": str(count), "grown": spelt(grown), "age": str(age)},
        (ExpectedAnswer("total", "money", int(total)),),
        shown=(*target.shown, (about(here, "fare adults"),), (about(here, "fare children"),), (about(here, "groups"),)),
        near={"without what groups get off": {"total": plain}, "the children alone": {"total": int(total) - 100}},
    )


def old_enough(town: Town, rng: Random) -> TaskDraft | None:
    """Where a child of some age may take part."""
    market, city, age = market_of(town), rng.choice(CITIES), rng.choice((7, 9, 11))
    kind = rng.choice(("Cooking class", "Craft workshop", "Bike tour"))
    venues = market.all(city, kind_is(kind))
    allowed = [each.name for each in venues if each.numbers["least"] <= age]
    if not 1 <= len(allowed) < len(venues):
        return None
    seen = [outing_of(SITE, each) for each in venues]
    not_allowed = next(each.name for each in venues if each.name not in allowed)
    return TaskDraft(
        tuple(SeeVenue(each, "rules") for each in seen),
        {"site": "Outbound", "city": city, "kinds": plural_of(kind), "age": spelt(age)},
        (ExpectedAnswer("activities", "names", allowed),),
        shown=tuple((about(each, "age"),) for each in seen),
        near={"one too many": {"activities": [*allowed, not_allowed]}, "another": {"activities": [not_allowed]}},
    )


def nearest(town: Town, rng: Random) -> TaskDraft | None:
    """Which of a kind is nearest to a landmark, and how far."""
    market = market_of(town)
    target = by_distance(TRADE, market, rng, lambda venue: venue.kind != "Trail")
    if target is None:
        return None
    venue, field = target.venue, target.shown[0][0].field
    mark = next(mark for mark in market.landmarks(venue.city) if field == f"distance {mark.name}")
    first, second = (market.metres(each, mark) for each in (venue, target.rivals[0]))
    return TaskDraft(
        (SeeMap(SITE, venue.city, venue.kind), *target.goals),
        {"site": "Outbound", "kind": venue.kind.lower(), "city": venue.city, "mark": mark.name},
        (ExpectedAnswer("activity", "name", venue.name), ExpectedAnswer("metres", "number", first)),
        shown=target.shown,
        near={"the second": {"activity": target.rivals[0].name}, "its distance": {"metres": second}},
    )


def first_day(town: Town, rng: Random) -> TaskDraft | None:
    """The first day from some day on with room for all."""
    market = market_of(town)
    target = by_trait(TRADE, market, rng, lambda venue: venue.books == "online")
    if target is None:
        return None
    venue, day = target.venue, market.day(rng)
    party = draw_party(rng, venue)
    days = [day + timedelta(ahead) for ahead in range(9)]
    free = [each for each in days if market.free(venue, each, party)]
    tried = days[: days.index(free[0]) + 1] if free else []
    if not 3 <= len(tried) <= 6:
        return None
    outings = [outing_of(SITE, venue, each, party) for each in tried]
    time = market.free(venue, free[0], party)[0]
    missing = [
        (on_the_day(each, "full"), FactPattern(SITE, venue.slug, "closed", {"day": each.day})) for each in outings[:-1]
    ]
    return TaskDraft(
        (*target.goals, *map(SeeVenue, outings)),
        when(day, town.world.today) | {"site": "Outbound", "place": target.phrase, "party": people(party)},
        (ExpectedAnswer("date", "date", free[0].isoformat()), ExpectedAnswer("time", "time", time)),
        shown=(*target.shown, *missing, (on_the_day(outings[-1], "free", time),)),
        near={
            "a day later": {"date": (free[0] + timedelta(1)).isoformat()},
            "the day asked about": {"date": tried[0].isoformat()},
        },
    )


def quote(town: Town, rng: Random) -> TaskDraft | None:
    """What the rules say about something, word for word, and where that stands."""
    target = by_quirk(TRADE, market_of(town), rng)
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    topic, words = rng.choice((("weather", "bad weather"), ("lateness", "people who are late")))
    link = f"http://outbound.town.localhost/at/{venue.slug}/rules"
    return TaskDraft(
        (*target.goals, SeeVenue(here, "rules")),
        {"site": "Outbound", "place": target.phrase, "topic": words},
        (
            ExpectedAnswer("quote", "name", venue.note(topic)),
            ExpectedAnswer("link", "name", f"{link}|outbound.town.localhost/at/{venue.slug}/rules"),
        ),
        shown=(*target.shown, (about(here, topic),)),
        near={"another rule": {"quote": venue.note("refund")}, "the site": {"link": "http://outbound.town.localhost/"}},
    )


def open_latest(town: Town, rng: Random) -> TaskDraft | None:
    """Which museum of a city is open latest on some day, and until when."""
    market, city = market_of(town), rng.choice(CITIES)
    venues, day = market.all(city, kind_is("Museum")), rng.choice((3, 4))
    ends = {each.slug: _closes(each.hours[day]) for each in venues}
    order = sorted(venues, key=lambda each: -ends[each.slug])
    if ends[order[0].slug] == ends[order[1].slug]:
        return None
    seen = [outing_of(SITE, each) for each in venues]
    return TaskDraft(
        tuple(map(SeeVenue, seen)),
        {"site": "Outbound", "city": city, "weekday": WEEKDAYS[day]},
        (
            ExpectedAnswer("museum", "name", order[0].name),
            ExpectedAnswer("time", "time", f"{ends[order[0].slug]:02d}:00"),
        ),
        shown=tuple((about(each, f"hours {WEEKDAYS[day]}"),) for each in seen),
        near={"the second": {"museum": order[1].name}},
    )


def _closes(hours: str) -> int:
    return 0 if hours == "Closed" else int(hours.rpartition("– ")[2].partition(":")[0]) + 12


def with_extras(town: Town, rng: Random) -> TaskDraft | None:
    """What some people pay with something that is extra for each."""
    target = by_rating(TRADE, market_of(town), rng, lambda venue: bool(venue.options) and venue.paid)
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    party, extra = draw_party(rng, venue), rng.choice(venue.options)
    plain = party.cost(venue.fares)
    codes = [fare.code for fare in venue.fares if fare.code in party.counts]
    return TaskDraft(
        (*target.goals, SeeVenue(here)),
        {"site": "Outbound", "place": target.phrase, "party": people(party), "extra": TRADE.wishes[extra.code]},
        (ExpectedAnswer("total", "money", plain + extra.cents * party.size),),
        shown=(
            *target.shown,
            *((about(here, f"fare {code}"),) for code in codes),
            (about(here, f"option {extra.code}"),),
        ),
        near={
            "without": {"total": plain},
            "for one": {"total": plain + extra.cents} if party.size > 1 else {"total": plain + 1},
        },
    )


TEMPLATES = (
    template("trail-by-size", "activities", "hard", trail_by_size, demands=("fuzzy size", "many criteria")),
    template("in-miles", "activities", "medium", in_miles, demands=("per unit", "described not named", "prose")),
    template(
        "walking-time", "activities", "hard", walking_time, demands=("arithmetic", "map and distance", "per unit")
    ),
    template(
        "family-tickets", "activities", "hard", family_tickets, demands=("arithmetic", "prose", "map and distance")
    ),
    template(
        "free-evening", "activities", "medium", free_evening, demands=("prose", "described not named", "arithmetic")
    ),
    template("per-hour", "activities", "hard", per_hour, demands=("per unit", "arithmetic")),
    template("comes-back", "activities", "easy", comes_back, demands=("prose", "arithmetic")),
    template(
        "school-trip",
        "activities",
        "medium",
        school_trip,
        demands=("arithmetic", "prose", "fuzzy size", "described not named"),
    ),
    template("old-enough", "activities", "hard", old_enough, demands=("prose", "many criteria")),
    template("nearest", "activities", "hard", nearest, demands=("map and distance",)),
    template("first-day", "activities", "hard", first_day, demands=("budget and fallback", "described not named")),
    template("quote", "activities", "medium", quote, demands=("evidence", "prose", "described not named")),
    template("open-latest", "activities", "hard", open_latest, demands=("many criteria",)),
    template("with-extras", "activities", "easy", with_extras, demands=("arithmetic", "described not named")),
)
