"""Reducing a recording and matching its states, against decoding its whole video once: the shared AgentNetTool sample
where it is there, a made one otherwise."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from benchmarks import Figure, interleaved
from tests.conftest import SHARED
from tests.formats.tool_sample import Click, Sample, make
from workalike.core.screen import Size
from workalike.formats.agentnet_tool import import_recording
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import ReduceOptions, reduce_recording
from workalike.store.recording_video import import_av
from workalike.store.recordings import Recording

TIMES = 5


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Path(folder))


def _measure(folder: Path) -> list[Figure]:
    source = SHARED / "agentnet-recording"
    if not source.is_dir():
        source = make(folder / "made", _long_sample())
    video = next(source.glob("*.mp4"))
    import_recording(source, folder / "recording")
    recording = Recording(folder / "recording")
    works = {
        "decode": lambda: _decode(video),
        "reduce": lambda: _reduce(recording, folder / "out", edits=True),
        "reduce all": lambda: _reduce(recording, folder / "out", edits=False),
        "import": lambda: _import(source, folder / "again"),
    }
    taken = interleaved(works, TIMES, time.process_time)
    whole = taken["decode"]
    detail = f"{taken['reduce']:.2f} s of CPU; decoding takes {whole:.2f} s; {source.name}"
    return [
        Figure("reduce and match, the actions an annotator kept", taken["reduce"] / whole, "×", "≤ 0.8×", detail),
        Figure("reduce and match, every action", taken["reduce all"] / whole, "×"),
        Figure("import (clock offset, screens, segments)", taken["import"] / whole, "×"),
    ]


def _decode(video: Path) -> int:
    with import_av().open(str(video)) as container:
        return sum(1 for _ in container.decode(video=0))


def _reduce(recording: Recording, out: Path, edits: bool) -> None:
    shutil.rmtree(out, ignore_errors=True)
    again = Recording(recording.path)
    reduce_recording(again, out, settings_of(again.header.settings), ReduceOptions(edits=edits))


def _import(source: Path, out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    import_recording(source, out)


def _long_sample() -> Sample:
    return Sample(Size(1280, 720), 60.0, clicks=tuple(Click(3.0 + 4 * n) for n in range(14)))
