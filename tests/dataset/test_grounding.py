"""Grounding pairs point at what was hit, and leave out what nobody could tell apart."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.dataset.browsing import TWIN, trajectory
from workalike.core.trajectory import ActionResult
from workalike.dataset.examples import Recipe
from workalike.dataset.grounding import Grounding


def answers(recipe: Recipe) -> tuple[list[tuple[str, str]], dict[str, int]]:
    maker = Grounding(recipe)
    made = [(example.messages[1].text, example.messages[2].text) for example in maker.examples(trajectory())]
    return made, dict(maker.left_out)


@pytest.mark.parametrize(
    ("recipe", "answer"),
    [
        (Recipe(family="grounding"), "(0.5, 0.25)"),
        (Recipe(family="grounding", grounding="box"), "(0.4, 0.2, 0.6, 0.3)"),
        (Recipe(family="grounding", coordinates="pixels"), "(720, 225)"),
        (Recipe(family="grounding", coordinates="qwen3"), "(500, 250)"),
        (Recipe(family="grounding", coordinates="qwen2.5"), "(714, 224)"),
    ],
)
def test_what_was_hit(recipe: Recipe, answer: str) -> None:
    made, left_out = answers(recipe)
    assert made[0] == ('the button "Send"', answer)
    assert [question for question, _ in made] == ['the button "Send"', 'the textbox "Name"']
    assert left_out == {}


def test_every_element_but_those_that_look_alike() -> None:
    made, left_out = answers(Recipe(family="grounding", grounded="elements"))
    assert len(made) == 4 * 4
    assert left_out == {"ambiguous": 4 * 2}


def test_what_has_no_name_or_box_is_counted() -> None:
    done = trajectory()
    hits = (replace(TWIN, name=" "), replace(TWIN, name="x", box=None))
    step = replace(done.steps[0], actions=tuple(ActionResult(done.steps[0].actions[0].action, hit=hit) for hit in hits))
    maker = Grounding(Recipe(family="grounding"))
    assert not list(maker.examples(replace(done, steps=(step,))))
    assert maker.left_out == {"no name": 1, "no box": 1}


def test_what_is_not_sure_is_left_out() -> None:
    done = trajectory()
    taken = done.steps[0].actions[0]
    assert taken.hit is not None
    step = replace(done.steps[0], actions=(replace(taken, hit=replace(taken.hit, unsure=True)),))
    maker = Grounding(Recipe(family="grounding"))
    assert not list(maker.examples(replace(done, steps=(step,))))
    assert maker.left_out == {"not sure that it was there": 1}
