"""Rows become trajectories and trajectories rows, and either comes back whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from tests.formats.test_agentnet import documents
from tests.strategies import trajectories
from workalike.core.actions import Click, Drag, Opaque, Visit
from workalike.core.errors import BadInput, Inexpressible
from workalike.core.observation import Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.formats.agentnet import Meta, decode_row, encode_row, from_document
from workalike.formats.agentnet_trajectories import decode_trajectory, from_trajectory, to_trajectory


@given(documents)
@settings(max_examples=80)
def test_a_row_survives_being_a_trajectory(document: dict[str, Any]) -> None:
    row = from_document(document)
    trajectory = to_trajectory(row)
    stored = msgspec.json.decode(msgspec.json.encode(trajectory), type=Trajectory)
    assert from_trajectory(stored) == row


@given(trajectories)
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
def test_a_trajectory_survives_being_a_row(trajectory: Trajectory) -> None:
    try:
        row = from_trajectory(trajectory)
    except Inexpressible:
        return
    assert to_trajectory(decode_row(encode_row(row))) == trajectory


def test_what_the_fields_become() -> None:
    row = decode_row(
        """{"task_id": "t", "instruction": "Do it", "domain": ["Work"], "traj": [
        {"index": 0, "image": "a.png", "value": {"code": "pyautogui.click(x=0.5, y=0.5)", "thought": "T", "action": "A",
         "observation": "O", "reflection": "R", "last_step_correct": false, "last_step_redundant": true}},
        {"index": 1, "image": "b.png", "value": {"code": "computer.terminate(status='success')"}}]}"""
    )
    trajectory = to_trajectory(row, Meta("t", "macos", Size(1440, 900)))
    first = trajectory.steps[0]
    assert first.actions[0].action == Click(Point(0.5, 0.5))
    assert (first.thought, first.action_text, first.observation_text, first.reflection) == ("T", "A", "O", "R")
    assert (first.correct, first.redundant) == (False, True)
    assert first.observation.size == Size(1440, 900)
    assert (trajectory.task.category, trajectory.task.extra["system"]) == ("Work", "macos")
    assert trajectory.stop is not None
    assert trajectory.stop.reason == "terminated"


def test_code_that_cannot_be_read_is_kept() -> None:
    row = decode_row('{"task_id": "t", "traj": [{"value": {"code": "os.remove(1)"}}]}')
    action = to_trajectory(row).steps[0].actions[0].action
    assert isinstance(action, Opaque)
    assert "os.remove" in action.reason
    assert from_trajectory(to_trajectory(row)) == row


def test_an_action_without_words_is_not_guessed() -> None:
    visiting = Trajectory("t", Task("t", "x"), (Step(Observation(), (ActionResult(Visit("https://a")),)),))
    with pytest.raises(Inexpressible, match="visit"):
        from_trajectory(visiting)


def test_plain_rows_hold_only_published_fields() -> None:
    row = from_trajectory(Trajectory("t", Task("k", "x"), (Step(Observation(), (ActionResult(Click()),)),)), plain=True)
    assert row.rest == {}
    assert to_trajectory(row).task.id == "t"


def test_a_foreign_or_stale_skeleton_is_refused() -> None:
    with pytest.raises(BadInput, match="that is not ours"):
        to_trajectory(decode_row('{"task_id": "t", "traj": [], "workalike": 3}'))
    row = from_trajectory(Trajectory("t", Task("k", "x"), (Step(Observation()),)))
    with pytest.raises(BadInput, match="drop that field"):
        to_trajectory(msgspec.structs.replace(row, traj=()))


def test_a_published_example_becomes_actions(fixtures: Path) -> None:
    row = decode_row((fixtures / "agentnet-trajectory" / "raw_example.jsonl").read_bytes())
    trajectory = to_trajectory(row)
    assert isinstance(trajectory.steps[3].actions[0].action, Drag)
    assert trajectory.ending is not None
    assert from_trajectory(trajectory) == row


def test_rows_written_under_the_former_name_are_read() -> None:
    whole = Trajectory(
        "t", Task("k", "x", start_url="https://example.org/"), (Step(Observation(), (ActionResult(Click()),)),)
    )
    before = encode_row(from_trajectory(whole)).replace(b'"workalike"', b'"understudy"')
    assert b'"workalike"' not in before
    assert to_trajectory(decode_row(before)) == decode_trajectory(before, {}) == whole
