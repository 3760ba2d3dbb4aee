"""Our own scorer: full marks for the right thing, however it is spelled, and none of the published holes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.bench.steps.strict import compile_step, score_step
from workalike.formats.agentnetbench import BenchStep, TrueAction, TrueBox, TrueMetadata, read_folder


def at(kind: str, x: float = 0.5, y: float = 0.5, *boxes: tuple[float, float, float, float]) -> TrueAction:
    metadata = TrueMetadata(tuple(map(TrueBox, boxes))) if boxes else None
    return TrueAction(kind, {"position": {"x": x, "y": y}}, metadata)


def keys(kind: str, *names: str) -> TrueAction:
    return TrueAction(kind, {"keys": list(names)})


def score(reply: str, *truth: TrueAction, code: str | None = None) -> float:
    step = BenchStep(1, "a.png", truth, code)
    found, _ = score_step(compile_step(step), reply)
    assert 0 <= found.total <= 1
    return round(found.total, 4)


CLICK = "pyautogui.click(x=0.5, y=0.5)"
SCROLL = TrueAction("scroll", {"amount": -3, "position": {"x": 0.5, "y": 0.5}})


@pytest.mark.parametrize(
    ("reply", "truth", "wanted"),
    [
        (CLICK, [at("click")], 1),
        ("pyautogui.click(0.5, 0.5)", [at("click")], 1),
        ("pyautogui.moveTo(x=0.2, y=0.2)\n" + CLICK, [at("click")], 1),
        (CLICK + "\npyautogui.hotkey(keys=['alt', 'f4'])", [at("click")], 0.5),
        ("pyautogui.doubleClick(x=0.5, y=0.5)", [at("click")], 0),
        ("pyautogui.click(x=0.5, y=0.5, clicks=2)", [at("doubleClick")], 1),
        ("computer.tripleClick(x=0.5, y=0.5)", [at("tripleClick")], 1),
        ("computer.triple_click(x=0.5, y=0.5)", [at("tripleClick")], 1),
        ("pyautogui.middleClick(x=0.5, y=0.5)", [at("middleClick")], 1),
        ("pyautogui.scroll(-3)", [SCROLL], 1),
        ("pyautogui.scroll(3)", [SCROLL], 0),
        ("pyautogui.scroll(-6)", [SCROLL], 0.5),
        ("pyautogui.moveTo(x=0.5, y=0.5)\npyautogui.scroll(-3)", [at("moveTo"), SCROLL], 1),
        ("pyautogui.scroll(-3)", [at("moveTo"), SCROLL], 0.5),
        ("pyautogui.hscroll(4)", [TrueAction("hscroll", {"amount": 4})], 1),
        ("pyautogui.scroll(5)", [TrueAction("scroll", {"direction": "up"})], 1),
        ("pyautogui.hotkey('ctrl', 'c')", [keys("hotkey", "ctrl", "c")], 1),
        ("pyautogui.hotkey('cmd', 'c')", [keys("hotkey", "ctrl", "c")], 1),
        ("pyautogui.hotkey('shift', 'ctrl', 't')", [keys("hotkey", "ctrl", "shift", "t")], 1),
        ("pyautogui.hotkey('c', 'ctrl')", [keys("hotkey", "ctrl", "c")], 0),
        ("pyautogui.press(keys=['down'])", [keys("press", "down", "down")], 0),
        ("pyautogui.press('down')\npyautogui.press('down')", [keys("press", "down", "down")], 1),
        ("pyautogui.press('Return')", [keys("hotkey", "enter")], 1),
        ("pyautogui.write('hello')\npyautogui.press('enter')", [TrueAction("write", {"text": "hello\n"})], 1),
        ("pyautogui.write('hello')", [TrueAction("write", {"content": "hello"}), keys("press", "enter")], 0.5),
        ("computer.terminate(status='success')", [TrueAction("terminate", {"status": "success"})], 1),
        ("computer.terminate(status='failure')", [TrueAction("terminate", {"status": "success"})], 0),
        ("computer.wait()", [TrueAction("wait")], 1),
        ("pyautogui.dragTo(x=0.5, y=0.5, button='right')", [at("dragTo")], 0),
        ("pyautogui.keyDown('ctrl')\n" + CLICK + "\npyautogui.keyUp('ctrl')", [at("click")], 0),
    ],
)
def test_what_a_reply_earns(reply: str, truth: list[TrueAction], wanted: float) -> None:
    assert score(reply, *truth) == wanted


def test_a_box_is_a_box() -> None:
    """Beside a small box the published rules still give full marks; a neighbouring button may lie there."""
    boxed = at("click", 0.5, 0.5, (0.495, 0.495, 0.01, 0.01))
    assert score("pyautogui.click(x=0.5049, y=0.4951)", boxed) == 1
    assert score("pyautogui.click(x=0.515, y=0.5)", boxed) == pytest.approx(0.3012, abs=1e-4)
    assert score("pyautogui.click(x=0.51, y=0.51)", at("click")) == 1


def test_texts_are_compared_whole() -> None:
    """The set's true actions hold a text cut at its first quote; the step's own code holds all of it."""
    cut = TrueAction("write", {"text": "it"})
    code = 'pyautogui.write(message="it\'s not the same thing")'
    assert score(code, cut, code=code) == 1
    assert score("pyautogui.write(message='it')", cut, code=code) < 0.2


def test_a_reply_that_cannot_be_read_earns_nothing_and_says_why() -> None:
    step = BenchStep(1, "a.png", (at("click"), keys("press", "enter")))
    found, _ = score_step(compile_step(step), "import os; os.remove('x')")
    assert (found.total, found.kinds) == (0.0, {"click": 0.0, "press": 0.0})
    assert "os" in found.why


def test_a_replay_of_published_tasks_earns_everything(fixtures: Path) -> None:
    tasks, _ = read_folder(fixtures / "agentnetbench")
    for step in (step for task in tasks for step in task.steps):
        assert score_step(compile_step(step), step.action or "")[0].total == 1.0


@given(
    st.lists(
        st.sampled_from([CLICK, "pyautogui.scroll(-3)", "pyautogui.press('a')", "pyautogui.write('hi')"]), max_size=5
    )
)
def test_more_than_asked_never_earns_more(extra: list[str]) -> None:
    alone = score(CLICK, at("click"), keys("press", "a"))
    more = score("\n".join([CLICK, *extra, "computer.wait()"]), at("click"), keys("press", "a"))
    assert more <= max(alone, 0.6667)


@pytest.mark.parametrize("position", [{}, {"x": None, "y": 0.5}, {"x": "a", "y": 0.5}, 7])
def test_a_broken_place_breaks_nothing(position: object) -> None:
    assert score("computer.tripleClick(x=0.5, y=0.5)", TrueAction("triple_click", {"position": position})) == 1
    assert score(CLICK, TrueAction("triple_click", {"position": position})) == 0
