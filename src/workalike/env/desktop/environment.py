"""A real desktop to act on: programs on an X display, worked through XTest and seen through its own pixels.

The display is a virtual one of the environment's own, fresh for every task; the user's display is used only when it is
named. Its programs are whatever `programs` starts.
"""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from workalike.core.actions import (
    CONVERSATION,
    Action,
    Back,
    CloseTab,
    Forward,
    Opaque,
    ReadPage,
    Search,
    SwitchTab,
    Visit,
    Wait,
    kind,
    points,
    without_secrets,
)
from workalike.core.contracts import Glance, Percept, Spot, Wants
from workalike.core.errors import ActionFailed, BadInput, Infrastructure
from workalike.core.observation import ImageRef, Observation
from workalike.core.program import Program
from workalike.core.recording import TreeNode
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.env.bounds import check, length
from workalike.env.desktop.accessibility import Accessibility
from workalike.env.desktop.acting import XWorkstation, carry_out
from workalike.env.desktop.atspi import NoAnswer
from workalike.env.desktop.display import VirtualDesktop, found
from workalike.env.desktop.elements import element_of, elements_of, node_at, outline
from workalike.env.desktop.screen import QUIET_AFTER_POINTER, QUIET_FOR
from workalike.env.desktop.typing import Keyboard, Target, Typing, type_on
from workalike.env.desktop.windows import Window, standing

T = TypeVar("T")
ACT_SECONDS = 60.0
APPEARED_WITHIN = 30.0
FOCUSED_WITHIN = 2.0
INTRODUCED_WITHIN = 4.0
ANSWER_SECONDS = 20.0
_BROWSING = (Visit, Search, Back, Forward, SwitchTab, CloseTab, ReadPage)


class DesktopEnvironment:
    """The contract of an environment on an X display.

    >>> environment = DesktopEnvironment(programs=[["mousepad"]])                # doctest: +SKIP
    >>> percept = await environment.reset(task)                                    # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        display: str | None = None,
        size: Size = Size(1280, 800),
        programs: Sequence[Sequence[str] | Program] = (),
    ) -> None:
        self._named, self._size = display, size
        self.programs = tuple(each if isinstance(each, Program) else Program(tuple(each)) for each in programs)
        self._own: VirtualDesktop | None = None
        self._station: XWorkstation | None = None
        self._accessibility: Accessibility | None = None
        self._keyboard = Keyboard(None)
        self._target = Target()
        self._hangs = False
        self._started = time.monotonic()

    @property
    def display(self) -> str | None:
        """The display it is on, once it has been reset."""
        return self._own.name if self._own else self._named

    async def evaluate(self, script: str) -> Any:
        raise ActionFailed("a desktop shows no page of a browser to run a script in")

    @property
    def desktop(self) -> VirtualDesktop | None:
        """The virtual desktop, where it is one of our own."""
        return self._own

    async def reset(self, task: Task, wants: Wants = Wants()) -> Percept:
        """A fresh desktop with its programs started. A display that was named is only looked at."""
        await self.close()
        self._started = time.monotonic()
        await asyncio.to_thread(self._open)
        bus = self._own.environ.get("DBUS_SESSION_BUS_ADDRESS") if self._own else None
        try:
            self._accessibility = await Accessibility.connect(bus)
        except Infrastructure:
            self._accessibility = None
        self._keyboard = Keyboard(self._accessibility)
        await self._keyboard.watch()
        if self._accessibility is not None:
            with suppress(NoAnswer):
                await self._accessibility.watch_changes(self._at().still.tell)
        await asyncio.to_thread(self._launch)
        if self._own is not None and self.programs and (wants.elements or wants.tree):
            await self._introduced()
        return await self.observe(wants)

    async def act(self, action: Action) -> ActionResult:
        """Carry one action out and wait until the screen has come to rest."""
        start, error, self._target = self._clock(), None, Target()
        try:
            self._check(action)
            if not isinstance(action, CONVERSATION):
                seconds = ACT_SECONDS + length(action)
                self._at().hands.until = time.monotonic() + seconds
                await self._bounded(self._perform(action), seconds)
        except (ActionFailed, BadInput) as problem:
            error = str(problem)
        node, size = self._target.node, self._at().grabber.size
        shown = without_secrets(action) if self._target.secret else action
        return ActionResult(shown, start, self._clock(), error, element_of(node, size) if node else None)

    async def observe(self, wants: Wants = Wants(), taken: tuple[ActionResult, ...] = ()) -> Percept:
        """Look at the screen."""
        window, picture, pointer = await self._bounded(asyncio.to_thread(self._look, wants))
        size = self._at().grabber.size
        tree = await self._tree(window) if wants.tree or wants.elements else None
        seen = Observation(
            picture=ImageRef.of(picture, size) if picture else None,
            size=size,
            kind="desktop",
            pointer=size.centre_of(*pointer),
            elements=(elements_of(tree, size) if tree else ()) if wants.elements else None,
            window=window.title if window else None,
            time=self._clock(),
        )
        return Percept(seen, picture, taken, tree=outline(tree) if tree and wants.tree else None)

    async def glance(self, places: tuple[Point, ...] = ()) -> Glance:
        """Which window has the keyboard, and what its tree has at some places."""
        window = await self._bounded(asyncio.to_thread(self._at().active_window))
        tree, size = await self._tree(window) if places else None, self._at().grabber.size
        nodes = [node_at(tree, *size.pixel(place)) if tree else None for place in places]
        spots = tuple(Spot(node.role, node.name) if node else None for node in nodes)
        return Glance(str(window.id) if window else "", spots=spots)

    async def close(self) -> None:
        hangs, self._hangs = self._hangs, False
        accessibility, self._accessibility = self._accessibility, None
        station, self._station = self._station, None
        own, self._own = self._own, None
        if accessibility is not None:
            await accessibility.close()
        await asyncio.to_thread(_close, None if hangs else station, own)

    def _open(self) -> None:
        self._own = VirtualDesktop(self._size) if self._named is None else None
        self._station = XWorkstation(self._own.name if self._own else self._named)

    def _launch(self) -> None:
        """Start the programs one after the other, each once the one before has put up a window and drawn it."""
        if self._own is None:
            return
        station = self._at()
        for program in self.programs:
            with station.alive():
                before = {window.id for window in standing(station.display)}
                self._appeared(self._own.launch(*found(program)), before)
                station.still.settle(react_within=0.3, quiet_for=0.5, within=30.0)

    def _appeared(self, program: subprocess.Popen[bytes], before: set[int]) -> None:
        """Wait for a window of a program that is no splash screen and has the keyboard. Some programs leave the work to
        another and end; some have no window at all."""
        station, ends = self._at(), time.monotonic() + APPEARED_WITHIN
        while (now := time.monotonic()) < ends:
            new = {window.id for window in standing(station.display)} - before
            active = station.active_window()
            if active is not None and active.id in new:
                return
            gone = program.poll() is not None
            ends = min(ends, now + FOCUSED_WITHIN) if new or gone else ends
            station.still.changed(min(0.25, ends - now))

    async def _introduced(self) -> None:
        """Wait for the program in front to tell of itself: it does so a moment after it is drawn, and some never do."""
        until = time.monotonic() + INTRODUCED_WITHIN
        while time.monotonic() < until:
            window = await self._bounded(asyncio.to_thread(self._at().active_window))
            if self._accessibility is None or await self._tree(window) is not None:
                return
            await asyncio.sleep(0.1)

    def _look(self, wants: Wants) -> tuple[Window | None, bytes | None, tuple[int, int]]:
        station = self._at()
        with station.alive():
            return station.active_window(), station.grabber.png() if wants.picture else None, station.pointer()

    async def _tree(self, window: Window | None) -> TreeNode | None:
        if self._accessibility is None or window is None:
            return None
        try:
            found = await self._accessibility.window(window.pid, window.title)
            return (await self._accessibility.tree(found)).root if found else None
        except NoAnswer:
            return None

    async def _perform(self, action: Action) -> None:
        if isinstance(action, Typing):
            await type_on(action, self._do, self._ask)
        else:
            self._target = Target(await self._pointed(action))
            await self._do(action)

    async def _do(self, action: Action) -> None:
        await asyncio.to_thread(self._carry_out, action)

    async def _ask(self) -> Target:
        """What has the keyboard; what is typed is a secret if any of it goes to a secret place."""
        now = await self._keyboard.target(await asyncio.to_thread(self._at().active_window))
        self._target = Target(self._target.node or now.node, self._target.secret or now.secret)
        return now

    async def _pointed(self, action: Action) -> TreeNode | None:
        """The element at an action's first place."""
        place = next(iter(points(action)), None)
        if self._accessibility is None or place is None:
            return None
        station = self._at()
        x, y = station.grabber.size.pixel(place)
        window = await asyncio.to_thread(station.go_to_window, x, y)
        return await self._accessibility.hit(window, x, y)

    async def _bounded(self, work: Awaitable[T], seconds: float = 0.0) -> T:
        """A display that does not answer can only be given up: what waits for it on a thread ends with it."""
        try:
            async with asyncio.timeout(seconds + ANSWER_SECONDS):
                return await work
        except TimeoutError:
            self._hangs = True
            raise Infrastructure("the display does not answer") from None

    def _check(self, action: Action) -> None:
        """Refuse what cannot be done before any of it is."""
        if isinstance(action, _BROWSING):
            raise ActionFailed(f"a desktop has no {kind(action)}: use the programs on the screen, as a person would")
        if isinstance(action, Opaque):
            raise ActionFailed("an action that could not be read is never carried out")
        check(action)
        for point in points(action):
            if not point.on_screen:
                raise ActionFailed(f"the place ({point.x:.4g}, {point.y:.4g}) is off the screen: both go from 0 to 1")

    def _carry_out(self, action: Action) -> None:
        station = self._at()
        with station.alive():
            station.still.changed(0)  # what happened before it is no sign of it
            carry_out(action, station)
            if not isinstance(action, Wait):
                station.still.settle(quiet_for=QUIET_AFTER_POINTER if points(action) else QUIET_FOR)

    def _at(self) -> XWorkstation:
        if self._station is None:
            raise Infrastructure("the desktop is not open: reset it first")
        if self._hangs:
            raise Infrastructure("the display does not answer: reset it first")
        return self._station

    def _clock(self) -> float:
        return round(time.monotonic() - self._started, 4)


def _close(station: XWorkstation | None, own: VirtualDesktop | None) -> None:
    try:
        if station is not None:
            station.close()
    except Infrastructure:
        pass
    finally:
        if own is not None:
            own.close()
