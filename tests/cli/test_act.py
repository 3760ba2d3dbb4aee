"""One task of one's own from the command line: watched, stored, asked about, stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.agents.conftest import serve, server, web
from tests.agents.test_path import PAGE, playing
from tests.env.web import HOST, Web
from tests.models.conftest import Serve, Service
from understudy.agents.speech import speak
from understudy.cli import main
from understudy.core.actions import Ask, Terminate, Wait
from understudy.core.screen import Size
from understudy.dialects.reply import Reply as Said
from understudy.models.messages import Reply
from understudy.models.server.asked import Asked, Fault, Hanging
from understudy.models.transcript import books
from understudy.store.trajectories import read_trajectory

__all__ = ["serve", "server", "web"]
SCREEN = Size(1440, 900)


def words(service: Service, web: Web, out: Path, *more: str) -> list[str]:
    web.pages["/trip"], web.pages["/tell"] = PAGE, "ok"
    web.posts.clear()
    where = ["--start", f"http://{HOST}/trip", "--reach", f"{HOST}={web.place}", "--out", str(out)]
    return ["act", "Book a trip to Lisbon.", "--agent", "fara-1.5", "--model", f"m@{service.v1}", *where, *more]


def test_a_task_is_done_and_shown_as_it_goes(
    serve: Serve, web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = serve(answer=playing(web))
    assert main(words(service, web, tmp_path / "act")) == 0
    shown = capsys.readouterr().out
    assert "go:Lisbon" in web.posts
    assert '→ write {"text":"Lisbon"}' in shown
    assert "\nBooked.\n" in shown
    assert "an unknown price" in shown
    trajectory = read_trajectory(tmp_path / "act" / "trajectory.jsonl").trajectory
    assert len(trajectory.steps) == 4
    counted = service.books.total.tokens
    assert books(tmp_path / "act" / "transcript.jsonl").input_tokens == counted.input == trajectory.usage.input_tokens
    assert main(words(service, web, tmp_path / "act")) == 2
    assert "exists already" in capsys.readouterr().err


def test_the_outcome_as_json(serve: Serve, web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = serve(answer=playing(web))
    assert main(words(service, web, tmp_path / "act", "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["stop"]["reason"], told["status"], told["answer"]) == ("terminated", "success", "Booked.")


@pytest.mark.parametrize(("typed", "reason"), [("Go ahead.\n", "terminated"), ("\n", "asked"), ("", "asked")])
def test_it_asks_and_goes_by_the_answer(
    serve: Serve,
    web: Web,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    reason: str,
) -> None:
    import io

    async def answer(asked: Asked) -> Reply | Fault:
        told = "\n".join(message.text for message in asked.request.messages)
        step = Terminate("success", "Done.") if "The user answers: Go ahead." in told else Ask("Shall I pay?")
        return speak(Said((step,)), "fara-1.5", SCREEN)

    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code = main(words(serve(answer=answer), web, tmp_path / "act"))
    shown = capsys.readouterr().out
    assert "? Shall I pay?" in shown
    assert f"\n{reason} after" in shown
    assert code == (0 if reason == "terminated" else 1)


def test_ctrl_c_stops_it_cleanly(serve: Serve, web: Web, tmp_path: Path) -> None:
    service = serve(speak(Said((Wait(0.1),)), "fara-1.5", SCREEN), Hanging(60.0))
    command = [sys.executable, "-m", "understudy.cli", *words(service, web, tmp_path / "act")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("  1")
        while len(service.asked) < 2:  # the second decision is under way
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=30)
    assert process.returncode == 130
    assert complaint == "stopped\n"
    stored = read_trajectory(tmp_path / "act" / "trajectory.jsonl").trajectory
    assert stored.stop is not None
    assert stored.stop.reason == "interrupted"
    assert len(stored.steps) == 1


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--sampling", "temperature=hot"], "cannot be asked like that"),
        (["--option", "colour=blue"], "its options are"),
        (["--reach", "nowhere"], "HOST=ADDRESS"),
        (["--cap", "1"], "none is known"),
        (["--agent", "farra"], "there is no agent 'farra'"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    serve: Serve, web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], sentence: str
) -> None:
    assert main([*words(serve("never"), web, tmp_path / "act"), *more]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1
    assert not (tmp_path / "act").exists()
