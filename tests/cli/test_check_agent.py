"""`workalike check-agent` finds a class, says what it finds, and exits by it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from workalike.cli import main

AGENT = """
from workalike.core.actions import Terminate
from workalike.core.contracts import Decision, Wants

class {name}:
    name = "own"
    wants = Wants()
    def __init__(self, word="done"):
        self.word = word
    async def begin(self, task): ...
    async def decide(self, percept):
        return {decision}
    async def close(self): ...
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    return tmp_path


def test_a_good_agent(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "own_good.py").write_text(
        AGENT.format(name="Mine", decision="Decision((Terminate('success', self.word),))")
    )
    assert main(["check-agent", "own_good:Mine", "--set", "word=finished", "--steps", "1"]) == 0
    assert "promises kept" in capsys.readouterr().out


def test_a_bad_agent_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "own_bad.py").write_text(
        AGENT.format(name="Mine", decision="'click'").replace("async def begin", "def begin")
    )
    assert main(["check-agent", "own_bad:Mine", "--json"]) == 1
    checks = json.loads(capsys.readouterr().out)
    assert [check["name"] for check in checks if not check["passed"]] == ["has begin"]


@pytest.mark.parametrize("where", ["def __init__(self, word='done'):", "async def begin(self, task):"])
def test_an_agent_that_raises_before_it_decides(
    folder: Path, capsys: pytest.CaptureFixture[str], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "own_raises", raising=False)
    plain = AGENT.format(name="Mine", decision="None").replace('self, word="done"', "self, word='done'")
    broken = plain.replace(f"{where} ...", f"{where}\n        pass").replace(
        where, f"{where}\n        raise OSError('no\\nkey')"
    )
    (folder / "own_raises.py").write_text(broken)
    assert main(["check-agent", "own_raises:Mine", "--json"]) == 1
    (wrong,) = [check for check in json.loads(capsys.readouterr().out) if not check["passed"]]
    assert wrong["text"].startswith("raised OSError: no")
    assert "key" not in wrong["text"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["own_agent"], "write MODULE:CLASS"),
        (["no_such_module_here:Mine"], "cannot be imported"),
        (["json:Mine"], "has no class 'Mine'"),
        (["json:JSONDecoder"], "neither `decide`"),
        (["json:JSONDecoder", "--set", "x"], "write --set NAME=VALUE"),
        (["json:JSONDecoder", "--set", "modle=x"], "unexpected keyword argument 'modle'; it takes object_hook"),
    ],
)
def test_what_is_not_understood_is_told(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-agent", *words]) == 2
    assert sentence in capsys.readouterr().err
