"""What the viewer shows: the trajectories at a path, each read when it is looked at."""

from __future__ import annotations

from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import Verdict
from workalike.store.layers import verdicts_of
from workalike.store.pictures import PictureSource
from workalike.store.reading import home_of, pictures_at, read_trajectories
from workalike.store.trajectories import FILE, read_trajectory


class Entry(msgspec.Struct, frozen=True):
    """One line of the list."""

    index: int
    id: str
    instruction: str
    category: str | None
    stop: str | None
    outcome: str | None
    steps: int


class Shown(msgspec.Struct, frozen=True):
    """One trajectory with the verdicts on it."""

    trajectory: Trajectory
    verdicts: tuple[Verdict, ...]


class Source:
    """The trajectories at a path: a run, a folder, one file, or a packed dataset."""

    def __init__(self, path: Path, pictures: PictureSource | None = None) -> None:
        self.name = path.name or str(path)
        self._pictures = pictures or pictures_at(path)
        self._layers = verdicts_of(home_of(path))
        self.entries: list[Entry] = []
        self._places: list[Path | Trajectory] = []
        for stored in read_trajectories(path):
            self._add(stored.path if stored.path.name == FILE else stored.trajectory, stored.trajectory)
        if not self.entries:
            raise BadInput(f"{path} holds no trajectory to look at")

    def show(self, index: int) -> Shown:
        """One trajectory, read anew so that a run can be watched while it goes on."""
        place = self._places[index]
        trajectory = place if isinstance(place, Trajectory) else read_trajectory(place).trajectory
        return Shown(trajectory, self._verdicts(trajectory.id))

    def picture(self, index: int, name: str) -> bytes:
        """A picture that the trajectory itself names; nothing else is ever read."""
        known: dict[str, ImageRef] = {ref.name: ref for ref in self.show(index).trajectory.pictures}
        if name not in known:
            raise BadInput(f"the trajectory has no picture {name!r}")
        return self._pictures.read(known[name])

    def _add(self, place: Path | Trajectory, trajectory: Trajectory) -> None:
        verdicts = self._verdicts(trajectory.id)
        self._places.append(place)
        self.entries.append(
            Entry(
                len(self.entries),
                trajectory.id,
                trajectory.task.instruction,
                trajectory.task.category,
                trajectory.stop.reason if trajectory.stop else None,
                verdicts[0].outcome if verdicts else None,
                len(trajectory.steps),
            )
        )

    def _verdicts(self, trajectory: str) -> tuple[Verdict, ...]:
        found = (layer.get(trajectory) for layer in self._layers)
        return tuple(verdict for verdict in found if verdict is not None)
