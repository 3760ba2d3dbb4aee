"""Which files a user means by a path, and their lines: plain ones in byte ranges, so that several processes can share
them."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.formats.agentnet import Meta, brief_meta, decode_meta
from workalike.store.lines import open_lines, raw_lines

ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".json")
PACKED = (".gz", ".zst")
RANGE = 16 << 20
BOM = b"\xef\xbb\xbf"
Buffer = bytes | memoryview


class Origin(msgspec.Struct, frozen=True):
    """What a file of rows was made from: the path a user gave, and the file and line each of its rows came from."""

    path: Path
    places: list[tuple[Path, int]]


class Found(msgspec.Struct, frozen=True):
    """The files of rows that were meant, and the metadata that lies beside them. `origins` are those of files that were
    made for the occasion and go away."""

    rows: tuple[Path, ...]
    metadata: tuple[Path, ...] = ()
    origins: dict[Path, Origin] = {}

    def place(self, file: Path, line: int) -> tuple[Path, int]:
        """A file and line as the user knows them."""
        origin = self.origins.get(file)
        return (file, line) if origin is None else origin.places[line - 1]

    def named(self, file: Path) -> Path:
        """A file of rows as the user named it."""
        return self.origins[file].path if file in self.origins else file

    def refuse(self, *outputs: Path) -> None:
        """Refuse to write over what is read."""
        kept = {self.named(file).resolve() for file in (*self.rows, *self.metadata)}
        kept |= {file.resolve() for origin in self.origins.values() for file, _ in origin.places}
        for path in outputs:
            if path.resolve() in kept:
                raise BadInput(f"{path} is one of the files that are read; name another to write to")


class Span(msgspec.Struct, frozen=True):
    """The lines of a file that begin within a range of bytes; `end` is None for a file that can only be read
    through."""

    file: Path
    start: int = 0
    end: int | None = None


def find_files(paths: Iterable[str | Path], metadata: Sequence[Path] = ()) -> Found:
    """The files that paths, folders and patterns stand for, in order, each once. Metadata is taken along from a folder,
    and from beside a file where it has its published name."""
    rows: dict[Path, None] = {}
    beside: dict[Path, None] = {}
    for given in paths:
        for path in matches(given):
            inside = inside_of(path) if path.is_dir() else [path]
            if path.is_dir() and not inside:
                raise BadInput(f"there are no rows in {path}: name a folder with {' or '.join(ENDINGS[:3])} files")
            for file in inside:
                (beside if is_metadata(file) else rows)[file] = None
            folder = path if path.is_dir() else path.parent
            beside.update(dict.fromkeys(file for file in inside_of(folder) if is_metadata(file)))
    if not rows:
        raise BadInput(f"only metadata was found in {', '.join(map(str, paths))}; name the files of rows too")
    for file in metadata:
        if not file.is_file():
            raise BadInput(f"there is no metadata file {file}")
    return Found(tuple(rows), tuple(metadata) or tuple(beside))


def is_metadata(file: Path) -> bool:
    """Whether a file is metadata by its published name."""
    return file.name.startswith("meta_data")


def spans(file: Path, size: int = RANGE) -> list[Span]:
    """A file cut into ranges of about `size` bytes; a packed one in one piece."""
    if file.suffix in PACKED:
        return [Span(file)]
    whole = file.stat().st_size
    return [Span(file, start, min(start + size, whole)) for start in range(0, whole, size)] or [Span(file, 0, 0)]


def span_lines(span: Span) -> Iterator[tuple[int, Buffer]]:
    """The lines that begin in a span, with the place where each begins, line ends included. Those of a plain file are
    views into the file itself, valid until the next is asked for."""
    if span.end is None:
        at = 0
        for _, packed in raw_lines(span.file):
            yield at, packed
            at += len(packed)
    elif span.end > span.start:
        with open(span.file, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as mapped:
            at = mapped.find(b"\n", span.start - 1) + 1 if span.start else 0
            while (at or not span.start) and at < span.end:
                stop = mapped.find(b"\n", at) + 1 or len(mapped)
                with memoryview(mapped) as whole, whole[at:stop] as line:
                    yield at, line
                at = stop


def all_lines(files: Iterable[Path]) -> Iterator[tuple[Path, int, bytes]]:
    """Every line of several files with its number; empty lines are passed over."""
    for file in files:
        for number, line in raw_lines(file):
            if not line.isspace():
                yield file, number, line


def line_at(file: Path, offset: int, length: int) -> bytes:
    """A line again, by its place."""
    with open_lines(file) as opened:
        opened.seek(offset)
        return opened.read(length)


def read_metadata(files: Iterable[Path], whole: bool = False) -> dict[str, Meta]:
    """The metadata by id; where an id stands twice, the first counts. Unknown fields come along when the `whole` is
    asked for. A line that is none is refused: everything downstream would silently lack its system."""
    found: dict[str, Meta] = {}
    read = decode_meta if whole else brief_meta
    for file, number, line in all_lines(files):
        try:
            meta = read(line)
        except BadInput as error:
            raise BadInput(f"{file}, line {number}: {error}") from error
        found.setdefault(meta.task_id, meta)
    return found


def matches(given: str | Path) -> list[Path]:
    """The paths that a path or a pattern stands for."""
    path = Path(given)
    if path.exists():
        return [path]
    matched = [Path(name) for name in sorted(glob.glob(str(given)))]
    if not matched:
        raise BadInput(f"there is no {given}; name a file, a folder, or a pattern such as 'data/*.jsonl'")
    return matched


def inside_of(folder: Path) -> list[Path]:
    """The files in a folder that may hold rows or metadata."""
    return sorted(file for file in folder.iterdir() if file.name.endswith(ENDINGS[:3]) and file.is_file())
