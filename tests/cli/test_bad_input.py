"""What nobody can do is refused with one sentence that says what, where and what to do, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.made_runs import make_run
from workalike.cli import main

ASKED_NOBODY = "--check and --html score what is there and ask nobody: leave --model --out out"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("report {run} --samples -1", "--samples must be 0 or more, not -1"),
        ("report {run} --verifier nobody", "has no verdicts by 'nobody'; it has state, rubric"),
        ("replay {run}", "run is a run; name one of its attempts"),
        ("reduce {empty} --out {out}", "is no recording: it holds neither recording.json nor events.jsonl; name one"),
        ("import webeval {nowhere} --out {out}", "nowhere; name what is to be imported"),
        ("export webeval {run} --out {file}", "exists already and is not an empty folder; name a new one"),
        ("attack-set {run} --out {file}", "exists already and is not an empty folder; name a new one"),
        ("verify {run} --model openai/gpt-5", "openai/gpt-5 needs a key: set OPENAI_API_KEY"),
        ("verify {run} --model openai/gpt-5 --port 70000", "must be a port from 0 to 65535, not 70000"),
        ("verify {run} --model openai/gpt-5 --request-seconds -1", "--request-seconds must be a number above 0"),
        ("verify {run} --model openai/gpt-5 --questions {out}", "--questions is for a person as the judge"),
        ("verify {run} --verifier state --cache {out}", "the verifier state asks no model: leave --cache out"),
        ("verify {run} --verifier state --sampling seed=1", "the verifier state asks no model: leave --sampling out"),
        ("verify {run} --verifier own_nobody:Judge", "'own_nobody' cannot be imported: it is neither in this folder"),
        ("annotate {run} --check --model scripted --out {out}", ASKED_NOBODY),
        ("annotate {run} --model scripted --images {nowhere}", "nowhere; name where the pictures (--images)"),
        ("annotate {run} --model scripted --sampling temperature=hot", "temperature"),
        ("dataset sample {run} --count -1 --out {out}.jsonl", "--count must be at least 1, not -1"),
        ("act look --agent nobody --out {out}", "there is no agent 'nobody'"),
        ("step-eval {run} --predictions {file} --model m@http://h/v1 --save {out}", "leave --model --save out"),
        ("tasks webtailbench@v1 --data {nowhere}", "with --data"),
    ],
)
def test_a_sentence_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    make_run(tmp_path / "run", 0.5, count=2, repeats=1, pictures=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    before = sorted(tmp_path.rglob("*"))
    places = {name: tmp_path / name for name in ("run", "empty", "file", "nowhere", "out")}
    assert main([word.format(**places) for word in words.split()]) == 2
    told = capsys.readouterr().err
    assert says in told.splitlines()[-1]
    assert sorted(tmp_path.rglob("*")) == before


def test_a_description_of_nothing_has_found_something_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.jsonl").write_text("")
    assert main(["dataset", "stats", str(tmp_path / "rows.jsonl")]) == 1
    assert "there is no trajectory in it" in capsys.readouterr().err
