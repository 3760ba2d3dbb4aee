"""An agent or a benchmark of somebody's own, named by its place: made, and kept from breaking more than its part."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar, cast, get_args

from msgspec.structs import replace

from workalike.core.contracts import Agent, Benchmark, Decision, On, Percept, Speaking, Wants
from workalike.core.errors import AgentFailed, BadInput, Infrastructure, ModelFailed, OverBudget, in_a_line
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.core.trajectory import UNTOLD
from workalike.env.conformance import decision_problem, shape_problems
from workalike.models.keys import Keys
from workalike.runtime.own import check_arguments, load, load_class

T = TypeVar("T")


def own_agent(place: str, options: Mapping[str, Any], keys: Keys | None = None) -> Callable[[], Agent]:
    """Who makes an agent of one's own; what cannot be made is said at once. No key of `keys` (the environment's when
    left out) or among its options is repeated in what it says."""
    keys = (keys or Keys.load()).also(options)
    made = load_class(place)
    check_arguments(place, made, options, "--option NAME=VALUE")
    try:
        first = made(**options)
    except Exception as error:
        raise BadInput(f"{place} cannot be made: it raised {keys.redact(in_a_line(error))}") from None
    problems = [problem for problem in shape_problems(first).values() if problem]
    if problems:
        raise BadInput(f"{place} is no agent: {problems[0]}; `workalike check-agent {place}` checks all of it")
    return lambda: OwnAgent(lambda: made(**options), first.name, first.wants, keys)


class OwnAgent:
    """Whatever an own agent raises is its failure, and ends its attempt alone. What it does not tell of its models is
    unknown, not nothing."""

    def __init__(self, make: Callable[[], Agent], name: str, wants: Wants, keys: Keys) -> None:
        self.name, self.wants, self._keys = name, wants, keys
        self._make = make
        self._agent: Agent | None = None

    async def begin(self, task: Task) -> None:
        await self._guarded("begin", self._begin(task))

    async def decide(self, percept: Percept) -> Decision:
        assert self._agent is not None
        decision = await self._guarded("decide", self._agent.decide(percept))
        problem = decision_problem(decision)
        if problem:
            raise AgentFailed(self._keys.redact(problem))
        told = ("reply", "observation_text", "thought", "action_text", "notices")
        said = {name: self._keys.redact_all(getattr(decision, name)) for name in told}
        return replace(decision, **said, usage=decision.usage or UNTOLD)

    async def say(self, question: str) -> Decision | None:
        """What the agent answers in words, where it can be asked so."""
        if not isinstance(self._agent, Speaking):
            return None
        said = await self._guarded("say", self._agent.say(question))
        if not isinstance(said, Decision):
            return None
        told = {name: self._keys.redact_all(getattr(said, name)) for name in ("reply", "thought", "action_text")}
        return replace(said, **told, actions=())

    async def close(self) -> None:
        if self._agent is not None:
            with suppress(Exception):  # the attempt has ended, and how it ended stands; check-agent tells of this
                await self._agent.close()

    async def _begin(self, task: Task) -> None:
        self._agent = self._make()
        await self._agent.begin(task)

    async def _guarded(self, method: str, work: Awaitable[T]) -> T:
        """Whatever is raised, without keys: services like to repeat the one that they refuse."""
        try:
            return await work
        except (AgentFailed, ModelFailed, OverBudget, Infrastructure) as error:
            clean = self._keys.redact(str(error))
            if clean == str(error):
                raise
            raise type(error)(clean) from None
        except Exception as error:
            raise AgentFailed(f"`{method}` raised {self._keys.redact(in_a_line(error))}") from None


def own_benchmark(place: str) -> Benchmark:
    """The benchmark that MODULE:NAME names: an object, or a class that is made without arguments."""
    found = load(place, "benchmark")
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise BadInput(f"{place} cannot be made: it raised {Keys.load().redact(in_a_line(error))}") from None
    problems = [problem for problem in benchmark_problems(found).values() if problem]
    if problems:
        raise BadInput(f"{place} is no benchmark: {problems[0]}; `workalike check-benchmark {place}` checks all of it")
    return cast(Benchmark, found)


def benchmark_problems(benchmark: object) -> dict[str, str | None]:
    """What a benchmark must have, each with what is wrong with it."""
    name, on, verifiers = (getattr(benchmark, each, None) for each in ("name", "on", "verifiers"))
    named = isinstance(verifiers, tuple) and all(isinstance(each, str) and each for each in verifiers)
    return {
        "has a name": None if isinstance(name, str) and name else "`name` must be a text that is not empty",
        "says where it happens": None if on in get_args(On) else f"`on` must be one of {', '.join(get_args(On))}",
        "names its verifiers": None if named else '`verifiers` must be a tuple of names, as ("my_bench:Judge",)',
        "has tasks": None if callable(getattr(benchmark, "tasks", None)) else "`tasks(options)` must be a method",
        "has a sandbox": None if callable(getattr(benchmark, "sandbox", None)) else "`sandbox()` must be a method",
    }


def own_tasks(benchmark: Benchmark, place: str, options: Mapping[str, Any]) -> list[tuple[Task, Key]]:
    """The tasks of a benchmark of one's own with their keys; what is no such thing is refused."""
    try:
        pairs = list(benchmark.tasks(options))
    except BadInput:
        raise
    except Exception as error:
        said = Keys.load().redact(in_a_line(error))
        raise BadInput(f"the tasks of {place} cannot be had: `tasks` raised {said}") from None
    for number, pair in enumerate(pairs, 1):
        problem = _pair_problem(pair)
        if problem:
            raise BadInput(f"{place}, task {number}: {problem}")
    if not pairs:
        raise BadInput(f"{place} has no tasks")
    return pairs


def _pair_problem(pair: object) -> str | None:
    if not (isinstance(pair, tuple) and len(pair) == 2):
        return f"`tasks` must give pairs of a `Task` and a `Key`, not {type(pair).__name__}"
    task, key = pair
    if not isinstance(task, Task) or not isinstance(key, Key):
        return f"`tasks` must give pairs of a `Task` and a `Key`, not of {type(task).__name__} and {type(key).__name__}"
    if not task.id or not task.instruction.strip():
        return "a task needs an id and an instruction"
    if key.task_id != task.id:
        return f"the key is for {key.task_id!r}, and the task is called {task.id!r}"
    return None
