"""Only the stretches that are needed are read, forward and once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.tool_sample import Click, Sample, make
from workalike.core.recording import FrameMark
from workalike.formats.agentnet_tool import import_recording
from workalike.reduce.frames import FrameSpan, merged, read_spans, span_of
from workalike.store.recording_video import VideoFrame
from workalike.store.recordings import Recording, Segment


@pytest.fixture(scope="module")
def segment(tmp_path_factory: pytest.TempPathFactory) -> Segment:
    folder = tmp_path_factory.mktemp("frames")
    made = make(folder / "made", Sample(seconds=14.0, offset=0.0, clicks=tuple(Click(2.0 + 2 * n) for n in range(5))))
    import_recording(made, folder / "out")
    return Recording(folder / "out").segments[0]


def test_a_span_is_what_was_on_the_screen() -> None:
    marks = [FrameMark(time, round(time * 1000)) for time in (0.0, 1.0, 2.0, 3.0)]
    assert span_of(marks, 0.5, 2.5) == FrameSpan(0, 2)
    assert span_of(marks, 1.0, 1.0) == FrameSpan(1, 1)
    assert span_of(marks, 9.0, 10.0) == FrameSpan(3, 3)
    assert span_of(marks, -2.0, -1.0) is None
    assert span_of([], 0.0, 1.0) is None


def test_spans_that_touch_become_one() -> None:
    assert merged([FrameSpan(5, 8), FrameSpan(0, 2), FrameSpan(3, 4), FrameSpan(20, 30), FrameSpan(22, 25)]) == [
        FrameSpan(0, 8),
        FrameSpan(20, 30),
    ]


def test_frames_come_in_order_from_the_spans_alone(segment: Segment) -> None:
    spans = [FrameSpan(30, 40), FrameSpan(200, 210), FrameSpan(205, 260), FrameSpan(400, 401)]
    places = [place for place, _ in read_spans(segment, spans)]
    assert places == sorted(set(places))
    assert all(any(span.first <= place <= span.last for span in spans) for place in places)
    assert len(places) >= 0.4 * (11 + 61)


def test_each_is_the_frame_its_mark_says(segment: Segment) -> None:
    wanted = {mark.time: frame.luma().copy() for mark, frame in _all(segment)}
    for _, frame in read_spans(segment, [FrameSpan(100, 130), FrameSpan(300, 330)]):
        assert (frame.luma() == wanted[frame.time]).all()


def _all(segment: Segment) -> list[tuple[FrameMark, VideoFrame]]:
    return [(frame.mark, frame) for frame in segment.frames()]


def test_a_video_that_is_missing_or_cut_off_yields_what_it_has(segment: Segment, tmp_path: Path) -> None:
    copy = tmp_path / "segment"
    copy.mkdir()
    for name in ("segment.json", "frames.jsonl"):
        (copy / name).write_bytes((segment.folder / name).read_bytes())
    assert list(read_spans(Segment(copy), [FrameSpan(0, 5)])) == []
    whole = (segment.folder / "video.mp4").read_bytes()
    for share in (0.1, 0.5, 0.9):
        (copy / "video.mp4").write_bytes(whole[: int(len(whole) * share)])
        list(read_spans(Segment(copy), [FrameSpan(0, 5), FrameSpan(300, 320)]))
