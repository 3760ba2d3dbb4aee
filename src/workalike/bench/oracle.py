"""The oracle as an agent: it has the key, sees only what is visible, and acts with pointer and keyboard."""

from __future__ import annotations

from workalike.core.actions import points
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.key import Key
from workalike.core.observation import element_at
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.core.wording import in_words
from workalike.town.look import Past
from workalike.town.oracle import next_action


class OracleAgent:
    """Does what the town's oracle would do next, and says what that is."""

    name = "oracle"
    wants = Wants(elements=True)

    def __init__(self, key: Key) -> None:
        self._key = key
        self._past: list[Past] = []

    async def begin(self, task: Task) -> None:
        self._past = []

    async def decide(self, percept: Percept) -> Decision:
        action = next_action(self._key, percept.observation, self._past)
        self._past.append(Past(percept.observation, action))
        aimed = [element_at(percept.observation.elements or (), place) for place in points(action)]
        words = in_words(ActionResult(action, hit=next(iter(aimed), None)))
        return Decision(
            (action,), thought=f"The way to the goal goes on here: {words[0].lower()}{words[1:]}", action_text=words
        )

    async def close(self) -> None:
        pass
