"""A review laid over a recording: what is trimmed, deleted, relabelled and hidden is so in the trajectory, every event
is accounted for, and the raw capture stays as it was."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.viewer.recorded import CLICKS, EVIL, HIGH, SECRET, TYPED_AT, WIDE, record
from workalike.cli import main
from workalike.core.actions import Click, Write
from workalike.core.errors import BadInput
from workalike.core.review import DemonstrationReview, SensitiveRegion, StepEdit
from workalike.core.screen import Box, Point
from workalike.core.trajectory import Trajectory
from workalike.pictures.codec import decode
from workalike.reduce.account import Gesture
from workalike.reduce.reviewed import fates, hidden, step_place, without_step
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import ReduceOptions, ReduceOutcome, reduce_recording
from workalike.store.pictures import PictureStore
from workalike.store.recordings import Recording
from workalike.store.reviews import revise, undo
from workalike.store.trajectories import read_trajectory

PLACES = [round(time * 1000) for time in (*CLICKS, TYPED_AT)]
SECRET_BOX = Box(SECRET[0] / WIDE, SECRET[1] / HIGH, SECRET[2] / WIDE, SECRET[3] / HIGH)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return record(tmp_path / "recording")


def say(path: Path, review: DemonstrationReview, base: int = 0) -> int:
    return revise(path, "made", review, "Ann", "edit", base).number


def reduced(path: Path, out: Path, edits: bool = True) -> tuple[ReduceOutcome, Trajectory]:
    recording = Recording(path)
    settings = settings_of(recording.header.settings)
    outcome = reduce_recording(recording, out, settings, ReduceOptions(edits=edits))
    return outcome, read_trajectory(out / "trajectory.jsonl").trajectory


def starts(trajectory: Trajectory) -> list[float | None]:
    """When each step was done, but for the ending."""
    return [step.actions[0].start for step in trajectory.steps[:-1]]


def adds_up(trajectory: Trajectory) -> bool:
    account = trajectory.extra["reduction"]
    parts = account["used"] + account["deleted"] + account["trimmed"] + sum(account["left_out"].values())
    return bool(parts == account["events"])


def pixels(out: Path, trajectory: Trajectory, step: int) -> np.ndarray:
    picture = trajectory.steps[step].observation.picture
    assert picture is not None
    return np.asarray(decode(PictureStore(out / "pictures").read(picture)))


def squares(out: Path, trajectory: Trajectory, step: int) -> int:
    shown = pixels(out, trajectory, step)
    return int(sum(shown[165, 35 + 60 * number, 0] < 120 for number in range(3)))


def digest(path: Path) -> dict[str, str]:
    """All that was captured, by file."""
    files = (file for file in path.rglob("*") if file.is_file() and "layers" not in file.parts)
    return {str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_a_trim_is_applied_undone_or_ignored_and_the_capture_stays(made: Path, tmp_path: Path) -> None:
    before = digest(made)
    number = say(made, DemonstrationReview(trim_start=3.5, trim_end=7.0))
    outcome, trajectory = reduced(made, tmp_path / "trimmed")
    assert starts(trajectory) == [4.0, 6.0]
    assert [squares(tmp_path / "trimmed", trajectory, step) for step in range(3)] == [1, 2, 3]
    assert outcome.trimmed == trajectory.extra["reduction"]["trimmed"] == 12 + 10
    assert adds_up(trajectory)
    assert trajectory.extra["review"] == {"by": "Ann", "revision": 1}
    _, whole = reduced(made, tmp_path / "ignored", edits=False)
    assert starts(whole) == [*CLICKS, TYPED_AT]
    assert "review" not in whole.extra
    undo(made, "made", "Ann", number)
    _, again = reduced(made, tmp_path / "undone")
    assert starts(again) == [*CLICKS, TYPED_AT]
    assert digest(made) == before


def test_no_picture_is_from_before_the_trim(made: Path, tmp_path: Path) -> None:
    say(made, DemonstrationReview(trim_start=3.99))
    _, trajectory = reduced(made, tmp_path / "out")
    assert starts(trajectory)[0] == 4.0
    seen = trajectory.steps[0].observation.time
    assert seen is not None
    assert seen >= 3.9, "the frame that is on the screen when it begins"


def test_steps_are_deleted_relabelled_and_corrected(made: Path, tmp_path: Path) -> None:
    corrected = StepEdit(text="Say hello", actions=(Write("hello there"),))
    moved = StepEdit(actions=(Click(Point(0.5, 0.5), count=2),))
    steps = {PLACES[0]: moved, PLACES[1]: StepEdit(deleted=True), PLACES[3]: corrected}
    say(made, DemonstrationReview(steps=steps, task="Press two squares and say hello"))
    outcome, trajectory = reduced(made, tmp_path / "out")
    assert starts(trajectory) == [2.0, 6.0, 8.0]
    assert trajectory.task.instruction == "Press two squares and say hello"
    first, second, third = trajectory.steps[:3]
    assert first.actions[0].action == Click(Point(0.5, 0.5), count=2)
    assert first.actions[0].hit is None, "nobody knows what is at the other place"
    assert second.actions[0].hit is not None
    assert (third.actions[0].action, third.action_text) == (Write("hello there"), "Say hello")
    assert outcome.deleted == 12
    assert adds_up(trajectory)


def test_a_sensitive_region_is_unreadable_in_every_picture(made: Path, tmp_path: Path) -> None:
    left, top, width, height = SECRET
    _, open_ = reduced(made, tmp_path / "open")
    assert np.ptp(pixels(tmp_path / "open", open_, 0)[top : top + height, left : left + width]) > 200
    say(made, DemonstrationReview(regions=(SensitiveRegion(SECRET_BOX),)))
    _, trajectory = reduced(made, tmp_path / "out")
    for step in range(len(trajectory.steps)):
        shown = pixels(tmp_path / "out", trajectory, step)
        assert np.ptp(shown[top : top + height, left : left + width]) == 0
    assert squares(tmp_path / "out", trajectory, 2) == 2, "the rest is as it was"


def test_a_region_hides_what_is_on_the_screen_at_its_time_and_the_words_of_what_was_hit(
    made: Path, tmp_path: Path
) -> None:
    button = SensitiveRegion(Box(0.0, 0.7, 1.0, 0.3), start=5.0, end=7.0)
    say(made, DemonstrationReview(regions=(button,)))
    _, trajectory = reduced(made, tmp_path / "out")
    assert [squares(tmp_path / "out", trajectory, step) for step in range(4)] == [0, 1, 0, 3]
    hits = [step.actions[0].hit for step in trajectory.steps[:3]]
    assert [hit.name if hit else None for hit in hits] == [f"Square 0 {EVIL}", f"Square 1 {EVIL}", ""]


def test_a_rejected_recording_is_left_out_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad, good = record(tmp_path / "all" / "bad"), record(tmp_path / "all" / "good")
    say(bad, DemonstrationReview(decision="rejected", note="the phone rang"))
    with pytest.raises(BadInput, match=r"was rejected by Ann \(the phone rang\); --ignore-edits"):
        reduced(bad, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert main(["reduce", str(tmp_path / "all"), "--out", str(tmp_path / "demos")]) == 0
    told = capsys.readouterr().out
    assert "1 reduced, 1 left out, 0 were there already" in told
    assert "was rejected by Ann (the phone rang)" in told
    assert [path.parent.name for path in (tmp_path / "demos").rglob("trajectory.jsonl")] == ["good"]
    assert main(["reduce", str(tmp_path / "all"), "--out", str(tmp_path / "demos"), "--ignore-edits"]) == 0
    assert "1 reduced, 0 left out, 1 were there already" in capsys.readouterr().out
    assert good.is_dir()


def test_an_edit_of_no_step_is_told(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(made, DemonstrationReview(steps={123: StepEdit(deleted=True)}))
    assert main(["reduce", str(made), "--out", str(tmp_path / "out")]) == 0
    assert "1 edits of the review speak of no step" in capsys.readouterr().out


_GESTURES = st.lists(st.tuples(st.floats(0, 50), st.floats(0, 5)), max_size=12).map(
    lambda pairs: [Gesture("click", (Click(),), start, start + long) for start, long in sorted(pairs)]
)


@given(_GESTURES, st.data())
def test_every_gesture_has_one_fate_and_none_outside_of_the_trim_is_kept(
    gestures: list[Gesture], data: st.DataObject
) -> None:
    stays = data.draw(st.lists(st.booleans(), min_size=len(gestures), max_size=len(gestures)))
    start, end = data.draw(st.none() | st.floats(0, 50)), data.draw(st.none() | st.floats(0, 50))
    places = [step_place(gesture) for gesture in gestures]
    edits = data.draw(st.dictionaries(st.sampled_from([*places, 99]), st.builds(StepEdit, st.none() | st.booleans())))
    review = DemonstrationReview(start, end, edits)
    found = fates(gestures, stays, review)
    for gesture, stayed, fate in zip(gestures, stays, found, strict=True):
        inside = (start is None or gesture.start >= start) and (end is None or gesture.end <= end)
        said = edits.get(step_place(gesture), StepEdit()).deleted
        kept = inside and (stayed if said is None else not said)
        assert (fate == "kept") == kept
        assert (fate == "trimmed") == (not inside)
    assert without_step(gestures, review) == len(edits.keys() - set(places))


@given(
    st.floats(0, 0.99),
    st.floats(0, 0.99),
    st.floats(0.001, 1),
    st.floats(0.001, 1),
    st.integers(1, 40),
    st.integers(1, 40),
)
def test_whatever_a_region_covers_is_of_one_colour(
    x: float, y: float, width: float, height: float, wide: int, high: int
) -> None:
    box = Box(x, y, min(width, 1 - x), min(height, 1 - y))
    picture = np.random.default_rng(0).integers(0, 256, (high, wide, 3), np.uint8)
    before = picture.copy()
    shown = hidden(picture, [SensitiveRegion(box)], 0, 1)
    rows = [row for row in range(high) if box.y * high < row + 1 and row < box.bottom * high]
    columns = [column for column in range(wide) if box.x * wide < column + 1 and column < box.right * wide]
    covered = shown[np.ix_(rows, columns)]
    assert len(np.unique(covered.reshape(-1, 3), axis=0)) == 1
    assert (picture == before).all()
