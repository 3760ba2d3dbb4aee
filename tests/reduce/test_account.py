"""Whatever the events are, each of them has exactly one owner, and time runs forward."""

from __future__ import annotations

import os

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reduce.people import SCREEN, Person
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
from workalike.reduce.account import Dropped, Gesture, Reduction
from workalike.reduce.reducer import reduce_events, reduction
from workalike.reduce.settings import ReduceSettings

HELD = ("ctrl", "shift", "alt", "altgr", "command", "win", "ctrlright", "shiftleft")
PLAIN = ("a", "A", "1", "!", "é", "$", "enter", "tab", "backspace", "f5", "space", "dead_acute", "´", "unheard-of")
TEXTS = ("", "", "a", "$", "é", "€", "日本", "\r", "\x03", " ")

places = st.sampled_from([0, 1, 3, 7, 40, 300, 999, -5, 2000])
reported = st.sampled_from([(), (), (), ("ctrl",), ("shift", "alt")])
times = st.just(0.0)
kinds = st.one_of(
    st.builds(PointerMoved, times, places, places),
    st.builds(
        ButtonChanged, times, places, places, st.sampled_from(["left", "right", "middle"]), st.booleans(), reported
    ),
    st.builds(
        WheelTurned, times, places, places, st.sampled_from([0, 1, -1]), st.sampled_from([0, 1, -1, 0.25]), reported
    ),
    st.builds(KeyChanged, times, st.sampled_from(HELD), st.booleans()),
    st.builds(
        KeyChanged, times, st.sampled_from(PLAIN), st.booleans(), st.sampled_from(TEXTS), reported, repeat=st.booleans()
    ),
    st.builds(KeyChanged, times, st.just(""), st.booleans(), masked=st.just(True)),
    st.builds(WindowChanged, times, st.just("window")),
    st.builds(PageChanged, times, st.just("https://example.org")),
    st.builds(Paused, times),
    st.builds(Resumed, times),
)
gaps = st.sampled_from([0.0, 0.01, 0.01, 0.1, 0.4, 0.7, 1.5, 3.5, 30.0, 100.0])


@st.composite
def streams(draw: st.DrawFn, most: int = 30) -> list[Event]:
    """Any events in any order: releases go missing, buttons overlap, modifiers stay down for ever."""
    now, events = 0.0, []
    for event, gap in draw(st.lists(st.tuples(kinds, gaps), max_size=most)):
        now += gap
        events.append(_at(event, now))
    return events


def _at(event: Event, time: float) -> Event:
    return msgspec.structs.replace(event, time=time)


def check(events: list[Event], chosen: ReduceSettings = ReduceSettings()) -> Reduction:
    result = reduction(events, SCREEN, chosen)
    owners = result.owners()
    assert result.used + sum(result.left_out.values()) == len(events) == len(owners)
    for gesture in result.gestures:
        assert gesture.actions
        assert gesture.start <= gesture.end
        assert list(gesture.events) == sorted(gesture.events)
        assert all(isinstance(events[i], PointerMoved) for i in gesture.approach)
        assert (gesture.kind == "wait") == (not gesture.events)
    return result


@settings(max_examples=150, deadline=None)
@given(streams())
def test_every_event_has_one_owner(events: list[Event]) -> None:
    check(events)


@pytest.mark.sweep
@settings(max_examples=int(os.environ.get("WORKALIKE_EXAMPLES", "20000")), deadline=None)
@given(
    streams(most=120),
    st.sampled_from([ReduceSettings(), ReduceSettings(wait=0, click_interval=0), ReduceSettings(lost_after=0.5)]),
)
def test_every_event_has_one_owner_at_length(events: list[Event], chosen: ReduceSettings) -> None:
    check(events, chosen)


@settings(max_examples=50, deadline=None)
@given(streams())
def test_the_reducer_is_pure_and_streams(events: list[Event]) -> None:
    once = list(reduce_events(events, SCREEN))
    again = list(reduce_events(iter(events), SCREEN))
    assert once == again


@settings(max_examples=50, deadline=None)
@given(streams())
def test_a_stream_cut_anywhere_still_adds_up(events: list[Event]) -> None:
    check(events[: len(events) // 2])


@settings(max_examples=50, deadline=None)
@given(streams())
def test_every_press_of_a_button_is_in_some_action(events: list[Event]) -> None:
    """Nothing a person did with a button or a key is ever left out for want of a rule."""
    result = check(events)
    done = {index for gesture in result.gestures for index in gesture.events}
    silent = {
        index for drop in result.dropped if drop.reason in ("typed_nothing", "stop_keys") for index in drop.events
    }
    for index, event in enumerate(events):
        if isinstance(event, ButtonChanged | KeyChanged) and event.down:
            assert index in done | silent


def test_an_account_that_does_not_add_up_is_refused() -> None:
    gesture = Gesture("press", (), 0.0, 0.0, (0, 1))
    for bad in (
        Reduction((gesture,), (Dropped("paused", (1,)),), 2, ReduceSettings()),
        Reduction((gesture,), (), 3, ReduceSettings()),
    ):
        with pytest.raises(ValueError, match="does not add up"):
            bad.owners()


def test_the_account_can_be_read() -> None:
    result = reduction(Person().click(300, 200).window("Files").move(0, 0).events, SCREEN)
    assert result.left_out == {"moved_without_acting": 4, "window_changed": 1}
    assert result.owners()[0] == 0
    assert result.owners()[6] == "window_changed"
