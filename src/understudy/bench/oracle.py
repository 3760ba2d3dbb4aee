"""The oracle as an agent: it has the key, sees only what is visible, and acts with pointer and keyboard."""

from __future__ import annotations

from understudy.core.contracts import Decision, Sight, Wants
from understudy.core.key import Key
from understudy.core.task import Task
from understudy.town.look import Past
from understudy.town.oracle import next_action


class OracleAgent:
    """Does what the town's oracle would do next."""

    name = "oracle"
    wants = Wants(elements=True)

    def __init__(self, key: Key) -> None:
        self._key = key
        self._past: list[Past] = []

    async def begin(self, task: Task) -> None:
        self._past = []

    async def decide(self, sight: Sight) -> Decision:
        action = next_action(self._key, sight.observation, self._past)
        self._past.append(Past(sight.observation, action))
        return Decision((action,))

    async def close(self) -> None:
        pass
