"""WebJudge, the judge of Online-Mind2Web, by its published method: key points from the task, every screenshot rated 1
to 5, those of 3 and more (at most 50) with the actions for the verdict. A baseline; the words are our own."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from workalike.core.contracts import Case, PictureSource
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import Evidence, Outcome, Verdict
from workalike.models.messages import Part, Untrusted
from workalike.pictures.codec import decode
from workalike.verify.judging import ANSWER_TOKENS, FORM_TOKENS, Asking, Filling, ModelVerifier
from workalike.verify.screens import looks_of, picture_tokens, shown
from workalike.verify.story import story_part, task_part

THRESHOLD, MOST = 3, 50


class KeyPointsAnswer(msgspec.Struct, frozen=True):
    """What a task explicitly demands."""

    key_points: tuple[str, ...]


class ScreenRating(msgspec.Struct, frozen=True):
    """How much a screenshot tells."""

    reasoning: str
    score: int


class SuccessAnswer(msgspec.Struct, frozen=True):
    """Done or not."""

    reasoning: str
    success: bool


class WebJudge(ModelVerifier):
    """The published judge: one question a screenshot, and two."""

    name: str = "webjudge"
    asks: ClassVar[tuple[str, ...]] = (
        "verify/webjudge/key_points",
        "verify/webjudge/screen",
        "verify/webjudge/outcome",
    )

    def estimate_vote(self, case: Case) -> Usage:
        looks = looks_of(case.trajectory)
        words = (len(task_part(case.trajectory.task).text) + len(story_part(case.trajectory, False).text)) // 3
        pictures = sum(map(picture_tokens, looks)) + sum(map(picture_tokens, looks[:MOST]))
        count = len(looks) + 2
        return Usage(count, count * FORM_TOKENS + words + pictures, count * ANSWER_TOKENS // 2)

    async def vote(self, asking: Asking, case: Case, pictures: PictureSource) -> Verdict:
        task = task_part(case.trajectory.task)
        points = await asking.ask("verify/webjudge/key_points", KeyPointsAnswer, {"task": task}, _wrong_points)
        key_points = Untrusted("\n".join(points.key_points), "key points")
        rated: list[tuple[int | None, Part, ScreenRating]] = []
        for look in looks_of(case.trajectory):
            picture = shown(decode(pictures.read(look.picture)), look)
            values: dict[str, Filling] = {"task": task, "key_points": key_points, "screen": picture}
            rating = await asking.ask("verify/webjudge/screen", ScreenRating, values, _wrong_rating)
            rated.append((look.step, picture, rating))
        telling = [each for each in rated if each[2].score >= THRESHOLD][:MOST]
        answer = await self._decide(asking, case.trajectory, task, key_points, telling)
        evidence = tuple(Evidence(step, rating.reasoning) for step, _, rating in telling)
        outcome: Outcome = "success" if answer.success else "failure"
        return Verdict(case.id, self.name, outcome, answer.reasoning, evidence=evidence)

    async def _decide(
        self,
        asking: Asking,
        trajectory: Trajectory,
        task: Untrusted,
        key_points: Untrusted,
        telling: list[tuple[int | None, Part, ScreenRating]],
    ) -> SuccessAnswer:
        notes = "\n".join(f"{number}. {rating.reasoning}" for number, (_, _, rating) in enumerate(telling, 1))
        values: dict[str, Filling] = {
            "task": task,
            "key_points": key_points,
            "story": story_part(trajectory, thoughts=False),
            "notes": Untrusted(notes or "(none)", "notes on screenshots"),
            "screens": tuple(picture for _, picture, _ in telling),
        }
        return await asking.ask("verify/webjudge/outcome", SuccessAnswer, values)


def _wrong_points(answer: KeyPointsAnswer) -> str | None:
    return None if any(point.strip() for point in answer.key_points) else "a task demands at least one thing"


def _wrong_rating(answer: ScreenRating) -> str | None:
    return None if 1 <= answer.score <= 5 else f"the score is from 1 to 5, not {answer.score}"
