"""Whether two runs are the same but for times: their attempts step by step, and their verdicts."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image

from workalike.bench.runner import finished_attempts
from workalike.core.verdict import Outcome, Verdict
from workalike.pictures.similar import near_duplicate
from workalike.store.layers import VERDICTS, Layer, find_layers
from workalike.store.runs import Run

_DIFFERING = ("start", "end", "time", "id", "provenance", "picture")


def attempts_of(folder: Path) -> dict[str, Any]:
    """What was done in every finished attempt, without when and which try it was; pictures are compared apart."""
    found = ((name, attempt.read().trajectory) for name, attempt in finished_attempts(Run(folder)))
    return {name: _timeless(msgspec.to_builtins(trajectory)) for name, trajectory in found}


def verdicts_of(folder: Path) -> dict[str, Outcome]:
    """The outcome of every attempt that was judged, each once."""
    found: dict[str, Outcome] = {}
    for path in find_layers(folder, VERDICTS):
        for (name, _), verdict in Layer(path, Verdict):
            place = name.split("/", 1)[1].rpartition(".")[0]
            assert place not in found, f"{place} was judged twice"
            found[place] = verdict.outcome
    return found


def pictures_alike(one: Path, other: Path) -> float:
    """The share of two runs' pictures, step by step, that show the same screen. Chromium does not draw a shade to the
    same level every time; and once, on a busy machine, a picture differed by more, for a reason that is not known."""
    here, there = dict(finished_attempts(Run(one))), dict(finished_attempts(Run(other)))
    alike: list[bool] = []
    for name, attempt in here.items():
        pairs = zip(attempt.read().trajectory.pictures, there[name].read().trajectory.pictures, strict=True)
        for first, second in pairs:
            seen = [open_picture(Run(place).pictures.read(ref)) for place, ref in ((one, first), (other, second))]
            alike.append(first.name == second.name or near_duplicate(seen[0], seen[1]))
    return sum(alike) / len(alike)


def open_picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def _timeless(value: Any) -> Any:
    match value:
        case dict():
            return {name: _timeless(each) for name, each in value.items() if name not in _DIFFERING}
        case list() | tuple():
            return [_timeless(each) for each in value]
        case _:
            return value
