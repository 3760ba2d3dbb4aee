"""Where a state is looked for: after the action before, before the pointer arrives."""

from __future__ import annotations

import pytest

from tests.reduce.people import SCREEN, Person
from workalike.core.observation import Element
from workalike.core.recording import ButtonChanged
from workalike.core.screen import Box
from workalike.reduce.reducer import reduction
from workalike.reduce.windows import MatchSettings, SearchWindow, Track, windows

SETTINGS = MatchSettings()


def found(person: Person, kept: list[int] | None = None, slack: float = 0.0) -> list[SearchWindow]:
    result = reduction(person.events, SCREEN)
    numbers = list(range(len(result.gestures))) if kept is None else kept
    sizes = [SCREEN] * len(result.gestures)
    end = person.events[-1].time
    return windows(result.gestures, numbers, Track(person.events), sizes, end, SETTINGS, slack)


def test_the_window_ends_where_the_pointer_arrives_and_the_approach_is_the_last_movement() -> None:
    person = Person().click(100, 100).rest(1).move(600, 300).rest(1)
    set_out = person.time
    person.move(400, 100, steps=20).rest(0.3).down().up()
    window = found(person)[1]
    assert window.floor == pytest.approx(0.1, abs=0.05)
    assert window.began == pytest.approx(set_out + 0.01)
    assert set_out < window.arrival < set_out + 0.2


def test_wandering_about_on_the_target_is_no_approach() -> None:
    person = Person().click(100, 100).rest(1)
    set_out = person.time
    person.move(500, 300, steps=20).rest(0.5).move(510, 305).rest(0.5).down().up()
    assert found(person)[1].began == pytest.approx(set_out + 0.01)


def test_the_element_that_was_hit_is_the_target() -> None:
    person = Person().click(100, 100).rest(1).move(500, 300, steps=10).rest(0.5)
    rested = person.time
    person.move(700, 300, steps=10).down().up()
    hit = Element("button", "Wide", Box(0.45, 0.57, 0.3, 0.06))
    person.events = [
        ButtonChanged(e.time, e.x, e.y, e.button, e.down, hit=hit) if isinstance(e, ButtonChanged) and e.x > 600 else e
        for e in person.events
    ]
    assert found(person)[1].arrival < rested


def test_a_pointer_that_never_left_has_no_approach() -> None:
    person = Person().click(100, 100).rest(1).down().up()
    second = found(person)[1]
    assert second.began == second.arrival == person.events[-2].time


def test_typing_is_decided_on_the_screen_right_before_it() -> None:
    window = found(Person().click(100, 100).rest(1).write("hello"), slack=0.02)[1]
    assert window.began == window.arrival == pytest.approx(1.12, abs=0.05)


def test_what_an_annotator_deleted_still_bounds_the_windows() -> None:
    person = Person().click(100, 100).rest(1).click(300, 300).rest(1).click(500, 100)
    window = found(person, kept=[0, 2])[1]
    assert window.floor > 1.0


def test_the_ending_is_before_the_next_thing_that_was_done() -> None:
    person = Person().click(100, 100).rest(2.5).click(300, 300)
    *_, after = found(person, kept=[0])
    assert after.role == "after"
    assert after.floor < after.arrival <= person.events[-2].time


def test_the_ending_is_not_long_after() -> None:
    *_, after = found(Person().click(100, 100).rest(60).move(0, 0))
    assert after.arrival == pytest.approx(after.floor + SETTINGS.aftermath)


def test_a_wait_shows_what_was_seen_while_waiting_and_bounds_nothing() -> None:
    person = Person().click(100, 100).rest(5).click(300, 300)
    click, wait, second, _ = found(person)
    assert wait.role == "waiting"
    assert wait.arrival == pytest.approx(click.arrival + 0.5, abs=0.2)
    assert second.floor < 1.0


def test_no_gestures_no_windows() -> None:
    assert found(Person().move(10, 10)) == []


def test_long_approaches_are_read_at_both_ends_only() -> None:
    window = SearchWindow(0, "before", 0.0, 10.0, 30.0)
    assert window.stretches(SETTINGS) == [(9.4, 10.0), (29.4, 30.0)]
    assert SearchWindow(0, "before", 0.0, 10.0, 10.0).stretches(SETTINGS) == [(9.4, 10.0)]
