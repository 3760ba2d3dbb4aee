"""An action is over when the program has done what it set off: what is seen then is what is seen ever after."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.programs import needs
from workalike.core.actions import Action, Click, Hotkey, Press, Wait, Write
from workalike.core.contracts import Wants
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.env.desktop.acting import WAIT_SECONDS
from workalike.env.desktop.display import connect
from workalike.env.desktop.environment import DesktopEnvironment
from workalike.env.desktop.windows import windows
from workalike.pictures.codec import decode

TASK = Task("t", "do something")
_CARET = 200  # pixels: one that blinks is the one thing that may differ
_LATER = 1.2
# A file dialog's list of places unselects its row by itself, 2 to 3 s after it has opened, whatever is done meanwhile.
PLACES = Wait(4.0)
SLOW = Path(__file__).with_name("slow_program.py")


class Look:
    """The windows there are, and the screen."""

    def __init__(self, titles: Sequence[str], pixels: np.ndarray) -> None:
        self.titles, self.pixels = titles, pixels

    def differs(self, other: Look) -> bool:
        unlike = np.any(self.pixels != other.pixels, axis=2).sum()
        return self.titles != other.titles or int(unlike) > _CARET


async def look(environment: DesktopEnvironment) -> Look:
    percept = await environment.observe()
    assert percept.picture
    assert environment.desktop
    display = connect(environment.desktop.name)
    try:
        titles = [window.title for window in windows(display)]
    finally:
        display.close()
    return Look(titles, np.asarray(decode(percept.picture)))


async def stale(environment: DesktopEnvironment, actions: Sequence[Action | str]) -> list[Action | str]:
    """The actions after which what was seen at once is not what was seen a while later. A name is clicked on."""
    late: list[Action | str] = []
    for named in actions:
        action = Click(await place_of(environment, named)) if isinstance(named, str) else named
        assert (await environment.act(action)).error is None
        if isinstance(action, Wait):
            continue
        at_once = await look(environment)
        await environment.act(Wait(_LATER))
        if (await look(environment)).differs(at_once):
            late.append(named)
    return late


async def place_of(environment: DesktopEnvironment, name: str) -> Point:
    elements = (await environment.observe(Wants(elements=True))).observation.elements or ()
    found = [element.box.centre for element in elements if element.box and element.name.rstrip(".…") == name]
    assert found, f"there is no {name} among {[element.name for element in elements]}"
    return found[-1]


def saved_as(name: str) -> tuple[Action, ...]:
    return (Hotkey(("ctrl", "shift", "s")), PLACES, Hotkey(("ctrl", "a")), Write(name), Press(("enter",)))


def in_an_editor(name: str) -> tuple[Action, ...]:
    """Text, a menu, a dialog, a save."""
    menu = (Hotkey(("alt", "e")), Press(("down",)), Press(("esc",)))
    dialog = (Hotkey(("ctrl", "g")), Press(("esc",)))
    return (Write("some words\n"), *menu, *dialog, *saved_as(name), Write("more"), Hotkey(("ctrl", "s")))


IN_A_CALCULATOR: tuple[Action, ...] = (Write("12*12"), Press(("enter",)), Hotkey(("alt", "f")), Press(("esc",)))


async def test_a_save_is_over_when_its_picture_is_taken() -> None:
    needs("Xvfb", "mousepad")
    environment = DesktopEnvironment(programs=[["mousepad"]])
    try:
        await environment.reset(TASK)
        assert environment.desktop
        for name in ("one.txt", "two.txt"):
            file = environment.desktop.folder / name
            for action in (Write("words"), *saved_as(str(file))):
                if action != PLACES:
                    await environment.act(action)
            seen = await look(environment)
            assert file.read_text().startswith("words")
            assert [title for title in seen.titles if "Save" in title] == []
        assert {each.name for each in environment.desktop.folder.iterdir()} == {"one.txt", "two.txt"}
    finally:
        await environment.close()


async def test_what_is_seen_at_once_is_what_is_seen_later() -> None:
    needs("Xvfb", "mousepad", "zenity", "galculator")
    scripts = (
        (["mousepad"], (*in_an_editor("a.txt")[1:6], *saved_as("a.txt")[-1:])),
        (["zenity", "--list", "--column=a", "x", "y"], (Press(("down",)), Press(("enter",)))),
        (["galculator"], IN_A_CALCULATOR),
    )
    assert await asyncio.gather(*(stale_in(program, actions) for program, actions in scripts)) == [[], [], []]


async def stale_in(program: list[str], actions: Sequence[Action | str]) -> list[Action | str]:
    """The same for a program on a desktop of its own: several take no longer than one, since most of it is waiting."""
    environment = DesktopEnvironment(programs=[program])
    try:
        await environment.reset(TASK)
        return await stale(environment, actions)
    finally:
        await environment.close()


def in_a_sheet(name: str) -> tuple[Action, ...]:
    """Cells, a formula, menus, dialogs, a save."""
    cells = [action for text in ("17", "25", "=A1+A2", "=A3*2") for action in (Write(text), Press(("enter",)))]
    menu = (Hotkey(("alt", "d")), Press(("down",)), Press(("right",)), Press(("esc",)), Press(("esc",)))
    dialog = (Hotkey(("ctrl", "1")), Press(("esc",)))
    return (*cells, *menu, *dialog, *saved_as(name), Write("9"), Press(("enter",)))


@pytest.mark.sweep
async def test_none_of_a_hundred_pictures_is_stale() -> None:
    needs("Xvfb", "mousepad", "zenity", "gnumeric")
    looked, late = 0, []
    for turn in range(3):
        dialogs = [
            (["zenity", "--entry", "--text=Name"], (Write("Bob"), Press(("enter",)))),
            (
                ["zenity", "--file-selection", "--save"],
                (PLACES, Hotkey(("ctrl", "a")), Write("b.txt"), Press(("enter",))),
            ),
            (["zenity", "--question", "--text=Sure?"], (Press(("enter",)),)),
        ]
        scripts = [(["mousepad"], in_an_editor("a.txt")), (["gnumeric"], in_a_sheet("a.gnumeric")), *dialogs]
        for program, actions in scripts:
            late += [(turn, program[0], action) for action in await stale_in(program, actions)]
            looked += sum(not isinstance(action, Wait) for action in actions)
    assert looked >= 100
    assert late == []


@pytest.mark.sweep
async def test_none_of_a_hundred_pictures_after_a_click_is_stale() -> None:
    needs("Xvfb", "mousepad", "zenity", "gnumeric")
    save: tuple[Action | str, ...] = ("File", "Save As", PLACES, Hotkey(("ctrl", "a")), Write("c.txt"), "Save")
    editor = ("Edit", "Select All", "Search", "Go to", "Cancel", "Search", "Find and Replace", "Close", *save)
    sheet = (
        "Bold",
        "Italic",
        "Center",
        "Format",
        "Cells",
        "Format",
        "Cancel",
        "Edit",
        "Select",
        "Sum",
        "Save",
        PLACES,
        "Cancel",
    )
    scripts: list[tuple[list[str], tuple[Action | str, ...]]] = [
        (["mousepad"], (Write("some words\n"), *editor)),
        (["gnumeric"], (Write("12"), Press(("enter",)), *sheet)),
        (["zenity", "--list", "--column=a", "x", "y"], ("y", "x", "OK")),
        (["zenity", "--question", "--text=Sure?"], ("No",)),
        (["zenity", "--entry", "--text=Name"], (Write("Bob"), "OK")),
    ]
    looked, late = 0, []
    for turn in range(4):
        for program, actions in scripts:
            late += [(turn, program[0], action) for action in await stale_in(program, actions)]
            looked += sum(not isinstance(action, Wait) for action in actions)
    assert looked >= 100
    assert late == []


async def test_a_slow_program_is_waited_for() -> None:
    """Its splash screen is not its first picture, and while it is at work it is not taken for idle."""
    needs("Xvfb")
    environment = DesktopEnvironment(size=Size(640, 480), programs=[[sys.executable, str(SLOW)]])
    try:
        first = (await environment.reset(TASK)).observation
        assert first.window == "Slow"
        before = await look(environment)
        await environment.act(Press(("a",)))
        after = await look(environment)
        assert after.differs(before), "what the key set off is seen"
        await environment.act(Wait(_LATER))
        assert not (await look(environment)).differs(after)
    finally:
        await environment.close()


async def test_a_wait_is_a_wait() -> None:
    """Also on a screen where something happens meanwhile."""
    needs("Xvfb")
    environment = DesktopEnvironment(size=Size(640, 480))
    try:
        await environment.reset(TASK)
        assert environment.desktop
        display = connect(environment.desktop.name)
        root = display.screen().root
        for action in (Wait(), Wait(WAIT_SECONDS)):
            waiting = asyncio.ensure_future(environment.act(action))
            for colour in (0x00FF00, 0xFF0000):
                await asyncio.sleep(0.05)
                root.fill_rectangle(root.create_gc(foreground=colour), 0, 0, 100, 100)
                display.sync()
            taken = await waiting
            assert taken.start is not None
            assert taken.end is not None
            assert taken.end - taken.start >= WAIT_SECONDS
    finally:
        await environment.close()
