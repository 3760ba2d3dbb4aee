"""What a user's paths hold: AgentNet rows, or trajectories of ours (runs, packed files, folders), read as either."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import msgspec
from msgspec.structs import replace

from workalike.core.errors import BadInput, DialectError
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import Verdict
from workalike.dataset.files import (
    BOM,
    ENDINGS,
    Origin,
    RowFiles,
    all_lines,
    find_files,
    inside_of,
    is_metadata,
    matches,
    read_metadata,
    telling,
)
from workalike.dataset.messages import REPLIES
from workalike.formats.agentnet import encode_row
from workalike.formats.agentnet_trajectories import decode_trajectory, from_trajectory
from workalike.models.messages import Reply
from workalike.models.transcript import exchanges
from workalike.store.layers import (
    ANNOTATIONS,
    EDITS,
    VERDICTS,
    Layer,
    find_layers,
    overlay,
    text_layers,
    verdicts_of,
)
from workalike.store.names import safe_name
from workalike.store.packed import writing
from workalike.store.reading import holds_trajectories, home_of, packed_in, read_trajectories, trajectory_files
from workalike.store.recordings import demonstration_in, is_recording
from workalike.store.reduced import need_current, recording_of, rejection
from workalike.store.reviews import REVIEWS, reviewed, reviews_of
from workalike.store.runs import TRANSCRIPT, is_run
from workalike.store.trajectories import FILE, Stored, find_trajectories

Tell = Callable[[str], object]
_NAMED = 3


class SkippedTrajectory(str):
    """Tells of a trajectory that can be read and is left out all the same, and why."""

    trajectory: str
    reason: str

    def __new__(cls, trajectory: str, reason: str) -> Self:
        told = super().__new__(cls, f"{trajectory} is left out: {reason}")
        told.trajectory, told.reason = trajectory, reason
        return told


class Rejection(SkippedTrajectory):
    """Tells of a trajectory that a reviewer rejected: left out on purpose."""


def summed_up(texts: Sequence[str]) -> list[str]:
    """What was told, with one sentence for all that was skipped: how many for which reason, and a few of them.

    >>> skipped = [SkippedTrajectory(name, "nobody can say it") for name in "abcd"]
    >>> summed_up(["x.jsonl is damaged", *skipped])
    ['x.jsonl is damaged', '4 trajectories are left out: nobody can say it (4: a, b, c, …)']
    """
    by_reason: dict[str, list[str]] = {}
    for text in texts:
        if isinstance(text, SkippedTrajectory):
            by_reason.setdefault(text.reason, []).append(text.trajectory)
    skipped = sum(map(len, by_reason.values()))
    if skipped < 2:
        return list(texts)
    most = sorted(by_reason.items(), key=lambda each: -len(each[1]))
    told = [f"{reason} ({len(ids):,}: {_some(ids, _NAMED // len(most) or 1)})" for reason, ids in most[:_NAMED]]
    rest = sum(len(ids) for _, ids in most[_NAMED:])
    told += [f"other reasons ({rest:,})"] if rest else []
    others = [text for text in texts if not isinstance(text, SkippedTrajectory)]
    return [*others, f"{skipped:,} trajectories are left out: {'; '.join(told)}"]


def _some(names: Sequence[str], most: int) -> str:
    return ", ".join([*names[:most], *(["…"] if len(names) > most else [])])


class SourceChoice(msgspec.Struct, frozen=True):
    """Which trajectories of a run count, and what is laid over them: those with a verdict of this outcome by this
    verifier (the first there is when it has no name), but none that a reviewer rejected; with annotations and edits on
    top, and on request the models' own `replies` out of the transcripts. `reviewed` says whether steps and tasks are as
    a review has them; without, every step keeps the number it was captured with."""

    outcome: str | None = None
    verifier: str | None = None
    layers: bool = True
    replies: bool = False
    reviewed: bool = True


def is_rows(path: Path) -> bool:
    """Whether a path holds AgentNet rows rather than trajectories of ours; told by the first line there is. A damaged
    row is still meant as one."""
    if path.is_dir():
        ours = is_run(path) or (path / FILE).is_file()
        return not ours and any(is_rows(file) for file in inside_of(path) if not is_metadata(file))
    return path.name != FILE and path.name.endswith(ENDINGS) and not holds_trajectories(path)


def expanded(paths: Iterable[str | Path]) -> Iterator[Path]:
    """What paths and patterns stand for: files, folders and runs, each of rows or of ours; a folder that holds both is
    told as its files. A recording stands for what it was reduced to, and a folder of recordings for each of them."""
    for given in paths:
        for path in itertools.chain.from_iterable(map(_recorded_in, matches(given))):
            mixed = path.is_dir() and packed_in(path) and is_rows(path)
            yield from [file for file in inside_of(path) if not is_metadata(file)] if mixed else [path]


def _recorded_in(path: Path) -> Iterator[Path]:
    """A path itself, or the demonstrations of the recording or the folder with recordings in it that it is; what else
    that folder holds stands for itself."""
    if is_recording(path):
        reduced = demonstration_in(path)
        yield reduced if (reduced / FILE).is_file() else path
    elif path.is_dir() and not is_run(path) and any(map(is_recording, inside := sorted(path.iterdir()))):
        for each in inside:
            yield from _recorded_in(each) if is_recording(each) or _holds_any(each) else ()
    else:
        yield path


def _holds_any(path: Path) -> bool:
    """Whether there is any trajectory, or a row, at a path that nobody named."""
    if path.is_dir():
        return is_run(path) or next(find_trajectories(path), None) is not None or bool(packed_in(path)) or is_rows(path)
    return path.name.endswith(ENDINGS) and not is_metadata(path)


def trajectories(
    paths: Sequence[str | Path],
    metadata: Sequence[Path] = (),
    choice: SourceChoice = SourceChoice(),
    tell: Tell = lambda text: None,
) -> Iterator[Trajectory]:
    """Every trajectory there is, in order; what cannot be read goes to `tell` and the rest is read."""
    for path in expanded(paths):
        if is_rows(path):
            yield from _from_rows(find_files([path], metadata), tell, _Overlay(path, choice))
        else:
            for stored in from_ours(path, choice, tell):
                yield stored.trajectory


def input_files(paths: Sequence[str | Path], metadata: Sequence[Path] = ()) -> list[tuple[str, Path]]:
    """The files that `trajectories` reads, each by its name: its own, or its place in the run or folder that was given.
    What is laid over trajectories of ours, or tells which of them count, is among them."""
    files: dict[Path, str] = {}
    for path in expanded(paths):
        if is_rows(path):
            found = find_files([path], metadata)
            files.update({file: file.name for file in (*found.rows, *found.metadata)})
            beside = [layer for kind in (ANNOTATIONS, EDITS, REVIEWS) for layer in find_layers(home_of(path), kind)]
            files.update({layer: f"{layer.parent.name}/{layer.name}" for layer in beside})
            continue
        home = home_of(path).resolve()
        ours = ([*trajectory_files(path)] or packed_in(path)) if path.is_dir() else [path]
        kinds = (ANNOTATIONS, EDITS, REVIEWS, VERDICTS)
        layers = [layer for kind in kinds for layer in find_layers(home, kind)]
        for file in (*ours, *layers):
            within = file.resolve().is_relative_to(home)
            inside = file.resolve().relative_to(home).as_posix() if within else file.name
            files[file.resolve()] = inside if file == path else f"{home.name}/{inside}"
    return [(name, file) for file, name in files.items()]


@contextmanager
def row_files(
    paths: Sequence[str | Path], metadata: Sequence[Path] = (), tell: Tell = lambda text: None
) -> Iterator[RowFiles]:
    """The files of rows that paths stand for; trajectories of ours are written as rows into a folder that goes away."""
    with TemporaryDirectory(prefix="workalike-rows-") as scratch:
        given: list[Path] = []
        origins: dict[Path, Origin] = {}
        for path in expanded(paths):
            if is_rows(path) or _is_plain_folder(path):
                given.append(path)
            else:
                file, origins[file] = _as_rows(path, Path(scratch), tell)
                given.append(file)
        yield replace(find_files(given, metadata), origins=origins)


def rows_of(found: Iterable[Trajectory], tell: Tell = lambda text: None, plain: bool = False) -> Iterator[bytes]:
    """Trajectories as lines of AgentNet rows; one that the published code has no words for is told and left out."""
    for trajectory in found:
        try:
            yield encode_row(from_trajectory(trajectory, plain)) + b"\n"
        except DialectError as error:
            tell(SkippedTrajectory(trajectory.id, str(error)))


def _is_plain_folder(path: Path) -> bool:
    """A folder in which only metadata, or nothing, is found: whoever looks for rows says so better."""
    return path.is_dir() and not is_run(path) and next(path.rglob(FILE), None) is None and not packed_in(path)


def _as_rows(path: Path, scratch: Path, tell: Tell) -> tuple[Path, Origin]:
    """Trajectories of ours as a file of rows, and where each row came from."""
    file = scratch / f"{safe_name(str(path.resolve()))}.jsonl"
    places: list[tuple[Path, int]] = []
    with writing(file) as out:
        for stored in from_ours(path, SourceChoice(), tell):
            for line in rows_of([stored.trajectory], tell):
                out.write(line)
                places.append((stored.path, stored.line))
    return file, Origin(path, places)


def _from_rows(found: RowFiles, tell: Tell, laid_over: _Overlay) -> Iterator[Trajectory]:
    joined = read_metadata(found.metadata, telling(tell))
    for file, number, line in all_lines(found.rows, telling(tell)):
        try:
            trajectory = decode_trajectory(line.removeprefix(BOM), joined)
        except BadInput as error:
            tell(f"{file}, line {number}: {error}")
        else:
            yield from laid_over.on(trajectory, tell)


class _Overlay:
    """What people and models say of the trajectories at a path, to be laid over them. Texts are by the numbers that
    steps were captured with, so they go on before a review takes steps out."""

    def __init__(self, path: Path, choice: SourceChoice) -> None:
        home = home_of(path)
        self._texts = text_layers(home) if choice.layers else []
        self._reviews, self._edits = reviews_of(home), choice.reviewed

    def on(self, trajectory: Trajectory, tell: Tell) -> Iterator[Trajectory]:
        """The trajectory with all of it, or nothing where a reviewer rejected it, which is told."""
        for texts in self._texts:
            trajectory = overlay(trajectory, texts.of(trajectory.id))
        for layer in self._reviews:
            revision = layer.get(trajectory.id)
            if revision is not None and revision.review.decision == "rejected":
                tell(Rejection(trajectory.id, f"{revision.by} rejected it"))
                return
            if revision is not None and self._edits:
                trajectory = reviewed(trajectory, revision)
        yield trajectory


def from_ours(path: Path, choice: SourceChoice = SourceChoice(), tell: Tell = lambda text: None) -> Iterator[Stored]:
    """The trajectories of ours at a path, each with the file it lies in."""
    if is_recording(path):
        tell(f"{path} is a recording that was not reduced: `workalike reduce {path} --out DIR` does it, or `annotate`")
        return
    root = home_of(path)
    verdicts = _verdicts(root, choice)
    laid_over = _Overlay(path, choice)
    for stored in read_trajectories(path, lambda error: tell(str(error))):
        if not _counts(stored, tell):
            continue
        trajectory = stored.trajectory
        if verdicts is not None:
            verdict = verdicts.get(trajectory.id)
            if verdict is None or verdict.outcome != choice.outcome:
                continue
        if choice.replies:
            trajectory = _with_replies(trajectory, stored.path.parent / TRANSCRIPT)
        for laid in laid_over.on(trajectory, tell):
            yield replace(stored, trajectory=laid)


def _counts(stored: Stored, tell: Tell) -> bool:
    """Whether a trajectory is to be read: of a recording only what its review leaves, wherever it was found."""
    recording = recording_of(stored.path)
    if recording is None:
        return True
    rejected = rejection(recording)
    if rejected is not None:
        tell(Rejection(str(recording.path), f"it {rejected}"))
        return False
    need_current(recording, stored.trajectory)
    return True


def _with_replies(trajectory: Trajectory, transcript: Path) -> Trajectory:
    """The trajectory with what a model replied on each step, the unreadable replies first; as it was written down, so
    that what was struck there stays struck."""
    replies: dict[int, list[Reply]] = {}
    try:
        for exchange in exchanges(transcript):
            if exchange.reply is not None:
                replies.setdefault(exchange.draw.step, []).append(exchange.reply)
    except (BadInput, KeyError):  # damaged: nobody knows what was said
        return trajectory
    steps = [
        replace(step, extra={**step.extra, REPLIES: tuple(replies[place])}) if place in replies else step
        for place, step in enumerate(trajectory.steps)
    ]
    return replace(trajectory, steps=tuple(steps)) if replies else trajectory


def _verdicts(root: Path, choice: SourceChoice) -> Layer[Verdict] | None:
    if choice.outcome is None:
        return None
    layers = verdicts_of(root, choice.verifier)
    if not layers:
        raise BadInput(f"{root} has no verdicts to choose by; leave --verdict away")
    return layers[0]
