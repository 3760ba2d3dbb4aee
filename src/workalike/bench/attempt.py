"""One attempt: an agent in an environment until something ends it, every step written before the next begins.

What ends an attempt is mechanical and kept apart from whether it was any good. Trouble of the environment is raised
as `Infrastructure`, never booked as the agent's failure.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import msgspec

from workalike.bench.stale import NOT_DONE, DecidedOn, letting_go, told
from workalike.core.actions import Action, Ask, Terminate, Write, points
from workalike.core.contracts import Agent, Decision, Environment, Percept, ScreenAccess, Session, Sink, Wants
from workalike.core.errors import (
    ActionFailed,
    AgentFailed,
    Infrastructure,
    ModelFailed,
    OverBudget,
    Refused,
    in_a_line,
)
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Stop
from workalike.env.policy.guard import Unconfirmed
from workalike.models.striking import Striker
from workalike.store.config import AttemptLimits

NO_FACTS = "facts_error"
"""Where it stands in `Trajectory.extra` why a session could not tell its facts."""
SKIPPED = f"{NOT_DONE}, because the action before it failed"
ANSWERED = f"{NOT_DONE}, because the user had to be asked before it; read the answer first"
CANNED = "Please go on as you think best; I have nothing to add to the task."
User = Callable[[str], str | None]
"""Who answers an agent's question: a reply, or None when nobody does."""


def nobody(question: str) -> str | None:
    """A user who never answers."""
    return None


def user_for(policy: str, task: Task) -> User:
    """The user of one task: nobody, one with a canned reply, or the persona that the agent acts for."""
    if policy == "canned":
        return lambda question: CANNED
    if policy == "persona" and task.persona:
        facts = "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in task.persona.items())
        return lambda question: f"{CANNED} What you may need of me: {facts}."
    return nobody


@runtime_checkable
class KeepsTranscript(Protocol):
    """An agent that writes down what it says to a model and hears from it."""

    def hide(self, words: Mapping[str, str]) -> None: ...


class _Ended(Exception):
    """The attempt is over; carries why, and the last action where it was begun."""

    def __init__(self, stop: Stop, taken: ActionResult | None = None) -> None:
        self.stop, self.taken = stop, taken


class AttemptEnd(msgspec.Struct, frozen=True):
    """How an attempt ended: why, the last look at the screen with its picture, what happened after the last step, and
    the facts that its session knows afterwards. It can travel."""

    stop: Stop
    observation: Observation | None = None
    picture: bytes | None = None
    notices: tuple[Notice, ...] = ()
    facts: dict[str, Any] = {}


async def attempt(
    agent: Agent,
    environment: Environment,
    task: Task,
    sink: Sink,
    limits: AttemptLimits = AttemptLimits(),
    user: User = nobody,
    session: Session | None = None,
    watchful: bool = True,
    begun: Callable[[Percept], None] = lambda percept: None,
) -> AttemptEnd:
    """Run an attempt to its end; tells why it ended, the last look at the screen, and what the session knows. The
    session's task is the one that the environment begins, where its first address must differ from the one the agent
    is told. A `watchful` attempt stops short where the screen is no longer the one that several actions were decided
    on together. `begun` is shown the first screen, and raises where nothing can be done on it."""
    stop, seen = await _acted(agent, environment, task, sink, limits, user, session, watchful, begun)
    facts = await facts_known(session, environment) if session else {}
    return AttemptEnd(stop, seen.observation, seen.picture, seen.notices, facts)


async def _acted(
    agent: Agent,
    environment: Environment,
    task: Task,
    sink: Sink,
    limits: AttemptLimits,
    user: User,
    session: Session | None,
    watchful: bool,
    begun: Callable[[Percept], None],
) -> tuple[Stop, Percept]:
    clock = time.monotonic()
    try:
        percept = await first_look(environment, task, agent.wants, session)
        begun(percept)
        async with asyncio.timeout(limits.task_seconds):
            await agent.begin(task)
            for _ in range(limits.steps):
                percept = await _step(agent, environment, percept, sink, limits, user, watchful)
        return Stop("out_of_steps", f"{limits.steps} steps"), percept
    except _Ended as ended:
        return ended.stop, await environment.observe()
    except (AgentFailed, ModelFailed) as error:  # as it began; a failed decision has ended as a step
        return Stop("agent_error", str(error)), await environment.observe()
    except TimeoutError:
        return Stop("timed_out", f"{time.monotonic() - clock:.0f} s"), await environment.observe()
    finally:
        await agent.close()


async def first_look(environment: Environment, task: Task, wants: Wants, session: Session | None) -> Percept:
    """The first look at the screen, once it is where the task begins."""
    first = await environment.reset(session.task if session else task, wants)
    if session is None:
        return first
    try:
        again = await session.prepare(_screen(environment))
    except Infrastructure:
        raise
    except Exception as error:
        raise Infrastructure(f"the page could not be prepared for {task.id}: {in_a_line(error)}") from error
    if not again:
        return first
    seen = await environment.observe(wants)
    return msgspec.structs.replace(seen, notices=(*first.notices, *seen.notices))


async def facts_known(session: Session, environment: Environment) -> dict[str, Any]:
    """What the session knows afterwards. What it cannot tell is no failure of the agent's: who judges finds the reason
    in place of the facts."""
    try:
        facts = dict(await session.facts(_screen(environment)))
        msgspec.json.encode(facts)  # what cannot be written is no fact
        return facts
    except Infrastructure:
        raise
    except Exception as error:
        return {NO_FACTS: in_a_line(error)}


class _NoPage:
    """The screen of an environment of one's own, of which nothing more is known."""

    display: str | None = None

    async def evaluate(self, script: str) -> Any:
        raise ActionFailed("this environment shows no page of a browser")


def _screen(environment: Environment) -> ScreenAccess:
    return environment if isinstance(environment, ScreenAccess) else _NoPage()


async def _step(
    agent: Agent,
    environment: Environment,
    percept: Percept,
    sink: Sink,
    limits: AttemptLimits,
    user: User,
    watchful: bool,
) -> Percept:
    screen = await DecidedOn.note(environment, percept.observation) if watchful else None
    try:
        decision = await _decide(agent, percept, limits)
    except _Ended:
        await sink.step(Step(percept.observation, notices=percept.notices), percept.picture)
        raise
    taken: list[ActionResult] = []
    ending: Stop | None = None
    try:
        several = any(points(action) for action in decision.actions[1:])
        for action in decision.actions:
            taken.append(await _take(action, environment, user, taken, screen, several))
    except _Ended as ended:
        ending = ended.stop
        taken.append(ended.taken or ActionResult(action, result=ended.stop.detail or None))
    except BaseException:  # time, the user or the page has ended it: what was done until then is done
        await _keep(agent, sink, percept, decision, tuple(taken))
        raise
    await _keep(agent, sink, percept, decision, tuple(taken))
    if ending:
        raise _Ended(ending)
    return await environment.observe(agent.wants, tuple(taken))


async def _decide(agent: Agent, percept: Percept, limits: AttemptLimits) -> Decision:
    try:
        async with asyncio.timeout(limits.step_seconds) as bound:
            return await agent.decide(percept)
    except TimeoutError:
        if not bound.expired():
            raise
        raise _Ended(Stop("timed_out", f"no decision within {limits.step_seconds:g} s")) from None
    except OverBudget as error:
        raise _Ended(Stop("out_of_budget", str(error))) from error
    except (AgentFailed, ModelFailed) as error:
        raise _Ended(Stop("agent_error", str(error))) from error


async def _take(
    action: Action,
    environment: Environment,
    user: User,
    before: list[ActionResult],
    screen: DecidedOn | None,
    several: bool,
) -> ActionResult:
    stopped = _stopped(before)
    if stopped:
        released = letting_go(action, before)
        return await _act(released, environment) if released else ActionResult(action, error=stopped)
    if isinstance(action, Terminate):
        raise _Ended(Stop("terminated"))
    if isinstance(action, Ask):
        reply = user(action.question)
        if reply is None:
            raise _Ended(Stop("asked"))
        return ActionResult(action, result=reply)
    change = await screen.change(action, before) if screen else None
    if change and several:
        return ActionResult(action, error=f"{NOT_DONE}: {change.stopped}")
    return told(await _act(action, environment), change)


async def _act(action: Action, environment: Environment) -> ActionResult:
    try:
        return await environment.act(action)
    except Unconfirmed as error:
        raise _Ended(Stop("stopped_by_policy", str(error)), error.taken) from error
    except Refused as error:
        raise _Ended(Stop("stopped_by_policy", str(error))) from error


def _stopped(before: list[ActionResult]) -> str | None:
    """Why nothing more of a decision is carried out, once something of it was not, or the user has been asked."""
    if any(isinstance(taken.action, Ask) and not taken.error for taken in before):
        return ANSWERED
    return SKIPPED if any(taken.error for taken in before) else None


async def _keep(
    agent: Agent, sink: Sink, percept: Percept, decision: Decision, taken: tuple[ActionResult, ...]
) -> None:
    """Write a step down without what was typed into a field that hides it. An agent that keeps a transcript of its own
    is told what to strike there."""
    notices: tuple[Notice, ...] = (*percept.notices, *decision.notices)
    secrets = _secrets(decision.actions, taken)
    if secrets and isinstance(agent, KeepsTranscript):
        agent.hide(secrets)
    said = (decision.reply, decision.observation_text, decision.thought, decision.action_text)
    reply, observation_text, thought, action_text = Striker(secrets).value(said)
    step = Step(
        percept.observation,
        taken,
        reply=reply,
        observation_text=observation_text,
        thought=thought,
        action_text=action_text,
        notices=notices,
        usage=decision.usage,
    )
    await sink.step(step, percept.picture)


def _secrets(actions: tuple[Action, ...], taken: tuple[ActionResult, ...]) -> dict[str, str]:
    """What was typed into a field that hides it, and what stands for it."""
    found: dict[str, str] = {}
    for action, done in zip(actions, taken, strict=False):
        if isinstance(action, Write) and isinstance(done.action, Write) and action.text != done.action.text:
            given = action.text.strip()
            found |= {given: done.action.text.strip()} if len(given) > 2 else {}
    return found
