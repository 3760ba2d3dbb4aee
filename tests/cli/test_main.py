"""The command line's frame: help, version, errors in one sentence, exit codes."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from workalike import __version__
from workalike.cli import VERBS, main
from workalike.cli.parsing import Parser


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


PARTS = ("validate", "stats", "filter", "split", "merge", "dedupe", "sample", "fetch", "export")
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("asked", [*VERBS, *(f"dataset {part}" for part in PARTS)])
def test_every_example_can_be_read_and_names_what_the_documentation_has(
    asked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*asked.split(), "--help"])
    examples = capsys.readouterr().out.partition("example:\n")[2].splitlines()
    assert examples
    written = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    for line in examples:
        program, verb, *words = shlex.split(line)
        assert program == "workalike"
        module = import_module(f"workalike.cli.{verb.replace('-', '_')}{'_' * (verb == 'import')}")
        parser = Parser()
        module.add_arguments(parser)
        parser.parse_args(words)
        for own in re.findall(r"\bmy_\w+:(\w+)", line):
            assert re.search(rf"\b{own}\b", written), f"{line.strip()}: no page of docs/ has a {own}"


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
