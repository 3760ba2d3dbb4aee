"""Marks instead of places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects import strategies as some
from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Click,
    Drag,
    Hotkey,
    Move,
    Opaque,
    Press,
    Scroll,
    SwitchTab,
    Terminate,
    Visit,
    Wait,
    Write,
    points,
)
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.observation import Element
from workalike.core.screen import Box, Point
from workalike.dialects import som
from workalike.dialects.reply import ParsedReply

PAGE = Element("region", "page", Box(0, 0, 1, 1), 1)
FORM = Element("form", "form", Box(0.1, 0.1, 0.5, 0.5), 2)
FIELD = Element("textbox", "name", Box(0.2, 0.2, 0.2, 0.05), 3)
SEND = Element("button", "Send", Box(0.2, 0.4, 0.1, 0.05), 7)
HIDDEN = Element("link", "hidden", None, 8)
PLAIN = Element("text", "no mark", Box(0.2, 0.2, 0.01, 0.01))
ELEMENTS = (PAGE, FORM, FIELD, SEND, HIDDEN, PLAIN)
IN_FIELD, ON_SEND = Point(0.3, 0.225), Point(0.25, 0.425)


def near(actions: tuple[Action, ...], *others: Action) -> bool:
    """Alike but for the last digits of a centre."""
    rounded = [some.at_places(action, lambda p: Point(round(p.x, 9), round(p.y, 9))) for action in actions]
    return rounded == list(others)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ('{"thought": "Send.", "actions": [{"do": "click", "mark": 7}]}', [Click(ON_SEND)]),
        ('{"do": "click", "mark": 7, "button": "right", "count": 2, "modifiers": ["Control"]}',
         [Click(ON_SEND, "right", 2, ("ctrl",))]),
        ('[{"do": "move", "mark": 7}, {"do": "wait", "seconds": 1}]', [Move(ON_SEND), Wait(1)]),
        ('{"do": "click"}', [Click()]),
        ('{"do": "click", "mark": "[7]"}', [Click(ON_SEND)]),
        ('{"do": "click", "mark": 7.0}', [Click(ON_SEND)]),
        ('{"do": "click", "mark": "7.0"}', [Click(ON_SEND)]),
        ('{"do": "click", "mark": "#7"}', [Click(ON_SEND)]),
        ('{"do": "click", "mark": "(7)"}', [Click(ON_SEND)]),
        ('{"do": "click", "mark": "mark 7"}', [Click(ON_SEND)]),
        ('{"do": "click", "mark": "[7] button \\"3\\""}', [Click(ON_SEND)]),
        ('{"do": "click", "mark": [7]}', [Click(ON_SEND)]),
        ('{"do": "type", "mark": " [3] ", "text": "Ada"}', [Click(IN_FIELD), Write("Ada")]),
        ('{"do": "drag", "mark": "[3]", "to": "[7]"}', [Drag((ON_SEND,), IN_FIELD)]),
        ('{"do": "click", "mark": 7, "within": [1, 0]}', [Click(Point(0.3, 0.4))]),
        ('{"do": "drag", "mark": 7, "within": [0, 0.5], "to": 3}', [Drag((IN_FIELD,), Point(0.2, 0.425))]),
        ('{"do": "drag", "mark": 3, "to": 7}', [Drag((ON_SEND,), IN_FIELD)]),
        ('{"do": "drag", "to": [3, 7]}', [Drag((IN_FIELD, ON_SEND))]),
        ('{"do": "scroll", "dy": 3, "mark": 3}', [Scroll(dy=3, at=IN_FIELD)]),
        ('{"do": "scroll", "dy": -300, "unit": "pixels"}', [Scroll(dy=-300, unit="pixels")]),
        ('{"do": "type", "mark": 3, "text": "Ada", "clear": true, "enter": true}',
         [Click(IN_FIELD), Hotkey(("ctrl", "a")), Press(("backspace",)), Write("Ada"), Press(("enter",))]),
        ('{"do": "type", "text": "Ada"}', [Write("Ada")]),
        ('{"do": "write", "text": "Ada"}', [Write("Ada")]),
        ('{"do": "press", "keys": ["Down", "Enter"]}', [Press(("down", "enter"))]),
        ('{"do": "hotkey", "keys": "ctrl+s"}', [Hotkey(("ctrl", "s"))]),
        ('{"do": "visit", "url": "https://a.test"}', [Visit("https://a.test")]),
        ('{"do": "switch_tab", "index": 1}', [SwitchTab(1)]),
        ('{"do": "back"}', [Back()]),
        ('{"do": "ask", "question": "which?"}', [Ask("which?")]),
        ('{"do": "terminate", "status": "failure", "answer": "none"}', [Terminate("failure", "none")]),
        ('Sure!\n```json\n{"do": "back"}\n```\nThere.', [Back()]),
        ('<tool_call>{"do": "back"}</tool_call>', [Back()]),
        ('{"do": "back"}\n{"do": "wait"}', [Back(), Wait()]),
        ('{"thought": null, "actions": [{"do": "back"}]}', [Back()]),
        ('{"thought": "Go\nback.", "action": {"do": "back"}}', [Back()]),
        ('{"action": [{"do": "back"}, {"do": "wait", "seconds": "2"}]}', [Back(), Wait(2)]),
        ('Sure {as you say}: {"do": "back"}', [Back()]),
        ('{"do": "scroll", "dy": "3", "mark": null}', [Scroll(dy=3)]),
        ('{"do": "click", "mark": 7, "count": "2", "within": ["1", "0"]}', [Click(Point(0.3, 0.4), count=2)]),
        ('{"do": "type", "text": "3", "mark": null, "enter": "True"}', [Write("3"), Press(("enter",))]),
        ('{"do": "terminate", "answer": "3"}', [Terminate("success", "3")]),
    ],
)  # fmt: skip
def test_reads(text: str, actions: list[Action]) -> None:
    assert near(som.parse(text, ELEMENTS), *actions)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"do": "click", "mark": 9}', "no mark 9; the highest is 8"),
        ('{"do": "click", "mark": 8}', "isn't known where mark 8 is"),
        ('{"do": "click", "mark": "seven"}', "no mark 'seven'"),
        ('{"do": "click", "mark": true}', "no mark True"),
        ('{"do": "click", "at": [0.5, 0.5]}', "click has no field 'at'"),
        ('{"do": "back", "mark": 3}', "back has no field 'mark'"),
        ('{"do": "click", "count": 4}', "single, double or triple"),
        ('{"do": "click", "button": "side"}', "side"),
        ('{"do": "drag", "mark": 3}', "no mark None"),
        ('{"do": "fly"}', "'fly'"),
        ('{"do": "click", "mark": null}', "no mark None"),
        ('{"do": "scroll", "dy": "down"}', "dy must be a number"),
        ('{"action": "click", "mark": 7}', "`do` must name one"),
        ('{"thought": 3, "actions": [{"do": "back"}]}', "thought must be a text"),
        ('{"actions": [{"do": "back"}, {"do": "wa', "not a JSON object"),
        ('{"do": "opaque", "text": "x"}', "'opaque'"),
        ('{"do": "press", "keys": ["ctrl+c"]}', "no key 'ctrl+c'"),
        ('{"do": "press", "keys": []}', "at least one key"),
        ('{"do": "scroll", "dy": NaN}', "not a number"),
        ('{"do": "switch_tab", "index": 99999999999999999999}', "whole number"),
        ('{"do": "type", "mark": 3}', "text must be a text"),
        ('{"do": "type", "text": "a", "enter": 1}', "true or false"),
        ('{"do": "visit"}', "url"),
        ('{"do": "terminate", "status": "done"}', "done"),
        ('{"thought": "hm", "actions": []}', "no action"),
        ("I click on 7", "no call"),
    ],
)
def test_refuses_and_says_why(text: str, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        som.parse(text, ELEMENTS)
    assert says in str(caught.value)


def test_nothing_marked() -> None:
    with pytest.raises(Unreadable, match="nothing is marked"):
        som.parse('{"do": "click", "mark": 1}', ())


@pytest.mark.parametrize("within", ["[0.5]", "[0.5, 1.2]", "[-0.1, 0]", '["a", 0]', "3", "[true, 0]", "[1e999, 0]"])
def test_within_is_two_fractions(within: str) -> None:
    with pytest.raises(Unreadable, match="within"):
        som.parse(f'{{"do": "click", "mark": 7, "within": {within}}}', ELEMENTS)
    with pytest.raises(Unreadable, match="no mark"):
        som.parse(f'{{"do": "click", "within": {within}}}', ELEMENTS)


@pytest.mark.parametrize("role", ["slider", "canvas", "iframe", "img"])
def test_where_the_place_matters_it_is_told(role: str) -> None:
    wide, click = Element(role, "wide", Box(0.5, 0.7, 0.4, 0.1), 9), Click(Point(0.62, 0.72))
    assert near(som.parse(som.format((click,), (*ELEMENTS, wide)), (*ELEMENTS, wide)), click)
    assert '"within": [0.3, 0.2]' in som.format((click,), (*ELEMENTS, wide))
    assert "within" not in som.format((Click(Point(0.7, 0.75)),), (wide,)), "the middle goes without saying"
    assert "within" not in som.format((Click(Point(0.21, 0.41)),), ELEMENTS), "nor does it matter on a button"


def test_writes_the_smallest_mark_around_a_place() -> None:
    assert som.format([Click(Point(0.21, 0.21))], ELEMENTS) == '{"actions": [{"do": "click", "mark": 3}]}'
    assert som.format([Click(Point(0.15, 0.15))], ELEMENTS) == '{"actions": [{"do": "click", "mark": 2}]}'
    assert som.format([Click(Point(0.5, 0.5))], ELEMENTS) == '{"actions": [{"do": "click", "mark": 1}]}'


def test_typing_is_one_call() -> None:
    text = som.write_reply(ParsedReply((Click(IN_FIELD), Write("Ada"), Press(("enter",))), "I say who."), ELEMENTS)
    assert text == '{"thought": "I say who.", "actions": [{"do": "type", "mark": 3, "text": "Ada", "enter": true}]}'
    assert som.read_reply(text, ELEMENTS).thought == "I say who."


@pytest.mark.parametrize(
    "action", [Click(Point(1.5, 0.5)), Opaque("x"), Press(("Enter",)), Wait(-1), Scroll(dy=float("nan")), SwitchTab(-1)]
)
def test_what_it_cannot_say(action: Action) -> None:
    with pytest.raises(Inexpressible, match="som"):
        som.format([action], ELEMENTS)


centres = st.sampled_from([element.box.centre for element in ELEMENTS if element.box and element.mark])


@settings(max_examples=200)
@given(st.lists(some.everything(centres), min_size=1, max_size=5))
def test_what_happens_on_marks_comes_back(actions: list[Action]) -> None:
    said = [action for action in actions if not isinstance(action, Opaque)]
    if said:
        assert som.parse(som.format(said, ELEMENTS), ELEMENTS) == tuple(said)


@settings(max_examples=150)
@given(some.everything(st.builds(Point, st.floats(0, 1), st.floats(0, 1))))
def test_elsewhere_it_comes_back_within_the_element(action: Action) -> None:
    if isinstance(action, Opaque):
        return
    (back,) = som.parse(som.format([action], ELEMENTS), ELEMENTS)
    boxes = {element.box.centre: element.box for element in ELEMENTS if element.box and element.mark}
    for before, after in zip(points(action), points(back), strict=True):
        assert boxes[after].contains(before)
    origin = Point(0, 0)
    assert some.at_places(back, lambda _: origin) == some.at_places(action, lambda _: origin)


@pytest.mark.parametrize(
    "reply",
    [
        """<think>It is "there".</think><answer>{"thought": "", "actions": [{"do": "click", "mark": 7}]}</answer>""",
        """<think>It is "there".</think>\n<|begin_of_box|>{"actions": [{"do": "click", "mark": 7}]}<|end_of_box|>""",
        """<think>It is "there".</think> {"actions": [{"do": "click", "mark": "7"}]}""",
    ],
)
def test_the_wrappings_of_glm_and_numbers_in_quotes(reply: str) -> None:
    assert SEND.box is not None
    assert som.read_reply(reply, ELEMENTS) == ParsedReply((Click(SEND.box.centre),), 'It is "there".')
