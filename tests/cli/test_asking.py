"""What verbs that ask a model have in common: its name is checked first, and a server that nobody started is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.annotate.screens import demonstration
from tests.bench.test_own_benchmark import shown
from workalike.cli import main

DEAD = "m@http://127.0.0.1:9/v1"


def words(verb: str, folder: Path, model: str) -> list[str]:
    """A verb that would ask this model, on whatever it takes."""
    demo = folder / "demo"
    if verb in ("verify", "annotate", "annotate --out"):
        demonstration(demo)
    match verb:
        case "verify":
            return ["verify", str(demo), "--verifier", "webjudge", "--model", model]
        case "annotate":
            return ["annotate", str(demo), "--model", model]
        case "annotate --out":
            return ["annotate", str(demo), "--model", model, "--out", str(folder / "out" / "rows.jsonl")]
        case "act":
            return ["act", "Look.", "--agent", "som", "--model", model, "--out", str(folder / "out")]
        case _:
            (folder / "own_quiz.py").write_text(shown("own-benchmark.md"), encoding="utf-8")
            return ["run", "own_quiz:Quiz", "--agent", "som", "--model", model, "--out", str(folder / "out")]


@pytest.mark.parametrize("verb", ["run", "verify", "annotate", "annotate --out", "act"])
def test_a_server_that_nobody_started_is_told_at_once_and_ends_it_with_nothing_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "own_quiz", raising=False)
    asked = words(verb, tmp_path, DEAD)
    before = sorted(tmp_path.rglob("*"))
    assert main(asked) == 2
    said = [line for line in capsys.readouterr().err.splitlines() if "127.0.0.1:9" in line]
    assert "model server at http://127.0.0.1:9/v1 does not answer (connection refused); trying again for 3 s" in said[0]
    assert said[1:] == [
        "workalike: no model server answers at http://127.0.0.1:9/v1 (connection refused): start it, or mend the "
        f"address in the model's name, {DEAD}"
    ]
    assert [path for path in sorted(tmp_path.rglob("*")) if "__pycache__" not in path.parts] == before


def test_a_models_name_is_checked_where_nothing_is_left_to_ask(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = tmp_path / "demo"
    demonstration(demo)
    assert main(["annotate", str(demo), "--model", "scripted"]) == 0
    for more in ([], ["--estimate"]):
        assert main(["annotate", str(demo), "--model", "scripetd", *more]) == 2
        assert "no model is called 'scripetd'" in capsys.readouterr().err
