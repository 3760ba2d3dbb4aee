"""The oracle as an agent: it has the key, sees only what is visible, and acts with pointer and keyboard."""

from __future__ import annotations

from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    Move,
    Press,
    Scroll,
    Terminate,
    Visit,
    Wait,
    Write,
    kind,
)
from workalike.core.contracts import Decision, Sight, Wants
from workalike.core.key import Key
from workalike.core.observation import Observation
from workalike.core.screen import Point
from workalike.core.task import Task
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

    async def decide(self, sight: Sight) -> Decision:
        action = next_action(self._key, sight.observation, self._past)
        self._past.append(Past(sight.observation, action))
        words = say(action, sight.observation)
        return Decision(
            (action,), thought=f"The way to the goal goes on here: {words[0].lower()}{words[1:]}", action_text=words
        )

    async def close(self) -> None:
        pass


def say(action: Action, seen: Observation) -> str:
    """An action in words, by the element it goes to.

    >>> say(Write("Lisbon"), Observation())
    'Type “Lisbon”.'
    """
    match action:
        case Click(at=at, count=count):
            return f"{('Click', 'Double-click', 'Triple-click')[count - 1]} {_target(at, seen)}."
        case Move(to=to):
            return f"Point at {_target(to, seen)}."
        case Drag(start=start):
            return f"Drag {_target(start, seen)}."
        case Scroll(dy=dy):
            return f"Scroll {'down' if dy > 0 else 'up'}."
        case Write(text=text):
            return f"Type “{text}”."
        case Press(keys=keys) | Hotkey(keys=keys):
            return f"Press {' + '.join(keys)}."
        case Visit(url=url):
            return f"Go to {url}."
        case Wait():
            return "Wait for the page."
        case Terminate(answer=answer):
            return f"Say that it is done: {answer}" if answer else "Say that it is done."
        case _:
            return f"{kind(action).replace('_', ' ').capitalize()}."


def _target(at: Point | None, seen: Observation) -> str:
    """What stands at a place: the smallest element that contains it."""
    found = [each for each in seen.elements or () if at is not None and each.box and each.box.contains(at)]
    if not found:
        return "there"
    least = min(found, key=lambda each: each.box.width * each.box.height if each.box else 0.0)
    return f"the {least.role} “{least.name}”" if least.name else f"the {least.role}"
