"""Trajectories from wherever they lie (a file, a folder, a run, a packed dataset) with their pictures, and out of one
form into another."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput, Damaged
from workalike.store.files import need_new
from workalike.store.lines import NOT_READABLE, raw_lines
from workalike.store.names import safe_name
from workalike.store.packed import ENDINGS, is_packed, read_packed, write_packed
from workalike.store.pictures import PictureSource, open_pictures
from workalike.store.recordings import demonstration_in, is_recording
from workalike.store.runs import Run, find_run, is_run
from workalike.store.trajectories import FILE, Stored, find_trajectories, read_trajectory, write_trajectory

OnDamaged = Callable[[Damaged], object]


def read_trajectories(path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Stored]:
    """Every trajectory at a path a user gave, one at a time, in memory that does not grow with their number. Where a
    folder holds none by itself, the packed datasets in it are read.

    A damaged one goes to `on_damaged` and the rest is read, or is raised where nobody asked for that.
    """
    if is_packed(path) and not path.is_dir():
        return read_packed(path, on_damaged)
    files = trajectory_files(path)
    first = next(files, None)
    if first is not None:
        return _read_each(itertools.chain([first], files), on_damaged)
    return (stored for file in packed_in(path) for stored in read_packed(file, on_damaged))


def packed_in(path: Path) -> list[Path]:
    """The packed datasets that lie in a folder which is no run, told from other files by their first line."""
    if not path.is_dir() or is_run(path):
        return []
    return sorted(file for file in path.iterdir() if is_packed(file) and file.is_file() and holds_trajectories(file))


def holds_trajectories(file: Path) -> bool:
    """Whether the first line of a file is a whole trajectory of ours; damage is for who reads it to tell."""
    try:
        line = next((line for _, line in raw_lines(file) if not line.isspace()), b"")
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (BadInput, *NOT_READABLE):
        return False
    return {"id", "task"} <= fields.keys() and not {"line", "traj"} & fields.keys()


def home_of(path: Path) -> Path:
    """Where that lies which belongs to the trajectories at a path (layers, pictures): their run, or else the folder;
    of a recording that was reduced, its demonstration's."""
    if is_recording(path) and (demonstration_in(path) / FILE).is_file():
        return demonstration_in(path)
    return find_run(path) or (path if path.is_dir() else path.parent)


def pictures_at(path: Path) -> PictureSource:
    """The pictures of the trajectories at a path: those of their run, or those that lie beside them."""
    home = home_of(path)
    if is_run(home):
        return open_pictures(home)
    beside = [folder for folder in (home / "pictures", home / "images") if folder.is_dir()]
    return open_pictures(*beside, home)


def trajectory_files(path: Path) -> Iterator[Path]:
    """The files at a path that hold one trajectory each."""
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
    need_new(target)
    count = 0
    for stored in read_trajectories(source, on_damaged):
        write_trajectory(_free(target / safe_name(stored.trajectory.id)) / FILE, stored.trajectory)
        count += 1
    return count


def _free(folder: Path) -> Path:
    """The folder, or one beside it where it is taken: published datasets have ids that stand twice."""
    names = (folder.with_name(f"{folder.name}-{number}") for number in itertools.count(2))
    return folder if not folder.exists() else next(name for name in names if not name.exists())
