"""What programs say about their own windows: trees, the element at a place, what has the keyboard.

Every question is bounded in time, every walk in nodes, children and depth: some programs claim two billion children.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import msgspec
from dbus_fast import Message

from workalike.core.recording import TreeNode
from workalike.env.desktop.atspi import (
    ACCESSIBLE,
    COMPONENT,
    PASSWORD,
    AccessibilityBus,
    NoAnswer,
    Reference,
)
from workalike.env.desktop.elements import inside
from workalike.env.desktop.windows import Window

UNKNOWABLE = {"terminal"}
_POPUPS = {"menu", "popup menu", "combo box", "window"}
_NO_POPUPS = {
    *("table", "tree table", "tree", "list", "text", "terminal", "scroll pane", "status bar", "push button", "label"),
    *("icon", "image", "document text", "document web", "document frame", "document spreadsheet"),
}
_PROGRAMS: Reference = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_REGISTRY: Reference = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry")
_EVENTS = "org.a11y.atspi.Event."


class WalkLimits(msgspec.Struct, frozen=True):
    """Where a walk ends early."""

    nodes: int = 1500
    children: int = 200
    depth: int = 40
    seconds: float = 1.5


class Focus(msgspec.Struct, frozen=True):
    """Something has got the keyboard. `time` is on the monotonic clock."""

    time: float
    pid: int
    node: TreeNode

    @property
    def secret(self) -> bool:
        return self.node.role == PASSWORD


class Walked(msgspec.Struct, frozen=True):
    """A tree, how many nodes it has, and which limit cut it."""

    root: TreeNode
    nodes: int
    cut: str | None = None


class Accessibility:
    """Asks the programs of a session about themselves."""

    def __init__(self, bus: AccessibilityBus, limits: WalkLimits = WalkLimits()) -> None:
        self.bus, self.limits = bus, limits
        self._tasks: set[asyncio.Task[None]] = set()

    @staticmethod
    async def connect(address: str | None = None, limits: WalkLimits = WalkLimits()) -> Accessibility:
        """Join the session at an address (None is the user's own) and have its programs speak up."""
        bus = await AccessibilityBus.connect(address)
        await bus.enable()
        return Accessibility(bus, limits)

    async def close(self) -> None:
        await self.bus.close()

    async def window(self, pid: int | None, title: str = "", at: tuple[int, int] | None = None) -> Reference | None:
        """The window of a program: the one at a place, else of a title, else the active one, else the first."""
        programs = await self._programs()
        mine = [reference for reference in programs if pid is None or await self.bus.pid(reference[0]) == pid]
        best: tuple[tuple[bool, ...], Reference] | None = None
        for program in mine:
            for window in await self._children(program, self.limits.children):
                rank = await self._rank(window, title, at)
                if rank and (best is None or rank > best[0]):
                    best = (rank, window)
        return best[1] if best else None

    async def speaks(self, pid: int | None) -> bool:
        """Whether a program is on the bus at all; one that is but shows no window does not answer."""
        return any([pid is None or await self.bus.pid(name) == pid for name, _ in await self._programs()])

    async def tree(self, window: Reference) -> Walked:
        """Everything a window shows, as far as the limits allow."""
        walk = _Walk(self.limits)
        root = await self._node(window, walk, 0)
        if root is None:
            raise NoAnswer("the window did not answer")
        return Walked(root, walk.nodes, walk.cut)

    async def hit(self, window: Window | None, x: int, y: int) -> TreeNode | None:
        """What lies at a place, in the X window that is topmost there. What pops up covers what a program's windows say
        of the place, so it is looked for among menus and lists that are open, and nowhere else."""
        pid = window.pid if window else None
        try:
            if window is not None and window.popup:
                return await self._popped_up(pid, x, y)
            found = await self.window(pid, at=(x, y))
            return await self.element_at(found, x, y) if found else None
        except NoAnswer:
            return None

    async def _popped_up(self, pid: int | None, x: int, y: int) -> TreeNode | None:
        walk = _Walk(self.limits)
        for program in reversed(await self._programs()):
            if pid is None or await self.bus.pid(program[0]) == pid:
                found = await self._popup_at(program, x, y, walk, False)
                if found is not None:
                    return found
        return None

    async def _popup_at(self, reference: Reference, x: int, y: int, walk: _Walk, within: bool) -> TreeNode | None:
        """The innermost node at a place that is part of something that pops up. A menu's own box is its title's."""
        if not walk.may_go_on():
            return None
        children = await self._shown_children(reference, walk)
        nodes = await asyncio.gather(*(self.bus.describe(child) for child in children))
        for child, node in reversed(list(zip(children, nodes, strict=True))):
            if node is None or (not within and node.role in _NO_POPUPS):
                continue
            found = await self._popup_at(child, x, y, walk, within or node.role in _POPUPS)
            if found is not None:
                return found
            if within and node.box is not None and inside(node.box, (x, y)):
                return node
        return None

    async def element_at(self, window: Reference, x: int, y: int) -> TreeNode | None:
        """The innermost element of a window at a place of the screen."""
        found, seen = window, {window}
        for _ in range(self.limits.depth):
            deeper = await self._child_at(found, x, y)
            if deeper is None or deeper in seen:
                break
            seen.add(deeper)
            found = deeper
        return await self.bus.describe(found)

    async def watch_focus(self, tell: Callable[[Focus], None]) -> None:
        """Tell whenever something gets the keyboard."""
        where = f"interface='{_EVENTS}Object',member='StateChanged',arg0='focused'"
        await self.bus.listen(where, lambda message: self._heard(message, tell))
        await self._have_sent("object:state-changed:focused")

    async def watch_changes(self, tell: Callable[[], None]) -> None:
        """Tell whenever a program says that something of it has changed."""

        def hear(message: Message) -> None:
            if (message.interface or "").startswith(_EVENTS):
                tell()

        for where in ("Object',member='StateChanged'", "Object',member='TextChanged'", "Window'"):
            await self.bus.listen(f"interface='{_EVENTS}{where}", hear)
        for event in ("object:state-changed", "object:text-changed", "window:"):
            await self._have_sent(event)

    async def _have_sent(self, event: str) -> None:
        try:
            await self.bus.call(_REGISTRY, "org.a11y.atspi.Registry", "RegisterEvent", "s", [event])
        except NoAnswer:  # newer registries take the properties to send along and the program to listen to
            await self.bus.call(_REGISTRY, "org.a11y.atspi.Registry", "RegisterEvent", "sass", [event, [], ""])

    def _heard(self, message: Message, tell: Callable[[Focus], None]) -> None:
        if message.member == "StateChanged" and message.body[:2] == ["focused", 1] and message.sender and message.path:
            task = asyncio.ensure_future(self._tell((message.sender, message.path), time.monotonic(), tell))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _tell(self, reference: Reference, when: float, tell: Callable[[Focus], None]) -> None:
        node = await self.bus.describe(reference)
        if node is not None:
            tell(Focus(when, await self.bus.pid(reference[0]), node))

    async def _node(self, reference: Reference, walk: _Walk, depth: int) -> TreeNode | None:
        if not walk.may_go_on():
            return None
        node = await self.bus.describe(reference)
        if node is None:
            return None
        if depth >= self.limits.depth:
            walk.cut = "depth"
            return node
        children = await self._shown_children(reference, walk)
        grown = await asyncio.gather(*(self._node(child, walk, depth + 1) for child in children))
        return msgspec.structs.replace(node, children=tuple(child for child in grown if child is not None))

    async def _shown_children(self, reference: Reference, walk: _Walk) -> list[Reference]:
        children = await self._children(reference, self.limits.children, walk)
        states = await asyncio.gather(*(self.bus.states(child) for child in children), return_exceptions=True)
        return [
            child
            for child, shown in zip(children, states, strict=True)
            if not isinstance(shown, BaseException) and "showing" in shown
        ]

    async def _children(self, reference: Reference, most: int, walk: _Walk | None = None) -> list[Reference]:
        count = await self.bus.property(reference, "ChildCount")
        if not isinstance(count, int) or count <= 0:
            return []
        try:
            if count <= most:
                (found,) = await self.bus.call(reference, ACCESSIBLE, "GetChildren")
                return [(child[0], child[1]) for child in found]
            if walk is not None:
                walk.cut = "children"
            return await self._tiles(reference, most)
        except NoAnswer:
            return []

    async def _tiles(self, reference: Reference, most: int) -> list[Reference]:
        """The children that can be seen of a node with too many, a spreadsheet say: whatever stands at its corner, to
        the right of that, and so on to the end, row by row."""
        box = await self.bus.box(reference)
        if box is None:
            return []
        found: list[Reference] = []
        x, y, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
        lowest = y
        while y < bottom and len(found) < most:
            (child,) = await self.bus.call(reference, COMPONENT, "GetAccessibleAtPoint", "iiu", (x + 1, y + 1, 0))
            tile = (child[0], child[1])
            place = await self.bus.box(tile)
            if place is None or tile in found[-1:] or place[0] + place[2] <= x:
                break
            found.append(tile)
            x, lowest = place[0] + place[2], max(lowest, place[1] + place[3])
            if x >= right:
                x, y = box[0], lowest
        return found

    async def _child_at(self, reference: Reference, x: int, y: int) -> Reference | None:
        """What a node says lies at a place; where it does not know, its last child that could."""
        try:
            (child,) = await self.bus.call(reference, COMPONENT, "GetAccessibleAtPoint", "iiu", (x, y, 0))
            if not child[1].endswith("/null") and (child[0], child[1]) != reference:
                return (child[0], child[1])
        except NoAnswer:
            pass
        walk = _Walk(self.limits)
        children = await self._shown_children(reference, walk)
        boxes = await asyncio.gather(*(self.bus.box(child) for child in children))
        over = [child for child, box in zip(children, boxes, strict=True) if box is None or inside(box, (x, y))]
        return over[-1] if over and walk.cut is None else None

    async def _rank(self, window: Reference, title: str, at: tuple[int, int] | None) -> tuple[bool, ...] | None:
        """How well a window fits what is looked for; None when it shows nothing at the place."""
        try:
            states = await self.bus.states(window)
        except NoAnswer:
            return None
        if at is not None:
            box = await self.bus.box(window)
            if box is None or not inside(box, at) or "showing" not in states:
                return None
        name = await self.bus.property(window, "Name")
        return (bool(title) and name == title, "active" in states, "showing" in states)

    async def _programs(self) -> list[Reference]:
        return await self._children(_PROGRAMS, 1000)


class _Walk:
    """How far a walk has come."""

    def __init__(self, limits: WalkLimits) -> None:
        self._limits, self._ends = limits, time.monotonic() + limits.seconds
        self.nodes = 0
        self.cut: str | None = None

    def may_go_on(self) -> bool:
        if self.nodes >= self._limits.nodes:
            self.cut = "nodes"
        elif time.monotonic() > self._ends:
            self.cut = "seconds"
        else:
            self.nodes += 1
            return True
        return False
