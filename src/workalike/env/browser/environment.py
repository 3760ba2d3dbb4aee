"""The browser as an environment: reset, act, observe, close. Attempts share a browser, each in a context of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from playwright.async_api import Error as PlaywrightError

from workalike.core.actions import CONVERSATION, Action, Visit, without_secrets
from workalike.core.contracts import Glance, Percept, Wants
from workalike.core.errors import ActionFailed, Infrastructure, PageGone, Refused
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.env.bounds import length
from workalike.env.browser.consent import ask_about_held, ask_about_stopped, rest_after, with_leave
from workalike.env.browser.elements import Touched
from workalike.env.browser.looking import glance, look
from workalike.env.browser.performing import perform
from workalike.env.browser.session import BrowserSession
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.browser.tab import DialogOpened
from workalike.env.policy.guard import Confirm, Unconfirmed
from workalike.env.policy.proxy import Resolve, resolve
from workalike.env.policy.reach import Policy

T = TypeVar("T")
ACT_SECONDS = 10.0
LOOKS = 3


class BrowserEnvironment:
    """Where an agent acts. `policy` says what it may reach, `downloads` where files go, `resolve` how names are
    resolved. `confirm` is asked before an irreversible step on a live site, which is stopped otherwise."""

    def __init__(
        self,
        stage: Stage,
        policy: Policy = Policy(),
        downloads: Path | None = None,
        settings: BrowserSettings | None = None,
        resolve: Resolve = resolve,
        confirm: Confirm | None = None,
    ) -> None:
        self.stage, self.policy, self.downloads, self.resolve = stage, policy, downloads, resolve
        self.confirm = confirm if policy.guards else None
        self.settings = settings or stage.settings
        self._attempt: BrowserSession | None = None

    @property
    def attempt(self) -> BrowserSession:
        """The attempt that is under way."""
        if self._attempt is None:
            raise Infrastructure("the environment is closed: reset it first")
        return self._attempt

    async def reset(self, task: Task, wants: Wants = Wants()) -> Percept:
        """A fresh context at the task's start page. A browser that died is started anew, once."""
        await self.close()
        try:
            self._attempt = await self._begin(task)
        except (PlaywrightError, Infrastructure):
            self._attempt = await self._begin_or_fail(task)
        if task.start_url:
            taken = await self.act(Visit(task.start_url))
            if taken.error:
                self.attempt.tell("start", taken.error)
        return await self.observe(wants)

    async def _begin(self, task: Task) -> BrowserSession:
        # files that a browser elsewhere downloads are not here to be kept
        folder = None if self.stage.settings.endpoint else self.downloads
        browser = await self.stage.browser()
        holds = self.confirm is not None
        return await BrowserSession.begin(browser, task, self.policy, self.settings, folder, self.resolve, holds)

    async def _begin_or_fail(self, task: Task) -> BrowserSession:
        try:
            return await self._begin(task)
        except PlaywrightError as error:
            raise Infrastructure(f"the browser gave no page to start on: {_first_line(error)}") from error

    async def act(self, action: Action) -> ActionResult:
        """Carry one action out and wait until the page has come to rest. What goes wrong is told, not raised."""
        attempt = self.attempt
        start, told = attempt.clock(), len(attempt.told())
        attempt.touched = Touched()
        result, error = await self._carry_out(action)
        touched, nobody = attempt.touched, None
        try:
            result, error = await self._confirmed(action, told) or (result, error)
        except Refused as refusal:
            nobody = refusal
        error = error or next((one.text for one in attempt.told(told) if one.kind == "stopped"), None)
        shown = without_secrets(action) if touched.secret else action
        taken = ActionResult(shown, start, attempt.clock(), error, touched.element, result)
        if nobody is not None:
            raise Unconfirmed(str(nobody), taken)
        return taken

    async def _carry_out(self, action: Action) -> tuple[str | None, str | None]:
        """Do it; what came back, and what went wrong."""
        if isinstance(action, CONVERSATION):
            return None, None
        try:
            return await self._bounded(perform(self.attempt, action), length(action)), None
        except (ActionFailed, Refused, PageGone) as problem:
            return None, str(problem)
        except DialogOpened:
            return None, None  # the next percept shows it

    async def _confirmed(self, action: Action, told: int) -> tuple[str | None, str | None] | None:
        """Put to the user what the guard has stopped; where it is done again after all, what became of it. Raises
        `Refused` when nobody is there."""
        if self.confirm is None:
            return None
        await self._ask_about_held(action)
        again = await ask_about_stopped(self.attempt, self.confirm, action, told)
        if again is None:
            return None
        async with with_leave(self.attempt):
            return await self._carry_out(again)

    async def _ask_about_held(self, action: Action | None) -> None:
        while self.confirm and (answered := ask_about_held(self.attempt, self.confirm, action)):
            with suppress(ActionFailed, DialogOpened):
                await self._bounded(rest_after(self.attempt, *answered))

    async def observe(self, wants: Wants = Wants(), taken: tuple[ActionResult, ...] = ()) -> Percept:
        """Look at the page in front; one that goes away while being looked at is looked at again."""
        problem: Exception | None = None
        for _ in range(LOOKS):
            try:
                with suppress(Refused):  # nobody is there: it is stopped, and the agent is told
                    await self._ask_about_held(None)
                return await self._bounded(look(self.attempt, wants, taken))
            except (PageGone, ActionFailed, DialogOpened) as error:
                problem = error
        raise Infrastructure(f"no page stays long enough to be looked at: {problem}")

    display: str | None = None

    async def evaluate(self, script: str) -> Any:
        """What a JavaScript expression gives on the page in front, in the page's own world."""
        tab = await self.attempt.tabs.front()
        question = {"expression": script, "returnByValue": True, "awaitPromise": True}
        try:
            answer = await self._bounded(tab.send("Runtime.evaluate", question))
        except DialogOpened:
            raise ActionFailed("a dialog stands open, and the page stands still until it is answered") from None
        except PageGone as error:
            raise ActionFailed(str(error)) from error
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"]
            told = thrown.get("exception", {}).get("description") or thrown.get("text", "")
            raise ActionFailed(f"the script threw {str(told).splitlines()[0]}")
        return answer["result"].get("value")

    async def glance(self, places: tuple[Point, ...] = ()) -> Glance:
        """Which page stands in front, and what lies at some places; what cannot be told is left out."""
        try:
            return await self._bounded(glance(self.attempt, places))
        except (PageGone, ActionFailed, DialogOpened):
            return Glance()

    async def close(self) -> None:
        """Let go of everything."""
        attempt, self._attempt = self._attempt, None
        if attempt is not None:
            await attempt.close()

    async def _bounded(self, work: Awaitable[T], longer: float = 0.0) -> T:
        """Tell a dead browser, which ends the try, from what else may go wrong, which the agent is told."""
        try:
            async with asyncio.timeout(ACT_SECONDS + self.settings.load + longer):
                return await work
        except TimeoutError:
            raise ActionFailed("the page does not answer") from None
        except (PlaywrightError, PageGone) as error:
            if not await self.attempt.is_alive():
                raise Infrastructure(f"the browser is gone: {_first_line(error)}") from error
            if isinstance(error, PageGone):
                raise
            raise ActionFailed(_first_line(error)) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
