"""Tasks for people with a screen reader: what it cannot read, and what it alone can."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import FactPattern
from workalike.town.sites.fernhall.goals import BookTime, SearchDoctors
from workalike.town.sites.fernhall.pages import JOINED, SIZE, matching
from workalike.town.sites.fernhall.tasks.doctors import book_first
from workalike.town.sites.fernhall.tasks.draws import (
    TaskLanguage,
    fact,
    find_described,
    see_doctor,
)
from workalike.town.sites.fernhall.world import (
    NAME,
)
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def notice(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """What a photograph of a notice says, which no screen reader can read."""
    found = find_described(town, rng, 1, 1)
    if found is None or found[1][0]["instead"] == found[1][0]["place"]:
        return None
    asked, (row,) = found
    instead = town.facts[NAME].execute("SELECT * FROM place WHERE id = ?", (row["instead"],)).fetchone()
    near = {"the day it closes": {"reopening": row["shut"]}, "its own phone": {"phone": row["phone"]}}
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, row, asked, notice=row["door"])),
        {"who": language.describe(asked)},
        (language.answer("reopening", "date", row["opens"]), language.answer("phone", "name", instead["phone"])),
        shown=((fact(row["door"], "notice"),),),
        near=language.near(near),
    )


def directions(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """The way to a door as it is told to those who do not see it."""
    found = find_described(town, rng, 1, 1)
    if found is None or found[1][0]["bell"] == found[1][0]["strides"]:
        return None
    asked, (row,) = found
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, row, asked)),
        {"who": language.describe(asked)},
        (language.answer("steps", "number", row["strides"]), language.answer("bell", "number", row["bell"])),
        shown=((fact(row["door"], "strides"),), (fact(row["door"], "bell"),)),
        near=language.near({"the wrong bell": {"bell": row["bell"] % 9 + 1}}),
    )


def announced(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """How many doctors a search finds, which is announced and stands nowhere to be seen."""
    found = find_described(town, rng, 5, SIZE * 3, (), 1)
    if found is None:
        return None
    asked, rows = found
    every = [FactPattern(NAME, row["slug"], "name") for row in rows]
    told = FactPattern(NAME, "doctors", "found", dict(asked))
    wider = len(matching(town.facts[NAME], {"specialty": asked["specialty"]}))
    return TaskDraft(
        (SearchDoctors(asked),),
        {"who": language.describe(asked)},
        (language.answer("doctors", "number", len(rows)),),
        shown=tuple((told, each) for each in every),
        near=language.near({"all of the field": {"doctors": wider}}),
    )


def sign(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """What a sign without words is called."""
    found = find_described(town, rng, 1, 1)
    if found is None or not found[1][0]["lift"]:
        return None
    asked, (row,) = found
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, row, asked)),
        {"who": language.describe(asked)},
        (language.answer("date", "date", row["lift"]),),
        shown=((fact(row["door"], "lift"),),),
        near=language.near({"when the practice closes": {"date": row["shut"]}}),
    )


def guided(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Book for somebody who comes with a guide dog, and tell the way to the door."""
    draft = book_first(language, town, rng)
    if draft is None or "dogs" not in draft.goals[0].asked:  # type: ignore[attr-defined]
        return None
    booked = draft.goals[-1]
    assert isinstance(booked, BookTime)
    row = town.facts[NAME].execute(f"{JOINED} WHERE provider.slug = ?", (booked.where.slug,)).fetchone()
    return replace(
        draft,
        answers=(language.answer("bell", "number", row["bell"]), *draft.answers),
        shown=((fact(row["door"], "bell"),), *draft.shown),
        near=draft.near | language.near({"the wrong bell": {"bell": row["bell"] % 9 + 1}}),
    )
