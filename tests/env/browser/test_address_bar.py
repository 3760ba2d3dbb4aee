"""The address bar: opened by its keys, written into, and gone to or left, under the policy that holds for visits."""

from __future__ import annotations

import pytest

from tests.env.web import HOST, Actor
from workalike.core.actions import Action, Back, Click, Hotkey, KeyDown, Press, Scroll, Search, Visit, Wait, Write
from workalike.core.errors import ActionFailed
from workalike.core.screen import Point
from workalike.env.browser.address_bar import AddressBar, goal

ENTER, ESCAPE = Press(("enter",)), Press(("esc",))
FIELD = "<title>old</title><input aria-label=Field autofocus>"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("shop.town", Visit("shop.town")),
        ("shop.town:8080/a?q=b c".replace(" ", "+"), Visit("shop.town:8080/a?q=b+c")),
        ("localhost/x", Visit("localhost/x")),
        ("http://shop/", Visit("http://shop/")),
        ("file:///etc/passwd", Visit("file:///etc/passwd")),
        ("javascript:alert(1)", Visit("javascript:alert(1)")),
        ("shoes", Search("shoes")),
        ("what is example.com", Search("what is example.com")),
        ("...", Search("...")),
    ],
)
def test_addresses_are_visited_and_words_searched(text: str, action: Action) -> None:
    assert goal(text) == action


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        ([Write("a.b"), ENTER], Visit("a.b")),
        ([Write("a.b\n")], Visit("a.b")),
        ([Write("a.b"), Press(("backspace", "c")), ENTER], Visit("a.c")),
        ([Press(("end",)), Write("/x"), ENTER], Visit("http://old/x")),
        ([Press(("backspace",)), Write("two"), Press(("space",)), Write("words"), ENTER], Search("two words")),
        ([Write("a"), Hotkey(("command", "a")), Write("c.d"), KeyDown("enter")], Visit("c.d")),
        ([Write("a.b"), Wait(1.0), Scroll(dy=3, at=Point(0.5, 0.5)), ENTER], Visit("a.b")),
        ([Press(("delete",)), ENTER], "the address bar was left"),
        ([Write("a.b"), ESCAPE, Write("c")], None),
        ([Write("a.b"), Click(Point(0.5, 0.5)), ENTER], None),
        ([Write("a.b"), Back(), ENTER], None),
        ([Write("a.b"), Hotkey(("alt", "left")), ENTER], None),
    ],
)
def test_what_is_typed_replaces_and_leads_somewhere(typed: list[Action], outcome: object) -> None:
    bar = AddressBar()
    bar.open("http://old")
    assert [bar.take(action) for action in typed][-1] == outcome
    assert bar.text is None


def test_a_closed_bar_takes_nothing_and_an_open_one_says_what_it_cannot_do() -> None:
    bar = AddressBar()
    assert bar.take(Write("a.b")) is None
    bar.open("http://old")
    assert bar.said == "the address bar has the keyboard and holds 'http://old' (selected)"
    with pytest.raises(ActionFailed, match=r"nothing on ctrl\+u"):
        bar.take(Hotkey(("ctrl", "u")))
    assert bar.text == "http://old"


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("opening", [Hotkey(("ctrl", "l")), Hotkey(("alt", "d")), Press(("f6",))])
async def test_the_page_gets_nothing_of_what_is_written(actor: Actor, opening: Action) -> None:
    await actor.open(FIELD, new="<title>new</title>")
    await actor.do(opening)
    assert "has the keyboard" in await _told(actor)
    await actor.do(Write(f"{HOST}/new"))
    assert f"has the keyboard and holds '{HOST}/new'" in await _told(actor)
    assert not (await actor.find("Field")).value
    assert (await actor.do(ENTER)).error is None
    assert await actor.title() == "new"
    assert await _told(actor) == ""


async def _told(actor: Actor) -> str:
    return " ".join(notice.text for notice in (await actor.look()).notices if notice.kind == "address_bar")


@pytest.mark.asyncio(loop_scope="session")
async def test_what_is_gone_to_in_one_go_is_not_told_as_still_being_written(actor: Actor) -> None:
    await actor.open(FIELD, new="<title>new</title>")
    taken = [await actor.do(action) for action in (Hotkey(("ctrl", "l")), Write(f"{HOST}/new"), ENTER)]
    assert [each.result for each in taken] == [None, None, None]
    assert (await actor.look()).notices == ()
    taken = [await actor.do(action) for action in (Hotkey(("ctrl", "l")), ESCAPE)]
    assert [each.result for each in taken] == [None, "the address bar was left"]


@pytest.mark.asyncio(loop_scope="session")
async def test_after_escape_and_after_a_click_the_page_has_the_keyboard(actor: Actor) -> None:
    await actor.open(FIELD)
    for leaving in (ESCAPE, Click(await actor.place("Field"))):
        await actor.do(Hotkey(("ctrl", "l")))
        await actor.do(Write("x.y"))
        await actor.do(leaving)
    await actor.do(Write("mine"))
    assert (await actor.find("Field")).value == "mine"
    assert await actor.title() == "old"


@pytest.mark.asyncio(loop_scope="session")
async def test_the_policy_holds_and_a_new_tab_begins_in_the_bar(actor: Actor) -> None:
    await actor.open(FIELD, new="<title>new</title>")
    for forbidden in ("file:///etc/passwd", "javascript:document.title='no'", "http://elsewhere.test/"):
        await actor.do(Hotkey(("ctrl", "l")))
        await actor.do(Write(forbidden))
        gone = await actor.do(ENTER)
        assert gone.error or any(notice.kind == "refused" for notice in (await actor.look()).notices)
        assert await actor.title() != "no"
    await actor.do(Hotkey(("ctrl", "t")))
    await actor.do(Write(f"{HOST}/new\n"))
    seen = (await actor.look()).observation
    assert [tab.active for tab in seen.tabs] == [False, True]
    assert seen.title == "new"
