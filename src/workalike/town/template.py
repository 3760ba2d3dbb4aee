"""A template makes tasks of one kind: it draws a target from the world, says what is asked in several voices, knows the
truth, and how it is done twice over: by plain requests (for the check) and on the page (the oracle)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from workalike.core.actions import Action
from workalike.core.key import Criterion, CriticalPoint, Evaluator
from workalike.town.site import Split

if TYPE_CHECKING:
    from workalike.town.caller import Caller
    from workalike.town.look import Look
    from workalike.town.town import Town

Level = Literal["easy", "medium", "hard"]
Plan = dict[str, Any]


class Sketch(msgspec.Struct, frozen=True):
    """One drawn task before it is worded. `slots` fill the voices' braces. `plan` is all that `perform` and the oracle
    go by, plain JSON; its `said` lists ways a sensible agent would put the answer, the oracle's own first."""

    plan: Plan
    slots: dict[str, str]
    evaluator: Evaluator
    rubric: tuple[Criterion, ...]
    sites: tuple[str, ...]
    critical_point: CriticalPoint | None = None
    persona: dict[str, str] = {}
    wall: dict[str, str] = {}
    start: str = "search"


class Miss(msgspec.Struct, frozen=True):
    """Something close to right that must not pass: another plan to perform (None: the right one), another answer
    (None: the right one; an empty one says nothing)."""

    label: str
    plan: Plan | None = None
    answer: str | None = None


class Template(msgspec.Struct, frozen=True):
    """What makes tasks. `draw` may give None when chance found nothing fitting; it is asked again. A voice is an
    instruction with slots in braces; write at least four: short, long, sloppy, exact."""

    name: str
    category: str
    split: Split
    level: Level
    voices: tuple[str, ...]
    draw: Callable[[Town, Random], Sketch | None]
    perform: Callable[[Plan, Caller], None]
    misses: Callable[[Plan, Town], Iterable[Miss]]
    oracle: Callable[[Plan, Look], Action]


def write_plan(plan: msgspec.Struct) -> Plan:
    """A kit's own plan as plain JSON."""
    return msgspec.json.decode(msgspec.json.encode(plan), type=Plan)


def all_misses(plans: Iterable[tuple[str, msgspec.Struct]], answers: Mapping[str, str]) -> list[Miss]:
    """Wrong plans and wrong answers, each by what is wrong with it, as near misses."""
    wrong = [Miss(label, None, answer) for label, answer in answers.items()]
    return [Miss(label, write_plan(plan)) for label, plan in plans] + wrong
