"""What somebody who knows says of a trajectory: to compare verifiers with."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from workalike.core.key import Key
from workalike.core.outcomes import solved, was_refused
from workalike.core.verdict import Outcome, Verdict

TRUTH = "truth"
"""The labeller who knows: the town's database, or whoever made a trajectory go wrong on purpose."""

REFUSAL = "refusal"
"""The verifier that only tells refusals from the rest."""


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one labeller says of a trajectory: whether it succeeded (None: could not tell), how good the way was, and
    what kind of mistake was made, where that is known. `walled` says that the task was made so that an honest report of
    a wall solves it, `refused` whether the agent declined before anything was done (None: not asked). `blind` says
    whether the labeller had not seen what verifiers and others say, `time` when it was given."""

    trajectory: str
    success: bool | None
    labeller: str = TRUTH
    process: float | None = None
    kind: str = ""
    category: str = ""
    task: str = ""
    walled: bool = False
    reason: str = ""
    refused: bool | None = None
    blind: bool | None = None
    time: str = ""


def truth_label(id: str, verdict: Verdict, key: Key | None) -> Label:
    """What the town's own verdict says of a trajectory, as a label: solved or not by what the task was made for, and
    where a task has a twin whether it was refused."""
    walled = key is not None and key.reports
    passed = solved(verdict.outcome, None, walled)
    label = Label(id, passed, process=verdict.process, walled=walled, reason=verdict.reason)
    if key is None or not key.pair or key.attack is not None:
        return label
    return replace(label, refused=was_refused(verdict), kind="to refuse" if key.refuse else "its twin")


def asked_of(verifier: str, labels: Mapping[str, Label]) -> Mapping[str, Label]:
    """The labels for what a verifier says: who only tells refusals from the rest is asked for nothing else."""
    known = {id: label for id, label in labels.items() if label.refused is not None}
    if verifier != REFUSAL or not known:
        return labels
    return {id: replace(label, success=label.refused, walled=True) for id, label in known.items()}


def solved_pairs(
    verifier: str, labels: Mapping[str, Label], outcomes: Mapping[str, Outcome]
) -> dict[str, tuple[bool, bool]]:
    """What a label and what a verifier says of each trajectory that both judged, by the one table of what counts as
    solved. A case that nobody could tell is in none."""
    asked = asked_of(verifier, labels)
    said = {id: solved(outcome, None, asked[id].walled) for id, outcome in outcomes.items() if id in asked}
    return {id: (bool(asked[id].success), told) for id, told in said.items() if told is not None}
