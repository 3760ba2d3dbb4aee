"""A real desktop to act on: programs on an X display, worked through XTest and seen through its own pixels.

The display is a virtual one of the environment's own, fresh for every task; the user's display is used only when it is
named. Its programs are whatever `programs` starts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from typing import TypeVar

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
from workalike.core.contracts import Sight, Wants
from workalike.core.errors import ActionFailed, BadInput, Infrastructure
from workalike.core.observation import ImageRef, Observation
from workalike.core.recording import TreeNode
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import Taken
from workalike.env.bounds import check, length
from workalike.env.desktop_accessibility import Accessibility
from workalike.env.desktop_acting import Seat, carry_out
from workalike.env.desktop_atspi import Unanswered
from workalike.env.desktop_display import VirtualDesktop
from workalike.env.desktop_elements import element_of, elements_of, outline
from workalike.env.desktop_typing import Keyboard, Target, Typing, type_on
from workalike.env.desktop_windows import Window

T = TypeVar("T")
ACT_SECONDS = 60.0
INTRODUCED_WITHIN = 4.0
ANSWER_SECONDS = 20.0
_BROWSING = (Visit, Search, Back, Forward, SwitchTab, CloseTab, ReadPage)


class DesktopEnvironment:
    """The contract of an environment on an X display.

    >>> environment = DesktopEnvironment(programs=[["mousepad"]])                # doctest: +SKIP
    >>> sight = await environment.reset(task)                                    # doctest: +SKIP
    """

    def __init__(
        self, *, display: str | None = None, size: Size = Size(1280, 800), programs: Sequence[Sequence[str]] = ()
    ) -> None:
        self._named, self._size, self._programs = display, size, programs
        self._own: VirtualDesktop | None = None
        self._seat: Seat | None = None
        self._accessibility: Accessibility | None = None
        self._keyboard = Keyboard(None)
        self._target = Target()
        self._hangs = False
        self._started = time.monotonic()

    @property
    def desktop(self) -> VirtualDesktop | None:
        """The virtual desktop, where it is one of our own."""
        return self._own

    async def reset(self, task: Task, wants: Wants = Wants()) -> Sight:
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
        await asyncio.to_thread(self._launch)
        if self._own is not None and self._programs and (wants.elements or wants.tree):
            await self._introduced()
        return await self.observe(wants)

    async def act(self, action: Action) -> Taken:
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
        return Taken(shown, start, self._clock(), error, element_of(node, size) if node else None)

    async def observe(self, wants: Wants = Wants(), taken: tuple[Taken, ...] = ()) -> Sight:
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
        return Sight(seen, picture, taken, tree=outline(tree) if tree and wants.tree else None)

    async def close(self) -> None:
        hangs, self._hangs = self._hangs, False
        accessibility, self._accessibility = self._accessibility, None
        seat, self._seat = self._seat, None
        own, self._own = self._own, None
        if accessibility is not None:
            await accessibility.close()
        await asyncio.to_thread(_close, None if hangs else seat, own)

    def _open(self) -> None:
        self._own = VirtualDesktop(self._size) if self._named is None else None
        self._seat = Seat(self._own.name if self._own else self._named)

    def _launch(self) -> None:
        """Start the programs one after the other, each once the one before has drawn itself."""
        if self._own is None:
            return
        for program in self._programs:
            self._own.launch(*program)
            self._at().still.settle(react_within=20.0, quiet_for=0.5, within=30.0)

    async def _introduced(self) -> None:
        """Wait for the program in front to tell of itself: it does so a moment after it is drawn, and some never do."""
        until = time.monotonic() + INTRODUCED_WITHIN
        while time.monotonic() < until:
            window = await self._bounded(asyncio.to_thread(self._at().active_window))
            if self._accessibility is None or await self._tree(window) is not None:
                return
            await asyncio.sleep(0.1)

    def _look(self, wants: Wants) -> tuple[Window | None, bytes | None, tuple[int, int]]:
        seat = self._at()
        with seat.alive():
            return seat.active_window(), seat.grabber.png() if wants.picture else None, seat.pointer()

    async def _tree(self, window: Window | None) -> TreeNode | None:
        if self._accessibility is None or window is None:
            return None
        try:
            found = await self._accessibility.window(window.pid, window.title)
            return (await self._accessibility.tree(found)).root if found else None
        except Unanswered:
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
        seat = self._at()
        x, y = seat.grabber.size.pixel(place)
        try:
            window = await asyncio.to_thread(seat.go_to_window, x, y)
            found = await self._accessibility.window(window.pid if window else None, at=(x, y))
            return await self._accessibility.element_at(found, x, y) if found else None
        except Unanswered:
            return None

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
        seat = self._at()
        with seat.alive():
            carry_out(action, seat)
            if not isinstance(action, Wait):
                seat.still.settle()

    def _at(self) -> Seat:
        if self._seat is None:
            raise Infrastructure("the desktop is not open: reset it first")
        if self._hangs:
            raise Infrastructure("the display does not answer: reset it first")
        return self._seat

    def _clock(self) -> float:
        return round(time.monotonic() - self._started, 4)


def _close(seat: Seat | None, own: VirtualDesktop | None) -> None:
    try:
        if seat is not None:
            seat.close()
    except Infrastructure:
        pass
    finally:
        if own is not None:
            own.close()
