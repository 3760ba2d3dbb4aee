"""A run that broke says so: how many attempts, and why; in its closing lines, in its exit code and in its report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.models.conftest import Serve
from workalike.cli import main
from workalike.core.actions import Terminate, Wait
from workalike.core.endings import Ending, ending_of, in_a_line, sentences, tally
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Stop, StopReason, Trajectory
from workalike.models.client import ServiceLimits
from workalike.models.server.asked import Broken, Malformed

UNREADABLE = (Notice("unreadable", "there is no call in it"),)
DONE = '<tool_call>\n{"name": "computer_use", "arguments": {"action": "terminate", "status": "success"}}\n</tool_call>'


def _trajectory(stop: Stop | None, *steps: Step) -> Trajectory:
    return Trajectory("t", Task("t", "Do it."), steps, stop=stop)


@pytest.mark.parametrize("reason", ["terminated", "asked"])
def test_what_an_agent_chose_is_no_news(reason: StopReason) -> None:
    assert ending_of(_trajectory(Stop(reason))) is None
    assert ending_of(_trajectory(None)) is None


def test_reasons_are_one_line_each() -> None:
    found = ending_of(_trajectory(Stop("agent_error", "it  broke\n  here" + "!" * 500)))
    assert found is not None
    assert found.detail.startswith("it broke here!!")
    assert len(found.detail) == 240


def test_an_agent_that_could_read_nothing_is_told_with_what_was_said() -> None:
    silent = Step(Observation(), reply="Which attempt\nis this?", notices=UNREADABLE)
    out = Stop("out_of_steps", "2 steps")
    assert ending_of(_trajectory(out, silent, silent)) == Ending("unread", "Which attempt is this?")
    acted = Step(Observation(), (ActionResult(Wait()),))
    assert ending_of(_trajectory(out, silent, acted)) == Ending("out_of_steps", "2 steps")
    assert (
        ending_of(_trajectory(Stop("terminated"), silent, Step(Observation(), (ActionResult(Terminate("success")),))))
        is None
    )
    wordless = Step(Observation(), reply="", notices=UNREADABLE)
    assert ending_of(_trajectory(out, wordless)) == Ending("unread", "there is no call in it")


def test_the_commonest_reasons_go_first_and_the_rest_is_counted() -> None:
    broken = [Ending("agent_error", f"reason {n}") for n in (1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5)]
    assert [each.count for each in tally(broken)] == [4, 3, 2, 1, 1]
    (sentence,) = sentences(broken, of=20)
    assert sentence == "11 of 20 attempts ended by an error: reason 4 (4); reason 3 (3); reason 2 (2); others (2)"
    assert sentences([Ending("timed_out")]) == ["1 attempt ran out of time"]
    assert sentences([]) == []
    assert in_a_line("a\x00 b") == "a\x00 b"


def _words(url: str, out: Path, *more: str) -> list[str]:
    words = ["run", "town", "--agent", "fara", "--model", f"m@{url}", "--repeats", "1", "--limit", "2"]
    return [*words, "--out", str(out), *more]


def test_a_service_that_turns_every_request_down(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = serve(Broken(400)).v1
    assert main(_words(url, tmp_path / "run")) == 1
    said = capsys.readouterr().out
    assert f"2 attempts ended by an error: m@{url} gave no usable answer: 400 " in said
    assert "not run again: once it is mended, choose another folder with --out" in said
    assert main(["report", str(tmp_path / "run")]) == 0
    assert "2 of 2 attempts ended by an error: m@" in capsys.readouterr().out
    assert main(_words(url, tmp_path / "run")) == 0, "nothing was run now, and nothing broke"
    assert "ended by an error" not in capsys.readouterr().out


def test_where_some_attempts_broke_the_run_is_done(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(_words(serve(Broken(400), DONE).v1, tmp_path / "run", "--jobs", "1", "--json")) == 0
    (ending,) = json.loads(capsys.readouterr().out)["endings"]
    assert (ending["kind"], ending["count"]) == ("agent_error", 1)
    assert "400" in ending["detail"]


def test_a_service_whose_every_reply_is_malformed(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workalike.bench.run.ServiceLimits", lambda **given: ServiceLimits(**{**given, "retries": 0}))
    assert main(_words(serve(Malformed()).v1, tmp_path / "run")) == 1
    assert "2 attempts ended by an error: m@" in capsys.readouterr().out


def test_a_model_that_does_not_exist_ends_the_run_and_fails_nothing(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = serve(Broken(404)).v1
    assert main(_words(url, tmp_path / "run")) == 1
    said = capsys.readouterr().out
    assert "0 attempts finished now, 0 before, 2 left to run" in said
    assert f"stopped: m@{url} gave no usable answer: 404 " in said
    assert main(["report", str(tmp_path / "run")]) == 0
    assert "2 of 2 attempts did not finish; they count as failures: m@" in capsys.readouterr().out


def test_a_model_that_cannot_speak_the_agents_words(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(_words(serve("Which attempt is this?").v1, tmp_path / "run", "--steps", "2")) == 0
    assert "2 attempts had no reply that could be read: Which attempt is this?" in capsys.readouterr().out


def test_replies_out_of_a_cache_are_told_of(serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = serve(DONE).v1
    # the looks of train hold still: the questions are the same
    cache = ["--split", "train", "--cache", str(tmp_path / "replies")]
    assert main(_words(url, tmp_path / "first", *cache)) == 0
    assert main(_words(url, tmp_path / "second", *cache)) == 0
    capsys.readouterr()
    assert main(["report", str(tmp_path / "first"), str(tmp_path / "second")]) == 0
    said = capsys.readouterr().out
    told = (
        "4 of 4 replies came from the cache, and count as no tokens and no dollars"  # two ends, each asked for a line
    )
    assert f"fara m@{url} (second): {told}" in said
    assert f"fara m@{url} (first): 4 of 4" not in said
