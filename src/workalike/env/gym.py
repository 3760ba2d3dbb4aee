"""Environments in the manner of Gymnasium, without the package: `reset`, `step`, `render`, `close`; with await, from
ordinary code, or several side by side.

world = GymEnvironment(browser_world(Task("t", "Find the price", start_url="https://example.org")))
observation, info = world.reset()
observation, reward, terminated, truncated, info = world.step({"do": "click", "at": [0.5, 0.2]})
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from workalike.core.actions import Action, Ask, Terminate
from workalike.core.contracts import Environment, Percept, Wants
from workalike.core.errors import BadInput, Refused
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.core.verdict import Verdict
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy
from workalike.pictures.codec import decode

T = TypeVar("T")
Observed = dict[str, Any]
Stepped = tuple[Observed, float, bool, bool, Observed]
Judge = Callable[[Task, Sequence[ActionResult], Percept], float]
"""Gives the reward after each step: from the task, all that was done so far, and what is seen now."""


class EpisodeWorld(Protocol):
    """Where episodes happen, and who says what they are worth."""

    async def begin(self, task: Task | str | None, wants: Wants) -> tuple[Task, Environment, Percept]:
        """A fresh start on a task, by itself or by its name, or on the next in turn."""
        ...

    async def reward(self, episode: Trajectory, percept: Percept) -> tuple[float, Verdict | None]:
        """What the last step is worth; `episode.stop` says whether it was the last of all, which alone is judged."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class AsyncGymEnvironment:
    """Episodes, one after the other, for code that awaits."""

    def __init__(self, world: EpisodeWorld, wants: Wants = Wants(), most_steps: int = 100) -> None:
        self.world, self.wants, self.most_steps = world, wants, most_steps
        self.task: Task | None = None
        self._environment: Environment | None = None
        self._percept: Percept | None = None
        self._steps: list[Step] = []
        self._over = False

    async def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observed, Observed]:
        """A fresh start; `options={"task": …}` chooses the task. A web page has no seed, so `seed` is not used."""
        self.task, self._environment, self._percept = await self.world.begin((options or {}).get("task"), self.wants)
        self._steps, self._over = [], False
        return observed(self._percept), self._info(())

    async def step(self, action: Any) -> Stepped:
        """Take an action, or several of one step: `Action` values, or what they look like in JSON."""
        if self._percept is None or self._environment is None or self.task is None:
            raise BadInput("call reset() before the first step()")
        if self._over:
            raise BadInput("the episode is over: call reset() to begin another")
        actions = read_actions(action)
        seen, taken = self._percept.observation, list[ActionResult]()
        stop = None
        for one in actions:
            result, stop = await _take(self._environment, one)
            taken.append(result)
            if stop:
                break
        self._steps.append(Step(seen, tuple(taken)))
        self._percept = await self._environment.observe(self.wants, tuple(taken))
        truncated = stop is None and len(self._steps) >= self.most_steps
        if truncated:
            stop = Stop("out_of_steps", f"{self.most_steps} steps")
        self._over = stop is not None
        reward, verdict = await self.world.reward(self._episode(stop), self._percept)
        info = self._info(tuple(taken)) | ({"verdict": verdict, "stop": stop} if stop else {})
        return observed(self._percept), reward, self._over and not truncated, truncated, info

    def render(self) -> NDArray[np.uint8] | None:
        """The picture last seen, as height × width × 3."""
        return _pixels(self._percept.picture) if self._percept else None

    async def close(self) -> None:
        """Let go of the environment; once is enough, twice does no harm."""
        await self.world.close()

    async def __aenter__(self) -> AsyncGymEnvironment:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _episode(self, stop: Stop | None) -> Trajectory:
        assert self.task is not None
        assert self._percept is not None
        return Trajectory(self.task.id, self.task, tuple(self._steps), self._percept.observation, stop=stop)

    def _info(self, taken: tuple[ActionResult, ...]) -> Observed:
        notices = self._percept.notices if self._percept else ()
        errors = [one.error for one in taken if one.error]
        return {"task": self.task, "percept": self._percept, "taken": taken, "errors": errors, "notices": notices}


async def _take(environment: Environment, action: Action) -> tuple[ActionResult, Stop | None]:
    """Carry an action out; whether it ended the episode."""
    if isinstance(action, Terminate):
        return ActionResult(action), Stop("terminated")
    if isinstance(action, Ask):  # nobody answers
        return ActionResult(action), Stop("asked")
    try:
        return await environment.act(action), None
    except Refused as error:
        return ActionResult(action, error=str(error)), Stop("stopped_by_policy", str(error))


class _Aside:
    """An event loop in a thread of its own, for ordinary code."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="workalike-gym", daemon=True)
        self._thread.start()

    @property
    def closed(self) -> bool:
        return self._loop.is_closed()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class GymEnvironment:
    """Episodes, one after the other, for ordinary code. They happen in a thread of their own."""

    metadata = {"render_modes": ["rgb_array"]}
    render_mode = "rgb_array"

    def __init__(self, world: Coroutine[Any, Any, EpisodeWorld], wants: Wants = Wants(), most_steps: int = 100) -> None:
        self._aside = _Aside()
        self._inner = AsyncGymEnvironment(self._aside.run(world), wants, most_steps)

    @property
    def task(self) -> Task | None:
        return self._inner.task

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Observed, Observed]:
        """A fresh start; `options={"task": …}` chooses the task. A web page has no seed, so `seed` is not used."""
        return self._aside.run(self._inner.reset(seed=seed, options=options))

    def step(self, action: Any) -> Stepped:
        """Take an action, or several of one step: `Action` values, or what they look like in JSON."""
        return self._aside.run(self._inner.step(action))

    def render(self) -> NDArray[np.uint8] | None:
        """The picture last seen, as height × width × 3."""
        return self._inner.render()

    def close(self) -> None:
        """Let go of the environment and of its thread; once is enough, twice does no harm."""
        if not self._aside.closed:
            self._aside.run(self._inner.close())
            self._aside.close()

    def __enter__(self) -> GymEnvironment:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class GymVector:
    """Several episodes at once, each in a browser context of its own. An episode that is over begins anew at the next
    step, whose action it ignores (Gymnasium's `NEXT_STEP`)."""

    metadata = {"render_modes": ["rgb_array"], "autoreset_mode": "NextStep"}

    def __init__(
        self, worlds: Coroutine[Any, Any, Sequence[EpisodeWorld]], wants: Wants = Wants(), most_steps: int = 100
    ) -> None:
        self._aside = _Aside()
        made = self._aside.run(worlds)
        self._inner = [AsyncGymEnvironment(world, wants, most_steps) for world in made]
        self._over = [False] * len(made)

    @property
    def num_envs(self) -> int:
        return len(self._inner)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Observed, Observed]:
        """A fresh start everywhere; `options={"task": [...]}` chooses a task for each."""
        tasks = (options or {}).get("task") or [None] * self.num_envs
        if len(tasks) != self.num_envs:
            raise BadInput(f"{len(tasks)} tasks were given for {self.num_envs} environments: give one for each")
        done = self._all(each.reset(options={"task": task}) for each, task in zip(self._inner, tasks, strict=True))
        self._over = [False] * self.num_envs
        return _together([seen for seen, _ in done]), _together([info for _, info in done])

    def step(
        self, actions: Sequence[Any]
    ) -> tuple[Observed, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Observed]:
        """An action for each. Rewards and endings are arrays, what was seen and told lists by name, pictures of one
        size an array."""
        if len(actions) != self.num_envs:
            raise BadInput(f"{len(actions)} actions were given for {self.num_envs} environments: give one for each")
        read = [None if over else read_actions(one) for one, over in zip(actions, self._over, strict=True)]
        done = self._all(itertools.starmap(_step_or_reset, zip(self._inner, read, strict=True)))
        seen, rewards, terminated, truncated, infos = zip(*done, strict=True)
        self._over = [ended or cut for ended, cut in zip(terminated, truncated, strict=True)]
        return (
            *(_together(seen), np.array(rewards, dtype=np.float64)),
            *(np.array(terminated), np.array(truncated), _together(infos)),
        )

    def render(self) -> tuple[NDArray[np.uint8] | None, ...]:
        """The pictures last seen."""
        return tuple(each.render() for each in self._inner)

    def close(self) -> None:
        """Let go of all; once is enough, twice does no harm."""
        if not self._aside.closed:
            self._all(each.close() for each in self._inner)
            self._aside.close()

    def __enter__(self) -> GymVector:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _all(self, works: Any) -> list[Any]:
        async def gathered() -> list[Any]:
            return await asyncio.gather(*works)

        return self._aside.run(gathered())


async def _step_or_reset(environment: AsyncGymEnvironment, actions: tuple[Action, ...] | None) -> Stepped:
    if actions is not None:
        return await environment.step(actions)
    seen, info = await environment.reset()
    return seen, 0.0, False, False, info


def _together(each: Sequence[Observed]) -> Observed:
    """What several saw, by name; pictures of one size become one array."""
    names = dict.fromkeys(name for one in each for name in one)
    found: Observed = {name: [one.get(name) for one in each] for name in names}
    pictures = found.get("picture", [])
    if pictures and all(one is not None and one.shape == pictures[0].shape for one in pictures):
        found["picture"] = np.stack(pictures)
    return found


class BrowserWorld:
    """A browser of its own for one task, and a judge of one's own."""

    def __init__(self, task: Task, policy: Policy, settings: BrowserSettings, judge: Judge | None) -> None:
        self._task, self._judge, self._stage = task, judge, Stage(settings)
        self._environment = self._stage.environment(policy)

    async def begin(self, task: Task | str | None, wants: Wants) -> tuple[Task, Environment, Percept]:
        if isinstance(task, str):
            raise BadInput(f"a browser alone knows no task by its name {task!r}: give a Task")
        self._task = task or self._task
        return self._task, self._environment, await self._environment.reset(self._task, wants)

    async def reward(self, episode: Trajectory, percept: Percept) -> tuple[float, Verdict | None]:
        return (float(self._judge(episode.task, episode.actions, percept)) if self._judge else 0.0), None

    async def close(self) -> None:
        await self._environment.close()
        await self._stage.close()


async def browser_world(
    task: Task,
    policy: Policy = Policy(public=True),
    settings: BrowserSettings = BrowserSettings(),
    judge: Judge | None = None,
) -> EpisodeWorld:
    """A browser of its own for one task."""
    return BrowserWorld(task, policy, settings, judge)


def observed(percept: Percept) -> Observed:
    """What is seen, as plain values and arrays."""
    seen = percept.observation
    return {
        "picture": _pixels(percept.picture),
        "url": seen.url or "",
        "title": seen.title or "",
        "tabs": [msgspec.to_builtins(tab) for tab in seen.tabs],
        "dialog": msgspec.to_builtins(seen.dialog) if seen.dialog else None,
        "elements": [msgspec.to_builtins(one) for one in seen.elements or ()],
        "tree": percept.tree or "",
    }


def read_actions(given: Any) -> tuple[Action, ...]:
    """One action or a list of them, each an `Action` or its JSON.

    >>> read_actions({"do": "wait", "seconds": 1})
    (Wait(seconds=1.0),)
    """
    several = given if isinstance(given, (list, tuple)) else [given]
    try:
        return tuple(one if isinstance(one, get_args(Action)) else _from_json(one) for one in several)
    except msgspec.MsgspecError as error:
        raise BadInput(
            f"{given!r} is no action: {error}; `workalike schema action` shows what one looks like"
        ) from error


def _from_json(one: Any) -> Action:
    if isinstance(one, (str, bytes)):
        return cast(Action, msgspec.json.decode(one, type=Action))
    return cast(Action, msgspec.convert(one, type=Action))


def _pixels(picture: bytes | None) -> NDArray[np.uint8] | None:
    return None if picture is None else np.asarray(decode(picture))
