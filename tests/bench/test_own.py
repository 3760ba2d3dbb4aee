"""An agent of one's own in a run: made with its options, and whatever it raises ends its own attempt alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workalike.bench.own import own_agent
from workalike.bench.runner import spent
from workalike.cli import main
from workalike.core.errors import AgentFailed, BadInput
from workalike.core.task import Task
from workalike.report.reading import read_results
from workalike.store.runs import Run

AGENT = """
from workalike.core.actions import Terminate
from workalike.core.contracts import Decision, Wants
from workalike.core.trajectory import Usage

class Mine:
    name = "own"
    wants = Wants()
    def __init__(self, breaks="", word="done", cost=None):
        self.breaks, self.word = breaks, word
        self.usage = cost and Usage(1, 700, 30, 0, cost)
        self._break("__init__")
    def _break(self, where):
        if self.breaks == where:
            raise RuntimeError(f"broken in {where}\\nand more")
    async def begin(self, task):
        self._break("begin")
    async def decide(self, percept):
        self._break("decide")
        return "click" if self.breaks == "shape" else Decision(
            (Terminate("success", self.word),), usage=self.usage)
    async def close(self):
        self._break("close")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.delitem(sys.modules, "my_own", raising=False)
    (tmp_path / "my_own.py").write_text(AGENT)
    return tmp_path


@pytest.mark.parametrize(
    ("breaks", "reason", "detail"),
    [
        ("", "terminated", ""),
        ("close", "terminated", ""),
        ("begin", "agent_error", "`begin` raised RuntimeError: broken in begin"),
        ("decide", "agent_error", "`decide` raised RuntimeError: broken in decide"),
        ("shape", "agent_error", "`decide` must return a `Decision`, not str"),
    ],
)
def test_it_runs_and_its_errors_are_its_own(
    breaks: str, reason: str, detail: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--option", f"breaks={breaks}", "--option", "word=finished"]
    words = ["run", "town", "--agent", "my_own:Mine", *given, "--repeats", "1", "--limit", "1", "--out", "run"]
    assert main(words) == (1 if reason == "agent_error" else 0)
    told = capsys.readouterr().out
    assert ("1 attempt ended by an error: " + detail in told) is (reason == "agent_error")
    run = Run(folder / "run")
    assert run.info.settings["agent"] == "my_own:Mine"
    assert run.info.settings["options"] == {"breaks": breaks, "word": "finished"}
    (stored,) = run.trajectories()
    stop = stored.trajectory.stop
    assert stop is not None
    assert (stop.reason, stop.detail) == (reason, detail)
    assert stored.trajectory.answer == ("finished" if reason == "terminated" else None)
    assert read_results(folder / "run").results[0].usage.cost is None, "what it took it did not tell"


async def test_what_is_no_decision_is_the_agents_failure() -> None:
    agent = own_agent("my_own:Mine", {"breaks": "shape"})()
    await agent.begin(Task("t", "Do it."))
    with pytest.raises(AgentFailed, match="must return a `Decision`, not str"):
        await agent.decide(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"brakes": 1}, "it takes breaks, word, cost"),
        ({"breaks": "__init__"}, "it raised RuntimeError: broken in __init__$"),
    ],
)
def test_what_cannot_be_made_is_said_at_once(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        own_agent("my_own:Mine", options)


def test_it_acts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["act", "Do it.", "--agent", "my_own:Mine", "--option", "word=finished", "--out", "act"]
    assert main(words) == 0
    assert "finished" in capsys.readouterr().out
    assert main([*words[:-1], "other", "--model", "openai/x"]) == 2
    assert not (folder / "other").exists()


@pytest.mark.parametrize(("given", "shown"), [((), None), (("--option", "cost=0.25"), 0.25)])
def test_what_it_tells_of_its_models_is_reported(
    given: tuple[str, ...], shown: float | None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "town", "--agent", "my_own:Mine", *given, "--repeats", "1", "--limit", "2", "--out", "run"]
    assert main(words) == 0
    assert ("cost unknown" if shown is None else "$0.50") in capsys.readouterr().err
    results = read_results(Path("run"))
    assert {one.usage.cost for one in results.results} == {shown}
    assert {one.usage.input_tokens for one in results.results} == {700 if shown else 0}
    assert spent(Run(Path("run"))).cost == (None if shown is None else 0.5)


KEYED = AGENT.replace("cost=None):", "cost=None, api_key=None):").replace(
    'raise RuntimeError(f"broken in {where}\\nand more")', "raise RuntimeError(SAYS)"
)
TOLD = "0p/en+sesame-42"
SPELT = (TOLD, TOLD.replace("/", "\\/"), "0p%2Fen%2Bsesame-42", "MHAvZW4rc2VzYW1lLTQy")


def test_its_key_is_written_nowhere_however_spelt_and_is_given_again(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    says = f"401 for keys {' and '.join(SPELT)}"
    (folder / "my_own.py").write_text(f"SAYS = {says!r}\n{KEYED}")
    words = ["run", "town", "--agent", "my_own:Mine", "--option", "breaks=decide", "--repeats", "1", "--limit", "1"]
    assert main([*words, "--option", f"api_key={TOLD}", "--out", "run"]) == 1
    run = Run(folder / "run")
    assert run.info.settings["options"] == {"breaks": "decide", "api_key": "[redacted]"}
    (stored,) = run.trajectories()
    assert stored.trajectory.stop is not None
    said = " and ".join(["[redacted]"] * len(SPELT))
    assert stored.trajectory.stop.detail == f"`decide` raised RuntimeError: 401 for keys {said}"
    written = [path.read_bytes() for path in (folder / "run").rglob("*") if path.is_file()]
    assert not any(form.encode() in data for data in written for form in SPELT)
    assert main([*words, "--option", "api_key=an0ther-key", "--out", "run"]) == 0, "the same run, gone on with"
    capsys.readouterr()
    assert main(["run", "--like", "run", "--out", "again"]) == 2
    assert "api_key is a secret, which no run keeps: give it again with --option api_key=…" in capsys.readouterr().err
    assert not (folder / "again").exists()
    assert main(["run", "--like", "run", "--option", f"api_key={TOLD}", "--out", "again"]) == 1
    assert Run(folder / "again").info.settings == run.info.settings
    monkeypatch.setenv("API_KEY", TOLD)
    assert main(["run", "--like", "run", "--out", "third"]) == 1
    out = capsys.readouterr()
    assert TOLD not in out.out + out.err


def test_an_act_keeps_no_key_either(folder: Path) -> None:
    (folder / "my_own.py").write_text(f"SAYS = 'no'\n{KEYED}")
    words = ["act", "Do it.", "--agent", "my_own:Mine", "--option", f"api_key={TOLD}", "--out", "act"]
    assert main(words) == 0
    assert not any(TOLD.encode() in path.read_bytes() for path in (folder / "act").rglob("*") if path.is_file())
