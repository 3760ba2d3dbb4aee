"""A dataset in one file: one trajectory a line, plain, gzip or zstd as the file's ending says (`.jsonl`, `.jsonl.gz`,
`.jsonl.zst`). Pictures stay where they are and are named by reference."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from workalike.core.errors import BadInput, Damaged
from workalike.core.trajectory import Trajectory
from workalike.store.files import replacing
from workalike.store.lines import decode, raw_lines, readable
from workalike.store.trajectories import FILE, Stored

ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
_TRAJECTORY = msgspec.json.Decoder(Trajectory)


def is_packed(path: Path) -> bool:
    """Whether a path names a packed dataset, told by its ending."""
    return path.name.endswith(ENDINGS) and path.name != FILE


def read_packed(path: Path, on_damaged: Callable[[Damaged], object] | None = None) -> Iterator[Stored]:
    """Every trajectory of a packed dataset, one at a time. A damaged line goes to `on_damaged` and the rest is read, or
    is raised where nobody asked for that."""
    for number, line in raw_lines(path):
        if line.isspace():
            continue
        try:
            trajectory = decode(line, _TRAJECTORY, path, number)
        except Damaged as error:
            if on_damaged is None:
                raise
            on_damaged(error)
        else:
            yield Stored(path, trajectory, trajectory.stop is not None, line=number)


def write_packed(path: Path, trajectories: Iterable[Trajectory]) -> int:
    """Write a packed dataset, whole or not at all; the same trajectories give the same bytes. How many there were."""
    count = 0
    with writing(path) as packed:
        for trajectory in trajectories:
            packed.write(readable(trajectory, _TRAJECTORY, f"the trajectory {trajectory.id!r}"))
            count += 1
    return count


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A file to write lines into, packed as its ending says, that takes its place when the block ends well."""
    with replacing(path) as file, _packing(file, path) as packed:
        yield packed


@contextmanager
def _packing(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """A file to write into that packs what it gets as the ending says."""
    if path.suffix == ".gz":
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif path.suffix == ".zst":
        from backports import zstd

        with zstd.open(file, "wb") as stream:
            stream.write(b"")  # without it a dataset of nothing would not even be an empty zstd file
            yield cast(BinaryIO, stream)
    elif path.suffix == ".jsonl":
        yield file
    else:
        raise BadInput(f"{path} does not end in one of {', '.join(ENDINGS)}; name it so that its packing can be told")
