"""A process that writes a run as fast as it can and says what it has written once that is on disk; to be killed.

What it writes is decided by the run alone: it goes on with an interrupted attempt or begins another, and a step's
content follows from its attempt and number, so that a lost, doubled or changed step shows.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
from pathlib import Path

from workalike.core.actions import Click
from workalike.core.observation import Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop
from workalike.core.verdict import Verdict
from workalike.store.layers import LayerWriter
from workalike.store.pictures import PictureStore
from workalike.store.runs import Attempt, RunInfo, RunWriter
from workalike.store.trajectories import TrajectoryWriter

INFO = RunInfo("kill-1", "2025-11-15T00:00:00Z", {"agent": "victim"})
TASKS = tuple(Task(f"task/{letter}", f"Do {letter}") for letter in "abc")


def picture(attempt: str, index: int) -> bytes:
    """The picture of a step; every third is one that all attempts share."""
    seed = f"shared {index}" if index % 3 == 0 else f"{attempt} {index}"
    chance = random.Random(seed)
    return b"\x89PNG" + seed.encode() + chance.randbytes(chance.choice((500, 20_000, 200_000)))


def length(attempt: str) -> int:
    """How many steps an attempt takes."""
    return hashlib.sha256(attempt.encode()).digest()[0] % 9


def reply(attempt: str, index: int) -> str:
    """The text of a step; some are so long that a kill may come in the middle of writing them."""
    return f"{attempt} {index} " * (50_000 if index % 4 == 2 else 1)


def step(attempt: str, index: int, pictures: PictureStore) -> Step:
    """A step, its picture kept first."""
    ref = pictures.put(picture(attempt, index), Size(1440, 900))
    return Step(Observation(ref, Size(1440, 900)), (ActionResult(Click(Point(0.5, 0.5))),), reply=reply(attempt, index))


def say(*words: object) -> None:
    """Tell whoever listens, in one write."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def attend(run: RunWriter, verdicts: LayerWriter[Verdict], attempt: Attempt, writer: TrajectoryWriter) -> None:
    """Take an attempt from where it stands to its end and judge it."""
    with writer:
        while writer.steps < length(attempt.id):
            say("step", attempt.id, writer.step(step(attempt.id, writer.steps, run.pictures)))
        writer.finish(Stop("terminated"))
    say("end", attempt.id)
    verdicts.put(attempt.id, Verdict(attempt.id, "state", "success"))
    say("verdict", attempt.id)


def main(folder: Path) -> None:
    with RunWriter(folder, INFO, TASKS) as run, LayerWriter(folder, "verdicts", "state", Verdict) as verdicts:
        say("ready")
        for attempt in list(run.attempts()):
            if attempt.end() is None:
                attend(run, verdicts, attempt, TrajectoryWriter.reopen(attempt.path))
        repeat = 0
        while True:
            repeat += 1
            for task in TASKS:
                attend(run, verdicts, *run.begin(task, repeat % 50 + 1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
