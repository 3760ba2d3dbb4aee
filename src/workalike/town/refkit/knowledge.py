"""What the encyclopaedia knows: the cities, airlines, chains, brands, employers and people of the town's own world."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

from workalike.town.flightkit.places import BY_NAME, CARRIERS, CITIES
from workalike.town.hotelkit.agency import CHAINS
from workalike.town.hotelkit.houses import COUNTRY
from workalike.town.refkit.pages import WrittenPage
from workalike.town.refkit.people import draw_names
from workalike.town.render import long_date
from workalike.town.shopkit.goods import slugify
from workalike.town.shopkit.kinds import KINDS
from workalike.town.sites.fairlead.world import employers
from workalike.town.world import Chance, World

REACHED = tuple(sorted(name for name in COUNTRY if name.casefold() in BY_NAME))
"""The cities that have both an airport and hotels."""
BRANDS = tuple(sorted({brand for kind in KINDS for brand in kind.brands}))
_OWNERS = (
    "Hawthorne Holdings", "Quayle Brothers", "The Lindgren Family Trust", "Oakhurst Partners", "Bramwell & Cousins",
    "The Castlemaine Fund",
)  # fmt: skip
_RIVERS = ("Aldbourne", "Brenta", "Cald", "Dorne", "Eske", "Fallow", "Gosse", "Harrow", "Isker", "Leven", "Merle")
_KNOWN = (
    "its covered markets",
    "glass blowing",
    "a carnival in February",
    "its tram",
    "clockmaking",
    "a botanical garden",
)
_TRADES = ("engineer", "seamstress", "pilot", "cook", "bookbinder", "carpenter", "chemist", "innkeeper", "teacher")


@lru_cache(maxsize=4)
def articles(world: World) -> tuple[WrittenPage, ...]:
    """Every article, by kind."""
    rng = world.rng("commonplace")
    makers = [*BRANDS, *(each.name for each in CARRIERS.values()), *(each.title for each in CHAINS)]
    founders = dict(zip(makers, draw_names(rng, len(makers), "makers"), strict=True))
    made = [_city(name, rng) for name in REACHED]
    made += [_brand(name, founders[name], rng) for name in BRANDS]
    made += [_airline(code, founders, rng) for code in CARRIERS]
    made += [_chain(each.title, founders[each.title], rng) for each in CHAINS]
    known = {each.told()["founder"]: each.title for each in made if "founder" in each.told()}
    for employer in employers(world):
        made.append(_employer(employer.name, employer.founder, employer.founded, employer.metro, employer.field, rng))
        known.setdefault(employer.founder, employer.name)
    years = {each.told()["founder"]: int(each.told()["founded"]) for each in made if "founder" in each.told()}
    made += [_person(name, known[name], years[name], rng) for name in sorted(known)]
    made += [_group(name, made) for name in owners(world)]
    return tuple(made)


def owners(world: World) -> tuple[str, ...]:
    """The three that all brands belong to."""
    return world.share(_OWNERS)


def of_kind(world: World, kind: str) -> list[WrittenPage]:
    return [each for each in articles(world) if each.kind == kind]


def _city(name: str, rng: Chance) -> WrittenPage:
    people, year, height = (
        rng.randint(180, 3900) * 1000 + rng.randint(0, 999),
        rng.randint(780, 1690),
        rng.randint(3, 610),
    )
    river, tax = rng.choice(_RIVERS), rng.choice((2.5, 3.0, 3.5, 4.0, 4.5, 5.0))
    lead = f"{name} is a city in {COUNTRY[name]} on the river [[river|{river}]], known for {rng.choice(_KNOWN)}."
    body = (
        f"It was first mentioned in [[first mentioned|{year}]]. The old town lies [[elevation|{height}]] metres above"
        " the sea.",
        f"Whoever works in {name} pays a city wage tax of [[wage tax|{tax:g}]] percent. Its trams run until"
        f" [[last tram|{rng.choice(('11:40 PM', '12:10 AM', '12:50 AM', '1:20 AM'))}]].",
        f"The last census counted [[population|{people:,}]] people.",
    )
    airport = BY_NAME[name.casefold()].code
    box = (("Country", COUNTRY[name], ""), ("Airport", airport, ""), ("Population", f"{people:,}", ""))
    return WrittenPage(slugify(name), name, "City", lead, body, box, tone=rng.randint(0, 5))


def _brand(name: str, founder: str, rng: Chance) -> WrittenPage:
    year, place, group = rng.randint(1871, 2012), rng.choice(REACHED), rng.choice(rng.share(_OWNERS))
    kinds = [kind.title.lower() for kind in KINDS if name in kind.brands]
    lead = f"{name} is a maker of {' and '.join(kinds[:3])}."
    body = (
        f"The firm goes back to a workshop in [[place of origin|{place}]], where [[founder|{founder}]] began with"
        f" [[first staff|{rng.randint(2, 14)}]] people in [[founded|{year}]].",
        f"Since {rng.randint(max(year + 4, 1950), 2024)} it has belonged to [[owner|{group}]].",
        f"Its motto is “[[motto|{_motto(rng)}]]”.",
    )
    box = (
        ("Industry", kinds[0].capitalize(), ""),
        ("Founder", founder, slugify(founder)),
        ("Owner", group, slugify(group)),
    )
    return WrittenPage(slugify(name), name, "Brand", lead, body, box, tone=rng.randint(0, 5))


def _airline(code: str, founders: dict[str, str], rng: Chance) -> WrittenPage:
    carrier = CARRIERS[code]
    year, home = rng.randint(1931, 1994), CITIES[carrier.hubs[0]].name
    founder, fleet, born = founders[carrier.name], rng.randint(48, 310), rng.choice(REACHED)
    lead = f"{carrier.name} is an airline with the code {code}."
    body = (
        f"[[founder|{founder}]] started it in [[founded|{year}]] with two planes and a mail contract. The first flight"
        f" went from [[first flight from|{born}]] to {home}.",
        f"Today it flies [[fleet|{fleet}]] planes and meets its passengers at {len(carrier.hubs)} hubs, the largest of"
        f" them in [[largest hub|{home}]].",
    )
    box = (("Code", code, ""), ("Founder", founder, slugify(founder)), ("Fleet", str(fleet), ""))
    return WrittenPage(slugify(carrier.name), carrier.name, "Airline", lead, body, box, tone=rng.randint(0, 5))


def _chain(title: str, founder: str, rng: Chance) -> WrittenPage:
    year, first = rng.randint(1888, 1998), rng.choice(REACHED)
    lead = f"{title} is a chain of hotels."
    body = (
        f"[[founder|{founder}]] opened the first house in [[first house|{first}]] in [[founded|{year}]]; it had"
        f" [[first rooms|{rng.randint(9, 64)}]] rooms and one bathroom.",
        f"The chain is known for [[known for|{rng.choice(('its breakfast', 'quiet courtyards', 'tall beds'))}]].",
    )
    box = (("Industry", "Hotels", ""), ("Founder", founder, slugify(founder)))
    return WrittenPage(slugify(title), title, "Hotel chain", lead, body, box, tone=rng.randint(0, 5))


def _employer(name: str, founder: str, year: int, metro: str, field: str, rng: Chance) -> WrittenPage:
    lead = f"{name} is an employer in {field.lower()} with its head office in [[head office|{metro}]]."
    body = (
        f"It was started by [[founder|{founder}]] in [[founded|{year}]].",
        f"In its first year it had [[first staff|{rng.randint(2, 30)}]] people and one telephone.",
    )
    box = (("Field", field, ""), ("Founder", founder, slugify(founder)))
    return WrittenPage(slugify(name), name, "Employer", lead, body, box, tone=rng.randint(0, 5))


def _person(name: str, known: str, founded: int, rng: Chance) -> WrittenPage:
    born = date(founded - rng.randint(21, 54), 1, 1) + timedelta(rng.randint(0, 364))
    place, trade = rng.choice(REACHED), rng.choice(_TRADES)
    lead = f"{name} was a trained {trade} and the founder of {known}."
    body = (
        f"Born in [[birthplace|{place}]] on [[born|{long_date(born).partition(', ')[2]}]], the"
        f" [[rank|{rng.choice(('second', 'third', 'fourth', 'fifth'))}]] child of the family, and apprenticed at"
        f" [[apprenticed at|{rng.randint(12, 17)}]].",
        f"After the founding of {known} came [[patents|{rng.randint(1, 23)}]] patents and one failed opera.",
    )
    box = (("Occupation", trade.capitalize(), ""), ("Known for", known, slugify(known)))
    return WrittenPage(slugify(name), name, "Person", lead, body, box, tone=rng.randint(0, 5))


def _group(name: str, made: list[WrittenPage]) -> WrittenPage:
    owned = sorted(each.title for each in made if each.told().get("owner") == name)
    lead = f"{name} owns [[brands|{len(owned)}]] brands."
    body = (f"In order of the alphabet these are {', '.join(owned[:-1])} and {owned[-1]}.",)
    return WrittenPage(slugify(name), name, "Owner", lead, body, (("Brands", str(len(owned)), ""),))


def _motto(rng: Chance) -> str:
    one = rng.choice(("Made slowly", "Built to be mended", "Nothing too much", "Plain and proper", "Use it daily"))
    return f"{one} {rng.choice(('since the first day', 'for every kitchen', 'in all weathers', 'without a fuss'))}"
