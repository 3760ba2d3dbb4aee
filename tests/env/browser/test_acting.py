"""Every action against every kind of widget, on real pages in a real browser."""

from __future__ import annotations

import math

import pytest

from tests.env.web import Actor
from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Scroll,
    Wait,
    Write,
)
from workalike.core.observation import Element
from workalike.core.screen import Point

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOG = """<script>
  const log = [];
  const note = (text) => { log.push(text); document.title = log.join(' ') };
</script>"""


async def acted(actor: Actor, *actions: Action) -> str:
    """What the page noted after some actions, none of which may fail."""
    for action in actions:
        taken = await actor.do(action)
        assert taken.error is None
    return await actor.title()


async def test_buttons_of_the_mouse_and_counts(actor: Actor) -> None:
    await actor.open(
        LOG
        + """<button onclick="note('click')" ondblclick="note('double')" oncontextmenu="note('right')"
        onauxclick="event.button == 1 && note('middle')"
        onmousedown="event.detail == 3 && note('triple')">Target</button>"""
    )
    at = await actor.place("Target")
    assert await acted(actor, Click(at)) == "click"
    assert await acted(actor, Click(at, button="right")) == "click right"
    assert await acted(actor, Click(at, button="middle")) == "click right middle"
    assert await acted(actor, Click(at, count=2)) == "click right middle click click double"
    assert (await acted(actor, Click(at, count=3))).count("triple") == 1
    await actor.do(Move(Point(0.9, 0.9)))
    await actor.do(Move(at))
    assert (await acted(actor, Click())).endswith("click")


async def test_modifiers_are_held_only_for_the_click(actor: Actor) -> None:
    await actor.open(
        LOG
        + """<button onclick="note((event.shiftKey ? 'shift' : '') + (event.altKey ? 'alt' : '') || 'none')"
          >T</button>"""
    )
    at = await actor.place("T")
    assert await acted(actor, Click(at, modifiers=("shift", "alt")), Click(at)) == "shiftalt none"
    assert await acted(actor, KeyDown("shift"), Click(at), KeyUp("shift"), Click(at)) == "shiftalt none shift none"


async def test_mouse_down_move_up_and_drag_along_a_path(actor: Actor) -> None:
    await actor.open(
        LOG
        + """<canvas width=400 height=300 aria-label=Board tabindex=0 style="border:1px solid"
        onmousedown="note('down')" onmouseup="note('up')"
        onmousemove="event.buttons && !log.includes('moved') && note('moved')"></canvas>"""
    )
    a, b, c = (Point(x / 1440, y / 900) for x, y in ((50, 50), (200, 100), (300, 250)))
    assert await acted(actor, MouseDown(a), Move(b), MouseUp(c)) == "down moved up"
    assert await acted(actor, Drag((b, c), start=a)) == "down moved up down up"


async def test_html_drag_and_drop(actor: Actor) -> None:
    await actor.open(
        LOG
        + """<div draggable=true role=button tabindex=0 style="width:100px;height:50px;background:#cdf"
          ondragstart="event.dataTransfer.setData('text/plain', 'parcel')">Parcel</div><br>
        <div role=button tabindex=0 style="width:200px;height:100px;background:#fdc" ondragover="event.preventDefault()"
          ondrop="note('got ' + event.dataTransfer.getData('text/plain'))">Shelf</div>"""
    )
    start, end = await actor.place("Parcel"), await actor.place("Shelf")
    assert await acted(actor, Drag((end,), start=start)) == "got parcel"


async def test_a_slider_is_dragged_and_keyed(actor: Actor) -> None:
    await actor.open(
        """<input type=range min=0 max=100 value=0 aria-label=Volume style="width:400px"
          oninput="document.title=this.value">"""
    )
    box = (await actor.find("Volume")).box
    assert box is not None
    left, right = Point(box.x + 0.006, box.centre.y), Point(box.right - 0.001, box.centre.y)
    assert await acted(actor, Drag((right,), start=left)) == "100"
    assert await acted(actor, Press(("left", "left"))) == "98"


@pytest.mark.parametrize("unit", ["notches", "pixels"])
async def test_the_wheel_scrolls_what_is_under_the_pointer(actor: Actor, unit: str) -> None:
    await actor.open(
        """<div id=box style="width:400px;height:300px;overflow:auto;border:1px solid">
          <div style="width:2000px;height:2000px">x</div></div>
        <div style="height:3000px">tall</div>
        <script>
          addEventListener('scroll', () => document.title = `${box.scrollLeft} ${box.scrollTop} ${scrollY}`, true)
        </script>"""
    )
    amount = 3 if unit == "notches" else 300
    inside, outside = Point(0.1, 0.1), Point(0.8, 0.8)
    assert await acted(actor, Scroll(dy=amount, unit=unit, at=inside)) == "0 300 0"  # type: ignore[arg-type]
    assert await acted(actor, Scroll(dx=amount, unit=unit)) == "300 300 0"  # type: ignore[arg-type]
    assert await acted(actor, Scroll(dy=-amount, unit=unit)) == "300 0 0"  # type: ignore[arg-type]
    assert await acted(actor, Scroll(dy=amount, unit=unit, at=outside)) == "300 0 300"  # type: ignore[arg-type]


async def test_unicode_is_typed_as_it_is(actor: Actor) -> None:
    await actor.open(
        """<textarea aria-label=Text oninput="document.title=this.value" style="width:500px;height:200px"></textarea>"""
    )
    await actor.click("Text")
    words = "Grüße, 世界! עברית 👩‍👩‍👧 “quoted” <b>"
    assert await acted(actor, Write(words)) == words
    assert (await actor.find("Text")).value == words


async def test_lines_and_tabs_are_keys(actor: Actor) -> None:
    await actor.open(
        """<textarea aria-label=Text oninput="document.title=JSON.stringify(this.value)"></textarea>
          <input aria-label=Next><input aria-label=Last>"""
    )
    await actor.click("Text")
    assert await acted(actor, Write("one\r\ntwo\n")) == '"one\\ntwo\\n"'
    await actor.do(Write("\tthree\tfour"))
    assert [(await actor.find(name)).value for name in ("Text", "Next", "Last")] == ["one\ntwo\n", "three", "four"]
    await actor.click("Text")
    await actor.do(Press(("tab",)))
    assert "focused" in (await actor.find("Next")).states


async def test_hotkeys_edit(actor: Actor) -> None:
    await actor.open("<input aria-label=Field value=before oninput='document.title=this.value'>")
    await actor.click("Field")
    assert await acted(actor, Hotkey(("ctrl", "a")), Write("after")) == "after"
    assert await acted(actor, Hotkey(("command", "a")), Press(("backspace",)), Write("x")) == "x"
    assert await acted(actor, Press(("A", "b", "é", "+", "space", "c"))) == "xAbé+ c"
    assert await acted(actor, Hotkey(("shift", "home")), Press(("delete",)), Write("y")) == "y"


async def test_keys_are_seen_by_the_page_as_pressed(actor: Actor) -> None:
    await actor.open(
        LOG
        + """<body onkeydown="note((event.ctrlKey ? 'ctrl+' : '') + event.key)"
          onkeyup="note('^' + event.key)">hello</body>"""
    )
    await actor.do(Click(Point(0.5, 0.5)))
    keys = ("f1", "up", "pagedown", "esc", "num5", "ctrlright", "shiftleft", "win", "altgr", "capslock")
    title = await acted(actor, Press(keys))
    downs = [word for word in title.split() if not word.startswith("^")]
    assert downs == [
        "F1",
        "ArrowUp",
        "PageDown",
        "Escape",
        "5",
        "ctrl+Control",
        "Shift",
        "Meta",
        "AltGraph",
        "CapsLock",
    ]
    await actor.do(Press(("capslock",)))
    assert (await acted(actor, Hotkey(("ctrl", "shift", "k")))).endswith("ctrl+K ^K ^Shift ^Control")


async def test_an_unknown_key_is_told_before_any_is_pressed(actor: Actor) -> None:
    await actor.open("<input aria-label=Field oninput='document.title=this.value'>")
    await actor.click("Field")
    assert "no key 'hyper'" in ((await actor.do(Press(("a", "hyper")))).error or "")
    assert "nothing in a browser" in ((await actor.do(Hotkey(("ctrl", "launchmail")))).error or "")
    assert await actor.title() == ""


async def test_checkbox_radio_details_and_labels(actor: Actor) -> None:
    await actor.open(
        """<label><input type=checkbox> Agree</label><br>
        <label><input type=radio name=r> Red</label> <label><input type=radio name=r> Blue</label>
        <details><summary>More</summary><button>Inside</button></details>
        <input type=checkbox id=h style="opacity:0;position:absolute">
        <label for=h style="padding:9px;background:#ccc">Styled</label>"""
    )
    for name in ("Agree", "Blue", "Styled"):
        await actor.click(name)
    assert {name: (await state(actor, name)) for name in ("Agree", "Red", "Blue", "Styled")} == {
        "Agree": "checked",
        "Red": "unchecked",
        "Blue": "checked",
        "Styled": "checked",
    }
    await actor.click("More")
    assert (await actor.find("Inside")).role == "button"


async def state(actor: Actor, name: str) -> str:
    percept = await actor.look()
    found: list[Element] = [
        one for one in percept.observation.elements or () if one.name == name and one.tag == "input"
    ]
    return found[0].states[0]


async def test_fields_with_their_own_ways(actor: Actor) -> None:
    await actor.open(
        """<input type=date aria-label=Day> <input type=time aria-label=Hour>
        <input type=number aria-label=Count value=5>
        <div contenteditable aria-label=Rich style="width:300px;border:1px solid">old</div>"""
    )
    await actor.click("Day")
    await acted(actor, Press(("left", "left", "left")), Write("02032025"))
    assert (await actor.find("Day")).value == "2025-02-03"
    box = (await actor.find("Hour")).box
    assert box is not None
    await acted(actor, Click(Point(box.x + 0.008, box.centre.y)), Write("0915AM"))
    assert (await actor.find("Hour")).value == "09:15"
    await actor.click("Count")
    await acted(actor, Press(("up", "up")))
    assert (await actor.find("Count")).value == "7"
    await actor.click("Rich")
    await acted(actor, Hotkey(("ctrl", "a")), Write("new"))
    assert (await actor.find("Rich")).value == "new"


async def test_what_shows_on_hover_can_be_clicked(actor: Actor) -> None:
    await actor.open(
        """<style>#menu { display: none } nav:hover #menu { display: block }</style>
        <nav><button>Menu</button><div id=menu><button onclick="document.title='chosen'">Item</button></div></nav>"""
    )
    await actor.do(Move(await actor.place("Menu")))
    await actor.click("Item")
    assert await actor.title() == "chosen"


async def test_waiting_is_bounded(actor: Actor) -> None:
    await actor.open("<script>setTimeout(() => document.title = 'later', 250)</script>")
    assert await acted(actor, Wait(0.4)) == "later"
    assert "0 to 60" in ((await actor.do(Wait(3600))).error or "")
    assert (await actor.do(Wait(0))).error is None


@pytest.mark.parametrize(
    "action",
    [
        *(Scroll(dy=amount) for amount in (1e9, -1e300, math.inf, math.nan)),
        *(Scroll(dx=1e9, unit="pixels"), Wait(1e9), Wait(math.nan), Wait(math.inf), Wait(-1), Write("x" * 10_000_000)),
        *(Press(("a",) * 2000), Drag((Point(0.1, 0.1), Point(0.2, 0.2)) * 1000)),
    ],
    ids=lambda action: str(action)[:40],
)
async def test_what_would_take_for_ever_is_told(actor: Actor, action: Action) -> None:
    await actor.open("<input aria-label=Field autofocus oninput='document.title=this.value'>")
    taken = await actor.do(action)
    assert taken.error is not None
    assert "1,000" in taken.error or "not possible" in taken.error or "50,000" in taken.error
    assert await acted(actor, Write("on")) == "on"


async def test_shortcuts_of_the_browser_itself(actor: Actor) -> None:
    await actor.open("<title>first</title><a href=/second>Go</a>", second="<title>second</title>")
    await actor.click("Go")
    assert await acted(actor, Hotkey(("alt", "left"))) == "first"
    assert await acted(actor, Hotkey(("alt", "right"))) == "second"
    loads = len(actor.web.requests)
    await acted(actor, Press(("f5",)))
    assert len(actor.web.requests) == loads + 1
    await acted(actor, Hotkey(("ctrl", "t")))
    assert [tab.url for tab in (await actor.look()).observation.tabs][1] == "about:blank"
    assert await acted(actor, Hotkey(("ctrl", "tab"))) == "second"
    await acted(actor, Hotkey(("ctrl", "shift", "tab")), Hotkey(("ctrl", "w")))
    assert len((await actor.look()).observation.tabs) == 1


async def test_a_page_that_goes_away_under_an_action_is_told(actor: Actor) -> None:
    await actor.open("<button onclick='window.close()'>Close</button><script>window.opener = window</script>")
    await actor.click("Close")
    assert (await actor.look()).observation.tabs
