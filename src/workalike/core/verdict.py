"""One verifier's judgement of one trajectory."""

from __future__ import annotations

from typing import Literal

import msgspec

from workalike.core.provenance import Provenance

Outcome = Literal["success", "failure", "refused", "blocked", "critical_point_crossed", "invalid_task", "ungraded"]
FailureClass = Literal[
    "selection",
    "hallucination",
    "execution",
    "critical_point",
    "side_effect",
    "tool_interaction",
    "ambiguity",
    "invalid_task",
]


class Score(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one criterion earned; `applies` is False where its condition did not hold."""

    criterion: str
    earned: float
    possible: float
    justification: str = ""
    applies: bool = True


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one step showed."""

    step: int | None
    text: str


class FailurePoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where and how it went wrong."""

    step: int | None
    failure: FailureClass
    text: str = ""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """A judgement: the outcome, why, and how the way there was. `ungraded` always says the reason."""

    trajectory: str
    verifier: str
    outcome: Outcome
    reason: str = ""
    process: float | None = None
    scores: tuple[Score, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    failures: tuple[FailurePoint, ...] = ()
    provenance: Provenance | None = None

    @property
    def success(self) -> bool | None:
        """Whether it counts as solved; None where nobody could tell."""
        return None if self.outcome == "ungraded" else self.outcome == "success"
