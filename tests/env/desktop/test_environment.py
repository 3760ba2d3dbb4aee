"""The contract of an environment, on a real desktop."""

from __future__ import annotations

import asyncio
import io
import math
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from PIL import Image

from tests.bench.test_attempt import Book, Player
from tests.programs import needs
from workalike.bench.attempt import SKIPPED, attempt
from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Click,
    CloseTab,
    Drag,
    Forward,
    Hotkey,
    KeyDown,
    KeyUp,
    Memorize,
    MouseDown,
    MouseUp,
    Move,
    Opaque,
    Press,
    ReadPage,
    Scroll,
    Search,
    SwitchTab,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.contracts import Decision, Environment, Wants
from workalike.core.errors import Infrastructure
from workalike.core.observation import Element
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.env.desktop import display
from workalike.env.desktop.display import connect
from workalike.env.desktop.environment import DesktopEnvironment

TASK = Task("t", "do something")
ALL = Wants(elements=True, tree=True)


@pytest_asyncio.fixture
async def empty() -> AsyncIterator[DesktopEnvironment]:
    """A desktop with nothing on it."""
    needs("Xvfb")
    environment = DesktopEnvironment(size=Size(800, 600))
    yield environment
    await environment.close()


async def test_a_bare_desktop_is_seen_and_acted_on(empty: DesktopEnvironment) -> None:
    assert isinstance(empty, Environment)
    percept = await empty.reset(TASK)
    seen = percept.observation
    assert (seen.kind, seen.size, seen.elements) == ("desktop", Size(800, 600), None)
    assert percept.picture is not None
    assert Image.open(io.BytesIO(percept.picture)).size == (800, 600)
    taken = await empty.act(Move(Point(0.25, 0.5)))
    assert taken.error is None
    assert taken.start is not None
    assert taken.end is not None
    assert taken.start <= taken.end
    moved = (await empty.observe(Wants(picture=False))).observation
    assert moved.picture is None
    assert moved.pointer is not None
    assert Size(800, 600).pixel(moved.pointer) == (200, 300)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        *((action, "a desktop has no") for action in (Visit("http://x"), Search("x"), Back(), Forward(), ReadPage())),
        *((action, "a desktop has no") for action in (SwitchTab(0), CloseTab())),
        (Click(Point(1.01, 0.5)), "is off the screen"),
        (Drag((Point(0.5, -0.1),)), "is off the screen"),
        (Press(("nosuchkey",)), "there is no key 'nosuchkey'"),
        (Hotkey(("ctrl", "nosuchkey")), "there is no key"),
        (Click(Point(0.5, 0.5), modifiers=("nosuchkey",)), "there is no key"),
        (Opaque("rm -rf /"), "is never carried out"),
        (Wait(1e6), "a wait of 1e+06 s is not possible"),
    ],
)
async def test_what_an_agent_gets_wrong_it_is_told(empty: DesktopEnvironment, action: Action, sentence: str) -> None:
    await empty.reset(TASK, Wants(picture=False))
    taken = await empty.act(action)
    assert taken.error is not None
    assert sentence in taken.error
    assert (await empty.act(Wait(0))).error is None, "it goes on"


ENDLESS: list[tuple[Action, str]] = [
    (Wait(math.nan), "a wait of nan s is not possible"),
    *((Scroll(dy=amount), "is not possible: at most 1,000") for amount in (1e9, -1001, math.inf, math.nan)),
    (Scroll(dx=1e9, unit="pixels"), "100,000 pixels"),
    (Write("x" * 50_001), "more than the 50,000 that are typed"),
    (Write("\ud800"), "half a character"),
    (Press(("a",) * 1001), "more than the 1,000 that are pressed"),
    (Drag((Point(0.1, 0.1), Point(0.2, 0.2)) * 501), "longer than the 1,000"),
]


async def test_what_would_take_for_ever_is_told(empty: DesktopEnvironment) -> None:
    await empty.reset(TASK, Wants(picture=False))
    for action, sentence in ENDLESS:
        taken = await empty.act(action)
        assert taken.error is not None
        assert sentence in taken.error
    assert (await empty.act(Wait(0))).error is None, "it goes on"


async def test_every_action_that_makes_sense_is_carried_out(empty: DesktopEnvironment) -> None:
    await empty.reset(TASK, Wants(picture=False))
    here = Point(0.3, 0.4)
    actions: list[Action] = [
        *(Click(here), Click(here, "right", 1), Click(None, count=3), Click(here, modifiers=("ctrl",))),
        *(MouseDown(here), Move(Point(0.5, 0.5)), MouseUp(), Drag((Point(0.6, 0.6), Point(0.2, 0.2)), here)),
        *(Scroll(dy=2, at=here), Scroll(dx=-150, unit="pixels"), Scroll(dy=1, modifiers=("ctrl",))),
        *(Write("héllo 漢"), Press(("enter", "a", "F5")), Hotkey(("ctrl", "A")), KeyDown("shift"), KeyUp("shift")),
        *(Wait(), Wait(0.01), Memorize("x"), Ask("y"), Terminate()),
    ]
    for action in actions:
        taken = await empty.act(action)
        assert (taken.error, taken.action) == (None, action)


async def test_an_action_is_bounded_in_time(empty: DesktopEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    await empty.reset(TASK, Wants(picture=False))
    monkeypatch.setattr("workalike.env.desktop.environment.ACT_SECONDS", 0.3)
    taken = await empty.act(Drag((Point(0.1, 0.1), Point(0.9, 0.9)) * 400))
    assert taken.error is not None
    assert "took too long" in taken.error
    assert (await empty.act(Click(Point(0.5, 0.5)))).error is None, "it goes on"


async def test_a_display_that_does_not_answer_is_given_up(
    empty: DesktopEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await empty.reset(TASK, Wants(picture=False))
    assert empty.desktop
    somebody = connect(empty.desktop.name)
    somebody.grab_server()
    somebody.sync()
    monkeypatch.setattr("workalike.env.desktop.environment.ACT_SECONDS", 0.2)
    monkeypatch.setattr("workalike.env.desktop.environment.ANSWER_SECONDS", 0.2)
    for wait in (empty.act(Click(Point(0.5, 0.5))), empty.act(Wait(0)), empty.observe()):
        with pytest.raises(Infrastructure, match="does not answer"):
            await wait
    monkeypatch.undo()
    await empty.reset(TASK)
    assert (await empty.act(Click(Point(0.5, 0.5)))).error is None


async def test_a_lost_display_is_nobodys_mistake(empty: DesktopEnvironment) -> None:
    await empty.reset(TASK, Wants(picture=False))
    assert empty.desktop
    empty.desktop.close()
    with pytest.raises(Infrastructure, match="display"):
        await empty.act(Click(Point(0.5, 0.5)))
    with pytest.raises(Infrastructure):
        await empty.observe()
    await empty.reset(TASK)
    assert (await empty.act(Click(Point(0.5, 0.5)))).error is None


async def test_acting_before_a_reset_is_refused() -> None:
    with pytest.raises(Infrastructure, match="reset it first"):
        await DesktopEnvironment().observe()


async def test_another_reset_leaves_no_trace(empty: DesktopEnvironment) -> None:
    await empty.reset(TASK, Wants(picture=False))
    assert empty.desktop
    former = empty.desktop
    (former.home / "note").write_text("mine")
    await empty.act(KeyDown("shift"))
    await empty.reset(TASK, Wants(picture=False))
    assert empty.desktop is not former
    assert not former.home.exists()
    assert not (empty.desktop.home / "note").exists()


def named(elements: tuple[Element, ...] | None, role: str, name: str = "") -> Element:
    found = [e for e in elements or () if e.role == role and name in e.name]
    assert found, f"there is no {role} {name!r}"
    return found[0]


async def test_a_dialog_is_filled_in_and_its_password_stays_secret() -> None:
    needs("Xvfb")
    needs("zenity")
    environment = DesktopEnvironment(programs=[["zenity", "--password", "--username"]])
    try:
        percept = await environment.reset(TASK, ALL)
        elements = percept.observation.elements
        assert [e.mark for e in elements or ()] == list(range(1, len(elements or ()) + 1))
        assert percept.tree is not None
        assert "push button 'OK'" in percept.tree
        user, secret = named(elements, "text"), named(elements, "password text")
        assert user.box
        assert secret.box
        clicked = await environment.act(Click(user.box.centre))
        assert clicked.hit is not None
        assert clicked.hit.role == "text"
        assert (await environment.act(Write("Bob Ä"))).action == Write("Bob Ä")
        await environment.act(Click(secret.box.centre))
        typed = await environment.act(Write("s3cret"))
        assert typed.action == Write("••••••")
        assert typed.hit is not None
        assert typed.hit.role == "password text"
        percept = await environment.observe(ALL)
        assert named(percept.observation.elements, "text").value == "Bob Ä"
        assert named(percept.observation.elements, "password text").value is None
        ok = named(percept.observation.elements, "push button", "OK")
        assert ok.box
        await environment.act(Click(ok.box.centre))
        assert not (await environment.observe(ALL)).observation.elements, "the dialog has closed"
    finally:
        await environment.close()


async def test_a_password_stays_secret_however_it_is_typed() -> None:
    needs("Xvfb")
    needs("zenity")
    environment = DesktopEnvironment(programs=[["zenity", "--password", "--username"]])
    try:
        for text in ("Bob\ts3cret", "Bob\ts3cret\n"):
            elements = (await environment.reset(TASK, ALL)).observation.elements
            user, secret = (named(elements, role).box for role in ("text", "password text"))
            assert user is not None
            assert secret is not None
            await environment.act(Click(user.centre))
            typed = await environment.act(Write(text))
            assert (typed.action, typed.error) == (Write("•" * len(text)), None)
            assert typed.hit is not None
            assert typed.hit.role == "text"
        await environment.reset(TASK, ALL)
        assert user is not None
        assert secret is not None
        await environment.act(Click(secret.centre))
        keys = (KeyDown("a"), KeyUp("a"), Hotkey(("shift", "b")), Press(("c",)), KeyDown("shift"), KeyUp("shift"))
        assert [(await environment.act(key)).action for key in keys] == [
            *(KeyDown("•"), KeyUp("•"), Hotkey(("shift", "•")), Press(("•",)), KeyDown("shift"), KeyUp("shift")),
        ]
        await environment.act(Click(user.centre))
        assert environment.desktop
        environment.desktop._programs[-1].send_signal(signal.SIGSTOP)
        assert (await environment.act(Write("Bob"))).action == Write("•••"), "nobody says where it goes"
    finally:
        await environment.close()


async def test_an_editor_is_worked(tmp_path: object) -> None:
    needs("Xvfb")
    needs("mousepad")
    environment = DesktopEnvironment(programs=[["mousepad"]])
    try:
        percept = await environment.reset(TASK, ALL)
        page = named(percept.observation.elements, "text")
        assert page.box
        await environment.act(Click(page.box.centre))
        await environment.act(Write("first line\nzweite Zeile: ä € 漢\n"))
        await environment.act(Hotkey(("ctrl", "a")))
        await environment.act(Hotkey(("ctrl", "c")))
        await environment.act(Press(("end",)))
        await environment.act(Hotkey(("ctrl", "v")))
        percept = await environment.observe(ALL)
        text = named(percept.observation.elements, "text").value
        assert text == "first line\nzweite Zeile: ä € 漢\n" * 2
        menu = named(percept.observation.elements, "menu", "Edit")
        assert menu.box
        await environment.act(Click(menu.box.centre))
        opened = await environment.observe(ALL)
        assert opened.picture != percept.picture
        item = named(opened.observation.elements, "menu item", "Select All")
        assert item.box
        chosen = await environment.act(Click(item.box.centre))
        assert chosen.hit is not None
        assert (chosen.hit.role, chosen.hit.name) == ("menu item", "Select All"), "not the text beneath the menu"
    finally:
        await environment.close()


async def in_front(environment: DesktopEnvironment, title: str) -> None:
    """Wait for a window to have the keyboard; a program takes its time to put one up."""
    async with asyncio.timeout(30):
        while (await environment.observe(Wants(picture=False))).observation.window != title:
            await environment.act(Wait())


async def test_without_a_window_manager_windows_get_the_keyboard_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The editor comes up away from the pointer, its dialog above it; each is known, told of and typed into."""
    needs("Xvfb", "mousepad")
    monkeypatch.setattr(display, "WINDOW_MANAGERS", ())
    environment = DesktopEnvironment(programs=[["mousepad"]])
    try:
        begun = await environment.reset(TASK, ALL)
        assert begun.observation.window == "Untitled 1 - Mousepad"
        await environment.act(Write("words"))
        written = await environment.observe(ALL)
        assert named(written.observation.elements, "text").value == "words"
        await environment.act(Hotkey(("ctrl", "s")))
        await in_front(environment, "Save As")
        await environment.act(Press(("esc",)))
        await in_front(environment, "*Untitled 1 - Mousepad")
    finally:
        await environment.close()


async def test_a_window_that_came_to_the_front_stops_clicks_meant_for_the_one_before() -> None:
    """What a batch decided before a dialog opened stays undone; keys go to the dialog."""
    needs("Xvfb", "mousepad", "openbox")
    environment, book = DesktopEnvironment(programs=[["mousepad"]]), Book()
    opening = Decision((Hotkey(("ctrl", "s")), Write("a"), Click(Point(0.5, 0.5)), Press(("enter",))))
    try:
        await attempt(Player(opening, Decision((Terminate(),))), environment, TASK, book)
    finally:
        await environment.close()
    opened, written, stale, rest = (taken.error for taken in book.steps[0].actions)
    assert (opened, written) == (None, None)
    assert "another tab or window has come to the front" in (stale or "")
    assert rest == SKIPPED
