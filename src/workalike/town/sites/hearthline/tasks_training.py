"""Tasks of the train split: other templates than those of the test split, on another skin."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.persona import draw_persona
from workalike.town.sites.hearthline.draws import C, about, agent_of, place, template
from workalike.town.sites.hearthline.goals import SITE, AskTour, KeepHome, see_agent, see_home
from workalike.town.sites.hearthline.pages import DAYS, TIMES
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def _home(town: Town, rng: Random, where: str = "kind != 'Land'") -> tuple[sqlite3.Row, dict[str, str]]:
    row = rng.choice(town.facts[SITE].execute(f"SELECT * FROM home WHERE {where} ORDER BY id").fetchall())
    return row, {"address": f"{row['address']}, {row['town']}"}


def asking_price(town: Town, rng: Random) -> TaskDraft | None:
    row, said = _home(town, rng)
    return TaskDraft(
        (see_home(place(row)),),
        said,
        (ExpectedAnswer("price", "money", 100 * row["price"]),),
        shown=((about(row, "price"),),),
        near={"off by some": {"price": 100 * row["price"] + 50_000}},
    )


def built_in(town: Town, rng: Random) -> TaskDraft | None:
    row, said = _home(town, rng)
    return TaskDraft(
        (see_home(place(row)),),
        said,
        (ExpectedAnswer("year built", "number", row["year"]),),
        shown=((about(row, "year"),),),
        near={"a year later": {"year built": row["year"] + 1}},
    )


def agents_phone(town: Town, rng: Random) -> TaskDraft | None:
    row, said = _home(town, rng)
    agent = agent_of(town, row)
    return TaskDraft(
        (see_home(place(row)), see_agent(place(row), agent["name"])),
        said,
        (ExpectedAnswer("phone", "name", agent["phone"]),),
        shown=((FactPattern(SITE, agent["slug"], "phone"),),),
        near={"another's": {"phone": "(541) 555-0177"}},
    )


def keep_one(town: Town, rng: Random) -> TaskDraft | None:
    row, said = _home(town, rng)
    return TaskDraft((KeepHome((place(row),)),), said)


def tour_named(town: Town, rng: Random) -> TaskDraft | None:
    """With leave."""
    row, said = _home(town, rng, "status = 'Active'")
    who, day = draw_persona(rng), town.world.today + timedelta(rng.randint(2, DAYS))
    goal = AskTour(place(row), day.isoformat(), rng.choice(TIMES), "person", who)
    return TaskDraft((goal,), said | {"day": f"{day:%A}, {day:%B} {day.day}", "time": goal.time}, persona=who)


TEMPLATES = (
    template("train-price", C, "easy", asking_price, "train"),
    template("train-year", C, "easy", built_in, "train"),
    template("train-phone", C, "easy", agents_phone, "train"),
    template("train-keep", C, "easy", keep_one, "train"),
    template("train-tour", C, "medium", tour_named, "train"),
)
