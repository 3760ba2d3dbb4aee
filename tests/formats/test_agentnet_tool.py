"""AgentNetTool recordings come in as they are: on one clock, in segments, with what an annotator kept beside them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.tool_sample import ZERO, Click, Pixels, Sample, make, picture, video, write_metadata
from tests.formats.tool_sample import events as tool_events
from workalike.core.errors import BadInput
from workalike.core.recording import ButtonChanged, PageChanged, WindowChanged
from workalike.core.screen import Size
from workalike.formats.agentnet_tool import EDITS, Edits, import_recording
from workalike.store.recordings import Recording

FIXTURE = "agentnet-recording"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("tool") / "recording", kept=[0, 2])


@pytest.fixture(scope="module")
def imported(sample: Path) -> Path:
    out = sample.parent / "imported"
    import_recording(sample, out)
    return out


def test_the_offset_is_found(sample: Path, tmp_path: Path) -> None:
    clock = import_recording(sample, tmp_path / "out").clock
    assert clock is not None
    assert clock.seconds == pytest.approx(0.26, abs=0.03)
    assert clock.confidence > 0.9
    assert clock.agreement > 2 * clock.uncorrected


@pytest.mark.parametrize("offset", [-0.4, 0.0, 0.7])
def test_any_offset_is_found(tmp_path: Path, offset: float) -> None:
    made = make(tmp_path / "made", Sample(offset=offset))
    clock = import_recording(made, tmp_path / "out").clock
    assert clock is not None
    assert clock.seconds == pytest.approx(offset, abs=0.03)


def test_an_offset_that_cannot_be_told_is_said_and_not_guessed(tmp_path: Path) -> None:
    made = make(tmp_path / "made", Sample(pointer=False, seconds=8.0, clicks=(Click(3.0), Click(6.0))))
    done = import_recording(made, tmp_path / "out")
    assert done.clock is not None
    assert done.clock.seconds is None
    assert "the clock offset could not be told" in done.notes[0]
    assert Recording(tmp_path / "out").segments[0].marks[0].time == 0.0


def test_a_still_pointer_tells_nothing(tmp_path: Path) -> None:
    made = make(tmp_path / "made", Sample(seconds=2.0, clicks=()))
    done = import_recording(made, tmp_path / "out")
    assert done.clock is not None
    assert done.clock.reason == "the pointer never moves"


def test_frames_events_and_trees_are_on_one_clock(imported: Path) -> None:
    recording = Recording(imported)
    [segment] = recording.segments
    presses = [e for e in recording.events() if isinstance(e, ButtonChanged) and e.down]
    assert [press.time for press in presses] == pytest.approx([3.0, 6.0, 9.0])
    assert segment.marks[0].time == pytest.approx(0.26, abs=0.03)
    assert [tree.time for tree in recording.trees()] == pytest.approx([0.4])
    squares = [_squares(recording, time) for time in (2.9, 3.4, 6.5, 9.5)]
    assert squares == [0, 1, 2, 3]


def _squares(recording: Recording, time: float) -> int:
    [segment] = recording.segments
    frame = next(segment.frames(time, time + 0.05))
    return sum(frame.rgb()[60, 60 + 90 * number, 2] > 180 for number in range(3))


def test_what_a_press_hit_and_which_window_it_was(imported: Path) -> None:
    recording = Recording(imported)
    presses = [e for e in recording.events() if isinstance(e, ButtonChanged) and e.down]
    assert [press.hit.name if press.hit else None for press in presses] == ["Square 0", "Square 1", "Square 2"]
    assert [press.hit.role if press.hit else None for press in presses] == ["Button"] * 3
    assert [e.program for e in recording.events() if isinstance(e, WindowChanged)] == ["squares"]


def test_the_task_and_the_annotators_choice_come_along(imported: Path) -> None:
    recording = Recording(imported)
    assert recording.header.task.instruction == "Press the squares"
    assert recording.header.system == "Windows 10"
    edits = msgspec.json.decode((imported / EDITS).read_bytes(), type=Edits)
    assert [kept.label for kept in edits.kept] == ["Press square 0", "Press square 2"]
    assert [kept.start for kept in edits.kept] == pytest.approx([3.0, 9.0])


def test_a_pause_is_bridged(tmp_path: Path) -> None:
    """OBS stops while the tool is paused: the video lacks that time, the events' clock doesn't."""
    sample = Sample(seconds=10.0, clicks=(Click(3.0), Click(8.0)))
    made = make(tmp_path / "made", msgspec.structs.replace(sample, seconds=0.5, clicks=()))
    _write(made / "events.jsonl", tool_events(sample))
    rows = [json.loads(line) for line in (made / "events.jsonl").read_text().splitlines()]
    rows = [row for row in rows if not 5.0 <= row["time_stamp"] - ZERO < 6.0]
    rows += [{"time_stamp": ZERO + 5.0, "action": "pause"}, {"time_stamp": ZERO + 6.0, "action": "resume"}]
    rows.sort(key=lambda row: row["time_stamp"])
    _write(made / "events.jsonl", rows)
    next(made.glob("*.mp4")).unlink()
    _video_without(made / "paused.mp4", sample, 5.0, 6.0)
    import_recording(made, tmp_path / "out")
    recording = Recording(tmp_path / "out")
    assert [_squares(recording, time) for time in (2.9, 3.5, 7.9, 8.4)] == [0, 1, 1, 2]


def _video_without(path: Path, sample: Sample, start: float, end: float) -> None:
    shorter = msgspec.structs.replace(sample, seconds=sample.seconds - (end - start))

    def later(_: Pixels, seen: float) -> Pixels:
        return picture(sample, seen if seen < start else seen + end - start)

    video(path, shorter, later)


def test_a_change_of_resolution_begins_a_segment(tmp_path: Path) -> None:
    """From 800×600 to 1280×1024 at 150 %: the canvas stays, the trees speak in other units, presses go beyond."""
    sample = Sample(Size(800, 600), 8.0, clicks=(Click(2.0), Click(6.5)))
    made = make(tmp_path / "made", sample, look=lambda pixels, seen: pixels if seen < 4.0 else 255 - pixels)
    trees = [(0.4, 800, 600), (3.0, 800, 600), (5.0, 1280 / 1.5, 1024 / 1.5), (6.9, 1280 / 1.5, 1024 / 1.5)]
    _write(made / "a11y.jsonl", [_desktop(time, wide, high) for time, wide, high in trees])
    done = import_recording(made, tmp_path / "out")
    first, second = Recording(tmp_path / "out").segments
    assert (first.header.screen, first.header.shown) == (Size(800, 600), None)
    assert (second.header.screen, second.header.shown) == (Size(1280, 1024), Size(800, 600))
    assert second.header.scale == 1.5
    assert second.header.start == pytest.approx(4.0, abs=0.1)
    assert "the screen became 1280×1024" in " ".join(done.notes)
    assert [tree.root.box for tree in second.trees()][-1] == (0, 0, 1280, 1024)
    pictures = list(second.frames(4.5, 4.6))
    assert pictures
    assert np.mean(pictures[0].luma()) < 120


def test_a_screen_that_shrinks_is_framed_in_black(tmp_path: Path) -> None:
    sample = Sample(Size(1280, 720), 5.0, offset=0.0, clicks=(Click(2.0),))
    made = make(tmp_path / "made", sample, look=lambda pixels, seen: pixels if seen < 3.2 else _framed(pixels))
    trees = [(0.4, 1280, 720), (3.5, 800, 600), (4.5, 800, 600)]
    _write(made / "a11y.jsonl", [_desktop(time, wide, high) for time, wide, high in trees])
    import_recording(made, tmp_path / "out")
    _, second = Recording(tmp_path / "out").segments
    assert second.header.screen == Size(800, 600)
    assert second.header.start == pytest.approx(3.2, abs=0.1)


def test_another_scale_alone_is_no_new_segment_and_hits_follow_it(tmp_path: Path) -> None:
    sample = Sample(Size(800, 600), 8.0, clicks=(Click(2.0), Click(6.0)))
    made = make(tmp_path / "made", sample)
    x, y = (round(part / 1.25) for part in _press(made, 6.0))
    box = {"left": x - 9, "top": y - 9, "right": x + 9, "bottom": y + 9}
    button = {"Name": "Apply", "ControlType": "ButtonControl", "BoundingRectangle": box, "Children": []}
    later = _desktop(4.0, 640, 480)
    later["axtree"]["Children"] = [button]
    _write(made / "a11y.jsonl", [_desktop(0.4, 800, 600), later])
    import_recording(made, tmp_path / "out")
    recording = Recording(tmp_path / "out")
    assert len(recording.segments) == 1
    hits = [e.hit for e in recording.events() if isinstance(e, ButtonChanged) and e.down]
    assert [hit.name if hit else None for hit in hits] == ["Square 0", "Apply"]


def _press(folder: Path, time: float) -> tuple[float, float]:
    rows = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    row = next(row for row in rows if row["action"] == "click" and row["time_stamp"] - ZERO >= time - 1e-6)
    return row["x"], row["y"]


def _framed(pixels: Pixels) -> Pixels:
    framed = pixels.copy()
    framed[600:] = 0
    framed[:, 800:] = 0
    return framed


def _desktop(time: float, wide: float, high: float) -> dict[str, Any]:
    box = {"left": 0, "top": 0, "right": wide, "bottom": high}
    tree = {"Name": "Desktop 1", "ControlType": "PaneControl", "BoundingRectangle": box, "Children": []}
    return {"time_stamp": ZERO + time, "axtree": tree}


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_mac_recording(tmp_path: Path) -> None:
    """Frames as text, children under any attribute, an element that is not there at all."""
    made = make(tmp_path / "made", Sample(system="Darwin", seconds=5.0, clicks=(Click(2.0), Click(4.0))))
    x, y = _press(made, 2.0)
    frame = str({"x": x - 20.0, "y": y - 10.0, "w": 40.0, "h": 20.0, "type": "kAXValueCGRectType"})
    node = {"AXRole": "AXButton", "AXTitle": "Send", "AXFrame": frame, "AXEnabled": "True"}
    window = {
        "AXRole": "AXWindow",
        "AXTitle": "Mail",
        "AXFrame": {"x": 0, "y": 0, "w": 640, "h": 360},
        "AXColumns": [node],
    }
    elements = [{"time_stamp": ZERO + 2.01, "a11y_tree": node}, {"time_stamp": ZERO + 4.0, "a11y_tree": []}]
    _write(made / "element.jsonl", elements)
    _write(made / "a11y.jsonl", [{"time_stamp": ZERO + 1.0, "axtree": window}])
    import_recording(made, tmp_path / "out")
    recording = Recording(tmp_path / "out")
    [tree] = recording.trees()
    assert (tree.title, tree.root.role, tree.root.children[0].name) == ("Mail", "Window", "Send")
    hits = [e.hit for e in recording.events() if isinstance(e, ButtonChanged) and e.down]
    assert [hit.name if hit else None for hit in hits] == ["Send", None]
    assert hits[0] is not None
    assert hits[0].states == ("enabled",)


def test_an_ubuntu_recording_has_no_trees_and_may_have_pages(tmp_path: Path) -> None:
    made = make(tmp_path / "made", Sample(system="Linux", seconds=5.0, clicks=(Click(2.0),)))
    for name in ("a11y.jsonl", "element.jsonl", "top_window.jsonl"):
        (made / name).write_text("")
    pages = [("https://example.org/", 0.5), ("https://example.org/", 1.0), ("https://example.org/next", 3.0)]
    _write(
        made / "html.jsonl", [{"time_stamp": ZERO + time, "url": url, "html": "<p>", "dom": {}} for url, time in pages]
    )
    hit = {"time_stamp": ZERO + 2.05, "element": {"tagName": "A", "text": " Next "}}
    _write(made / "html_element.jsonl", [hit])
    done = import_recording(made, tmp_path / "out")
    recording = Recording(tmp_path / "out")
    assert [e.url for e in recording.events() if isinstance(e, PageChanged)] == [pages[0][0], pages[2][0]]
    [press] = [e for e in recording.events() if isinstance(e, ButtonChanged) and e.down]
    assert press.hit is not None
    assert (press.hit.role, press.hit.name) == ("a", "Next")
    assert any("HTML" in note for note in done.notes)


def test_a_recording_without_a_video_can_still_be_imported(tmp_path: Path) -> None:
    made = make(tmp_path / "made", Sample(seconds=4.0, clicks=(Click(2.0),)))
    next(made.glob("*.mp4")).unlink()
    done = import_recording(made, tmp_path / "out")
    assert done.clock is None
    assert done.notes[0].startswith("there is no video")
    assert Recording(tmp_path / "out").segments[0].marks == ()


def _remove(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def _put(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_remove("metadata.json"), "holds no metadata.json"),
        (_remove("events.jsonl"), "holds no events.jsonl"),
        (_put("metadata.json", "{"), "metadata.json"),
        (_put("metadata.json", "[]"), "metadata.json"),
        (_put("events.jsonl", '{"time_stamp": 1, "action": 7}\n'), r"events.jsonl, line 1"),
        (_put("events.jsonl", "nonsense\n"), r"events.jsonl, line 1"),
        (_put("a11y.jsonl", '{"axtree": {}}\n'), "a11y.jsonl, line 1: it has no time_stamp"),
        (_put("2024-01-01 10-00-00.mp4", "not a video"), "cannot be read as a video"),
        (_put("second.mp4", ""), "holds 2 videos"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_and_nothing_is_left(
    tmp_path: Path, spoil: Callable[[Path], object], said: str
) -> None:
    made = make(tmp_path / "made", Sample(seconds=2.0, clicks=()))
    spoil(made)
    with pytest.raises(BadInput, match=said) as caught:
        import_recording(made, tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made"]


def test_an_impossible_screen_is_said(tmp_path: Path) -> None:
    made = make(tmp_path / "made", Sample(seconds=2.0, clicks=()))
    metadata = json.loads((made / "metadata.json").read_text())
    (made / "metadata.json").write_text(json.dumps({**metadata, "screen_width": 0}))
    with pytest.raises(BadInput, match="a size must be positive"):
        import_recording(made, tmp_path / "out")


def test_a_folder_that_is_not_empty_is_left_alone(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        import_recording(sample, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


_WORDS = (
    "time_stamp action x y dx button pressed name axtree a11y_tree BoundingRectangle Children ControlType AXFrame "
    "AXRole left top right bottom url element Name start_time end_time screen_width system video_start_timestamp"
)
_FILES = (
    "events.jsonl a11y.jsonl element.jsonl top_window.jsonl html.jsonl html_element.jsonl reduced_events_vis.jsonl "
    "task_name.json"
)
_leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
_values = st.recursive(
    _leaves | st.sampled_from(["move", "click", "left", "press", "PaneControl", "WindowControl"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_WORDS.split()), inner, max_size=6),
    max_leaves=12,
)
_lines = st.lists(_values.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=20), max_size=6)
_files = st.sampled_from([*_FILES.split(), "metadata.json"])


@settings(max_examples=60, deadline=None)
@given(name=_files, lines=_lines)
def test_no_file_breaks_the_importer(tmp_path_factory: pytest.TempPathFactory, name: str, lines: list[bytes]) -> None:
    _imports_or_says(_spoilt(tmp_path_factory.mktemp("fuzz"), name, lines))


@pytest.mark.sweep
@settings(max_examples=3000, deadline=None)
@given(name=_files, lines=_lines)
def test_no_file_breaks_the_importer_at_length(
    tmp_path_factory: pytest.TempPathFactory, name: str, lines: list[bytes]
) -> None:
    _imports_or_says(_spoilt(tmp_path_factory.mktemp("fuzz"), name, lines))


@pytest.mark.sweep
def test_no_video_breaks_the_importer(sample: Path, tmp_path: Path) -> None:
    """A video cut off anywhere, or with bytes changed anywhere, is imported or refused in one sentence."""
    draw = np.random.default_rng(0)
    whole = next(sample.glob("*.mp4")).read_bytes()
    for number in range(60):
        made = tmp_path / str(number) / "made"
        shutil.copytree(sample, made)
        data = bytearray(whole)
        if number % 2:
            data = data[: int(draw.integers(0, len(data)))]
        else:
            for place in draw.integers(0, len(data), 200):
                data[place] = int(draw.integers(0, 256))
        next(made.glob("*.mp4")).write_bytes(data)
        _imports_or_says(made)


def _spoilt(folder: Path, name: str, lines: list[bytes]) -> Path:
    made = folder / "made"
    made.mkdir()
    write_metadata(made, Sample())
    (made / "events.jsonl").write_text("")
    (made / name).write_bytes(b"\n".join(lines))
    return made


def _imports_or_says(made: Path) -> None:
    out = made.parent / "out"
    try:
        import_recording(made, out)
    except BadInput as error:
        assert "\n" not in str(error)
        assert not out.exists()
        assert [path.name for path in out.parent.iterdir()] == ["made"]
    else:
        list(Recording(out).events())
        list(Recording(out).trees())


# The sample that ships with the tool's publication.


@pytest.fixture(scope="module")
def shared(fixtures: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Recording]:
    out = tmp_path_factory.mktemp("shared") / "recording"
    done = import_recording(fixtures / FIXTURE, out)
    return done, Recording(out)


def test_the_shared_samples_offset(shared: tuple[Any, Recording]) -> None:
    clock = shared[0].clock
    assert clock.seconds == pytest.approx(0.26, abs=0.05)
    assert clock.confidence > 0.95


def test_the_shared_samples_screens(shared: tuple[Any, Recording]) -> None:
    recording = shared[1]
    sizes = [segment.header.screen for segment in recording.segments]
    assert sizes == [Size(1366, 768), Size(1680, 1050), Size(1050, 1680), Size(1680, 1050)]
    starts = [segment.header.start for segment in recording.segments[1:]]
    assert starts == pytest.approx([42.93 + 0.3, 55.3 + 0.3, 91.63 + 0.3], abs=0.1)
    assert {segment.header.shown for segment in recording.segments[1:]} == {Size(1366, 768)}


def test_the_shared_samples_hits_are_what_was_pressed(shared: tuple[Any, Recording]) -> None:
    """The tool's own targets are wrong from the moment the scale changes: its `Power & sleep` is another item."""
    presses = [e for e in shared[1].events() if isinstance(e, ButtonChanged) and e.down]
    names = [press.hit.name if press.hit else None for press in presses]
    for name in (
        "Night light",
        "125%",
        "1366 × 768",
        "Keep changes",
        "Power & sleep",
        "On battery power, turn off after",
    ):
        assert name in names
    assert "Projecting to this PC" not in names
