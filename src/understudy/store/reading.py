"""Trajectories from wherever they lie (a file, a folder, a run, a packed dataset) with their pictures, and out of one
form into another."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

from understudy.core.errors import BadInput, Damaged
from understudy.store.names import safe_name
from understudy.store.packed import ENDINGS, is_packed, read_packed, write_packed
from understudy.store.pictures import PictureSource, open_pictures
from understudy.store.runs import Run, find_run, is_run
from understudy.store.trajectories import FILE, Stored, find_trajectories, read_trajectory, write_trajectory

OnDamaged = Callable[[Damaged], object]


def read_trajectories(path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Stored]:
    """Every trajectory at a path a user gave, one at a time, in memory that does not grow with their number.

    A damaged one goes to `on_damaged` and the rest is read, or is raised where nobody asked for that.
    """
    if is_packed(path) and not path.is_dir():
        return read_packed(path, on_damaged)
    return _read_each(_files(path), on_damaged)


def home_of(path: Path) -> Path:
    """Where that lies which belongs to the trajectories at a path (layers, pictures): their run, or else the folder."""
    return find_run(path) or (path if path.is_dir() else path.parent)


def pictures_at(path: Path) -> PictureSource:
    """The pictures of the trajectories at a path: those of their run, or those that lie beside them."""
    home = home_of(path)
    if is_run(home):
        return open_pictures(home)
    beside = [folder for folder in (home / "pictures", home / "images") if folder.is_dir()]
    return open_pictures(*beside, home)


def _files(path: Path) -> Iterator[Path]:
    if path.is_file() and path.name.endswith(ENDINGS):
        return iter([path])
    if is_run(path):
        return (attempt.path for attempt in Run(path).attempts())
    if path.is_dir():
        return find_trajectories(path)
    what = "is not a file of trajectories" if path.exists() else "does not exist"
    raise BadInput(f"{path} {what}; name a {FILE}, a folder or run that holds some, or a file in {', '.join(ENDINGS)}")


def _read_each(paths: Iterator[Path], on_damaged: OnDamaged | None) -> Iterator[Stored]:
    for path in paths:
        try:
            yield read_trajectory(path)
        except Damaged as error:
            if on_damaged is None:
                raise
            on_damaged(error)


def pack(source: Path, target: Path, on_damaged: OnDamaged | None = None) -> int:
    """Gather trajectories into one file. How many there were."""
    return write_packed(target, (stored.trajectory for stored in read_trajectories(source, on_damaged)))


def unpack(source: Path, target: Path, on_damaged: OnDamaged | None = None) -> int:
    """Lay trajectories into a new folder, each in one of its own. How many there were."""
    if target.exists() and any(target.iterdir()):
        raise BadInput(f"{target} is not empty; choose a new folder to unpack into")
    count = 0
    for stored in read_trajectories(source, on_damaged):
        write_trajectory(_free(target / safe_name(stored.trajectory.id)) / FILE, stored.trajectory)
        count += 1
    return count


def _free(folder: Path) -> Path:
    """The folder, or one beside it where it is taken: published datasets have ids that stand twice."""
    names = (folder.with_name(f"{folder.name}-{number}") for number in itertools.count(2))
    return folder if not folder.exists() else next(name for name in names if not name.exists())
