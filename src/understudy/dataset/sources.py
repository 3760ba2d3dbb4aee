"""What a user's paths hold: AgentNet rows, or trajectories of ours (runs, packed files, folders), read as either."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from understudy.core.errors import BadInput, DialectError
from understudy.core.trajectory import Trajectory
from understudy.core.verdict import Verdict
from understudy.dataset.files import BOM, ENDINGS, Found, all_lines, find_files, is_metadata, read_metadata
from understudy.formats.agentnet import encode_row
from understudy.formats.agentnet_trajectories import decode_trajectory, from_trajectory
from understudy.store.layers import Layer, StepTexts, find_layers, overlay, verdicts_of
from understudy.store.lines import raw_lines
from understudy.store.names import safe_name
from understudy.store.packed import writing
from understudy.store.reading import home_of, read_trajectories
from understudy.store.runs import is_run
from understudy.store.trajectories import FILE

Tell = Callable[[str], object]


class Choice(msgspec.Struct, frozen=True):
    """Which trajectories of a run count, and what is laid over them: those with a verdict of this outcome by this
    verifier (the first there is when it has no name), with annotations and edits on top."""

    outcome: str | None = None
    verifier: str | None = None
    layers: bool = True


def is_rows(path: Path) -> bool:
    """Whether a path holds AgentNet rows rather than trajectories of ours; told by the first line there is."""
    if path.is_dir():
        files = [file for file in sorted(path.iterdir()) if file.name.endswith(ENDINGS[:3]) and not is_metadata(file)]
        return bool(files) and not is_run(path) and is_rows(files[0])
    if path.name == FILE or not path.name.endswith(ENDINGS):
        return False
    line = next((line for _, line in raw_lines(path) if not line.isspace()), b"")
    head = line.removeprefix(BOM).lstrip()[:1]
    try:
        document = msgspec.json.decode(line.removeprefix(BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return head == b"{" or not line  # a damaged row is still meant as one
    return not isinstance(document, dict) or not {"task", "steps"} <= set(document)


def trajectories(
    paths: Sequence[Path], metadata: Sequence[Path] = (), choice: Choice = Choice(), tell: Tell = lambda text: None
) -> Iterator[Trajectory]:
    """Every trajectory there is, in order; what cannot be read goes to `tell` and the rest is read."""
    for path in paths:
        if is_rows(path):
            yield from _from_rows(find_files([path], metadata), tell)
        else:
            yield from _from_ours(path, choice, tell)


@contextmanager
def row_files(
    paths: Sequence[str | Path], metadata: Sequence[Path] = (), tell: Tell = lambda text: None
) -> Iterator[Found]:
    """The files of rows that paths stand for; trajectories of ours are written as rows into a folder that goes away."""
    with TemporaryDirectory(prefix="understudy-rows-") as scratch:
        given: list[str | Path] = []
        for path in paths:
            ours = Path(path).exists() and not is_rows(Path(path)) and not _is_plain_folder(Path(path))
            given.append(_as_rows(Path(path), Path(scratch), tell) if ours else path)
        yield find_files(given, metadata)


def rows_of(found: Iterable[Trajectory], tell: Tell = lambda text: None, plain: bool = False) -> Iterator[bytes]:
    """Trajectories as lines of AgentNet rows; one that the published code has no words for is told and left out."""
    for trajectory in found:
        try:
            yield encode_row(from_trajectory(trajectory, plain)) + b"\n"
        except DialectError as error:
            tell(f"{trajectory.id} is left out: {error}")


def _is_plain_folder(path: Path) -> bool:
    """A folder in which only metadata, or nothing, is found: whoever looks for rows says so better."""
    return path.is_dir() and not is_run(path) and next(path.rglob(FILE), None) is None


def _as_rows(path: Path, scratch: Path, tell: Tell) -> Path:
    file = scratch / f"{safe_name(str(path.resolve()))}.jsonl"
    with writing(file) as out:
        out.writelines(rows_of(_from_ours(path, Choice(), tell), tell))
    return file


def _from_rows(found: Found, tell: Tell) -> Iterator[Trajectory]:
    joined = read_metadata(found.metadata)
    for file, number, line in all_lines(found.rows):
        try:
            yield decode_trajectory(line.removeprefix(BOM), joined)
        except BadInput as error:
            tell(f"{file}, line {number}: {error}")


def _from_ours(path: Path, choice: Choice, tell: Tell) -> Iterator[Trajectory]:
    root = home_of(path)
    verdicts = _verdicts(root, choice)
    texts = [Layer(layer, StepTexts) for kind in ("annotations", "edits") for layer in find_layers(root, kind)]
    for stored in read_trajectories(path, lambda error: tell(str(error))):
        trajectory = stored.trajectory
        if verdicts is not None:
            verdict = verdicts.get(trajectory.id)
            if verdict is None or verdict.outcome != choice.outcome:
                continue
        for layer in texts if choice.layers else ():
            trajectory = overlay(trajectory, layer.of(trajectory.id))
        yield trajectory


def _verdicts(root: Path, choice: Choice) -> Layer[Verdict] | None:
    if choice.outcome is None:
        return None
    layers = verdicts_of(root, choice.verifier)
    if not layers:
        raise BadInput(f"{root} has no verdicts to choose by; leave --verdict away")
    return layers[0]
