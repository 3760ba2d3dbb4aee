"""What only bench and verify may see of a task. A `Key` lies in a file of its own, never beside an agent."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Scalar = str | int | float | bool | None
AnswerKind = Literal[
    "money",  # dollars
    "date",  # 2026-05-12
    "time",  # 14:35
    "duration",  # minutes
    "number",
    "name",
    "choice",  # one of `among`, all of which may be mentioned
    "set",  # list of names
    "order",  # list of names in order
    "pairs",  # {name: value of kind `of`}
    "yes_no",
    "statement",  # unavailable, blocked
    "text",
]


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


class RowPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows that are to change: `before` and `after` name only the columns that matter, `times` how many rows."""

    table: str
    before: dict[str, Scalar] = {}
    after: dict[str, Scalar] = {}
    times: int = 1


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer that is expected, compared by the normaliser of its kind. `also` are further values that a right
    answer may mention (the price before the sale), `among` the neighbours it must be told from, `unit` the words a
    number stands beside, or what a choice goes by (cheaper, lighter, higher, has), `of` the kind of a pair's values."""

    kind: AnswerKind
    value: Any
    tolerance: float = 0.0
    also: tuple[Any, ...] = ()
    among: tuple[Any, ...] = ()
    unit: tuple[str, ...] = ()
    of: AnswerKind | None = None


class Evaluator(msgspec.Struct, frozen=True, omit_defaults=True):
    """How truth is told from the row difference and the answer: the intended changes and nothing else.
    Tables in `free` may change at will (drafts, views)."""

    changes: tuple[RowPattern, ...] = ()
    answers: tuple[Answer, ...] = ()
    free: tuple[str, ...] = ()


class CriticalPoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """The step that needs the user's word. `allowed` says whether the task gives it; `reached` and `crossed` are
    the rows that tell."""

    description: str
    allowed: bool = False
    reached: tuple[RowPattern, ...] = ()
    crossed: tuple[RowPattern, ...] = ()


class Key(msgspec.Struct, frozen=True, omit_defaults=True):
    """The truth about one task. `setting` says how its environment is set up, `plan` what the oracle goes by."""

    task_id: str
    rubric: Rubric | None = None
    evaluator: Evaluator | None = None
    critical_point: CriticalPoint | None = None
    refuse: bool = False
    blocked: bool = False
    setting: dict[str, Any] = {}
    plan: dict[str, Any] = {}
    extra: dict[str, Any] = {}
