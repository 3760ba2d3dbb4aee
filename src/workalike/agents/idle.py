"""The agent that does nothing: it says at once that it is done. What it passes, a benchmark gives away."""

from __future__ import annotations

from workalike.core.actions import Terminate
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.task import Task


class IdleAgent:
    """Terminates on its first look."""

    name = "idle"
    wants = Wants(picture=False)

    async def begin(self, task: Task) -> None:
        pass

    async def decide(self, percept: Percept) -> Decision:
        return Decision((Terminate("failure"),))

    async def close(self) -> None:
        pass
