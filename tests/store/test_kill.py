"""`kill -9` at any instant: no finished step lost, none doubled, no picture dangling, every file valid."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.store import victim
from workalike.core.observation import ImageRef
from workalike.core.trajectory import Step
from workalike.core.verdict import Verdict
from workalike.store.layers import Layer, layer_path
from workalike.store.lines import is_json
from workalike.store.runs import Run

ROOT = Path(__file__).resolve().parents[2]


def _kill_once(folder: Path, chance: random.Random) -> list[str]:
    """Start a writer, kill it at a random instant, and give back what it said it had finished."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.store.victim", folder], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    said = []
    if chance.random() < 0.15:  # some are killed while they start, most at work
        time.sleep(0.3 * chance.random())
    else:
        said += [child.stdout.readline().decode().strip() for _ in range(chance.randint(1, 25))]
        time.sleep(chance.choice((0.0, 0.001, 0.01)) * chance.random())
    child.kill()
    rest, errors = child.communicate()
    assert not errors, errors.decode()
    return said + rest.decode().splitlines()


def _cut_power(folder: Path, said: set[tuple[str, ...]], chance: random.Random) -> None:
    """Do what only a power cut does, and a kill hardly ever: leave a part of the line that was being written. Lines
    that were said to be finished were synced, and stay."""
    for attempt in Run(folder).attempts():
        lines = attempt.path.read_bytes().splitlines(keepends=True)
        sure = 1 + sum(word in ("step", "end") and id == attempt.id for word, id, *_ in said)
        if attempt.end() is None:
            unsure = lines[sure] if sure < len(lines) else lines[-1]
            attempt.path.write_bytes(b"".join(lines[:sure]) + unsure[: chance.randrange(len(unsure) - 1)])


def _check(folder: Path, said: set[tuple[str, ...]], sure: set[str]) -> None:
    """Hold what is on disk against what was said to be finished; attempts in `sure` were found to be whole before."""
    run = Run(folder)
    assert run.writer is None
    for attempt in run.attempts():
        if attempt.id not in sure:
            stored = attempt.read()  # contiguous numbers, or it would be damaged
            told = sum(word == "step" and id == attempt.id for word, id, *_ in said)
            assert told <= len(stored.trajectory.steps), f"a finished step of {attempt.id} is lost"
            assert stored.finished or ("end", attempt.id) not in said
            _check_steps(run, attempt.id, stored.trajectory.steps)
            sure.update([attempt.id] if stored.finished else [])
    _check_verdicts(folder, said)


def _check_steps(run: Run, attempt: str, steps: tuple[Step, ...]) -> None:
    for index, step in enumerate(steps):
        assert step.observation.picture is not None
        assert run.pictures.read(step.observation.picture) == victim.picture(attempt, index)
        assert step.reply == victim.reply(attempt, index)


def _check_verdicts(folder: Path, said: set[tuple[str, ...]]) -> None:
    verdicts = Layer(layer_path(folder, "verdicts", "state"), Verdict)
    for word, id, *_ in said:
        assert word != "verdict" or (id, None) in verdicts


def _check_files(folder: Path) -> None:
    """Every file is what its name says, save one unfinished last line and temporary names."""
    for path in folder.rglob("*"):
        if path.suffix == ".jsonl":
            *lines, tail = path.read_bytes().split(b"\n")
            assert all(map(is_json, lines)), path
            assert not tail or path.name == "trajectory.jsonl" or path.parent.name == "verdicts"
        elif path.suffix == ".png":
            assert ImageRef.of(path.read_bytes()).name == path.name


def _harness(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill a writer many times over. How many steps it had finished, and how many lines were cut in the middle."""
    chance = random.Random(seed)
    said: set[tuple[str, ...]] = set()
    sure: set[str] = set()
    torn = 0
    for _ in range(kills):
        for line in _kill_once(folder, chance):
            words = tuple(line.split(" "))
            if words[0] in ("step", "end", "verdict"):
                assert words not in said, f"{line} was finished twice"
                said.add(words)
        if (folder / "run.json").exists():
            if chance.random() < 0.3:
                _cut_power(folder, said, chance)
            _check(folder, said, sure)
            torn += sum(attempt.read().dropped > 0 for attempt in Run(folder).attempts() if attempt.id not in sure)
    _check(folder, said, set())
    _check_files(folder)
    return sum(words[0] == "step" for words in said), torn


def test_kill_nine_loses_and_doubles_nothing(tmp_path: Path) -> None:
    steps, _ = _harness(tmp_path, 30, seed=1)
    assert steps > 150


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4))
def test_kill_nine_hundreds_of_times(tmp_path: Path, seed: int) -> None:
    steps, torn = _harness(tmp_path, 100, seed=seed + 10)
    print(f"100 kills, {steps} finished steps, {torn} lines cut in the middle")
    assert steps > 500
