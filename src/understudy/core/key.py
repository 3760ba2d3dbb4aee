"""What only bench and verify may see of a task. A `Key` lies in a file of its own, never beside an agent."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Scalar = str | int | float | bool | None
AnswerKind = Literal["money", "date", "time", "number", "name", "set", "order", "yes_no", "text"]


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
    """The answer that is expected, compared by the normaliser of its kind."""

    kind: AnswerKind
    value: Any
    tolerance: float = 0.0


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
    """The truth about one task."""

    task_id: str
    rubric: Rubric | None = None
    evaluator: Evaluator | None = None
    critical_point: CriticalPoint | None = None
    refuse: bool = False
    blocked: bool = False
    plan: dict[str, Any] = {}
    extra: dict[str, Any] = {}
