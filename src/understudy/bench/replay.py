"""A trajectory done again: its actions in a fresh environment, and how far what is seen then agrees with what was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import msgspec

from understudy.core.actions import Terminate
from understudy.core.contracts import Decision, Sight, Wants
from understudy.core.observation import Observation
from understudy.core.task import Task
from understudy.core.trajectory import Trajectory


class ReplayAgent:
    """Does what a trajectory did, step by step, and then stops."""

    name = "replay"
    wants = Wants()

    def __init__(self, trajectory: Trajectory) -> None:
        self._steps: Iterator[Decision] = iter(
            [
                Decision(
                    tuple(taken.action for taken in step.actions), thought=step.thought, action_text=step.action_text
                )
                for step in trajectory.steps
                if step.actions
            ]
        )

    async def begin(self, task: Task) -> None:
        pass

    async def decide(self, sight: Sight) -> Decision:
        return next(self._steps, Decision((Terminate("success"),)))

    async def close(self) -> None:
        pass


class Compared(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sight of the original beside that of the replay. `alike` is None where there are no pictures to compare."""

    step: int
    same_place: bool
    alike: bool | None
    error: str | None = None


def compare(
    one: Trajectory, two: Trajectory, alike: Callable[[Observation, Observation], bool | None]
) -> list[Compared]:
    """The two side by side, up to the shorter one's end; the final sights last."""
    rows = []
    seen = [[step.observation for step in each.steps if step.actions] for each in (one, two)]
    for index, (was, now) in enumerate(zip(*seen, strict=False)):
        errors = [taken.error for taken in two.steps[index].actions if taken.error]
        rows.append(Compared(index, _place(was) == _place(now), alike(was, now), errors[0] if errors else None))
    if one.final and two.final:
        rows.append(Compared(len(rows), _place(one.final) == _place(two.final), alike(one.final, two.final)))
    return rows


def _place(observation: Observation) -> str:
    """Where an observation is, without the parts of an address that differ from visit to visit."""
    parts = urlsplit(observation.url or "")
    return f"{parts.scheme}://{parts.netloc}{parts.path}" if observation.url else observation.window or ""
