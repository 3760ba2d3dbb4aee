"""What is said about trajectories afterwards: verdicts, annotations, labels, edits. What was captured is not rewritten.

A layer is a file `layers/KIND/NAME-HASH.jsonl` beside the trajectories: a header line, then a line for every trajectory
or step it speaks of. Lines are only added; of two about the same step the later one counts. The hash is of what the
layer was made with, so that another prompt or model makes another layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec

from workalike.core.errors import BadInput
from workalike.core.provenance import Provenance, fingerprint
from workalike.core.trajectory import Step, TaskSummary, Trajectory
from workalike.core.verdict import Verdict
from workalike.store.append import LineWriter
from workalike.store.files import in_order, write_file
from workalike.store.lines import damaged, decode, encode, is_json, raw_lines, readable
from workalike.store.names import slug

T = TypeVar("T")
FORMAT = 1
FOLDER = "layers"
VERDICTS = "verdicts"
ANNOTATIONS, EDITS = "annotations", "edits"
SUMMARY = "summary"
"""Under which name a trajectory's `extra` holds the summary that was laid over it."""
_OF_STEPS = ("observation_text", "thought", "action_text", "reflection", "correct", "redundant", "value")
TRUTH = "state"
"""The verifier who knows, where one does."""
Place = tuple[str, int | None]
"""A trajectory's id, and the number of a step from 0 or None for the whole."""


class LayerHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a layer is: its kind and name, the settings that make it this one and no other, and where it came from."""

    format: int
    kind: str
    name: str
    settings: dict[str, Any] = {}
    provenance: Provenance | None = None


class LayerLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a layer; a value of null takes back what was said before."""

    trajectory: str
    value: msgspec.Raw
    step: int | None = None


class StepTexts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an annotation or an edit says of one step, or of the whole trajectory, which alone has a `summary`; None
    leaves what is said there already."""

    observation_text: str | None = None
    thought: str | None = None
    action_text: str | None = None
    reflection: str | None = None
    correct: bool | None = None
    redundant: bool | None = None
    value: float | None = None
    summary: TaskSummary | None = None


_HEADER = msgspec.json.Decoder(LayerHeader)
_SAID = msgspec.json.Decoder(LayerLine)


def layer_path(root: Path, kind: str, name: str, settings: Mapping[str, Any] | None = None) -> Path:
    """Where the layer of this kind, name and settings lies beside the trajectories in `root`."""
    digest = fingerprint([name, dict(settings or {})])[:16]
    return root / FOLDER / _plain(kind) / f"{slug(name)}-{digest}.jsonl".lstrip("-")


def find_layers(root: Path, kind: str) -> list[Path]:
    """The layers of a kind beside the trajectories in `root`, by name."""
    folder = root / FOLDER / _plain(kind)
    return [folder / name for name in in_order(folder) if name.endswith(".jsonl")] if folder.is_dir() else []


class LayerWriter(Generic[T]):
    """Adds to one layer, begun here or going on after a crash; nobody else can meanwhile. `(id, step) in writer` tells
    what has been said already, so that nothing is paid for twice."""

    def __init__(
        self,
        root: Path,
        kind: str,
        name: str,
        shape: type[T],
        settings: Mapping[str, Any] | None = None,
        provenance: Provenance | None = None,
    ) -> None:
        self.path = layer_path(root, kind, name, settings)
        self._shape = msgspec.json.Decoder(shape)
        header = LayerHeader(FORMAT, kind, name, dict(settings or {}), provenance)
        if not self.path.exists():
            with suppress(FileExistsError):  # another writer came first, and holds it or has let go of it
                write_file(self.path, encode(header), new=True, private=True)
        self._lines = LineWriter(self.path)
        try:
            self._said = {(id, step) for id, steps in _Offsets(self.path).of.items() for step in steps}
        except Exception:
            self.close()
            raise

    def put(self, trajectory: str, value: T, step: int | None = None, *, sync: bool = True) -> None:
        """Say something of a trajectory or of one of its steps; it is on disk when this returns."""
        raw = readable(value, self._shape, f"a value for {self.path}").rstrip(b"\n")
        self._lines.append(LayerLine(trajectory, msgspec.Raw(raw), step), sync=sync)
        self._said.add((trajectory, step))

    def take_back(self, trajectory: str, step: int | None = None) -> None:
        """Withdraw what was said; the earlier lines stay in the file."""
        self._lines.append(LayerLine(trajectory, msgspec.Raw(b"null"), step))
        self._said.discard((trajectory, step))

    @property
    def dropped(self) -> int:
        """How many bytes of an unfinished line were cut off on opening."""
        return self._lines.dropped

    def __contains__(self, place: Place) -> bool:
        return place in self._said

    def close(self) -> None:
        self._lines.close()

    def __enter__(self) -> LayerWriter[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Layer(Generic[T]):
    """A layer to read. Opening it notes where what is said of each trajectory stands; the values are read when asked
    for, so that a layer over a whole dataset takes little memory."""

    def __init__(self, path: Path, shape: type[T]) -> None:
        self.path = path
        self._shape: msgspec.json.Decoder[T] = msgspec.json.Decoder(shape)
        offsets = _Offsets(path)
        self.header, self.dropped, self._offsets = offsets.header, offsets.dropped, offsets.of

    def of(self, trajectory: str) -> dict[int | None, T]:
        """What is said of a trajectory, by step; under None what is said of the whole."""
        found = self._offsets.get(trajectory, {})
        if not found:
            return {}
        with open(self.path, "rb") as file:
            return {step: self._read(file, offset) for step, offset in found.items()}

    def get(self, trajectory: str, step: int | None = None) -> T | None:
        """What is said of one place, or None."""
        return self.of(trajectory).get(step)

    def __iter__(self) -> Iterator[tuple[Place, T]]:
        """Everything that counts, trajectory by trajectory, in the order in which they were first spoken of."""
        with open(self.path, "rb") as file:
            for trajectory, steps in self._offsets.items():
                for step, offset in steps.items():
                    yield (trajectory, step), self._read(file, offset)

    def __contains__(self, place: Place) -> bool:
        return place[1] in self._offsets.get(place[0], {})

    def __len__(self) -> int:
        return sum(map(len, self._offsets.values()))

    def _read(self, file: BinaryIO, offset: int) -> T:
        file.seek(offset)
        said = decode(file.readline(), _SAID, self.path)
        return decode(bytes(said.value), self._shape, self.path)


def history(path: Path, shape: type[T], trajectory: str) -> Iterator[T]:
    """Everything a layer ever said of a whole trajectory, in the order in which it was said."""
    values: msgspec.json.Decoder[T] = msgspec.json.Decoder(shape)
    for number, line in raw_lines(path):
        if number == 1 or line.isspace() or (not line.endswith(b"\n") and not is_json(line)):
            continue
        said = decode(line, _SAID, path, number)
        if said.trajectory == trajectory and said.step is None and bytes(said.value) != b"null":
            yield decode(bytes(said.value), values, path, number)


def verdicts_of(root: Path, verifier: str | None = None) -> list[Layer[Verdict]]:
    """What verifiers say of the trajectories in `root`: every layer of verdicts, or those by one verifier, which must
    be there. The truth comes before what others think."""
    layers = [Layer(path, Verdict) for path in find_layers(root, VERDICTS)]
    layers.sort(key=lambda layer: layer.header.name != TRUTH)
    named = [layer for layer in layers if verifier in (None, layer.header.name)]
    if verifier is not None and not named:
        known = ", ".join(dict.fromkeys(layer.header.name for layer in layers)) or "none"
        raise BadInput(f"{root} has no verdicts by {verifier!r}; it has {known}")
    return named


class _Offsets:
    """Where in a layer's file the line stands that counts for each place."""

    def __init__(self, path: Path) -> None:
        self.of: dict[str, dict[int | None, int]] = {}
        self.dropped = 0
        offset = 0
        for number, line in raw_lines(path):
            if not line.endswith(b"\n") and not is_json(line):
                self.dropped = len(line)
            elif number == 1:
                self.header = _header(line, path)
            elif not line.isspace():
                self._note(decode(line, _SAID, path, number), offset)
            offset += len(line)
        if not hasattr(self, "header"):
            raise damaged(path, "it has no whole header line", "remove it; nothing of the layer is left")

    def _note(self, said: LayerLine, offset: int) -> None:
        steps = self.of.setdefault(said.trajectory, {})
        if bytes(said.value) == b"null":
            steps.pop(said.step, None)
        else:
            steps[said.step] = offset


def overlay(trajectory: Trajectory, texts: Mapping[int | None, StepTexts]) -> Trajectory:
    """A trajectory with what an annotation or edit layer says of it and its steps laid over what they say themselves.

    overlay(trajectory, annotations.of(trajectory.id))
    """
    steps = tuple(laid_over(step, texts.get(index)) for index, step in enumerate(trajectory.steps))
    whole = texts.get(None)
    extra = trajectory.extra
    if whole is not None and whole.summary is not None:
        extra = {**extra, SUMMARY: msgspec.to_builtins(whole.summary)}
    return msgspec.structs.replace(trajectory, steps=steps, extra=extra)


def laid_over(step: Step, texts: StepTexts | None) -> Step:
    """A step with what is said of it laid over what it says itself."""
    if texts is None:
        return step
    said = {name: getattr(texts, name) for name in _OF_STEPS if getattr(texts, name) is not None}
    return msgspec.structs.replace(step, **said) if said else step


def text_layers(root: Path) -> list[Layer[StepTexts]]:
    """The layers of texts beside the trajectories in `root`, in the order in which they are laid over them:
    annotations, those begun last on top, then what people edited."""
    annotations = [Layer(path, StepTexts) for path in find_layers(root, ANNOTATIONS)]
    annotations.sort(key=lambda layer: (layer.header.provenance and layer.header.provenance.time) or "")
    return [*annotations, *(Layer(path, StepTexts) for path in find_layers(root, EDITS))]


def _header(line: bytes, path: Path) -> LayerHeader:
    header = decode(line, _HEADER, path, 1)
    if header.format != FORMAT:
        reason = f"it is of format {header.format}, and this Workalike reads format {FORMAT}"
        raise damaged(path, reason, "use the one that wrote it", 1)
    return header


def _plain(kind: str) -> str:
    if not kind or slug(kind) != kind:
        raise BadInput(f"{kind!r} cannot be a kind of layer; use lower-case letters, digits and single dashes")
    return kind
