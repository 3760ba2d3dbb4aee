"""OpenCUA's turns, and the code strings of real data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from tests.dialects import strategies as some
from workalike.core.actions import Click, Press
from workalike.core.errors import Unreadable
from workalike.core.screen import Point
from workalike.dialects import pyautogui
from workalike.dialects.reply import ParsedReply

P = Point(0.25, 0.5)


def test_a_whole_turn() -> None:
    text = (
        "# Step 3:\n## Observation:\nA form.\n\n## Thought:\nThe button is next.\nAction: I mean it.\n\n"
        "## Action:\nClick on Send.\n\n## Code:\n```python\npyautogui.click(x=0.25, y=0.5)\n```\n"
    )
    assert pyautogui.read_reply(text) == ParsedReply(
        (Click(P),), "The button is next.\nAction: I mean it.", "A form.", "Click on Send."
    )


def test_headings_without_marks_and_code_without_fence() -> None:
    text = "Thought:\nGo on.\nAction:\nPress enter.\nCode:\n  pyautogui.press('enter')\n  pyautogui.click(0.25, 0.5)"
    assert pyautogui.read_reply(text) == ParsedReply((Press(("enter",)), Click(P)), "Go on.", None, "Press enter.")


def test_a_fence_alone_will_do() -> None:
    assert pyautogui.read_reply("Sure!\n```python\npyautogui.click(0.25, 0.5)\n```").actions == (Click(P),)
    assert pyautogui.read_reply("pyautogui.click(0.25, 0.5)").actions == (Click(P),)


def test_no_code_is_an_error() -> None:
    with pytest.raises(Unreadable, match="no code"):
        pyautogui.read_reply("## Thought:\nI am at a loss.\n")


@given(some.words, some.words)
def test_turns_come_back(thought: str, action: str) -> None:
    reply = ParsedReply((Click(P),), thought, None, action)
    assert pyautogui.read_reply(pyautogui.write_reply(reply)) == reply


def test_the_sample_trajectory_byte_for_byte(fixtures: Path) -> None:
    row = json.loads((fixtures / "agentnet-trajectory" / "raw_example.jsonl").read_text())
    codes = [step["value"]["code"] for step in row["traj"]]
    assert len(codes) == 15
    assert [pyautogui.format(pyautogui.parse(code)) for code in codes] == codes


def test_the_steps_of_agentnetbench_byte_for_byte(fixtures: Path) -> None:
    tasks = [json.loads(path.read_text()) for path in sorted((fixtures / "agentnetbench").glob("*.json"))]
    codes = [step["action"] for task in tasks for step in task["steps"]]
    assert len(codes) == 27
    assert [pyautogui.format(pyautogui.parse(code)) for code in codes] == codes
