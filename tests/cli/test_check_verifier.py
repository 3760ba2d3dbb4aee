"""`workalike check-verifier` finds a class, has it judge attempts of every shape, and exits by what it finds."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.models.conftest import Serve, serve, server
from workalike.cli import main

__all__ = ["serve", "server"]

JUDGE = """
from itertools import count
from workalike.core.contracts import Needs
from workalike.core.trajectory import Usage
from workalike.core.verdict import Verdict
from workalike.models.messages import Request, said

NUMBERS = count()

class Fine:
    name, needs = "fine", Needs(key="rubric", pictures=True)
    def __init__(self, word="done"):
        self.settings = {"word": word}
    def estimate(self, case):
        return Usage()
    async def judge(self, case, pictures):
        return Verdict(case.id, self.name, "failure")

class Hasty(Fine):
    async def judge(self, case, pictures):
        for step in case.trajectory.steps:
            pictures.read(step.observation.picture)
        return Verdict(case.id, self.name, "success" if case.key.rubric else "failure")

class Restless(Fine):
    def __init__(self):
        self.settings = {"number": next(NUMBERS)}

class Forgetful(Fine):
    async def judge(self, case, pictures):
        return Verdict("practice/1", self.name, "failure")

class Wordless(Fine):
    async def judge(self, case, pictures):
        return Verdict(case.id, self.name, "ungraded")

class Shapeless:
    name, needs = "shapeless", None
    def judge(self, case, pictures):
        return None

class Asking(Fine):
    name, needs = "asking", Needs(model=True)
    def __init__(self, models, model):
        self.models, self.settings = models, {"model": model}
    async def judge(self, case, pictures):
        reply = await self.models.open(self.settings["model"]).reply(Request((said("user", "How was it?"),)))
        return Verdict(case.id, self.name, "success", reply.text, usage=reply.usage)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.delitem(sys.modules, "own_judges", raising=False)
    (tmp_path / "own_judges.py").write_text(JUDGE)
    return tmp_path


def broken(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, str]:
    assert main(["check-verifier", *words, "--json"]) == 1
    return {each["name"]: each["text"] for each in json.loads(capsys.readouterr().out) if not each["passed"]}


def test_a_good_verifier(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-verifier", "own_judges:Fine", "--set", "word=x"]) == 0
    assert "promises kept" in capsys.readouterr().out


def test_one_that_counts_on_pictures_and_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    found = broken(capsys, "own_judges:Hasty")
    assert set(found) == {
        "judges an attempt without a key",
        "judges an attempt whose picture is missing",
        "judges an imported attempt, of which little is known",
    }
    assert "is missing" in found["judges an attempt whose picture is missing"]


def test_one_whose_settings_change_by_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(broken(capsys, "own_judges:Restless")) == ["keeps its settings"]


def test_one_that_mixes_attempts_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(broken(capsys, "own_judges:Forgetful")) == ["keeps them apart"]


def test_one_that_gives_no_reason_for_not_judging(capsys: pytest.CaptureFixture[str]) -> None:
    assert "must say the reason" in broken(capsys, "own_judges:Wordless")["gives a verdict on an ordinary attempt"]


def test_one_that_has_not_the_shape(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["says what it needs", "tells its settings", "has estimate", "has judge"]
    assert list(broken(capsys, "own_judges:Shapeless")) == names


def test_one_that_asks_a_model_is_given_it(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-verifier", "own_judges:Asking", "--judge", f"m@{serve('It was fine.').v1}"]) == 0
    assert "promises kept" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["own_judges"], "write MODULE:CLASS"),
        (["own_judges:Nobody"], "has no class 'Nobody'"),
        (["json:JSONDecoder"], "has no `judge`"),
        (["own_judges:Asking"], "name it with --judge MODEL"),
        (["own_judges:Fine", "--judge", "openai/gpt-5"], "leave --judge out"),
        (["own_judges:Fine", "--set", "votes=3"], "it takes word"),
    ],
)
def test_what_is_not_understood_is_told(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-verifier", *words]) == 2
    assert sentence in capsys.readouterr().err
