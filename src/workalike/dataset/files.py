"""Which files a user means by a path, and their lines: plain ones in byte ranges, so that several processes can share
them."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput, Damaged
from workalike.dataset.defects import Defect
from workalike.dataset.wellformed import doubled_names
from workalike.formats.agentnet import Meta, meta_document, meta_faults, to_meta
from workalike.store.lines import open_lines, raw_lines
from workalike.store.runs import is_run

ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".json")
PACKED = (".gz", ".zst")
RANGE = 16 << 20
BOM = b"\xef\xbb\xbf"
Buffer = bytes | memoryview
Sink = Callable[[Defect], object]


class Origin(msgspec.Struct, frozen=True):
    """What a file of rows was made from: the path a user gave, and the file and line each of its rows came from."""

    path: Path
    places: list[tuple[Path, int]]


class RowFiles(msgspec.Struct, frozen=True):
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


class LineSpan(msgspec.Struct, frozen=True):
    """The lines of a file that begin within a range of bytes; `end` is None for a file that can only be read
    through."""

    file: Path
    start: int = 0
    end: int | None = None


def find_files(paths: Iterable[str | Path], metadata: Sequence[Path] = ()) -> RowFiles:
    """The files that paths, folders and patterns stand for, in order, each once. Metadata is taken along from a folder,
    and from beside a file where it has its published name."""
    rows: dict[Path, None] = {}
    beside: dict[Path, None] = {}
    for given in paths:
        for path in matches(given):
            if is_run(path):
                raise BadInput(f"{path} is a run and holds no rows; `workalike dataset export` makes some of it")
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
    return RowFiles(tuple(rows), tuple(metadata) or tuple(beside))


def is_metadata(file: Path) -> bool:
    """Whether a file is metadata by its published name."""
    return file.name.startswith("meta_data")


def spans(file: Path, size: int = RANGE) -> list[LineSpan]:
    """A file cut into ranges of about `size` bytes; a packed one in one piece."""
    if file.suffix in PACKED:
        return [LineSpan(file)]
    whole = file.stat().st_size
    return [LineSpan(file, start, min(start + size, whole)) for start in range(0, whole, size)] or [
        LineSpan(file, 0, 0)
    ]


def span_lines(span: LineSpan) -> Iterator[tuple[int, Buffer]]:
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


def all_lines(files: Iterable[Path], sink: Sink) -> Iterator[tuple[Path, int, bytes]]:
    """Every line of several files with its number; empty lines are passed over. A file that is damaged from some line
    on is told to the sink, and the next one follows."""
    for file in files:
        number = 0
        try:
            for number, line in raw_lines(file):
                if not line.isspace():
                    yield file, number, line
        except Damaged as error:
            sink(Defect("unreadable file", str(error), line=number + 1, file=str(file)))


def line_at(file: Path, offset: int, length: int) -> bytes:
    """A line again, by its place."""
    with open_lines(file) as opened:
        opened.seek(offset)
        return opened.read(length)


def read_metadata(files: Iterable[Path], sink: Sink, whole: bool = False) -> dict[str, Meta]:
    """The metadata by id; where an id stands twice, the first counts. Unknown fields come along when the `whole` is
    asked for. What is wrong with it goes to the sink, so that nobody lacks a system in silence."""
    found: dict[str, Meta] = {}
    for file, number, line in all_lines(files, sink):
        try:
            document = meta_document(line)
        except BadInput as error:
            sink(Defect("unreadable metadata", str(error), line=number, file=str(file)))
            continue
        meta = to_meta(document, whole)
        names = len(document) + sum(len(value) for value in document.values() if isinstance(value, dict))
        doubled = doubled_names(line, document) if line.count(b'":') != names else []  # counting is fast
        twice = [("duplicate key", f"`{name[:60]}` stands twice in one object") for name in doubled]
        for kind, text in (*twice, *meta_faults(document)):
            sink(Defect(kind, text, None, meta.task_id, number, str(file)))
        if found.setdefault(meta.task_id, meta) != meta:
            text = "an entry before says something else of this id; that one counts"
            sink(Defect("metadata contradicts", text, None, meta.task_id, number, str(file)))
    return found


def telling(tell: Callable[[str], object]) -> Callable[[Defect], None]:
    """A sink that tells in a sentence of what could not be read; what else is wrong is for `survey` to say."""

    def sink(defect: Defect) -> None:
        if defect.kind.startswith("unreadable"):
            whole = defect.kind == "unreadable file"
            tell(defect.text if whole else f"{defect.file}, line {defect.line} is left out: {defect.text}")

    return sink


def untold(defect: Defect) -> None:
    """A sink for who tells of defects elsewhere."""


def matches(given: str | Path) -> list[Path]:
    """The paths that a path or a pattern stands for."""
    path = Path(given)
    if path.exists():
        return [path]
    matched = [Path(name) for name in sorted(glob.glob(str(given))) if Path(name).exists()]  # links may lead nowhere
    if not matched:
        raise BadInput(f"there is no {given}; name a file, a folder, or a pattern such as 'data/*.jsonl'")
    return matched


def inside_of(folder: Path) -> list[Path]:
    """The files in a folder that may hold rows or metadata."""
    return sorted(file for file in folder.iterdir() if file.name.endswith(ENDINGS[:3]) and file.is_file())
