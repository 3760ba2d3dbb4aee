"""The user's consent to irreversible steps: what the guard has stopped is put to the user, and done if that says yes.

A request is held until the answer is there. What was stopped in the page, before it became a request, is done again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from workalike.core.actions import Action, Click, Hotkey, Press, Visit, Write, kind
from workalike.env.browser.session import BrowserSession
from workalike.env.browser.settling import PageMark
from workalike.env.browser.tab import BrowserTab
from workalike.env.policy.guard import Confirm

MOST_ADDRESS = 100


def ask_about_held(attempt: BrowserSession, confirm: Confirm, action: Action | None) -> tuple[BrowserTab, bool] | None:
    """Put the requests that a tab holds to the user, and let them go on or fail; which tab, and what was said."""
    tab = next(iter(attempt.tabs.holding), None)
    if tab is None:
        return None
    passes = False
    try:
        passes = _asked(attempt, confirm, tab, action, tab.held[0][1])
    finally:
        while tab.held:
            tab.release(passes)
    return tab, passes


async def rest_after(attempt: BrowserSession, tab: BrowserTab, passes: bool) -> None:
    """Let what a held request leads to come to rest; with the user's leave that passes, too (a page of thanks, say)."""
    before = PageMark(0, max(0, tab.loads - 1))
    async with _leave(attempt, tab, passes):
        await attempt.settle(tab, before)


async def ask_about_stopped(attempt: BrowserSession, confirm: Confirm, action: Action, told: int) -> Action | None:
    """Put what the page's guard has stopped since some notice to the user; what is to be done again, if anything."""
    stopped = next((notice for notice in attempt.told(told) if notice.kind == "stopped"), None)
    again, asked = _again(action), any(notice.kind == "asked" for notice in attempt.told(told))
    if stopped is None or again is None or asked:
        return None
    if not _asked(attempt, confirm, await attempt.tabs.front(), action, stopped.text):
        return None
    for notice in attempt.told(told):
        if notice.kind == "stopped":
            attempt.retract(notice)
    return again


@asynccontextmanager
async def with_leave(attempt: BrowserSession) -> AsyncIterator[None]:
    """While this lasts nothing is stopped on the tab in front."""
    async with _leave(attempt, await attempt.tabs.front(), True):
        yield


@asynccontextmanager
async def _leave(attempt: BrowserSession, tab: BrowserTab, leave: bool) -> AsyncIterator[None]:
    assert attempt.guard is not None
    attempt.guard.leave = leave
    await tab.give_leave(leave)
    try:
        yield
    finally:
        attempt.guard.leave = False
        await tab.give_leave(False)


def _asked(attempt: BrowserSession, confirm: Confirm, tab: BrowserTab, action: Action | None, problem: str) -> bool:
    """Ask, and keep question and answer with the attempt."""
    hit = attempt.touched.element
    on = f" on {hit.role} {hit.name!r}" if hit else ""
    doing = f"{kind(action)}{on}" if action is not None else "the page itself"
    question = f"{doing} at {tab.url[:MOST_ADDRESS]}: {problem}"
    passes = confirm(question)
    attempt.tell(
        "asked", f"{question}. The user was asked whether it may be done, and said {'yes' if passes else 'no'}"
    )
    return passes


def _again(action: Action) -> Action | None:
    """What does only what was stopped, once more; text that was typed is not typed twice."""
    match action:
        case Write(text=text):
            return Press(("enter",)) if text.endswith("\n") else None
        case Click() | Press() | Hotkey() | Visit():
            return action
        case _:
            return None
