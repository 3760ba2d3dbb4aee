"""What a program can tell of a trajectory, so that no model is asked: loops, actions that failed, had no effect or went
off the page, a policy stop, numbers in the answer that no kept text shows, an ending that says nothing.

A finding is a fact, not a verdict: judges are told of it, and it stands among a verdict's failure points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, get_args

import msgspec

from workalike.core.actions import Click, Opaque, ReadPage, Wait, points
from workalike.core.observation import Observation
from workalike.core.trajectory import Step, Trajectory
from workalike.core.verdict import FailureClass, FailurePoint
from workalike.families.loops import on_same_screens, screen_of

FindingKind = Literal[
    "loop", "failed", "unreadable", "off_page", "no_effect", "policy_stop", "unseen_number", "empty_ending"
]
KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
NO_PROGRESS = 3
TEXT_ROLES = frozenset({"text", "static", "static text", "statictext", "paragraph", "label", "heading"})
"""Roles of what is there to be read."""
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
_DECIMAL_COMMA = re.compile(r"(?<![\w.,])\d{1,3}(?:\.\d{3})*,\d{2}(?![\w]|[.,]\d)")
"""`1.299,50`, as much of Europe writes it."""
_CLASSES: dict[FindingKind, FailureClass] = {"unseen_number": "hallucination", "empty_ending": "execution"}
_OURS_TO_BLAME = ("interrupted", "infrastructure_error", "out_of_budget")
"""How an attempt ends that was not ended by what the agent did: nobody can judge the agent by it."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a program found, and at which step, counted from 0."""

    kind: FindingKind
    step: int | None
    text: str

    @property
    def failure(self) -> FailurePoint:
        """The same as a failure point of a verdict."""
        failure = _CLASSES.get(self.kind, "tool_interaction")
        return FailurePoint(self.step, failure, self.text, code=self.kind, found_by="findings")


def findings(trajectory: Trajectory) -> tuple[Finding, ...]:
    """Everything that can be told without a model, in the order of the steps."""
    found = [
        *_loops(trajectory.steps),
        *_faulty_actions(trajectory),
        *_policy_stop(trajectory),
        *_unseen_numbers(trajectory),
        *_empty_ending(trajectory),
    ]
    last = len(trajectory.steps)
    return tuple(sorted(found, key=lambda each: (last if each.step is None else each.step, KINDS.index(each.kind))))


def unjudgeable(trajectory: Trajectory) -> str:
    """Why nobody can judge an agent by this trajectory; nothing where one can."""
    if trajectory.stop is not None and trajectory.stop.reason in _OURS_TO_BLAME:
        return f"the attempt did not end by what the agent did ({trajectory.stop.reason.replace('_', ' ')})"
    return ""


def _loops(steps: Sequence[Step]) -> Iterator[Finding]:
    """Where a loop begins to be one; told once for as long as it lasts."""
    marks = [(screen_of(step.observation), tuple(taken.action for taken in step.actions)) for step in steps]
    inside = False
    for index in range(len(marks)):
        now = bool(marks[index][1]) and on_same_screens(marks[: index + 1])
        if now and not inside:
            yield Finding("loop", index, "goes round in circles: the same actions on the same screens")
        inside = now


def _faulty_actions(trajectory: Trajectory) -> Iterator[Finding]:
    still = 0
    for index, step in enumerate(trajectory.steps):
        for taken in step.actions:
            if taken.error:
                yield Finding("failed", index, f"an action failed: {taken.error}")
            elif isinstance(taken.action, Opaque):
                yield Finding("unreadable", index, "an action could not be read")
            elif any(not place.on_screen for place in points(taken.action)):
                yield Finding("off_page", index, "an action points outside the screen")
        still = still + 1 if _without_effect(trajectory, index) else 0
        if still == NO_PROGRESS:
            yield Finding("no_effect", index, f"{NO_PROGRESS} clicks in a row changed nothing on the screen")


def _without_effect(trajectory: Trajectory, index: int) -> bool:
    """Whether a step clicked and the next look shows the very same picture."""
    step, after = trajectory.steps[index], look_after(trajectory, index)
    if not any(isinstance(taken.action, Click) and not taken.error for taken in step.actions) or after is None:
        return False
    before, then = step.observation.picture, after.picture
    return before is not None and then is not None and screen_of(step.observation) == screen_of(after)


def look_after(trajectory: Trajectory, index: int) -> Observation | None:
    """What was seen after a step: by the next one, or at the end."""
    following = trajectory.steps[index + 1 : index + 2]
    return following[0].observation if following else trajectory.final


def _policy_stop(trajectory: Trajectory) -> Iterator[Finding]:
    stop = trajectory.stop
    if stop is not None and stop.reason == "stopped_by_policy":
        yield Finding("policy_stop", len(trajectory.steps) - 1, f"a policy stopped it: {stop.detail}".rstrip(": "))


def _empty_ending(trajectory: Trajectory) -> Iterator[Finding]:
    if silent(trajectory):
        reason = trajectory.stop.reason.replace("_", " ") if trajectory.stop else "no end line"
        yield Finding("empty_ending", None, f"it ended without a word to the user ({reason})")


def silent(trajectory: Trajectory) -> bool:
    """Whether it ended without a word that a person could see."""
    return not any(sign.isprintable() and not sign.isspace() for sign in trajectory.answer or "")


def _unseen_numbers(trajectory: Trajectory) -> Iterator[Finding]:
    """Numbers of the answer that stand in nothing that was kept as text. Told only where every look kept what is to be
    read on it: a list of what can be acted on holds no prices, and what was on a picture alone nobody has read. Sums
    and differences are none of a page's, so that of several numbers only those are told that no two shown ones
    make."""
    if not trajectory.answer or not all(_kept_text(step.observation) for step in trajectory.steps):
        return
    shown = set(_numbers(" ".join(_all_texts(trajectory))))
    for number in dict.fromkeys(_numbers(trajectory.answer)):
        if number not in shown and not _derived(number, shown):
            yield Finding("unseen_number", None, f"the answer says {number:g}, which no text kept of any screen shows")


def _derived(number: float, shown: set[float]) -> bool:
    return any(round(number - each, 2) in shown or round(number + each, 2) in shown for each in shown)


def _numbers(text: str) -> list[float]:
    plain = _DECIMAL_COMMA.sub(lambda found: found[0].replace(".", "").replace(",", "."), text)
    return [float(found.replace(",", "")) for found in _NUMBER.findall(plain)]


def _all_texts(trajectory: Trajectory) -> Iterator[str]:
    yield from (trajectory.task.instruction, *trajectory.task.persona.values())
    looks = [*(step.observation for step in trajectory.steps), *([trajectory.final] if trajectory.final else [])]
    for look in looks:
        yield from _texts(look)
        yield look.url or ""
    for taken in trajectory.actions:
        if isinstance(taken.action, ReadPage) and taken.result:
            yield taken.result


def _kept_text(look: Observation) -> bool:
    """Whether more was kept of a screen than what can be acted on."""
    return any(each.role.casefold() in TEXT_ROLES and each.name for each in look.elements or ())


def _texts(look: Observation) -> list[str]:
    """What was kept of a screen as text."""
    named = [text for each in look.elements or () for text in (each.name, each.value or "") if text]
    return [*named, look.title or ""] if named else []


def needless(trajectory: Trajectory) -> tuple[int, ...]:
    """The steps that did nothing for the task as far as actions alone tell: they failed, could not be read, pointed off
    the page, changed nothing, or went round in circles."""
    wrong = {each.step for each in findings(trajectory) if each.kind in ("failed", "unreadable", "off_page", "loop")}
    idle = {
        index
        for index, step in enumerate(trajectory.steps)
        if _without_effect(trajectory, index) or _only_waits(step, trajectory.steps[index - 1] if index else None)
    }
    return tuple(sorted(step for step in wrong | idle if step is not None))


def _only_waits(step: Step, before: Step | None) -> bool:
    """Whether a step waited once more after one that had waited already."""
    waits = [
        bool(each.actions) and all(isinstance(taken.action, Wait) for taken in each.actions)
        for each in (step, before)
        if each is not None
    ]
    return len(waits) == 2 and all(waits)
