"""The published scorers give the published numbers, to the last bit, and leave the truth alone.

`published_scores.jsonl` holds steps of our own making with the scores that the published programs gave for them, under
predictions that were replayed, shifted, cut short, extended, shuffled, and written without the names of arguments.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from workalike.bench.steps.claims import claims
from workalike.bench.steps.published import AUGUST_2025, LATER_2026, Rules, compile_step, score_step
from workalike.formats.agentnetbench import BenchStep, TrueAction, read_folder, read_task

CASES = Path(__file__).with_name("published_scores.jsonl")


def cases() -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in CASES.read_bytes().splitlines()]


def as_step(document: dict[str, Any], folder: Path) -> BenchStep:
    file = folder / "a.json"
    file.write_bytes(msgspec.json.encode({"task_id": "a", "steps": [document]}))
    task, faults = read_task(file)
    assert task is not None
    assert not faults
    return task.steps[0]


@pytest.mark.parametrize("rules", [AUGUST_2025, LATER_2026], ids=lambda rules: rules.name)
def test_scores_are_the_published_ones(rules: Rules, tmp_path: Path) -> None:
    different = []
    for case in cases():
        options = compile_step(as_step(case["step"], tmp_path), rules)
        found, _ = score_step(options, claims(case["reply"]))
        if [found.total, found.kinds] != case[rules.name]:
            different.append((case, found))
    assert not different


def test_the_cases_tell_the_scorers_apart() -> None:
    all_cases = cases()
    assert sum(case["2025-08"] != case["2026"] for case in all_cases) > 20
    assert sum(0 < case["2025-08"][0] < 1 for case in all_cases) > 40


def step(*truth: TrueAction, options: tuple[tuple[TrueAction, ...], ...] = ()) -> BenchStep:
    return BenchStep(1, "a.png", truth, alternative_options=options)


def at(kind: str, x: float, y: float) -> TrueAction:
    return TrueAction(kind, {"position": {"x": x, "y": y}})


def test_scoring_twice_gives_the_same_and_changes_nothing() -> None:
    truth = step(TrueAction("write", {"text": "hello"}), TrueAction("press", {"keys": ["enter"]}))
    before = msgspec.json.encode(truth)
    options = compile_step(truth, AUGUST_2025)
    scores = [score_step(options, claims("pyautogui.write(message='hello')")) for _ in range(3)]
    assert scores[0] == scores[1] == scores[2]
    assert msgspec.json.encode(truth) == before


def test_the_better_option_counts_and_is_named() -> None:
    options = compile_step(step(at("click", 0.1, 0.1), options=((at("click", 0.9, 0.9),),)), AUGUST_2025)
    found, chosen = score_step(options, claims("pyautogui.click(x=0.9, y=0.9)"))
    assert (found.total, chosen) == (1.0, 1)


def test_the_known_holes_are_kept() -> None:
    """Extra actions and reversed scrolls cost nothing in the first scorer, and triple clicks never match in either."""
    scrolling = step(at("moveTo", 0.5, 0.5), TrueAction("scroll", {"amount": -3}))
    wrong = claims("pyautogui.moveTo(x=0.5, y=0.5)\npyautogui.scroll(30)\npyautogui.hotkey(keys=['alt', 'f4'])")
    assert score_step(compile_step(scrolling, AUGUST_2025), wrong)[0].total == 1.0
    assert score_step(compile_step(scrolling, LATER_2026), wrong)[0].total == pytest.approx(1 / 3)
    triple = step(at("tripleClick", 0.5, 0.5))
    for rules in (AUGUST_2025, LATER_2026):
        for spelling in ("computer.triple_click", "computer.tripleClick", "pyautogui.tripleClick"):
            assert score_step(compile_step(triple, rules), claims(f"{spelling}(x=0.5, y=0.5)"))[0].total == 0


@pytest.mark.parametrize("rules", [AUGUST_2025, LATER_2026], ids=lambda rules: rules.name)
def test_replayed_published_tasks_score_fully(rules: Rules, fixtures: Path) -> None:
    tasks, _ = read_folder(fixtures / "agentnetbench")
    scores = [score_step(compile_step(s, rules), claims(s.action or ""))[0].total for t in tasks for s in t.steps]
    assert scores == [1.0] * 27


def test_published_tasks_under_attack_still_score(fixtures: Path) -> None:
    """Every reply reversed where it scrolls and followed by a closed window: 0.993 of the whole by the first rules."""
    tasks, _ = read_folder(fixtures / "agentnetbench")
    attack = "\npyautogui.hotkey(keys=['alt', 'f4'])"
    scores = []
    for each in (step for task in tasks for step in task.steps):
        reply = (each.action or "").replace("scroll(-", "scroll(") + attack
        scores.append(score_step(compile_step(each, AUGUST_2025), claims(reply))[0].total)
    assert sum(scores) / len(scores) > 0.99


@pytest.mark.parametrize("rules", [AUGUST_2025, LATER_2026], ids=lambda rules: rules.name)
def test_numbers_beyond_all_arithmetic_earn_nothing(rules: Rules) -> None:
    far = compile_step(step(at("click", 0.5, 0.5)), rules)
    for digits in (200, 400):
        assert score_step(far, claims(f"pyautogui.click(x=0.5, y={'9' * digits})"))[0].total == 0
    scrolled = compile_step(step(TrueAction("scroll", {"amount": -3})), rules)
    found, _ = score_step(scrolled, claims(f"pyautogui.scroll(-{'9' * 400})"))
    assert found.total == (0 if rules.scroll_measured else 1)
