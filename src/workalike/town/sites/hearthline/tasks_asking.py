"""Questions: the cheapest, the most for the money, the nearest to school, what was cut, what a year or a first month
costs, who sells it."""

from __future__ import annotations

import sqlite3
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.kit.places import slug_of
from workalike.town.sites.alderbrook.goals import see_parcel, see_tax
from workalike.town.sites.alderbrook.world import TAX
from workalike.town.sites.hearthline.draws import (
    C,
    Wishes,
    about,
    agent_of,
    described,
    draw_wishes,
    found,
    place,
    search,
    tale_words,
    template,
    told,
)
from workalike.town.sites.hearthline.goals import SITE, see_agent, see_home, see_town
from workalike.town.sites.hearthline.listing import ACRE
from workalike.town.sites.hearthline.world import TOWNS, miles
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def _address(row: sqlite3.Row) -> ExpectedAnswer:
    return ExpectedAnswer("address", "name", f"{row['address']}|{row['address']}, {row['town']}")


def cheapest(town: Town, rng: Random) -> TaskDraft | None:
    """The cheapest home that has all of it."""
    wishes = draw_wishes(rng)
    rows = found(town, wishes, active=False)
    if len(rows) < 3 or rows[0]["price"] == rows[1]["price"]:
        return None
    first, second = rows[:2]
    near = {"the second": {"address": second["address"], "price": 100 * second["price"]}}
    near |= {"its price": {"price": 100 * second["price"]}}
    answers = (_address(first), ExpectedAnswer("price", "money", 100 * first["price"]))
    return TaskDraft((search(wishes, "low"),), told(wishes), answers, shown=((about(first, "price"),),), near=near)


def per_foot(town: Town, rng: Random) -> TaskDraft | None:
    """The lowest price a square foot."""
    wishes = draw_wishes(rng)
    rows = found(town, wishes, active=False)
    if not 4 <= len(rows) <= 10:
        return None
    ranked = sorted(rows, key=lambda row: row["price"] / row["sqft"])
    best, second = ranked[:2]
    each = best["price"] / best["sqft"]
    if best is rows[0] or second["price"] / second["sqft"] - each < 3 or abs(each % 1 - 0.5) < 0.1:
        return None
    facts = tuple((about(row, field),) for row in rows for field in ("price", "sqft"))
    near = {"the cheapest": {"address": rows[0]["address"]}, "the second": {"address": second["address"]}}
    answers = (_address(best), ExpectedAnswer("price per square foot", "money", 100 * round(each)))
    return TaskDraft((search(wishes, "low"),), told(wishes), answers, shown=facts, near=near)


def per_acre(town: Town, rng: Random) -> TaskDraft | None:
    """Land: the lowest price an acre."""
    wishes: Wishes = (("deal", "sale"), ("town", rng.choice(list(TOWNS))), ("kind", "Land"))
    size = rng.choice(("0.5", "1", ""))
    wishes = (*wishes, ("lot", size)) if size else wishes
    rows = found(town, wishes, active=False)
    if not 3 <= len(rows) <= 12:
        return None
    ranked = sorted(rows, key=lambda row: row["price"] / row["lot"])
    best, second = ranked[:2]
    acre = best["price"] * ACRE / best["lot"]
    if second["price"] * ACRE / second["lot"] < 1.03 * acre:  # cards round acres
        return None
    facts = tuple((about(row, "price"),) for row in rows)
    near = {"the second": {"address": second["address"]}} | {"the largest": {"address": max(rows, key=_lot)["address"]}}
    near = {label: value for label, value in near.items() if value["address"] != best["address"]}
    words = told(wishes)
    words["size"] = {"0.5": " of at least half an acre", "1": " of at least one acre", "": ""}[size]
    return TaskDraft((search(wishes),), words, (_address(best),), shown=facts, near=near)


def _lot(row: sqlite3.Row) -> int:
    return int(row["lot"])


def nearest_school(town: Town, rng: Random) -> TaskDraft | None:
    """Of the homes that fit the one nearest to a school, and how far that is."""
    wishes = draw_wishes(rng)
    rows, level = found(town, wishes, active=False), rng.choice(("Elementary", "Middle", "High"))
    if not 3 <= len(rows) <= 5:
        return None
    query = "SELECT * FROM school WHERE town = ? AND level = ?"
    school = town.facts[SITE].execute(query, (dict(wishes)["town"], level)).fetchone()
    ranked = sorted(rows, key=lambda row: miles(row, school))
    best, second = ranked[:2]
    if miles(best, school) == miles(second, school):
        return None
    facts = tuple((about(row, "school", school=level),) for row in rows)
    near = {"the second": {"address": second["address"], "distance": miles(second, school)}}
    answers = (_address(best), ExpectedAnswer("distance", "number", miles(best, school)))
    looks = tuple(see_home(place(row)) for row in rows)
    return TaskDraft((search(wishes), *looks), told(wishes) | {"level": level.lower()}, answers, shown=facts, near=near)


def biggest_cut(town: Town, rng: Random) -> TaskDraft | None:
    """Which price came down most since it was listed."""
    wishes = draw_wishes(rng)
    rows = found(town, wishes, active=False)
    if not 3 <= len(rows) <= 5:
        return None
    cuts = {row["slug"]: _cut(town, row) for row in rows}
    ranked = sorted(rows, key=lambda row: -cuts[row["slug"]])
    best, second = ranked[:2]
    if cuts[best["slug"]] == cuts[second["slug"]]:
        return None
    facts = tuple(each for row in rows for each in ((about(row, "history", what="Listed"),), (about(row, "price"),)))
    near = {"the second": {"address": second["address"], "reduction": 100 * cuts[second["slug"]]}}
    answers = (_address(best), ExpectedAnswer("reduction", "money", 100 * cuts[best["slug"]]))
    looks = tuple(see_home(place(row)) for row in rows)
    return TaskDraft((search(wishes), *looks), told(wishes), answers, shown=facts, near=near)


def _cut(town: Town, row: sqlite3.Row) -> int:
    query = "SELECT price FROM change WHERE home = ? AND what = 'Listed'"
    return int(town.facts[SITE].execute(query, (row["id"],)).fetchone()["price"] - row["price"])


def prose_pick(town: Town, rng: Random) -> TaskDraft | None:
    """The one of some homes whose description tells of something, and what it costs with its fees a year."""
    wishes = draw_wishes(rng)
    rows = found(town, wishes, active=False)
    if not 3 <= len(rows) <= 5:
        return None
    row = rng.choice([each for each in rows if each["hoa"]] or rows)
    if not row["hoa"] or sum((each["tale"], each["tale_year"]) == (row["tale"], row["tale_year"]) for each in rows) > 1:
        return None
    others = [each for each in rows if each is not row]
    facts = (
        (about(row, "tale"),),
        (about(row, "hoa"),),
        *((about(each, "tale"), about(row, "tale")) for each in others),
    )
    answers = (_address(row), ExpectedAnswer("fees per year", "money", 1200 * row["hoa"]))
    near: dict[str, dict[str, object]] = {"a month's": {"fees per year": 100 * row["hoa"]}}
    near |= {f"{each['address']} instead": {"address": each["address"]} for each in others[:2]}
    looks = tuple(see_home(place(each)) for each in rows)
    return TaskDraft(
        (search(wishes), *looks), told(wishes) | {"tale": tale_words(row)}, answers, shown=facts, near=near
    )


def move_in(town: Town, rng: Random) -> TaskDraft | None:
    """What is paid before the keys: a month, the deposit, the fee for animals."""
    drawn = described(town, rng, "deal = 'rent' AND pets != 'none'")
    if drawn is None:
        return None
    row, said = drawn
    cats = rng.randint(1, 3)
    total = row["price"] + row["deposit"] + cats * row["pet_fee"]
    near = {
        "without the animals": row["price"] + row["deposit"],
        "without the deposit": row["price"] + cats * row["pet_fee"],
    }
    wishes = (("deal", "rent"), ("town", row["town"]), ("kind", row["kind"]))
    return TaskDraft(
        (search(wishes), see_home(place(row))),
        said | {"pets": ("one cat", "two cats", "three cats")[cats - 1]},
        (ExpectedAnswer("total", "money", 100 * total),),
        shown=((about(row, "price"),), (about(row, "deposit"),), (about(row, "pet fee"),)),
        near={label: {"total": 100 * value} for label, value in near.items()},
    )


def who_sells(town: Town, rng: Random) -> TaskDraft | None:
    """Name, license and telephone of the agent of a home."""
    drawn = described(town, rng)
    if drawn is None:
        return None
    row, said = drawn
    agent = agent_of(town, row)
    other = town.facts[SITE].execute("SELECT * FROM agent WHERE id != ? LIMIT 1", (agent["id"],)).fetchone()
    wishes = (("deal", row["deal"]), ("town", row["town"]), ("kind", row["kind"]))
    return TaskDraft(
        (search(wishes), see_home(place(row)), see_agent(place(row), agent["name"])),
        said,
        (ExpectedAnswer("agent", "name", agent["name"]), ExpectedAnswer("license", "name", agent["license"])),
        shown=((about(row, "agent"),), (FactPattern(SITE, agent["slug"], "license"),), (about(row, "tale"),)),
        near={"another agent": {"agent": other["name"]}, "another license": {"license": other["license"]}},
    )


def yearly_tax(town: Town, rng: Random) -> TaskDraft | None:
    """Of two homes in the city: which costs less a year in tax and fees, by the city's own records."""
    facts = town.facts[SITE]
    rows = facts.execute("SELECT * FROM home WHERE town = 'Alderbrook' AND deal = 'sale' AND kind != 'Land'").fetchall()
    one, two = rng.sample(rows, 2)
    if one["tale"] == two["tale"] or _alike(rows, one) > 1 or _alike(rows, two) > 1:
        return None
    cost = {row["slug"]: TAX * row["assessed"] // 1000 + 1200 * row["hoa"] for row in (one, two)}
    low, high = sorted((one, two), key=lambda row: cost[row["slug"]])
    if cost[high["slug"]] - cost[low["slug"]] < 10_000:
        return None
    city = town.facts["alderbrook"]
    parcels = [city.execute("SELECT * FROM parcel WHERE slug = ?", (row["slug"],)).fetchone() for row in (one, two)]
    goals = (
        *(see_home(place(row)) for row in (one, two)),
        see_tax(),
        *(see_parcel(parcel["number"], parcel["address"]) for parcel in parcels),
    )
    tax = TAX * low["assessed"] // 1000
    shown = [(about(row, "hoa"),) for row in (one, two)]
    shown += [(FactPattern("alderbrook", parcel["number"], "assessed"),) for parcel in parcels]
    near: dict[str, dict[str, object]] = {"the dearer one": {"address": high["address"]}}
    near |= (
        {"the tax alone": {"cost per year": tax}}
        if low["hoa"]
        else {"the other's": {"cost per year": cost[high["slug"]]}}
    )
    return TaskDraft(
        goals,
        {"one": _by_tale(one), "two": _by_tale(two)},
        (_address(low), ExpectedAnswer("cost per year", "money", cost[low["slug"]])),
        shown=(*shown, (FactPattern("alderbrook", "property", "tax"),)),
        near=near,
    )


def _alike(rows: list[sqlite3.Row], row: sqlite3.Row) -> int:
    same = ("kind", "beds", "tale", "tale_year")
    return sum(all(each[name] == row[name] for name in same) for each in rows)


def _by_tale(row: sqlite3.Row) -> str:
    return f"the {row['beds']}-bedroom {row['kind'].lower()} with {tale_words(row)}"


def best_schools(town: Town, rng: Random) -> TaskDraft | None:
    """The town whose schools are rated best on the whole; the cheapest that fits there."""
    facts = town.facts[SITE]
    sums = {
        name: facts.execute("SELECT sum(rating) FROM school WHERE town = ?", (name,)).fetchone()[0] for name in TOWNS
    }
    some = rng.sample(list(TOWNS), 3)
    ranked = sorted(some, key=lambda name: -sums[name])
    if sums[ranked[0]] == sums[ranked[1]]:
        return None
    wishes = draw_wishes(rng)
    there = tuple((name, ranked[0] if name == "town" else value) for name, value in wishes)
    rows = found(town, there, active=False)
    if len(rows) < 2 or rows[0]["price"] == rows[1]["price"]:
        return None
    looks = []
    for name in some:
        row = facts.execute("SELECT * FROM home WHERE town = ? ORDER BY id LIMIT 1", (name,)).fetchone()
        looks.append(see_town(place(row)))
    levels = ("Elementary", "Middle", "High")
    shown = [(FactPattern(SITE, slug_of(name), "rating", {"school": level}),) for name in some for level in levels]
    near = {"another town": {"town": ranked[1]}, "the second": {"address": rows[1]["address"]}}
    words = told(wishes) | {"towns": ", ".join(some[:2]) + f" and {some[2]}"}
    return TaskDraft(
        (*looks, search(there, "low")),
        words,
        (ExpectedAnswer("town", "name", ranked[0]), _address(rows[0])),
        shown=(*shown, (about(rows[0], "price"),)),
        near=near,
    )


def family_sized(town: Town, rng: Random) -> TaskDraft | None:
    """The newest listing that is about so large, in metres."""
    wishes = draw_wishes(rng, kinds=("House", "Townhouse"))
    metres = rng.choice((120, 140, 150, 170, 180))
    rows = found(town, wishes, active=False)
    inside = [row for row in rows if abs(row["sqft"] * 0.092903 - metres) <= 10]
    clear = all(not 8.5 < abs(row["sqft"] * 0.092903 - metres) < 11.5 for row in rows)
    if len(inside) != 1 or len(rows) < 3 or not clear:
        return None
    row = inside[0]
    others = [each for each in rows if each is not row]
    facts = tuple((about(each, "sqft"),) for each in rows)
    near: dict[str, dict[str, object]] = {each["address"]: {"address": each["address"]} for each in others[:2]}
    near |= {"another year": {"year built": row["year"] - 1}}
    answers = (_address(row), ExpectedAnswer("year built", "number", row["year"]))
    words = told(wishes) | {"metres": str(metres)}
    return TaskDraft(
        (search(wishes), see_home(place(row))), words, answers, shown=(*facts, (about(row, "year"),)), near=near
    )


TEMPLATES = (
    template("cheapest", C, "easy", cheapest, demands=("many criteria", "described not named")),
    template("per-foot", C, "medium", per_foot, demands=("per unit", "many criteria", "arithmetic")),
    template("per-acre", C, "medium", per_acre, demands=("per unit", "arithmetic")),
    template("nearest-school", C, "hard", nearest_school, demands=("map and distance", "many criteria")),
    template("biggest-cut", C, "hard", biggest_cut, demands=("arithmetic", "many criteria")),
    template("prose-pick", C, "hard", prose_pick, demands=("prose", "described not named", "arithmetic")),
    template("move-in", C, "medium", move_in, demands=("arithmetic", "prose", "described not named")),
    template("who-sells", C, "medium", who_sells, demands=("evidence", "described not named", "prose")),
    template("yearly-tax", C, "hard", yearly_tax, demands=("chain over sites", "arithmetic", "described not named")),
    template("best-schools", C, "hard", best_schools, demands=("many criteria", "arithmetic")),
    template("family-sized", C, "medium", family_sized, demands=("fuzzy size", "per unit", "many criteria")),
)
