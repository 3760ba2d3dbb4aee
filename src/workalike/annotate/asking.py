"""The questions to the three roles: a step, its judgement, and the sum of a trajectory, in the words of the prompts.

What strangers wrote (the task, pages, code, earlier texts) is fenced off. A generator's question is made of what was
known before its step, and of nothing later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from workalike.annotate.chain import went_wrong
from workalike.annotate.looks import After, Before
from workalike.core.errors import DialectError
from workalike.core.observation import Observation
from workalike.core.trajectory import Step, Trajectory
from workalike.core.wording import in_words
from workalike.formats.agentnet_trajectories import write_code
from workalike.models.messages import Part, Picture, Request, Text, Untrusted, said
from workalike.models.prompts import Prompts

Prior = Literal["good", "bad"]
PAST = 15
"""How many earlier steps are told in full; those before them are counted."""
_LONGEST = 400
_NOTHING = "(nothing)"


class StepQuestions:
    """Makes the questions about one trajectory's steps."""

    def __init__(self, prompts: Prompts, prior: Prior | None = None) -> None:
        self._prompts, self._prior = prompts, prior

    def generator(self, trajectory: Trajectory, place: int, look: Before, *, know_past: bool = True) -> Request:
        """What went on in a step. With `know_past` the words and judgements of the steps before are known; without,
        only what was done in them."""
        step, number = trajectory.steps[place], str(place + 1)
        before = trajectory.steps[place - 1] if place and know_past else None
        question = self._prompts.get("annotate/generator_step").parts(
            task=_fenced(trajectory.task.instruction, "task"),
            past=_fenced(_past(trajectory.steps, place, know_past), "earlier steps"),
            before=self._before(before),
            number=number,
            shown=self._prompts.get(f"annotate/shown_{look.marked}").text,
            picture=look.picture,
            closer=_pictures(look.closer),
            screen=_fenced(_screen(step), "screen"),
            code=_fenced(code_of(step), "code"),
        )
        return Request((said("system", self._prompts.get("annotate/generator").text), said("user", *question)))

    def valuer(self, trajectory: Trajectory, place: int, look: Before) -> Request:
        """What is to be expected of a step, for a judge who does not see what came of it."""
        step = trajectory.steps[place]
        question = self._prompts.get("annotate/valuer_step").parts(
            task=_fenced(trajectory.task.instruction, "task"),
            past=_fenced(_past(trajectory.steps, place, know=True), "earlier steps"),
            number=str(place + 1),
            picture=look.picture,
            closer=_pictures(look.closer),
            action=_fenced(_done(step), "action"),
            code=_fenced(code_of(step), "code"),
        )
        return Request((said("system", self._prompts.get("annotate/valuer").text), said("user", *question)))

    def reflector(self, trajectory: Trajectory, place: int, look: Before, after: After) -> Request:
        """Whether a step was right and needed."""
        step, last = trajectory.steps[place], place + 1 == len(trajectory.steps)
        prior = self._prompts.get(f"annotate/prior_{self._prior}").text + "\n\n" if self._prior else ""
        question = self._prompts.get("annotate/reflector_step").parts(
            task=_fenced(trajectory.task.instruction, "task"),
            past=_fenced(_past(trajectory.steps, place, know=True), "earlier steps"),
            prior=prior,
            number=str(place + 1),
            picture=look.picture,
            closer=_pictures(look.closer),
            thought=_fenced(step.thought or _NOTHING, "thought"),
            action=_fenced(_done(step), "action"),
            code=_fenced(code_of(step), "code"),
            after=self._after(after),
            last=self._prompts.get("annotate/last_step").text if last else "",
        )
        return Request((said("system", self._prompts.get("annotate/reflector").text), said("user", *question)))

    def summarizer(self, trajectory: Trajectory) -> Request:
        """What was really done, and how well; text alone."""
        steps = "\n".join(_judged(step, number) for number, step in enumerate(trajectory.steps, 1))
        question = self._prompts.get("annotate/summarizer_task").parts(
            task=_fenced(trajectory.task.instruction, "task"),
            steps=_fenced(steps or _NOTHING, "steps"),
            ending=_fenced(_ending(trajectory), "ending"),
        )
        return Request((said("system", self._prompts.get("annotate/summarizer").text), said("user", *question)))

    def _before(self, step: Step | None) -> tuple[Part, ...]:
        """What the generator is told of the step before: that it went wrong or was not needed, or what was thought."""
        if step is None or (step.thought is None and step.reflection is None and not went_wrong(step)):
            return ()
        found = _fenced(step.reflection or _NOTHING, "reflection")
        if step.correct is False:
            told = self._prompts.get("annotate/before_wrong").parts(reflection=found)
        elif step.redundant:
            told = self._prompts.get("annotate/before_redundant").parts(reflection=found)
        else:
            thought = _fenced(step.thought or _NOTHING, "thought")
            told = self._prompts.get("annotate/before_thought").parts(thought=thought, reflection=found)
        return (*told, Text("\n\n"))

    def _after(self, after: After) -> tuple[Part, ...]:
        if after.picture is None:
            return self._prompts.get("annotate/after_nothing").parts()
        if after.change is not None and after.change.box is None:
            return self._prompts.get("annotate/after_same").parts()
        share = "an unknown part" if after.change is None else _percent(after.change.share)
        if not after.closer:
            return self._prompts.get("annotate/after_shown").parts(share=share, picture=after.picture)
        small = self._prompts.get("annotate/after_small")
        return small.parts(share=share, picture=after.picture, closer=_pictures(after.closer))


def code_of(step: Step) -> str:
    """What was done as code, or in words where the published code has none."""
    actions = tuple(done.action for done in step.actions)
    try:
        return write_code(actions) or _NOTHING
    except DialectError:
        return " ".join(map(in_words, step.actions))


def _fenced(text: str, label: str) -> Untrusted:
    return Untrusted(text, label)


def _pictures(closer: Sequence[Picture]) -> tuple[Part, ...]:
    return tuple(closer)


def _past(steps: Sequence[Step], place: int, know: bool) -> str:
    """The steps before, each in a line: as they were told, or (where nothing may be known) what was done in plain
    words."""
    if not place:
        return _NOTHING
    first = max(0, place - PAST)
    lines = [f"({first} earlier steps)"] if first else []
    for number, step in enumerate(steps[first:place], first + 1):
        lines.append(f"{number}. {_done(step) if know else _plainly(step)}")
    return "\n".join(lines)


def _done(step: Step) -> str:
    return step.action_text.strip() if step.action_text else _plainly(step)


def _plainly(step: Step) -> str:
    return _short(" ".join(map(in_words, step.actions)) or _NOTHING)


def _judged(step: Step, number: int) -> str:
    found = {
        "right": step.correct is True and not step.redundant,
        "not needed": step.correct is not False and step.redundant is True,
        "wrong": step.correct is False,
        "not judged": step.correct is None,
    }
    word = next(name for name, holds in found.items() if holds)
    parts = [f"{number}. {_done(step)} [{word}]"]
    if step.thought:
        parts.append(f"   thought: {_short(step.thought)}")
    if step.reflection:
        parts.append(f"   found: {_short(step.reflection)}")
    return "\n".join(parts)


def _screen(step: Step) -> str:
    seen: Observation = step.observation
    known = {"window": seen.window, "title": seen.title, "address": seen.url}
    lines = [f"{name}: {_short(value)}" for name, value in known.items() if value]
    if seen.dialog is not None:
        lines.append(f"an open dialog ({seen.dialog.kind}): {_short(seen.dialog.message)}")
    hits = [done.hit for done in step.actions if done.hit is not None and not done.hit.unsure]
    lines += [f"acted on: {hit.role} {_short(hit.name)!r}" for hit in hits]
    return "\n".join(lines) or _NOTHING


def _ending(trajectory: Trajectory) -> str:
    ended = trajectory.ending
    lines = [f"it was ended as a {ended.status}" if ended else "nobody said that it was done"]
    if trajectory.stop is not None and trajectory.stop.reason != "terminated":
        lines.append(f"it stopped: {trajectory.stop.reason}")
    if trajectory.answer:
        lines.append(f"answer: {_short(trajectory.answer)}")
    return "\n".join(lines)


def _percent(share: float) -> str:
    return "less than 0.1 %" if share < 0.001 else f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"
