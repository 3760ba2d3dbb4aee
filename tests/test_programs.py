"""What tests and features call upon and what `make test` and `make sweep` install are one list."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.programs import PROGRAMS, SWEPT, needs
from workalike.env.desktop.display import WINDOW_MANAGERS
from workalike.env.install import DESKTOP

ROOT = Path(__file__).resolve().parents[1]
# A Debian has these, or they are what installs the others.
ALWAYS = {"apt-get", "sh", "sleep", "mount", "umount", "make", "nosuchprogram"}


def _called(file: Path) -> Iterator[str]:
    """The programs a module names where it asks for them, starts them or puts them on a desktop."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            match ast.unparse(node.func).rpartition(".")[2], node.args:
                case "needs", named:
                    yield from _words(named)
                case "which" | "opened" | "launch" | "desktops" | "start", [first, *_]:
                    yield from _words([first, *getattr(first, "elts", [])][:2])
                case "run" | "Popen", [ast.List(elts=[first, *_]), *_]:
                    yield from _words([first])
        if isinstance(node, ast.keyword) and node.arg == "programs" and isinstance(node.value, ast.List):
            yield from _words([each.elts[0] for each in node.value.elts if isinstance(each, ast.List)])


def _words(nodes: list[ast.expr]) -> Iterator[str]:
    return (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def test_every_program_that_is_called_upon_is_installed() -> None:
    called = {
        (name, str(file.relative_to(ROOT)))
        for folder in ("src", "tests", "benchmarks")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for name in _called(file)
    }
    assert {"Xvfb", "zenity", "mousepad", "soffice", "chromium", "setxkbmap"} <= {name for name, _ in called}
    known = PROGRAMS.keys() | SWEPT.keys() | ALWAYS
    assert sorted((name, where) for name, where in called if name not in known) == []


def test_a_desktop_is_installed_whole() -> None:
    assert DESKTOP.items() <= PROGRAMS.items()
    assert PROGRAMS.keys() & set(WINDOW_MANAGERS)


def test_the_make_file_installs_this_list() -> None:
    made = {goal: _goal(goal) for goal in ("test", "sweep", "demo")}
    assert "-m tests.programs\n" in made["test"]
    assert "--swept" not in made["test"] + made["demo"]
    assert "-m tests.programs --swept\n" in made["sweep"]
    assert "tests.programs" not in made["demo"]


def _goal(goal: str) -> str:
    """What make would do."""
    return subprocess.run(["make", "-n", goal], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_a_program_that_is_not_listed_is_refused() -> None:
    try:
        needs("sleep")
    except AssertionError as problem:
        assert "does not list sleep" in str(problem)
    else:
        raise AssertionError("a program that nobody installs was asked for")


def test_nothing_an_installation_on_linux_takes_must_be_compiled() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    pinned = {re.split("[=<>]", line)[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert not {"evdev"} & pinned
    assert [each for each in extras["record"] if "pynput" in each] == ["pynput>=1.8; sys_platform != 'linux'"]
