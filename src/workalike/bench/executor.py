"""Who makes attempts in this process: a session of the sandbox, an environment, an agent, and the attempt itself; and
how all of that is opened. What is written of it is the business of whoever handed out the job."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

from workalike.bench.agent_factory import AgentFactory, AttemptSpec, agent_factory
from workalike.bench.answer_line import LineAgent
from workalike.bench.attempt import AttemptEnd, User, attempt, nobody, user_for
from workalike.bench.config import ORACLE, browser_settings
from workalike.bench.sandbox import TownSandbox
from workalike.core.contracts import Agent, Benchmark, Environment, Job, Reach, Sandbox, Sink
from workalike.core.errors import BadInput, WorkalikeError, in_a_line
from workalike.core.key import Key
from workalike.core.program import programs_of
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import Step
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy
from workalike.models.interface import ModelProvider
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.store.config import AttemptLimits, RunConfig

EnvironmentFactory = Callable[[Task, Reach, Path | None], Environment]
"""Who makes the environment of an attempt: for its task, what it may reach, and the folder that it keeps files in."""


class NoSink:
    """For whom steps are nothing to keep."""

    async def step(self, step: Step, picture: bytes | None) -> None:
        pass


class LocalAttempts:
    """An executor of attempts; a job's payload is an `AttemptSpec`."""

    def __init__(
        self,
        sandbox: Sandbox,
        environments: EnvironmentFactory,
        make: AgentFactory,
        limits: AttemptLimits = AttemptLimits(),
        user: Callable[[Task], User] = lambda task: nobody,
        answers: str = "line",
        prompts: Prompts | None = None,
    ) -> None:
        self._sandbox, self._environments, self._make = sandbox, environments, make
        self._limits, self._user, self._answers, self._prompts = limits, user, answers, prompts

    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> AttemptEnd:
        spec: AttemptSpec = job.payload
        folder = Path(spec.transcript).parent / "downloads" if spec.transcript else None
        async with self._sandbox.session(spec.task, spec.key or Key(spec.task.id)) as session:
            environment = self._environments(session.task, self._sandbox.reach, folder)
            agent = self._told_of_line(self._make(msgspec.structs.replace(spec, headers=session.headers)), spec.task)
            try:
                return await attempt(
                    agent, environment, spec.task, sink or NoSink(), self._limits, self._user(spec.task), session
                )
            finally:
                await environment.close()

    def _told_of_line(self, agent: Agent, task: Task) -> Agent:
        """The agent, told of the answer's line where the task wants one and answers are not left free."""
        if task.form is None or self._answers == "free":
            return agent
        return LineAgent(agent, self._prompts, nobody=self._user(task) is nobody)


def in_browsers(stages: Sequence[Stage]) -> EnvironmentFactory:
    """Contexts of some browsers in turn."""
    turns = itertools.cycle(stages)
    return lambda task, reach, folder: next(turns).environment(Policy.of(reach), folder)


def on_desktops(size: Size) -> EnvironmentFactory:
    """Virtual desktops, each with the programs that its task names."""
    from workalike.env.desktop.environment import DesktopEnvironment

    return lambda task, reach, folder: DesktopEnvironment(size=size, programs=programs_of(task.extra))


async def open_sandbox(config: RunConfig, benchmark: Benchmark, stack: AsyncExitStack) -> Sandbox:
    """The benchmark's sandbox, for as long as the run goes on."""
    try:
        return await stack.enter_async_context(benchmark.sandbox())
    except WorkalikeError:
        raise
    except Exception as error:
        raise BadInput(f"the sandbox of {config.benchmark} cannot be opened: {in_a_line(error)}") from error


async def environments_for(
    config: RunConfig, benchmark: Benchmark, sandbox: Sandbox, headed: bool, stack: AsyncExitStack, browsers: int = 1
) -> EnvironmentFactory:
    """Where attempts act: contexts of some browsers, or desktops."""
    if benchmark.on == "desktop":
        return on_desktops(config.viewport)
    settings = browser_settings(config, headed, sandbox.reach.search)
    return in_browsers([await stack.enter_async_context(Stage(settings)) for _ in range(browsers)])


def agents_for(
    config: RunConfig, sandbox: Sandbox, models: ModelProvider, prompts: Prompts, stack: AsyncExitStack
) -> AgentFactory:
    """Who makes the agents of a run."""
    if config.model == ORACLE:
        _play_oracle(sandbox, models, stack)
    town = isinstance(sandbox, TownSandbox)
    return agent_factory(config.spec, models, prompts, seed=config.seed, user=config.user, town=town)


def attempts_for(
    config: RunConfig, sandbox: Sandbox, environments: EnvironmentFactory, make: AgentFactory, prompts: Prompts
) -> LocalAttempts:
    """Who makes the attempts of a run."""
    user = lambda task: user_for(config.user, task)  # noqa: E731
    return LocalAttempts(sandbox, environments, make, config.limits, user, config.answers, prompts)


def _play_oracle(sandbox: Sandbox, models: ModelProvider, stack: AsyncExitStack) -> None:
    """Have the oracle answer, behind a server of its own, for as long as the run goes on."""
    if not isinstance(sandbox, TownSandbox):
        raise BadInput("the oracle answers for the town alone; name another model, or run it on `town`")
    from workalike.models.server.app import application  # the one place in a run that serves a model

    assert isinstance(models, Models), "who asks for the oracle asks no person"
    models.play(ORACLE, f"{ORACLE}@{stack.enter_context(sandbox.oracle_model(application))}")
