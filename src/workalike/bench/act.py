"""`act`: one task of a user's own, in a browser or on a desktop, written as a trajectory like any other."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from workalike.agents.agent import ModelAgent
from workalike.bench.agent_factory import WITHOUT_MODEL, AttemptSpec, agent_factory, prompt_hashes
from workalike.bench.attempt import AttemptEnd, User, attempt, nobody
from workalike.bench.journal import AttemptJournal
from workalike.core.contracts import Agent, AgentSpec, Environment, On, Percept, Reach, Sink
from workalike.core.errors import BadInput
from workalike.core.program import Program, stored
from workalike.core.provenance import Provenance
from workalike.core.task import Task
from workalike.core.trajectory import Notice, Trajectory, Usage
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.guard import Confirm
from workalike.env.policy.reach import Policy, target_of
from workalike.models.interface import ModelProvider
from workalike.models.keys import Keys
from workalike.models.messages import read_sampling
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.runtime.own import is_own
from workalike.store.config import AttemptLimits
from workalike.store.runs import TRANSCRIPT
from workalike.store.trajectories import FILE, read_trajectory


class StartFailed(BadInput):
    """The page to start at cannot be opened: nothing can be done there, and no model is asked in vain."""

    def __init__(self, problem: str, notices: tuple[Notice, ...]) -> None:
        self.notices = notices
        super().__init__(problem)


class ActPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done, by whom and where: in a browser with what it may reach, or on a desktop with programs, of its
    own or on a display that is there."""

    task: Task
    agent: AgentSpec
    on: On = "browser"
    reach: Reach = Reach(public=True)
    programs: tuple[Program, ...] = ()
    display: str | None = None
    headed: bool = False
    limits: AttemptLimits = AttemptLimits()


class Onlooker:
    """Who watches and is asked: nobody, by default. `confirm` is asked before an irreversible step on a live site,
    `allowed` before what the model's service warns of. `agent` may be wrapped to be seen thinking, `sink` to be seen
    acting; `lost` hears what was spent when it ended by an error."""

    def __init__(self) -> None:
        self.answer: User = nobody
        self.confirm: Confirm | None = None
        self.allowed: Callable[[str], bool] | None = None

    def agent(self, agent: Agent) -> Agent:
        return agent

    def sink(self, sink: Sink) -> Sink:
        return sink

    def lost(self, spent: Usage | None) -> None:
        pass


class Acted(msgspec.Struct, frozen=True):
    """What came of it."""

    trajectory: Trajectory
    usage: Usage


async def act(
    plan: ActPlan, folder: Path, models: ModelProvider, prompts: Prompts, onlooker: Onlooker | None = None
) -> Acted:
    """Let an agent do a task; however it ends, the trajectory in the folder says so. Raises `StartFailed`, and leaves
    nothing behind, where its start page cannot be opened."""
    onlooker = onlooker or Onlooker()
    spec = plan.agent if onlooker.answer is nobody else _told_of_a_person(plan.agent)
    make = agent_factory(spec, models, prompts, confirm=onlooker.allowed)
    made = _provenance(plan, spec, prompts)
    if isinstance(models, Models) and not is_own(spec.name) and spec.name not in WITHOUT_MODEL:
        await models.need_model(spec.model)
    async with AsyncExitStack() as stack:
        environment = await _environment(plan, folder, onlooker, stack)
        stack.push_async_callback(environment.close)
        agent = make(AttemptSpec(plan.task, transcript=str(folder / TRANSCRIPT), topic=plan.task.id))
        await _written(plan, folder, agent, environment, made, onlooker)
    trajectory = read_trajectory(folder / FILE).trajectory
    return Acted(trajectory, agent.usage if isinstance(agent, ModelAgent) else trajectory.usage)


def _told_of_a_person(spec: AgentSpec) -> AgentSpec:
    """Agents that ask a model of ours are told that somebody answers them, and is to be asked at the critical point."""
    if is_own(spec.name) or spec.name in WITHOUT_MODEL:
        return spec
    return msgspec.structs.replace(spec, options={"critical": "ask", "answers": True, **spec.options})


def _provenance(plan: ActPlan, spec: AgentSpec, prompts: Prompts) -> Provenance:
    settings: dict[str, Any] = {
        "agent": spec.name,
        "on": plan.on,
        "options": Keys.load().without_secrets(spec.options),
    }
    return Provenance(
        "workalike act",
        time=datetime.now().astimezone().isoformat(timespec="seconds"),
        model=spec.model,
        settings=settings if is_own(spec.name) else {**settings, "sampling": read_sampling(spec.sampling)},
        prompts=prompt_hashes(spec, prompts),
    )


async def _environment(plan: ActPlan, folder: Path, onlooker: Onlooker, stack: AsyncExitStack) -> Environment:
    if plan.on == "desktop":
        return _desktop(plan)
    stage = await stack.enter_async_context(Stage(BrowserSettings(headed=plan.headed)))
    return stage.environment(Policy.of(plan.reach), folder / "downloads", confirm=onlooker.confirm)


def _desktop(plan: ActPlan) -> Environment:
    """A desktop, once it is known that its display can be reached."""
    from workalike.env.desktop.display import connect
    from workalike.env.desktop.environment import DesktopEnvironment

    if plan.display:
        connect(plan.display).close()
    return DesktopEnvironment(display=plan.display, programs=plan.programs)


async def _written(
    plan: ActPlan, folder: Path, agent: Agent, environment: Environment, made: Provenance, onlooker: Onlooker
) -> AttemptEnd:
    """Act, with every step on disk before the next."""
    began = stored(plan.programs) if plan.on == "desktop" else None
    try:
        with AttemptJournal.create(folder, plan.task.id, plan.task, made, began) as journal:
            end = await attempt(
                onlooker.agent(agent),
                environment,
                plan.task,
                onlooker.sink(journal),
                plan.limits,
                onlooker.answer,
                begun=_need_start,
            )
            journal.end(end)
            return end
    except StartFailed:
        shutil.rmtree(folder)  # nothing was done: the same command may be given again
        raise
    except BaseException:
        # What was under way in the browser ends with errors that nobody waits for any more.
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        onlooker.lost(agent.usage if isinstance(agent, ModelAgent) else None)
        raise


def _need_start(percept: Percept) -> None:
    """Refuse a start page that cannot be opened, that the policy refuses, or that leads to one it refuses."""
    target = target_of(percept.observation.url or "")
    for notice in percept.notices:
        if notice.kind == "start" or (notice.kind == "refused" and notice.text.startswith(f"{target}: ")):
            raise StartFailed(notice.text, percept.notices)
