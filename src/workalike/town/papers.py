"""The files that tasks of the town hand to an agent: a task says where one lies within the town, so that nothing of a
machine's own folders is written down, and whoever carries the task out, on whatever machine, finds it there."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from workalike.core.task import Task

TOWN = Path(__file__).parent


def within(path: Path) -> str:
    """Where a file lies within the town."""
    return path.relative_to(TOWN).as_posix()


def at_hand(task: Task) -> Task:
    """The task with its files where they lie on this machine."""
    return replace(task, files=tuple(replace(file, path=str(TOWN / file.path)) for file in task.files))
