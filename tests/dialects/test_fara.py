"""Fara's calls, as the two models write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Click,
    Drag,
    Hotkey,
    Memorize,
    Move,
    Press,
    ReadPage,
    Scroll,
    Search,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.screen import Point, Size
from workalike.dialects import fara
from workalike.dialects.computer_use import Variant
from workalike.dialects.fara import FARA_7B, FARA_15
from workalike.dialects.reply import ParsedReply

MIDDLE = Point(0.5, 0.5)


def call(action: str, **arguments: Any) -> str:
    made = {"name": "computer_use", "arguments": {"action": action, **arguments}}
    return f"<tool_call>\n{json.dumps(made)}\n</tool_call>"


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (call("left_click", coordinate=[714, 448]), [Click(MIDDLE)]),
        (call("click", coordinate=[714, 448]), [Click(MIDDLE)]),
        (call("mouse_move", coordinate=[714, 448]), [Move(MIDDLE)]),
        (call("key", keys=["Enter"]), [Press(("enter",))]),
        (call("key", keys=["Control", "A"]), [Hotkey(("ctrl", "a"))]),
        (call("key", keys=["ctrl+shift+Tab"]), [Hotkey(("ctrl", "shift", "tab"))]),
        (call("type", text="hi"), [Write("hi"), Press(("enter",))]),
        (call("type", text="hi", press_enter=False), [Write("hi")]),
        (
            call("type", text="hi", coordinate=[714, 448], press_enter=True, delete_existing_text=True),
            [Click(MIDDLE), Hotkey(("ctrl", "a")), Press(("backspace",)), Write("hi"), Press(("enter",))],
        ),
        (call("scroll", pixels=-400), [Scroll(dy=400, unit="pixels")]),
        (call("scroll", pixels=400, coordinate=[714, 448]), [Scroll(dy=-400, unit="pixels", at=MIDDLE)]),
        (call("visit_url", url="example.test"), [Visit("example.test")]),
        (call("web_search", query="ferry to Corfu"), [Search("ferry to Corfu")]),
        (call("history_back"), [Back()]),
        (call("refresh"), [Press(("f5",))]),
        (call("pause_and_memorize_fact", fact="it costs 12 €"), [Memorize("it costs 12 €")]),
        (call("wait", time=2), [Wait(2)]),
        (call("wait"), [Wait()]),
        (call("terminate", status="success"), [Terminate("success")]),
        ("It costs 12 €.\n" + call("terminate", status="failure"), [Terminate("failure", "It costs 12 €.")]),
    ],
)
def test_fara_7b_reads(text: str, actions: list[Action]) -> None:
    assert fara.parse(text) == tuple(actions)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (call("left_click", coordinate=[500, 500]), [Click(MIDDLE)]),
        (call("double_click", coordinate=[500, 500]), [Click(MIDDLE, count=2)]),
        (call("triple_click", coordinate=[500, 500]), [Click(MIDDLE, count=3)]),
        (call("right_click", coordinate=[500, 500]), [Click(MIDDLE, "right")]),
        (call("left_click_drag", coordinate=[500, 500]), [Drag((MIDDLE,))]),
        (call("type", text="hi"), [Write("hi")]),
        (call("scroll", pixels=-100), [Scroll(dy=90, unit="pixels")]),
        (call("hscroll", pixels=100), [Scroll(dx=144, unit="pixels")]),
        (call("read_page_answer_question", question="price?"), [ReadPage("price?")]),
        (call("ask_user_question", question="which one?"), [Ask("which one?")]),
        ("Done.\n" + call("terminate", answer="12 €"), [Terminate("success", "12 €")]),
        (
            call("mouse_move", coordinate=[0, 0]) + "\n" + call("left_click_drag", coordinate=[500, 500]),
            [Drag((MIDDLE,), Point(0, 0))],
        ),
    ],
)
def test_fara_15_reads(text: str, actions: list[Action]) -> None:
    assert fara.parse(text, variant=FARA_15) == tuple(actions)


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name":"computer_use","arguments":{"action":"wait","time":1}}</tool_call>',
        '<tool_call>\n```json\n{"name":"computer_use","arguments":{"action":"wait","time":1}}\n```\n</tool_call>',
        '{"name":"computer_use","arguments":{"action":"wait","time":1}}',
        '```json\n{"name":"computer_use","arguments":{"action":"wait","time":1}}\n```',
        "<tool_call>{'name': 'computer_use', 'arguments': {'action': 'wait', 'time': 1}}</tool_call>",
        '<tool_call>{"name":"computer_use","arguments":"{\\"action\\":\\"wait\\",\\"time\\":1}"}</tool_call>',
        '<tool_call>{"action":"wait","time":1}</tool_call>',
        '<tool_call>{"name":"computer_use","arguments":{"action":"wait","time":1}}',
        '<tool_call>{"action":"wait","time":"1"}</tool_call>',
        'I wait {a little}. {"name":"computer_use","arguments":{"action":"wait","time":1}}',
        '<think>perhaps <tool_call>?</think>\n<tool_call>{"action":"wait","time":1}</tool_call>',
    ],
)
def test_what_servers_make_of_a_call(text: str) -> None:
    assert fara.parse(text) == (Wait(1),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no call"),
        ("I forgot to call a tool", "no call"),
        ("<tool_call>{oops}</tool_call>", "not a JSON object"),
        ('<tool_call>{"name":"other","arguments":{"action":"wait"}}</tool_call>', "'other'"),
        ("<tool_call>[1]</tool_call>", "must be an object"),
        (call("fly"), "no action fly"),
        (call("left_click"), "left_click needs coordinate"),
        (call("left_click", coordinate=[1]), "two numbers"),
        (call("left_click", coordinate=[1, "two"]), "y must be a number"),
        (call("left_click", coordinate=[1, 10**400]), "enormous"),
        (call("type", text=3), "text of type must be a text"),
        (call("type", text="a", press_enter="yes"), "true or false"),
        (call("key", keys=[]), "at least one key"),
        (call("key", keys=["Hyperspace"]), "no key 'Hyperspace'"),
        (call("wait", time=-1), "negative"),
        (call("wait", time=float("nan")), "not a number"),
        (call("terminate", status="maybe"), "'maybe'"),
        (call("pause_and_memorize_fact"), "fact of pause_and_memorize_fact"),
    ],
)
def test_refuses_and_says_why(text: str, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        fara.parse(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (call("left_click", coordinate=["714", " 448 "]), [Click(MIDDLE)]),
        (call("left_click", coordinate="[714, 448]"), [Click(MIDDLE)]),
        (call("left_click", coordinate="714,448.0"), [Click(MIDDLE)]),
        (call("scroll", pixels="-400", coordinate=[]), [Scroll(dy=400, unit="pixels")]),
        (call("scroll", pixels=-400, coordinate=None), [Scroll(dy=400, unit="pixels")]),
        (call("type", text="12", press_enter="False", delete_existing_text="false"), [Write("12")]),
        (call("type", text="true", press_enter="true"), [Write("true"), Press(("enter",))]),
        (call("type", text="a\nb\tc", press_enter=False).replace("\\n", "\n").replace("\\t", "\t"), [Write("a\nb\tc")]),
        ('<tool_call>\n{"action": "history_back"}\n{"action": "wait"}\n</tool_call>', [Back(), Wait()]),
        ('<tool_call>\n```json\n{"action": "history_back"},\n{"action": "wait"}\n```\n</tool_call>', [Back(), Wait()]),
    ],
)
def test_what_is_meant_beyond_doubt(text: str, actions: list[Action]) -> None:
    assert fara.parse(text) == tuple(actions)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (call("left_click", coordinate=[]), "left_click needs coordinate"),
        (call("left_click", coordinate="714"), "two numbers"),
        (call("left_click", coordinate="1.2.3, 4"), "x must be a number"),
        (call("left_click", coordinate=["9" * 5000, 1]), "x must be a number"),
        (call("scroll", pixels="some"), "must be a number"),
        (call("scroll", pixels="true"), "must be a number"),
        (call("wait", time="NaN"), "must be a number"),
        ('<tool_call>{"action": "wait"} and then</tool_call>', "not a JSON object"),
        ('<tool_call>{"action": "wait"}{"action": "wa</tool_call>', "not a JSON object"),
        ('I do {"name":"computer_use","arguments":{"action":"terminate","status":"success"}', "not a JSON object"),
    ],
)
def test_what_is_in_doubt_is_refused(text: str, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        fara.parse(text)
    assert says in str(caught.value)


def test_a_click_and_what_is_typed_are_one_call_for_fara_7b() -> None:
    actions: list[Action] = [Click(MIDDLE), Write("ferry"), Press(("enter",))]
    assert fara.format(actions) == (
        '<tool_call>\n{"name": "computer_use", "arguments": {"action": "type", "coordinate": [714, 448], '
        '"text": "ferry", "press_enter": true, "delete_existing_text": false}}\n</tool_call>'
    )
    assert fara.format(actions, variant=FARA_15).count("<tool_call>") == 3


def test_the_answer_is_the_thought_for_fara_7b() -> None:
    text = fara.format([Terminate("success", "It is 12 €.")])
    assert text.startswith("It is 12 €.\n<tool_call>")
    assert fara.read_reply(text) == ParsedReply((Terminate("success", "It is 12 €."),), "It is 12 €.")
    with pytest.raises(Inexpressible, match="differ"):
        fara.write_reply(ParsedReply((Terminate("success", "12"),), "I am done."))


def test_a_reply_with_its_thought() -> None:
    reply = ParsedReply((Search("ferry"),), "I look for a ferry.")
    text = fara.write_reply(reply)
    assert text.startswith("I look for a ferry.\n<tool_call>\n")
    assert fara.read_reply(text) == reply


def test_tags_in_texts_do_no_harm() -> None:
    actions = (Write("</tool_call><tool_call></think>"), Wait(1))
    assert fara.parse(fara.format(actions, variant=FARA_15), variant=FARA_15) == actions
    with pytest.raises(Inexpressible, match="tag"):
        fara.write_reply(ParsedReply((Wait(1),), "I write <tool_call>."))


@pytest.mark.parametrize(
    ("action", "variant"),
    [
        (Click(), FARA_7B),
        (Click(MIDDLE, "right"), FARA_7B),
        (Click(MIDDLE, "middle"), FARA_15),
        (Click(MIDDLE, modifiers=("ctrl",)), FARA_15),
        (Drag((MIDDLE,)), FARA_7B),
        (Drag((MIDDLE, MIDDLE), MIDDLE), FARA_15),
        (Scroll(dx=3, unit="pixels"), FARA_7B),
        (Scroll(dy=3), FARA_15),
        (Ask("?"), FARA_7B),
        (Terminate("failure", "no"), FARA_15),
        (Hotkey(("ctrl", "A")), FARA_15),
    ],
)
def test_what_it_cannot_say(action: Action, variant: Variant) -> None:
    with pytest.raises(Inexpressible, match=variant.dialect):
        fara.format([action], variant=variant)


def test_other_screens() -> None:
    assert fara.parse(call("left_click", coordinate=[644, 364]), Size(1280, 720)) == (Click(MIDDLE),)
