"""Something on disk to look at: what it is, the trajectories in it, their pictures, and what is said of them. Each is
read when it is looked at, so that what is being written can be watched."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import Verdict
from workalike.models.messages import Message, PictureRef, ToolResult
from workalike.models.transcript import Exchange, exchanges
from workalike.store.layers import (
    ANNOTATIONS,
    EDITS,
    VERDICTS,
    Layer,
    StepTexts,
    find_layers,
    overlay,
    text_layers,
    verdicts_of,
)
from workalike.store.pictures import PictureSource
from workalike.store.reading import home_of, pictures_at
from workalike.store.runs import TRANSCRIPT
from workalike.store.trajectories import FILE, read_end, read_header, read_trajectory

Kind = Literal["run", "dataset", "demo", "recording", "questions"]
_REMEMBERED = 8


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One trajectory of a collection in brief. `ref` names it in addresses, `id` in layers."""

    ref: str
    id: str
    instruction: str = ""
    category: str | None = None
    steps: int = 0
    outcome: str | None = None
    stop: str | None = None


class Found(NamedTuple):
    """A trajectory as it was read, its file, and the state of that file then."""

    trajectory: Trajectory
    file: Path
    state: tuple[int, int]


class Collection:
    """What lies at a place. Several threads may ask at once."""

    kind: Kind

    def __init__(self, key: str, place: str, path: Path) -> None:
        self.key, self.place, self.path = key, place, path
        self.home = home_of(path)

    @property
    def name(self) -> str:
        return self.path.resolve().name

    def entries(self) -> Iterator[Entry]:
        """The trajectories in it, in order."""
        raise BadInput(f"{self.place} holds no trajectories")

    def trajectory(self, ref: str) -> Trajectory:
        """One trajectory as it is on disk now, with annotations and edits laid over it."""
        raise BadInput(f"{self.place} holds no trajectories")

    def neighbours(self, ref: str) -> tuple[str | None, str | None]:
        """Which trajectories come before and after one, in order."""
        refs = [entry.ref for entry in self.entries()]
        if ref not in refs:
            return None, None
        place = refs.index(ref)
        return (refs[place - 1] if place else None), (refs[place + 1] if place + 1 < len(refs) else None)

    def picture(self, ref: str, name: str) -> bytes:
        """A picture that the trajectory itself, or what was said about it, names."""
        raise BadInput(f"{self.place} holds no pictures")


class RecordingCollection(Collection):
    kind: Kind = "recording"


class QuestionCollection(Collection):
    kind: Kind = "questions"


class TrajectoryCollection(Collection):
    """A collection of trajectories; who derives from it says how one is found and read."""

    def __init__(self, key: str, place: str, path: Path, pictures: PictureSource | None = None) -> None:
        super().__init__(key, place, path)
        self.layers = Layers(self.home)
        self._given = pictures
        self._picture_source: PictureSource | None = None
        self._shown: OrderedDict[str, Found] = OrderedDict()
        self._lock = threading.Lock()

    def trajectory(self, ref: str) -> Trajectory:
        found = self._read_anew(ref)
        return self.layers.laid_over(found.trajectory)

    def is_live(self) -> bool:
        """Whether somebody is writing here."""
        return False

    def file(self, ref: str) -> Path:
        """The file that a trajectory lies in."""
        return self._read_anew(ref).file

    def exchanges(self, ref: str) -> Iterator[Exchange]:
        """What was said to models and by them in the course of it, as far as that was written down."""
        return exchanges(self.file(ref).parent / TRANSCRIPT)

    def picture(self, ref: str, name: str) -> bytes:
        trajectory = self._read_anew(ref).trajectory
        known = next((each for each in trajectory.pictures if each.name == name), None)
        known = known or next((each for each in self._sent(ref) if each.name == name), None)
        if known is None:
            raise BadInput(f"the trajectory has no picture {name[:100]!r}")
        return self._pictures.read(known)

    def _sent(self, ref: str) -> Iterator[ImageRef]:
        try:
            for exchange in self.exchanges(ref):
                for message in exchange.request.messages:
                    yield from pictures_in(message)
        except (BadInput, KeyError):  # damaged: nobody knows what was sent
            return

    @property
    def _pictures(self) -> PictureSource:
        if self._picture_source is None:
            self._picture_source = self._given or pictures_at(self.path)
        return self._picture_source

    def _read_anew(self, ref: str) -> Found:
        """The trajectory, from memory as long as its file is the same."""
        with self._lock:
            known = self._shown.get(ref)
        if known is not None and file_state(known.file) == known.state:
            return known
        found = self._read(ref)
        with self._lock:
            self._shown[ref] = found
            while len(self._shown) > _REMEMBERED:
                self._shown.popitem(last=False)
        return found

    def _read(self, ref: str) -> Found:
        """Read one trajectory; for who derives from this."""
        raise NotImplementedError


class DemoCollection(TrajectoryCollection):
    """One trajectory in a file of its own: a demonstration, or an attempt alone."""

    kind: Kind = "demo"

    @property
    def _file(self) -> Path:
        return self.path / FILE if self.path.is_dir() else self.path

    def brief(self) -> dict[str, Any]:
        """What the first page tells of it, read without its steps."""
        header, end = read_header(self._file), read_end(self._file)
        outcome = self.layers.outcomes().get(header.id)
        return {"instruction": header.task.instruction, "steps": end.steps if end else None, "outcome": outcome}

    def entries(self) -> Iterator[Entry]:
        found = self.trajectory("0")
        stop = found.stop.reason if found.stop else None
        outcome = self.layers.outcomes().get(found.id)
        yield Entry("0", found.id, found.task.instruction, found.task.category, len(found.steps), outcome, stop)

    def _read(self, ref: str) -> Found:
        if ref != "0":
            raise BadInput(f"{self.place} holds one trajectory, and it is called 0")
        state = file_state(self._file)
        return Found(read_trajectory(self._file).trajectory, self._file, state)


class Layers:
    """What is said of the trajectories in a place, opened anew when somebody has said more."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._state: object = None
        self._verdicts: list[Layer[Verdict]] = []
        self._texts: list[Layer[StepTexts]] = []
        self._outcomes: dict[str, dict[str, Verdict]] | None = None
        self._lock = threading.Lock()

    def verdicts(self, trajectory: str) -> tuple[Verdict, ...]:
        """Every verifier's verdict on a trajectory; the truth first."""
        verdicts, _ = self._open()
        return tuple(verdict for layer in verdicts if (verdict := layer.get(trajectory)) is not None)

    def by_verifier(self) -> dict[str, dict[str, Verdict]]:
        """All verdicts on whole trajectories, by verifier and trajectory; the truth first."""
        verdicts, _ = self._open()
        with self._lock:
            if self._outcomes is None:
                self._outcomes = {}
                for layer in verdicts:
                    said = {id: verdict for (id, step), verdict in layer if step is None}
                    self._outcomes.setdefault(layer.header.name, {}).update(said)
            return self._outcomes

    def outcomes(self) -> dict[str, str]:
        """What the first verifier that speaks of a trajectory says of it."""
        said = (layer for layer in reversed(self.by_verifier().values()))
        return {id: verdict.outcome for layer in said for id, verdict in layer.items()}

    def laid_over(self, trajectory: Trajectory) -> Trajectory:
        """A trajectory with annotations and edits laid over it."""
        _, texts = self._open()
        for layer in texts:
            trajectory = overlay(trajectory, layer.of(trajectory.id))
        return trajectory

    def _open(self) -> tuple[list[Layer[Verdict]], list[Layer[StepTexts]]]:
        files = [file for kind in (VERDICTS, ANNOTATIONS, EDITS) for file in find_layers(self._home, kind)]
        state = [(file, file_state(file)) for file in files]
        with self._lock:
            if state != self._state:
                self._verdicts, self._texts = verdicts_of(self._home), text_layers(self._home)
                self._state, self._outcomes = state, None
            return self._verdicts, self._texts


def pictures_in(message: Message) -> Iterator[ImageRef]:
    """The pictures that a message in a transcript refers to."""
    for part in message.parts:
        for each in part.parts if isinstance(part, ToolResult) else (part,):
            if isinstance(each, PictureRef):
                yield each.ref
                if each.source is not None:
                    yield each.source


def file_state(file: Path) -> tuple[int, int]:
    """What tells one state of a file from the next."""
    try:
        seen = file.stat()
    except OSError:
        return 0, 0
    return seen.st_size, seen.st_mtime_ns
