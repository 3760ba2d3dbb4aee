"""What tasks about homes are drawn from, and how wishes are put into words."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from random import Random

from workalike.core.key import FactPattern
from workalike.town.kit.make import templates_from
from workalike.town.sites.hearthline.goals import SITE, HomePlace, SeeSearch
from workalike.town.sites.hearthline.listing import HomeQuery, read_query, run_query
from workalike.town.sites.hearthline.world import TALES, TOWNS
from workalike.town.town import Town

template = templates_from(Path(__file__).parent / "voices.json", "home")
C = "real-estate"
Wishes = tuple[tuple[str, str], ...]
KINDS = {"House": "a house", "Townhouse": "a townhouse", "Condo": "a condo", "Land": "a piece of land"}
WORDS = {
    "beds": "at least {} bedrooms", "baths": "{} or more bathrooms", "garage": "room for {} cars under a roof",
    "built": "built in {} or later", "sqft": "no smaller than {} square feet", "age": "listed within the last {} days",
}  # fmt: skip
FEATURE_WORDS = {
    "Central air": "air conditioning for the whole place", "Fireplace": "a fireplace", "Swimming pool": "a pool",
    "In-unit laundry": "its own washer and dryer", "Basement": "a basement", "Solar panels": "panels on the roof",
    "Fenced yard": "a fence around the yard",
}  # fmt: skip
LOT_WORDS = {"0.25": "a lot of a quarter acre or more", "0.5": "half an acre of land or more", "1": "an acre or more"}
HOA_WORDS = {"0": "no HOA fee", "100": "an HOA fee of $100 a month at most", "250": "HOA dues of up to $250 a month"}


def draw_wishes(rng: Random, deal: str = "sale", kinds: Sequence[str] = ("House", "Townhouse", "Condo")) -> Wishes:
    """A town, a kind and two to four things besides."""
    kind = rng.choice(list(kinds))
    more: list[tuple[str, str]] = [
        ("beds", rng.choice("234" if kind != "Condo" else "12")),
        ("baths", rng.choice("12")),
        ("garage", rng.choice("12")),
        ("feature", rng.choice(list(FEATURE_WORDS))),
    ]
    more += [("built", rng.choice(("1960", "1990")))] if rng.random() < 0.4 else []
    more += [("lot", rng.choice(("0.25", "0.5")))] if kind == "House" and rng.random() < 0.4 else []
    more += [("hoa", rng.choice(("0", "100", "250")))] if deal == "sale" and rng.random() < 0.4 else []
    chosen = rng.sample(more, rng.randint(2, min(4, len(more))))
    return (("deal", deal), ("town", rng.choice(list(TOWNS))), ("kind", kind), *sorted(chosen))


def told(wishes: Wishes) -> dict[str, str]:
    """Wishes in words: the kind of home, the town, and the rest of them."""
    said = []
    for name, value in wishes:
        if name in WORDS:
            said.append(WORDS[name].format(value))
        elif name == "feature":
            said.append(FEATURE_WORDS[value])
        elif name == "lot":
            said.append(LOT_WORDS[value])
        elif name == "hoa":
            said.append(HOA_WORDS[value])
        elif name == "pets":
            said.append(f"that takes {value}")
        elif name == "max":
            said.append(f"for no more than ${int(value):,}")
    given = dict(wishes)
    kind = KINDS[given["kind"]] if "kind" in given else "a home"
    wished = ", ".join(said[:-1]) + (f" and {said[-1]}" if len(said) > 1 else said[0] if said else "")
    return {"kind": kind, "bare": kind.split(" ", 1)[1], "town": given.get("town", ""), "wishes": wished}


def found(town: Town, wishes: Wishes, active: bool = True) -> list[sqlite3.Row]:
    """The homes that fit, cheapest first; those under offer are nobody's choice."""
    ask = HomeQuery(read_query(wishes).given, "low")
    rows = run_query(town.facts[SITE], ask, town.world.today).every
    return [row for row in rows if row["status"] == "Active" or not active]


def place(row: sqlite3.Row) -> HomePlace:
    return HomePlace(row["slug"], row["address"], row["town"])


def search(wishes: Wishes, sort: str = "new") -> SeeSearch:
    return SeeSearch(wishes, sort)


def about(row: sqlite3.Row, field: str, value: str | None = None, **context: str) -> FactPattern:
    return FactPattern(SITE, row["slug"], field, context, value)


def tale_words(row: sqlite3.Row) -> str:
    """What the description tells about a home, as somebody would ask for it."""
    return TALES[row["tale"]][1].format(year=row["tale_year"])


def described(town: Town, rng: Random, where: str = "1") -> tuple[sqlite3.Row, dict[str, str]] | None:
    """A home that its town, kind, bedrooms and description tell apart from all others."""
    rows = town.facts[SITE].execute(f"SELECT * FROM home WHERE kind != 'Land' AND {where} ORDER BY id").fetchall()
    row = rng.choice(rows)
    same = ("town", "deal", "kind", "beds", "tale", "tale_year")
    if sum(all(each[name] == row[name] for name in same) for each in rows) > 1:
        return None
    every = town.facts[SITE].execute("SELECT * FROM home WHERE kind != 'Land'").fetchall()
    if sum(all(each[name] == row[name] for name in same) for each in every) > 1:
        return None
    deal = {"sale": "for sale", "rent": "to rent"}[row["deal"]]
    kind = KINDS[row["kind"]].split(" ", 1)[1]
    said = f"the {row['beds']}-bedroom {kind} {deal} in {row['town']} with {tale_words(row)}"
    return row, {"home": said, "town": row["town"]}


def agent_of(town: Town, row: sqlite3.Row) -> sqlite3.Row:
    return town.facts[SITE].execute("SELECT * FROM agent WHERE id = ?", (row["agent"],)).fetchone()  # type: ignore[no-any-return]
