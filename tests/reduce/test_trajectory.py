"""A recording becomes a trajectory: each action on the screen it was decided on, and the screen that came of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.formats.tool_sample import ZERO, Click, Sample, make
from workalike.core.actions import Click as ClickAction
from workalike.core.actions import Terminate, Wait, Write, points
from workalike.core.errors import BadInput
from workalike.core.recording import FrameMark, RecordingEnd, RecordingHeader, SegmentHeader
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import Trajectory
from workalike.dialects import pyautogui
from workalike.formats.agentnet_tool import import_recording
from workalike.pictures.codec import decode
from workalike.reduce.reducer import reduction
from workalike.reduce.settings import ReduceSettings, settings_of
from workalike.reduce.sources import event_file
from workalike.reduce.trajectory import ReduceOptions, ReduceOutcome, reduce_recording
from workalike.store.pictures import PictureStore
from workalike.store.recordings import Recording, RecordingWriter
from workalike.store.trajectories import read_trajectory

SAMPLE = Sample(seconds=14.0, clicks=tuple(Click(2.0 + 1.7 * n) for n in range(6)))


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("reduce")
    import_recording(make(folder / "made", SAMPLE, kept=[0, 1, 3]), folder / "recording")
    return Recording(folder / "recording")


def reduced(
    recording: Recording, out: Path, options: ReduceOptions = ReduceOptions()
) -> tuple[ReduceOutcome, Trajectory]:
    outcome = reduce_recording(recording, out, settings_of(recording.header.settings), options)
    stored = read_trajectory(out / "trajectory.jsonl")
    assert stored.finished
    return outcome, stored.trajectory


def squares(out: Path, trajectory: Trajectory) -> list[int]:
    """How many squares each picture shows, the final one included, read back from the pixels."""
    pictures = PictureStore(out / "pictures")
    found = []
    for ref in trajectory.pictures:
        pixels = np.asarray(decode(pictures.read(ref)))
        found.append(int(sum(pixels[60, 60 + 90 * number, 2] > 180 for number in range(len(SAMPLE.clicks)))))
    return found


def test_every_action_has_the_screen_from_before_it(recording: Recording, tmp_path: Path) -> None:
    outcome, trajectory = reduced(recording, tmp_path / "out", ReduceOptions(edits=False))
    assert squares(tmp_path / "out", trajectory) == [0, 1, 2, 3, 4, 5, 6, 6]
    assert outcome.blind == 0
    assert trajectory.ending == Terminate("success")
    assert trajectory.stop is not None
    assert trajectory.stop.reason == "terminated"


def test_the_pointer_is_not_on_its_target_in_any_state(recording: Recording, tmp_path: Path) -> None:
    _, trajectory = reduced(recording, tmp_path / "out", ReduceOptions(edits=False))
    for step in trajectory.steps[:-1]:
        [target] = points(step.actions[0].action)
        pointer, size = step.observation.pointer, step.observation.size
        assert pointer is not None
        assert size is not None
        hit = step.actions[0].hit
        assert hit is not None
        assert hit.box is not None
        assert not hit.box.contains(pointer)
        assert pointer.distance(target) > 0.02


def test_what_is_known_about_a_step_is_in_it(recording: Recording, tmp_path: Path) -> None:
    _, trajectory = reduced(recording, tmp_path / "out", ReduceOptions(edits=False))
    step = trajectory.steps[1]
    assert isinstance(step.actions[0].action, ClickAction)
    assert step.actions[0].start == pytest.approx(3.7)
    assert step.actions[0].hit is not None
    assert step.actions[0].hit.name == "Square 1"
    seen = step.observation
    assert (seen.size, seen.kind, seen.window) == (Size(640, 360), "desktop", "squares")
    assert seen.time is not None
    assert seen.time < 3.7
    assert step.extra["reduced"]["kind"] == "click"
    assert trajectory.task.instruction == "Press the squares"


def test_an_annotators_deletions_and_labels_are_applied_or_not(recording: Recording, tmp_path: Path) -> None:
    outcome, trajectory = reduced(recording, tmp_path / "out")
    assert squares(tmp_path / "out", trajectory) == [0, 1, 3, 4, 4]
    assert [step.action_text for step in trajectory.steps] == [
        "Press square 0",
        "Press square 1",
        "Press square 3",
        None,
    ]
    assert outcome.deleted > 0
    _, whole = reduced(recording, tmp_path / "whole", ReduceOptions(edits=False))
    assert {step.action_text for step in whole.steps} == {None}


def test_the_account_stands_beside_the_steps_and_adds_up(recording: Recording, tmp_path: Path) -> None:
    outcome, trajectory = reduced(recording, tmp_path / "out")
    account = trajectory.extra["reduction"]
    assert account["events"] == len(list(recording.events()))
    assert account["used"] + account["deleted"] + sum(account["left_out"].values()) == account["events"]
    assert account["settings"]["click_interval"] == 0.5
    assert outcome.deleted == account["deleted"]


@pytest.mark.parametrize("ending", ["failure", "none"])
def test_the_ending_is_as_asked(recording: Recording, tmp_path: Path, ending: str) -> None:
    _, trajectory = reduced(recording, tmp_path / "out", ReduceOptions(ending=ending))  # type: ignore[arg-type]
    assert trajectory.final is not None
    if ending == "none":
        assert trajectory.ending is None
    else:
        assert trajectory.ending == Terminate("failure")


def test_a_recording_that_was_cut_off_ends_as_interrupted(recording: Recording, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(recording.path, copy)
    (copy / "end.json").unlink()
    video = copy / "segments/0/video.mp4"
    _, trajectory = reduced(Recording(copy), tmp_path / "out", ReduceOptions(edits=False))
    assert trajectory.ending is None
    assert trajectory.stop is not None
    assert (trajectory.stop.reason, trajectory.stop.detail) == ("interrupted", "the recording was cut off")
    video.unlink()
    outcome, blind = reduced(Recording(copy), tmp_path / "blind", ReduceOptions(edits=False))
    assert outcome.blind == 6
    assert blind.steps[0].observation.picture is None
    assert blind.steps[0].extra["reduced"]["state"] == "there is no frame of it"


def test_waits_stay_only_where_the_screen_changed(tmp_path: Path) -> None:
    """The first silence brings a square up late; in the second nothing happens."""
    sample = Sample(seconds=14.0, clicks=(Click(2.0), Click(7.5), Click(12.5)), offset=0.0, latency=1.5, pointer=False)
    made = make(tmp_path / "made", sample)
    rows = [json.loads(line) for line in (made / "events.jsonl").read_text().splitlines()]
    still = [row for row in rows if row["action"] != "move" or row["time_stamp"] - ZERO < 2.0]
    (made / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in still))
    import_recording(made, tmp_path / "recording")
    recording = Recording(tmp_path / "recording")
    changed = reduce_recording(recording, tmp_path / "out", ReduceSettings())
    kinds = [each.gesture.kind if each.gesture else "end" for each in changed.matched]
    assert kinds == ["click", "wait", "click", "wait", "click", "end"]
    quiet = make(tmp_path / "quiet", msgspec.structs.replace(sample, latency=99.0))
    (quiet / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in still))
    import_recording(quiet, tmp_path / "still")
    outcome = reduce_recording(Recording(tmp_path / "still"), tmp_path / "none", ReduceSettings())
    assert outcome.idle == 2
    actions = read_trajectory(tmp_path / "none/trajectory.jsonl").trajectory.actions
    assert not [taken for taken in actions if isinstance(taken.action, Wait)]


def test_frames_that_come_only_when_something_changes(tmp_path: Path) -> None:
    """Our own recorder keeps changed frames only: the state is the one that stood, however old it is."""
    from tests.reduce.people import Person

    person = Person().rest(1).click(100, 100).rest(2).click(500, 300).rest(1).write("hello").rest(0.5)
    header = RecordingHeader("r", Task("r", "Try"), "Linux", "2024-01-01T00:00:00")
    writer = RecordingWriter(tmp_path / "recording", header)
    segment = writer.segment(SegmentHeader(0, Size(1000, 500), 0.0))
    shades = {0.0: 10, 1.4: 80, 3.9: 160}
    for time, shade in shades.items():
        segment.frame(time, np.full((500, 1000, 4), shade, np.uint8))
    segment.event(*person.events)
    segment.close()
    writer.end(RecordingEnd(6.0, "stopped"))
    _, trajectory = reduced(Recording(tmp_path / "recording"), tmp_path / "out")
    pictures = PictureStore(tmp_path / "out" / "pictures")
    seen = [int(np.asarray(decode(pictures.read(ref)))[0, 0, 0]) for ref in trajectory.pictures]
    assert seen == pytest.approx([10, 80, 160, 160, 160], abs=6)


def test_typing_goes_on_after_thinking_and_begins_anew_after_waiting(tmp_path: Path) -> None:
    """In the first silence only a caret blinks, in the second a page comes up."""
    from tests.reduce.people import Person

    person = Person().rest(1).write("ab").rest(6).write("cd").rest(6).write("ef").rest(1)
    plain = np.full((500, 1000, 4), 200, np.uint8)
    caret, other = plain.copy(), np.full((500, 1000, 4), 60, np.uint8)
    caret[100:116, 50:52] = 0
    header = RecordingHeader("r", Task("r", "Try"), "Linux", "2024-01-01T00:00:00")
    writer = RecordingWriter(tmp_path / "recording", header)
    segment = writer.segment(SegmentHeader(0, Size(1000, 500), 0.0))
    for time, pixels in ((0.0, plain), (2.5, caret), (3.0, plain), (4.0, caret), (5.0, plain), (11.0, other)):
        segment.frame(time, pixels)
    segment.event(*person.events)
    segment.close()
    writer.end(RecordingEnd(16.0, "stopped"))
    outcome, trajectory = reduced(Recording(tmp_path / "recording"), tmp_path / "out")
    taken = [step.actions[0].action for step in trajectory.steps]
    assert taken == [Write("abcd"), Wait(6.1), Write("ef"), Terminate("success")]
    assert len(outcome.reduction.owners()) == len(person.events)


def test_nothing_is_left_behind_when_something_goes_wrong(recording: Recording, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(recording.path, copy)
    (copy / "edits.json").write_text("{")
    with pytest.raises(BadInput, match=r"edits\.json"):
        reduced(Recording(copy), tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy"]


def test_a_full_folder_is_left_alone(recording: Recording, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        reduced(recording, tmp_path)


def test_marks_without_frames_do_no_harm(recording: Recording, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(recording.path, copy)
    marks = copy / "segments/0/frames.jsonl"
    more = [FrameMark(100.0 + n, 100000 + n) for n in range(3)]
    marks.write_bytes(marks.read_bytes() + b"".join(msgspec.json.encode(mark) + b"\n" for mark in more))
    _, trajectory = reduced(Recording(copy), tmp_path / "out", ReduceOptions(edits=False))
    assert len(trajectory.steps) == 7


# The sample that ships with the tool's publication.


@pytest.fixture(scope="module")
def shared(fixtures: Path, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    out = tmp_path_factory.mktemp("shared") / "recording"
    import_recording(fixtures / "agentnet-recording", out)
    return Recording(out)


def test_the_shared_sample_has_27_actions(fixtures: Path) -> None:
    source = event_file(fixtures / "agentnet-recording" / "events.jsonl")
    result = reduction(source.events, source.shown, settings_of(source.settings))
    assert len(result.gestures) == 27
    assert len(result.owners()) == 4099
    assert result.left_out == {"stop_keys": 4}


def test_the_shared_samples_codes_are_the_published_ones(shared: Recording, fixtures: Path, tmp_path: Path) -> None:
    _, trajectory = reduced(shared, tmp_path / "out")
    published = json.loads((fixtures / "agentnet-trajectory" / "raw_example.jsonl").read_text())["traj"]
    codes = [pyautogui.format([taken.action for taken in step.actions]) for step in trajectory.steps]
    assert codes == [step["value"]["code"] for step in published]


def test_no_state_of_the_shared_sample_gives_its_action_away(shared: Recording, tmp_path: Path) -> None:
    outcome, trajectory = reduced(shared, tmp_path / "out", ReduceOptions(edits=False))
    for each, step in zip(outcome.matched, trajectory.steps, strict=True):
        assert each.state is not None
        if each.gesture is None or each.gesture.kind == "wait":
            continue
        assert each.state.mark.time < each.gesture.start
        assert each.state.on_target or each.state.mark.time <= each.state.window.arrival
        assert step.observation.picture is not None
    assert sum(each.state.on_target for each in outcome.matched if each.state) <= 2


@pytest.mark.sweep
def test_a_damaged_video_costs_pictures_and_nothing_else(recording: Recording, tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    whole = (recording.path / "segments/0/video.mp4").read_bytes()
    for number in range(40):
        copy = tmp_path / str(number)
        shutil.copytree(recording.path, copy)
        data = bytearray(whole)
        if number % 2:
            data = data[: int(draw.integers(0, len(data)))]
        else:
            for place in draw.integers(0, len(data), 300):
                data[place] = int(draw.integers(0, 256))
        (copy / "segments/0/video.mp4").write_bytes(data)
        _, trajectory = reduced(Recording(copy), tmp_path / f"{number}-out", ReduceOptions(edits=False))
        assert len(trajectory.steps) == 7
