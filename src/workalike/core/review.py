"""What people make of a demonstration when they review it: parts trimmed off, steps deleted or relabelled, the task in
other words, places that nobody may see, and whether it is good enough. What was captured stays as it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec

from workalike.core.actions import Action
from workalike.core.errors import BadInput
from workalike.core.screen import Box

Decision = Literal["accepted", "rejected"]
Quality = Literal["good", "fair", "poor"]
LONGEST_TEXT = 20_000
MOST_STEPS, MOST_REGIONS, MOST_ACTIONS = 20_000, 500, 100
LATEST = 1e7
"""No recording lasts that many seconds."""


class StepEdit(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is made of one step: whether it is left out, what it is called, what was done instead of what was read off
    the events. None leaves that as it is."""

    deleted: bool | None = None
    text: str | None = None
    actions: tuple[Action, ...] | None = None


class SensitiveRegion(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A place on the screen that nobody may see, in fractions of it, between two times; None is the very beginning or
    end."""

    box: Box
    start: float | None = None
    end: float | None = None

    def covers(self, time: float) -> bool:
        return (self.start is None or self.start <= time) and (self.end is None or time <= self.end)


class DemonstrationReview(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """All that a review says of one demonstration. `steps` are keyed by when a step began in a recording, in whole
    milliseconds, and by its number from 0 in a trajectory. What lies outside of `trim_start` and `trim_end` (seconds)
    is cut off; `task` replaces the instruction."""

    trim_start: float | None = None
    trim_end: float | None = None
    steps: dict[int, StepEdit] = {}
    task: str | None = None
    regions: tuple[SensitiveRegion, ...] = ()
    decision: Decision | None = None
    quality: Quality | None = None
    note: str = ""


class Revision(msgspec.Struct, frozen=True, omit_defaults=True):
    """A review as it stood after one edit: who made it, when, and what it was. The last revision is what counts. `undo`
    and `redo` are the numbers of those that undoing and redoing lead to; 0 is the demonstration as it was captured."""

    number: int
    review: DemonstrationReview
    by: str
    time: str
    what: str = ""
    undo: int | None = None
    redo: int | None = None


CAPTURED = Revision(0, DemonstrationReview(), "", "")
"""Where every review begins: nothing was edited."""


def revised(history: Sequence[Revision], review: DemonstrationReview, by: str, time: str, what: str) -> Revision:
    """The revision that an edit makes; what was undone before can no longer be redone."""
    current = history[-1] if history else CAPTURED
    return Revision(current.number + 1, review, by, time, what, undo=current.number)


def undone(history: Sequence[Revision], by: str, time: str) -> Revision:
    """The revision that undoing the last edit makes.

    >>> first = revised([], DemonstrationReview(task="Buy it"), "ann", "", "task")
    >>> undone([first], "ann", "").review.task is None
    True
    """
    current = history[-1] if history else CAPTURED
    if current.undo is None:
        raise BadInput("there is nothing to undo: this is the demonstration as it was captured")
    target = _numbered(history, current.undo)
    what = f"undo: {current.what}"[:200]
    return Revision(current.number + 1, target.review, by, time, what, target.undo, current.number)


def redone(history: Sequence[Revision], by: str, time: str) -> Revision:
    """The revision that redoing what was undone last makes."""
    current = history[-1] if history else CAPTURED
    if current.redo is None:
        raise BadInput("there is nothing to redo: nothing was undone since the last edit")
    target = _numbered(history, current.redo)
    return Revision(current.number + 1, target.review, by, time, target.what, current.number, target.redo)


def check_review(review: DemonstrationReview) -> None:
    """Refuse a review that cannot be meant, in a sentence."""
    start, end = review.trim_start, review.trim_end
    for name, moment in (("trim_start", start), ("trim_end", end)):
        _check_moment(name, moment)
    if start is not None and end is not None and start >= end:
        raise BadInput(f"nothing is left between {start:g} s and {end:g} s: trim_start lies before trim_end")
    if len(review.steps) > MOST_STEPS:
        raise BadInput(f"a review edits at most {MOST_STEPS:,} steps")
    for place, edit in review.steps.items():
        _check_step(place, edit)
    if review.task is not None and not review.task.strip():
        raise BadInput("a task has words: leave it out to keep the one that was recorded")
    for text in (review.task or "", review.note):
        _check_length(text)
    if len(review.regions) > MOST_REGIONS:
        raise BadInput(f"a review marks at most {MOST_REGIONS} regions")
    for region in review.regions:
        _check_region(region)


def _check_step(place: int, edit: StepEdit) -> None:
    if not 0 <= place <= LATEST * 1000:
        raise BadInput(f"{place} names no step: a step is named by its number or by milliseconds, from 0 on")
    if edit.actions is not None and not 0 < len(edit.actions) <= MOST_ACTIONS:
        raise BadInput(f"a step is relabelled with 1 to {MOST_ACTIONS} actions; delete it to have none")
    _check_length(edit.text or "")


def _check_region(region: SensitiveRegion) -> None:
    box = region.box
    if not (0 <= box.x < box.right <= 1 + 1e-6 and 0 <= box.y < box.bottom <= 1 + 1e-6):
        raise BadInput("a region lies on the screen: left, top, width and height are fractions of it, not empty")
    _check_moment("start", region.start)
    _check_moment("end", region.end)
    if region.start is not None and region.end is not None and region.start > region.end:
        raise BadInput(f"a region's start ({region.start:g} s) lies after its end ({region.end:g} s)")


def _check_moment(name: str, moment: float | None) -> None:
    if moment is not None and not (math.isfinite(moment) and -LATEST <= moment <= LATEST):
        raise BadInput(f"{name} is a time in seconds within the recording, not {moment}")


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"a text has at most {LONGEST_TEXT:,} characters, this one has {len(text):,}")


def _numbered(history: Sequence[Revision], number: int) -> Revision:
    return next((each for each in history if each.number == number), CAPTURED)
