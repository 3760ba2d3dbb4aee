"""Event files alone: ours and the tool's, with the screen's size from wherever it can be had."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.reduce.people import Person
from workalike.cli import main
from workalike.core.actions import Hotkey
from workalike.core.errors import BadInput
from workalike.core.recording import SegmentHeader
from workalike.core.screen import Size
from workalike.reduce.reducer import reduction
from workalike.reduce.settings import settings_of
from workalike.reduce.sources import event_file, parse_size


def own(path: Path, person: Person) -> Path:
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in person.events))
    return path


def test_events_of_ours(tmp_path: Path) -> None:
    person = Person().click(300, 200)
    file = own(tmp_path / "events.jsonl", person)
    source = event_file(file, Size(1000, 500))
    assert source.events == tuple(person.events)
    assert (source.shown[0].size, source.told_by) == (Size(1000, 500), "--screen")


def test_the_size_beside_the_file(tmp_path: Path) -> None:
    file = own(tmp_path / "events.jsonl", Person().click(300, 200))
    header = SegmentHeader(0, Size(1680, 1050), 0.0, shown=Size(1366, 768))
    (tmp_path / "segment.json").write_bytes(msgspec.json.encode(header))
    source = event_file(file)
    assert (source.shown[0].size, source.told_by) == (Size(1366, 768), "segment.json")


def test_an_event_file_all_alone_still_works_and_says_what_it_took(tmp_path: Path) -> None:
    source = event_file(own(tmp_path / "events.jsonl", Person().click(300, 200).click(10, 400)))
    assert (source.shown[0].size, source.told_by) == (Size(301, 401), "the furthest place named")
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert event_file(empty).events == ()


def test_the_tools_events_are_recognised(tmp_path: Path) -> None:
    rows = [
        {"time_stamp": 5.0, "action": "press", "name": "ctrl_l", "pynput_key": "Key.ctrl_l"},
        {"time_stamp": 5.1, "action": "press", "name": "alt_l", "pynput_key": "Key.alt_l"},
        {"time_stamp": 5.2, "action": "press", "name": "T", "pynput_key": "<84>"},
    ]
    file = tmp_path / "events.jsonl"
    file.write_text("\n" + "\n".join(map(json.dumps, rows)))
    source = event_file(file)
    assert [event.time for event in source.events] == [5.0, 5.1, 5.2]
    assert reduction(source.events, source.shown, settings_of(source.settings)).left_out == {"stop_keys": 3}


@pytest.mark.parametrize(("text", "size"), [("1920x1080", Size(1920, 1080)), ("800×600", Size(800, 600))])
def test_sizes(text: str, size: Size) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["1920", "axb", "0x5", "-3x4", ""])
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match="is not a screen size"):
        parse_size(text)


def test_settings_that_cannot_be_used_are_said() -> None:
    with pytest.raises(BadInput, match="click_interval"):
        settings_of({"click_interval": "soon"})
    with pytest.raises(BadInput, match="0 or more"):
        settings_of({}, wait="-1")


_kinds = st.sampled_from(["move", "button", "key", "scroll", "click", "press", "release", "pause", "page", "x"])
_rows = st.fixed_dictionaries(
    {},
    optional={
        "event": _kinds,
        "action": _kinds,
        "time": st.floats() | st.text(max_size=3),
        "time_stamp": st.floats(0, 100) | st.none(),
        "x": st.floats() | st.integers(-9, 9999),
        "y": st.integers(-9, 9999),
        "dx": st.integers(-2, 2),
        "dy": st.integers(-2, 2),
        "button": st.sampled_from(["left", "right", "x1", ""]),
        "down": st.booleans(),
        "pressed": st.booleans(),
        "key": st.text(max_size=3),
        "name": st.text(max_size=3),
        "text": st.text(max_size=3),
        "modifiers": st.lists(st.sampled_from(["ctrl", "shift", "no such key"]), max_size=2),
    },
)
_lines = st.lists(_rows.map(lambda row: json.dumps(row).encode()) | st.binary(max_size=30), max_size=8)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_lines)
def test_any_file_reduces_or_is_refused_in_one_sentence(tmp_path: Path, lines: list[bytes]) -> None:
    _reduces_or_says(tmp_path / "events.jsonl", lines)


@pytest.mark.sweep
@settings(max_examples=10000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_lines)
def test_any_file_reduces_or_is_refused_at_length(tmp_path: Path, lines: list[bytes]) -> None:
    _reduces_or_says(tmp_path / "events.jsonl", lines)


def _reduces_or_says(file: Path, lines: list[bytes]) -> None:
    file.write_bytes(b"\n".join(lines))
    try:
        source = event_file(file)
    except BadInput as error:
        assert "\n" not in str(error)
        return
    result = reduction(source.events, source.shown, settings_of(source.settings))
    assert len(result.owners()) == len(source.events)


def pressed(*names: str, command: bool = False) -> list[dict[str, object]]:
    """Keys that are held together, as AgentNetTool records them; under a command Windows names letters otherwise."""
    rows: list[dict[str, object]] = []
    for action, order in (("press", names), ("release", names[::-1])):
        for name in order:
            key = f"'\\x{ord(name) - 96:02x}'" if command and len(name) == 1 else f"'{name}'"
            rows.append({"time_stamp": 100.0 + len(rows), "action": action, "name": name, "pynput_key": key})
    return rows


@pytest.mark.parametrize(
    ("rows", "system", "keys", "said"),
    [
        (pressed("cmd", "c"), None, ("command", "c"), "a Mac's command key"),
        (pressed("cmd", "e"), None, ("win", "e"), "the Windows key"),
        (pressed("cmd", "v") + pressed("ctrl_l", "c", command=True), None, ("win", "v"), "ctrl commands letters"),
        (pressed("cmd", "c"), "windows", ("win", "c"), ""),
        (pressed("cmd", "e"), "macos", ("command", "e"), ""),
        (pressed("ctrl_l", "c", command=True), None, ("ctrl", "c"), ""),
    ],
)
def test_the_command_key_is_told_by_its_use_and_said(
    tmp_path: Path, rows: list[dict[str, object]], system: str | None, keys: tuple[str, ...], said: str
) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = event_file(file, Size(100, 100), system)
    found = reduction(source.events, source.shown, settings_of(source.settings)).gestures
    assert found[0].actions == (Hotkey(keys),)
    assert said in source.assumed
    assert bool(source.assumed) == bool(said)


@pytest.mark.parametrize("width", ["9" * 400, "1e400", "1000001", "-5", "0", '"5"', "null", "1.5"])
def test_screens_that_cannot_be_are_said(tmp_path: Path, width: str, capsys: pytest.CaptureFixture[str]) -> None:
    moved = {"time_stamp": 1.0, "action": "move", "x": 5, "y": 5, "event_idx": 0}
    (tmp_path / "events.jsonl").write_text(json.dumps(moved) + "\n")
    (tmp_path / "metadata.json").write_text(
        f'{{"system": "Windows", "screen_width": {width}, "screen_height": 800, "video_start_timestamp": 0.0}}'
    )
    assert main(["reduce", str(tmp_path / "events.jsonl")]) == 2
    told = capsys.readouterr().err
    assert "metadata.json" in told
    assert "Traceback" not in told


@pytest.mark.parametrize("place", ["1" + "0" * 400, "1e400", "1e300", "2000000"])
def test_places_on_no_screen_are_said(tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "events.jsonl").write_text(
        f'{{"time_stamp": 1.0, "action": "move", "x": {place}, "y": 5, "event_idx": 0}}\n'
    )
    assert main(["reduce", str(tmp_path / "events.jsonl")]) == 2
    assert "Traceback" not in capsys.readouterr().err
    with pytest.raises(BadInput, match="is not a screen size"):
        parse_size(f"{'9' * 400}x900")
