"""The values of a chain of thought: what the three roles answer, and what is kept of a step and of a trajectory."""

from __future__ import annotations

from typing import Annotated

import msgspec

from workalike.core.trajectory import Step, TaskSummary, Usage
from workalike.dataset.wellformed import says_nothing
from workalike.store.layers import StepTexts

Score = Annotated[float, msgspec.Meta(ge=0, le=10)]
Words = Annotated[str, msgspec.Meta(min_length=1)]
TEXTS = ("observation_text", "thought", "action_text")
JUDGED = ("correct", "redundant", "reflection")


class Generated(msgspec.Struct, frozen=True):
    """What the generator answers: one step in words."""

    observation: Words
    thought: Words
    action: Words

    def texts(self) -> StepTexts:
        return StepTexts(self.observation.strip(), self.thought.strip(), self.action.strip())


class Reflected(msgspec.Struct, frozen=True):
    """What the reflector answers, who sees what came of a step."""

    correct: bool
    redundant: bool
    reflection: Words

    def texts(self) -> StepTexts:
        return StepTexts(reflection=self.reflection.strip(), correct=self.correct, redundant=self.redundant)


class Valued(msgspec.Struct, frozen=True):
    """What the valuer answers, who does not see what came of a step."""

    reason: Words
    value: Score


class Summarized(msgspec.Struct, frozen=True):
    """What the summarizer answers."""

    natural_language_task: Words
    actual_task: Words
    task_completed: bool
    alignment_score: Score
    efficiency_score: Score
    task_difficulty: Score
    reason: Words

    def summary(self) -> TaskSummary:
        said = msgspec.structs.asdict(self)
        whole = {name: int(value) for name, value in said.items() if isinstance(value, float) and value.is_integer()}
        return TaskSummary(**{**said, **whole})  # the published scores are whole numbers


class Annotation(StepTexts, frozen=True, omit_defaults=True):
    """A line of the layer: of a step, or of the whole trajectory. `flags` are leaks that stayed though it was asked
    again; `after_error` says that the words were written knowing that the step before was wrong or not needed;
    `failed` why something is missing; `judged` on how many judged steps a summary rests; `usage` what all this took."""

    flags: tuple[str, ...] = ()
    after_error: bool = False
    failed: str = ""
    judged: int = 0
    usage: Usage = Usage()


def is_told(step: Step) -> bool:
    """Whether a step has all its words."""
    return all(not says_nothing(getattr(step, name) or "") for name in TEXTS)


def is_judged(step: Step) -> bool:
    """Whether a step has its judgement."""
    return all(getattr(step, name) is not None for name in JUDGED)


def went_wrong(step: Step) -> bool:
    """Whether a step was judged wrong or not needed: the next is told so."""
    return step.correct is False or step.redundant is True
