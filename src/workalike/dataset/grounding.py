"""Grounding pairs: a picture and what is to be found on it → the point to click, or the box around it.

They are made where elements are known: of what was hit, or of everything that was listed. An element whose description
fits another one on the same screen is left out, for nobody could tell which is meant; so is one that was not asked for
before it was acted on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workalike.core.observation import Element
from workalike.core.screen import Box, Point
from workalike.core.spaces import ResizedPixels, ScreenPixels
from workalike.core.trajectory import Step, Trajectory
from workalike.dataset.examples import Example, Recipe
from workalike.dataset.messages import screen_of
from workalike.dialects.values import DEFAULT_SCREEN
from workalike.families.base import worded
from workalike.families.places import last_pixel
from workalike.models.messages import Request, Shot, said
from workalike.models.prompts import Prompts


class Grounding:
    """Makes grounding pairs. `left_out` counts the elements that gave none, by reason."""

    def __init__(self, recipe: Recipe, prompts: Prompts | None = None) -> None:
        self.recipe, self.prompts = recipe, prompts or Prompts()
        self.left_out: Counter[str] = Counter()
        self.told: Counter[str] = Counter()
        system = self.prompts.get(f"dataset/system_grounding_{recipe.grounding}").text
        self._system = said("system", system)
        self.sized = isinstance(recipe.space, ScreenPixels | ResizedPixels)
        self._question = self.prompts.get("dataset/grounding")

    def examples(self, trajectory: Trajectory) -> Iterator[Example]:
        """The pairs of a trajectory, in order."""
        if not any(map(self._wanted, trajectory.steps)):
            known = "what was hit" if self.recipe.grounded == "hits" else "any element"
            self.left_out[f"no step tells {known}"] += 1
            return
        for place, step in enumerate(trajectory.steps):
            picture = step.observation.picture
            names = Counter(map(describe, step.observation.elements or ()))
            for element in self._wanted(step):
                reason = self._unfit(step, element, names)
                if reason is not None or picture is None or element.box is None:
                    self.left_out[reason or "no picture"] += 1
                    continue
                question = said("user", Shot(picture), self._question.fill(element=describe(element)))
                reply = worded(self._answer(element.box, step))
                request = Request((self._system, question))
                yield Example(trajectory.id, place, request, reply, f"grounding {self.recipe.grounding}")

    def _wanted(self, step: Step) -> list[Element]:
        if self.recipe.grounded == "elements":
            return list(step.observation.elements or ())
        return [taken.hit for taken in step.actions if taken.hit is not None and taken.error is None]

    def _unfit(self, step: Step, element: Element, names: Counter[str]) -> str | None:
        if element.box is None or element.box.width <= 0 or element.box.height <= 0:
            return "no box"
        if element.unsure:
            return "not sure that it was there"
        if not element.name.strip():
            return "no name"
        if names[describe(element)] > 1:
            return "ambiguous"
        if not element.box.centre.on_screen:
            return "off the screen"
        if self.sized and screen_of(step) is None:
            return "screen size unknown"
        return None

    def _answer(self, box: Box, step: Step) -> str:
        size = screen_of(step) or DEFAULT_SCREEN
        corners = (
            [box.centre] if self.recipe.grounding == "point" else [Point(box.x, box.y), Point(box.right, box.bottom)]
        )
        space = self.recipe.space
        numbers = [number for point in corners for number in space.write(last_pixel(point, size, space), size)]
        return "(" + ", ".join(f"{number:g}" for number in numbers) + ")"


def describe(element: Element) -> str:
    """An element in words: what it is and what it is called.

    >>> describe(Element("button", "Send"))
    'the button "Send"'
    """
    name = " ".join(element.name.split())
    return f'the {element.role} "{name}"' if name else f"the {element.role}"
