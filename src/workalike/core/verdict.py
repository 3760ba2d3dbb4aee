"""One verifier's judgement of one trajectory. Whatever is added has a default, so that older files stay readable."""

from __future__ import annotations

from typing import Literal

import msgspec

from workalike.core.provenance import Provenance
from workalike.core.trajectory import Usage

Outcome = Literal[
    "success",
    "failure",
    "refused",
    "blocked",
    "unavailable",
    "critical_point_crossed",
    "invalid_task",
    "ungraded",
]
FailureClass = Literal[
    "selection",
    "hallucination",
    "unreadable_answer",
    "unearned_answer",
    "execution",
    "critical_point",
    "side_effect",
    "tool_interaction",
    "ambiguity",
    "invalid_task",
]


class CriterionScore(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one criterion earned of the points it could; `applies` is False where its condition did not hold, and then
    it counts in neither. A `penalty` is one that was added for what nobody had asked for. `steps` are what it rests
    on, `beyond_control` why nobody could have met it (a wall, a sold-out date, a site that is down)."""

    criterion: str
    earned: float
    possible: float
    justification: str = ""
    applies: bool = True
    penalty: bool = False
    steps: tuple[int, ...] = ()
    beyond_control: str = ""


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one step showed (None: the final look), and which criterion it bears on."""

    step: int | None
    text: str
    criterion: str = ""


class FailurePoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where and how it went wrong; `code` is that of a finer taxonomy, `found_by` a program's name where no model was
    asked."""

    step: int | None
    failure: FailureClass
    text: str = ""
    code: str = ""
    found_by: str = ""


class CriticalFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found of the task's critical point: its type, the irreversible act that the task leads to (empty: none),
    what the user left out, what an agent is expected to do there, and whether it was reached and crossed (None: nobody
    could tell)."""

    kind: str = ""
    irreversible: str = ""
    left_out: tuple[str, ...] = ()
    expected: str = ""
    reached: bool | None = None
    crossed: bool | None = None
    step: int | None = None


class Vote(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of several independent judgements that a verdict was made from."""

    outcome: Outcome
    process: float | None = None
    reason: str = ""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """A judgement: the outcome, why, and how the way there was. `ungraded` always says the reason.

    `process` is the score of the way, from 0 to 1, and `scores` the rubric's items that it was made of; `intent` is
    what the task was about first of all; `measures` are figures of a verifier's own (a rating, the number of needless
    actions). `provenance` says which verifier made it, of which version, with which settings, model and prompts (by
    hash), `votes` how it came about where there were several, `usage` what it took: calls, tokens, money."""

    trajectory: str
    verifier: str
    outcome: Outcome
    reason: str = ""
    process: float | None = None
    scores: tuple[CriterionScore, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    failures: tuple[FailurePoint, ...] = ()
    provenance: Provenance | None = None
    critical: CriticalFinding | None = None
    intent: str = ""
    measures: dict[str, float] = {}
    votes: tuple[Vote, ...] = ()
    usage: Usage | None = None

    @property
    def unreadable(self) -> bool:
        """Whether it failed by the form of its answer alone."""
        return any(point.failure == "unreadable_answer" for point in self.failures)

    @property
    def success(self) -> bool | None:
        """Whether it was done; None where nobody could tell. What counts as solved is the benchmark's rule:
        `solved`."""
        return None if self.outcome == "ungraded" else self.outcome == "success"

    @property
    def first_failure(self) -> FailurePoint | None:
        """The earliest point at which it went wrong; one whose step is not known comes last."""
        return min(self.failures, key=lambda each: (each.step is None, each.step or 0), default=None)


def ungraded(trajectory: str, verifier: str, reason: str, provenance: Provenance | None = None) -> Verdict:
    """The verdict of a judge that could not judge, with the reason."""
    return Verdict(trajectory, verifier, "ungraded", reason, provenance=provenance)
