"""The one thing that is passed between the parts: a task, its steps in order, the final look, and why it ended."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from workalike.core.actions import Action, Ask, Terminate
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.provenance import Provenance
from workalike.core.task import Task

StopReason = Literal[
    "terminated",
    "asked",
    "stopped_by_policy",
    "out_of_steps",
    "out_of_budget",
    "timed_out",
    "interrupted",
    "agent_error",
    "infrastructure_error",
]


class Usage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What talking to models took. `requests` counts the replies that were paid for. `cost` is in dollars; None means
    that a price is unknown, which is not 0. `unaccounted` counts requests that may have been paid for though their
    tokens never reached us (cut off, timed out, unreadable): where it isn't 0 the totals are a lower bound."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = 0.0
    unaccounted: int = 0

    def __add__(self, other: Usage) -> Usage:
        known = self.cost is not None and other.cost is not None
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            (self.cost or 0.0) + (other.cost or 0.0) if known else None,
            self.unaccounted + other.unaccounted,
        )


UNTOLD = Usage(cost=None)
"""What somebody took who does not say how much: unknown, not nothing."""


class ActionResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action as it was taken: when, what it hit, what went wrong, what came back (text read off a page,
    the user's reply). Times are seconds on the trajectory's own clock."""

    action: Action
    start: float | None = None
    end: float | None = None
    error: str | None = None
    hit: Element | None = None
    result: str | None = None


ASKED_AGAIN = "asked_again"
"""The kind of the notice that marks an attempt whose answer's line had to be asked for once more."""


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that happened besides the actions: a refused request, a download, a dialog, a crash."""

    kind: str
    text: str
    time: float | None = None


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One observation and the actions taken on it, with the raw reply and the texts written about it. `value` is what a
    judge expected of the step before it was seen to work out, from 0 to 10."""

    observation: Observation
    actions: tuple[ActionResult, ...] = ()
    reply: str | None = None
    observation_text: str | None = None
    thought: str | None = None
    action_text: str | None = None
    reflection: str | None = None
    correct: bool | None = None
    redundant: bool | None = None
    value: float | None = None
    notices: tuple[Notice, ...] = ()
    usage: Usage | None = None
    extra: dict[str, Any] = {}


class TaskSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was really done in a trajectory, and how well: AgentNet's fields. Scores are from 0 to 10; None is not
    known."""

    natural_language_task: str | None = None
    actual_task: str | None = None
    task_completed: bool | None = None
    alignment_score: int | float | None = None
    efficiency_score: int | float | None = None
    task_difficulty: int | float | None = None
    reason: str | None = None


class Stop(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a trajectory ended. Mechanical: whether it was any good is a verdict's business."""

    reason: StopReason
    detail: str = ""


class Trajectory(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person's demonstration or an agent's attempt: the same thing. `notices` are what happened after the last
    step."""

    id: str
    task: Task
    steps: tuple[Step, ...] = ()
    final: Observation | None = None
    notices: tuple[Notice, ...] = ()
    stop: Stop | None = None
    provenance: Provenance | None = None
    extra: dict[str, Any] = {}

    @property
    def actions(self) -> tuple[ActionResult, ...]:
        return tuple(taken for step in self.steps for taken in step.actions)

    @property
    def pictures(self) -> tuple[ImageRef, ...]:
        """Every picture in order, the final one last."""
        seen = [step.observation.picture for step in self.steps]
        seen.append(self.final.picture if self.final else None)
        return tuple(picture for picture in seen if picture is not None)

    @property
    def ending(self) -> Terminate | None:
        """The terminate action that ended it, if one did."""
        for taken in reversed(self.actions):
            if isinstance(taken.action, Terminate) and not taken.error:
                return taken.action
        return None

    @property
    def answer(self) -> str | None:
        """What the user reads last: the answer it ended with, or the question that nobody answered."""
        if self.stop is not None and self.stop.reason == "asked" and self.actions:
            last = self.actions[-1].action
            return last.question if isinstance(last, Ask) else None
        return self.ending.answer if self.ending else None

    @property
    def last_words(self) -> str | None:
        """All that was said last: the words of the last step, then the answer, or the question that nobody answered.
        None where the agent did not end it itself."""
        if not self.steps or (self.answer is None and self.ending is None):
            return None
        last = self.steps[-1]
        said = (last.observation_text, last.thought, last.action_text, self.answer)
        return "\n".join(dict.fromkeys(part for part in said if part))

    @property
    def usage(self) -> Usage:
        total = Usage()
        for step in self.steps:
            total = total + step.usage if step.usage else total
        return total
