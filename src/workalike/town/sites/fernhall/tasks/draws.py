"""What tasks about the county are drawn from: doctors described by what somebody needs, the pages that show a free
time or a night, and how all of that is put in a language."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.core.task import AnswerKind
from workalike.town.kit.input import KeyboardOnly
from workalike.town.sites.fernhall.goals import Asked, SeePortalPage, SeeProvider
from workalike.town.sites.fernhall.pages import BOOKING, DAYS, TICKS, WEEK, booking_number, matching
from workalike.town.sites.fernhall.speech import say_day, say_time
from workalike.town.sites.fernhall.world import DISTRICTS, NAME, PLANS, SPECIALTIES, TONGUES, free_days
from workalike.town.template import TaskDraft
from workalike.town.town import Town

_PHRASES, _WORDS = (
    msgspec.json.decode((folder / name).read_bytes(), type=dict[str, dict[str, str]])
    for folder, name in ((Path(__file__).parent, "phrases.json"), (Path(__file__).parents[1], "words.json"))
)


class TaskLanguage(msgspec.Struct, frozen=True):
    """A language that tasks are put in, and the looks whose pages speak it."""

    code: str
    skins: tuple[str, ...]

    @property
    def words(self) -> dict[str, str]:
        return _WORDS[self.code]

    @property
    def phrases(self) -> dict[str, str]:
        return _PHRASES[self.code]

    def describe(self, asked: Asked) -> str:
        """A doctor by what is asked for, as somebody would put it."""
        told = [self._clause(name, code) for name, code in asked.items() if name not in ("specialty", "from")]
        last = self.phrases["and"] if len(told) > 1 else ""
        clauses = ", ".join(told[:-1]) + last + told[-1]
        return self.phrases["who"].format(noun=self.phrases[asked["specialty"]], clauses=clauses)

    def _clause(self, name: str, code: str) -> str:
        if code == "signs":
            return self.phrases["signs"]
        return self.phrases[name].format(self.words[f"tongue_{code}"] if name == "tongue" else code)

    def day(self, day: date | str) -> str:
        return say_day(self.words, day)

    def time(self, time: str) -> str:
        return say_time(self.words, time)

    def answer(self, field: str, kind: AnswerKind, value: Any) -> ExpectedAnswer:
        """A field of the answer's line, by its name in the language."""
        return ExpectedAnswer(self.phrases[f"field_{field}"], kind, value)

    def near(self, wrong: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Near misses, by the fields' names in the language."""
        return {
            label: {self.phrases[f"field_{field}"]: value for field, value in values.items()}
            for label, values in wrong.items()
        }


ENGLISH = TaskLanguage("en", ("plaza", "bulletin"))
SPANISH = TaskLanguage("es", ("azulejo",))
GERMAN = TaskLanguage("de", ("stube",))
TRAINING = TaskLanguage("en", ("register",))
PlainDraw = Callable[[Town, Random], TaskDraft | None]
LanguageDraw = Callable[[TaskLanguage, Town, Random], TaskDraft | None]


def drawn_in(language: TaskLanguage, draw: LanguageDraw, start: str = NAME, keyboard: bool = False) -> PlainDraw:
    """The same in a language, in looks that speak it; by keyboard alone where that is asked for."""

    def made(town: Town, rng: Random) -> TaskDraft | None:
        draft = draw(language, town, rng)
        if draft is None:
            return None
        goals = (KeyboardOnly(NAME), *draft.goals) if keyboard else draft.goals
        return replace(draft, goals=goals, start=start, skins={NAME: rng.choice(language.skins)})

    return made


def find_described(
    town: Town, rng: Random, least: int, most: int, always: Sequence[str] = (), extra: int = 3
) -> tuple[Asked, list[sqlite3.Row]] | None:
    """What somebody may ask of a doctor that so many fit, and those."""
    known = {"tongue": TONGUES, "plan": PLANS, "district": DISTRICTS} | dict.fromkeys(TICKS, ("1",))
    others = [name for name in known if name not in always]
    names = {*always, *rng.sample(others, max(0, extra - len(always)))}
    asked = {"specialty": rng.choice(SPECIALTIES)}
    asked |= {name: rng.choice(values) for name, values in known.items() if name in names}
    rows = matching(town.facts[NAME], asked)
    return (asked, rows) if least <= len(rows) <= most else None


def name_of(row: sqlite3.Row) -> str:
    """A doctor's name, with and without the title."""
    return f"{row['name']}|{row['name'].removeprefix('Dr. ')}"


def fact(thing: str, field: str, **context: str) -> FactPattern:
    return FactPattern(NAME, thing, field, context)


def see_doctor(town: Town, row: sqlite3.Row, asked: Asked, day: date | None = None, notice: str = "") -> SeeProvider:
    """A doctor's page, or the one of its pages that shows the free times of a day."""
    path = page_with(town, row, f"/doctor/{row['slug']}", day)
    return SeeProvider(NAME, path, (), row["name"], row["slug"], row["name"], asked, notice=notice)


def see_desk(town: Town, row: sqlite3.Row, day: date | None = None) -> SeeProvider:
    path = page_with(town, row, f"/service/{row['slug']}", day)
    return SeeProvider(NAME, path, (), f"the desk at {row['name']}", row["slug"], row["name"], field=row["field"])


def page_with(town: Town, row: sqlite3.Row, path: str, day: date | None) -> str:
    """The address, link by link, under which a provider's free times of a day stand."""
    start, days = "", free_days(town.world, row, town.world.today)
    while day is not None and day not in [each for each, _ in days[:DAYS]] and len(days) > DAYS:
        days = days[DAYS:]
        start = f"?from={days[0][0].isoformat()}"
    return path + start


def see_street(street: str) -> SeePortalPage:
    query = urlencode({"street": street})
    return SeePortalPage(NAME, f"/collections?{query}", (), f"{street}'s calendar", "collections", street)


def see_night(town: Town, day: date) -> SeePortalPage:
    """The list of nights that a night stands on."""
    weeks = (day - town.world.today).days // WEEK
    start = f"?from={(town.world.today + timedelta(WEEK * weeks)).isoformat()}" if weeks else ""
    return SeePortalPage(
        NAME, f"/pharmacies{start}", (), "the nights of pharmacies", "pharmacies", later="later_nights"
    )


def on_duty(town: Town, day: date) -> sqlite3.Row:
    query = "SELECT place.* FROM duty JOIN place ON place.id = place WHERE day = ?"
    return town.facts[NAME].execute(query, (day.isoformat(),)).fetchone()  # type: ignore[no-any-return]


def first_time(town: Town, row: sqlite3.Row, start: date, after: str = "00:00") -> tuple[date, str] | None:
    """The first free time from a day on, at or after an hour."""
    for day, times in free_days(town.world, row, start):
        for time in times:
            if time >= after:
                return day, time
    return None


def next_number(town: Town) -> str:
    """The number that the first appointment booked gets."""
    return booking_number(len(town.begin_rows(BOOKING)) + 1)
