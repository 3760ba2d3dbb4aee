"""Where an attempt is written, whoever makes it: begun with what is asked, each step synced before the next, and ended
with how it ended or with why it was lost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from workalike.bench.attempt import AttemptEnd
from workalike.core.errors import DiskFailed, Infrastructure, WorkalikeError
from workalike.core.provenance import Provenance
from workalike.core.task import Task
from workalike.core.trajectory import Step, Stop
from workalike.store.pictures import PictureStore
from workalike.store.runs import PICTURES
from workalike.store.trajectories import FILE, TrajectoryWriter


class AttemptJournal:
    """Writes one attempt. Leaving it by an error writes down that the attempt was lost, and to what:

    with AttemptJournal.create(folder, task.id, task) as journal:
        journal.end(await attempt(agent, environment, task, journal))
    """

    def __init__(self, pictures: PictureStore, writer: TrajectoryWriter) -> None:
        self.pictures, self._writer = pictures, writer
        self._ended = False

    @classmethod
    def create(
        cls,
        folder: Path,
        id: str,
        task: Task,
        provenance: Provenance | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> AttemptJournal:
        """An attempt in a folder of its own, outside any run."""
        return cls(PictureStore(folder / PICTURES), TrajectoryWriter.create(folder / FILE, id, task, provenance, extra))

    async def step(self, step: Step, picture: bytes | None) -> None:
        """A step, on disk when this comes back: its picture first, then the line that names it."""
        if picture is not None:
            self.pictures.put(picture)
        self._writer.step(step)

    def end(self, end: AttemptEnd) -> None:
        """How it ended."""
        if end.picture is not None:
            self.pictures.put(end.picture)
        self._finish(end.stop, end)

    def lose(self, stop: Stop) -> None:
        """A try that does not count, and why."""
        if not self._ended:
            self._finish(stop, AttemptEnd(stop))

    def _finish(self, stop: Stop, end: AttemptEnd) -> None:
        self._ended = True
        self._writer.finish(stop, end.observation, end.notices, end.facts)

    def __enter__(self) -> AttemptJournal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is not None and not isinstance(error, DiskFailed):  # then there is no room for an end line either
                self.lose(_lost_to(error))
        finally:
            self._writer.close()


def _lost_to(error: BaseException) -> Stop:
    if isinstance(error, Infrastructure):
        return Stop("infrastructure_error", str(error))
    return Stop("interrupted", str(error) if isinstance(error, WorkalikeError) else "")
