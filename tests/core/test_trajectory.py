"""The one trajectory type holds everything that imports and agents bring, without a workaround."""

from __future__ import annotations

import msgspec
from hypothesis import given

from tests.strategies import trajectories, usages
from workalike.core.actions import Ask, Click, Drag, Opaque, Scroll, Terminate
from workalike.core.observation import Dialog, Element, ImageRef, Observation, TabInfo
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory, Usage

TASK = Task("t1", "Sort the table")


@given(trajectories)
def test_a_trajectory_survives_json(trajectory: Trajectory) -> None:
    assert msgspec.json.decode(msgspec.json.encode(trajectory), type=Trajectory) == trajectory


def test_an_imported_run_with_four_actions_and_five_screenshots() -> None:
    shots = [Observation(ImageRef(f"{n}_full_screenshot.png"), kind="page") for n in range(5)]
    steps = tuple(Step(shot, (ActionResult(Opaque("<button> Reject All -> CLICK")),)) for shot in shots[:4])
    trajectory = Trajectory("t", TASK, steps, final=shots[4])
    assert len(trajectory.actions) == 4
    assert [picture.name for picture in trajectory.pictures][-1] == "4_full_screenshot.png"
    assert len(trajectory.pictures) == 5
    assert trajectory.pictures[0].sha256 is None


def test_a_step_holds_several_actions_each_with_its_own_fate() -> None:
    button = Element("button", "Save", Box(0.1, 0.1, 0.05, 0.02))
    step = Step(
        Observation(size=Size(1366, 768), tabs=(TabInfo("http://a/", active=True),), dialog=Dialog("alert", "Sure?")),
        (
            ActionResult(Click(Point(0.11, 0.11)), 1.0, 1.2, hit=button),
            ActionResult(Scroll(dy=3), 1.2, 1.3),
            ActionResult(Drag((Point(2.0, 0.5),)), 1.3, 1.4, error="outside the screen"),
        ),
        reply="raw words",
        thought="annotated words",
    )
    assert msgspec.json.decode(msgspec.json.encode(step), type=Step) == step
    assert [taken.error is None for taken in step.actions] == [True, True, False]


def test_observations_of_different_sizes() -> None:
    steps = tuple(Step(Observation(size=size)) for size in (Size(1366, 768), Size(1680, 1050)))
    assert msgspec.json.decode(msgspec.json.encode(Trajectory("t", TASK, steps)), type=Trajectory).steps == steps


def test_the_answer_is_that_of_the_last_terminate() -> None:
    ending = Step(Observation(), (ActionResult(Terminate("success", "$24.99")),))
    trajectory = Trajectory("t", TASK, (Step(Observation()), ending), stop=Stop("terminated"))
    assert trajectory.answer == "$24.99"
    assert Trajectory("t", TASK).answer is None


def test_a_question_that_nobody_answered_is_the_answer() -> None:
    asked = Step(Observation(), (ActionResult(Ask("All is in the cart. Shall I pay?")),))
    assert Trajectory("a", Task("t", "go"), (asked,), stop=Stop("asked")).answer == "All is in the cart. Shall I pay?"
    assert Trajectory("a", Task("t", "go"), (asked,), stop=Stop("out_of_steps")).answer is None


def test_an_end_that_was_not_carried_out_is_none() -> None:
    step = Step(Observation(), (ActionResult(Terminate("success", "42"), error="not carried out"),))
    trajectory = Trajectory("a", Task("t", "go"), (step,), stop=Stop("out_of_steps"))
    assert (trajectory.ending, trajectory.answer) == (None, None)


def test_unknown_cost_stays_unknown() -> None:
    assert (Usage(1, 10, 5, 0, 0.5) + Usage(1, 10, 5, 0, None)).cost is None


@given(usages, usages)
def test_usage_adds_up(one: Usage, other: Usage) -> None:
    total = one + other
    assert total.input_tokens == one.input_tokens + other.input_tokens
    assert (total.cost is None) == (one.cost is None or other.cost is None)


def test_a_picture_of_our_own_is_named_by_its_content() -> None:
    ref = ImageRef.of(b"\x89PNG\r\n\x1a\nrest", Size(1, 1))
    assert ref.sha256 is not None
    assert ref.name == f"{ref.sha256}.png"
    assert ImageRef.of(b"\xff\xd8\xff\xe0").name.endswith(".jpg")
    assert ImageRef.of(b"RIFF\0\0\0\0WEBP").name.endswith(".webp")
