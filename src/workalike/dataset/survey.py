"""One pass over a set: what is wrong in it, and what is in it. In one process, or in several that share the files by
ranges."""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.errors import Damaged, Infrastructure
from workalike.core.progress import Progress, Watch, ignore
from workalike.dataset.defects import Defect, names_its_task, row_defects
from workalike.dataset.files import BOM, Buffer, LineSpan, RowFiles, line_at, read_metadata, span_lines, spans, untold
from workalike.dataset.leaks import may_leak
from workalike.dataset.suspicions import may_be_suspicious
from workalike.dataset.tally import SoundCounts, Tally, sound_counts
from workalike.dataset.wellformed import (
    MARKS,
    RowColumns,
    SoundRow,
    columns_of,
    doubled_names,
    has_blank,
    has_control,
    has_plain_names,
    image_names,
    is_sound,
    sound_row,
)
from workalike.formats.agentnet import Meta
from workalike.formats.agentnet_trajectories import OURS, OURS_BEFORE

EXAMPLES = 5
MANY_ROWS = 20  # that no set has with one instruction
_SAID = ("instruction", "observation", "thought", "action")
Last = dict[str, tuple[str, int]]  # the row that had a defect of a kind last
_BRACE, _RETURN = b"{\r"
_NULLABLE = ("task_completed", *MARKS)
_decode: Callable[[bytes], Any] = msgspec.json.Decoder().decode


class SurveyOptions(msgspec.Struct, frozen=True):
    """What a pass looks at: `texts` are the checks for what texts give away, the slowest of all."""

    texts: bool = True
    metadata: tuple[Path, ...] = ()


class RowPlace(msgspec.Struct, frozen=True, gc=False):
    """Where a row lies, to look at it again."""

    file: Path
    line: int
    offset: int
    length: int


class SurveyPart(msgspec.Struct):
    """What one span gave. Line numbers count from the span's first line. `pictures` are the names of each row's own
    pictures, each after a line end; `same` are texts that all its rows have in common."""

    span: LineSpan
    lines: int = 0
    tally: Tally = msgspec.field(default_factory=Tally)
    defects: list[Defect] = msgspec.field(default_factory=list)
    ids: list[tuple[str, int, int, int]] = msgspec.field(default_factory=list)
    pictures: list[bytes] = msgspec.field(default_factory=list)
    same: dict[str, str | None] = msgspec.field(default_factory=dict)

    def note_said(self, said: tuple[Any, ...]) -> None:
        """Keep in `same` the texts that all rows so far have in common."""
        if said and not self.ids:
            self.same = {name: text for name, text in zip(_SAID, said, strict=True) if text}
        elif self.same:
            pairs = zip(_SAID, said or [None] * len(_SAID), strict=True)
            self.same = {name: text for name, text in pairs if text and self.same.get(name) == text}


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


PartsElsewhere = Callable[[list[LineSpan], SurveyOptions], Iterator[SurveyPart]]
"""Who looks at spans on other machines; what they give comes in order."""


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Spare the search for cycles, of which rows make none, and which takes a fifth of the time."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


@_no_garbage()
def survey(
    found: RowFiles,
    texts: bool = True,
    jobs: int = 1,
    sink: Callable[[Defect], None] = lambda defect: None,
    watch: Watch = ignore,
    elsewhere: PartsElsewhere | None = None,
) -> Survey:
    """Look at every row of a set once, here or `elsewhere`. Nothing in a row stops the pass."""
    options = SurveyOptions(texts, found.metadata)
    work = [span for file in found.rows for span in spans(file)]
    result = Survey([str(found.named(file)) for file in found.rows], texts_checked=texts, metadata=bool(found.metadata))
    ids: dict[str, RowPlace] = {}
    before: Counter[Path] = Counter()
    metadata = read_metadata(found.metadata, partial(note, result=result, last={}, sink=sink))
    same: dict[str, str | None] | None = None
    pictures = PictureOwners()
    parts = elsewhere(work, options) if elsewhere else _parts(work, options, metadata, jobs)
    for done, part in enumerate(parts, 1):
        pictures.add(part, before[part.span.file])
        same = part.same if same is None else {name: text for name, text in part.same.items() if same.get(name) == text}
        _take(part, before[part.span.file], ids, result, found, sink)
        before[part.span.file] += part.lines
        watch(Progress(done, 0, len(work), note=f"{result.tally.rows:,} rows"))
    last: Last = {}
    for defect in pictures.defects(found):
        note(defect, result, last, sink)
    for name in same or () if result.tally.rows >= MANY_ROWS else ():
        text = f"all {result.tally.rows:,} rows have one `{name}`"
        note(Defect("same text in every row", text, None, None, 1, result.files[0]), result, last, sink)
    return result


class PictureOwners:
    """Which rows name which pictures."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, Path, int]] = []
        self._pictures: list[bytes] = []

    def add(self, part: SurveyPart, before: int) -> None:
        self._rows += [(task_id, part.span.file, line + before) for task_id, line, _, _ in part.ids]
        self._pictures += part.pictures

    def defects(self, found: RowFiles) -> Iterator[Defect]:
        """The rows with a picture of a row that has another id, each once. It belongs to the row whose id its name
        carries; where that tells nothing, to the first."""
        if self._all_named_after_rows():
            return
        owners = self._owners()
        for row, names in enumerate(self._pictures):
            task_id, file, line = self._rows[row]
            others = (self._rows[owners[name]] for name in names.split(b"\n")[1:])
            other = next((other for other in others if other[0] != task_id), None)
            if other is not None:
                there, there_line = found.place(*other[1:])
                here, here_line = found.place(file, line)
                text = f"also one of {other[0][:60]} in {there}, line {there_line}"
                yield Defect("another task's picture", text, None, task_id, here_line, str(here))

    def _all_named_after_rows(self) -> bool:
        """Whether every name begins with the id of its row, and so with no other's: as published, and quickly told."""
        heads = [b"\n%b_" % task_id.encode("utf-8", "replace") for task_id, _, _ in self._rows]
        named = all(map(_all_begin_with, self._pictures, heads))
        ordered = sorted(set(heads))
        return named and not any(after.startswith(head) for head, after in pairwise(ordered))

    def _owners(self) -> dict[bytes, int]:
        """The row that each name belongs to."""
        owners: dict[bytes, int] = {}
        strangers: dict[bytes, int] = {}
        for row, names in enumerate(self._pictures):
            task_id = self._rows[row][0].encode("utf-8", "replace")
            for name in names.split(b"\n")[1:]:
                (owners if task_id and task_id in name else strangers).setdefault(name, row)
        return strangers | owners


def _all_begin_with(names: bytes, head: bytes) -> bool:
    return names.count(head) == names.count(b"\n")


class Looker:
    """Looks at one line after the other: counts it, and says what is wrong with it."""

    def __init__(self, metadata: Mapping[str, Meta], texts: bool, joined: bool) -> None:
        self.metadata, self.texts, self.joined = metadata, texts, joined
        self.said: tuple[Any, ...] = ()  # the instruction and the first texts of the row that was looked at last
        self.pictures = b""  # the names of those of the row that was looked at last, where they are its own
        self._tally = Tally()
        self._sound: list[SoundCounts] = []

    def look(self, line: Buffer) -> tuple[str, list[Defect]]:
        """The id of a line's row, empty where it has none, and its defects."""
        self.pictures, self.said = b"", ()
        row = sound_row(line)
        if row is None or line[0] != _BRACE or line[-2] == _RETURN or (self.texts and not has_plain_names(line, row)):
            return self._closely(bytes(line))
        meta = self.metadata.get(row.task_id)
        held = columns_of(row)
        self._sound.append(sound_counts(row, held, len(line), meta))
        self.pictures = held.names if names_its_task(held.images[0]) else b""
        odd = self.texts and _may_be_odd(row, held)
        self.said = (row.instruction, held.observations[0], held.thoughts[0], held.actions[0])
        sound = not odd and is_sound(row, held)
        found = _nulls(row) if sound else row_defects(msgspec.to_builtins(row), odd)
        if self.joined:
            found += _of_metadata(meta, len(row.traj))
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
        self.pictures = image_names(own_pictures(document))
        self.said = _said(document)
        found = [*form, *_doubled(line.removeprefix(BOM), document), *row_defects(document, self.texts)]
        if self.joined:
            steps = document.get("traj") if isinstance(document, dict) else None
            found += _of_metadata(meta, len(steps) if isinstance(steps, list) else None)
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


def _of_metadata(meta: Meta | None, steps: int | None) -> Iterator[Defect]:
    """What metadata lacks for a row, or says otherwise. Its count may leave out the terminate, which nobody did."""
    if meta is None:
        yield Defect("system unknown", "no metadata for this id")
        return
    if meta.system is None:
        yield Defect("system unknown", "the metadata names no known system")
    told = meta.step_num is not None and meta.step_num >= 0  # a count below 0 was told of with the metadata
    if steps and told and meta.step_num not in (steps, steps - 1):
        yield Defect("metadata step count", f"{str(meta.step_num)[:24]} for a row of {steps} steps")


def _may_be_odd(row: SoundRow, held: RowColumns) -> bool:
    """Whether any of the texts that could give something away, or be no text, is worth a closer look."""
    told = [row.instruction, *held.observations, *held.thoughts, *held.actions]
    others = [row.natural_language_task, row.actual_task, row.reason]
    joined = "\n".join(told)
    return (
        has_blank(told)
        or has_control(joined)
        or has_control("\n".join(others + held.reflections))
        or may_leak(joined)
        or may_be_suspicious(row.instruction, others, held, joined)
    )


def _said(document: Any) -> tuple[Any, ...]:
    """The instruction and the first texts of a decoded row; nothing where they are no texts."""
    steps = document.get("traj") if isinstance(document, dict) else None
    first = steps[0] if isinstance(steps, list) and steps else None
    value = first.get("value") if isinstance(first, dict) else None
    if not isinstance(value, dict) or OURS in document or OURS_BEFORE in document:
        return ()
    said = (document.get("instruction"), *(value.get(name) for name in _SAID[1:]))
    return tuple(text if isinstance(text, str) and text else None for text in said)


def own_pictures(document: Any) -> list[str]:
    """The pictures of a row whose names are its own; trajectories of ours share theirs with others by intent."""
    if not isinstance(document, dict) or OURS in document or OURS_BEFORE in document:
        return []
    steps = document.get("traj")
    names = [step.get("image") for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    return [name for name in names if isinstance(name, str) and name and "\n" not in name and names_its_task(name)]


def _doubled(line: bytes, document: Any) -> Iterator[Defect]:
    for name in doubled_names(line, document):
        yield Defect("duplicate key", f"`{name[:60]}` stands twice in one object")


def _parts(
    work: list[LineSpan], options: SurveyOptions, metadata: Mapping[str, Meta], jobs: int
) -> Iterator[SurveyPart]:
    if jobs <= 1 or len(work) <= 1:
        yield from map(partial(look_through, metadata=metadata, options=options), work)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(work)), context, _start, (options,)) as pool:
        try:
            yield from pool.map(_look_through_here, work)
        except BrokenProcessPool as error:
            raise Infrastructure(
                "a process that was looking at rows died, perhaps for want of memory; start again with --jobs 1"
            ) from error


_here: tuple[dict[str, Meta], SurveyOptions] | None = None  # what a worker process was started with


def _start(options: SurveyOptions) -> None:
    global _here
    _here = read_metadata(options.metadata, untold), options


def _look_through_here(span: LineSpan) -> SurveyPart:
    assert _here is not None
    return look_through(span, *_here)


@_no_garbage()
def look_through(span: LineSpan, metadata: Mapping[str, Meta], options: SurveyOptions) -> SurveyPart:
    """What some lines give."""
    part = SurveyPart(span)
    looker = Looker(metadata, options.texts, bool(options.metadata))
    number = 0
    try:
        for number, (offset, line) in enumerate(span_lines(span), 1):
            task_id, found = looker.look(line)
            if options.texts:
                part.note_said(looker.said)
            part.ids.append((task_id, number, offset, len(line)))
            for defect in found:
                part.defects.append(msgspec.structs.replace(defect, line=number, task_id=task_id or None))
            part.pictures.append(looker.pictures)
    except Damaged as error:
        part.defects.append(Defect("unreadable file", str(error), line=number + 1))
    part.lines, part.tally = number, looker.tally()
    return part


def _take(
    part: SurveyPart,
    before: int,
    ids: dict[str, RowPlace],
    result: Survey,
    found: RowFiles,
    sink: Callable[[Defect], None],
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


def _repeats(part: SurveyPart, before: int, ids: dict[str, RowPlace], found: RowFiles) -> Iterator[Defect]:
    """Rows whose id has been seen: the same again, or something else under the same name."""
    for task_id, number, offset, length in part.ids:
        if not task_id:
            continue
        here = RowPlace(part.span.file, number + before, offset, length)
        there = ids.setdefault(task_id, here)
        if there is not here:
            kind = "duplicate row" if _same(here, there) else "duplicate id"
            file, line = found.place(there.file, there.line)
            text = f"{'the same' if kind == 'duplicate row' else 'another'} row in {file}, line {line}"
            yield Defect(kind, text, None, task_id, here.line)


def _same(here: RowPlace, there: RowPlace) -> bool:
    one, other = (line_at(place.file, place.offset, place.length) for place in (here, there))
    return one.strip() == other.strip() or _value(one) == _value(other)


def _value(line: bytes) -> Any:
    try:
        return _decode(line.removeprefix(BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return line
