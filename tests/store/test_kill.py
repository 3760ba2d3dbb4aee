"""`kill -9` at any instant: no finished step lost, none doubled, no picture dangling, every file valid."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from tests.store import victim
from understudy.core.observation import ImageRef
from understudy.core.verdict import Verdict
from understudy.store.layers import Layer, layer_path
from understudy.store.lines import is_json
from understudy.store.runs import Run

ROOT = Path(__file__).resolve().parents[2]


def _kill_once(folder: Path, chance: random.Random) -> list[str]:
    """Start a writer, kill it at a random instant, and give back what it said it had finished."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.store.victim", folder], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    said = []
    if chance.random() < 0.8:  # most are killed at work, some while they start
        said.append(child.stdout.readline().decode().strip())
        time.sleep(chance.choice((0.002, 0.02, 0.15)) * chance.random())
    else:
        time.sleep(0.3 * chance.random())
    child.kill()
    rest, errors = child.communicate()
    assert not errors, errors.decode()
    return said + rest.decode().splitlines()


def _check(folder: Path, said: set[tuple[str, ...]]) -> int:
    """Hold what is on disk against what was said to be finished. How many steps there are."""
    run = Run(folder)
    assert run.writer is None
    steps = 0
    for attempt in run.attempts():
        stored = attempt.read()  # contiguous numbers, or it would be damaged
        steps += len(stored.trajectory.steps)
        told = sum(word == "step" and id == attempt.id for word, id, *_ in said)
        assert told <= len(stored.trajectory.steps), f"a finished step of {attempt.id} is lost"
        assert stored.finished or ("end", attempt.id) not in said
        for index, step in enumerate(stored.trajectory.steps):
            assert step.observation.picture is not None
            assert run.pictures.read(step.observation.picture) == victim.picture(attempt.id, index)
            assert (step.reply or "").startswith(f"{attempt.id} {index} ")
    _check_verdicts(folder, said)
    return steps


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
    chance = random.Random(seed)
    said: set[tuple[str, ...]] = set()
    for _ in range(kills):
        for line in _kill_once(folder, chance):
            words = tuple(line.split(" "))
            if words[0] in ("step", "end", "verdict") and line:
                assert words not in said, f"{line} was finished twice"
                said.add(words)
        if (folder / "run.json").exists():
            _check(folder, said)
    _check_files(folder)
    return len(said), _check(folder, said)


def test_kill_nine_loses_and_doubles_nothing(tmp_path: Path) -> None:
    said, steps = _harness(tmp_path, 30, seed=1)
    assert said > steps > 100


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4))
def test_kill_nine_hundreds_of_times(tmp_path: Path, seed: int) -> None:
    said, steps = _harness(tmp_path, 100, seed=seed + 10)
    print(msgspec.json.encode({"kills": 100, "acknowledged": said, "steps": steps}).decode())
    assert said > steps > 500
