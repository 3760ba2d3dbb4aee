"""What hands do is what a listener on the display hears."""

from __future__ import annotations

import math
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from Xlib.display import Display

from tests.programs import needs
from workalike.core.errors import ActionFailed
from workalike.core.recording import ButtonChanged, Event, KeyChanged, PointerMoved, WheelTurned
from workalike.core.screen import Size
from workalike.env.desktop.display import VirtualDesktop, connect
from workalike.env.desktop.input import XInput, straight
from workalike.record.clock import Clock
from workalike.record.input_x11 import XListener


class Heard:
    """A desktop with hands on it and an ear beside them."""

    def __init__(self, desktop: VirtualDesktop) -> None:
        self.display: Display = connect(desktop.name)
        self.hands = XInput(self.display, caught_up=self.caught_up)
        self._desktop = desktop
        self.events: list[Event] = []
        self._input = XListener(desktop.name, Clock(), self.events.append, lambda why: None)
        self._input.start()

    def layout(self, name: str) -> None:
        needs("setxkbmap")
        subprocess.run(["setxkbmap", *name.split()], env=self._desktop.environ, check=True)
        self.hands = XInput(self.display, caught_up=self.caught_up)

    def caught_up(self) -> None:
        """Move the pointer, and wait until that has been heard: everything before it has been too."""
        self.display.sync()
        known, ends = len(self.events), time.monotonic() + 10
        x = 1 + known % 100
        self.hands.move(x, 777)
        while not any(isinstance(e, PointerMoved) and e.y == 777 and e.x == x for e in self.events[known:]):
            assert time.monotonic() < ends
            time.sleep(0.005)

    def text(self) -> str:
        self.caught_up()
        return "".join(event.text for event in self.events if isinstance(event, KeyChanged))

    def close(self) -> None:
        self._input.stop()


@pytest.fixture
def heard() -> Iterator[Heard]:
    needs("Xvfb")
    with VirtualDesktop(Size(1000, 800), window_manager=False, bus=False) as desktop:
        heard = Heard(desktop)
        yield heard
        heard.close()


def test_text_in_any_script(heard: Heard) -> None:
    text = "Hello, World! 1+1=2 äöüß éè ñ €¥ ¿? Ελληνικά Русский עברית 漢字かな한글 🙂👍 „“ — … \\{}[]@~^"
    heard.hands.write(text)
    assert heard.text() == text
    heard.hands.close()
    assert len(XInput(heard.display)._spare) == len(heard.hands._spare), "the keys that were lent are given back"


def test_more_characters_than_there_are_spare_keys(heard: Heard) -> None:
    text = "".join(chr(0x4E00 + n) for n in range(3 * len(heard.hands._spare)))
    heard.hands.write(text)
    assert heard.text() == text


def test_a_key_is_pressed_when_all_spare_ones_are_lent(heard: Heard) -> None:
    heard.hands.write("".join(chr(0x4E00 + n) for n in range(len(heard.hands._spare))))
    assert len(heard.hands._lent) == len(heard.hands._spare)
    heard.caught_up()
    heard.events.clear()
    heard.hands.press("é")
    heard.hands.key("è", True)
    heard.hands.write("".join(chr(0x4E00 + n) for n in range(len(heard.hands._spare))))
    heard.hands.key("è", False)
    assert heard.text().startswith("éè一")
    assert heard.hands._held == []


def test_a_keyboard_without_spare_keys_is_told(heard: Heard) -> None:
    heard.hands._spare = []
    acts: list[Callable[[str], None]] = [heard.hands.press, heard.hands.write, lambda name: heard.hands.hotkey((name,))]
    for act in acts:
        with pytest.raises(ActionFailed, match="none to spare"):
            act("é")
    heard.hands.write("ab")
    assert heard.text() == "ab"


def test_hands_stop_when_their_time_is_over(heard: Heard) -> None:
    heard.hands.key("shift", True)
    heard.hands.until = time.monotonic()
    hands = heard.hands
    acts: list[Callable[[], None]] = [
        lambda: hands.write("abc"),
        lambda: hands.wheel(0, 9**9),
        lambda: hands.press("a"),
    ]
    for act in acts:
        with pytest.raises(ActionFailed, match="took too long"):
            act()
    heard.hands.let_go()
    heard.hands.until = math.inf
    heard.caught_up()
    keys = [(e.key, e.down) for e in heard.events if isinstance(e, KeyChanged)]
    assert keys == [("shiftleft", True), ("shiftleft", False)]


def test_another_group_of_the_layout_is_typed_around(heard: Heard) -> None:
    heard.layout("us,ru -option grp:shifts_toggle")
    for down in (True, False):
        heard.hands.key("shiftleft", down)
        heard.hands.key("shiftright", down)
    heard.caught_up()
    heard.events.clear()
    heard.hands.write("abc Я")
    assert heard.text() == "abc Я"


def test_caps_lock_is_typed_around(heard: Heard) -> None:
    heard.hands.press("capslock")
    heard.hands.write("Ab cD")
    heard.hands.press("capslock")
    assert heard.text() == "Ab cD"


def test_a_german_keyboard(heard: Heard) -> None:
    heard.layout("de")
    heard.hands.write("zy ß @€ {x} ñ")
    assert heard.text() == "zy ß @€ {x} ñ"


def test_buttons_wheel_and_keys(heard: Heard) -> None:
    hands = heard.hands
    hands.move(40, 50)
    hands.button("middle", True)
    hands.button("middle", False)
    hands.wheel(1, -2)
    hands.hotkey(("ctrl", "shift", "T"))
    heard.caught_up()
    kinds = [event for event in heard.events if not isinstance(event, PointerMoved)]
    assert [(e.x, e.y, e.button, e.down) for e in kinds if isinstance(e, ButtonChanged)] == [
        (40, 50, "middle", True),
        (40, 50, "middle", False),
    ]
    assert [(e.dx, e.dy) for e in kinds if isinstance(e, WheelTurned)] == [(0, -1), (0, -1), (1, 0)]
    keys = [(e.key, e.down) for e in kinds if isinstance(e, KeyChanged)]
    assert keys == [
        *(("ctrlleft", True), ("shiftleft", True), ("t", True)),
        *(("t", False), ("shiftleft", False), ("ctrlleft", False)),
    ]


def test_letting_go_releases_whatever_is_down(heard: Heard) -> None:
    heard.hands.key("shift", True)
    heard.hands.button("left", True)
    heard.hands.let_go()
    heard.caught_up()
    assert [e.down for e in heard.events if isinstance(e, ButtonChanged | KeyChanged)] == [True, True, False, False]


def test_a_straight_way_has_no_jumps() -> None:
    way = list(straight((0, 0), (100, 37)))
    assert way[-1] == (100, 37)
    assert len(way) >= 2
    places = [(0, 0), *way]
    assert all(abs(a[0] - b[0]) <= 25 and abs(a[1] - b[1]) <= 25 for a, b in pairwise(places))
    assert list(straight((5, 5), (5, 5))) == [(5, 5), (5, 5)]
