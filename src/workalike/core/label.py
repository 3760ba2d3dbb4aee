"""What somebody who knows says of a trajectory: to compare verifiers with."""

from __future__ import annotations

import msgspec

TRUTH = "truth"
"""The labeller who knows: the town's database, or whoever made a trajectory go wrong on purpose."""


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
