"""Needless and looping actions, 1 to 5. Where actions alone tell, no model is asked: a loop over half of the way, or a
short way without a single doubtful step."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import msgspec

from workalike.core.contracts import Case, Needs, PictureSource
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import FailurePoint, Verdict
from workalike.verify.findings import findings, needless
from workalike.verify.judging import ANSWER_TOKENS, FORM_TOKENS, Asking, Filling, ModelVerifier
from workalike.verify.story import findings_part, story_part, task_part

SHORT = 4
"""A way of so few steps without anything doubtful needs no judge."""
LOST = 0.5
"""From this share of plainly needless steps on the worst rating is plain, too."""


class EfficiencyAnswer(msgspec.Struct, frozen=True):
    """Which steps did nothing for the task, and a rating."""

    reasoning: str
    needless: tuple[int, ...]
    rating: int


class EfficiencyVerifier(ModelVerifier):
    """One question at most, without pictures. It says nothing about the task's success: its outcome is `success` from a
    rating of 3 on, and the rating stands among its measures."""

    name: str = "efficiency"
    needs: Needs = Needs(model=True)
    asks: ClassVar[tuple[str, ...]] = ("verify/efficiency",)

    def estimate_vote(self, case: Case) -> Usage:
        if plain_rating(case.trajectory) is not None:
            return Usage()
        return Usage(1, FORM_TOKENS + len(story_part(case.trajectory).text) // 3, ANSWER_TOKENS)

    async def vote(self, asking: Asking, case: Case, pictures: PictureSource) -> Verdict:
        trajectory, plain = case.trajectory, plain_rating(case.trajectory)
        if plain is not None:
            return _verdict(case, plain, needless(trajectory), "told from the actions alone")
        values: dict[str, Filling] = {
            "task": task_part(trajectory.task),
            "story": story_part(trajectory),
            "findings": findings_part(findings(trajectory)),
        }
        check = partial(_wrong, steps=len(trajectory.steps))
        answer = await asking.ask("verify/efficiency", EfficiencyAnswer, values, check)
        steps = tuple(sorted({step - 1 for step in answer.needless} | set(needless(trajectory))))
        return _verdict(case, answer.rating, steps, answer.reasoning)


def plain_rating(trajectory: Trajectory) -> int | None:
    """The rating where actions alone suffice."""
    steps, lost = len(trajectory.steps), len(needless(trajectory))
    if steps == 0 or (steps <= SHORT and not lost):
        return 5
    looped = any(each.kind == "loop" for each in findings(trajectory))
    return 1 if looped and lost / steps >= LOST else None


def _verdict(case: Case, rating: int, steps: tuple[int, ...], reason: str) -> Verdict:
    total = len(case.trajectory.steps)
    return Verdict(
        case.id,
        EfficiencyVerifier.name,
        "success" if rating >= 3 else "failure",
        reason,
        (rating - 1) / 4,
        failures=tuple(FailurePoint(step, "tool_interaction", "did nothing for the task") for step in steps),
        measures={"rating": float(rating), "needless": float(len(steps)), "steps": float(total)},
    )


def _wrong(answer: EfficiencyAnswer, steps: int) -> str | None:
    if not 1 <= answer.rating <= 5:
        return f"the rating is from 1 to 5, not {answer.rating}"
    bad = next((step for step in answer.needless if not 1 <= step <= steps), None)
    if bad is not None:
        return f"there is no step {bad}"
    if answer.rating == 5 and 3 * len(answer.needless) > steps:
        return "a third of the steps were needless, yet hardly a step could be left out"
    return None
