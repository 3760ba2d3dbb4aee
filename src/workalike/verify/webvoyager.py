"""WebVoyager's judge by its published method: the task, the answer and the last screenshots, one question. A baseline;
the words are our own. Its published rule that an attempt without an answer is not asked about stands here, too."""

from __future__ import annotations

from typing import ClassVar

from workalike.core.contracts import Case, PictureSource
from workalike.core.trajectory import Usage
from workalike.core.verdict import Verdict
from workalike.pictures.codec import decode
from workalike.verify.findings import silent
from workalike.verify.judging import ANSWER_TOKENS, FORM_TOKENS, Asking, Filling, ModelVerifier
from workalike.verify.screens import looks_of, picture_tokens, shown
from workalike.verify.story import answer_part, task_part
from workalike.verify.webjudge import SuccessAnswer

MOST = 30


class WebVoyagerJudge(ModelVerifier):
    """One question with the last 30 screenshots."""

    name: str = "webvoyager"
    asks: ClassVar[tuple[str, ...]] = ("verify/webvoyager",)

    def estimate_vote(self, case: Case) -> Usage:
        pictures = sum(map(picture_tokens, looks_of(case.trajectory)[-MOST:]))
        return Usage(1, FORM_TOKENS + pictures, ANSWER_TOKENS)

    async def vote(self, asking: Asking, case: Case, pictures: PictureSource) -> Verdict:
        if silent(case.trajectory):
            return Verdict(case.id, self.name, "failure", "there is no answer, and this method fails those unasked")
        looks = looks_of(case.trajectory)[-MOST:]
        values: dict[str, Filling] = {
            "task": task_part(case.trajectory.task),
            "answer": answer_part(case.trajectory),
            "count": str(len(looks)),
            "screens": tuple(shown(decode(pictures.read(look.picture)), look) for look in looks),
        }
        answer = await asking.ask("verify/webvoyager", SuccessAnswer, values)
        return Verdict(case.id, self.name, "success" if answer.success else "failure", answer.reasoning)
