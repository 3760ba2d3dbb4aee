"""Offline steps with a model by hand: questions come out as pages, answers go in as files, and the score follows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from workalike.cli import main
from workalike.models.messages import Reply, Text
from workalike.models.server.app import application
from workalike.models.server.asked import Asked, Broken, Fault
from workalike.models.server.serving import serving_apart

CODE = "## Action:\nClick it.\n\n```python\npyautogui.click(x=0.5, y=0.5)\n```"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One task of two steps, each of them a click in the middle."""
    folder = tmp_path / "data"
    (folder / "images").mkdir(parents=True)
    truth = {"type": "click", "params": {"position": {"x": 0.5, "y": 0.5}}, "metadata": {"bboxes": []}}
    steps = []
    for number in (1, 2):
        Image.new("RGB", (640, 480), (number * 80, 0, 0)).save(folder / "images" / f"{number}.png")
        steps.append(
            {
                "step_num": number,
                "image": f"{number}.png",
                "action": "pyautogui.click(x=0.5, y=0.5)",
                "inner_monologue": {"low_level_instruction": f"Click the middle, time {number}."},
                "ground_truth_actions": [truth],
                "alternative_options": [],
            }
        )
    task = {"task_id": "t", "high_level_task_description": "Click twice.", "steps": steps}
    (folder / "t.json").write_text(json.dumps(task))
    return folder


def test_a_model_by_hand(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    words = ["step-eval", str(data), "--agent", "opencua"]
    assert main([*words, "--dry-run", str(asked)]) == 0
    shown = capsys.readouterr()
    assert "2 questions are not answered yet" in shown.err
    assert "pass --answers DIR" in shown.out
    pages = sorted(asked.glob("*.md"), key=lambda page: len(page.read_text()))
    assert len(pages) == 2
    assert "Click the middle, time 1." in pages[1].read_text(), "the recorded past stands in the question"
    answered.mkdir()
    (answered / pages[0].name).write_text(CODE)
    assert main([*words, "--answers", str(answered), "--json"]) == 1, "a step is left without a prediction"
    half = json.loads(capsys.readouterr().out)[0]["summary"]
    (answered / pages[1].name).write_text(CODE)
    assert main([*words, "--answers", str(answered), "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)[0]["summary"]
    assert (half["average"]["mean"], whole["average"]["mean"]) == (0.5, 1.0)


def test_a_model_or_a_hand_is_needed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["step-eval", str(data), "--agent", "opencua"]) == 2
    assert "name a model with --model, or be it yourself" in capsys.readouterr().err


@pytest.mark.parametrize("good", [0, 1])
def test_a_service_that_is_down_is_not_asked_for_every_step(
    good: int, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = list[Asked]()

    async def answer(each: Asked) -> Reply | Fault:
        asked.append(each)
        return Reply((Text(CODE),)) if len(asked) <= good else Broken(401)

    with serving_apart(application(answer)) as address:
        assert main(["step-eval", str(data), "--agent", "opencua", "--model", f"m@{address}/v1"]) == 2 - good
    assert len(asked) == good + 1
    said = capsys.readouterr().err
    assert "gave no usable answer: 401" in said
    assert ("1 of 2 steps were asked, the others count as wrong" in said) == bool(good)
