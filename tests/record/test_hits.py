"""What was hit is read before it is hit, menus first; what could not be is marked as unsure."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.programs import needs
from tests.record.conftest import Desktops, Recorded
from tests.record.test_session import Worker
from workalike.core.observation import Element
from workalike.core.recording import ButtonChanged, SegmentHeader, Tree, WheelTurned
from workalike.core.screen import Size
from workalike.env.desktop.display import connect
from workalike.env.desktop.windows import active_window
from workalike.record.clock import Clock
from workalike.record.privacy import Secrets
from workalike.record.settings import RecordSettings
from workalike.record.witness import Witness
from workalike.store.recordings import Recording


class SlowWorker(Worker):
    """Somebody who looks where the pointer is before pressing, as people do."""

    def __init__(self, desktop: object, recorded: Recorded) -> None:
        super().__init__(desktop)  # type: ignore[arg-type]
        self._witness = recorded.recorder.witness

    def aim(self, x: int, y: int) -> None:
        """Go there and wait until the recorder knows what it is. A program that is too busy to answer is not asked
        again where the pointer rests, so the hand moves a little then, each time with more patience."""
        for patience in (2, 4, 8, 16, 32, 64):
            self.hands.move(x + 1, y)
            self.hands.move(x, y)
            ends = time.monotonic() + patience
            while time.monotonic() < ends:
                if self._knows(x, y):
                    return
                time.sleep(0.01)
        raise AssertionError(f"what lies at {x}, {y} did not become known")

    def _knows(self, x: int, y: int) -> bool:
        ahead = self._witness._ahead
        return ahead is not None and (ahead.x, ahead.y) == (x, y)

    def press(self) -> None:
        self.hands.button("left", True)
        self.hands.button("left", False)
        self.settle()


def wait_for(true: Callable[[], bool], seconds: float = 120.0) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it did not come to pass"
        time.sleep(0.01)


def hits(folder: Path) -> list[Element | None]:
    events = Recording(folder).events()
    return [e.hit for e in events if isinstance(e, WheelTurned) or (isinstance(e, ButtonChanged) and e.down)]


def test_a_menus_item_is_not_what_lies_beneath_it(desktops: Desktops, tmp_path: Path) -> None:
    needs("mousepad")
    desktop = desktops(("mousepad",))
    window = active_window(connect(desktop.name))
    assert window is not None
    left, top = window.box[:2]
    with Recorded(tmp_path / "r", desktop, RecordSettings()) as recorded:
        assert recorded.problem is None
        worker = SlowWorker(desktop, recorded)
        worker.aim(left + 60, top + 12)
        worker.press()
        worker.aim(left + 100, top + 239)
        worker.press()
    menu, item = hits(tmp_path / "r")
    assert menu is not None
    assert (menu.role, menu.name, menu.unsure) == ("menu", "Edit", False)
    assert item is not None
    assert (item.role, item.name, item.unsure) == ("menu item", "Select All", False)


def test_a_list_is_read_before_the_wheel_moves_it(desktops: Desktops, tmp_path: Path) -> None:
    needs("zenity")
    rows = [f"row {number}" for number in range(200)]
    desktop = desktops(("zenity", "--list", "--column=name", "--height=400", *rows))
    window = active_window(connect(desktop.name))
    assert window is not None
    with Recorded(tmp_path / "r", desktop, RecordSettings()) as recorded:
        worker = SlowWorker(desktop, recorded)
        worker.aim(window.box[0] + 60, window.box[1] + 200)
        for _ in range(3):
            worker.hands.wheel(0, 4)
        worker.settle()
    first, *others = hits(tmp_path / "r")
    assert first is not None
    assert first.role == "table cell"
    assert not first.unsure
    assert int(first.name.split()[1]) < 12, "it was there before the wheel turned"
    assert set(others) == {first}


def test_what_is_asked_only_afterwards_is_not_sure(desktops: Desktops, tmp_path: Path) -> None:
    needs("zenity")
    desktop = desktops(("zenity", "--entry", "--text=Name"))
    window = active_window(connect(desktop.name))
    assert window is not None
    kept: list[Tree] = []
    witness = Witness(Clock(), Secrets(), kept.append, lambda: window)
    witness.start(desktop.environ)
    try:
        x, y = window.box[0] + window.box[2] // 2, window.box[1] + window.box[3] // 2
        screen = SegmentHeader(0, Size(1280, 800), 0.0)
        late = witness.ask(ButtonChanged(1.0, x, y, "left", True))
        wait_for(lambda: late in witness._hits)
        witness.ask_ahead(x, y)
        wait_for(lambda: witness._ahead is not None)
        known = witness.ask(ButtonChanged(2.0, x, y, "left", True))
        elsewhere = witness.ask(ButtonChanged(3.0, x + 30, y, "left", True))
        wait_for(lambda: elsewhere in witness._hits)
        read = [witness.hit(asked, screen) for asked in (late, known, elsewhere)]
    finally:
        witness.stop()
    assert [hit.unsure for hit in read if hit is not None] == [True, False, True]
