"""The flawed oracle, a set with known truth, and how a judge is measured on it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.annotate.screens import Say, serving
from workalike.annotate.leaks import PageWords, future_in, future_words
from workalike.annotate.scripted import ScriptedQuestion
from workalike.bench.flawed import TruthPair, compare, table, truth_of, truth_pairs
from workalike.cli import main
from workalike.dataset.sources import trajectories
from workalike.models.asked import Asked
from workalike.report.reading import read_results


def made(folder: Path, limit: int) -> Path:
    words = ["run", "town", "--agent", "flawed", "--repeats", "1", "--jobs", "1", "--limit", str(limit)]
    assert main([*words, "--out", str(folder)]) == 0
    return folder


def knowing(run: Path, errs: int = 0) -> Say:
    """A judge that knows the truth of every step and errs on every so many-th of them."""
    truths = {
        (trajectory.task.instruction, place + 1): truth_of(step)
        for trajectory in trajectories([run])
        for place, step in enumerate(trajectory.steps)
    }
    count = iter(range(1, 100_000))

    def say(question: ScriptedQuestion, asked: Asked) -> dict[str, object] | None:
        if question.role != "reflector":
            return None
        flaw = truths[question.said["task"], question.number]
        wrong = (flaw in ("wrong", "harmful")) != bool(errs and next(count) % errs == 0)
        return {"correct": not wrong, "redundant": flaw == "needless"}

    return say


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("flawed") / "run", 2)


def test_flaws_are_put_in_noted_and_recovered_from_and_a_judge_is_measured(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert all(result.success for result in read_results(run).results), "it gets there in the end"
    steps = [step for trajectory in trajectories([run]) for step in trajectory.steps]
    assert all(truth_of(step) is not None for step in steps)
    counted = Counter(map(truth_of, steps))
    assert counted["none"] > 20
    assert counted["wrong"] + counted["needless"] + counted["harmful"] >= 4
    assert list(truth_pairs([run])) == [None] * (len(steps) - counted["unknown"])
    with serving(knowing(run)) as service:
        words = ["annotate", str(run), "--model", service.model, "--method", "parallel", "--redo"]
        assert main([*words, "--against-truth"]) == 0
        assert "truth" not in "".join(shown.question.text for shown in service.shown)
    found = compare([run])
    assert (found.unjudged, found.wrong.same) == (0, found.steps)
    assert found.redundant.kappa.mean in (None, 1.0)
    told = capsys.readouterr().out
    assert "kappa 1.00" in told
    assert main(["agreement", str(run)]) == 0
    assert table(found) in told
    assert table(found) in capsys.readouterr().out
    assert main(["agreement", str(run), "--json"]) == 0
    alike = json.loads(capsys.readouterr().out)["steps"]["wrong"]["alike"]
    assert alike["mean"] == 1.0
    assert 0 < alike["low"] < 1.0
    pairs = [pair for pair in truth_pairs([run]) if pair is not None]
    assert all(isinstance(pair, TruthPair) for pair in pairs)
    assert len(pairs) == found.steps
    assert "told rightly" in table(found)


def test_plain_words_are_hardly_ever_taken_for_the_future(run: Path) -> None:
    """What the oracle and the script say of steps names what is there, and nothing that comes of it."""
    flagged, said = 0, 0
    for trajectory in trajectories([run]):
        pages = PageWords(trajectory)
        for place, step in enumerate(trajectory.steps):
            future = future_words(trajectory, place, pages)
            said += bool(step.thought)
            flagged += future_in(step.thought or "", future) is not None
    assert said > 20
    assert flagged / said <= 0.02


@pytest.mark.sweep
def test_three_hundred_steps_measure_judges_of_known_quality(tmp_path: Path) -> None:
    run = made(tmp_path / "run", 10)
    found = compare([run])
    assert found.unjudged >= 300
    accuracy: dict[int, float] = {}
    for number, errs in enumerate((0, 10, 3), 1):
        with serving(knowing(run, errs)) as service:
            words = ["annotate", str(run), "--model", service.model, "--method", "parallel", "--redo", str(number)]
            assert main(words) == 0
        told = compare([run])
        print(f"\na judge that errs on {f'every {errs}th' if errs else 'no'} step:\n{table(told)}")
        assert told.steps == found.unjudged
        assert {"wrong", "needless", "harmful"} <= set(told.found)
        accuracy[errs] = told.wrong.same / told.steps
    assert accuracy[0] == 1.0
    assert accuracy[10] == pytest.approx(0.9, abs=0.05)
    assert accuracy[3] == pytest.approx(2 / 3, abs=0.1)
