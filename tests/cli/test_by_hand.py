"""Attempts played by hand from the first question to a solved task: one process asks, another writes the replies.

The part of the oracle is played from what it did itself on the same task: the town is the same byte for byte, so what
it did then is right now, said in the words of whichever agent asks."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.cli.by_hand import Asking, asking, got, reply, reply_at
from tests.families.listing import listed
from workalike.cli import main
from workalike.core.actions import Action
from workalike.core.observation import Observation
from workalike.core.screen import Size
from workalike.core.trajectory import Trajectory
from workalike.dialects.reply import ParsedReply
from workalike.families.speech import speak
from workalike.models.messages import Reply
from workalike.report.reading import read_results
from workalike.store.runs import Run
from workalike.store.trajectories import read_trajectory

# Looks of the train split hold still: what the oracle saw is what is seen when it is played again.
TASK, OTHER, SCREEN = "train_shopping_11", "train_shopping_3", Size(1440, 900)
TOWN = ["run", "town", "--split", "train"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Trajectory:
    """What the oracle does on the task."""
    folder = tmp_path_factory.mktemp("oracle") / "run"
    assert main([*TOWN, "--agent", "oracle", "--task", TASK, "--repeats", "1", "--out", str(folder)]) == 0
    (result,) = read_results(folder).results
    assert result.success
    return next(Run(folder).trajectories()).trajectory


def in_words(action: Action, seen: Observation, speech: str, page: str) -> str:
    """What the oracle did in an agent's words, as a person would write it by what the page shows."""
    marks = {(each.role, each.name): each.mark for each in listed(page)}
    known = [each for each in seen.elements or () if (each.role, each.name) in marks]
    said = speak(ParsedReply((action,), thought="On we go."), speech, SCREEN, known)
    return said.text if not said.calls else written(said)


def written(said: Reply) -> str:
    calls = [{"name": call.name, "arguments": call.arguments} for call in said.calls]
    return f"{said.text}\n\n```json\n{json.dumps(calls, indent=2)}\n```\n"


def play(asker: Asking, played: Trajectory, speech: str, steps: int | None = None) -> None:
    """Answer the questions as the oracle did, one after the other, all of them or so many."""
    for step in played.steps[:steps]:
        (question,) = asker.asked()
        reply(question, in_words(step.actions[0].action, step.observation, speech, question.page.read_text()))


def test_a_run_is_played_to_a_solved_task_killed_on_the_way(played: Trajectory, tmp_path: Path) -> None:
    run, questions = tmp_path / "run", tmp_path / "run" / "questions"
    words = [*TOWN, "--agent", "som", "--model", "by-hand", "--task", TASK, "--repeats", "1", "--out", str(run)]
    with asking(words, questions, tmp_path / "killed") as asker:
        play(asker, played, "som", steps=3)
        (left,) = asker.asked()
        assert left.folder.parts[-2:] == ("1.1", "step-004")
        os.kill(asker.process.pid, signal.SIGKILL)
        asker.process.wait()
    with asking(words, questions, tmp_path / "said") as asker:
        (first,) = asker.asked()
        assert first.folder.parts[-2:] == ("1.2", "step-001"), "an interrupted attempt begins anew, in new folders"
        assert (left.folder / "withdrawn.md").exists()
        play(asker, played, "som")
        assert "1 attempt finished now" in asker.finished()
    (result,) = read_results(run).results
    assert (result.success, result.usage.cost, result.usage.requests) == (True, 0.0, 0)
    assert result.replies == 3 + len(played.steps)
    settings = Run(run).info.settings
    assert (settings["model"], settings["limits"]["step_seconds"]) == ("by-hand", 24 * 3600), (
        "a person may take a while"
    )
    assert {each.trajectory.provenance.model for each in Run(run).trajectories() if each.trajectory.provenance} == {
        "by-hand"
    }
    with asking(words, questions, tmp_path / "again") as asker:
        assert "0 attempts finished now, 1 before" in asker.finished(), "what was answered is not asked again"


def test_an_agent_that_acts_by_calls_is_played_to_a_solved_task(played: Trajectory, tmp_path: Path) -> None:
    run, questions = tmp_path / "run", tmp_path / "elsewhere"
    words = [*TOWN, "--agent", "anthropic", "--model", "by-hand", "--task", TASK, "--repeats", "1"]
    with asking([*words, "--questions", str(questions), "--out", str(run)], questions, tmp_path / "said") as asker:
        (first,) = asker.asked()
        assert "(tool computer) The screen, 1280×800 pixels" in first.page.read_text()
        play(asker, played, "anthropic")
        asker.finished()
    (result,) = read_results(run).results
    assert result.success
    assert not (run / "questions").exists()


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--model", "by-hand", "--cap", "1"], "--model by-hand asks a person, not a service: leave --cap out"),
        (["--model", "by-hand", "--sampling", "seed=1", "--cache", "x"], "leave --sampling --cache out"),
        (["--model", "m@http://127.0.0.1:9/v1", "--questions", "x"], "name --model by-hand, or leave it out"),
        (["--model", "m@http://127.0.0.1:9/v1", "--by-hand"], "--by-hand makes you the model: leave --model m@"),
        ([], "or be it yourself, with --model by-hand"),
    ],
)
def test_what_goes_with_no_person_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], sentence: str
) -> None:
    assert main(["run", "town", "--agent", "som", *more, "--limit", "1", "--out", str(tmp_path / "run")]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_several_at_once_and_replies_that_cannot_be_read(tmp_path: Path) -> None:
    """Each waits in a folder of its own, is told, and is asked again with a correction; a page takes replies, too."""
    run, questions = tmp_path / "run", tmp_path / "run" / "questions"
    words = [*TOWN, "--agent", "som", "--by-hand", "--task", TASK, "--task", OTHER]
    with asking([*words, "--jobs", "2", "--repeats", "1", "--out", str(run)], questions, tmp_path / "said") as asker:
        both = asker.asked(2)
        assert [each.folder.relative_to(questions).parts[1:] for each in both] == [("1.1", "step-001")] * 2
        assert "(2 wait)" in asker.said
        reply(both[0], "I would rather not say.")
        again = next(each for each in asker.asked(2) if each.folder != both[1].folder)
        assert (again.folder.parent, again.folder.name) == (both[0].folder.parent, "step-001-2")
        assert "That reply could not be carried out" in again.page.read_text().split("I would rather not say.")[1]
        end = '{"do": "terminate", "status": "failure", "answer": "ANSWER: impossible"}'
        over = f'{{"thought": "Enough.", "actions": [{end}]}}'
        reply(again, over)
        reply_at(asker.page(), both[1], questions, over)
        assert "2 attempts finished now" in asker.finished()


def test_act_on_the_town_as_it_is_printed(played: Trajectory, tmp_path: Path) -> None:
    """The command that `town serve` prints, word for word."""
    serving = [sys.executable, "-m", "workalike.cli", "town", "serve", "--port", "0", "--task", TASK]
    with subprocess.Popen(serving, stdout=subprocess.PIPE, text=True) as town:
        try:
            assert town.stdout is not None
            printed = next(line for line in town.stdout if line.strip().startswith("workalike act"))
            words = shlex.split(printed)[1:]
            out = tmp_path / "act"
            with asking([*words, "--out", str(out)], out / "questions", tmp_path / "said") as asker:
                asker.asked()
                address, key = asker.page()
                assert len(json.loads(got(f"{address}/api/questions/{key}")[1])) == 1
                play(asker, played, "som")
                said = asker.finished()
        finally:
            town.terminate()
    assert f"\n{played.answer}\n" in said
    done = read_trajectory(out / "trajectory.jsonl").trajectory
    assert done.provenance is not None
    assert done.provenance.model == "by-hand"
    assert done.final is not None
    assert played.final is not None
    ended, wanted = urlsplit(done.final.url or ""), urlsplit(played.final.url or "")
    assert (ended.path, ended.query) == (wanted.path, wanted.query) != ("/", "")
