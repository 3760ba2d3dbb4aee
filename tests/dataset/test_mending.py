"""What has one right answer is mended, nothing else is touched, and mending twice is mending once."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings

from tests.dataset.rows import CLICK, END, row, step
from tests.formats.test_agentnet import documents
from workalike.dataset.defects import FIXABLE, row_defects
from workalike.dataset.mending import mend, mend_code


@pytest.mark.parametrize(
    ("code", "mended", "kinds"),
    [
        ("computer.triple_click(x=0.1, y=0.2)", "computer.tripleClick(x=0.1, y=0.2)", ["triple-click spelling"]),
        ("pyautogui.tripleClick(x=0.1, y=0.2)", "computer.tripleClick(x=0.1, y=0.2)", ["triple-click spelling"]),
        ("computer.terminate(status='fail')", "computer.terminate(status='failure')", ["terminate status"]),
        ("pyautogui.press(keys=['Key.enter'])", "pyautogui.press(keys=['enter'])", ["unknown key"]),
        ("pyautogui.hotkey(keys=['ctrl ', 'c'])", "pyautogui.hotkey(keys=['ctrl', 'c'])", ["unknown key"]),
        ("pyautogui.press(keys=['Page Down'])", "pyautogui.press(keys=['pagedown'])", ["unknown key"]),
        ("pyautogui.press(keys=['bogus'])", "pyautogui.press(keys=['bogus'])", []),
        ("computer.terminate(status='perhaps')", "computer.terminate(status='perhaps')", []),
        ("pyautogui.press(keys=[' '])", "pyautogui.press(keys=[' '])", []),
        ("pyautogui.write(message='computer.triple_click(')", "pyautogui.write(message='computer.triple_click(')", []),
        ("pyautogui.click(x=1.2, y=0.5)", "pyautogui.click(x=1.2, y=0.5)", []),
        (CLICK, CLICK, []),
        (
            "computer.triple_click(x=0.1, y=0.2)\ncomputer.terminate(status='fail')",
            "computer.tripleClick(x=0.1, y=0.2)\ncomputer.terminate(status='failure')",
            ["triple-click spelling", "terminate status"],
        ),
        (
            "pyautogui.press(keys=['Key.enter'])\npyautogui.press(keys=['Return'])\ncomputer.terminate(status='fail')",
            "pyautogui.press(keys=['enter'])\npyautogui.press(keys=['Return'])\ncomputer.terminate(status='failure')",
            ["unknown key", "terminate status"],
        ),
        (
            "computer.triple_click(x=0.1, y=0.2)\npyautogui.press(keys=['bogus'])",
            "computer.triple_click(x=0.1, y=0.2)\npyautogui.press(keys=['bogus'])",
            [],
        ),
    ],
)
def test_code(code: str, mended: str, kinds: list[str]) -> None:
    assert mend_code(code) == (mended, kinds)


def test_rows_are_mended_and_the_given_one_is_left_alone() -> None:
    spoiled = row(
        steps=[step(4, "computer.triple_click(x=0.1, y=0.2)", last_step_correct="True"), step(1, END)],
        alignment_score="8.5",
        efficiency_score="7",
        task_difficulty="hard",
        task_completed="false",
    )
    before = copy.deepcopy(spoiled)
    fixed, mended = mend(spoiled)
    assert spoiled == before
    assert (fixed["alignment_score"], fixed["efficiency_score"], fixed["task_difficulty"]) == (8.5, 7, "hard")
    assert fixed["task_completed"] is False
    assert [each["index"] for each in fixed["traj"]] == [0, 1]
    assert fixed["traj"][0]["value"]["last_step_correct"] is True
    assert sorted(set(mended)) == ["index not contiguous", "triple-click spelling", "wrong type"]
    assert [defect.text for defect in row_defects(fixed)] == ["`task_difficulty` is a text"]


def test_steps_in_another_order_are_not_renumbered() -> None:
    shuffled = row(steps=[step(2), step(0), step(1, END)])
    assert mend(shuffled) == (shuffled, [])
    assert [defect.kind for defect in row_defects(shuffled)] == ["index not contiguous"] * 3
    for indexes in ([1, 2, 3], [0, 0, 1], [0, True, 2]):
        fixed, mended = mend(row(steps=[step(index) for index in indexes]))
        assert [each["index"] for each in fixed["traj"]] == [0, 1, 2]
        assert set(mended) == {"index not contiguous"}


@given(documents)
@settings(max_examples=80)
def test_mending_twice_is_mending_once(document: dict[str, Any]) -> None:
    fixed, mended = mend(document)
    assert mend(fixed) == (fixed, [])
    if not mended:
        assert fixed == document
    before, after = ([each.kind for each in row_defects(each)] for each in (document, fixed))
    assert len(after) == len(before) - sum(kind in FIXABLE for kind in mended)


@pytest.mark.parametrize(
    ("code", "fixed"),
    [
        ("```python\npyautogui.click(x=0.5, y=0.5)\n```", "pyautogui.click(x=0.5, y=0.5)"),
        (
            "pyautogui.click(x=0.5, y=0.5)\r\npyautogui.scroll(3)\r\n",
            "pyautogui.click(x=0.5, y=0.5)\npyautogui.scroll(3)",
        ),
    ],
)
def test_the_form_of_code_is_mended(code: str, fixed: str) -> None:
    assert mend_code(code) == (fixed, ["code form"])
