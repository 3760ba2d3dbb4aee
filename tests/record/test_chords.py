"""The keys that command a recording leave no trace in it, and nothing else is lost with them."""

from __future__ import annotations

import pytest

from workalike.core.errors import BadInput
from workalike.core.recording import ButtonChanged, Event, KeyChanged, PointerMoved
from workalike.record.chords import ChordFilter, Command, chord, without_interrupt

CHORDS = {"stop": chord("ctrl+shift+f12"), "pause": chord("ctrl+shift+f11")}


def run(*events: Event) -> tuple[list[Event], list[Command]]:
    chords = ChordFilter({"stop": CHORDS["stop"], "pause": CHORDS["pause"]})
    passed: list[Event] = []
    commands: list[Command] = []
    for event in events:
        more, command = chords.feed(event)
        passed += more
        commands += [command] if command else []
    return passed + chords.flush(), commands


def down(time: float, key: str, repeat: bool = False) -> KeyChanged:
    return KeyChanged(time, key, True, repeat=repeat)


def up(time: float, key: str) -> KeyChanged:
    return KeyChanged(time, key, False)


def test_a_chord_is_taken_out_with_its_releases_and_repeats() -> None:
    move = PointerMoved(2.5, 9, 9)
    events: list[Event] = [
        *(down(1, "ctrlleft"), down(2, "shiftright"), move, down(3, "f11"), down(3.5, "f11", repeat=True)),
        *(up(4, "f11"), up(5, "shiftright"), up(6, "ctrlleft"), down(7, "a"), up(8, "a")),
    ]
    assert run(*events) == ([move, down(7, "a"), up(8, "a")], ["pause"])


def test_modifiers_of_something_else_are_kept_in_order() -> None:
    events: list[Event] = [down(1, "ctrlleft"), PointerMoved(2, 1, 1), down(3, "c"), up(4, "c"), up(5, "ctrlleft")]
    assert run(*events) == (events, [])
    click: list[Event] = [
        down(1, "shiftleft"),
        ButtonChanged(2, 1, 1, "left", True),
        ButtonChanged(3, 1, 1, "left", False),
    ]
    assert run(*click) == (click, [])
    alone = [down(1, "ctrlleft"), up(2, "ctrlleft")]
    assert run(*alone) == (alone, [])


def test_a_key_of_a_chord_without_its_modifiers_is_an_ordinary_key() -> None:
    events = [down(1, "f12"), up(2, "f12"), down(3, "ctrlleft"), down(4, "f12"), up(5, "f12"), up(6, "ctrlleft")]
    assert run(*events) == (events, [])


def test_keys_still_down_in_the_data_are_let_go_once() -> None:
    chords = ChordFilter({"pause": CHORDS["pause"]})
    for event in (down(1, "ctrlleft"), down(2, "c"), up(3, "c"), down(4, "shiftleft")):
        chords.feed(event)
    assert chords.feed(down(5, "f11")) == ([], "pause")
    assert chords.let_go(5) == [up(5, "ctrlleft")]
    assert chords.feed(up(6, "ctrlleft")) == ([], None)
    assert chords.feed(down(7, "ctrlleft")) == ([], None)
    assert chords.feed(up(8, "ctrlleft")) == ([down(7, "ctrlleft"), up(8, "ctrlleft")], None)


def test_the_interrupt_of_a_terminal_is_taken_off_the_end() -> None:
    copied = [down(1, "ctrlleft"), KeyChanged(2, "c", True, modifiers=("ctrl",)), up(3, "c"), up(4, "ctrlleft")]
    end: list[Event] = [down(5, "ctrlright"), KeyChanged(6, "c", True, modifiers=("ctrl",))]
    assert without_interrupt([*copied, PointerMoved(4.5, 1, 1), *end]) == [*copied, PointerMoved(4.5, 1, 1)]
    assert without_interrupt([down(1, "c")]) == [down(1, "c")]


@pytest.mark.parametrize("text", ["", "ctrl", "ctrl+shift", "ctrl+nosuchkey", "ctrl++"])
def test_what_is_no_chord_is_said_to_be_none(text: str) -> None:
    with pytest.raises(BadInput, match="chord"):
        chord(text)


def test_chords_are_written_in_any_spelling() -> None:
    assert chord("Control + Super + Escape") == {"ctrl", "win", "esc"}
