"""UI-TARS's calls, tidy and untidy."""

from __future__ import annotations

import pytest

from workalike.core.actions import (
    Action,
    Ask,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    Move,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
)
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.screen import Point, Size
from workalike.dialects import uitars
from workalike.dialects.reply import ParsedReply

SCREEN = Size(1120, 560)  # a multiple of 28 both ways: nothing is resized
P, Q = Point(0.5, 0.5), Point(0.25, 0.25)


@pytest.mark.parametrize(
    ("call", "actions"),
    [
        ("click(start_box='(560,280)')", [Click(P)]),
        ("click(start_box='<|box_start|>(560,280)<|box_end|>')", [Click(P)]),
        ("click(point='<point>560 280</point>')", [Click(P)]),
        ("click(start_box='[460, 180, 660, 380]')", [Click(P)]),
        ("click(start_box='<bbox>460 180 660 380</bbox>')", [Click(P)]),
        ("left_double(start_box='(560, 280)')", [Click(P, count=2)]),
        ('right_single(start_box="(560,280)")', [Click(P, "right")]),
        ("hover(start_box='(560,280)')", [Move(P)]),
        ("drag(start_box='(280,140)', end_box='(560,280)')", [Drag((P,), Q)]),
        (
            "drag(start_point='<point>280 140</point>', end_point='<point>560 280</point>')",
            [Drag((P,), Q)],
        ),
        ("hotkey(key='ctrl c')", [Hotkey(("ctrl", "c"))]),
        ("hotkey(key='Enter')", [Press(("enter",))]),
        ("type(content='hello')", [Write("hello")]),
        ("type(content='hello\\n')", [Write("hello"), Press(("enter",))]),
        ("type(content='\\n')", [Press(("enter",))]),
        ("type(content='it\\'s \\\\ \\d')", [Write("it's \\ \\d")]),
        ("type(content='it's (so) it's')", [Write("it's (so) it's")]),
        ("type(content=\"say 'hi'\")", [Write("say 'hi'")]),
        ("type(content='a') # a comment (of sorts)", [Write("a")]),
        ("type(content='f('a') # so')", [Write("f('a') # so")]),
        ("click(start_box='(560,280)') # a comment", [Click(P)]),
        ("click(start_box='(560,280)' ", [Click(P)]),
        ("click(start_box='(560,280)') # first\n\nwait() # then", [Click(P), Wait()]),
        ("press(key='enter')", [Press(("enter",))]),
        ("press(key='shift')\n\nclick(start_box='(560,280)')\n\nrelease(key='shift')",
         [KeyDown("shift"), Click(P), KeyUp("shift")]),
        ("keydown(key='a')", [KeyDown("a")]),
        ("keyup(key='arrowleft')", [KeyUp("left")]),
        ("wait(5)", [Wait(5)]),
        ("wait(time='2.5')", [Wait(2.5)]),
        ("finished() # done", [Terminate("success")]),
        ("scroll(start_box='(560,280)', direction='down')", [Scroll(dy=5, at=P)]),
        ("scroll(direction='left')", [Scroll(dx=-5)]),
        ("wait()", [Wait()]),
        ("finished()", [Terminate("success")]),
        ("finished(content='12 €')", [Terminate("success", "12 €")]),
        ("click(start_box='(560,280)')\n\ntype(content='a\\n\\nb')", [Click(P), Write("a\n\nb")]),
        ("click(start_box='(560,280)')\nwait()", [Click(P), Wait()]),
        ("type(content='see f(x)\n\ny')", [Write("see f(x)\n\ny")]),
    ],
)  # fmt: skip
def test_reads(call: str, actions: list[Action]) -> None:
    assert uitars.parse(call, SCREEN) == tuple(actions)
    for reply in ("Thought: I do it.\nAction: ", "Thought: I do it. Action: ", "**Thought:** I do it.\n**Action:** "):
        assert uitars.read_reply(reply + call, SCREEN) == ParsedReply(tuple(actions), "I do it.")


def test_thoughts() -> None:
    text = "Thought: First I\nAction: think.\nThen I act.\nAction: wait()"
    assert uitars.read_reply(text) == ParsedReply((Wait(),), "First I\nAction: think.\nThen I act.")
    assert uitars.read_reply("Action_Summary: wait a bit\nAction: wait()").thought == "wait a bit"
    assert uitars.read_reply("wait()").thought is None
    assert uitars.read_reply("```\nThought: hm\nAction: wait()\n```") == ParsedReply((Wait(),), "hm")
    assert uitars.read_reply("```\nAction: wait()\n```").thought is None
    assert uitars.parse("type(content='Action: wait()')") == (Write("Action: wait()"),)


def test_calling_the_user_asks_what_was_thought() -> None:
    text = "Thought: Which of the two?\nAction: call_user()"
    assert uitars.parse(text) == (Ask("Which of the two?"),)
    assert uitars.format([Ask("Which of the two?")]) == text
    assert uitars.parse("Action: call_user()") == (Ask(uitars.WHAT_NOW),)
    with pytest.raises(Inexpressible, match="there is none"):
        uitars.format([Ask(" ")])
    with pytest.raises(Inexpressible, match="more than one"):
        uitars.write_reply(ParsedReply((Ask("Which?"),), "I ask."))


def test_writes() -> None:
    actions: list[Action] = [Click(P), Write("it's"), Press(("enter",)), Scroll(dy=-5, at=Q), Hotkey(("ctrl", "s"))]
    assert uitars.write_reply(ParsedReply(tuple(actions), "I save."), SCREEN) == (
        "Thought: I save.\nAction: click(start_box='(560,280)')\n\ntype(content='it\\'s\\n')\n\n"
        "scroll(start_box='(280,140)', direction='up')\n\nhotkey(key='ctrl s')"
    )


def test_a_line_break_at_the_end_is_an_enter() -> None:
    assert uitars.parse(uitars.format([Write("a\n")])) == (Write("a"), Press(("enter",)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no action"),
        ("Thought: hm.\nAction:", "no action"),
        ("Thought: hm.", "not a call"),
        ("Action: fly()", "'fly'"),
        ("Action: click()", "click needs a start_box"),
        ("Action: click(start_box='here')", "not a place"),
        ("Action: click(start_box='(1,2,3)')", "not a place"),
        ("Action: click(start_box='(1,2)' or so)", "not a call"),
        ("Action: click(start_box='(1,99999999999)')", "too large"),
        ("Action: drag(start_box='(1,2)')", "end_box"),
        ("Action: scroll(direction='sideways')", "'sideways'"),
        ("Action: hotkey(key='')", "at least one key"),
        ("Action: hotkey(key='ctrl hyper')", "'hyper'"),
        ("Action: type(text='a')", "takes a content"),
        ("Action: type()", "takes a content"),
        ("Action: type(content='cut off", "takes a content in quotes"),
        ("Action: finished(content='The price is 1", "takes a content in quotes"),
        ("Action: finished(content='The 'best'", "takes a content in quotes"),
        ("Action: finished(content='The price\")", "takes a content in quotes"),
        ("Action: finished(", "takes a content in quotes"),
        ("Action: type(content='see f(x)\nclick(start_box='(1,2)')", "takes a content in quotes"),
        ("Action: click(start_box='(560,2", "not a call"),
        ("Action: drag(start_box='(1,2)', end_box='(5", "not a call"),
        ("Action: click(5)", "click needs a start_box"),
        ("Action: wait(soon)", "not a call"),
        ("Action: wait(time='soon')", "number of seconds"),
        ("Action: wait(-1)", "negative"),
        ("Action: press(key='ctrl c')", "one key"),
        ("Action: release()", "one key"),
    ],
)
def test_refuses_and_says_why(text: str, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        uitars.parse(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "action",
    [
        Click(),
        Click(P, "middle"),
        Click(P, count=3),
        Click(P, modifiers=("ctrl",)),
        Drag((P,)),
        Drag((P, Q), P),
        Scroll(dy=3),
        Scroll(dx=5, dy=5),
        Press(("'",)),
        Wait(3),
        Terminate("failure"),
    ],
)
def test_what_it_cannot_say(action: Action) -> None:
    with pytest.raises(Inexpressible, match="uitars"):
        uitars.format([action])


def test_histories_have_the_tokens_that_servers_leave_out() -> None:
    drag = "drag(start_box='(1,2)', end_box='(3, 4)')"
    told = uitars.with_box_tokens(f"Thought: as in start_box='(9,9)'\nAction: {drag}")
    assert told == (
        "Thought: as in start_box='(9,9)'\n"
        "Action: drag(start_box='<|box_start|>(1,2)<|box_end|>', end_box='<|box_start|>(3,4)<|box_end|>')"
    )
    assert uitars.parse(told) == uitars.parse(f"Action: {drag}")
    for same in (told, "Thought: hm.\nAction: wait()", "gibberish", "Action: click(point='<point>1 2</point>')"):
        assert uitars.with_box_tokens(same) == same
