"""Answers without a readable line, recovered: a model that sees the message and the form of the answer, and never the
key, writes the line that the message amounts to, and the same comparison judges it. A column of its own, never mixed
into strict accuracy."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from workalike.core.contracts import Case, Needs, PictureSource
from workalike.core.key import Key, RowChange, Shown
from workalike.core.task import Task
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import Verdict, ungraded
from workalike.models.messages import Untrusted
from workalike.verify import state
from workalike.verify.answer import STATUSES
from workalike.verify.judging import ANSWER_TOKENS, FORM_TOKENS, Asking, Filling, ModelVerifier
from workalike.verify.story import cut


class RecoveredAnswer(msgspec.Struct, frozen=True):
    """The line that a message amounts to."""

    found: bool
    line: str


class RecoveredVerifier(ModelVerifier):
    """One question where the line could not be read, none where it could: then it is the state's own verdict."""

    name: str = "recovered"
    needs: Needs = Needs(key="all", model=True)
    asks: ClassVar[tuple[str, ...]] = ("verify/recovered",)

    def estimate_vote(self, case: Case) -> Usage:
        if case.key is None or not _unread(case.trajectory, case.key):
            return Usage()
        return Usage(1, FORM_TOKENS + len(case.trajectory.last_words or "") // 3, ANSWER_TOKENS // 4)

    async def vote(self, asking: Asking, case: Case, pictures: PictureSource) -> Verdict:
        trajectory, key = case.trajectory, case.key
        if key is None:
            return ungraded(case.id, self.name, "this task has no key")
        strict = replace(state.judge_trajectory(trajectory, key), verifier=self.name)
        if not _unread(trajectory, key):
            return strict
        values: dict[str, Filling] = {
            "form": Untrusted(form_told(trajectory.task), "form of the answer"),
            "message": Untrusted(cut(trajectory.last_words or ""), "message of the agent"),
        }
        answer = await asking.ask("verify/recovered", RecoveredAnswer, values, _wrong)
        if not answer.found:
            return replace(strict, reason=f"{strict.reason}; the message states no answer either")
        changes = msgspec.convert(trajectory.extra[state.CHANGES], tuple[RowChange, ...])
        shown = msgspec.convert(trajectory.extra.get(state.SHOWN, ()), tuple[Shown, ...])
        verdict = state.judge(key, changes, answer.line, shown, trajectory.id)
        return replace(verdict, verifier=self.name, measures={"recovered": 1.0})


def form_told(task: Task) -> str:
    """The form of an answer in words: its fields with their kinds, or one of a few words.

    >>> form_told(Task("a", "b"))
    'ANSWER: done | unavailable | blocked | impossible | refused'
    """
    fields = "; ".join(f"{field.name} = ({field.kind.replace('_', ' ')})" for field in task.form or ())
    words = " | ".join(STATUSES)
    return f"ANSWER: {fields}\nor, instead: ANSWER: {words}" if fields else f"ANSWER: {words}"


def _unread(trajectory: Trajectory, key: Key) -> bool:
    """Whether an attempt failed by the form of its answer alone, and said something."""
    return bool((trajectory.last_words or "").strip()) and state.judge_trajectory(trajectory, key).unreadable


def _wrong(answer: RecoveredAnswer) -> str | None:
    if answer.found and (not answer.line.startswith("ANSWER:") or "\n" in answer.line.strip()):
        return "the line begins with ANSWER: and is one line"
    return None
