"""The contracts of an environment and of an agent. An agent's author imports this and no browser.

The loop that joins the two is short:

    sight = await environment.reset(task)
    await agent.begin(task)
    while True:
        decision = await agent.decide(sight)
        taken = [await environment.act(action) for action in decision.actions]
        sight = await environment.observe(agent.wants, taken)
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec

from workalike.core.actions import Action
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import Notice, Taken, Usage


class Wants(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent wants to see beyond a clean picture of the viewport."""

    picture: bool = True
    elements: bool = False
    tree: bool = False
    pointer: bool = False
    full_page: bool = False


class Sight(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent is shown: the observation with its picture's bytes, what became of its last actions, and
    what else happened meanwhile."""

    observation: Observation
    picture: bytes | None = None
    taken: tuple[Taken, ...] = ()
    notices: tuple[Notice, ...] = ()
    tree: str | None = None


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent decided on one sight: actions, and the words it found for them. `notices` say what happened on
    the way (a reply that could not be read, a safety check acknowledged); they belong in the step's notices."""

    actions: tuple[Action, ...]
    reply: str | None = None
    observation_text: str | None = None
    thought: str | None = None
    action_text: str | None = None
    usage: Usage | None = None
    notices: tuple[Notice, ...] = ()


@runtime_checkable
class Environment(Protocol):
    """Where an agent acts. `act` never raises for what an agent may get wrong: the error stands in what it
    returns. It raises `Infrastructure` when the environment itself has broken."""

    async def reset(self, task: Task, wants: Wants = Wants()) -> Sight:
        """A fresh start on a task; what an earlier attempt did leaves no trace."""
        ...

    async def act(self, action: Action) -> Taken:
        """Carry one action out and wait until the screen has come to rest."""
        ...

    async def observe(self, wants: Wants = Wants(), taken: tuple[Taken, ...] = ()) -> Sight:
        """Look at the screen."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Who acts. One instance serves one attempt."""

    name: str
    wants: Wants

    async def begin(self, task: Task) -> None:
        """Read the task; nothing has been seen yet."""
        ...

    async def decide(self, sight: Sight) -> Decision:
        """Look, and say what to do next."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...
