"""What reviewers say of trajectories is applied when they are exported: left out and counted, or without the steps that
were deleted, and in the words that were given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workalike.cli import main
from workalike.core.actions import Action, Click, Terminate, Write
from workalike.core.observation import Observation
from workalike.core.review import DemonstrationReview, StepEdit
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.dataset.sources import SourceChoice, trajectories
from workalike.store.layers import ANNOTATIONS, LayerWriter, StepTexts
from workalike.store.packed import write_packed
from workalike.store.reviews import revise


def _demonstration(id: str) -> Trajectory:
    actions: tuple[Action, ...] = (Click(Point(0.1, 0.1)), Click(Point(0.2, 0.2)), Write("helo"), Terminate())
    steps = tuple(
        Step(Observation(size=Size(100, 100)), (ActionResult(action),), action_text=f"step {number}")
        for number, action in enumerate(actions)
    )
    return Trajectory(id, Task(id, f"Do {id}"), steps, stop=Stop("terminated"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "set").mkdir()
    write_packed(tmp_path / "set" / "all.jsonl", [_demonstration(name) for name in ("good", "bad", "plain")])
    steps = {1: StepEdit(deleted=True), 2: StepEdit(text="Greet", actions=(Write("hello"),))}
    revise(
        tmp_path / "set", "good", DemonstrationReview(steps=steps, task="Greet them", quality="good"), "Ann", "edit", 0
    )
    revise(tmp_path / "set", "bad", DemonstrationReview(decision="rejected"), "Ann", "rejected", 0)
    return tmp_path / "set"


def test_exports_apply_reviews_and_count_what_was_rejected(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows"
    assert main(["dataset", "export", str(folder), "--format", "agentnet", "--out", str(out), "--json"]) == 0
    manifest = json.loads(capsys.readouterr().out)
    assert manifest["counts"]["trajectories"] == 2
    assert manifest["left_out"] == {"rejected by a reviewer": 1}
    assert any("reviews/" in file["name"] for file in manifest["inputs"])
    good, plain = map(json.loads, (out / "agentnet.jsonl").read_text().splitlines())
    assert (good["instruction"], plain["instruction"]) == ("Greet them", "Do plain")
    said = [(step["value"]["code"], step["value"].get("action")) for step in good["traj"]]
    assert [code for code, _ in said][1] == "pyautogui.write(message='hello')"
    assert [text for _, text in said] == ["step 0", "Greet", "step 3"]
    assert len(plain["traj"]) == 4


def test_annotations_stay_with_the_steps_they_were_made_for(folder: Path) -> None:
    with LayerWriter(folder, ANNOTATIONS, "model", StepTexts) as layer:
        layer.put("good", StepTexts(thought="I type."), 2)
    (good, _) = trajectories([folder])
    assert [step.thought for step in good.steps] == [None, "I type.", None]
    told: list[str] = []
    (raw, _) = trajectories([folder], (), SourceChoice(reviewed=False), told.append)
    assert len(raw.steps) == 4, "whoever annotates sees the steps by the numbers they have"
    assert told == ["bad is left out: Ann rejected it"]
