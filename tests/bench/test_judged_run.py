"""A run with a judge behind real HTTP: what judging will take is said first, attempts are judged as they end."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.models.conftest import Serve, serve, server
from tests.verify.scripted_judge import NotingJudge
from workalike.cli import main
from workalike.store.layers import verdicts_of
from workalike.store.runs import Run
from workalike.verify.scripted import Truth

__all__ = ["serve", "server"]
AGENT = """
from workalike.core.actions import Terminate
from workalike.core.contracts import Decision, Wants

class Parrot:
    name, wants = "parrot", Wants()

    async def begin(self, task):
        self.told = task.instruction

    async def decide(self, percept):
        return Decision((Terminate("success", self.told),))

    async def close(self):
        pass
"""
"""An agent that says nothing but what it was told."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_parrot.py").write_text(AGENT)
    (tmp_path / "prices.json").write_text('{"m": {"input": 2, "output": 8}}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def layers(folder: Path) -> dict[str, list[str]]:
    return {layer.header.name: [verdict.outcome for _, verdict in layer] for layer in verdicts_of(folder)}


def test_judging_is_estimated_before_a_run_and_done_as_attempts_end(
    serve: Serve, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = NotingJudge({}, otherwise=Truth("blocked", unmet=(1,)))
    service = serve(answer=judge)
    words = ["--agent", "oracle", "--limit", "2", "--repeats", "1", "--verify", "rubric", "--judge", f"m@{service.v1}"]
    command = ["run", "town", *words, "--prices", "prices.json", "--json", "--out", "run"]
    assert main(command) == 0
    first = capsys.readouterr()
    told = r"2 to judge by rubric, at 20 screenshots an attempt: 12 calls, [\d,]+ tokens in, [\d,]+ out, \$0\.\d\d\n"
    assert re.search(told, first.err)
    assert layers(Path("run")) == {"state": ["success"] * 2, "rubric": ["blocked"] * 2}
    verdicts = [verdict for layer in verdicts_of(Path("run")) for _, verdict in layer if verdict.usage]
    assert (
        sum(each.usage.requests for each in verdicts if each.usage) == service.books.total.requests == len(judge.kinds)
    )
    assert json.loads(first.out)["spent"] == pytest.approx(sum(each.usage.cost or 0 for each in verdicts if each.usage))
    assert main(command) == 0
    assert service.books.total.requests == len(judge.kinds)
    assert "to judge by" not in capsys.readouterr().err
    assert main(["report", "run", "--verifier", "rubric", "--json"]) == 0
    assert '"mean":0.0' in capsys.readouterr().out.replace(" ", "")  # neither task was made with a wall


def test_a_dead_judge_ends_a_run_at_once_also_where_only_judging_is_left(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It used to be tried again for a minute, and the run to end with 1."""
    words = ["run", "town", "--agent", "own_parrot:Parrot", "--task", "flights_3", "--repeats", "1", "--out", "run"]
    assert main(words) == 0
    capsys.readouterr()
    dead = [*words, "--verify", "rubric", "--judge", "m@http://127.0.0.1:9/v1"]
    assert main(dead) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("workalike: no model server answers at http://127.0.0.1:9/v1 (connection refused)")
    assert not any("is not judged yet" in line for line in said)


def test_free_answers_tell_of_no_line_and_are_judged_by_who_is_asked_to(serve: Serve, folder: Path) -> None:
    service = serve(answer=NotingJudge({}, otherwise=Truth()))
    words = ["run", "town", "--agent", "own_parrot:Parrot", "--task", "flights_3", "--repeats", "1"]
    assert main([*words, "--out", "line"]) == 0
    assert main([*words, "--answers", "free", "--out", "free"]) == 0
    told, free = (next(Run(Path(name)).trajectories()).trajectory for name in ("line", "free"))
    assert free.answer == free.task.instruction
    assert told.answer is not None
    assert told.answer.startswith(free.answer)
    assert "ANSWER: " in told.answer
    assert layers(Path("line")) == {"state": ["failure"]}
    assert layers(Path("free")) == {}
    judged = ["--answers", "free", "--verify", "rubric", "--judge", f"m@{service.v1}", "--out", "free"]
    assert main([*words, *judged]) == 0
    assert layers(Path("free")) == {"rubric": ["success"]}
