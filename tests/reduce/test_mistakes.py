"""What AgentNetTool's own reducer gets wrong, and this one must not: each mistake as the tool's events tell it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.reduce.people import Person
from workalike.core.actions import Action, Click, Drag, Hotkey, Scroll, Write
from workalike.core.screen import Point, Size
from workalike.dialects import pyautogui
from workalike.formats.agentnet_tool_events import STOP_KEYS, EventLine, events
from workalike.reduce.account import Reduction
from workalike.reduce.reducer import reduction
from workalike.reduce.settings import ReduceSettings

SCREEN = Size(1000, 500)


class Tool:
    """Writes rows as the tool does."""

    def __init__(self, system: str = "Windows") -> None:
        self.rows: list[dict[str, Any]] = []
        self.time, self.system = 100.0, system

    def row(self, action: str, **fields: Any) -> Tool:
        self.time += 0.02
        self.rows.append({"time_stamp": self.time, "action": action, "event_idx": len(self.rows), **fields})
        return self

    def click(self, x: int, y: int, button: str = "left") -> Tool:
        self.row("click", x=x, y=y, button=button, pressed=True)
        return self.row("click", x=x, y=y, button=button, pressed=False)

    def key(self, name: str, shown: str | None = None) -> Tool:
        return self.down(name, shown).up(name, shown)

    def down(self, name: str, shown: str | None = None) -> Tool:
        return self.row("press", name=name, pynput_key=shown or _shown(name))

    def up(self, name: str, shown: str | None = None) -> Tool:
        return self.row("release", name=name, pynput_key=shown or _shown(name))

    def reduced(self) -> Reduction:
        rows = (msgspec.convert(row, EventLine) for row in self.rows)
        result = reduction(events(rows, self.system), SCREEN, ReduceSettings(stop_keys=STOP_KEYS))
        assert len(result.owners()) == len(self.rows)
        return result

    def actions(self) -> list[Action]:
        return [action for gesture in self.reduced().gestures for action in gesture.actions]


def _shown(name: str) -> str:
    return repr(name) if len(name) == 1 else f"Key.{name}"


def test_a_double_click_as_the_very_first_thing_is_one() -> None:
    assert Tool().click(100, 100).click(100, 100).actions() == [Click(Point(0.1, 0.2), count=2)]


def test_typing_right_after_a_drag_stays_typing() -> None:
    tool = Tool("Darwin")
    tool.row("click", x=100, y=100, button="left", pressed=True).row("move", x=300, y=100)
    tool.row("click", x=300, y=100, button="left", pressed=False).key("c").key("a").key("t")
    drag, text = tool.actions()
    assert isinstance(drag, Drag)
    assert text == Write("cat")


def test_ctrl_over_three_clicks_is_three_modified_clicks() -> None:
    tool = Tool().down("ctrl_l").click(100, 100).click(200, 100).click(300, 100).up("ctrl_l")
    places = [Point(0.1, 0.2), Point(0.2, 0.2), Point(0.3, 0.2)]
    assert tool.actions() == [Click(place, modifiers=("ctrl",)) for place in places]


@pytest.mark.parametrize("text", ["$", "costs $5", "$enter$", "$HOME/$x"])
def test_a_dollar_is_a_dollar(text: str) -> None:
    tool = Tool()
    for character in text:
        tool.key(character) if character != " " else tool.key("space")
    assert tool.actions() == [Write(text)]
    assert pyautogui.parse(pyautogui.format(tool.actions())) == (Write(text),)


def test_a_triple_right_click_is_no_reason_to_stop() -> None:
    tool = Tool().click(100, 100, "right").click(100, 100, "right").click(100, 100, "right").key("x")
    assert tool.actions() == [Click(Point(0.1, 0.2), "right", 3), Write("x")]


@pytest.mark.parametrize("letter", ["é", "ß", "ñ", "日", "🙂"])
def test_any_letter_can_be_typed(letter: str) -> None:
    assert Tool().key("a").key(letter).actions() == [Write(f"a{letter}")]


def test_a_scroll_there_and_back_is_two_scrolls() -> None:
    tool = Tool().row("scroll", x=100, y=100, dx=0, dy=-2).row("scroll", x=100, y=100, dx=0, dy=2)
    assert tool.actions() == [Scroll(dy=2, at=Point(0.1, 0.2)), Scroll(dy=-2, at=Point(0.1, 0.2))]


def test_a_scroll_of_nothing_is_left_out_by_name() -> None:
    result = Tool().row("scroll", x=100, y=100, dx=0, dy=0).reduced()
    assert (result.gestures, result.left_out) == ((), {"scrolled_nothing": 1})


def test_a_click_off_the_screen_stays_there_and_says_so() -> None:
    result = Tool().click(1200, 700).reduced()
    assert result.gestures[0].actions == (Click(Point(1.2, 1.4)),)
    assert result.gestures[0].flags == ("off_screen",)


@pytest.mark.parametrize("released", [True, False])
@pytest.mark.parametrize(
    ("system", "held", "key"),
    [
        ("Windows", ("ctrl_l", "alt_l"), ("T", "<84>")),
        ("Windows", ("alt_l", "ctrl_l"), ("T", "<84>")),
        ("Linux", ("ctrl", "alt"), ("t", "'t'")),
        ("Darwin", ("cmd", "alt"), ("†", "'†'")),
    ],
)
def test_the_keys_that_stop_a_recording_are_no_action(
    system: str, held: tuple[str, str], key: tuple[str, str], released: bool
) -> None:
    tool = Tool(system).click(100, 100)
    tool.down(held[0]).down(held[1]).key(*key)
    if released:
        tool.up(held[1]).up(held[0])
    result = tool.reduced()
    assert [gesture.kind for gesture in result.gestures] == ["click"]
    assert result.left_out == {"stop_keys": 6 if released else 4}


def test_the_same_keys_in_the_middle_are_an_action() -> None:
    tool = Tool().down("ctrl_l").down("alt_l").key("T", "<84>").up("alt_l").up("ctrl_l").click(100, 100)
    assert tool.actions() == [Hotkey(("ctrl", "alt", "t")), Click(Point(0.1, 0.2))]


def test_the_release_of_the_keys_that_started_it_is_left_out_by_name() -> None:
    tool = Tool().up("R", "<82>").up("alt_l").up("ctrl_l").click(100, 100)
    assert tool.reduced().left_out == {"released_without_press": 3}


def test_pausing_aborts_nothing() -> None:
    tool = Tool().click(100, 100).row("pause").row("resume").click(200, 100)
    assert len(tool.actions()) == 2


@pytest.mark.parametrize("apart", [3.9, 4.0])
def test_clicks_four_pixels_apart_are_two_at_every_place(apart: float) -> None:
    """Fractions of a screen blur whole pixels: what is 4 apart came out as a little less at most places."""
    wrong = []
    for x in range(0, 1360):
        person = Person().click(x, 100).rest(0.1).click(x + apart, 100)
        found = reduction(person.events, Size(1366, 768)).gestures
        if len(found) != (1 if apart < 4 else 2):
            wrong.append(x)
    assert not wrong


def test_plain_letters_after_a_lost_release_of_ctrl_are_letters() -> None:
    """Under ctrl a letter writes nothing here; one that does shows that ctrl was up."""
    person = Person().press("ctrl").key("c").rest(0.2).write("hello")
    assert [gesture.actions for gesture in reduction(person.events, SCREEN).gestures] == [
        (Hotkey(("ctrl", "c")),),
        (Write("hello"),),
    ]
    unseen = Person().press("ctrl").rest(0.2).write("Hi")
    found = reduction(unseen.events, SCREEN, ReduceSettings(names_tell_ctrl=True)).gestures
    assert [gesture.actions for gesture in found][-1] == (Write("Hi"),)


def test_letters_under_ctrl_stay_commands_where_names_tell_nothing() -> None:
    person = Person().press("ctrl").key("c", "c").key("v", "v").release("ctrl")
    assert [gesture.actions for gesture in reduction(person.events, SCREEN).gestures] == [
        (Hotkey(("ctrl", "c")),),
        (Hotkey(("ctrl", "v")),),
    ]


def test_a_button_held_over_a_minute_keeps_its_drag() -> None:
    held = Person().move(100, 100).down().rest(75).move(400, 300).rest(80).up()
    (drag,) = reduction(held.events, SCREEN).gestures
    assert drag.kind == "drag"
    assert drag.flags == ()
    still = Person().move(100, 100).down().rest(90).up()
    (pressed,) = reduction(still.events, SCREEN).gestures
    assert pressed.kind == "long_press"


def test_a_release_that_never_came_is_given_up_when_others_follow() -> None:
    person = Person().move(100, 100).down().rest(75).write("later")
    assert [gesture.kind for gesture in reduction(person.events, SCREEN).gestures] == ["click", "wait", "write"]
