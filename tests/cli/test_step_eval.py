"""Offline steps with a model by hand: questions appear, replies are awaited, and the score follows."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.by_hand import asking, reply
from workalike.cli import main
from workalike.models.asked import Asked
from workalike.models.messages import Reply, Text
from workalike.models.server.app import application
from workalike.models.server.asked import Broken, Fault
from workalike.runtime.serving import serving_apart

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


def test_a_model_by_hand(data: Path, tmp_path: Path) -> None:
    questions, saved = tmp_path / "questions", tmp_path / "mine.jsonl"
    words = ["step-eval", str(data), "--agent", "opencua", "--model", "by-hand", "--questions", str(questions)]
    with asking([*words, "--json"], questions, tmp_path / "said") as asker:
        (first,) = asker.asked()
        reply(first, CODE)
        (second,) = asker.asked()
        assert [each.folder.name for each in (first, second)] == ["step-001", "step-002"]
        assert "Click the middle, time 1." in second.page.read_text(), "the recorded past stands in the question"
        reply(second, CODE)
        whole = json.loads(asker.finished())[0]["summary"]
    with asking([*words, "--save", str(saved), "--json"], questions, tmp_path / "half") as asker:
        reply(asker.asked()[0], CODE)
        asker.asked()
        asker.process.send_signal(signal.SIGINT)
        half = json.loads(asker.finished(1))[0]["summary"]
        assert "stopped; 1 of 2 steps were asked" in asker.said
    assert (half["average"]["mean"], whole["average"]["mean"]) == (0.5, 1.0)
    assert len(saved.read_text().splitlines()) == 1, "what was answered is kept"


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


def test_predictions_by_place_are_recognised_and_said(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files' own numbers start at 1 here; the published runner counts from 0."""
    file = tmp_path / "mine.jsonl"
    code = "pyautogui.click(x=0.5, y=0.5)"
    file.write_text("".join(json.dumps({"task_id": "t", "step_num": place, "code": code}) + "\n" for place in (0, 1)))
    assert main(["step-eval", str(data), "--predictions", str(file)]) == 0
    assert "count a file's steps from 0" in " ".join(capsys.readouterr().out.split())
    file.write_text(file.read_text().replace('"step_num": 0', '"step_num": 2'))
    assert main(["step-eval", str(data), "--predictions", str(file), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)[0]["summary"]
    assert not summary.get("by_place", False)
    assert summary["average"]["mean"] == 1


def test_the_published_runners_folder_is_read(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "output"
    folder.mkdir()
    code = "pyautogui.click(x=0.5, y=0.5)"
    results = [
        {"task_id": "t", "step_num": 0, "raw_response": "…", "parsed_action": code, "predicted_actions": []},
        {"task_id": "t", "step_num": 1, "raw_response": None, "parsed_action": None, "error_message": "no answer"},
    ]
    (folder / "t.json").write_text(json.dumps(results))
    (folder / "metric.json").write_text("{}")
    assert main(["step-eval", str(data), "--predictions", str(folder), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)[0]
    assert found["summary"]["by_place"]
    assert [(step["step_num"], step["score"]) for step in found["steps"]] == [(1, 1.0), (2, 0.0)]
    (folder / "t.json").write_text("[5]")
    assert main(["step-eval", str(data), "--predictions", str(folder)]) == 2


def test_a_server_that_nobody_started_ends_it_with_nothing_written(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["step-eval", str(data), "--agent", "opencua", "--model", "m@http://127.0.0.1:9/v1"]
    assert main([*words, "--save", str(tmp_path / "said.jsonl")]) == 2
    told = capsys.readouterr().err
    assert "does not answer (connection refused); trying again for 3 s" in told
    assert "workalike: no model server answers at http://127.0.0.1:9/v1" in told
    assert not (tmp_path / "said.jsonl").exists()
