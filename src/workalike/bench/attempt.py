"""One attempt: an agent in an environment until something ends it, every step written before the next begins.

What ends an attempt is mechanical and kept apart from whether it was any good. Trouble of the environment is raised
as `Infrastructure`, never booked as the agent's failure.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Protocol

import msgspec

from workalike.core.actions import Action, Ask, Terminate, Write
from workalike.core.contracts import Agent, Decision, Environment, Sight
from workalike.core.errors import AgentFailed, ModelFailed, OverBudget, Refused
from workalike.core.task import Task
from workalike.core.trajectory import Notice, Step, Stop, Taken
from workalike.env.guard import Unconfirmed
from workalike.store.pictures import PictureStore
from workalike.store.trajectories import TrajectoryWriter

SKIPPED = "not carried out, because the action before it failed"
ANSWERED = "not carried out, because the user had to be asked before it; read the answer first"
User = Callable[[str], str | None]
"""Who answers an agent's question: a reply, or None when nobody does."""


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far one attempt may go: steps, seconds for one decision (enough for a request that hangs, and for asking
    again), seconds in all."""

    steps: int = 100
    step_seconds: float = 600.0
    task_seconds: float = 1800.0


class Sink(Protocol):
    """Where steps go; a step is on disk when `step` returns."""

    def step(self, step: Step, picture: bytes | None) -> None: ...


class StoredSink:
    """Writes a step to disk: its picture first, then the line that names it."""

    def __init__(self, pictures: PictureStore, writer: TrajectoryWriter) -> None:
        self._pictures, self._writer = pictures, writer

    def step(self, step: Step, picture: bytes | None) -> None:
        if picture is not None:
            self._pictures.put(picture)
        self._writer.step(step)


def nobody(question: str) -> str | None:
    """A user who never answers."""
    return None


class _Ended(Exception):
    """The attempt is over; carries why, and the last action where it was begun."""

    def __init__(self, stop: Stop, taken: Taken | None = None) -> None:
        self.stop, self.taken = stop, taken


async def attempt(
    agent: Agent,
    environment: Environment,
    task: Task,
    sink: Sink,
    limits: Limits = Limits(),
    user: User = nobody,
    begin_as: Task | None = None,
) -> tuple[Stop, Sight | None]:
    """Run an attempt to its end; returns why it ended and the last look at the screen. `begin_as` is the task as the
    environment begins it, where its first address must differ from the one the agent is told."""
    clock = time.monotonic()
    sight: Sight | None = None
    try:
        sight = await environment.reset(begin_as or task, agent.wants)
        async with asyncio.timeout(limits.task_seconds):
            await agent.begin(task)
            for _ in range(limits.steps):
                sight = await _step(agent, environment, sight, sink, limits, user)
        return Stop("out_of_steps", f"{limits.steps} steps"), sight
    except _Ended as ended:
        return ended.stop, await environment.observe()
    except (AgentFailed, ModelFailed) as error:  # as it began; a failed decision has ended as a step
        return Stop("agent_error", str(error)), await environment.observe()
    except TimeoutError:
        return Stop("timed_out", f"{time.monotonic() - clock:.0f} s"), await environment.observe()
    finally:
        await agent.close()


async def _step(agent: Agent, environment: Environment, sight: Sight, sink: Sink, limits: Limits, user: User) -> Sight:
    try:
        decision = await _decide(agent, sight, limits)
    except _Ended:
        sink.step(Step(sight.observation, notices=sight.notices), sight.picture)
        raise
    taken: list[Taken] = []
    ending: Stop | None = None
    try:
        for action in decision.actions:
            taken.append(await _take(action, environment, user, taken))
    except _Ended as ended:
        ending = ended.stop
        taken.append(ended.taken or Taken(action, result=ended.stop.detail or None))
    except BaseException:  # time, the user or the page has ended it: what was done until then is done
        sink.step(_written(sight, decision, tuple(taken)), sight.picture)
        raise
    sink.step(_written(sight, decision, tuple(taken)), sight.picture)
    if ending:
        raise _Ended(ending)
    return await environment.observe(agent.wants, tuple(taken))


async def _decide(agent: Agent, sight: Sight, limits: Limits) -> Decision:
    try:
        async with asyncio.timeout(limits.step_seconds) as bound:
            return await agent.decide(sight)
    except TimeoutError:
        if not bound.expired():
            raise
        raise _Ended(Stop("timed_out", f"no decision within {limits.step_seconds:g} s")) from None
    except OverBudget as error:
        raise _Ended(Stop("out_of_budget", str(error))) from error
    except (AgentFailed, ModelFailed) as error:
        raise _Ended(Stop("agent_error", str(error))) from error


async def _take(action: Action, environment: Environment, user: User, before: list[Taken]) -> Taken:
    if before and before[-1].error:
        return Taken(action, error=before[-1].error if before[-1].error in (SKIPPED, ANSWERED) else SKIPPED)
    if before and isinstance(before[-1].action, Ask):
        return Taken(action, error=ANSWERED)
    if isinstance(action, Terminate):
        raise _Ended(Stop("terminated"))
    if isinstance(action, Ask):
        reply = user(action.question)
        if reply is None:
            raise _Ended(Stop("asked"))
        return Taken(action, result=reply)
    try:
        return await environment.act(action)
    except Unconfirmed as error:
        raise _Ended(Stop("stopped_by_policy", str(error)), error.taken) from error
    except Refused as error:
        raise _Ended(Stop("stopped_by_policy", str(error))) from error


def _written(sight: Sight, decision: Decision, taken: tuple[Taken, ...]) -> Step:
    notices: tuple[Notice, ...] = (*sight.notices, *decision.notices)
    secrets = _secrets(decision.actions, taken)
    return Step(
        sight.observation,
        taken,
        reply=_struck(decision.reply, secrets),
        observation_text=_struck(decision.observation_text, secrets),
        thought=_struck(decision.thought, secrets),
        action_text=_struck(decision.action_text, secrets),
        notices=notices,
        usage=decision.usage,
    )


def _secrets(actions: tuple[Action, ...], taken: tuple[Taken, ...]) -> dict[str, str]:
    """What was typed into a field that hides it, as it may stand in words and in JSON, and what stands for it."""
    found: dict[str, str] = {}
    for action, done in zip(actions, taken, strict=False):
        if isinstance(action, Write) and isinstance(done.action, Write) and action.text != done.action.text:
            given = action.text.strip()
            found |= {word: done.action.text.strip() for word in (given, json.dumps(given)[1:-1]) if len(word) > 2}
    return found


def _struck(words: str | None, secrets: dict[str, str]) -> str | None:
    for secret, dots in secrets.items():
        words = words and words.replace(secret, dots)
    return words
