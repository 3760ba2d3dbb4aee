"""Questions: what a party pays with all fees, when it is cheapest, which piece fits, what lies nearest, what an
evening with parking comes to, what a document says."""

from __future__ import annotations

import sqlite3
from datetime import date
from math import ceil
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.kit.places import yards
from workalike.town.sites.alderbrook.goals import see_garage, see_garages
from workalike.town.sites.encore.draws import (
    C,
    about,
    choices,
    draw_ages,
    events,
    people,
    section_with,
    showing,
    shows,
    slots,
    template,
    venue,
)
from workalike.town.sites.encore.goals import SITE, Pick, TakeSeats, see_city, see_event, see_show, see_venue
from workalike.town.sites.encore.seats import DELIVERY, PLANS, bill, price, reduced
from workalike.town.sites.encore.world import BAGS, CITIES
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def party_total(town: Town, rng: Random) -> TaskDraft | None:
    """What a party of several ages pays in a section, with every fee."""
    event = rng.choice(events(town))
    dates = shows(town, event, "status = 'sale'")
    if not dates:
        return None
    show, count, way = rng.choice(dates), rng.randint(2, 4), rng.choice(tuple(DELIVERY))
    part, ages = section_with(town, rng, show, count), draw_ages(rng, event, count)
    if part is None or sum(each["day"] == show["day"] for each in dates) > 1:
        return None
    seats, each = choices(town, show, part, count), price(show, part)
    found = bill(event, show, each, ages, way)
    goal = TakeSeats((Pick(showing(event, show), seats[:1]),), ages, way, False, quote=True)
    context = {"section": part.code, "ages": ",".join(ages), "delivery": way}
    near = {"before fees": found.tickets, "without reductions": bill(event, show, each, ["adult"] * count, way).total}
    told = slots(town, event, show) | {
        "people": people(ages, event),
        "section": part.name,
        "way": DELIVERY[way].lower(),
    }
    return TaskDraft(
        (see_event(event["name"], event["slug"]), goal),
        told,
        (ExpectedAnswer("total", "money", found.total),),
        shown=((FactPattern(SITE, show["code"], "total", context),),),
        near={label: {"total": cents} for label, cents in near.items() if cents != found.total},
    )


def cheapest_date(town: Town, rng: Random) -> TaskDraft | None:
    """On which of some dates a section costs least, and how much."""
    event = rng.choice(events(town))
    dates = shows(town, event, "status = 'sale'")
    city = rng.choice(sorted({show["city"] for show in dates})) if dates else ""
    dates = [show for show in dates if show["city"] == city][:5]
    if len(dates) < 4 or len({show["day"] for show in dates}) < len(dates):
        return None
    part = rng.choice(PLANS[dates[0]["kind"]][:-1])
    ranked = sorted(dates, key=lambda show: price(show, part))
    if price(ranked[0], part) == price(ranked[1], part):
        return None
    last = date.fromisoformat(dates[-1]["day"])
    told = slots(town, event, dates[0]) | {"section": part.name, "last": f"{last:%B} {last.day}"}
    prices = tuple((about(show["code"], "price", section=part.code),) for show in dates)
    low, second = ranked[:2]
    near = {"the second cheapest": {"date": second["day"], "price": price(second, part)}}
    near |= {"the right price, another date": {"date": second["day"]}}
    return TaskDraft(
        tuple(see_show(showing(event, show)) for show in dates),
        told,
        (ExpectedAnswer("date", "date", low["day"]), ExpectedAnswer("price", "money", price(low, part))),
        shown=prices,
        near=near,
    )


def prose_pick(town: Town, rng: Random) -> TaskDraft | None:
    """The one piece of a kind in a city that suits somebody, by what its description says."""
    city, genre = rng.choice(CITIES), rng.choice(("Theatre", "Dance", "Music", "Comedy", "Family"))
    there = [event for event in events(town, f"genre = '{genre}'") if shows(town, event, f"city = '{city}'")]
    effect, words = rng.choice((("none", "no flashing lights and no bangs"), ("interval", "a break in the middle")))
    age, most = rng.choice((6, 13, 17)), rng.choice((80, 100, 120, 150, 999))
    fitting = [
        event for event in there if _suits(event, effect) and event["min_age"] <= age and event["minutes"] <= most
    ]
    hardly = [event for event in there if _suits(event, effect) and 0 < event["minutes"] - most <= 25]
    if not 4 <= len(there) <= 6 or len(fitting) != 1 or hardly:
        return None
    right = fitting[0]
    first = shows(town, right, f"city = '{city}' AND status = 'sale'")
    if not first:
        return None
    fields = ("effect" if effect == "none" else "interval", "age", "minutes")
    long = f" and is not much longer than {most} minutes" if most < 999 else ""
    told = {"city": city, "genre": genre.lower(), "age": str(age), "words": words, "long": long}
    others = [event for event in there if event is not right]
    return TaskDraft(
        tuple(see_event(event["name"], event["slug"]) for event in there),
        told,
        (ExpectedAnswer("show", "name", right["name"]), ExpectedAnswer("first date", "date", first[0]["day"])),
        shown=(
            *((about(right["slug"], field),) for field in fields),
            (about(first[0]["code"], "status"),),
            *(tuple(about(event["slug"], field) for field in fields) for event in others),
        ),
        near={f"{event['name']} instead": {"show": event["name"]} for event in others[:3]}
        | ({"a later date": {"first date": first[-1]["day"]}} if len(first) > 1 else {}),
    )


def _suits(event: sqlite3.Row, effect: str) -> bool:
    return bool(event["interval"]) if effect == "interval" else event["effect"] == "none"


def pack_or_single(town: Town, rng: Random) -> TaskDraft | None:
    """Whether the family pack is cheaper a head than four tickets, and by how much."""
    from workalike.town.sites.encore.browse import pack_of

    event = rng.choice(events(town, "pack > 0 AND child_off > 0"))
    dates = shows(town, event, "status = 'sale'")
    if not dates:
        return None
    show, pack = rng.choice(dates), pack_of(event, shows(town, event))
    assert pack is not None
    part, cents = pack
    seats, ages = choices(town, show, part, 4), ("adult", "adult", "child", "child")
    if not seats or sum(each["day"] == show["day"] for each in dates) > 1:
        return None
    found = bill(event, show, price(show, part), ages, "mobile").total
    gap = abs(found - cents)
    if gap < 400 or gap % 4 == 2:
        return None
    quote = TakeSeats((Pick(showing(event, show), seats[:1]),), ages, quote=True)
    context = {"section": part.code, "ages": ",".join(ages), "delivery": "mobile"}
    cheaper = "pack" if cents < found else "tickets"
    near: dict[str, dict[str, object]] = {"for all four": {"saving": gap}}
    near |= {"the other way": {"cheaper": "tickets" if cheaper == "pack" else "pack"}}
    return TaskDraft(
        (see_event(event["name"], event["slug"]), see_show(showing(event, show)), quote),
        slots(town, event, show) | {"child": str(event["child_to"] - 1), "section": part.name},
        (ExpectedAnswer("cheaper", "name", _SPELLED[cheaper]), ExpectedAnswer("saving", "money", round(gap / 4))),
        shown=((about(event["slug"], "pack"),), (FactPattern(SITE, show["code"], "total", context),)),
        near=near,
    )


_SPELLED = {"pack": "pack|family pack", "tickets": "tickets|single tickets|four tickets|four single tickets"}


def nearest_house(town: Town, rng: Random) -> TaskDraft | None:
    """Of the houses of a city the one nearest to the station; what is on there on a day."""
    city = rng.choice(CITIES)
    houses = town.facts[SITE].execute("SELECT * FROM venue WHERE city = ? ORDER BY id", (city,)).fetchall()
    near_first = sorted(houses, key=yards)
    nearest = near_first[0]
    if yards(nearest) == yards(near_first[1]):
        return None
    on = (
        town.facts[SITE]
        .execute(
            "SELECT show.*, event.name FROM show JOIN event ON event.id = show.event"
            " WHERE venue = ? AND day <= date(?, '+60 days') ORDER BY day",
            (nearest["id"], town.world.today.isoformat()),
        )
        .fetchall()
    )
    days = [row["day"] for row in on]
    alone = [row for row in on if days.count(row["day"]) == 1]
    if not alone:
        return None
    row = rng.choice(alone)
    event = events(town, f"id = {row['event']}")[0]
    shown_there = showing(event, shows(town, event, f"code = '{row['code']}'")[0])
    status = {"sale": True}.get(row["status"], False)
    others = [each["name"] for each in events(town, f"genre = '{event['genre']}' AND id != {event['id']}")][:2]
    distances = tuple((about(house["slug"], "distance"),) for house in houses)
    day = date.fromisoformat(row["day"])
    return TaskDraft(
        (see_city(shown_there, nearest["slug"]), see_venue(shown_there, nearest["slug"]), see_show(shown_there)),
        {"city": city, "day": f"{day:%A}, {day:%B} {day.day}", "date": f"{day:%B} {day.day}, {day.year}"},
        (
            ExpectedAnswer("venue", "name", nearest["name"]),
            ExpectedAnswer("show", "name", event["name"]),
            ExpectedAnswer("available", "yes_no", status),
        ),
        shown=(*distances, (about(row["code"], "status"),)),
        near={f"{name} instead": {"show": name} for name in others} | {"next": {"venue": near_first[1]["name"]}},
    )


def evidence(town: Town, rng: Random) -> TaskDraft | None:
    """The code of a special performance, and the house's own words about bags."""
    event = rng.choice(events(town))
    noted = shows(town, event, "note != ''")
    if not noted:
        return None
    show = rng.choice(noted)
    if sum(each["note"] == show["note"] for each in shows(town, event)) > 1:
        return None
    from workalike.town.sites.encore.tasks_taking import NOTED

    house = venue(town, show)
    quote, others = BAGS[house["bag"]], [text for text in BAGS.values() if text != BAGS[house["bag"]]]
    return TaskDraft(
        (see_show(showing(event, show)), see_venue(showing(event, show), house["slug"])),
        slots(town, event, show) | {"note": NOTED[show["note"]]},
        (ExpectedAnswer("event code", "name", show["code"]), ExpectedAnswer("quote", "name", quote)),
        shown=((about(show["code"], "code"),), (about(house["slug"], "bag"),)),
        near={"another house's rule": {"quote": others[0]}, "half of it": {"quote": " ".join(quote.split()[:4])}},
    )


def evening_out(town: Town, rng: Random) -> TaskDraft | None:
    """Tickets and the cheapest garage within a walk of the house: what the evening comes to."""
    near = "city = 'Alderbrook' AND status = 'sale' AND time > '17:00'"
    having = [event for event in events(town) if shows(town, event, near)]
    if not having:
        return None
    event = rng.choice(having)
    show, count = rng.choice(shows(town, event, near)), rng.randint(2, 3)
    part, house = section_with(town, rng, show, count), venue(town, show)
    if part is None:
        return None
    walk = rng.choice((500, 600, 800, 900, 1000, 1200))
    garages = town.facts["alderbrook"].execute("SELECT * FROM garage ORDER BY name").fetchall()
    reach = [row for row in garages if yards(row, house["x"], house["y"]) <= walk and row["evening"]]
    if not 2 <= len(reach) <= 3:
        return None
    ranked = sorted(reach, key=lambda row: row["evening"])
    best, second = ranked[:2]
    if best["evening"] == second["evening"]:
        return None
    each = price(show, part)
    total = each * count + best["evening"]
    facts = tuple((FactPattern("alderbrook", row["slug"], "walk", {"hall": house["slug"]}),) for row in reach)
    facts += tuple((FactPattern("alderbrook", row["slug"], "evening"),) for row in reach)
    told = slots(town, event, show) | {"count": str(count), "section": part.name, "walk": str(walk)}
    told |= {"meters": str(ceil(walk * 0.9144))}
    goals = (
        see_show(showing(event, show)),
        see_venue(showing(event, show), house["slug"]),
        see_garages(),
        *(see_garage(row["name"], row["slug"]) for row in reach),
    )
    return TaskDraft(
        goals,
        told,
        (ExpectedAnswer("garage", "name", f"{best['name']}|{best['name'].removesuffix(' Garage')}"),
         ExpectedAnswer("total", "money", total)),
        shown=((about(show["code"], "price", section=part.code),), *facts),
        near={
            "the other garage": {"garage": second["name"], "total": each * count + second["evening"]},
            "tickets only": {"total": each * count},
            "one ticket": {"total": each + best["evening"]},
        },
    )  # fmt: skip


def per_minute(town: Town, rng: Random) -> TaskDraft | None:
    """Which of two pieces gives more minutes for the money, an adult in the dearest section."""
    genre = rng.choice(("Theatre", "Dance", "Music"))
    pool = [event for event in events(town, f"genre = '{genre}'") if shows(town, event, "status = 'sale'")]
    one, two = rng.sample(pool, 2)
    firsts = [shows(town, event, "status = 'sale'")[0] for event in (one, two)]
    costs = []
    for event, show in zip((one, two), firsts, strict=True):
        part = max(PLANS[show["kind"]], key=lambda each: each.factor)
        costs.append((reduced(event, price(show, part), "adult") / event["minutes"], event, show, part))
    costs.sort(key=lambda cost: cost[0])
    if costs[1][0] - costs[0][0] < 4:
        return None
    cheap, dear = costs[0], costs[1]
    cents = round(cheap[0])
    if abs(cheap[0] - cents) > 0.35:
        return None
    facts = [(about(event["slug"], "minutes"),) for _, event, _, _ in costs]
    facts += [(about(show["code"], "price", section=part.code),) for _, _, show, part in costs]
    return TaskDraft(
        tuple(see_show(showing(event, show)) for _, event, show, _ in costs)
        + tuple(see_event(event["name"], event["slug"]) for _, event, _, _ in costs),
        {"one": one["hint"], "two": two["hint"], "genre": genre.lower()},
        (
            ExpectedAnswer("show", "name", cheap[1]["name"]),
            ExpectedAnswer("price per minute", "money", cents),
        ),
        shown=tuple(facts),
        near={"the other": {"show": dear[1]["name"]}, "the other's price": {"price per minute": round(dear[0])}},
    )


TEMPLATES = (
    template("party-total", C, "medium", party_total, demands=("arithmetic", "described not named", "prose")),
    template("cheapest-date", C, "hard", cheapest_date, demands=("many criteria", "described not named")),
    template("prose-pick", C, "hard", prose_pick, demands=("prose", "many criteria", "fuzzy size")),
    template("pack-or-single", C, "medium", pack_or_single, demands=("per unit", "arithmetic", "described not named")),
    template("nearest-house", C, "medium", nearest_house, demands=("map and distance", "described not named")),
    template("evidence", C, "medium", evidence, demands=("evidence", "prose", "described not named")),
    template("evening-out", C, "hard", evening_out, demands=("chain over sites", "map and distance", "arithmetic")),
    template("per-minute", C, "hard", per_minute, demands=("per unit", "arithmetic", "described not named")),
)
