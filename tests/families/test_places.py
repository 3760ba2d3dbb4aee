"""Places off the picture: said in the model's own unit, and only when they are really off."""

from __future__ import annotations

import doctest
import json

import pytest

from tests.families.conftest import SCREEN, percept
from workalike.core.actions import Action, Click, Drag, Scroll, Wait
from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import FittedPixels, Fractions, Grid, ResizedPixels, ScreenPixels, Space
from workalike.dialects import fara, pyautogui, uitars
from workalike.families import family, places
from workalike.families.places import HAIR, on_screen
from workalike.families.turns import Turn
from workalike.models.messages import Reply, Text

PIXELS = "x must be from 0 to 1428, y from 0 to 896"
CELLS = "x must be from 0 to 1000, y from 0 to 1000"


def clicking(name: str, x: float, y: float) -> str:
    if name.startswith("opencua"):
        return f"## Action:\nClick.\n\n## Code:\n```python\npyautogui.click(x={x}, y={y})\n```"
    if name == "uitars":
        return f"Thought: Click.\nAction: click(start_box='({x},{y})')"
    call = {"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [x, y]}}
    return f"Action: Click.\n<tool_call>\n{json.dumps(call)}\n</tool_call>"


def read(name: str, text: str) -> tuple[Action, ...]:
    return family(name).read(Reply((Text(text),)), Turn(0, percept())).actions


@pytest.mark.parametrize(
    ("name", "wide", "high", "says"),
    [
        ("fara", 1428, 896, PIXELS),
        ("fara-1.5", 1000, 1000, CELLS),
        ("opencua", 1428, 896, PIXELS),
        ("opencua-relative", 1, 1, "x and y are fractions of its width and height, from 0 to 1"),
        ("uitars", 1428, 896, PIXELS),
        ("qwen", 1000, 1000, CELLS),
        ("qwen-2.5", 1428, 896, PIXELS),
    ],
)
def test_every_family_is_corrected_in_its_own_unit(name: str, wide: int, high: int, says: str) -> None:
    assert read(name, clicking(name, wide, high)) == (Click(Point(1, 1)),)
    assert read(name, clicking(name, 0, 0)) == (Click(Point(0, 0)),)
    for x, y in ((wide * 1.5, 0), (0, high * 1.5), (-wide / 2, 0)):
        with pytest.raises(Unreadable) as caught:
            read(name, clicking(name, x, y))
        assert str(caught.value).endswith(says)


def test_pixels_are_no_fractions() -> None:
    with pytest.raises(Unreadable, match=r"the place \(714, 448\) is off the screen: x and y are fractions"):
        read("opencua-relative", clicking("opencua-relative", 714, 448))


def test_fractions_from_a_model_that_writes_pixels_are_taken_as_such() -> None:
    assert read("opencua", clicking("opencua", 714, 448)) == (Click(Point(0.5, 0.5)),)
    assert read("opencua", clicking("opencua", 0.5, 0.25)) == (Click(Point(0.5, 0.25)),)
    assert read("opencua", clicking("opencua", 0.25, 1)) == (Click(Point(0.25, 1)),)
    assert read("opencua", clicking("opencua", 1, 1)) == (Click(Point(1 / 1428, 1 / 896)),)


@pytest.mark.parametrize("space", [Fractions(), Grid(), ResizedPixels(), ScreenPixels(), FittedPixels(Size(1280, 800))])
def test_all_places_of_an_action_count(space: Space) -> None:
    drag = Drag((Point(0.5, 0.5), Point(0.5, 2)), Point(0, 0))
    for action in (drag, Scroll(dy=3, at=Point(-0.2, 0.5))):
        with pytest.raises(Unreadable, match="off the screen"):
            on_screen([Wait(), action], SCREEN, space)
    fine = (Drag((Point(1, 1),)), Scroll(dy=3), Wait())
    assert on_screen(fine, SCREEN, space) == fine


def test_a_hair_beyond_the_edge_is_the_edge() -> None:
    beyond: list[Action] = [Click(Point(1 + HAIR, -HAIR)), Drag((Point(-HAIR, 0.5),), Point(0.5, 1 + HAIR / 2))]
    assert on_screen(beyond, SCREEN, Grid()) == (Click(Point(1, 0)), Drag((Point(0, 0.5),), Point(0.5, 1)))
    with pytest.raises(Unreadable):
        on_screen([Click(Point(1 + 2 * HAIR, 0))], SCREEN, Grid())


def test_what_was_recorded_off_the_screen_is_read_as_it_is() -> None:
    assert pyautogui.parse("pyautogui.click(x=1.5, y=0.5)") == (Click(Point(1.5, 0.5)),)
    assert uitars.parse(clicking("uitars", 2856, 448), SCREEN) == (Click(Point(2, 0.5)),)
    assert fara.parse(clicking("fara", 2856, 448), SCREEN) == (Click(Point(2, 0.5)),)


def test_the_example() -> None:
    done = doctest.testmod(places)
    assert done.attempted > 0
    assert done.failed == 0
