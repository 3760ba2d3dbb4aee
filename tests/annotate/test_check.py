"""Scores of chains of thought that are there already."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dataset.rows import put, row, step
from workalike.annotate.check import agrees, check_chains, repeats
from workalike.annotate.check_page import page, table
from workalike.cli import main
from workalike.core.observation import Observation
from workalike.core.trajectory import ActionResult, Step
from workalike.dataset.sources import trajectories
from workalike.formats.agentnet_trajectories import read_code


def told(code: str, words: str) -> bool | None:
    return agrees(Step(Observation(), tuple(map(ActionResult, read_code(code))), action_text=words))


@pytest.mark.parametrize(
    ("code", "words", "alike"),
    [
        ("pyautogui.click(x=0.1, y=0.2)", "Click the Save button.", True),
        ("pyautogui.click(x=0.1, y=0.2)", 'Type "Lisbon" into the field.', False),
        ("pyautogui.rightClick(x=0.1, y=0.2)", "Right-click the file.", True),
        ("pyautogui.rightClick(x=0.1, y=0.2)", "Click the file.", False),
        ("pyautogui.doubleClick(x=0.1, y=0.2)", "Double-click the file.", True),
        ("pyautogui.doubleClick(x=0.1, y=0.2)", "Click the file.", False),
        ("pyautogui.write(message='Lisbon')", 'Type "Lisbon" into the field.', True),
        ("pyautogui.write(message='Lisbon')", 'Type "Porto" into the field.', False),
        ("pyautogui.press(keys=['enter'])", "Press the Return key.", True),
        ("pyautogui.press(keys=['enter'])", "Press Escape.", False),
        ("pyautogui.hotkey(keys=['ctrl', 'c'])", "Press Ctrl+C to copy it.", True),
        ("pyautogui.hotkey(keys=['ctrl', 'c'])", "Press Ctrl+V to paste it.", False),
        ("pyautogui.scroll(-5)", "Scroll down the page.", True),
        ("pyautogui.scroll(-5)", "Scroll up the page.", False),
        ("pyautogui.moveTo(x=0.1, y=0.2)\npyautogui.dragTo(x=0.3, y=0.2, button='left')", "Drag the slider.", True),
        ("computer.terminate(status='success')", "The task is complete.", True),
        ("computer.wait()", "Wait for the page to load.", True),
        ("", "Click it.", None),
        ("pyautogui.click(x=0.1, y=0.2)", "", None),
    ],
)
def test_words_are_compared_with_what_the_code_does(code: str, words: str, alike: bool | None) -> None:
    assert told(code, words) is alike


def test_a_thought_that_repeats_the_one_before_is_found() -> None:
    first = "I have opened the settings page and now need to find the slider for the brightness of the display."
    assert repeats(first, first)
    assert not repeats(first, "The slider is in view now, so I drag it to the left until it stands at seventy-eight.")


def test_a_set_is_scored_and_plotted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = [
        step(0),
        step(1, thought="The red circle shows me the button of page 1."),
        step(2, "pyautogui.write(message='Lisbon')", action='Type "Porto" into the field.'),
        step(3, "pyautogui.write(message='x')", action="Type x."),
    ]
    same = [step(0, thought="One and the same thought."), step(1, thought="One and the same thought.")]
    bare = [{"index": 0, "image": "0.png", "value": {"code": "pyautogui.click(x=0.5, y=0.5)"}}]
    path = put(tmp_path / "a.jsonl", row("a", steps), row("b", same), row("c", bare))
    found = check_chains(trajectories([path]))
    assert (found.trajectories, found.steps, found.told, found.whole) == (3, 7, 6, 6)
    assert (found.leaking, found.leaks) == (1, {"mentions the marker": 1})
    assert (found.repeating, found.comparable, found.agreeing) == (1, 6, 5)
    assert found.by_action == {"click": (4, 4), "write": (1, 2)}
    assert found.lengths["thought"].count == 6
    assert found.score == pytest.approx((3 + 2 / 3 * 3) / 6)
    assert found.examples["mentions the marker"] == ["a, step 2: red circle"]
    assert "16.67 %  of them leak" in table(found)
    assert page(found, "<chains>").count("<svg") == 7
    assert "&lt;chains&gt;" in page(found, "<chains>")
    assert main(["annotate", str(path), "--check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["told"] == 6
    assert main(["annotate", str(path), "--check", "--max-flagged", "0.1"]) == 1


def test_a_set_without_chains_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = [{"index": 0, "image": "0.png", "value": {"code": "pyautogui.click(x=0.5, y=0.5)"}}]
    path = put(tmp_path / "a.jsonl", row("a", bare))
    assert main(["annotate", str(path), "--check"]) == 1
    assert "0  steps have words" in capsys.readouterr().out
