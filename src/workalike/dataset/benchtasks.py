"""Trajectories as offline step tasks (AgentNetBench): boxes come from the elements that were hit, not from annotators.

Whoever knows of other right ways to do a step puts them into the step's `extra["alternatives"]`, each a list of
actions in the core's JSON with, where they have a place, a `box`; the town's oracle does. Besides, a link that leads
where the link hit leads is an alternative by itself. A step that the published words cannot say is left out, and
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    Move,
    Opaque,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
    kind,
)
from workalike.core.errors import DialectError, Inexpressible
from workalike.core.observation import Element, Observation
from workalike.core.screen import Box, Point
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.dataset.defects import is_plain_name
from workalike.dataset.messages import leaves_screen, no_picture, wrong_code
from workalike.dataset.wellformed import says_nothing
from workalike.dialects import pyautogui
from workalike.dialects.gestures import scrolls_in
from workalike.formats.agentnet_trajectories import THEIRS
from workalike.formats.agentnetbench import BenchStep, BenchTask, Monologue, TrueAction, TrueBox, TrueMetadata
from workalike.store.names import safe_name

_CLICKS = {
    ("left", 1): "click",
    ("left", 2): "doubleClick",
    ("left", 3): "tripleClick",
    ("right", 1): "rightClick",
    ("middle", 1): "middleClick",
}
_DIGITS = 4


class Alternative(msgspec.Struct, frozen=True):
    """One action of another right way to do a step."""

    action: Action
    box: Box | None = None


class StepTasks:
    """Makes step tasks. `left_out` counts the steps that gave none, by reason."""

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()

    def task(self, trajectory: Trajectory) -> BenchTask | None:
        """The task of a trajectory, or None where none of its steps can be one."""
        if says_nothing(trajectory.task.instruction):
            self.left_out["no instruction"] += len(trajectory.steps)
            return None
        theirs = THEIRS in trajectory.extra
        steps = [step for place, each in enumerate(trajectory.steps) if (step := self._step(each, place, theirs))]
        if not steps:
            return None
        return BenchTask(
            safe_name(trajectory.id),
            tuple(steps),
            trajectory.task.instruction,
            trajectory.task.instruction,
            {"trajectory": trajectory.id, "task": trajectory.task.id},
        )

    def _step(self, step: Step, place: int, theirs: bool) -> BenchStep | None:
        picture = step.observation.picture
        reason = self._unfit(step) or (None if _is_opaque(step) else wrong_code(step, theirs))
        if reason is None and picture is not None:
            try:
                return self._made(step, place, picture.name)
            except DialectError as error:
                reason = error.kind if isinstance(error, Inexpressible) else str(error)
                reason = f"no words for {reason}"
        self.left_out[reason or "no picture"] += 1
        return None

    def _made(self, step: Step, place: int, image: str) -> BenchStep:
        actions = scrolls_in("notches", [taken.action for taken in step.actions])
        truth = [
            true
            for action, taken in zip(actions, step.actions, strict=True)
            for true in true_actions(action, _box(taken))
        ]
        return BenchStep(
            place + 1,
            image,
            tuple(truth),
            pyautogui.format(actions),
            milestone=step.extra.get("milestone") is True,
            inner_monologue=Monologue(step.observation_text, step.thought, step.action_text),
            alternative_options=tuple(_alternatives(step)),
        )

    def _unfit(self, step: Step) -> str | None:
        if step.observation.picture is None or not is_plain_name(step.observation.picture.name):
            return no_picture(step)
        if step.observation.kind == "page":
            return "a picture of the whole page"
        if not step.actions:
            return "no action"
        if any(taken.error for taken in step.actions):
            return "its action failed"
        if leaves_screen(step):
            return "a place off the screen"
        return "judged wrong" if step.correct is False else None


def _is_opaque(step: Step) -> bool:
    return any(isinstance(taken.action, Opaque) for taken in step.actions)


def true_actions(action: Action, box: Box | None) -> Iterator[TrueAction]:
    """An action in the words of AgentNetBench, with the box within which it counts."""
    match action:
        case Click(at=Point() as at, button=button, count=count, modifiers=()) if (button, count) in _CLICKS:
            yield _placed(_CLICKS[button, count], at, box)
        case Move(to=to):
            yield _placed("moveTo", to, box)
        case Drag(path=(end,), start=start, button="left", modifiers=()):
            if start is not None:
                yield _placed("moveTo", start, box)
            yield _placed("dragTo", end, None)
        case Scroll(modifiers=()):
            yield from _scrolled(action, box)
        case Write(text=text):
            yield TrueAction("write", {"text": text})
        case Press(keys=keys) | Hotkey(keys=keys):
            yield TrueAction(kind(action), {"keys": list(keys)})
        case Wait():
            yield TrueAction("wait", {})
        case Terminate(status=status):
            yield TrueAction("terminate", {"status": status})
        case _:
            raise Inexpressible("agentnetbench", kind(action))


def _scrolled(scroll: Scroll, box: Box | None) -> Iterator[TrueAction]:
    position: dict[str, Any] = {}
    if scroll.at is not None:
        yield _placed("moveTo", scroll.at, box)
        position = {"position": _position(scroll.at)}
    if scroll.dy or not scroll.dx:
        yield TrueAction("scroll", {**position, "amount": _whole(-scroll.dy)})
    if scroll.dx:
        yield TrueAction("hscroll", {**position, "amount": _whole(scroll.dx)})


def _placed(name: str, at: Point, box: Box | None) -> TrueAction:
    boxes = () if box is None else (TrueBox((box.x, box.y, box.width, box.height)),)
    return TrueAction(name, {"position": _position(at)}, TrueMetadata(boxes))


def _position(at: Point) -> dict[str, float]:
    return {"x": round(at.x, _DIGITS), "y": round(at.y, _DIGITS)}


def _whole(amount: float) -> int | float:
    return int(amount) if amount == int(amount) else amount


def _box(taken: ActionResult) -> Box | None:
    return taken.hit.box if taken.hit is not None else None


def _alternatives(step: Step) -> Iterator[tuple[TrueAction, ...]]:
    for option in step.extra.get("alternatives", ()):
        told = msgspec.convert(option, tuple[Alternative, ...])
        yield tuple(true for each in told for true in true_actions(each.action, each.box))
    match step.actions:
        case (ActionResult(action=Click() as click, hit=Element(role="link") as link),) if link.value:
            for other in _same_links(link, step.observation):
                assert other.box is not None
                yield tuple(true_actions(msgspec.structs.replace(click, at=other.box.centre), other.box))


def _same_links(link: Element, seen: Observation) -> Sequence[Element]:
    """Other links on the screen with the same address."""
    others = (other for other in seen.elements or () if other.role == "link" and other.value == link.value)
    return [other for other in others if other.box is not None and other.box != link.box and other.box.centre.on_screen]
