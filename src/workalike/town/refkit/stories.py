"""What the paper has printed: tests of goods, airlines, exhibitions, recalls, rankings, interviews, all dated."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

from workalike.town.flightkit.places import CARRIERS
from workalike.town.refkit.knowledge import REACHED
from workalike.town.refkit.pages import WrittenPage
from workalike.town.refkit.people import draw_names
from workalike.town.shopkit.goods import Good, goods, slugify
from workalike.town.shopkit.kinds import KINDS, Kind
from workalike.town.world import Chance, World

MUSEUMS = (
    "Maritime Museum", "Gallery of Modern Craft", "Museum of Maps", "Textile Museum", "House of Clocks", "Glass Museum",
    "Railway Hall", "Old Observatory", "Porcelain Rooms", "Print Cabinet",
)  # fmt: skip
SHOWS = (
    "Salt and Sails", "A Thread of Blue", "The Quiet Machines", "Paper Cities", "Seven Winters", "Borrowed Light",
    "Under the Stairs", "Hands at Work", "The Long Table", "Rust and Roses", "Small Kingdoms", "After the Rain",
)  # fmt: skip
EVENTS = (
    "a total lunar eclipse", "the harbour regatta", "a night of falling stars", "the lantern parade",
    "the kite festival", "a partial solar eclipse", "the river swim", "the night of open studios",
)  # fmt: skip
BACK = 380


@lru_cache(maxsize=4)
def stories(world: World) -> tuple[WrittenPage, ...]:
    rng = world.rng("tidings")
    names = draw_names(rng, 60, "press")
    made_by = sorted({each.brand for each in goods(world)})
    made = [_test(world, kind, names[place % 60], rng) for place, kind in enumerate(KINDS)]
    made += [_airline(world, code, year, names[year % 60], rng) for code in CARRIERS for year in range(5)]
    made += _shows(world, names, rng)
    made += [_event(world, what, names[place], rng) for place, what in enumerate(rng.share(EVENTS))]
    made += [_recall(world, brand, names[place % 60], rng) for place, brand in enumerate(rng.sample(made_by, 24))]
    made += [_ranking(world, what, names[place], rng) for place, what in enumerate(RANKED)]
    return tuple(made)


RANKED = {
    "a cup of coffee": (2.1, 6.9),
    "a tram ticket": (1.2, 4.8),
    "a cinema seat": (6.5, 19.0),
    "a haircut": (14.0, 62.0),
    "a loaf of bread": (1.4, 7.5),
    "an hour of parking": (0.8, 9.5),
}
"""What is compared over cities, with its least and most in dollars."""


def story(world: World, slug: str) -> WrittenPage:
    return next(each for each in stories(world) if each.slug == slug)


def of_kind(world: World, kind: str) -> list[WrittenPage]:
    return [each for each in stories(world) if each.kind == kind]


def tested(world: World, kind: Kind) -> list[Good]:
    """What was tested of a kind, the best first."""
    every = [each for each in goods(world) if each.kind == kind.slug]
    return world.rng("tidings", "test", kind.slug).sample(every, 4)


def _test(world: World, kind: Kind, by: str, rng: Chance) -> WrittenPage:
    ranked, what = tested(world, kind), kind.title.lower()
    marks = sorted(rng.sample(range(61, 97), 4), reverse=True)
    lead = f"For two months our kitchen table was full of {what}. Four of them made it into the final round."
    body = (
        f"“We were surprised how far apart they were,” says {by}, who ran the test. The [[last|{ranked[3].name}]] came"
        f" last with {marks[3]} points, the [[third|{ranked[2].name}]] did a little better.",
        f"In the end two were left. The [[runner-up|{ranked[1].name}]] got [[runner-up's points|{marks[1]}]] points"
        f" and lost by a whisker: we recommend the [[winner|{ranked[0].name}]] with [[points|{marks[0]}]] points.",
    )
    title = rng.choice(("Four finalists and one favourite: {0}", "We tried them all: {0}", "The great test: {0}"))
    return WrittenPage(
        f"test-{kind.slug}", title.format(what), "Tests", lead, body, (), _day(world, rng), by, rng.randint(0, 5)
    )


def _airline(world: World, code: str, number: int, by: str, rng: Chance) -> WrittenPage:
    name = CARRIERS[code].name
    share, until, planes = rng.randint(6, 44), world.today.year + rng.randint(2, 9), rng.randint(3, 28)
    who = draw_names(rng, 1, "press")[0]
    city = rng.choice(REACHED)
    title = (
        f"{name} orders new planes", f"{name} on strike talks", f"{name} wants quieter cabins",
        f"{name} eyes {city}", f"Chief of {name} looks ahead",
    )[number]  # fmt: skip
    lead = (
        f"Fewer passengers will want paper tickets, more will want legroom: {who} of {name} has looked at the figures."
    )
    body = (
        f"“By [[predicted year|{until}]] [[predicted share|{share}]] percent of our seats will be sold with a meal,”"
        f" said [[speaker|{who}]], head of planning at {name}.",
        f"The airline adds [[new planes|{planes}]] planes and thinks about a base in [[new base|{city}]].",
    )
    return WrittenPage(
        slugify(f"{title} {number}"), title, "Travel", lead, body, (), _day(world, rng), by, rng.randint(0, 5)
    )


def _shows(world: World, names: list[str], rng: Chance) -> Iterator[WrittenPage]:
    """Exhibitions to come, one in each of many cities."""
    titles = rng.sample([(museum, show) for museum in rng.share(MUSEUMS) for show in rng.share(SHOWS)], 18)
    for place, city in enumerate(rng.sample(REACHED, 18)):
        opens = world.today + timedelta(rng.randint(8, 70))
        closes = opens + timedelta(rng.randint(20, 60))
        museum, show = titles[place]
        price, by = rng.choice((900, 1100, 1400, 1600, 1800)), names[place]
        lead = f"The {museum} in [[city|{city}]] has emptied its cellar for “[[show|{show}]]”."
        body = (
            f"It opens on [[opens|{_long(opens)}]] and can be seen until [[closes|{_long(closes)}]].",
            f"A ticket is [[ticket|${price / 100:.2f}]] for adults; those under [[free under|{rng.choice((6, 8, 12))}]]"
            " pay nothing. Closed on Mondays.",
        )
        title = f"“{show}” at the {museum}"
        slug = slugify(f"{show} {museum} {city}")
        yield WrittenPage(slug, title, "Culture", lead, body, (), _day(world, rng, 40), by, rng.randint(0, 5))


def _event(world: World, what: str, by: str, rng: Chance) -> WrittenPage:
    day = world.today + timedelta(rng.randint(12, 110))
    lead = f"Mark your calendars: {what} is coming."
    body = (f"It can be seen on [[day|{_long(day)}]], shortly after [[hour|{rng.randint(8, 10)}:15 PM]].",)
    slug = slugify(what)
    return WrittenPage(slug, f"When to look up: {what}", "Culture", lead, body, (), _day(world, rng, 30), by)


def _recall(world: World, brand: str, by: str, rng: Chance) -> WrittenPage:
    found = [each for each in goods(world) if each.brand == brand]
    good, until = rng.choice(found), world.today + timedelta(rng.randint(10, 90))
    refund = rng.choice((60, 75, 80, 100))
    lead = f"{brand} takes back one of its products: a seam may come apart."
    body = (
        f"Concerned is the [[recalled|{good.name}]], lot [[lot|{rng.choice('BCDEF')}{rng.randint(100, 999)}]]."
        " Nobody has been hurt.",
        f"Buyers get [[refund|{refund}]] percent of the price back until [[refund until|{_long(until)}]]. Any"
        " post office takes the parcel.",
    )
    slug = slugify(f"{brand} recalls {good.kind}")
    title = f"{brand} recalls a product"
    return WrittenPage(slug, title, "Consumers", lead, body, (), _day(world, rng, 60), by, rng.randint(0, 5))


def _ranking(world: World, what: str, by: str, rng: Chance) -> WrittenPage:
    cities = rng.sample(REACHED, 5)
    low, high = RANKED[what]
    cents = sorted(rng.sample(range(int(low * 20), int(high * 20)), 5))
    rows = [f"[[{place}|{city}]] (${five / 20:.2f})" for place, city, five in zip(_PLACES, cities, cents, strict=True)]
    lead = f"Our correspondents bought {what} in five cities and kept the receipts."
    body = (
        f"The least was asked in {rows[0]}, followed by {rows[1]} and {rows[2]}.",
        f"It gets dear in {rows[3]}, and nobody asks more than {rows[4]}: that makes a difference of"
        f" ${(cents[4] - cents[0]) / 20:.2f}.",
    )
    return WrittenPage(
        slugify(f"price of {what}"), f"What {what} costs", "Consumers", lead, body, (), _day(world, rng, 90), by
    )


_PLACES = ("cheapest", "second cheapest", "third", "second dearest", "dearest")


def _day(world: World, rng: Chance, back: int = BACK) -> str:
    return (world.today - timedelta(rng.randint(1, back))).isoformat()


def _long(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
