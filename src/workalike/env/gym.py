"""An environment in the manner of Gymnasium: `reset`, `step`, `render`, `close`, without async and without the package.

world = GymEnvironment.browser(Task("t", "Find the price", start_url="https://example.org"))
observation, info = world.reset()
observation, reward, terminated, truncated, info = world.step({"do": "click", "at": [0.5, 0.2]})
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar, cast, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from workalike.core.actions import Action, Terminate
from workalike.core.contracts import Environment, Sight, Wants
from workalike.core.errors import BadInput
from workalike.core.task import Task
from workalike.core.trajectory import Taken
from workalike.env.policy import Policy
from workalike.env.settings import BrowserSettings
from workalike.env.stage import Stage
from workalike.pictures.codec import decode

T = TypeVar("T")
Observed = dict[str, Any]
Judge = Callable[[Task, Sequence[Taken], Sight], float]
"""Gives the reward after each step: from the task, all that was done so far, and what is seen now."""


class GymEnvironment:
    """One environment, driven from ordinary code. It lives in a thread of its own, where its event loop runs."""

    metadata = {"render_modes": ["rgb_array"]}
    render_mode = "rgb_array"

    def __init__(
        self,
        make: Callable[[], Coroutine[Any, Any, tuple[Environment, Callable[[], Coroutine[Any, Any, None]]]]],
        task: Task,
        wants: Wants = Wants(),
        judge: Judge | None = None,
        most_steps: int = 100,
    ) -> None:
        self.task, self.wants, self.judge, self.most_steps = task, wants, judge, most_steps
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="workalike-gym", daemon=True)
        self._thread.start()
        self._taken: list[Taken] = []
        self._steps = 0
        self._sight: Sight | None = None
        self._environment, self._shut = self._run(make())

    @classmethod
    def browser(
        cls,
        task: Task,
        policy: Policy = Policy(public=True),
        settings: BrowserSettings = BrowserSettings(),
        wants: Wants = Wants(),
        judge: Judge | None = None,
        most_steps: int = 100,
    ) -> GymEnvironment:
        """A browser of its own for one task."""

        async def make() -> tuple[Environment, Callable[[], Coroutine[Any, Any, None]]]:
            stage = Stage(settings)
            return stage.environment(policy), stage.close

        return cls(make, task, wants, judge, most_steps)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Observed, Observed]:
        """A fresh start; `options={"task": …}` changes the task. A web page has no seed, so `seed` is not used."""
        self.task = (options or {}).get("task", self.task)
        self._taken, self._steps = [], 0
        self._sight = self._run(self._environment.reset(self.task, self.wants))
        return observed(self._sight), self._info(())

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, Observed]:
        """Take an action, or several of one step: `Action` values, or what they look like in JSON."""
        if self._sight is None:
            raise BadInput("call reset() before the first step()")
        actions = read_actions(action)
        taken = tuple(self._run(self._environment.act(one)) for one in actions)
        self._taken += taken
        self._steps += 1
        self._sight = self._run(self._environment.observe(self.wants, taken))
        reward = self.judge(self.task, self._taken, self._sight) if self.judge else 0.0
        terminated = any(isinstance(one, Terminate) for one in actions)
        truncated = not terminated and self._steps >= self.most_steps
        return observed(self._sight), float(reward), terminated, truncated, self._info(taken)

    def render(self) -> NDArray[np.uint8] | None:
        """The picture last seen, as height × width × 3."""
        return _pixels(self._sight.picture) if self._sight else None

    def close(self) -> None:
        """Let go of the environment and of its thread; once is enough, twice does no harm."""
        if self._loop.is_closed():
            return
        self._run(self._environment.close())
        self._run(self._shut())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _info(self, taken: tuple[Taken, ...]) -> Observed:
        notices = self._sight.notices if self._sight else ()
        errors = [one.error for one in taken if one.error]
        return {"task": self.task, "sight": self._sight, "taken": taken, "errors": errors, "notices": notices}

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def observed(sight: Sight) -> Observed:
    """What is seen, as plain values and arrays."""
    seen = sight.observation
    return {
        "picture": _pixels(sight.picture),
        "url": seen.url or "",
        "title": seen.title or "",
        "tabs": [msgspec.to_builtins(tab) for tab in seen.tabs],
        "dialog": msgspec.to_builtins(seen.dialog) if seen.dialog else None,
        "elements": [msgspec.to_builtins(one) for one in seen.elements or ()],
        "tree": sight.tree or "",
    }


def read_actions(given: Any) -> tuple[Action, ...]:
    """One action or a list of them, each an `Action` or its JSON.

    >>> read_actions({"do": "wait", "seconds": 1})
    (Wait(seconds=1.0),)
    """
    several = given if isinstance(given, (list, tuple)) else [given]
    try:
        return tuple(one if isinstance(one, get_args(Action)) else _from_json(one) for one in several)
    except msgspec.ValidationError as error:
        raise BadInput(
            f"{given!r} is no action: {error}; `workalike schema action` shows what one looks like"
        ) from error


def _from_json(one: Any) -> Action:
    if isinstance(one, (str, bytes)):
        return cast(Action, msgspec.json.decode(one, type=Action))
    return cast(Action, msgspec.convert(one, type=Action))


def _pixels(picture: bytes | None) -> NDArray[np.uint8] | None:
    return None if picture is None else np.asarray(decode(picture))
