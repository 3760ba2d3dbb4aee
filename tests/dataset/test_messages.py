"""Training messages in the published order: what is told of the past, what is learned, and what is left out and why."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dataset.rows import CLICK, END, row, step
from workalike.core.actions import Click, Scroll, Visit
from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.dataset.examples import Example, Recipe
from workalike.dataset.messages import FamilyExamples
from workalike.formats.agentnet import Meta, from_document
from workalike.formats.agentnet_trajectories import to_trajectory
from workalike.models.messages import Shot, Text


def examples(
    document: dict[str, Any], recipe: Recipe = Recipe(), meta: Meta | None = None
) -> tuple[list[Example], FamilyExamples]:
    maker = FamilyExamples(recipe)
    return list(maker.examples(to_trajectory(from_document(document), meta))), maker


def shape(example: Example) -> list[str]:
    """A conversation in short: who says what, pictures by name, the step's number for a turn."""
    return [
        f"{message.role}: "
        + " | ".join(
            part.source.name if isinstance(part, Shot) else part.text.splitlines()[0]
            for part in message.parts
            if isinstance(part, Shot | Text)
        )
        for message in example.messages
    ]


def test_the_published_order() -> None:
    made, _ = examples(row(steps=6))
    assert shape(made[4])[1:] == [
        "assistant: # Step 1:",
        "user: 2.png",
        "assistant: # Step 3:",
        "user: 3.png",
        "assistant: # Step 4:",
        "user: 4.png | # Task Instruction:",
        "assistant: # Step 5:",
    ]
    assert made[4].messages[0].role == "system"
    assert made[4].messages[1].text == (
        "# Step 1:\n## Action:\nClick the button on page 0.\n\n# Step 2:\n## Action:\nClick the button on page 1."
    )
    assert made[4].messages[-2].text.startswith("# Task Instruction:\nDo the thing called t1\n\n")
    assert [example.step for example in made] == [0, 1, 2, 3, 4, 5]


def test_the_card_s_order() -> None:
    """Three earlier steps and three screenshots, as the card prints them: a picture before its step."""
    made, _ = examples(row(steps=4), Recipe(options={"screenshots": 3}))
    assert shape(made[3])[1:] == [
        "assistant: # Step 1:",
        "user: 1.png",
        "assistant: # Step 2:",
        "user: 2.png",
        "assistant: # Step 3:",
        "user: 3.png | # Task Instruction:",
        "assistant: # Step 4:",
    ]


def test_how_much_of_the_past() -> None:
    made, _ = examples(row(steps=6), Recipe(options={"screenshots": 1, "steps": 2}))
    assert shape(made[5])[1:] == [
        "assistant: # Step 4:",
        "user: 5.png | # Task Instruction:",
        "assistant: # Step 6:",
    ]
    assert "# Step 5:" in made[5].messages[1].text
    made, _ = examples(row(steps=3), Recipe(options={"steps": 0}))
    assert shape(made[2])[1:] == ["user: 2.png | # Task Instruction:", "assistant: # Step 3:"]


@pytest.mark.parametrize(
    ("level", "headings"),
    [
        ("l1", ["## Action:", "## Code:"]),
        ("l2", ["## Thought:", "## Action:", "## Code:"]),
        ("l3", ["## Observation:", "## Thought:", "## Action:", "## Code:"]),
    ],
)
def test_levels(level: str, headings: list[str]) -> None:
    made, _ = examples(row(), Recipe(levels={level: 1}))
    target = made[0].messages[-1].text
    assert [line for line in target.splitlines() if line.startswith("## ")] == headings
    assert target.endswith(f"## Code:\n```python\n{CLICK}\n```\n")
    assert target.startswith("# Step 1:\n## ")
    assert made[0].messages[0].text.count("\n## ") == len(headings)


def test_history_has_no_code_and_its_own_level() -> None:
    made, _ = examples(row(), Recipe(levels={"l3": 1}, options={"history": "observation"}))
    past = made[1].messages[2].text
    assert "## Observation:" in past
    assert "## Thought:" in past
    assert "## Code" not in past
    made, _ = examples(row(), Recipe(options={"history": "observation"}))
    past = made[1].messages[2].text
    assert "## Thought:" in past
    assert "## Observation:" not in past, "an agent of level 2 never said what it saw"
    made, _ = examples(row())
    assert made[1].messages[2].text == "# Step 1:\n## Action:\nClick the button on page 0."


def test_a_mix_is_drawn_by_name_and_seed() -> None:
    recipe = Recipe(levels={"l1": 1, "l2": 2, "l3": 1})
    drawn = [recipe.level_of(f"t{number}", place) for number in range(100) for place in range(10)]
    assert drawn == [recipe.level_of(f"t{number}", place) for number in range(100) for place in range(10)]
    shares = {level: drawn.count(level) / len(drawn) for level in ("l1", "l2", "l3")}
    assert shares["l2"] == pytest.approx(0.5, abs=0.06)
    assert shares["l1"] == pytest.approx(0.25, abs=0.06)
    other = Recipe(levels=recipe.levels, seed=1)
    assert [other.level_of("t", place) for place in range(50)] != [recipe.level_of("t", place) for place in range(50)]


def test_wrong_and_redundant_steps_are_history_only() -> None:
    steps = [step(0, last_step_correct=False), step(1, last_step_redundant=True), step(2), step(3, END)]
    made, maker = examples(row(steps=steps))
    assert [example.step for example in made] == [2, 3]
    assert maker.left_out == {"judged wrong": 1, "judged redundant": 1}
    assert shape(made[0])[1:3] == ["user: 0.png", "assistant: # Step 1:"]
    made, _ = examples(row(steps=steps), Recipe(wrong=True, redundant=True))
    assert len(made) == 4


def test_what_cannot_be_learned_is_counted() -> None:
    steps = [step(0, thought=None), step(1, "os.remove()"), step(2, ""), step(3, image=None), step(4, action="")]
    made, maker = examples(row(steps=steps))
    assert [(example.step, example.by_rule) for example in made] == [(4, True)]
    assert "## Action:\nClick a place on the screen.\n" in made[0].messages[-1].text
    assert maker.left_out == {"no thought for l2": 1, "unreadable code": 1, "no action": 1, "no picture": 1}
    assert maker.told["actions told by rule"] == 1


def test_coordinates_of_a_model_family() -> None:
    meta = Meta("t1", screen=Size(1920, 1080))
    for coordinates, code in (
        ("fractions", "pyautogui.click(x=0.5, y=0.25)"),
        ("pixels", "pyautogui.click(x=960, y=270)"),
        ("qwen2.5", "pyautogui.click(x=966, y=273)"),
        ("qwen3", "pyautogui.click(x=500, y=250)"),
    ):
        made, _ = examples(row(), Recipe(coordinates=coordinates), meta)
        assert code in made[0].messages[-1].text
    made, maker = examples(row(), Recipe(coordinates="qwen2.5"))
    assert maker.left_out == {"screen size unknown": 3}


def test_another_wording_of_the_task() -> None:
    made, _ = examples(row(), Recipe(instruction="actual_task"))
    assert "Did t1" in made[0].messages[-2].text
    made, _ = examples(row(actual_task=None), Recipe(instruction="actual_task"))
    assert "Do the thing called t1" in made[0].messages[-2].text


def test_trajectories_of_our_own() -> None:
    seen = Observation(ImageRef("a.png"), Size(1000, 1000))
    steps = (
        Step(
            seen,
            (ActionResult(Click(Point(0.1, 0.2))), ActionResult(Scroll(dy=300, unit="pixels"))),
            "raw",
            thought="T",
            action_text="A",
        ),
        Step(seen, (ActionResult(Visit("https://a")),), thought="T", action_text="A"),
    )
    maker = FamilyExamples(Recipe())
    made = list(maker.examples(Trajectory("t", Task("t", "Do"), steps)))
    assert "pyautogui.click(x=0.1, y=0.2)\npyautogui.scroll(-3)\n" in made[0].messages[-1].text
    assert maker.left_out == {"no words for visit": 1}


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"levels": {"l4": 1}}, "levels are"),
        ({"levels": {"l1": 0}}, "levels are"),
        ({"coordinates": "inches"}, "no coordinates 'inches'"),
        ({"options": {"screenshots": 0}}, "screenshots and longest_reply must be at least 1"),
        ({"options": {"steps": -1}}, "steps must be at least 0"),
        ({"family": "fara", "levels": {"l1": 1}}, "the agent fara cannot be set up like that"),
        ({"family": "farra"}, "did you mean fara"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        FamilyExamples(Recipe(**wrong))


def test_words_are_kept_as_they_are() -> None:
    made, _ = examples(row(steps=[step(0, END, thought="  Ünïcode — {{instruction}} <image>\n\n")]))
    assert "## Thought:\nÜnïcode — {{instruction}} <image>\n" in made[0].messages[-1].text
