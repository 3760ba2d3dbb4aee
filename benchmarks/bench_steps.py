"""Scoring recorded steps, against the 44 µs a step that the published programs were measured at."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from random import Random

from benchmarks import Figure
from workalike.bench.steps import published, strict
from workalike.bench.steps.claims import claims
from workalike.formats.agentnetbench import BenchStep, TrueAction, TrueBox, TrueMetadata

STEPS = 100_000
PUBLISHED_MICROSECONDS = 44.0
_KINDS = 400


def measure() -> list[Figure]:
    steps = [_step(Random(number)) for number in range(_KINDS)]
    rules = (published.AUGUST_2025, published.LATER_2026)
    figures = []
    for rule in rules:
        ready = [(published.compile_step(step, rule), claims(step.action or "")) for step in steps]
        scoring = _microseconds(partial(_score_ready, ready))
        whole = _microseconds(partial(_score_all, steps, rule))
        aim = f"at least 5 (of {PUBLISHED_MICROSECONDS:.0f} µs)"
        ratio = PUBLISHED_MICROSECONDS / scoring
        figures.append(Figure(f"scoring 100,000 steps by {rule.name}", ratio, "×", aim, f"{scoring:.2f} µs a step"))
        figures.append(Figure("  with reading the code and compiling the truth", whole, "µs a step"))
    options = [(strict.compile_step(step), step.action or "") for step in steps]
    exact = _microseconds(partial(_score_strictly, options))
    figures.append(Figure("scoring 100,000 steps by strict, code read", exact, "µs a step"))
    return figures


def _microseconds(work: Callable[[], object]) -> float:
    """The least processor time a step, over three tries."""
    taken = []
    for _ in range(3):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken) / STEPS * 1e6


def _score_ready(ready: list[tuple[tuple[published.Option, ...], tuple[tuple[str, object], ...]]]) -> None:
    for number in range(STEPS):
        published.score_step(*ready[number % _KINDS])


def _score_all(steps: list[BenchStep], rule: published.Rules) -> None:
    for number in range(STEPS):
        step = steps[number % _KINDS]
        published.score_step(published.compile_step(step, rule), claims(step.action or ""))


def _score_strictly(options: list[tuple[tuple[tuple[strict.Act, ...], ...], str]]) -> None:
    for number in range(STEPS):
        strict.score_step(*options[number % _KINDS])


def _step(random: Random) -> BenchStep:
    """A step of the usual mix: mostly clicks into a box, some texts, keys, drags and scrolls, a few alternatives."""
    truth: tuple[TrueAction, ...]
    x, y = round(random.random(), 4), round(random.random(), 4)
    box = TrueMetadata((TrueBox((x - 0.02, y - 0.01, 0.04, 0.02)),))
    place = {"position": {"x": x, "y": y}}
    match random.choices(range(5), (60, 14, 10, 8, 8))[0]:
        case 0:
            truth, code = (TrueAction("click", place, box),), f"pyautogui.click(x={x}, y={y})"
        case 1:
            truth, code = (TrueAction("write", {"text": "hello world"}),), "pyautogui.write(message='hello word')"
        case 2:
            truth, code = (TrueAction("hotkey", {"keys": ["ctrl", "c"]}),), "pyautogui.hotkey(keys=['ctrl', 'c'])"
        case 3:
            truth = (TrueAction("moveTo", place, box), TrueAction("dragTo", place, box))
            code = f"pyautogui.moveTo(x={x}, y={y})\npyautogui.dragTo(x={x}, y={y}, button='left')"
        case _:
            truth = (TrueAction("moveTo", place, box), TrueAction("scroll", {"amount": -5}))
            code = f"pyautogui.moveTo(x={x}, y={y})\npyautogui.scroll(-3)"
    other = ((TrueAction("click", {"position": {"x": 0.1, "y": 0.1}}),),) if random.random() < 0.2 else ()
    return BenchStep(1, "a.png", truth, code, alternative_options=other)
