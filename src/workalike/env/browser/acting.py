"""Carry out what the hands do, pointer and keyboard, on one page. What an agent may get wrong is `ActionFailed`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from playwright.async_api import Keyboard

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
    Write,
    points,
)
from workalike.core.errors import ActionFailed
from workalike.core.screen import Point, Size
from workalike.env.bounds import PIXELS_PER_NOTCH
from workalike.env.browser.tab import BrowserTab
from workalike.env.keys import browser_key, chord_key, known

_DRAG_STEPS = 10
Pointing = Click | Move | Drag | Scroll | MouseDown | MouseUp
Typing = Write | Press | Hotkey | KeyDown | KeyUp


def check_points(action: Action) -> None:
    """Refuse places off the screen before anything is done."""
    for point in points(action):
        if not point.on_screen:
            raise ActionFailed(
                f"the place ({point.x:.4g}, {point.y:.4g}) is off the screen: both numbers must be from 0 to 1"
            )


def pixels(point: Point, size: Size) -> tuple[float, float]:
    """A place in CSS pixels, kept within the last one."""
    return min(point.x * size.width, size.width - 0.5), min(point.y * size.height, size.height - 0.5)


async def point(tab: BrowserTab, action: Pointing, at: Point, size: Size) -> Point:
    """Carry out a pointer action that begins at `at`; returns where the pointer is afterwards."""
    mouse = tab.page.mouse
    x, y = pixels(at, size)
    match action:
        case Move():
            await mouse.move(x, y)
        case Click(button=button, count=count, modifiers=modifiers):
            async with _holding(tab.page.keyboard, modifiers):
                await mouse.click(x, y, button=button, click_count=count)
        case MouseDown(button=button):
            await mouse.move(x, y)
            await mouse.down(button=button)
        case MouseUp(button=button):
            await mouse.move(x, y)
            await mouse.up(button=button)
        case Scroll(dx=dx, dy=dy, unit=unit, modifiers=modifiers):
            by = PIXELS_PER_NOTCH if unit == "notches" else 1
            async with _holding(tab.page.keyboard, modifiers):
                await mouse.move(x, y)
                await mouse.wheel(dx * by, dy * by)
        case Drag():
            await _drag(tab, action, (x, y), size)
            return action.end
    return at


async def _drag(tab: BrowserTab, action: Drag, start: tuple[float, float], size: Size) -> None:
    mouse = tab.page.mouse
    async with _holding(tab.page.keyboard, action.modifiers):
        await mouse.move(*start)
        await mouse.down(button=action.button)
        steps = _DRAG_STEPS if len(action.path) == 1 else max(2, _DRAG_STEPS // len(action.path))
        for place in action.path:
            await mouse.move(*pixels(place, size), steps=steps)
        await mouse.up(button=action.button)


async def type_keys(tab: BrowserTab, action: Typing) -> None:
    """Carry out a keyboard action on whatever has the focus."""
    keyboard = tab.page.keyboard
    match action:
        case Write(text=text):
            await _write(keyboard, text)
        case Press(keys=keys):
            for name in _checked(keys):
                await _tap(keyboard, name, browser_key(name))
        case Hotkey(keys=keys):
            *held, last = _checked(keys)
            async with _holding(keyboard, held):
                await _tap(keyboard, last, chord_key(last))
        case KeyDown(key=name):
            await keyboard.down(_held_key(name))
        case KeyUp(key=name):
            await keyboard.up(_held_key(name))


async def _write(keyboard: Keyboard, text: str) -> None:
    first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\t")
    await keyboard.type(first)
    for part in others:  # a tab is a key, as it is to a person; typed as a character it would stand in the field
        await keyboard.press("Tab")
        await keyboard.type(part)


async def _tap(keyboard: Keyboard, name: str, key: str) -> None:
    if not key:  # a character that is on no key
        await keyboard.insert_text(known(name))
        return
    await keyboard.down(key)
    await keyboard.up(key)


def _checked(names: Sequence[str]) -> Sequence[str]:
    """Know every key before the first is pressed."""
    for name in names:
        browser_key(name)
    return names


def _held_key(name: str) -> str:
    key = browser_key(name)
    if not key:
        raise ActionFailed(f"the key {name!r} is on no keyboard and cannot be held: write the character instead")
    return key


@asynccontextmanager
async def _holding(keyboard: Keyboard, names: Sequence[str]) -> AsyncIterator[None]:
    held = [_held_key(name) for name in names]
    down: list[str] = []
    try:
        for key in held:
            await keyboard.down(key)
            down.append(key)
        yield
    finally:
        for key in reversed(down):
            await keyboard.up(key)
