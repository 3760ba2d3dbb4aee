"""Grounding pairs: a picture and what is to be found on it → the point to click, or the box around it.

They are made where elements are known: of what was hit, or of everything that was listed. An element whose description
fits another one on the same screen is left out, for nobody could tell which is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workalike.core.observation import Element
from workalike.core.screen import Box, Point
from workalike.core.trajectory import Step, Trajectory
from workalike.dataset.examples import Example, Message, Recipe, Seen, Words
from workalike.dataset.messages import screen_of
from workalike.dialects.values import DEFAULT_SCREEN
from workalike.models.prompts import Prompts


class Grounding:
    """Makes grounding pairs. `left_out` counts the elements that gave none, by reason."""

    def __init__(self, recipe: Recipe, prompts: Prompts | None = None) -> None:
        self.recipe, self.prompts = recipe, prompts or Prompts()
        self.left_out: Counter[str] = Counter()
        system = self.prompts.get(f"dataset/system_grounding_{recipe.grounding}").text
        self._system = Message("system", (Words(system),))
        self._question = self.prompts.get("dataset/grounding")

    def examples(self, trajectory: Trajectory) -> Iterator[Example]:
        """The pairs of a trajectory, in order."""
        for place, step in enumerate(trajectory.steps):
            picture = step.observation.picture
            names = Counter(map(describe, step.observation.elements or ()))
            for element in self._wanted(step):
                reason = self._unfit(step, element, names)
                if reason is not None or picture is None or element.box is None:
                    self.left_out[reason or "no picture"] += 1
                    continue
                question = Words(self._question.fill(element=describe(element)))
                answer = Words(self._answer(element.box, step))
                asked = Message("user", (Seen(picture), question))
                turns = (self._system, asked, Message("assistant", (answer,), trained=True))
                yield Example(trajectory.id, place, turns, f"grounding {self.recipe.grounding}")

    def _wanted(self, step: Step) -> list[Element]:
        if self.recipe.grounded == "elements":
            return list(step.observation.elements or ())
        return [taken.hit for taken in step.actions if taken.hit is not None and taken.error is None]

    def _unfit(self, step: Step, element: Element, names: Counter[str]) -> str | None:
        if element.box is None or element.box.width <= 0 or element.box.height <= 0:
            return "no box"
        if not element.name.strip():
            return "no name"
        if names[describe(element)] > 1:
            return "ambiguous"
        if not element.box.centre.on_screen:
            return "off the screen"
        if self.recipe.coordinates in ("pixels", "qwen2.5") and screen_of(step) is None:
            return "screen size unknown"
        return None

    def _answer(self, box: Box, step: Step) -> str:
        size = screen_of(step) or DEFAULT_SCREEN
        corners = (
            [box.centre] if self.recipe.grounding == "point" else [Point(box.x, box.y), Point(box.right, box.bottom)]
        )
        numbers = [number for point in corners for number in self.recipe.space.write(point, size)]
        return "(" + ", ".join(f"{number:g}" for number in numbers) + ")"


def describe(element: Element) -> str:
    """An element in words: what it is and what it is called.

    >>> describe(Element("button", "Send"))
    'the button "Send"'
    """
    name = " ".join(element.name.split())
    return f'the {element.role} "{name}"' if name else f"the {element.role}"
