"""`workalike redact` lists what it finds, and copies without it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.record.test_redact import recorded
from workalike.cli import main
from workalike.store.recordings import Recording


def test_findings_are_listed_and_make_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(tmp_path / "r")
    assert main(["redact", str(tmp_path / "r")]) == 1
    out = capsys.readouterr().out
    assert "email  an…rg" in out
    assert "6 found" in out
    assert "ann@x.org" not in out
    assert main(["redact", str(tmp_path / "r"), "--json"]) == 1
    assert {finding["kind"] for finding in msgspec.json.decode(capsys.readouterr().out)} == {"email", "card"}


def test_a_copy_and_a_list_of_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(tmp_path / "r")
    (tmp_path / "names").write_text("Mail\n\n")
    words = ["redact", str(tmp_path / "r"), "--names", str(tmp_path / "names"), "--out", str(tmp_path / "clean")]
    assert main(words) == 0
    assert "name" in capsys.readouterr().out
    assert main(["redact", str(tmp_path / "clean")]) == 0
    assert "nothing found" in capsys.readouterr().out
    assert b"Mail" not in (tmp_path / "clean" / "segments" / "0" / "trees.jsonl").read_bytes()
    assert Recording(tmp_path / "clean").header.task.instruction == "write to [redacted]"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere"], "is not a recording"),
        (["{r}", "--names", "nowhere.txt"], "the list of names nowhere.txt cannot be read"),
    ],
)
def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    recorded(tmp_path / "r")
    assert main(["redact", *(word.format(r=tmp_path / "r") for word in words)]) == 2
    assert sentence in capsys.readouterr().err
