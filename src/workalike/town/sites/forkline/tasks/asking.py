"""Questions about restaurants: what a dinner comes to, what the rules allow, what is cheapest by the measure, how far
it is."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.bookkit.city import CITIES
from workalike.town.bookkit.tasks.goals import SeeMap, SeeVenue
from workalike.town.bookkit.tasks.outing import about, outing_of
from workalike.town.bookkit.tasks.target import by_distance, by_quirk, by_rating, by_trait
from workalike.town.bookkit.tasks.words import spelt
from workalike.town.kit.booked import FindBooking
from workalike.town.sites.forkline.tasks.draws import SITE, TRADE, market_of, section, template
from workalike.town.sites.forkline.world import KINDS
from workalike.town.template import TaskDraft
from workalike.town.town import Town

LISTED = {"dogs": "let dogs into the dining room itself"}


def bill(town: Town, rng: Random) -> TaskDraft | None:
    """Some dishes and a bottle of one's own, at the nearest of a kind."""
    target = by_distance(TRADE, market_of(town), rng, lambda venue: venue.numbers["corkage"] > 0)
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    main, other = rng.sample(section(venue, "Mains"), 2)
    sweet = rng.choice(section(venue, "Desserts"))
    many, few = rng.choice((2, 3)), rng.choice((1, 2))
    corkage = venue.numbers["corkage"]
    food = many * main.cents + few * other.cents + sweet.cents
    dishes = f"{spelt(many)} × {main.name}, {spelt(few)} × {other.name} and one {sweet.name}"
    return TaskDraft(
        (*target.goals, SeeVenue(here, "sheet"), SeeVenue(here, "rules")),
        {"site": "Forkline", "place": target.phrase, "dishes": dishes},
        (ExpectedAnswer("total", "money", food + corkage),),
        shown=(
            *target.shown,
            *((about(here, f"price {line.name}"),) for line in (main, other, sweet)),
            (about(here, "corkage"),),
        ),
        near={"without the bottle": {"total": food}, "two bottles": {"total": food + 2 * corkage}},
    )


def group_bill(town: Town, rng: Random) -> TaskDraft | None:
    """What a large party pays by the rules, service included."""
    target = by_quirk(TRADE, market_of(town), rng)
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    count = rng.choice((10, 11, 12, 13, 14))
    plain = count * venue.numbers["group"]
    service = plain * venue.numbers["service"] // 100
    many = {12: "a dozen of us"}.get(count, f"{spelt(count)} of us")
    return TaskDraft(
        (*target.goals, SeeVenue(here, "rules")),
        {"site": "Forkline", "place": target.phrase, "many": many},
        (ExpectedAnswer("total", "money", plain + service),),
        shown=(*target.shown, (about(here, "groups"),)),
        near={"without service": {"total": plain}, "the service alone": {"total": service}},
    )


def per_measure(town: Town, rng: Random) -> TaskDraft | None:
    """Which measure of a wine is the best value, and what 10 cl of it cost."""
    target = by_rating(TRADE, market_of(town), rng)
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    lines = section(venue, "Wine")
    wine = rng.choice(sorted({line.name.partition(",")[0] for line in lines}))
    own = [line for line in lines if line.name.startswith(wine)]
    cost = {line.name.partition(", ")[2]: line.cents * 10 / float(line.text.removesuffix(" cl")) for line in own}
    order = sorted(cost, key=lambda name: cost[name])
    if cost[order[1]] - cost[order[0]] < 8 or 0.4 < cost[order[0]] % 1 < 0.6:
        return None
    best = order[0]
    whole = next(line.cents for line in own if line.name.endswith(best))
    if whole == round(cost[best]):
        return None
    return TaskDraft(
        (*target.goals, SeeVenue(here, "sheet")),
        {"site": "Forkline", "place": target.phrase, "wine": wine.lower()},
        (
            ExpectedAnswer("measure", "name", best),
            ExpectedAnswer("price", "money", round(cost[best])),
        ),
        shown=(*target.shown, *((about(here, f"price {line.name}"),) for line in own)),
        near={
            "the second best": {"measure": order[1], "price": round(cost[order[1]])},
            "the whole price": {"price": whole},
        },
    )


def vegan_gluten(town: Town, rng: Random) -> TaskDraft | None:
    """How many mains suit two people's needs within a price, and the cheapest of them."""
    target = by_trait(TRADE, market_of(town), rng)
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    mark, words = rng.choice((("vg", "vegan"), ("gf", "without gluten")))
    mains = section(venue, "Mains")
    fitting = sorted((line for line in mains if mark in line.marks), key=lambda line: line.cents)
    if len(fitting) < 2 or fitting[0].cents == fitting[1].cents:
        return None
    most = fitting[rng.randint(1, len(fitting) - 1)].cents // 100 + 1
    within = [line for line in fitting if line.cents <= most * 100]
    return TaskDraft(
        (*target.goals, SeeVenue(here, "sheet")),
        {"site": "Forkline", "place": target.phrase, "need": words, "most": f"${most}"},
        (ExpectedAnswer("count", "number", len(within)), ExpectedAnswer("dish", "name", within[0].name)),
        shown=(*target.shown, *((about(here, f"price {line.name}"),) for line in within)),
        near={"another dish": {"dish": within[1].name}, "all mains": {"count": len(mains)}},
    )


def last_moment(town: Town, rng: Random) -> TaskDraft | None:
    """Until when a booking can be cancelled without losing the deposit, where one was paid."""
    market = market_of(town)
    row = rng.choice([row for row in town.begin_rows("forkline_booking") if row["total"]])
    venue = market.venue(str(row["venue"]))
    begins = datetime.fromisoformat(f"{row['day']}T{row['time']}")
    last = begins - timedelta(hours=venue.numbers["cancel"])
    number, here = str(row["number"]), outing_of(SITE, venue)
    found = FindBooking(SITE, number, str(row["name"]).split()[-1])
    return TaskDraft(
        (found, SeeVenue(here, "rules")),
        {"site": "Forkline", "number": number, "name": found.name},
        (
            ExpectedAnswer("date", "date", last.date().isoformat()),
            ExpectedAnswer("time", "time", f"{last:%H:%M}"),
        ),
        shown=((FactPattern(SITE, number, "day"),), (about(here, "cancellation"),)),
        near={"a day later": {"date": (last.date() + timedelta(1)).isoformat()}},
    )


def quote(town: Town, rng: Random) -> TaskDraft | None:
    """What the rules say about something, word for word, and the number to call."""
    target = by_quirk(TRADE, market_of(town), rng)
    if target is None:
        return None
    venue, here = target.venue, outing_of(SITE, target.venue)
    topic, words = rng.choice(
        (("dogs", "dogs"), ("allergies", "nuts and allergies"), ("lateness", "arriving late"), ("children", "children"))
    )
    text, other = venue.note(topic), venue.note("cancellation")
    return TaskDraft(
        (*target.goals, SeeVenue(here), SeeVenue(here, "rules")),
        {"site": "Forkline", "place": target.phrase, "topic": words},
        (ExpectedAnswer("quote", "name", text), ExpectedAnswer("phone", "name", venue.phone)),
        shown=(*target.shown, (about(here, topic),), (about(here, "phone"),)),
        near={"another rule": {"quote": other}, "the site's number": {"phone": "1-800-555-0127"}},
    )


def dogs_inside(town: Town, rng: Random) -> TaskDraft | None:
    """Which of two kinds' restaurants in a city allow something that only their rules tell."""
    market, city = market_of(town), rng.choice(CITIES)
    kinds = rng.sample(KINDS, 2)
    venues = market.all(city, lambda venue: venue.kind in kinds)
    allowed = [venue.name for venue in venues if venue.numbers["dogs"] == 2]
    if not 2 <= len(allowed) <= 4:
        return None
    seen = [outing_of(SITE, venue) for venue in venues]
    not_allowed = next(venue.name for venue in venues if venue.name not in allowed)
    return TaskDraft(
        tuple(SeeVenue(each, "rules") for each in seen),
        {"site": "Forkline", "city": city, "one": kinds[0], "two": kinds[1], "what": LISTED["dogs"]},
        (ExpectedAnswer("restaurants", "names", allowed),),
        shown=tuple((about(each, "dogs"),) for each in seen),
        near={"one too many": {"restaurants": [*allowed, not_allowed]}, "one of them": {"restaurants": allowed[:1]}},
    )


def how_far(town: Town, rng: Random) -> TaskDraft | None:
    """Which of a kind is nearest to a landmark, how far that is, and how much further the next is."""
    target = by_distance(TRADE, market_of(town), rng)
    if target is None:
        return None
    market, venue = market_of(town), target.venue
    field = target.shown[0][0].field
    mark = next(mark for mark in market.landmarks(venue.city) if field == f"distance {mark.name}")
    first, second = (market.metres(each, mark) for each in (venue, target.rivals[0]))
    return TaskDraft(
        (SeeMap(SITE, venue.city, venue.kind), *target.goals),
        {"site": "Forkline", "kind": TRADE.noun(venue.kind), "city": venue.city, "mark": mark.name},
        (
            ExpectedAnswer("restaurant", "name", venue.name),
            ExpectedAnswer("difference", "number", second - first),
        ),
        shown=target.shown,
        near={
            "the second": {"restaurant": target.rivals[0].name},
            "the distances together": {"difference": second + first},
        },
    )


def set_menus(town: Town, rng: Random) -> TaskDraft | None:
    """Where three courses cost least, and what that comes to for some, in another money's worth: with the deposit that
    is still to be paid."""
    market, city, kind = market_of(town), rng.choice(CITIES), rng.choice(KINDS)
    venues = market.all(city, lambda venue: venue.kind == kind)
    price = {venue.slug: section(venue, "Set menu")[0].cents for venue in venues}
    order = sorted(venues, key=lambda venue: price[venue.slug])
    if price[order[0].slug] == price[order[1].slug]:
        return None
    count, best = rng.randint(3, 7), order[0]
    seen = [outing_of(SITE, venue) for venue in venues]
    deposit = best.fares[0].cents
    extra = () if not deposit else ((about(outing_of(SITE, best), "fare guests"),),)
    return TaskDraft(
        (*(SeeVenue(each, "sheet") for each in seen), SeeVenue(outing_of(SITE, best))),
        {"site": "Forkline", "city": city, "kinds": f"{TRADE.noun(kind)}s", "count": spelt(count)},
        (
            ExpectedAnswer("restaurant", "name", best.name),
            ExpectedAnswer("due", "money", count * (price[best.slug] - deposit)),
        ),
        shown=(*((about(each, "price Three courses"),) for each in seen), *extra),
        near={
            "the second": {"restaurant": order[1].name, "due": count * price[order[1].slug]},
            "off by one guest": {"due": (count + 1) * (price[best.slug] - deposit)},
        },
    )


def steak_weight(town: Town, rng: Random) -> TaskDraft | None:
    """What 100 grams of a steak cost at the steakhouses of a city, where it is cheapest by weight."""
    market, city = market_of(town), rng.choice(CITIES)
    venues = market.all(city, lambda venue: venue.kind == "Steakhouse")
    cuts = [(venue, line) for venue in venues for line in section(venue, "Mains") if " g" in line.text[:6]]
    by_weight = sorted(cuts, key=lambda cut: cut[1].cents * 100 / int(cut[1].text.split(" g")[0]))
    worth = [cut[1].cents * 100 / int(cut[1].text.split(" g")[0]) for cut in by_weight]
    if worth[1] - worth[0] < 20 or 0.4 < worth[0] % 1 < 0.6:
        return None
    venue, line = by_weight[0]
    seen = [outing_of(SITE, each) for each in venues]
    return TaskDraft(
        tuple(SeeVenue(each, "sheet") for each in seen),
        {"site": "Forkline", "city": city},
        (
            ExpectedAnswer("restaurant", "name", venue.name),
            ExpectedAnswer("cut", "name", line.name),
            ExpectedAnswer("price", "money", round(worth[0])),
        ),
        shown=tuple((about(outing_of(SITE, each), f"price {cut.name}"),) for each, cut in cuts),
        near={
            "the second": {"restaurant": by_weight[1][0].name, "cut": by_weight[1][1].name},
            "the whole price": {"price": line.cents},
        },
    )


TEMPLATES = (
    template(
        "bill", "restaurants", "hard", bill, demands=("described not named", "map and distance", "arithmetic", "prose")
    ),
    template(
        "group-bill",
        "restaurants",
        "medium",
        group_bill,
        demands=("described not named", "prose", "fuzzy size", "arithmetic"),
    ),
    template(
        "per-measure", "restaurants", "easy", per_measure, demands=("per unit", "described not named", "arithmetic")
    ),
    template(
        "need",
        "restaurants",
        "easy",
        vegan_gluten,
        demands=("described not named", "many criteria", "budget and fallback"),
    ),
    template("last-moment", "restaurants", "easy", last_moment, demands=("prose", "arithmetic")),
    template("quote", "restaurants", "medium", quote, demands=("evidence", "prose", "described not named")),
    template("dogs-inside", "restaurants", "hard", dogs_inside, demands=("prose", "many criteria")),
    template("how-far", "restaurants", "hard", how_far, demands=("map and distance", "arithmetic")),
    template("set-menus", "restaurants", "hard", set_menus, demands=("arithmetic", "many criteria")),
    template("by-weight", "restaurants", "medium", steak_weight, demands=("per unit", "arithmetic")),
)
