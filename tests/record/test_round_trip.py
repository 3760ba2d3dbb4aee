"""A scripted person works a program; recorded and reduced, what the person did comes back: all of it, nothing else, in
order, at its place, each with a frame of the screen before it."""

from __future__ import annotations

import io
import math
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from tests.record.conftest import Desktops, Recorded
from tests.record.counter_program import Drawn, read_count
from tests.record.person import Done, Person
from workalike.core.actions import Action, Drag, Terminate, Wait, points
from workalike.core.screen import Point, Size
from workalike.reduce.reducer import reduction
from workalike.reduce.settings import ReduceSettings, settings_of
from workalike.reduce.trajectory import reduce_recording
from workalike.store.pictures import PictureStore
from workalike.store.recording_video import Pixels, VideoFrame
from workalike.store.recordings import Recording
from workalike.store.trajectories import read_trajectory

PROGRAM = Path(__file__).with_name("counter_program.py")
FRAME = 1 / 15
LOOKS = 4


def work(person: Person, actions: int, caught_up: Callable[[int], None]) -> list[Done]:
    """Let the person do things: mostly one at a time, now and then several in a rush. `caught_up` waits until the
    screen shows so many presses, and has been looked at since."""
    done: list[Done] = []
    while len(done) < actions:
        turn = len(done)
        if turn % 40 == 20:
            done.append(person.long_press(1.1))
        else:
            done += person.fast(3) if turn % 10 == 5 else [person.do()]
        caught_up(sum(each.presses for each in done))
    return done


def record_work(desktops: Desktops, out: Path, actions: int, seed: int) -> tuple[list[Done], list[Drawn], float]:
    """What was done, what was drawn when, and the origin of the recording's clock."""
    size = Size(1024, 640)
    desktop = desktops(size=size, layout="de", bare=True)
    log = out.with_suffix(".log")
    desktop.launch(sys.executable, str(PROGRAM), desktop.name, str(log))
    wait_until(lambda: log.exists() and bool(drawn_in(log)))
    with Recorded(out, desktop) as recorded:
        screen = recorded.recorder._screen

        def caught_up(presses: int) -> None:
            wait_until(lambda: drawn_in(log)[-1].count == presses)
            looked = screen.looked
            wait_until(lambda: screen.looked >= looked + LOOKS)

        done = work(Person(desktop.name, size, seed), actions, caught_up)
    assert recorded.end.reason == "stopped"
    return done, drawn_in(log), recorded.recorder.clock.origin


def drawn_in(log: Path) -> list[Drawn]:
    return [msgspec.json.decode(line, type=Drawn) for line in log.read_bytes().splitlines()]


def wait_until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 30
    while not true():
        assert time.monotonic() < ends, "it never happens"
        time.sleep(0.01)


def check_actions(done: list[Done], recording: Recording) -> None:
    """Everything came back, nothing else, in order, at its place."""
    size = recording.segments[0].header.screen
    found = reduction(recording.events(), size, settings_of(recording.header.settings))
    found.owners()
    wanted = [action for each in done for action in each.actions]
    given = [action for gesture in found.gestures for action in gesture.actions]
    for number, (want, got) in enumerate(zip(wanted, given, strict=False)):
        assert same(want, got, size), f"action {number}: wanted {want}, got {got}"
    assert len(wanted) == len(given)
    assert set(found.left_out) <= {"window_changed", "moved_without_acting"}


def same(want: Action, got: Action, size: Size) -> bool:
    """The same action, its places to the pixel; a drag may have lost points of its path that lie on straight lines."""
    if isinstance(want, Wait) and isinstance(got, Wait):
        return abs((want.seconds or 0) - (got.seconds or 0)) < 0.2
    if isinstance(want, Drag) and isinstance(got, Drag):
        return _same_drag(want, got, size)
    places = [(_pixel(a, size), _pixel(b, size)) for a, b in zip(points(want), points(got), strict=False)]
    return type(want) is type(got) and all(a == b for a, b in places) and _bare(want) == _bare(got)


def _same_drag(want: Drag, got: Drag, size: Size) -> bool:
    if (want.button, want.modifiers) != (got.button, got.modifiers):
        return False
    assert want.start
    assert got.start
    if _pixel(want.start, size) != _pixel(got.start, size) or _pixel(want.end, size) != _pixel(got.end, size):
        return False
    kept = [_pixel(point, size) for point in (got.start, *got.path)]
    return all(
        min(_off(_pixel(p, size), *stretch) for stretch in pairwise(kept)) <= ReduceSettings().straight
        for p in want.path
    )


def _off(place: tuple[int, int], start: tuple[int, int], end: tuple[int, int]) -> float:
    length = math.dist(start, end) ** 2 or 1
    along = ((place[0] - start[0]) * (end[0] - start[0]) + (place[1] - start[1]) * (end[1] - start[1])) / length
    along = min(1.0, max(0.0, along))
    return math.dist(place, (start[0] + along * (end[0] - start[0]), start[1] + along * (end[1] - start[1])))


def _pixel(point: Point, size: Size) -> tuple[int, int]:
    return (round(point.x * size.width), round(point.y * size.height))


def _bare(action: Action) -> Action:
    """An action without its place."""
    return msgspec.structs.replace(action, at=None) if hasattr(action, "at") else action


def check_states(done: list[Done], recording: Recording, out: Path) -> None:
    """The picture of each step shows how much had been done before it; in a rush it may show less, never more."""
    outcome = reduce_recording(recording, out, settings_of(recording.header.settings))
    assert outcome.blind == 0
    trajectory = read_trajectory(out / "trajectory.jsonl").trajectory
    pictures = PictureStore(out / "pictures")
    counts = [read_count(luma(pictures.read(picture))) for picture in trajectory.pictures]
    steps = [step for step in trajectory.steps if not isinstance(step.actions[0].action, Terminate)]
    assert len(steps) == len(done)
    before, rushed = 0, 0
    for number, (each, shown) in enumerate(zip(done, counts, strict=False)):
        assert shown <= before, f"action {number} is visible in the state before it"
        calm = number == 0 or each.start - done[number - 1].end > LOOKS * FRAME / 2
        if calm:
            assert shown == before, f"the state before action {number} shows {shown} of {before}"
        rushed += not calm
        before += each.presses
    assert counts[-1] == before, "the last picture shows the end"
    assert rushed <= len(done) / 3


def luma(picture: bytes) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(picture)).convert("L"))


def check_times(frames: list[VideoFrame], drawn: list[Drawn], origin: float) -> float:
    """Every frame shows what was drawn by its own time, to within a frame. Answers the largest error."""
    by_count = {each.count: each for each in drawn}
    worst = 0.0
    for frame in frames:
        count, moment = read_count(frame.luma()), frame.time + origin
        early = by_count[count].before - moment
        following = by_count.get(count + 1)
        late = moment - following.after if following else 0.0
        worst = max(worst, early, late)
    assert worst < FRAME
    return worst


def test_what_a_person_does_comes_back(desktops: Desktops, tmp_path: Path) -> None:
    done, drawn, origin = record_work(desktops, tmp_path / "r", actions=50, seed=1)
    recording = Recording(tmp_path / "r")
    check_actions(done, recording)
    check_states(done, recording, tmp_path / "t")
    check_times(list(recording.segments[0].frames()), drawn, origin)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", [2, 3])
def test_hundreds_of_actions_come_back(desktops: Desktops, tmp_path: Path, seed: int) -> None:
    started = time.monotonic()
    done, drawn, origin = record_work(desktops, tmp_path / "r", actions=270, seed=seed)
    recording = Recording(tmp_path / "r")
    check_actions(done, recording)
    check_states(done, recording, tmp_path / "t")
    worst = check_times(list(recording.segments[0].frames()), drawn, origin)
    print(f"{len(done)} actions in {time.monotonic() - started:.0f} s, worst timing error {worst * 1000:.1f} ms")
