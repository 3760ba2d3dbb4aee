"""The command line's frame: help, version, errors in one sentence, exit codes."""

from __future__ import annotations

import pytest

from workalike import __version__
from workalike.cli import VERBS, main


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {verb} " in shown for verb in VERBS)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"workalike {__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert f"example:\n  workalike {verb}" in shown


def test_a_misspelt_verb_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctr"]) == 2
    assert "did you mean 'doctor'?" in capsys.readouterr().err


def test_nothing_at_all_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: workalike VERB" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dataset", "valdate", "x"], "workalike: argument PART: invalid choice: 'valdate'"),
        (["tasks"], "workalike: the following arguments are required: BENCHMARK"),
        (["dataset", "stats", "x", "--jbs", "2"], "unrecognized arguments: --jbs 2"),
    ],
)
def test_words_that_cannot_be_read_get_one_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert "--help` shows what it takes" in shown.err
    assert not shown.out
