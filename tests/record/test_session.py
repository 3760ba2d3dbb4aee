"""A desktop recorded for real: what is kept, what is not, and how it ends when something breaks."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import numpy as np
import pytest
from Xlib.display import Display

from tests.programs import needs
from tests.record.conftest import TASK, Desktops, Recorded, start
from workalike.core.errors import BadInput
from workalike.core.program import programs_of
from workalike.core.recording import ButtonChanged, Event, KeyChanged, Paused, Resumed, WindowChanged
from workalike.core.screen import Size
from workalike.env.desktop.accessibility import Accessibility
from workalike.env.desktop.display import VirtualDesktop, connect
from workalike.env.desktop.elements import walk
from workalike.env.desktop.input import XInput
from workalike.env.desktop.screen import Stillness
from workalike.env.desktop.windows import active_window
from workalike.record.session import DesktopRecorder
from workalike.record.settings import RecordSettings
from workalike.reduce.settings import ReduceSettings
from workalike.reduce.trajectory import reduce_recording
from workalike.store.recordings import Recording
from workalike.store.trajectories import FILE, read_trajectory

WINDOW = Path(__file__).with_name("window_program.py")


class Worker:
    """Somebody at a desktop."""

    def __init__(self, desktop: VirtualDesktop) -> None:
        self.hands = XInput(connect(desktop.name))
        self.stillness = Stillness(connect(desktop.name))

    def click(self, x: int, y: int) -> None:
        self.hands.move(x, y)
        self.hands.button("left", True)
        self.hands.button("left", False)
        self.settle()

    def type(self, text: str) -> None:
        self.hands.write(text)
        self.settle()

    def settle(self) -> None:
        self.stillness.settle(react_within=0.3, quiet_for=0.2)


def texts(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, KeyChanged))


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*.json*"))


def test_pausing_and_stopping_by_chords(desktops: Desktops, tmp_path: Path) -> None:
    desktop = desktops(bare=True)
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop) as recorded:
        worker.type("before")
        worker.hands.hotkey(("ctrl", "shift", "f11"))
        worker.type("unseen")
        worker.hands.hotkey(("ctrl", "shift", "f11"))
        worker.type("after")
        worker.hands.hotkey(("ctrl", "shift", "f12"))
        assert recorded.end.reason == "stopped"
    events = list(Recording(tmp_path / "r").events())
    assert texts(events) == "beforeafter"
    assert [type(event) for event in events if isinstance(event, Paused | Resumed)] == [Paused, Resumed]
    assert not {"f11", "f12", "ctrlleft", "shiftleft"} & {
        event.key for event in events if isinstance(event, KeyChanged)
    }


def test_after_a_pause_the_window_in_front_is_told_and_seen(desktops: Desktops, tmp_path: Path) -> None:
    """A window that opens during the pause, and its tree, are news when the recording goes on."""
    needs("zenity")
    desktop = desktops(("zenity", "--info", "--title=First", "--text=one"))
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings()) as recorded:
        assert recorded.problem is None
        worker.settle()
        recorded.recorder.pause()
        start(desktop, "zenity", "--entry", "--title=Second", "--text=two")
        recorded.recorder.pause()
        seen = Stillness(connect(desktop.name))
        seen.settle(react_within=3, quiet_for=0.5)
        worker.type("x")
    recording = Recording(tmp_path / "r")
    events = list(recording.events())
    resumed = next(event.time for event in events if isinstance(event, Resumed))
    paused = next(event.time for event in events if isinstance(event, Paused))
    assert [e.title for e in events if isinstance(e, WindowChanged) and e.time >= resumed][:1] == ["Second"]
    assert [e for e in events if isinstance(e, WindowChanged) and paused < e.time < resumed] == []
    trees = [(tree.time, tree.title) for tree in recording.trees()]
    assert "Second" in [title for time, title in trees if time >= resumed]
    assert [title for time, title in trees if paused < time < resumed] == []


def test_a_change_of_resolution_begins_a_segment(desktops: Desktops, tmp_path: Path) -> None:
    desktop = desktops(bare=True)
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop):
        worker.click(1200, 700)
        resize(desktop.name, Size(800, 600))
        worker.settle()
        worker.click(100, 100)
    first, second = Recording(tmp_path / "r").segments
    assert (first.header.screen, second.header.screen) == (Size(1280, 800), Size(800, 600))
    assert next(second.frames()).rgb().shape == (600, 800, 3)
    assert [(e.x, e.y) for e in first.events() if isinstance(e, ButtonChanged) and e.down] == [(1200, 700)]
    assert [(e.x, e.y) for e in second.events() if isinstance(e, ButtonChanged) and e.down] == [(100, 100)]
    assert first.marks[-1].time < second.header.start <= second.marks[0].time


def resize(name: str, size: Size) -> None:
    display = Display(name)
    root = display.screen().root
    resources = root.xrandr_get_screen_resources()
    for crtc in resources.crtcs:
        display.xrandr_set_crtc_config(crtc, resources.config_timestamp, 0, 0, 0, 1, [])
    root.xrandr_set_screen_size(size.width, size.height, size.width // 4, size.height // 4)
    display.sync()


def test_one_monitor_of_several(desktops: Desktops, tmp_path: Path) -> None:
    needs("xrandr")
    desktop = desktops(bare=True)
    for name, place, output in (("left", "+0+0", "screen"), ("right", "+640+0", "none")):
        desktop.launch("xrandr", "--setmonitor", name, f"640/200x800/200{place}", output).wait()
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings(accessibility=False, monitor=2)):
        worker.click(700, 300)
    (segment,) = Recording(tmp_path / "r").segments
    assert (segment.header.screen, segment.header.origin) == (Size(640, 800), (640, 0))
    assert len(segment.header.monitors) == 2
    assert [(e.x, e.y) for e in segment.events() if isinstance(e, ButtonChanged)] == [(60, 300), (60, 300)]
    assert next(segment.frames()).rgb().shape == (800, 640, 3)
    with pytest.raises(BadInput, match="no monitor 3: this display has 2"):
        DesktopRecorder(tmp_path / "x", TASK, RecordSettings(monitor=3), desktop.name)


def test_a_lost_display_ends_it_cleanly(desktops: Desktops, tmp_path: Path) -> None:
    desktop = desktops(bare=True)
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop) as recorded:
        worker.type("kept")
        desktop.close()
        assert recorded.end.reason == "display lost"
    recording = Recording(tmp_path / "r")
    assert recording.end is not None
    assert recording.end.reason == "display lost"
    assert texts(list(recording.events())) == "kept"
    assert list(recording.segments[0].frames())


def test_windows_can_be_left_out(desktops: Desktops, tmp_path: Path) -> None:
    desktop = desktops(bare=True)
    worker = Worker(desktop)

    def open_window(title: str, left: int) -> None:
        place = [str(number) for number in (left, 100, 300, 200)]
        start(desktop, sys.executable, str(WINDOW), desktop.name, title, *place)

    with Recorded(tmp_path / "r", desktop, RecordSettings(accessibility=False, leave_out=("*vault*",))) as recorded:
        open_window("Notes", 100)
        worker.type("fine")
        open_window("My Vault - secrets", 600)
        worker.type("hidden")
    assert recorded.end.counts["events_left_out"] >= 12
    recording = Recording(tmp_path / "r")
    events = list(recording.events())
    assert texts(events) == "fine"
    assert [event.title for event in events if isinstance(event, WindowChanged) and event.title] == [
        "Notes",
        "(left out)",
    ]
    assert b"Vault" not in everything(tmp_path / "r")
    last = list(recording.segments[0].frames())[-1].rgb()
    assert stripes(last[150:250, 120:380]), "the other window is seen"
    assert not stripes(last[150:250, 620:880]), "this one is not"


def stripes(part: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> bool:
    return bool(part[:, :, 1].astype(int).std() > 50)


def test_passwords_are_masked_and_blurred_and_what_was_hit_is_known(desktops: Desktops, tmp_path: Path) -> None:
    needs("zenity")
    desktop = desktops(("zenity", "--password", "--username"))
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings()) as recorded:
        assert recorded.problem is None
        name, secret = asyncio.run(fields(desktop))
        worker.click(*name)
        worker.hands.write("Bob Ä")
        worker.hands.press("tab")
        worker.type("S3cret Pass")
        worker.hands.press("tab")
        worker.type("x")
        worker.click(*secret)
        worker.type("more")
    recording = Recording(tmp_path / "r")
    events = list(recording.events())
    assert texts(events) == "Bob Äx"
    assert sum(1 for event in events if isinstance(event, KeyChanged) and event.masked and event.down) == 15
    assert recorded.end.counts["keys_masked"] == 15
    assert b"S3cret" not in everything(tmp_path / "r")
    hits = [event.hit for event in events if isinstance(event, ButtonChanged) and event.down]
    assert [hit.role for hit in hits if hit] == ["text", "password text"]
    trees = list(recording.trees())
    assert any(node.role == "push button" and node.name == "OK" for node in walk(trees[0].root))
    for frame in recording.segments[0].frames():
        x, y = secret
        part = frame.rgb()[y - 6 : y + 6, x - 60 : x + 60]
        assert part.astype(int).std() < 6, "nothing can be read in the field"


async def fields(desktop: VirtualDesktop) -> list[tuple[int, int]]:
    """The middles of the fields on a desktop, as its program tells them."""
    accessibility = await Accessibility.connect(desktop.environ["DBUS_SESSION_BUS_ADDRESS"])
    window = await accessibility.window(None)
    assert window
    found = [node for node in walk((await accessibility.tree(window)).root) if "editable" in node.states]
    await accessibility.close()
    return [(node.box[0] + node.box[2] // 2, node.box[1] + node.box[3] // 2) for node in found if node.box]


def test_without_an_accessibility_bus_it_says_so_and_records(desktops: Desktops, tmp_path: Path) -> None:
    desktop = desktops(bare=True)
    desktop.environ.pop("DBUS_SESSION_BUS_ADDRESS", None)
    desktop.environ["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings()) as recorded:
        worker.type("typed")
    assert "accessibility bus cannot be reached" in (recorded.problem or "")
    assert texts(list(Recording(tmp_path / "r").events())) == "typed"


def test_when_the_asking_dies_the_recording_goes_on_and_says_so(desktops: Desktops, tmp_path: Path) -> None:
    needs("zenity")
    desktop = desktops(("zenity", "--info", "--text=hello"))
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings()) as recorded:
        worker.click(10, 10)
        process = recorded.recorder.witness._process
        assert process
        process._process.kill()
        process._process.wait()
        worker.type("still")
    assert recorded.end.counts["accessibility_lost"] == 1
    assert texts(list(Recording(tmp_path / "r").events())) == "still"


def test_frames_are_kept_only_when_something_changes(desktops: Desktops, tmp_path: Path) -> None:
    desktop = desktops(bare=True)
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop) as recorded:
        for x in range(100, 200, 10):
            worker.hands.move(x, 300)
            worker.settle()
    (segment,) = Recording(tmp_path / "r").segments
    assert recorded.end.counts["looks"] > 10
    assert [mark.repeat for mark in segment.marks] == [False, True]
    assert segment.marks[0].pointer == (640, 400)
    assert recorded.end.counts["events"] >= 10


def test_the_pointer_is_painted_when_asked(desktops: Desktops, tmp_path: Path) -> None:
    desktop = desktops(bare=True)
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings(accessibility=False, cursor=True)):
        worker.hands.move(300, 300)
        worker.settle()
    frames = list(Recording(tmp_path / "r").segments[0].frames())
    assert frames[-1].rgb()[290:320, 290:320].max() > 100
    assert frames[-1].rgb()[390:410, 630:650].max() < 50


def stripe(name: str) -> None:
    """Put red and white stripes behind everything."""
    display = Display(name)
    screen = display.screen()
    tile = screen.root.create_pixmap(20, 20, screen.root_depth)
    for x, colour in ((0, 0xFFFFFF), (10, 0xC00000)):
        tile.fill_rectangle(tile.create_gc(foreground=colour), x, 0, 10, 20)
    screen.root.change_attributes(background_pixmap=tile)
    screen.root.clear_area()
    display.sync()


def test_a_passwords_patch_goes_with_its_dialog(desktops: Desktops, tmp_path: Path) -> None:
    """It hides nothing of what comes to light."""
    needs("zenity")
    desktop = desktops()
    stripe(desktop.name)
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings()) as recorded:
        assert recorded.problem is None
        start(desktop, "zenity", "--password")
        dialog = active_window(connect(desktop.name))
        assert dialog is not None
        worker.type("s3cret")
        worker.hands.press("enter")
        worker.stillness.settle(react_within=1.0, quiet_for=0.5)
    recording = Recording(tmp_path / "r")
    boxes = {node.box for tree in recording.trees() for node in walk(tree.root) if node.role == "password text"}
    ((x, y, width, height),) = [box for box in boxes if box is not None]
    *_, last = recording.segments[0].frames()
    field = last.rgb()[y + 4 : y + height - 4, x + 4 : x + width - 4].astype(int)
    corner = last.rgb()[dialog.box[1] + 2 : dialog.box[1] + 8, x + 4 : x + width - 4].astype(int)
    assert np.ptp(corner[:, :, 1]) > 100, "the stripes are seen where the dialog was"
    assert np.ptp(field[:, :, 1]) > 100, "and where its field was"


def test_programs_that_were_there_are_kept_and_reach_the_trajectory(desktops: Desktops, tmp_path: Path) -> None:
    needs("zenity")
    command = ("zenity", "--entry", "--text=Name")
    desktop = desktops(command, ("zenity", "--info", "--title=Vault"))
    with Recorded(tmp_path / "r", desktop, RecordSettings(accessibility=False, leave_out=("Vault",))):
        Worker(desktop).type("x")
    (program,) = Recording(tmp_path / "r").header.programs
    assert (program.command[1:], program.folder) == (command[1:], str(desktop.folder))
    reduce_recording(Recording(tmp_path / "r"), tmp_path / "t", ReduceSettings())
    assert programs_of(read_trajectory(tmp_path / "t" / FILE).trajectory.extra) == (program,)
