"""What is to be annotated, and how: the trajectories at some paths, recordings as what they are reduced to."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from workalike.annotate.annotator import Method
from workalike.annotate.leaks import with_trees
from workalike.core.errors import BadInput
from workalike.core.trajectory import Trajectory
from workalike.dataset.sources import SourceChoice, expanded, from_ours, is_rows, trajectories
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import reduce_recording
from workalike.store.config import need_amount, need_count
from workalike.store.pictures import FirstOf, PictureSource, open_pictures
from workalike.store.reading import home_of, pictures_at
from workalike.store.recordings import Recording, demonstration_in, is_recording, recordings_in
from workalike.store.reduced import rejection

ANSWERS = "answers"
"""What is named as the model where replies come out of a folder, whoever gave them."""


class AnnotateConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What is annotated, and how. `redo` names a round in which everything is asked for anew; `prior` is what is known
    of how the demonstrations came out, `verdicts` takes it from the run's own; `value` says whether steps are given
    one; `recordings` are where those lie that demonstrations were reduced from: their trees tell what only comes
    later."""

    paths: tuple[str, ...]
    model: str = ""
    sampling: dict[str, Any] = {}
    metadata: tuple[Path, ...] = ()
    images: tuple[Path, ...] = ()
    recordings: tuple[Path, ...] = ()
    layers: Path | None = None
    out: Path | None = None
    method: Method = "reflective"
    prior: str | None = None
    value: bool = True
    redo: int = 0
    limit: int | None = None
    jobs: int = 4
    requests: int = 8
    cap: float | None = None

    def __post_init__(self) -> None:
        for name in ("jobs", "requests", "limit"):
            need_count(f"--{name}", getattr(self, name))
        need_amount("--cap", self.cap)
        if self.redo < 0:
            raise BadInput(f"--redo {self.redo}: rounds are counted from 1")
        for path in (*self.images, *self.metadata):
            if not path.exists():
                raise BadInput(
                    f"there is no {path}; name where the pictures (--images) or the metadata (--metadata) are"
                )


class Demonstration(msgspec.Struct, frozen=True):
    """A trajectory to annotate, the folder that its layer belongs to, and where it lies itself, with its pictures."""

    home: Path
    path: Path
    trajectory: Trajectory


def demonstrations(
    config: AnnotateConfig, tell: Callable[[str], object] = lambda text: None
) -> Iterator[Demonstration]:
    """Every trajectory that is asked for, each id once: a layer could not tell two apart."""
    choice, recorded = SourceChoice(layers=not config.redo, reviewed=False), _recorded(config.recordings)
    seen: set[tuple[Path, str]] = set()
    count = 0
    for path in _reduced(config.paths, recorded, tell):
        home = home_of(path)
        for where, trajectory in _found(path, config.metadata, choice, tell):
            if (home, trajectory.id) in seen:
                tell(f"{trajectory.id} stands twice in {path}: the second is left out; see `dataset dedupe --same-id`")
                continue
            if config.limit is not None and count >= config.limit:
                return
            seen.add((home, trajectory.id))
            count += 1
            known = recorded.get(trajectory.id)
            yield Demonstration(home, where, with_trees(trajectory, list(known.trees())) if known else trajectory)


def _reduced(paths: Sequence[str], recorded: dict[str, Recording], tell: Callable[[str], object]) -> Iterator[Path]:
    """What paths stand for, recordings as the demonstrations that they are reduced to, now or before; `recorded` takes
    them. What was reduced before is never replaced: words that were paid for belong to its steps."""
    for path in expanded(paths):
        at = path if is_recording(path) else path.parent
        reduced = demonstration_in(at)
        if not is_recording(at) or path not in (at, reduced):
            yield path
            continue
        recording = Recording(at)
        rejected = rejection(recording)
        if rejected is not None:
            tell(f"{at} {rejected}: it is left out")
            continue
        if path == at:
            made = reduce_recording(recording, reduced, settings_of(recording.header.settings))
            if made.matched and made.blind == len(made.matched):
                shutil.rmtree(reduced)
                raise BadInput(f"{at} has no frame of any of its steps: look whether its video is there and whole")
            tell(f"{at} is a recording: its {len(made.matched)} steps lie in {reduced} now")
        recorded[recording.header.id] = recording
        yield reduced


def _recorded(paths: Sequence[Path]) -> dict[str, Recording]:
    """The recordings at and below some paths, by the ids that their demonstrations share."""
    found: dict[str, Recording] = {}
    for path in paths:
        here = list(map(Recording, recordings_in(path)))
        if not here:
            raise BadInput(f"--recordings {path}: there is no recording at or below it")
        found.update((each.header.id, each) for each in here)
    return found


def _found(
    path: Path, metadata: Sequence[Path], choice: SourceChoice, tell: Callable[[str], object]
) -> Iterator[tuple[Path, Trajectory]]:
    if is_rows(path):
        yield from ((path, trajectory) for trajectory in trajectories([path], metadata, choice, tell))
    else:
        yield from ((stored.path, stored.trajectory) for stored in from_ours(path, choice, tell))


def pictures_of(path: Path, images: Sequence[Path]) -> PictureSource:
    """Where the pictures of the trajectories at a path lie: where the user says, else beside them."""
    return FirstOf(open_pictures(*images), pictures_at(path)) if images else pictures_at(path)
