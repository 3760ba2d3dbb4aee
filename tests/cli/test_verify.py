"""`workalike verify`: resumable, estimated, capped, in layers that stay; and a person as the judge, at a page."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.cli.by_hand import asking, got
from tests.models.conftest import Serve, serve, server
from tests.verify.cases import made
from tests.verify.scripted_judge import NotingJudge
from workalike.cli import main
from workalike.core.verdict import Outcome, Verdict
from workalike.models.asked import Asked
from workalike.models.messages import Reply
from workalike.models.server.asked import Fault, Hanging
from workalike.store.layers import TRUTH, VERDICTS, LayerWriter, verdicts_of
from workalike.store.trajectories import write_trajectory
from workalike.verify.judging import case_mark
from workalike.verify.scripted import KNOWN, Truth, outside

__all__ = ["serve", "server"]
TRUTHS = {"a": Truth(), "b": Truth("failure", unmet=(1,)), "c": Truth("blocked", unmet=(2,))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three trajectories with their pictures."""
    for id in TRUTHS:
        trajectory, _ = made(tmp_path, id=id)
        write_trajectory(tmp_path / id / "trajectory.jsonl", trajectory)
    (tmp_path / "prices.json").write_text('{"m": {"input": 2, "output": 8}}')
    return tmp_path


def verdicts(folder: Path, layer: int = 0) -> dict[str, Verdict]:
    return {id: verdict for (id, _), verdict in verdicts_of(folder)[layer]}


def verify(folder: Path, url: str, *words: str) -> int:
    prices = ["--prices", str(folder / "prices.json")]
    return main(["verify", str(folder), "--model", f"m@{url}", "--json", *prices, *words])


def test_verdicts_are_a_layer_and_judging_again_costs_nothing(
    serve: Serve, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = serve(answer=NotingJudge(TRUTHS))
    assert verify(folder, service.v1) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["outcomes"] == {"success": 1, "failure": 1, "blocked": 1}
    assert first["usage"]["requests"] == service.books.total.requests == 12
    assert first["usage"]["input_tokens"] == service.books.total.tokens.input
    assert {id: verdict.outcome for id, verdict in verdicts(folder).items()} == {
        id: truth.outcome for id, truth in TRUTHS.items()
    }
    assert verify(folder, service.v1) == 0
    assert json.loads(capsys.readouterr().out)["skipped"] == 3
    assert service.books.total.requests == 12


SAID: dict[str, Outcome] = {
    "a": "success",
    "b": "failure",
    "c": "unavailable",
    "d": "refused",
    "e": "critical_point_crossed",
    "f": "invalid_task",
    "g": "blocked",
}
"""What the database said of some attempts, and the rubric's judge repeats."""


def test_the_scripted_judge_repeats_the_database_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for id in SAID:
        trajectory, _ = made(tmp_path, id=id)
        write_trajectory(tmp_path / id / "trajectory.jsonl", trajectory)
    assert main(["verify", str(tmp_path), "--model", "scripted"]) == 2
    assert "holds no such verdict: `workalike run town` makes a run that it knows" in capsys.readouterr().err
    with LayerWriter(tmp_path, VERDICTS, TRUTH, Verdict) as layer:
        for id, outcome in SAID.items():
            layer.put(id, Verdict(id, TRUTH, outcome))
    for verifier in KNOWN:
        assert main(["verify", str(tmp_path), "--verifier", verifier, "--model", "scripted"]) == 0
        told = capsys.readouterr()
        assert "nothing about how far a judge can be trusted" in told.err
        assert "an unknown price" not in told.err
        (said,) = verdicts_of(tmp_path, verifier)
        outcomes = {id: verdict.outcome for (id, _), verdict in said}
        assert "ungraded" not in outcomes.values(), verifier
        assert said.header.settings["model"] == "scripted"
        if verifier == "rubric":
            assert outcomes == SAID
    assert main(["agreement", str(tmp_path)]) == 0
    assert "nothing about how far a judge can be trusted" in capsys.readouterr().out


def test_another_prompt_votes_or_verifier_make_another_layer(serve: Serve, folder: Path, tmp_path: Path) -> None:
    service = serve(answer=NotingJudge(TRUTHS))
    own = tmp_path / "words" / "verify" / "rubric"
    own.mkdir(parents=True)
    (own / "outcome.md").write_text("{{task}} {{critical}} {{evidence}} {{scores}} {{answer}} {{last}} My own words.")
    assert verify(folder, service.v1) == 0
    assert verify(folder, service.v1, "--prompts", str(tmp_path / "words")) == 0
    assert "My own words." in service.asked[-1].request.messages[-1].text
    assert verify(folder, service.v1, "--votes", "3") == 0
    assert verify(folder, service.v1, "--verifier", "webvoyager") == 0
    assert sorted(layer.header.name for layer in verdicts_of(folder)) == ["rubric", "rubric", "rubric", "webvoyager"]
    assert all(len(layer) == 3 for layer in verdicts_of(folder))


def test_an_estimate_asks_nobody(serve: Serve, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = serve(answer=NotingJudge(TRUTHS))
    assert verify(folder, service.v1, "--estimate") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["cases"], told["calls"], service.books.total.requests) == (3, 12, 0)
    assert told["cost"] > 0
    assert not (folder / "layers").exists()


def test_an_estimate_for_a_person_opens_no_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder), "--by-hand", "--estimate"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("3 to judge: at most 12 calls")
    assert told.err == ""
    assert not (folder / "questions").exists()


def test_a_cap_is_kept_and_what_is_left_goes_on(serve: Serve, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = serve(answer=NotingJudge(TRUTHS))
    small = ("--jobs", "1", "--sampling", "max_tokens=1000")
    assert verify(folder, service.v1, "--max-cost", "0.05", *small) == 1
    stopped = json.loads(capsys.readouterr().out)
    assert 0 < stopped["not_started"] < 3
    assert stopped["spent"] <= 0.05
    before = service.books.total.requests
    assert verify(folder, service.v1, "--max-cost", "5", *small) == 0
    assert len(verdicts(folder)) == 3
    assert service.books.total.requests - before <= 12


def test_what_was_ungraded_is_judged_once_more_on_request(serve: Serve, folder: Path) -> None:
    bad = True

    def change(kind: str, answer: dict[str, Any], asked: object) -> str | None:
        return "no" if bad else None

    service = serve(answer=NotingJudge(TRUTHS, change))
    assert verify(folder, service.v1) == 0
    assert {verdict.outcome for verdict in verdicts(folder).values()} == {"ungraded"}
    bad, asked = False, service.books.total.requests
    assert verify(folder, service.v1) == 0
    assert service.books.total.requests == asked
    assert verify(folder, service.v1, "--again") == 0
    assert verdicts(folder)["a"].outcome == "success"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--verifier", "rubric"), "asks a model"),
        (("--verifier", "recovered", "--model", "scripted"), "knows the questions of rubric, uv"),
        (("--verifier", "nobody", "--model", "m@http://127.0.0.1:9/v1"), "there is no verifier"),
        (("--model", "m@http://127.0.0.1:9/v1", "--votes", "2"), "odd"),
        (("--by-hand", "--model", "openai/gpt-5"), "makes you the model"),
        (("--model", "m@http://127.0.0.1:9/v1", "--option", "strict=1"), "cannot be made"),
    ],
)
def test_bad_input_is_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    assert main(["verify", str(folder), *words]) == 2
    assert says in capsys.readouterr().err


def test_a_verifier_of_ones_own_as_in_the_docs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = (Path(__file__).resolve().parents[2] / "docs" / "verify.md").read_text()
    (tmp_path / "polite_judge.py").write_text(docs.partition("```python\n")[2].partition("```")[0])
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["verify", str(folder), "--verifier", "polite_judge:Polite", "--option", "word=price", "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["outcomes"] == {"success": 3}
    assert verdicts_of(folder)[0].header.settings == {"word": "price"}


def test_killed_at_any_time_it_goes_on(serve: Serve, folder: Path, tmp_path: Path) -> None:
    judge = NotingJudge(TRUTHS)
    stuck = True

    async def answer(asked: Asked) -> Reply | Fault:
        if stuck and asked.number >= 4:
            return Hanging(600.0)
        return await judge(asked)

    service = serve(answer=answer)
    words = ["verify", str(folder), "--model", f"m@{service.v1}", "--jobs", "1"]
    with asking(words, folder / "none", tmp_path / "said") as process:
        while service.books.total.requests < 5:
            assert process.process.poll() is None, process.said
            time.sleep(0.02)
        process.process.kill()
    assert list(verdicts(folder)) == ["a"]
    stuck = False
    assert main(words) == 0
    assert {id: each.outcome for id, each in verdicts(folder).items()} == {
        id: truth.outcome for id, truth in TRUTHS.items()
    }
    assert judge.kinds.count("PlanAnswer") == 3


def test_a_person_is_the_judge_at_a_page(folder: Path, tmp_path: Path) -> None:
    words = ["verify", str(folder), "--by-hand", "--verifier", "webvoyager", "--jobs", "3"]
    questions = folder / "questions"
    with asking(words, questions, tmp_path / "said") as process:
        process.asked(3)
        url, key = process.page()
        assert b"<title>Workalike</title>" in got(f"{url}/")[1]
        for place in json.loads(got(f"{url}/api/questions/{key}")[1]):
            asked = quote(place)
            shown = json.loads(got(f"{url}/api/question/{key}?place={asked}")[1])
            picture = got(f"{url}/asked/{key}?place={asked}&name={shown['pictures'][0]}")[1]
            assert picture.startswith(b"\xff\xd8")
            id = next(id for id in TRUTHS if case_mark(id) in place)
            assert "Judge whether a web task was done" in outside(shown["text"])
            answer = {"reasoning": "seen", "success": TRUTHS[id].outcome == "success"}
            assert got(f"{url}/api/reply/{key}?place=a", b"x")[0] == 404
            assert got(f"{url}/api/question/{key}?place=../../a/trajectory.jsonl")[0] == 404
            assert got(f"{url}/asked/{key}?place={asked}&name=question.md")[0] == 404
            assert got(f"{url}/api/reply/{key}?place={asked}", json.dumps(answer).encode())[0] == 204
        process.finished()
    assert {id: each.success for id, each in verdicts(folder).items()} == {"a": True, "b": False, "c": False}
