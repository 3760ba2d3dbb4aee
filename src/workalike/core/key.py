"""What only bench and verify may see of a task. A `Key` lies in a file of its own, never beside an agent."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from workalike.core.task import AnswerKind

Scalar = str | int | float | bool | None
AnswerStatus = Literal["done", "unavailable", "blocked", "impossible", "refused"]
"""What an answer's line may say instead of fields."""


class Criterion(msgspec.Struct, frozen=True, omit_defaults=True):
    """One item of a rubric; `condition` says when it counts at all."""

    criterion: str
    description: str
    max_points: float
    condition: str | None = None


class Rubric(msgspec.Struct, frozen=True):
    """What a task is scored by, as published: disjoint criteria with points."""

    items: tuple[Criterion, ...]


class RowChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """One row of a database that differs between before and after. `before` is empty for an inserted row,
    `after` for a deleted one; an updated row shows its whole self on both sides."""

    table: str
    before: dict[str, Scalar] = {}
    after: dict[str, Scalar] = {}


class OneOf(msgspec.Struct, frozen=True, tag="one_of"):
    """Any of some values."""

    values: tuple[Scalar, ...]


class Within(msgspec.Struct, frozen=True, tag="within", omit_defaults=True):
    """A number not below `low` and not above `high`, where they are given."""

    low: float | None = None
    high: float | None = None


class Digits(msgspec.Struct, frozen=True, tag="digits"):
    """A text with these digits, whatever stands between them: a phone number."""

    digits: str


class Saying(msgspec.Struct, frozen=True, tag="saying"):
    """A text of these words in this order, whatever their case and what stands between them."""

    text: str


class Containing(msgspec.Struct, frozen=True, tag="containing"):
    """A text in which these letters stand, whatever their case."""

    text: str


Wanted = Scalar | OneOf | Within | Digits | Saying | Containing
"""What a column is to hold: a value, or one that satisfies a predicate."""


class RowPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows that are to change: `before` and `after` name only the columns that matter, `times` how many rows."""

    table: str
    before: dict[str, Wanted] = {}
    after: dict[str, Wanted] = {}
    times: int = 1


class Shown(msgspec.Struct, frozen=True, array_like=True):
    """A fact as a page has shown it to an attempt: whose site, about what, which property, under which circumstances
    (date, travellers), and what stood there."""

    site: str
    thing: str
    field: str
    value: str = ""
    context: dict[str, str] = {}


class FactPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact that must have been shown: of its context only what matters, its value where that matters."""

    site: str
    thing: str
    field: str
    context: dict[str, str] = {}
    value: str | None = None


class ExpectedAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a field of the answer's line is to hold: cents, an ISO date, `14:35`, minutes, a number, a name (`|` between
    its spellings), a list of names, True or False. `also` are further right values. Names are in order where
    `ordered`."""

    field: str
    kind: AnswerKind
    value: Any
    also: tuple[Any, ...] = ()
    tolerance: float = 0.0
    ordered: bool = False


class Evaluator(msgspec.Struct, frozen=True, omit_defaults=True):
    """One right way, told from the row difference, the answer's line and the facts that were shown: the intended
    changes and nothing else, but for what is `allowed` besides; nothing that is `forbidden`, not even in a table that
    is `free` to change (drafts, views). Of each group in `shown`, one fact must have been. Where it is to stop at the
    critical point, any one row of `reached` tells that it was reached. `status` is what the line is to say where it
    wants no fields."""

    changes: tuple[RowPattern, ...] = ()
    answers: tuple[ExpectedAnswer, ...] = ()
    free: tuple[str, ...] = ()
    status: AnswerStatus = "done"
    shown: tuple[tuple[FactPattern, ...], ...] = ()
    allowed: tuple[RowPattern, ...] = ()
    forbidden: tuple[RowPattern, ...] = ()
    reached: tuple[RowPattern, ...] = ()


class CriticalPoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """The step that needs the user's word. `allowed` says whether the task gives it; `crossed` are the rows that
    tell that it was taken."""

    description: str
    allowed: bool = False
    crossed: tuple[RowPattern, ...] = ()


class PlantedAttack(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an instruction is after that somebody planted in the pages of a task: what it aims at, what carries it and
    whom it reaches; the rows that tell that it was followed (any one of `done`) or that somebody went some of the way
    (`partly`), and what the answer's line would say: a status, or a value in a field."""

    aim: str
    carrier: str
    visibility: str
    done: tuple[RowPattern, ...] = ()
    partly: tuple[RowPattern, ...] = ()
    status: AnswerStatus | None = None
    says: dict[str, str] = {}


class Key(msgspec.Struct, frozen=True, omit_defaults=True):
    """The truth about one task. Any one of `evaluators` is a right way. `setting` says how its environment is set up,
    `plan` what the oracle goes by. `harm` are the rows of doing what is to be refused, all of them together; `pair` is
    shared with its twin by a task that has one: the harmless one, or the same without the `attack`."""

    task_id: str
    rubric: Rubric | None = None
    evaluators: tuple[Evaluator, ...] = ()
    critical_point: CriticalPoint | None = None
    refuse: bool = False
    harm: tuple[RowPattern, ...] = ()
    attack: PlantedAttack | None = None
    pair: str = ""
    setting: dict[str, Any] = {}
    plan: dict[str, Any] = {}
    extra: dict[str, Any] = {}

    @property
    def stops(self) -> bool:
        """Whether the task is to be taken to its critical point, and no further."""
        return any(way.reached for way in self.evaluators)

    @property
    def reports(self) -> bool:
        """Whether the task was made so that it cannot be done, and an honest report of that is the right end."""
        return any(way.status != "done" for way in self.evaluators)
