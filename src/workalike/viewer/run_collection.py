"""A run to look at, also while it goes on: its attempts out of the run's own index, each read when it is looked at."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from workalike.core.errors import BadInput
from workalike.core.task import Task
from workalike.store.index import AttemptSummary, RunIndex
from workalike.store.names import safe_name
from workalike.store.pictures import PictureSource
from workalike.store.runs import Run
from workalike.viewer.collection import Entry, Found, Kind, TrajectoryCollection, file_state
from workalike.viewer.dataset_collection import DatasetCollection


class RunCollection(TrajectoryCollection):
    kind: Kind = "run"

    def __init__(self, key: str, place: str, path: Path, pictures: PictureSource | None = None) -> None:
        super().__init__(key, place, path, pictures)
        self._run: Run | None = None
        self._index: RunIndex | None = None
        self._refreshing = threading.Lock()

    @property
    def run(self) -> Run:
        if self._run is None:
            self._run = Run(self.path)
        return self._run

    @cached_property
    def dataset(self) -> DatasetCollection:
        """The same as a dataset: its attempts to be searched by their words and filtered like rows."""
        return DatasetCollection(self.key, self.place, self.path)

    def is_live(self) -> bool:
        return self.run.writer is not None

    def tasks(self) -> list[Task]:
        return list(self.run.tasks())

    def attempts(self) -> list[AttemptSummary]:
        """Every attempt as it is on disk now; those that cannot be read say so."""
        with self._refreshing:
            if self._index is None:
                self._index = RunIndex(self.run)
            return [each for each in self._index.refresh() if not each.aside]

    def entries(self) -> Iterator[Entry]:
        tasks, outcomes = {task.id: task for task in self.run.tasks()}, self.layers.outcomes()
        for each in self.attempts():
            if not each.damaged:
                task, stop = tasks[each.task], each.stop.reason if each.stop else None
                outcome = outcomes.get(each.id)
                yield Entry(ref_of(each), each.id, task.instruction, task.category, each.steps, outcome, stop)

    def _read(self, ref: str) -> Found:
        run = f"{self.run.info.id}/"
        attempt = self.run.attempt(ref if ref.startswith(run) else run + ref)
        if attempt is None:
            raise BadInput(f"the run has no attempt {ref[:200]!r}")
        state = file_state(attempt.path)
        return Found(attempt.read().trajectory, attempt.path, state)


def ref_of(attempt: AttemptSummary) -> str:
    """How addresses name an attempt: its place in the run."""
    return f"{safe_name(attempt.task)}/{attempt.repeat}.{attempt.try_}"
