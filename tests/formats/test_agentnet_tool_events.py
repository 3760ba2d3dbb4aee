"""The tool's events become ours on all three systems."""

from __future__ import annotations

import msgspec
import pytest

from workalike.core.errors import Damaged
from workalike.core.recording import ButtonChanged, KeyChanged, Paused, PointerMoved, Resumed, WheelTurned
from workalike.formats.agentnet_tool_events import EventLine, Skipped, events, is_tool_event


def one(system: str = "Windows", **row: object) -> object:
    [event] = events([msgspec.convert({"time_stamp": 7.0, **row}, EventLine)], system, start=2.0)
    return event


def test_pointer_events() -> None:
    assert one(action="move", x=3, y=4) == PointerMoved(5.0, 3, 4)
    pressed = one(action="click", x=3, y=4, button="right", pressed=True)
    assert pressed == ButtonChanged(5.0, 3, 4, "right", True)
    assert one(action="pause") == Paused(5.0)
    assert one(action="resume") == Resumed(5.0)


@pytest.mark.parametrize(("system", "right"), [("Windows", 1), ("Linux", 1), ("Darwin", -1)])
def test_scrolls_go_down_and_right_everywhere(system: str, right: int) -> None:
    assert one(system, action="scroll", x=0, y=0, dx=right, dy=-3) == WheelTurned(5.0, 0, 0, 1, 3)


@pytest.mark.parametrize(
    ("system", "name", "shown", "key", "text"),
    [
        ("Windows", "a", "'a'", "a", "a"),
        ("Windows", "A", "'A'", "A", "A"),
        ("Windows", "C", r"'\x03'", "c", ""),
        ("Windows", "T", "<84>", "t", "t"),
        ("Windows", "7", "<103>", "7", "7"),
        ("Windows", "$", "'$'", "$", "$"),
        ("Windows", "'", '"\'"', "'", "'"),
        ("Windows", "\\", r"'\\'", "\\", "\\"),
        ("Windows", "space", "Key.space", "space", " "),
        ("Windows", "Page Down", "<34>", "pagedown", ""),
        ("Windows", "cmd", "Key.cmd", "win", ""),
        ("Windows", "ctrl_l", "Key.ctrl_l", "ctrlleft", ""),
        ("Windows", "alt_gr", "Key.alt_gr", "altgr", ""),
        ("Linux", "cmd_r", "Key.cmd_r", "winright", ""),
        ("Darwin", "cmd", "Key.cmd", "command", ""),
        ("Darwin", "å", "'å'", "å", "å"),
        ("Darwin", "enter", "Key.enter", "enter", ""),
        ("Windows", "$Unknown (255)$", "<255>", "$Unknown (255)$", ""),
        ("Linux", "é", "", "é", "é"),
    ],
)
def test_keys_and_what_they_write(system: str, name: str, shown: str, key: str, text: str) -> None:
    assert one(system, action="press", name=name, pynput_key=shown) == KeyChanged(5.0, key, True, text)
    assert one(system, action="release", name=name, pynput_key=shown) == KeyChanged(5.0, key, False)


def test_a_dead_key_joins_the_letter_after_it() -> None:
    rows = [
        EventLine(1.0, "press", name="^", pynput_key="[^]"),
        EventLine(1.1, "release", name="^", pynput_key="[^]"),
        EventLine(1.2, "press", name="o", pynput_key="'o'"),
    ]
    texts = [event.text for event in events(rows, "Linux") if isinstance(event, KeyChanged)]
    assert texts == ["", "", "ô"]


def test_thumb_buttons_are_counted() -> None:
    skipped = Skipped()
    rows = [EventLine(1.0, "click", button="x1", pressed=True), EventLine(1.1, "click", button="x1")]
    assert list(events(rows, "Windows", skipped=skipped)) == []
    assert skipped.counts == {"button x1": 2}


def test_an_event_the_tool_does_not_know_is_named() -> None:
    with pytest.raises(Damaged, match="event 9 is a 'teleport'"):
        list(events([EventLine(1.0, "teleport", event_idx=9)], "Windows"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b'{"time_stamp": 1, "action": "move", "x": 1, "y": 2}', True),
        (b'{"event": "move", "time": 1, "x": 1, "y": 2}', False),
        (b"[1, 2]", False),
        (b"", False),
        (b"\xff\xfe", False),
        (b"[" * 5000, False),
    ],
)
def test_whose_events_they_are(line: bytes, answer: bool) -> None:
    assert is_tool_event(line) is answer
