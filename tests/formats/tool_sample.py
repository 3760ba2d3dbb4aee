"""Makes recordings as AgentNetTool leaves them: a real video of a pointer that moves over a screen, the events of its
moving on another clock, trees, windows, and what an annotator kept."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from workalike.core.screen import Size
from workalike.store.recording_video import import_av

Pixels = npt.NDArray[np.uint8]
Way = Callable[[float], tuple[float, float]]
ZERO = 5000.0
FPS = 30
_ENCODER = {"preset": "superfast", "crf": "20", "x264-params": "bframes=3:b-pyramid=normal"}


class Click(msgspec.Struct, frozen=True):
    """A click at a time; from then on the screen shows one more square."""

    time: float
    button: str = "left"
    hold: float = 0.08


class Sample(msgspec.Struct, frozen=True):
    """What to make. Times are seconds of the events' clock since the start the tool noted; `offset` is how much later
    events are stamped than the frames that show them. The pointer goes from place to place with rests between."""

    screen: Size = Size(640, 360)
    seconds: float = 12.0
    offset: float = 0.26
    clicks: tuple[Click, ...] = (Click(3.0), Click(6.0), Click(9.0, "right"))
    system: str = "Windows"
    pointer: bool = True
    rate: int = 60
    latency: float = 0.1


def place(sample: Sample, time: float) -> tuple[float, float]:
    """Where the pointer is: it sets out 0.8 s before each click and arrives 0.3 s before it; between clicks it rests,
    save for a circle it draws right after the click."""
    spots = [_spot(sample, number) for number in range(len(sample.clicks) + 1)]
    for number, click in enumerate(sample.clicks):
        if time < click.time - 0.8:
            return spots[number]
        if time < click.time - 0.3:
            share = (time - (click.time - 0.8)) / 0.5
            (x0, y0), (x1, y1) = spots[number], spots[number + 1]
            return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        if time < click.time + 0.3:
            return spots[number + 1]
        if time < click.time + 1.3:
            turn = (time - click.time - 0.3) * 2 * math.pi
            x, y = spots[number + 1]
            return x - 90 + 90 * math.cos(turn), y + 70 * math.sin(turn)
    return spots[-1]


def make(
    folder: Path,
    sample: Sample = Sample(),
    kept: Sequence[int] | None = None,
    look: Callable[[Pixels, float], Pixels] | None = None,
) -> Path:
    """Write a whole recording of the tool's into a new folder. `look` changes what is seen at a time."""
    folder.mkdir(parents=True)
    rows = list(events(sample))
    _lines(folder / "events.jsonl", rows)
    write_metadata(folder, sample)
    (folder / "task_name.json").write_text(json.dumps({"task_name": "Press the squares", "description": ""}))
    _lines(folder / "top_window.jsonl", [{"time_stamp": ZERO + 0.5, "top_window_name": "squares"}])
    _lines(folder / "element.jsonl", [element(sample, number) for number in range(len(sample.clicks))])
    _lines(folder / "a11y.jsonl", [{"time_stamp": ZERO + 0.4, "axtree": _tree(sample)}])
    _lines(folder / "html.jsonl", [])
    if kept is not None:
        _lines(folder / "reduced_events_vis.jsonl", [_kept(sample, number) for number in kept])
    video(folder / "2024-01-01 10-00-00.mp4", sample, look)
    return folder


def events(sample: Sample) -> list[dict[str, Any]]:
    """The rows of events.jsonl, in order of time, numbered."""
    rows: list[dict[str, Any]] = []
    before: tuple[float, float] | None = None
    for tick in range(round(sample.seconds * sample.rate)):
        time = tick / sample.rate
        x, y = (round(part) for part in place(sample, time))
        if (x, y) != before:
            rows.append({"time_stamp": ZERO + time, "action": "move", "x": x, "y": y})
        before = (x, y)
    for click in sample.clicks:
        x, y = (round(part) for part in place(sample, click.time))
        for time, pressed in ((click.time, True), (click.time + click.hold, False)):
            row = {"time_stamp": ZERO + time, "action": "click", "x": x, "y": y, "button": click.button}
            rows.append({**row, "pressed": pressed})
    rows.sort(key=lambda row: float(row["time_stamp"]))
    return [{**row, "event_idx": number} for number, row in enumerate(rows)]


def element(sample: Sample, number: int) -> dict[str, Any]:
    """The row of element.jsonl for a click."""
    click = sample.clicks[number]
    x, y = (round(part) for part in place(sample, click.time))
    box = {"left": x - 30, "top": y - 12, "right": x + 30, "bottom": y + 12}
    tree = {"Name": f"Square {number}", "ControlType": "ButtonControl", "BoundingRectangle": box, "Children": []}
    return {"time_stamp": ZERO + click.time - 0.005, "a11y_tree": tree}


def write_metadata(folder: Path, sample: Sample) -> None:
    metadata = {
        "system": sample.system,
        "release": "10",
        "screen_width": sample.screen.width,
        "screen_height": sample.screen.height,
        "video_start_timestamp": ZERO,
        "start_time": "2024-01-01 10:00:00",
        "scroll_direction": 1,
    }
    (folder / "metadata.json").write_text(json.dumps(metadata))


def video(path: Path, sample: Sample, look: Callable[[Pixels, float], Pixels] | None = None) -> None:
    """Encode what was to be seen, with frames that others refer to and frames that none does, as OBS does."""
    av = import_av()
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options=_ENCODER)
        stream.width, stream.height = even(sample.screen.width), even(sample.screen.height)
        stream.pix_fmt, stream.codec_context.gop_size = "yuv420p", 120
        stream.codec_context.time_base = Fraction(1, FPS)
        for number in range(round((sample.seconds - sample.offset) * FPS)):
            seen = number / FPS + sample.offset
            pixels = picture(sample, seen)
            frame = av.VideoFrame.from_ndarray(look(pixels, seen) if look else pixels, format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def picture(sample: Sample, time: float) -> Pixels:
    """The screen at a time: a still background, a square for every click before, the pointer."""
    wide, high = even(sample.screen.width), even(sample.screen.height)
    pixels = background(wide, high).copy()
    for number in range(squares(sample, time)):
        pixels[20:100, 20 + 90 * number : 100 + 90 * number] = (30, 60, 200)
    if sample.pointer:
        x, y = (round(part) for part in place(sample, time))
        for line in range(16):
            row = pixels[max(0, min(high - 1, y + line))]
            row[max(0, x) : max(0, x + 1 + line * 2 // 3)] = 255
            row[max(0, x - 1) : max(0, x + 1)] = 0
    return pixels


@lru_cache
def background(wide: int, high: int) -> Pixels:
    columns, rows = np.meshgrid(np.arange(wide), np.arange(high))
    grey = (150 + 40 * np.sin(columns / 37) + 30 * np.cos(rows / 23)).astype(np.uint8)
    return np.stack([grey, grey, grey], axis=2)


def squares(sample: Sample, time: float) -> int:
    """How many squares are on the screen at a time: what a click brings up comes a little later."""
    return sum(click.time + click.hold + sample.latency <= time for click in sample.clicks)


def even(length: int) -> int:
    return length + length % 2


def _spot(sample: Sample, number: int) -> tuple[float, float]:
    wide, high = sample.screen.width, sample.screen.height
    return wide * (0.35 + 0.5 * ((number * 37) % 10) / 10), high * (0.45 + 0.4 * ((number * 53) % 10) / 10)


def _tree(sample: Sample) -> dict[str, Any]:
    box = {"left": -8, "top": -8, "right": sample.screen.width + 8, "bottom": sample.screen.height - 32}
    return {"Name": "Squares", "ControlType": "WindowControl", "BoundingRectangle": box, "Children": []}


def _kept(sample: Sample, number: int) -> dict[str, Any]:
    click = sample.clicks[number]
    start, end = ZERO + click.time, ZERO + click.time + click.hold
    return {"action": f"Press square {number}", "start_time": start, "end_time": end, "description": "Click", "id": 0}


def _lines(path: Path, rows: Sequence[Any]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
