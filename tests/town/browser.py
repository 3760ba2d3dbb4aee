"""A real browser on the town, for tests: the project's own environment, with the oracle in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from workalike.agents.random import RandomAgent
from workalike.core.actions import Terminate
from workalike.core.contracts import Agent, Wants
from workalike.env.browser.environment import BrowserEnvironment
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy
from workalike.town.benchmark import Drawn, setting_of
from workalike.town.check import Left
from workalike.town.look import Past
from workalike.town.oracle import next_action
from workalike.town.papers import at_hand
from workalike.town.server import COOKIE
from workalike.town.site import DOMAIN
from workalike.town.town import Town

WANTS = Wants(picture=False, elements=True)
MOST_STEPS = 200


class Web:
    """A browser for which the town is the whole web."""

    def __init__(self, stage: Stage, port: int) -> None:
        self.stage, self.policy = stage, Policy(hosts={f"*.{DOMAIN}": f"127.0.0.1:{port}"})

    def environment(self, downloads: Path | None = None) -> BrowserEnvironment:
        return BrowserEnvironment(self.stage, self.policy, downloads)


@asynccontextmanager
async def chromium(port: int) -> AsyncIterator[Web]:
    async with Stage() as stage:
        yield Web(stage, port)


async def solve(town: Town, web: Web, drawn: Drawn) -> tuple[Left, str, list[Past]]:
    """Let the oracle do a task on its page; gives what it left behind, the answer, and what was done."""
    attempt = town.open(setting_of(drawn.key))
    start = f"{drawn.task.start_url}?{COOKIE}={attempt.token}"
    environment = web.environment()
    past: list[Past] = []
    try:
        seen = (
            await environment.reset(msgspec.structs.replace(at_hand(drawn.task), start_url=start), WANTS)
        ).observation
        for _ in range(MOST_STEPS):
            action = next_action(drawn.key, seen, past)
            past.append(Past(seen, action))
            if isinstance(action, Terminate):
                return Left(town.changes(attempt.token), town.shown(attempt.token)), action.answer or "", past
            taken = await environment.act(action)
            assert taken.error is None, f"{drawn.task.id}: {action} failed: {taken.error}"
            seen = (await environment.observe(WANTS)).observation
        raise AssertionError(f"the oracle does not come to an end on {drawn.task.id}: {[p.action for p in past[-8:]]}")
    finally:
        await environment.close()
        town.close(attempt.token)


async def roam(town: Town, web: Web, drawn: Drawn) -> tuple[Left, str]:
    """Let the random agent loose on a task; gives what it left behind and what it said."""
    attempt = town.open(setting_of(drawn.key))
    agent, environment = RandomAgent(drawn.task.id), web.environment()
    try:
        begun = msgspec.structs.replace(
            at_hand(drawn.task), start_url=f"{drawn.task.start_url}?{COOKIE}={attempt.token}"
        )
        percept = await environment.reset(begun, WANTS)
        await agent.begin(drawn.task)
        for _ in range(MOST_STEPS):
            for action in (await agent.decide(percept)).actions:
                if isinstance(action, Terminate):
                    left = Left(town.changes(attempt.token), town.shown(attempt.token))
                    return left, f"ANSWER: {action.answer or ''}"
                await environment.act(action)
            percept = await environment.observe(WANTS)
        return Left(town.changes(attempt.token), town.shown(attempt.token)), ""
    finally:
        await environment.close()
        town.close(attempt.token)


async def follow(town: Town, web: Web, drawn: Drawn, make: Callable[[BrowserEnvironment], Agent]) -> tuple[Left, str]:
    """Let an agent, made for its screen, go where it goes; gives what it left behind and what it said."""
    attempt, kept = town.open(setting_of(drawn.key)), TemporaryDirectory()
    environment = web.environment(Path(kept.name))
    agent = make(environment)
    mark = "&" if "?" in (drawn.task.start_url or "") else "?"
    begun = msgspec.structs.replace(
        at_hand(drawn.task), start_url=f"{drawn.task.start_url}{mark}{COOKIE}={attempt.token}"
    )
    try:
        await agent.begin(drawn.task)
        percept = await environment.reset(begun, agent.wants)
        for _ in range(3 * MOST_STEPS):  # who reads every page to its end takes longer
            for action in (await agent.decide(percept)).actions:
                if isinstance(action, Terminate):
                    return Left(town.changes(attempt.token), town.shown(attempt.token)), action.answer or ""
                taken = await environment.act(action)
                assert taken.error is None, f"{drawn.task.id}: {action} failed: {taken.error}"
            percept = await environment.observe(agent.wants)
        raise AssertionError(f"{agent.name} does not come to an end on {drawn.task.id}")
    finally:
        await environment.close()
        town.close(attempt.token)
        kept.cleanup()
