"""Typing on a desktop: what has the keyboard, whether what is typed there must stay secret, and where it goes on when a
key has led elsewhere."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import pairwise

import msgspec

from workalike.core.actions import Action, Hotkey, KeyDown, KeyUp, Press, Write
from workalike.core.keyboard import canonical
from workalike.core.recording import TreeNode
from workalike.env.desktop.accessibility import Accessibility, Focus
from workalike.env.desktop.atspi import PASSWORD, NoAnswer
from workalike.env.desktop.elements import focused
from workalike.env.desktop.windows import Window

Typing = Write | Press | Hotkey | KeyDown | KeyUp
_LEADING = ("tab", "enter")
_LINES = re.compile(r"[^\t\n]*[\t\n]|[^\t\n]+")


class Target(msgspec.Struct, frozen=True):
    """What an action goes to, and whether what is typed there must stay secret."""

    node: TreeNode | None = None
    secret: bool = False


class Keyboard:
    """Knows what has the keyboard. A program that says nothing of itself is not asked; one that does not answer may
    well show a password field."""

    def __init__(self, accessibility: Accessibility | None) -> None:
        self._accessibility = accessibility
        self._latest: Focus | None = None

    async def watch(self) -> None:
        """Remember what last got the keyboard: in a tree that is too large to be walked it may not be found."""
        if self._accessibility is not None:
            with suppress(NoAnswer):
                await self._accessibility.watch_focus(self._heard)

    async def target(self, window: Window | None) -> Target:
        if self._accessibility is None or window is None:
            return Target()
        try:
            found = await self._accessibility.window(window.pid, window.title)
            if found is None:
                return Target(None, await self._accessibility.speaks(window.pid))
            walked = await self._accessibility.tree(found)
        except NoAnswer:
            return Target(None, True)
        node = focused(walked.root)
        if node is None and walked.cut:
            node = self._latest.node if self._latest and self._latest.pid == window.pid else None
            return Target(node, node is None or node.role == PASSWORD)
        return Target(node, node is not None and node.role == PASSWORD)

    def _heard(self, focus: Focus) -> None:
        self._latest = focus


async def type_on(
    action: Typing, do: Callable[[Action], Awaitable[None]], ask: Callable[[], Awaitable[Target]]
) -> None:
    """Carry a keyboard action out, asking what has the keyboard before and again where a tab or a new line may have
    moved it. A key that left it where it was (in an editor, say) is asked about once more at the end only."""
    at, rest, idle = await ask(), split(action), set[str]()
    while rest:
        several = [rest.pop(0)]
        while rest and _last(several[-1]) in idle:
            several.append(rest.pop(0))
        await do(_joined(several))
        if rest or len(several) > 1:
            now = await ask()
            if not _same(now.node, at.node):
                idle.clear()
            else:
                idle.add(_last(several[-1]))
            at = now


def split(action: Typing) -> list[Typing]:
    """An action in stretches, each of which ends with a key that may lead elsewhere.

    >>> split(Press(("a", "Tab", "b")))
    [Press(keys=('a', 'Tab')), Press(keys=('b',))]
    """
    match action:
        case Write(text=text) if text:
            return [Write(part) for part in _LINES.findall(text.replace("\r\n", "\n"))]
        case Press(keys=keys):
            ends = [n for n, key in enumerate(keys, 1) if canonical(key) in _LEADING or n == len(keys)]
            return [Press(keys[start:end]) for start, end in pairwise((0, *ends))]
        case _:
            return [action]


def _joined(several: list[Typing]) -> Typing:
    match several[0]:
        case Write():
            return Write("".join(one.text for one in several if isinstance(one, Write)))
        case Press():
            return Press(tuple(key for one in several if isinstance(one, Press) for key in one.keys))
        case other:
            return other


def _last(action: Typing) -> str:
    match action:
        case Write(text=text):
            return text[-1:]
        case Press(keys=keys):
            return canonical(keys[-1]) or ""
        case _:
            return ""


def _same(one: TreeNode | None, other: TreeNode | None) -> bool:
    """Whether the keyboard is where it was; what is typed changes a value, and may change the states."""
    return (
        one is not None and other is not None and (one.role, one.name, one.box) == (other.role, other.name, other.box)
    )
