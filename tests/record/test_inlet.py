"""Events enter in order, wait for what is asked about them, and stop entering while paused."""

from __future__ import annotations

from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    PageChanged,
    Paused,
    PointerMoved,
    Resumed,
    WheelTurned,
    WindowChanged,
)
from workalike.record.chords import Command, chord
from workalike.record.inlet import Inlet


class Listening:
    def __init__(self) -> None:
        self.commands: list[tuple[Command, float]] = []
        self.asked: list[float] = []
        chords: dict[Command, frozenset[str]] = {"stop": chord("ctrl+f12"), "pause": chord("ctrl+f11")}
        self.inlet = Inlet(chords, self._ask, lambda command, time: self.commands.append((command, time)))

    def _ask(self, event: ButtonChanged | WheelTurned) -> int:
        self.asked.append(event.time)
        return len(self.asked)

    def feed(self, *events: Event) -> None:
        for event in events:
            self.inlet.feed(event)

    def taken(self, until: float = 1e9) -> list[Event]:
        return [held.event for held in self.inlet.take(until)]


def test_events_are_given_out_in_order_of_time_up_to_a_moment() -> None:
    listening = Listening()
    press = ButtonChanged(2.0, 5, 5, "left", True)
    listening.feed(PointerMoved(1.0, 1, 1), press, WindowChanged(1.5, "late"), KeyChanged(3.0, "a", True, "a"))
    assert listening.taken(2.5) == [PointerMoved(1.0, 1, 1), WindowChanged(1.5, "late"), press]
    assert listening.taken() == [KeyChanged(3.0, "a", True, "a")]


def test_presses_and_wheels_are_asked_about_and_carry_the_question() -> None:
    listening = Listening()
    listening.feed(
        ButtonChanged(1, 5, 5, "left", True), ButtonChanged(2, 5, 5, "left", False), WheelTurned(3, 5, 5, 0, 1)
    )
    assert listening.asked == [1, 3]
    assert [held.asked for held in listening.inlet.take(10)] == [1, None, 2]


def test_a_modifier_that_may_belong_to_a_chord_is_waited_for() -> None:
    listening = Listening()
    listening.feed(KeyChanged(1, "ctrlleft", True), PointerMoved(2, 3, 3))
    assert listening.inlet.waiting_since() == 1
    assert listening.taken() == []
    listening.feed(KeyChanged(3, "f12", True))
    assert listening.commands == [("stop", 3)]
    assert listening.taken() == [PointerMoved(2, 3, 3)]
    assert listening.inlet.waiting_since() is None


def test_nothing_enters_while_paused() -> None:
    listening = Listening()
    listening.feed(KeyChanged(1, "a", True, "a"))
    listening.inlet.pause(2)
    listening.feed(KeyChanged(2.5, "b", True, "b"), PointerMoved(2.6, 1, 1), KeyChanged(2.7, "a", False))
    listening.inlet.resume(3)
    listening.feed(KeyChanged(4, "c", True, "c"))
    assert listening.taken() == [
        KeyChanged(1, "a", True, "a"),
        KeyChanged(2, "a", False),
        Paused(2),
        Resumed(3),
        KeyChanged(4, "c", True, "c"),
    ]


def test_what_came_to_the_front_during_a_pause_is_told_after_it() -> None:
    listening = Listening()
    listening.feed(WindowChanged(1, "Notes"))
    listening.inlet.pause(2)
    listening.feed(WindowChanged(2.1, "Bank"), PageChanged(2.2, "https://x.org/a"), WindowChanged(2.3, "Mail"))
    listening.inlet.resume(3)
    listening.inlet.pause(4)
    listening.inlet.resume(5)
    assert listening.taken() == [
        WindowChanged(1, "Notes"),
        Paused(2),
        Resumed(3),
        WindowChanged(3, "Mail"),
        PageChanged(3, "https://x.org/a"),
        Paused(4),
        Resumed(5),
    ]


def test_a_window_that_changes_while_the_chord_is_held_counts_as_during_the_pause() -> None:
    listening = Listening()
    listening.inlet.pause(2)
    listening.feed(KeyChanged(3, "ctrlleft", True), WindowChanged(3.1, "Mail"), KeyChanged(3.2, "f11", True))
    assert listening.commands == [("pause", 3.2)]
    listening.inlet.resume(3.2)
    assert listening.taken() == [Paused(2), Resumed(3.2), WindowChanged(3.2, "Mail")]


def test_the_end_gives_out_everything_and_leaves_no_key_down() -> None:
    listening = Listening()
    listening.feed(PointerMoved(1, 0, 0), PointerMoved(1.01, 1, 0), KeyChanged(2, "shiftleft", True))
    left = [held.event for held in listening.inlet.finish(interrupted=False, time=5)]
    assert left == [
        PointerMoved(1, 0, 0),
        PointerMoved(1.01, 1, 0),
        KeyChanged(2, "shiftleft", True),
        KeyChanged(5, "shiftleft", False),
    ]


def test_an_interrupt_takes_its_own_keys_along() -> None:
    listening = Listening()
    listening.feed(KeyChanged(1, "x", True, "x"), KeyChanged(2, "x", False))
    listening.feed(KeyChanged(3, "ctrlleft", True), KeyChanged(4, "c", True, modifiers=("ctrl",)))
    left = [held.event for held in listening.inlet.finish(interrupted=True, time=5)]
    assert left == [KeyChanged(1, "x", True, "x"), KeyChanged(2, "x", False)]
