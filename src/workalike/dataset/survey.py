"""One pass over a set: what is wrong in it, and what is in it. In one process, or in several that share the files by
ranges."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.errors import Infrastructure
from workalike.core.progress import Progress, Watch, ignore
from workalike.dataset.defects import Defect, row_defects, typed_defects
from workalike.dataset.files import BOM, Buffer, Found, Span, line_at, read_metadata, span_lines, spans
from workalike.dataset.leaks import may_leak
from workalike.dataset.tally import SoundCounts, Tally, sound_counts
from workalike.dataset.wellformed import MARKS, SoundRow, code_of, is_sound, sound_row
from workalike.formats.agentnet import Meta

EXAMPLES = 5
Last = dict[str, tuple[str, int]]  # the row that had a defect of a kind last
_BRACE, _RETURN = b"{\r"
_NULLABLE = ("task_completed", *MARKS)
_decode: Callable[[bytes], Any] = msgspec.json.Decoder().decode


class Options(msgspec.Struct, frozen=True):
    """What a pass looks at: `texts` are the checks for what texts give away, the slowest of all."""

    texts: bool = True
    metadata: tuple[Path, ...] = ()


class Place(msgspec.Struct, frozen=True, gc=False):
    """Where a row lies, to look at it again."""

    file: Path
    line: int
    offset: int
    length: int


class Part(msgspec.Struct):
    """What one span gave. Line numbers count from the span's first line."""

    span: Span
    lines: int = 0
    tally: Tally = msgspec.field(default_factory=Tally)
    defects: list[Defect] = msgspec.field(default_factory=list)
    ids: list[tuple[str, int, int, int]] = msgspec.field(default_factory=list)


class Survey(msgspec.Struct):
    """What a whole set gave. `defects` counts by kind, `rows_with` the rows that have such a defect, `examples` shows
    the first few; a sink given to `survey` gets every one."""

    files: list[str] = msgspec.field(default_factory=list)
    lines: int = 0
    tally: Tally = msgspec.field(default_factory=Tally)
    defects: dict[str, int] = msgspec.field(default_factory=Counter)
    rows_with: dict[str, int] = msgspec.field(default_factory=Counter)
    examples: dict[str, list[Defect]] = msgspec.field(default_factory=lambda: defaultdict(list))
    texts_checked: bool = True
    metadata: bool = False


def survey(
    found: Found,
    texts: bool = True,
    jobs: int = 1,
    sink: Callable[[Defect], None] = lambda defect: None,
    watch: Watch = ignore,
) -> Survey:
    """Look at every row of a set once. Nothing in a row stops the pass."""
    options = Options(texts, found.metadata)
    work = [span for file in found.rows for span in spans(file)]
    result = Survey([str(found.named(file)) for file in found.rows], texts_checked=texts, metadata=bool(found.metadata))
    ids: dict[str, Place] = {}
    before: Counter[Path] = Counter()
    for done, part in enumerate(_parts(work, options, jobs), 1):
        _take(part, before[part.span.file], ids, result, found, sink)
        before[part.span.file] += part.lines
        watch(Progress(done, 0, len(work), note=f"{result.tally.rows:,} rows"))
    return result


class Looker:
    """Looks at one line after the other: counts it, and says what is wrong with it."""

    def __init__(self, metadata: Mapping[str, Meta], texts: bool, joined: bool) -> None:
        self.metadata, self.texts, self.joined = metadata, texts, joined
        self._tally = Tally()
        self._sound: list[SoundCounts] = []

    def look(self, line: Buffer) -> tuple[str, list[Defect]]:
        """The id of a line's row, empty where it has none, and its defects."""
        row = sound_row(line)
        if row is None or line[0] != _BRACE or line[-2] == _RETURN:
            return self._closely(bytes(line))
        meta = self.metadata.get(row.task_id)
        code = code_of(row)
        self._sound.append(sound_counts(row, code, len(line), meta))
        found = _nulls(row)
        texts = self.texts and _may_leak(row)
        if texts or not is_sound(row, code):
            found += typed_defects(row, texts)
        if self.joined and (meta is None or meta.system is None):
            found.append(_no_system(meta))
        return row.task_id, found

    def tally(self) -> Tally:
        """What was counted so far."""
        self._tally.add_sound(self._sound)
        self._sound = []
        return self._tally

    def _closely(self, line: bytes) -> tuple[str, list[Defect]]:
        form = list(_form(line))
        if not line.strip():
            return "", form
        try:
            document = _decode(line.removeprefix(BOM))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._tally.size += len(line)
            return "", [*form, Defect("unreadable row", str(error)[:200])]
        task_id = document.get("task_id") if isinstance(document, dict) else None
        meta = self.metadata.get(task_id) if isinstance(task_id, str) else None
        self._tally.add_document(document, len(line), meta)
        found = [*form, *row_defects(document, self.texts)]
        if self.joined and (meta is None or meta.system is None):
            found.append(_no_system(meta))
        return task_id if isinstance(task_id, str) else "", found


def _nulls(row: SoundRow) -> list[Defect]:
    """The judgements of a sound row that are null; asked first of all together, for speed."""
    if None not in (row.task_completed, row.alignment_score, row.efficiency_score, row.task_difficulty):
        return []
    return [Defect("null", f"`{name}` is null") for name in _NULLABLE if getattr(row, name) is None]


def _form(line: bytes) -> Iterator[Defect]:
    if not line.strip():
        yield Defect("line form", "an empty line")
    elif line.startswith(BOM):
        yield Defect("line form", "a byte order mark before the row")
    elif line.endswith(b"\r\n"):
        yield Defect("line form", "a carriage return at the end of the line")


def _no_system(meta: Meta | None) -> Defect:
    return Defect("system unknown", "no metadata for this id" if meta is None else "the metadata names no known system")


def _may_leak(row: SoundRow) -> bool:
    """Whether any of the texts that could give something away is worth a closer look."""
    values = [step.value for step in row.traj]
    return may_leak("\n".join([text for value in values for text in (value.observation, value.thought, value.action)]))


def _parts(work: list[Span], options: Options, jobs: int) -> Iterator[Part]:
    if jobs <= 1 or len(work) <= 1:
        yield from map(partial(_look_through, metadata=read_metadata(options.metadata), options=options), work)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(work)), context, _start, (options,)) as pool:
        try:
            yield from pool.map(_look_through_here, work)
        except BrokenProcessPool as error:
            raise Infrastructure(
                "a process that was looking at rows died, perhaps for want of memory; start again with --jobs 1"
            ) from error


_here: tuple[dict[str, Meta], Options] | None = None  # what a worker process was started with


def _start(options: Options) -> None:
    global _here
    _here = read_metadata(options.metadata), options


def _look_through_here(span: Span) -> Part:
    assert _here is not None
    return _look_through(span, *_here)


def _look_through(span: Span, metadata: Mapping[str, Meta], options: Options) -> Part:
    part = Part(span)
    looker = Looker(metadata, options.texts, bool(options.metadata))
    number = 0
    for number, (offset, line) in enumerate(span_lines(span), 1):
        task_id, found = looker.look(line)
        part.ids.append((task_id, number, offset, len(line)))
        for defect in found:
            part.defects.append(msgspec.structs.replace(defect, line=number, task_id=task_id or None))
    part.lines, part.tally = number, looker.tally()
    return part


def _take(
    part: Part, before: int, ids: dict[str, Place], result: Survey, found: Found, sink: Callable[[Defect], None]
) -> None:
    """Add a part to the whole, its defects in the order of their lines."""
    result.lines += part.lines
    result.tally.add(part.tally)
    own = [msgspec.structs.replace(defect, line=defect.line + before) for defect in part.defects]
    last: Last = {}
    for defect in sorted([*own, *_repeats(part, before, ids, found)], key=lambda defect: defect.line):
        file, line = found.place(part.span.file, defect.line)
        note(msgspec.structs.replace(defect, file=str(file), line=line), result, last, sink)


def note(defect: Defect, result: Survey, last: Last, sink: Callable[[Defect], None]) -> None:
    """Count a defect, and its row once for every kind; those of one row come one after the other."""
    place = (defect.file, defect.line)
    result.rows_with[defect.kind] = result.rows_with.get(defect.kind, 0) + (last.get(defect.kind) != place)
    last[defect.kind] = place
    result.defects[defect.kind] = result.defects.get(defect.kind, 0) + 1
    if len(result.examples.setdefault(defect.kind, [])) < EXAMPLES:
        result.examples[defect.kind].append(defect)
    sink(defect)


def _repeats(part: Part, before: int, ids: dict[str, Place], found: Found) -> Iterator[Defect]:
    """Rows whose id has been seen: the same again, or something else under the same name."""
    for task_id, number, offset, length in part.ids:
        if not task_id:
            continue
        here = Place(part.span.file, number + before, offset, length)
        there = ids.setdefault(task_id, here)
        if there is not here:
            kind = "duplicate row" if _same(here, there) else "duplicate id"
            file, line = found.place(there.file, there.line)
            text = f"{'the same' if kind == 'duplicate row' else 'another'} row in {file}, line {line}"
            yield Defect(kind, text, None, task_id, here.line)


def _same(here: Place, there: Place) -> bool:
    one, other = (line_at(place.file, place.offset, place.length) for place in (here, there))
    return one.strip() == other.strip() or _value(one) == _value(other)


def _value(line: bytes) -> Any:
    try:
        return _decode(line.removeprefix(BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return line
