"""One task of one's own from the command line: watched, stored, asked about, stopped."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import msgspec
import pytest

from tests.env.web import HOST, Handler, Web
from tests.families.conftest import serve, server, web
from tests.families.listing import listed
from tests.families.test_path import PAGE, playing
from tests.models.conftest import Serve, Service
from tests.programs import needs
from workalike.cli import main
from workalike.core.actions import Action, Ask, Click, Press, Terminate, Wait, Write
from workalike.core.screen import Box, Point, Size
from workalike.dialects.reply import ParsedReply
from workalike.families.speech import speak, speech_of
from workalike.models.asked import Asked
from workalike.models.messages import Reply
from workalike.models.server.asked import Fault, Hanging
from workalike.store.trajectories import read_trajectory
from workalike.store.transcripts import read_books

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
    assert (
        read_books(tmp_path / "act" / "transcript.jsonl").usage.input_tokens
        == counted.input
        == trajectory.usage.input_tokens
    )
    assert main(words(service, web, tmp_path / "act")) == 2
    assert "exists already" in capsys.readouterr().err


def test_the_outcome_as_json(serve: Serve, web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = serve(answer=playing(web))
    assert main(words(service, web, tmp_path / "act", "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["stop"]["reason"], told["status"], told["answer"]) == ("terminated", "success", "Booked.")


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("Go ahead.\n", "terminated"),
        ("\n", "stopped, since its question was not answered"),
        ("", "stopped, since its question was not answered"),
    ],
)
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
        return speak(ParsedReply((step,)), "fara-1.5", SCREEN)

    terminal = io.StringIO(typed)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    code = main(words(serve(answer=answer), web, tmp_path / "act"))
    shown = capsys.readouterr()
    assert "? Shall I pay?" in shown.err
    assert f"\n{reason} after" in shown.out
    assert code == (0 if reason == "terminated" else 1)


def test_without_a_terminal_the_model_is_told_that_nobody_answers(serve: Serve, web: Web, tmp_path: Path) -> None:
    service = serve(speak(ParsedReply((Ask("Shall I pay?"),)), "fara-1.5", SCREEN))
    command = [sys.executable, "-m", "workalike.cli", *words(service, web, tmp_path / "act")]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    told = "\n".join(message.text for message in service.asked[0].request.messages)
    assert "Nobody answers questions here" in told
    assert "Before such a step ask the user" not in told
    assert "Shall I pay?" in done.stdout
    assert done.returncode == 1


def test_ctrl_c_stops_it_cleanly(serve: Serve, web: Web, tmp_path: Path) -> None:
    service = serve(speak(ParsedReply((Wait(0.1),)), "fara-1.5", SCREEN), Hanging(60.0))
    command = [sys.executable, "-m", "workalike.cli", *words(service, web, tmp_path / "act")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("  1")
        while len(service.asked) < 2:  # the second decision is under way
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=120)
    assert process.returncode == 130
    assert complaint.splitlines()[-1] == "stopped"
    assert f"written to {tmp_path / 'act'}; see" in complaint
    assert "1 request may have been charged without saying so" in complaint
    stored = read_trajectory(tmp_path / "act" / "trajectory.jsonl").trajectory
    assert stored.stop is not None
    assert stored.stop.reason == "interrupted"
    assert len(stored.steps) == 1


class _Terminal:
    """A terminal with a command at it, as a person has one: Ctrl-C goes to everything that was started there."""

    def __init__(self, command: list[str]) -> None:
        self._end, inner = os.openpty()
        self.process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, start_new_session=True, preexec_fn=_take_terminal
        )
        os.close(inner)
        self.shown = ""

    def until(self, text: str, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while text not in self.shown and time.monotonic() < end:
            if select.select([self._end], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self._end, 4096).decode(errors="replace")
                except OSError:  # nobody is at the other end any more
                    break
        assert text in self.shown, self.shown

    def type(self, keys: str) -> None:
        os.write(self._end, keys.encode())


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize("asked", ["? Shall I pay?", "waiting for the model, 1 s"])
def test_ctrl_c_at_a_terminal_stops_it_wherever_it_is(serve: Serve, web: Web, tmp_path: Path, asked: str) -> None:
    reply = speak(ParsedReply((Ask("Shall I pay?"),), "It wants money."), "fara-1.5", SCREEN)
    service = serve(reply if asked.startswith("?") else Hanging(60.0))
    terminal = _Terminal([sys.executable, "-m", "workalike.cli", *words(service, web, tmp_path / "act")])
    terminal.until(asked)
    terminal.type("\x03")
    terminal.until("stopped\r\n")
    assert terminal.process.wait(30) == 130
    assert "the browser is gone" not in terminal.shown
    if asked.startswith("?"):
        assert terminal.shown.index("It wants money.") < terminal.shown.index(asked)
    stop = read_trajectory(tmp_path / "act" / "trajectory.jsonl").trajectory.stop
    assert stop is not None
    assert stop.reason == "interrupted"


def test_a_refused_page_ends_with_the_remedy(
    serve: Serve, web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given_up = speak(ParsedReply((Terminate("success", "It is not there."),)), "fara-1.5", SCREEN)
    where = ["--start", f"{web.address()}/trip", "--out", str(tmp_path / "act")]
    model = ["--agent", "fara-1.5", "--model", f"m@{serve(given_up).v1}"]
    assert main(["act", "Look around.", *model, *where]) == 2
    assert f"--reach {web.place}={web.place}" in capsys.readouterr().err


def test_a_task_without_words_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["act", " ", "--agent", "som", "--model", "by-hand"]) == 2
    assert "the task is empty" in capsys.readouterr().err


ORDER = """<!doctype html><title>Till</title><body style="margin:0"><form action=/place-order method=post>
<button style="position:absolute;left:40%;top:40%;width:20%;height:20%">Order</button></form>"""


async def ordering(asked: Asked) -> Reply | Fault:
    """A model that orders, and says what came of it."""
    if len(asked.request.messages) < 3:
        return speak(ParsedReply((Click(Point(0.5, 0.5)),), "I order."), "fara-1.5", SCREEN)
    return speak(ParsedReply((Terminate("success", "Ordered."),)), "fara-1.5", SCREEN)


LIVE = """
import sys
from functools import partial
from workalike.cli import main
from workalike.core import contracts
from workalike.env.policy import reach  # which is made of it
contracts.Reach = partial(contracts.Reach, live=("*",))
sys.exit(main())
"""
"""The command line, for which the small web is no host of one's own but a live site."""


def order(service: Service, web: Web, out: Path) -> list[str]:
    made = words(service, web, out)
    web.pages["/trip"], web.pages["/place-order"] = ORDER, "<title>Thanks</title>"
    return [sys.executable, "-c", LIVE, *made]


@pytest.mark.parametrize(("typed", "orders", "said"), [("y", 1, "yes"), ("", 0, "no")])
def test_an_irreversible_step_waits_for_a_yes_at_the_terminal(
    serve: Serve, web: Web, tmp_path: Path, typed: str, orders: int, said: str
) -> None:
    """At a real terminal, whatever the model thinks of it."""
    terminal = _Terminal(order(serve(answer=ordering), web, tmp_path / "act"))
    terminal.until("Do it? [y/N]")
    assert web.posts == []
    assert "I order." in terminal.shown, "what it thinks is seen before it is decided on"
    terminal.type(f"{typed}\n")
    terminal.until("workalike view")
    terminal.process.wait(30)
    shown = terminal.shown
    assert f"click on button 'Order' at http://{HOST}/trip" in shown
    assert len(web.posts) == orders
    trajectory = read_trajectory(tmp_path / "act" / "trajectory.jsonl").trajectory
    asked = [notice.text for step in trajectory.steps for notice in step.notices if notice.kind == "asked"]
    assert len(asked) == 1
    assert asked[0].endswith(f"and said {said}")


def test_with_nobody_to_ask_an_irreversible_step_ends_the_task(serve: Serve, web: Web, tmp_path: Path) -> None:
    command = order(serve(answer=ordering), web, tmp_path / "act")
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "stopped by policy" in done.stdout
    assert "Nobody is at a terminal to be asked; run it in one, or pass --irreversible" in done.stdout
    assert web.posts == []
    passed = subprocess.run(
        [*order(serve(answer=ordering), web, tmp_path / "two"), "--irreversible"], stdin=subprocess.DEVNULL, timeout=120
    )
    assert passed.returncode == 0
    assert len(web.posts) == 1


@pytest.mark.parametrize("family", ["som", "uitars"])
def test_on_a_desktop(serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str], family: str) -> None:
    """A real dialog on a display of its own: one family goes by its elements, the other by places and keys."""
    needs("Xvfb", "zenity")

    async def answer(asked: Asked) -> Reply | Fault:
        speech = speech_of(asked)
        assert speech is not None
        said = sum(message.role == "assistant" for message in asked.request.messages)
        marked = [
            msgspec.structs.replace(each, box=Box(0.001 * (each.mark or 0), 0.5, 0.001, 0.1))
            for each in listed(asked.request.messages[-1].text)
        ]
        button = next((each.box.centre for each in marked if each.name == "OK" and each.box), None)
        agree = Click(button) if button else Press(("enter",))
        steps: list[Action] = [Write("Lisbon"), agree, Terminate("success", "ParsedReply where to go.")]
        return speak(ParsedReply((steps[said],), "On we go."), speech, Size(1280, 800), marked, asked)

    program = f"sh -c 'zenity --entry > {tmp_path / 'answer.txt'}'"
    service = serve(answer=answer)
    where = ["--on", "desktop", "--program", program, "--out", str(tmp_path / "act")]
    code = main(["act", "Say where to go.", "--agent", family, "--model", f"{family}@{service.v1}", *where])
    shown = capsys.readouterr().out
    assert code == 0, shown
    assert (tmp_path / "answer.txt").read_text() == "Lisbon\n"
    trajectory = read_trajectory(tmp_path / "act" / "trajectory.jsonl").trajectory
    assert [step.observation.kind for step in trajectory.steps] == ["desktop"] * 3
    assert trajectory.provenance is not None
    assert any(name.startswith(f"agents/{family}/") for name in trajectory.provenance.prompts)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [(["--program", "no-such-program"], "there is no program"), (["--display", ":4711"], "cannot be reached")],
)
def test_what_a_desktop_lacks_is_said_before_anything_is_written(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], sentence: str
) -> None:
    where = ["--on", "desktop", "--out", str(tmp_path / "act"), *more]
    assert main(["act", "Try.", "--agent", "uitars", "--model", f"m@{serve('never').v1}", *where]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "act").exists()


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--on", "desktop"], "--start and --reach cannot be had with --on desktop"),
        (["--display", ":0"], "--display cannot be had with --on browser"),
        (["--sampling", "temperature=hot"], "cannot be asked like that"),
        (["--sampling", "temprature=1"], "there are temperature, top_p, seed"),
        (["--prompts", "BAD"], "asks for {{nonsense}}"),
        (["--option", "colour=blue"], "its options are"),
        (["--reach", "nowhere"], "HOST=ADDRESS"),
        (["--start", "not an address"], "--start takes an address"),
        (["--cap", "1"], "none is known"),
        (["--agent", "farra"], "there is no agent 'farra': did you mean fara?"),
        (["--sampling", "max_tokens=0"], "max_tokens must be at least 1, not 0"),
        (["--sampling", "top_p=7"], "top_p must be more than 0 and at most 1, not 7"),
        (["--cap", "nan"], "--cap must be a number above 0"),
        (["--cap", "-1"], "--cap must be a number above 0"),
        (["--steps", "0"], "--steps must be at least 1"),
        (["--agent", "json:JSONDecoder", "--cap", "1"], "opens its model itself, beyond the reach of --model --cap"),
        (["--start", "file:///etc/passwd"], "--start takes an address"),
        (["--questions", "/tmp"], "name --model by-hand, or leave it out"),
        (["--model", "by-hand", "--cap", "1"], "asks a person, not a service: leave --cap out"),
        (["--model", "openai/gpt-5"], "openai/gpt-5 needs a key"),
        (["--model", "oracle"], "`workalike run town --model oracle` asks it"),
        (["--model", "m@http://127.0.0.1:99999/v1"], "Port out of range"),
        (["--prompts", "TORN"], "cannot be read as UTF-8 text"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    serve: Serve,
    web: Web,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    sentence: str,
) -> None:
    for name, text in {"BAD": b"Do {{nonsense}}.", "TORN": b"Do \xff."}.items():
        (tmp_path / name / "agents" / "fara").mkdir(parents=True)
        (tmp_path / name / "agents" / "fara" / "system.md").write_bytes(text)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    given = [str(tmp_path / each) if each in ("BAD", "TORN") else each for each in more]
    assert main([*words(serve("never"), web, tmp_path / "act"), *given]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1
    assert not (tmp_path / "act").exists()


def test_a_host_of_ones_own_is_no_live_site(serve: Serve, web: Web, tmp_path: Path) -> None:
    """What is reached by --reach is the user's: nobody need be asked before an order there."""
    made = order(serve(answer=ordering), web, tmp_path / "act")
    ours = [sys.executable, "-m", "workalike.cli", *made[3:]]
    done = subprocess.run(ours, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert len(web.posts) == 1


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        ("http://127.0.0.1:8099/", "let it be reached with --reach 127.0.0.1:8099=127.0.0.1:8099"),
        (f"http://{HOST}:81/", "could not be opened"),
        ("http://dead.localhost/", "could not be opened"),
    ],
)
def test_a_start_page_that_cannot_be_opened_ends_it_before_a_model_is_asked(
    serve: Serve, web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str], start: str, sentence: str
) -> None:
    service = serve(answer=playing(web))
    where = ["--reach", "dead.localhost=127.0.0.1:9", "--start", start]
    assert main([*words(service, web, tmp_path / "act"), *where]) == 2
    assert sentence in capsys.readouterr().err
    assert service.books.total.tokens.input == 0
    assert not (tmp_path / "act").exists(), "the same command may be given again"


def test_a_start_page_that_leads_to_a_refused_host_ends_it_before_a_model_is_asked(
    serve: Serve, web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = serve(answer=playing(web))
    for away in ("<meta http-equiv=refresh content='0; url=http://10.1.2.3/'>", redirected):
        web.pages["/away"] = away
        assert main([*words(service, web, tmp_path / "act"), "--start", f"http://{HOST}/away"]) == 2
        assert "let it be reached with --reach 10.1.2.3:80=10.1.2.3:80" in capsys.readouterr().err
        assert service.books.total.tokens.input == 0
        assert not (tmp_path / "act").exists()


def redirected(handler: Handler) -> None:
    handler.send_response(302)
    handler.send_header("Location", "http://10.1.2.3/")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


@pytest.mark.parametrize("start", ["http://localhost:{port}/trip", "localhost:{port}/trip", "http://localhost/trip"])
def test_reach_covers_the_address_with_its_port_and_without(serve: Serve, web: Web, tmp_path: Path, start: str) -> None:
    port = web.place.rpartition(":")[2]
    where = ["--reach", f"localhost={web.place}", "--start", start.format(port=port)]
    assert main([*words(serve(answer=playing(web)), web, tmp_path / "act"), *where]) == 0
    assert "go:Lisbon" in web.posts
