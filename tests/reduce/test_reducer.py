"""What a person did comes out of the raw events as the actions a person would name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest

from tests.reduce.people import SCREEN, Person
from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Press,
    Scroll,
    Wait,
    Write,
)
from workalike.core.recording import ButtonChanged, Event, KeyChanged, PointerMoved
from workalike.core.screen import Point, Size
from workalike.reduce.account import Reduction
from workalike.reduce.reducer import ShownArea, reduce_events, reduction
from workalike.reduce.settings import ReduceSettings, settings_of

AT = Point(0.3, 0.4)


def reduced(person: Person, settings: ReduceSettings = ReduceSettings()) -> Reduction:
    result = reduction(person.events, SCREEN, settings)
    assert len(result.owners()) == len(person.events)
    return result


def actions(person: Person, settings: ReduceSettings = ReduceSettings()) -> list[Action]:
    return list(chain.from_iterable(gesture.actions for gesture in reduced(person, settings).gestures))


def test_moves_are_the_approach_of_the_next_action() -> None:
    [gesture] = reduced(Person().click(300, 200)).gestures
    assert gesture.actions == (Click(AT),)
    assert (gesture.approach, gesture.events) == ((0, 1, 2, 3), (4, 5))


@pytest.mark.parametrize("button", ["left", "right", "middle"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_clicks_close_in_time_and_place_are_one(button: str, count: int) -> None:
    person = Person().move(300, 200)
    for _ in range(count):
        person.down(button).rest(0.05).up(button).rest(0.1)  # type: ignore[arg-type]
    assert actions(person) == [Click(AT, button, count)]  # type: ignore[arg-type]


def test_a_fourth_click_begins_anew() -> None:
    person = Person()
    for _ in range(4):
        person.click(300, 200).rest(0.1)
    assert actions(person) == [Click(AT, count=3), Click(AT)]


@pytest.mark.parametrize("apart", ["time", "place", "button", "key"])
def test_clicks_that_differ_stay_apart(apart: str) -> None:
    person = Person().click(300, 200)
    if apart == "key":
        person.key("enter")
    person.rest(0.6 if apart == "time" else 0.1)
    person.click(310 if apart == "place" else 300, 200, "right" if apart == "button" else "left")
    assert [action for action in actions(person) if isinstance(action, Click) and action.count > 1] == []
    assert len(actions(person)) == (3 if apart == "key" else 2)


def test_the_systems_own_interval_and_distance_count() -> None:
    person = Person().click(300, 200).rest(0.6).click(308, 200)
    slow = settings_of({"click_interval": 0.9, "click_distance": 10, "theme": "dark"})
    assert actions(person) == [Click(AT), Click(Point(0.308, 0.4))]
    assert actions(person, slow) == [Click(AT, count=2)]


def test_a_drag_keeps_its_path() -> None:
    person = Person().move(100, 100).down().move(300, 100, steps=20).move(300, 200, steps=20).up()
    [drag] = actions(person)
    assert drag == Drag((Point(0.3, 0.2), Point(0.3, 0.4)), Point(0.1, 0.2))


def test_a_drag_that_comes_back_is_a_drag() -> None:
    [drag] = actions(Person().move(100, 100).down().move(200, 100).move(200, 200).move(100, 100).up())
    assert isinstance(drag, Drag)
    assert drag.end == drag.start


def test_a_hand_that_trembles_still_clicks() -> None:
    assert actions(Person().move(300, 200).down().move(304, 203).up()) == [Click(AT)]


def test_a_long_press_is_press_wait_release() -> None:
    result = reduced(Person().move(300, 200).down().rest(1.49).up())
    assert result.gestures[0].kind == "long_press"
    assert result.gestures[0].actions == (MouseDown(AT), Wait(1.5), MouseUp(AT))


def test_turns_of_the_wheel_join_while_they_go_one_way() -> None:
    person = Person().move(300, 200)
    for dy in (1, 1, 2, -1, -1):
        person.wheel(dy).rest(0.2)
    person.wheel(dx=3).move(320, 200).wheel(dx=1)
    down, up, right = actions(person)
    assert down == Scroll(dy=4, at=AT)
    assert up == Scroll(dy=-2, at=AT)
    assert right == Scroll(dx=4, at=AT)


def test_scrolling_elsewhere_is_another_scroll() -> None:
    person = Person().move(300, 200).wheel(1).move(500, 200).wheel(1)
    assert actions(person) == [Scroll(dy=1, at=AT), Scroll(dy=1, at=Point(0.5, 0.4))]


def test_typing_joins_and_keys_stay_keys() -> None:
    person = Person().write("Grüße, 5 € $!").key("enter", "\r").key("tab", "\t").write("x")
    assert actions(person) == [Write("Grüße, 5 € $!"), Press(("enter",)), Press(("tab",)), Write("x")]


def test_fast_typing_rolls_over() -> None:
    person = Person().press("a", "a").press("b", "b").release("a").press("c", "c").release("b").release("c")
    assert actions(person) == [Write("abc")]


def test_a_key_kept_down_repeats() -> None:
    person = Person().press("a", "a")
    for _ in range(3):
        person.rest(0.1).press("a", "a", repeat=True)
    person.release("a").press("backspace").rest(0.4).press("backspace").rest(0.03).press("backspace")
    assert actions(person.release("backspace")) == [Write("aaaa"), Press(("backspace",) * 3)]


def test_shift_folds_into_the_characters_and_its_releases_may_cross() -> None:
    person = Person().press("shift").press("H", "H").release("shift").release("h").write("ello")
    person.press("shiftright").press("!", "!").release("shiftright").release("1")
    assert actions(person) == [Write("Hello!")]


def test_dead_keys_and_input_methods_write_what_came_out() -> None:
    person = Person().key("´").key("e", "é").key("dead_circumflex").key("o", "ô").key("a", "日本語")
    assert actions(person) == [Write("éô日本語")]


def test_a_dead_key_alone_writes_nothing() -> None:
    result = reduced(Person().key("´"))
    assert (result.gestures, result.left_out) == ((), {"typed_nothing": 2})


@pytest.mark.parametrize("held", [("altgr",), ("ctrl", "altgr")])
def test_altgr_chooses_characters(held: tuple[str, ...]) -> None:
    person = Person()
    for key in held:
        person.press(key)
    person.key("e", "€")
    for key in held:
        person.release(key)
    assert actions(person) == [Write("€")]


def test_option_writes_letters_and_alt_commands() -> None:
    assert actions(Person().press("alt").key("a", "å").release("alt")) == [Write("å")]
    assert actions(Person().press("alt").key("f", "f").release("alt")) == [Hotkey(("alt", "f"))]


def test_chords_are_hotkeys_in_the_order_they_were_held() -> None:
    person = Person().press("ctrlleft").press("shift").key("T", "\x14").release("shift").release("ctrlleft")
    person.press("ctrl").key("c", "\x03").key("v", "v").release("ctrl")
    assert actions(person) == [Hotkey(("ctrl", "shift", "t")), Hotkey(("ctrl", "c")), Hotkey(("ctrl", "v"))]


def test_a_chord_let_go_in_any_order_is_the_same() -> None:
    assert actions(Person().press("ctrl").press("c").release("ctrl").release("c")) == [Hotkey(("ctrl", "c"))]


def test_switching_windows_keeps_alt_down() -> None:
    person = Person().press("alt").key("tab").key("tab").key("tab").release("alt")
    assert actions(person) == [KeyDown("alt"), Press(("tab",) * 3), KeyUp("alt")]
    apart = Person().press("alt").key("tab").release("alt").press("alt").key("tab").release("alt")
    assert actions(apart) == [Hotkey(("alt", "tab"))] * 2


def test_modifiers_alone_are_pressed() -> None:
    assert actions(Person().key("win").rest(1).key("ctrl")) == [Press(("win",)), Press(("ctrl",))]
    both = Person().press("ctrl").press("shift").release("shift").release("ctrl")
    assert actions(both) == [Hotkey(("ctrl", "shift"))]


def test_modifiers_reach_over_pointer_actions() -> None:
    person = Person().press("ctrl").click(300, 200).rest(1).move(100, 100).wheel(-2)
    person.move(300, 200).down().move(400, 200).up().release("ctrl")
    click, scroll, drag = actions(person)
    assert click == Click(AT, modifiers=("ctrl",))
    assert scroll == Scroll(dy=-2, at=Point(0.1, 0.2), modifiers=("ctrl",))
    assert isinstance(drag, Drag)
    assert drag.modifiers == ("ctrl",)


def test_a_modifier_held_when_something_is_dropped_is_the_drags() -> None:
    person = Person().move(100, 100).down().move(300, 200).press("ctrl").up().rest(0.1).release("ctrl")
    assert actions(person) == [Drag((AT,), Point(0.1, 0.2), modifiers=("ctrl",))]
    before = Person().move(100, 100).down().move(300, 200).press("ctrl").release("ctrl").up()
    assert [type(action) for action in actions(before)] == [Drag, Press]


def test_overlapping_buttons_are_two_clicks() -> None:
    person = Person().move(300, 200).down("left").down("right").up("left").up("right")
    assert actions(person) == [Click(AT), Click(AT, "right")]


def test_a_press_without_release_is_a_click_and_says_so() -> None:
    result = reduced(Person().click(100, 100).rest(1).move(300, 200).down().move(500, 400).rest(1).down().up())
    assert [gesture.flags for gesture in result.gestures] == [(), ("no_release",), ()]
    assert result.gestures[1].actions == (Click(AT),)


def test_a_lost_release_of_a_modifier_does_not_reach_far() -> None:
    person = Person().press("ctrl").key("c").rest(5).write("hello")
    result = reduced(person)
    assert [gesture.actions for gesture in result.gestures] == [
        (Hotkey(("ctrl", "c")),),
        (Wait(5.06),),
        (Write("hello"),),
    ]
    assert result.gestures[0].flags == ("no_release",)


def test_reported_modifiers_are_believed() -> None:
    lost = [
        KeyChanged(1.0, "ctrl", True),
        KeyChanged(1.1, "c", True, modifiers=("ctrl",)),
        KeyChanged(1.2, "c", False),
        KeyChanged(1.5, "a", True, "a"),
        KeyChanged(1.6, "a", False),
    ]
    unseen = [ButtonChanged(2.0, 300, 200, "left", True, ("shift",)), ButtonChanged(2.1, 300, 200, "left", False)]
    result = reduction([*lost, *unseen], SCREEN)
    assert [gesture.actions for gesture in result.gestures] == [
        (Hotkey(("ctrl", "c")),),
        (Write("a"),),
        (Click(AT, modifiers=("shift",)),),
    ]


def test_releases_without_a_press_are_named() -> None:
    result = reduced(Person().release("r").release("ctrl").up().write("a"))
    assert result.left_out == {"released_without_press": 3}


def test_moves_after_the_last_action_are_named() -> None:
    assert reduced(Person().click(300, 200).move(0, 0)).left_out == {"moved_without_acting": 4}


def test_context_is_named_and_breaks_nothing() -> None:
    person = Person().page("https://x.org/find").window("Untitled", "editor").write("ab").window("*Untitled", "editor")
    person.page("https://x.org/find?q=ab#top").window("").rest(9).window("ab", "editor").write("cd")
    result = reduced(person)
    assert [gesture.actions for gesture in result.gestures] == [(Write("abcd"),)]
    assert result.left_out == {"page_changed": 2, "window_changed": 4}


@pytest.mark.parametrize("first", ["", "https://x.org/a", "https://x.org/b?to=a", "https://x.org/b#/a"])
def test_typing_in_another_page_is_typing_anew(first: str) -> None:
    """And the wait for it is one, as it would be between any two actions."""
    person = Person().rest(1)
    person = person.page(first) if first else person
    person.write("ab").rest(1).page("https://x.org/b#/b").rest(38).write("cd")
    assert actions(person) == [Write("ab"), Wait(39.11), Write("cd")]


def test_typing_in_another_program_is_typing_anew() -> None:
    there = Person().window("Notes", "notes").write("ab").window("Mail", "mail").write("cd")
    assert actions(there) == [Write("ab"), Write("cd")]
    back = Person().window("Notes", "notes").write("ab").window("(left out)").window("Notes", "notes").write("cd")
    assert actions(back) == [Write("ab"), Write("cd")]


def test_what_is_turned_and_clicked_is_not_broken_up_by_another_page() -> None:
    person = Person().move(300, 200).wheel(1).page("https://x.org/2").wheel(1).down().up().page("https://x.org/3")
    assert actions(person.down().up()) == [Scroll(dy=2, at=AT), Click(AT, count=2)]


def test_a_silence_in_which_the_screen_changed_is_a_wait() -> None:
    person = Person().write("ab").rest(20).write("cd").rest(2).write("ef").rest(30).write("gh")
    asked: list[float] = []

    def stirred(start: float, end: float) -> bool:
        asked.append(end - start)
        return end - start > 25

    result = reduction(person.events, SCREEN, ReduceSettings(), stirred)
    assert [gesture.actions[0] for gesture in result.gestures] == [Write("abcdef"), Wait(30.1), Write("gh")]
    assert asked == pytest.approx([20.1, 30.1]), "only long silences are asked about"
    assert len(result.owners()) == len(person.events)


def test_nothing_joins_across_a_pause() -> None:
    result = reduced(Person().write("ab").rest(9).pause().rest(9).resume().write("cd"))
    assert [gesture.actions for gesture in result.gestures] == [(Write("ab"),), (Write("cd"),)]
    assert result.left_out == {"paused": 1, "resumed": 1}


def test_masked_keys_keep_their_number_and_nothing_else() -> None:
    person = Person().write("me")
    for _ in range(4):
        person.events += [
            KeyChanged(person.tick(), "", True, masked=True),
            KeyChanged(person.tick(), "", False, masked=True),
        ]
    plain, masked = reduced(person).gestures
    assert (plain.actions, plain.flags) == ((Write("me"),), ())
    assert (masked.actions, masked.flags) == ((Write("••••"),), ("masked",))


def test_a_plain_wait_is_a_wait() -> None:
    person = Person().click(300, 200).rest(4).click(100, 100).rest(2.5).key("enter")
    assert [type(action) for action in actions(person)] == [Click, Wait, Click, Press]
    assert actions(person, ReduceSettings(wait=0)) == [Click(AT), Click(Point(0.1, 0.2)), Press(("enter",))]


def test_thinking_while_typing_is_no_wait() -> None:
    assert actions(Person().write("dear ").rest(20).write("sir")) == [Write("dear sir")]


def test_watching_with_the_hand_on_the_mouse_is_a_wait() -> None:
    person = Person().click(300, 200).rest(1).move(310, 210).rest(6).move(100, 100).down().up()
    assert actions(person) == [Click(AT), Wait(6.01), Click(Point(0.1, 0.2))]


def test_places_are_fractions_of_what_is_shown_at_the_time() -> None:
    person = Person().click(300, 200).rest(1).click(300, 200)
    areas = (ShownArea(0.0, Size(1000, 500)), ShownArea(0.5, Size(600, 400)))
    first, second = reduce_events(person.events, areas)
    assert first.actions == (Click(AT),)  # type: ignore[union-attr]
    assert second.actions == (Click(Point(0.5, 0.5)),)  # type: ignore[union-attr]


def test_gestures_come_as_soon_as_they_are_certain() -> None:
    person = Person().click(300, 200).rest(1).click(100, 100)
    seen = []

    def watched() -> Iterator[Event]:
        for event in person.events:
            yield event
            seen.append(event)

    next(reduce_events(watched(), SCREEN))
    assert len(seen) < len(person.events)


def test_settings_must_make_sense() -> None:
    with pytest.raises(ValueError, match="long_press must be a number of 0 or more"):
        ReduceSettings(long_press=-1)


def test_an_empty_stream_is_an_empty_account() -> None:
    result = reduction([], SCREEN)
    assert (result.gestures, result.owners()) == ((), {})
    assert reduction([PointerMoved(0, 1, 1)], SCREEN).left_out == {"moved_without_acting": 1}
