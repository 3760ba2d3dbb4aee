"""Trajectories become step tasks that a replay of themselves solves under every scorer."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.dataset.browsing import HOME, LOGO, SEND, picture, trajectory
from workalike.bench.steps.evaluation import SCORERS, evaluate, summarize
from workalike.bench.steps.predictions import Prediction
from workalike.core.actions import Click, Drag, Visit
from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef
from workalike.core.screen import Point
from workalike.core.trajectory import ActionResult
from workalike.dataset.benchtasks import StepTasks
from workalike.dataset.export import export_step_tasks
from workalike.formats.agentnetbench import BenchTask, read_folder
from workalike.store.pictures import FolderPictures


def made() -> BenchTask:
    task = StepTasks().task(trajectory())
    assert task is not None
    return task


@pytest.mark.parametrize("name", SCORERS)
def test_a_replay_solves_it(name: str) -> None:
    task = made()
    given = {
        (task.task_id, step.step_num): Prediction(task.task_id, step.step_num, step.action or "") for step in task.steps
    }
    summary = summarize(evaluate([task], given, name), name)
    assert summary.average.mean == pytest.approx(1)
    assert summary.steps == 4


def test_the_box_is_the_element_s() -> None:
    task = made()
    first = task.steps[0].ground_truth_actions[0]
    assert (first.type, first.params) == ("click", {"position": {"x": 0.5, "y": 0.25}})
    assert first.metadata is not None
    assert first.metadata.bboxes[0].rel_bbox == (0.4, 0.2, 0.2, 0.1)
    edge = {(task.task_id, 1): Prediction(task.task_id, 1, "pyautogui.click(x=0.42, y=0.29)")}
    assert evaluate([task], edge, "strict")[0].score == 1
    assert [action.type for action in task.steps[2].ground_truth_actions] == ["moveTo", "scroll"]
    assert task.steps[1].inner_monologue is not None
    assert task.steps[1].inner_monologue.thought == "Thought 1."


def test_other_right_ways() -> None:
    done = trajectory()
    told = [
        [{"action": {"do": "press", "keys": ["enter"]}}],
        [{"action": {"do": "click", "at": [0.1, 0.1]}, "box": [0, 0, 0.2, 0.2]}],
    ]
    first = replace(done.steps[0], extra={"alternatives": told, "milestone": True})
    link = replace(done.steps[0], actions=(ActionResult(Click(Point(0.05, 0.02)), hit=HOME),))
    task = StepTasks().task(replace(done, steps=(first, link)))
    assert task is not None
    assert task.steps[0].milestone
    assert [[action.type for action in option] for option in task.steps[0].alternative_options] == [
        ["press"],
        ["click"],
    ]
    (other,) = task.steps[1].alternative_options
    assert LOGO.box is not None
    assert other[0].params["position"] == {"x": round(LOGO.box.centre.x, 4), "y": round(LOGO.box.centre.y, 4)}


def test_what_cannot_be_a_step_task_is_counted() -> None:
    done = trajectory()
    spoiled = (
        replace(done.steps[0], actions=(ActionResult(Visit("https://a")),)),
        replace(done.steps[0], actions=(ActionResult(Click(), hit=SEND),)),
        replace(done.steps[0], actions=(ActionResult(Drag((Point(0, 0), Point(1, 1)))),)),
        replace(done.steps[0], actions=()),
        replace(done.steps[0], correct=False),
        replace(done.steps[0], observation=replace(done.steps[0].observation, kind="page")),
        replace(done.steps[0], actions=(replace(done.steps[0].actions[0], error="covered"),)),
    )
    maker = StepTasks()
    assert maker.task(replace(done, steps=spoiled)) is None
    assert maker.left_out == {
        "no words for visit": 1,
        "no words for click": 1,
        "no words for drag": 1,
        "no action": 1,
        "judged wrong": 1,
        "a picture of the whole page": 1,
        "its action failed": 1,
    }


def test_written_and_read_back_with_pictures(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    done = trajectory(tmp_path / "in")
    (tmp_path / "in" / "shot3.png").unlink()
    manifest = export_step_tasks([done], tmp_path / "out", FolderPictures(tmp_path / "in"))
    assert manifest.counts == {"trajectories": 1, "tasks": 1, "steps": 3, "alternatives": 0}
    assert manifest.left_out == {"its picture is missing": 1}
    tasks, faults = read_folder(tmp_path / "out" / "test_data")
    assert not faults
    assert [step.image for step in tasks[0].steps] == ["shot0.png", "shot1.png", "shot2.png"]
    assert (tmp_path / "out" / "test_data" / "images" / "shot1.png").is_file()
    with pytest.raises(BadInput, match="no task files"):
        read_folder(tmp_path / "out" / "test_data" / "images")


def test_pictures_of_one_base_name_are_told_apart(tmp_path: Path) -> None:
    done = []
    for name in ("a", "b"):
        (tmp_path / "shots" / name).mkdir(parents=True)
        whole = trajectory(tmp_path / "shots" / name)
        steps = [
            replace(
                step, observation=replace(step.observation, picture=ImageRef(f"{name}/{step.observation.picture.name}"))
            )
            for step in whole.steps
            if step.observation.picture is not None
        ]
        done.append(replace(whole, id="same id", steps=tuple(steps)))
    (tmp_path / "shots" / "b" / "shot0.png").write_bytes(picture(99))
    manifest = export_step_tasks(done, tmp_path / "out", FolderPictures(tmp_path / "shots"))
    assert manifest.counts["tasks"] == 2
    tasks = sorted(read_folder(tmp_path / "out" / "test_data")[0], key=lambda task: task.task_id)
    images = tmp_path / "out" / "test_data" / "images"
    shown = [[(images / step.image).read_bytes() for step in task.steps] for task in tasks]
    for name, pictures in zip("ab", shown, strict=True):
        assert pictures == [(tmp_path / "shots" / name / f"shot{place}.png").read_bytes() for place in range(4)]
