"""Tasks are read as published, and a defect costs no more than the part it is in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.test_agentnet import anything
from workalike.core.errors import BadInput
from workalike.formats.agentnetbench import read_folder, read_task, write_folder

CLICK = {
    "type": "click",
    "params": {"position": {"x": 0.5, "y": 0.5}},
    "metadata": {"bboxes": [{"rel_bbox": [0.4, 0.4, 0.2, 0.2], "area": 3}]},
}
WRITE = {"type": "write", "params": {"text": "hello"}}


def step(**fields: Any) -> dict[str, Any]:
    return {"step_num": 1, "image": "a_1.png", "ground_truth_actions": [CLICK], "milestone": True, **fields}


def task(*steps: Any, **fields: Any) -> dict[str, Any]:
    return {"task_id": "a", "high_level_task_description": "Do it", "steps": list(steps), **fields}


def put(folder: Path, name: str, document: Any) -> Path:
    file = folder / name
    file.write_text(json.dumps(document))
    return file


def test_a_task_comes_back_as_it_was(tmp_path: Path) -> None:
    put(tmp_path, "a.json", task(step(alternative_options=[[WRITE]], action="pyautogui.click(x=0.5, y=0.5)")))
    tasks, faults = read_folder(tmp_path)
    assert not faults
    write_folder(tasks, tmp_path / "again")
    assert read_folder(tmp_path / "again")[0] == tasks
    assert tasks[0].steps[0].alternative_options[0][0].params == {"text": "hello"}


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (step(ground_truth_actions=[]), "cannot be scored"),
        (step(ground_truth_actions=[{"type": "click", "params": {}}]), "no position"),
        (step(ground_truth_actions=[{"type": "write", "params": {}}]), "has no text"),
        (step(ground_truth_actions=[{"type": "hotkey", "params": {"keys": [3]}}]), "has no keys"),
        (step(ground_truth_actions=[{"type": "terminate", "params": {}}]), "has no status"),
        (step(ground_truth_actions=[{"params": {}}]), "without a type"),
        (step(ground_truth_actions=[{"type": "triple_click", "params": {"position": {}}}]), "no position"),
        (step(ground_truth_actions=[{"type": "click", "params": {"position": {"x": 10**400, "y": 0}}}]), "no position"),
        (step(ground_truth_actions=[{"type": "scroll", "params": {"amount": 10**400}}]), "no arithmetic"),
        (7, "no object"),
    ],
)
def test_a_defect_costs_its_step_alone(tmp_path: Path, broken: Any, complaint: str) -> None:
    file = put(tmp_path, "a.json", task(broken, step(step_num=2)))
    found, faults = read_task(file)
    assert found is not None
    assert [each.step_num for each in found.steps] == [2]
    assert any(complaint in fault.text for fault in faults)


def test_a_bad_alternative_or_box_costs_itself_alone(tmp_path: Path) -> None:
    bad_box = {**CLICK, "metadata": {"bboxes": [{"rel_bbox": [1]}, {"rel_bbox": [0, 0, 1, 1]}]}}
    put(
        tmp_path,
        "a.json",
        task(step(ground_truth_actions=[bad_box], alternative_options=[[{"type": "write"}], [WRITE]])),
    )
    tasks, faults = read_folder(tmp_path)
    only = tasks[0].steps[0]
    assert only.ground_truth_actions[0].metadata is not None
    assert len(only.ground_truth_actions[0].metadata.bboxes) == 1
    assert len(only.alternative_options) == 1
    assert [fault.step_num for fault in faults] == [1, 1]


def test_steps_and_tasks_that_stand_twice_are_named(tmp_path: Path) -> None:
    put(tmp_path, "a.json", task(step(), step()))
    put(tmp_path, "b.json", task(step()))
    put(tmp_path, "c.json", {"steps": "none"})
    (tmp_path / "d.json").write_text("{")
    tasks, faults = read_folder(tmp_path)
    assert [(each.task_id, len(each.steps)) for each in tasks] == [("a", 1)]
    assert {fault.file for fault in faults} == {"a.json", "b.json", "c.json", "d.json"}


def test_a_folder_without_tasks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no task files"):
        read_folder(tmp_path)
    (tmp_path / "d.json").write_text("{")
    with pytest.raises(BadInput, match="none of the 1 files"):
        read_folder(tmp_path)


@given(
    st.recursive(anything, lambda inner: st.fixed_dictionaries({"steps": st.lists(inner, max_size=3)}), max_leaves=4)
)
@settings(max_examples=60)
def test_nothing_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, document: Any) -> None:
    file = put(tmp_path_factory.mktemp("t"), "a.json", document)
    found, faults = read_task(file)
    assert found is not None or faults


def test_published_tasks_are_read_without_a_fault(fixtures: Path) -> None:
    tasks, faults = read_folder(fixtures / "agentnetbench")
    assert not faults
    assert [len(each.steps) for each in tasks] == [10, 10, 7]


def test_json_that_is_nested_too_deep_costs_its_file_alone(tmp_path: Path) -> None:
    put(tmp_path, "a.json", task(step()))
    (tmp_path / "b.json").write_text('{"task_id": "b", "steps": ' + "[" * 100_000)
    tasks, faults = read_folder(tmp_path)
    assert [each.task_id for each in tasks] == ["a"]
    assert "not JSON" in faults[0].text


def test_a_task_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    put(tmp_path, "a.json", task(step()))
    tasks, _ = read_folder(tmp_path)
    with pytest.raises(BadInput, match="cannot write"):
        write_folder(tasks, tmp_path / "a.json")
