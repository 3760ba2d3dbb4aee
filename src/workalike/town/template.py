"""A template makes tasks of one kind: it draws a target from the world, says what is asked in several voices, and puts
the goals together that it comes down to. Truth, requests, near misses and the oracle follow from the goals."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from workalike.core.key import AnswerStatus, ExpectedAnswer, FactPattern
from workalike.core.task import TaskFile
from workalike.town.kit.goal import Goal
from workalike.town.site import Split

if TYPE_CHECKING:
    from workalike.town.town import Town

Level = Literal["easy", "medium", "hard"]
Demand = Literal[
    "open choice",
    "described not named",
    "chain over sites",
    "fuzzy size",
    "per unit",
    "budget and fallback",
    "prose",
    "many criteria",
    "form from a document",
    "map and distance",
    "evidence",
    "arithmetic",
]
DEMANDS: tuple[Demand, ...] = get_args(Demand)
"""What a task asks of whoever does it, beyond finding a page and pressing its buttons."""


class TaskDraft(msgspec.Struct, frozen=True):
    """One drawn task before it is worded. `slots` fill the voices' braces. `answers` are the fields of its line with
    what they must hold; of each group in `shown`, one fact must have been shown; `near` are values near the right
    ones, by what is wrong with them. `met` is what somebody must have been about who ran into the wall. `truth` are
    the goals that count where a wall ends the way before all are reached; `also` are other goals that are as right.
    `files` are what the agent may hand over; `skins` are looks that it has to be met in, by site."""

    goals: tuple[Goal, ...]
    slots: dict[str, str]
    answers: tuple[ExpectedAnswer, ...] = ()
    status: AnswerStatus = "done"
    shown: tuple[tuple[FactPattern, ...], ...] = ()
    near: dict[str, dict[str, Any]] = {}
    persona: dict[str, str] = {}
    wall: dict[str, str] = {}
    met: dict[str, str] = {}
    truth: tuple[Goal, ...] | None = None
    also: tuple[tuple[Goal, ...], ...] = ()
    files: tuple[TaskFile, ...] = ()
    start: str = "search"
    skins: dict[str, str] = {}


class Template(msgspec.Struct, frozen=True):
    """What makes tasks. `draw` may give None when chance found nothing fitting; it is asked again. A voice is an
    instruction with slots in braces; write at least four: short, long, sloppy, exact. `demands` is what makes it hard;
    agents are not told."""

    name: str
    category: str
    split: Split
    level: Level
    voices: tuple[str, ...]
    draw: Callable[[Town, Random], TaskDraft | None]
    demands: tuple[Demand, ...] = ()
