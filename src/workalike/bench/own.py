"""An agent of somebody's own, named MODULE:CLASS: found, made, and kept from breaking more than its own attempt."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeVar

from msgspec.structs import replace

from workalike.core.contracts import Agent, Decision, Sight, Wants
from workalike.core.errors import AgentFailed, BadInput, Infrastructure, ModelFailed, OverBudget
from workalike.core.task import Task
from workalike.core.trajectory import Usage
from workalike.env.conformance import decision_problem, in_a_line, shape_problems

T = TypeVar("T")
UNTOLD = Usage(cost=None)


def is_own(name: str) -> bool:
    """Whether an agent's name is the place of a class."""
    return ":" in name


def load(place: str) -> Callable[..., Any]:
    """The class that MODULE:CLASS names; a module in the current folder is found too."""
    module, colon, name = place.partition(":")
    if not colon or not name:
        raise BadInput(f"{place!r} names no class: write MODULE:CLASS, as my_agent:MyAgent")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(import_module(module), name, None)
    except Exception as error:
        raise BadInput(f"the module {module!r} cannot be imported: {in_a_line(error)}") from error
    if not callable(found):
        raise BadInput(f"the module {module!r} has no class {name!r}")
    return found  # type: ignore[no-any-return]


def check_arguments(place: str, made: Callable[..., Any], given: Mapping[str, Any], option: str) -> None:
    """Refuse arguments that a class does not take; `option` is how they are given on the command line."""
    try:
        signature = inspect.signature(made)
    except (TypeError, ValueError):  # written in C: only calling it can tell
        return
    try:
        signature.bind(**given)
    except TypeError as error:
        taken = ", ".join(signature.parameters) or "no arguments"
        raise BadInput(f"{place} cannot be made: {error}; it takes {taken}, each given with {option}") from None


def own_agent(place: str, options: Mapping[str, Any]) -> Callable[[], Agent]:
    """Who makes an agent of one's own; what cannot be made is said at once."""
    made = load(place)
    check_arguments(place, made, options, "--option NAME=VALUE")
    try:
        first = made(**options)
    except Exception as error:
        raise BadInput(f"{place} cannot be made: it raised {in_a_line(error)}") from error
    problems = [problem for problem in shape_problems(first).values() if problem]
    if problems:
        raise BadInput(f"{place} is no agent: {problems[0]}; `workalike check-agent {place}` checks all of it")
    return lambda: OwnAgent(lambda: made(**options), first.name, first.wants)


class OwnAgent:
    """Whatever an own agent raises is its failure, and ends its attempt alone. What it does not tell of its models is
    unknown, not nothing."""

    def __init__(self, make: Callable[[], Agent], name: str, wants: Wants) -> None:
        self.name, self.wants = name, wants
        self._make = make
        self._agent: Agent | None = None

    async def begin(self, task: Task) -> None:
        await _guarded("begin", self._begin(task))

    async def decide(self, sight: Sight) -> Decision:
        assert self._agent is not None
        decision = await _guarded("decide", self._agent.decide(sight))
        problem = decision_problem(decision)
        if problem:
            raise AgentFailed(problem)
        return decision if decision.usage else replace(decision, usage=UNTOLD)

    async def close(self) -> None:
        if self._agent is not None:
            with suppress(Exception):  # the attempt has ended, and how it ended stands; check-agent tells of this
                await self._agent.close()

    async def _begin(self, task: Task) -> None:
        self._agent = self._make()
        await self._agent.begin(task)


async def _guarded(method: str, work: Awaitable[T]) -> T:
    try:
        return await work
    except (AgentFailed, ModelFailed, OverBudget, Infrastructure):
        raise
    except Exception as error:
        raise AgentFailed(f"`{method}` raised {in_a_line(error)}") from error
