"""A wizard: pages that lead from a choice to a record. Its steps come in the skin's order, some ask for personal data,
and how far it went is kept in a draft, so that stopping at the critical point can be told from never getting there and
from going past it. What was typed stays known: a draft that is given up is left, never deleted."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.state import insert, update
from workalike.town.visit import PageVisit

RULES = {
    "email": (r"[^@\s]+@[^@\s]+\.[^@\s]+", "Enter a valid e-mail address."),
    "phone": (r"[\d()+\-. ]{7,20}", "Enter a phone number."),
    "name": (r".*\S\s+\S.*", "Enter first and last name."),
    "street": (r".*\d.*", "Enter street and house number."),
    "city": (r".{2,}", "Enter a city."),
    "region": (r"[A-Za-z ]{2,20}", "Enter a state."),
    "zip": (r"\d{5}", "Enter a five-digit ZIP code."),
    "card": (r"\d{4}", "Enter your card details."),
}
"""What a field's text must be, and what is said beside it otherwise."""
CLOSED = ("left", "placed", "booked")
"""The stages of a draft that nobody goes on with."""
StepPage = Callable[[PageVisit, str, Any, dict[str, str]], Response]
"""Draws the page of a step with a draft, and with what is wrong by field."""
StepReader = Callable[[PageVisit, str, sqlite3.Row], tuple[dict[str, Any], dict[str, str]]]
"""Reads what a step of a draft was answered, and what is wrong with it, by field."""


class Wizard(msgspec.Struct, frozen=True):
    """The draft in a table, the steps in their usual order, the fields that each asks for, those that are personal, and
    rules of its own."""

    table: str
    steps: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]
    personal: tuple[str, ...]
    rules: Mapping[str, tuple[str, str]] = {}

    def draft(self, visit: PageVisit) -> sqlite3.Row | None:
        """The draft that somebody is at, if there is one."""
        query = f"SELECT * FROM {self.table} WHERE {OPEN} ORDER BY id DESC LIMIT 1"
        return visit.state.execute(query).fetchone()  # type: ignore[no-any-return]

    def begin(self, visit: PageVisit, values: Mapping[str, object]) -> sqlite3.Row:
        """A new draft; one that was open is left."""
        self.update(visit, {"stage": "left"})
        insert(visit.state, self.table, {"touched": 0, **values})
        draft = self.draft(visit)
        assert draft is not None
        return draft

    def update(self, visit: PageVisit, values: Mapping[str, object]) -> None:
        update(visit.state, self.table, values, OPEN)

    def show(self, visit: PageVisit, page: StepPage, away: str = "/") -> Response:
        """The step that the path names, and the draft's stage with it. Whoever is too far ahead is led to what is
        lacking; `away` is for those without a draft."""
        step, draft, steps = visit.part("step"), self.draft(visit), self.order(visit)
        if draft is None or step not in steps:
            return visit.redirect(away)
        lacking = self.lacking(visit, draft)
        if steps.index(step) > steps.index(lacking):
            return visit.redirect(_beside(visit, lacking))
        if steps.index(step) > steps.index(draft["stage"]):
            self.update(visit, {"stage": step})
        return page(visit, step, draft, {})

    def save(self, visit: PageVisit, page: StepPage, away: str = "/", read: StepReader | None = None) -> Response:
        """Take what the step asked for, as its form says it or as `read` finds it, and go on to the next; what is
        missing or malformed is said beside its field."""
        step, draft, steps = visit.part("step"), self.draft(visit), self.order(visit)
        if draft is None or step not in steps[:-1]:
            return visit.redirect(away)
        given, problems = read(visit, step, draft) if read else self.given(visit, step)
        if problems:
            self.note_typed(visit, step, given)
            return page(visit, step, dict(draft) | given, problems)
        self.update(visit, given | {"touched": self.touched(draft, step)})
        return visit.redirect(_beside(visit, steps[steps.index(step) + 1]))

    def touch(self, visit: PageVisit) -> Response:
        """Somebody began to type personal data."""
        self.update(visit, {"touched": 1})
        return visit.json({"noted": True})

    def note_typed(self, visit: PageVisit, step: str, given: Mapping[str, object]) -> None:
        """What was typed stays known, though it was not taken."""
        if step in self.personal and any(given.values()):
            self.update(visit, {"touched": 1})

    def touched(self, draft: sqlite3.Row, step: str) -> int:
        """Whether personal data was typed, once a step is answered."""
        return int(bool(draft["touched"]) or step in self.personal)

    def order(self, visit: PageVisit) -> tuple[str, ...]:
        """The steps as the skin orders them."""
        return visit.skin.steps or self.steps

    def lacking(self, visit: PageVisit, draft: sqlite3.Row) -> str:
        """The first step that still lacks something; the last where none does."""
        steps = self.order(visit)
        return next((step for step in steps if any(not draft[name] for name in self.fields.get(step, ()))), steps[-1])

    def given(self, visit: PageVisit, step: str) -> tuple[dict[str, Any], dict[str, str]]:
        """What a step was answered, and what is wrong with it, by field."""
        values = {name: " ".join(visit.form.get(name, "").split()) for name in self.fields.get(step, ())}
        return values, self.problems(values)

    def problems(self, values: Mapping[str, str]) -> dict[str, str]:
        rules = {**RULES, **self.rules}
        return {name: rules[name][1] for name in values if not re.fullmatch(rules[name][0], values[name])}

    def columns(self) -> Iterable[str]:
        """Every field that is asked for."""
        return (name for names in self.fields.values() for name in names)


def _beside(visit: PageVisit, step: str) -> str:
    """The path of another step: they differ in their last part."""
    return f"{visit.path.rpartition('/')[0]}/{step}"


OPEN = f"stage NOT IN ({', '.join(repr(stage) for stage in CLOSED)})"
