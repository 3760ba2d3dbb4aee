"""The agent that acts at random on what is visible. What it passes, a benchmark leaves to chance."""

from __future__ import annotations

from random import Random

from workalike.core.actions import Action, Back, Click, Press, Scroll, Terminate, Write
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.observation import Element
from workalike.core.screen import Point
from workalike.core.task import Task

FIELDS = ("textbox", "searchbox", "spinbutton")
END = 0.04
"""The chance that it stops at a step: 25 steps on average."""


class RandomAgent:
    """Clicks what is there, writes words of the task, scrolls, goes back; the same seed does the same."""

    name = "random"
    wants = Wants(elements=True)

    def __init__(self, seed: str = "") -> None:
        self._random = Random(seed)
        self._words: list[str] = []

    async def begin(self, task: Task) -> None:
        self._words = task.instruction.split() or ["something"]

    async def decide(self, percept: Percept) -> Decision:
        if self._random.random() < END:
            return Decision((Terminate("success", self._some_words()),))
        elements = [element for element in percept.observation.elements or () if element.box]
        return Decision(self._act(elements))

    async def close(self) -> None:
        pass

    def _act(self, elements: list[Element]) -> tuple[Action, ...]:
        chance = self._random
        kind = chance.choices(("click", "anywhere", "scroll", "back", "enter"), (70, 5, 15, 5, 5))[0]
        if kind == "click" and elements:
            element = chance.choice(elements)
            assert element.box is not None
            click = Click(element.box.centre)
            return (click, Write(self._some_words())) if element.role in FIELDS else (click,)
        if kind == "scroll":
            return (Scroll(dy=chance.choice((-3.0, 3.0, 6.0))),)
        if kind in ("back", "enter"):
            return (Back(),) if kind == "back" else (Press(("enter",)),)
        return (Click(Point(chance.random(), chance.random())),)

    def _some_words(self) -> str:
        start = self._random.randrange(len(self._words))
        return " ".join(self._words[start : start + self._random.randint(1, 3)])
