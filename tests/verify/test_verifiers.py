"""Verifiers by name and of one's own: made from specs, shown as much of the key as they need, harmless when broken."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from workalike.core.actions import Terminate
from workalike.core.contracts import Needs, Verifier, VerifierSpec
from workalike.core.errors import BadInput, Infrastructure, OverBudget
from workalike.core.key import Criterion, Evaluator, Key, Rubric
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.core.verdict import FailurePoint, Verdict
from workalike.store.pictures import PictureStore
from workalike.verify.verifiers import case_for, judged, make_verifier, names

OWN = """
from workalike.core.contracts import Case, Needs
from workalike.core.errors import Infrastructure, OverBudget
from workalike.core.trajectory import Usage
from workalike.core.verdict import Verdict

class Word:
    name, needs = "word", Needs()
    def __init__(self, word="done", breaks=None):
        self.settings, self._word, self._breaks = {"word": word}, word, breaks
    def estimate(self, case):
        return Usage()
    async def judge(self, case, pictures):
        if isinstance(self._breaks, type):
            raise self._breaks("it broke")
        if self._breaks:
            return strange(self._breaks, case)
        said = case.trajectory.extra.get("word") == self._word
        return Verdict(case.id, self.name, "success" if said else "failure")

def strange(how, case):
    return {"shape": "success", "other": Verdict("x", "word", "success"),
            "silent": Verdict(case.id, "word", "ungraded"),
            "score": Verdict(case.id, "word", "success", process=80)}[how]

class Asking(Word):
    name, needs = "asking", Needs(model=True)
    def __init__(self, models, model):
        super().__init__()
        self.models, self.settings = models, {"model": model}

class Shapeless:
    name = "shapeless"
"""
TRAJECTORY = Trajectory("t1", Task("a", "do it"), extra={"word": "done"})
KEY = Key("a", rubric=Rubric((Criterion("c", "d", 1),)), evaluators=(Evaluator(),), refuse=True)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "own_words.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "own_words"


def _judged(verifier: Verifier, tmp_path: Path, key: Key | None = KEY) -> Verdict:
    return asyncio.run(judged(verifier, TRAJECTORY, key, PictureStore(tmp_path)))


def test_state_is_a_verifier_like_any_other(tmp_path: Path) -> None:
    verifier = make_verifier(VerifierSpec("state"))
    assert "state" in names()
    assert isinstance(verifier, Verifier)
    assert verifier.settings == {}
    assert _judged(verifier, tmp_path).outcome == "ungraded"
    assert "no key" in _judged(verifier, tmp_path, None).reason
    said = Step(Observation(), (ActionResult(Terminate("success", "ANSWER: done")),))
    changed = Trajectory("t1", Task("a", "do it"), (said,), stop=Stop("terminated"), extra={"changes": []})
    assert asyncio.run(judged(verifier, changed, KEY, PictureStore(tmp_path))).success


def test_a_verifier_sees_no_more_of_the_key_than_it_needs() -> None:
    assert case_for(Needs(), TRAJECTORY, KEY).key is None
    assert case_for(Needs(key="rubric"), TRAJECTORY, KEY).key == Key("a", rubric=KEY.rubric)
    assert case_for(Needs(key="all"), TRAJECTORY, KEY).key == KEY
    assert case_for(Needs(key="all"), TRAJECTORY, None).key is None


def test_one_of_ones_own_is_made_with_its_options(own: str, tmp_path: Path) -> None:
    assert _judged(make_verifier(VerifierSpec(f"{own}:Word")), tmp_path).success
    other = make_verifier(VerifierSpec(f"{own}:Word", options={"word": "never"}))
    assert _judged(other, tmp_path).outcome == "failure"
    assert other.settings == {"word": "never"}


def test_one_that_asks_a_model_is_given_who_opens_it(own: str) -> None:
    made = make_verifier(VerifierSpec(f"{own}:Asking", model="some/model"), models=None)
    assert made.settings == {"model": "some/model"}
    with pytest.raises(BadInput, match="--judge MODEL"):
        make_verifier(VerifierSpec(f"{own}:Asking"))
    with pytest.raises(BadInput, match="asks no model"):
        make_verifier(VerifierSpec(f"{own}:Word", model="some/model"))


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("nobody", {}, "there is no verifier 'nobody'"),
        ("state", {"votes": 3}, "leave its model and options out"),
        ("own_words:Nothing", {}, "has no class 'Nothing'"),
        ("own_words:Word", {"votes": 3}, "it takes word, breaks"),
        ("own_words:Shapeless", {}, "check-verifier"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_sentence(own: str, name: str, options: dict[str, int], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make_verifier(VerifierSpec(name, options=options))


@pytest.mark.parametrize("breaks", [RuntimeError, "shape", "other", "silent", "score"])
def test_a_judge_that_breaks_leaves_the_attempt_ungraded(own: str, tmp_path: Path, breaks: object) -> None:
    verdict = _judged(make_verifier(VerifierSpec(f"{own}:Word", options={"breaks": breaks})), tmp_path)
    assert verdict.outcome == "ungraded"
    assert verdict.reason
    assert verdict.trajectory == "t1"


@pytest.mark.parametrize("raised", [Infrastructure, OverBudget])
def test_trouble_of_a_service_is_not_a_verdict(own: str, tmp_path: Path, raised: type[Exception]) -> None:
    with pytest.raises(raised):
        _judged(make_verifier(VerifierSpec(f"{own}:Word", options={"breaks": raised})), tmp_path)


def test_the_first_failure_is_the_earliest_step() -> None:
    points = (FailurePoint(None, "execution"), FailurePoint(4, "selection"), FailurePoint(0, "hallucination"))
    assert Verdict("t", "v", "failure", failures=points).first_failure == points[2]
    assert Verdict("t", "v", "success").first_failure is None
