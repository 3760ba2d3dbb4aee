"""A benchmark of one's own: on its own server, on the town, on a desktop; what is wrong with one is said."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs import needs
from workalike.cli import main
from workalike.core.actions import Click, Terminate
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.task import Task
from workalike.core.verdict import Verdict
from workalike.store.layers import verdicts_of
from workalike.store.runs import Run

DOCS = Path(__file__).resolve().parents[2] / "docs"
MINIWOB = "https://github.com/Farama-Foundation/miniwob-plusplus"


class Presser:
    """Presses the button that the task, or the page, names; another one where it is told to."""

    name, wants = "presser", Wants(elements=True, tree=True)

    def __init__(self, wrong: bool = False) -> None:
        self._wrong, self._pressed = wrong, False

    async def begin(self, task: Task) -> None:
        self._asked = task.instruction

    async def decide(self, percept: Percept) -> Decision:
        if self._pressed:
            return Decision((Terminate("success"),))
        self._pressed = True
        words = re.search(r'Click on the "(.+?)" button', percept.tree or "") or re.search(
            r"the (\w+) but", self._asked
        )
        assert words is not None
        buttons = [each for each in percept.observation.elements or () if each.role == "button" and each.box]
        chosen = next(each for each in buttons if (each.name == words[1]) is not self._wrong)
        assert chosen.box is not None
        return Decision((Click(chosen.box.centre),))

    async def close(self) -> None:
        pass


def shown(name: str) -> str:
    found: list[str] = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)
    return found[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith(("my_", "own_")):
            del sys.modules[name]


def verdicts(run: Path) -> list[Verdict]:
    return [verdict for layer in verdicts_of(run) for _, verdict in layer]


def test_the_benchmark_in_the_documentation_runs_and_is_judged(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "my_benchmark.py").write_text(shown("own-benchmark.md"), encoding="utf-8")
    assert main(["check-benchmark", "my_benchmark:Quiz"]) == 0
    assert "promises kept" in capsys.readouterr().out
    words = ["run", "my_benchmark:Quiz", "--repeats", "1", "--jobs", "2"]
    assert main([*words, "--agent", f"{__name__}:Presser", "--out", "right"]) == 0
    assert [(each.outcome, each.verifier) for each in verdicts(folder / "right")] == [("success", "pressed")] * 2
    facts = {attempt.task_id: attempt.read().trajectory.extra for attempt in Run(folder / "right").attempts()}
    assert facts == {"press-red": {"pressed": "red"}, "press-green": {"pressed": "green"}}
    assert main([*words, "--agent", "idle", "--out", "idle", "--set", 'colours=["blue"]']) == 0
    assert [(each.outcome, each.reason) for each in verdicts(folder / "idle")] == [("failure", "pressed: None")]
    capsys.readouterr()
    assert main(["report", "right", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["benchmark"], row["verifier"]) == ("my_benchmark:Quiz", "pressed")
    (attempt, _) = Run(folder / "right").attempts()
    assert main(["replay", str(attempt.folder), "--out", "again"]) == 0


def test_the_benchmark_in_the_documentation_is_short() -> None:
    lines = [line for line in shown("own-benchmark.md").splitlines() if line.strip()]
    assert len(lines) <= 45


def test_a_verifier_is_asked_for_besides_and_later(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "my_benchmark.py").write_text(shown("own-benchmark.md"), encoding="utf-8")
    (folder / "my_judge.py").write_text(shown("own-verifier.md"), encoding="utf-8")
    assert main(["check-verifier", "my_judge:Polite"]) == 0
    words = ["run", "my_benchmark:Quiz", "--repeats", "1", "--agent", "idle", "--task", "press-red", "--out", "run"]
    assert main(words) == 0
    assert {each.verifier for each in verdicts(folder / "run")} == {"pressed"}
    capsys.readouterr()
    assert main([*words, "--verify", "my_judge:Polite", "--judge-option", "word=thanks", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["skipped"] == 1, "nothing is run again to be judged"
    assert [(each.verifier, each.outcome) for each in verdicts(folder / "run")] == [
        ("polite", "ungraded"),
        ("pressed", "failure"),
    ]


def test_a_secret_that_a_benchmark_is_given_is_in_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = shown("own-benchmark.md").replace("in options.get(", "in [str(len(options['api_key']))] or options.get(")
    (folder / "my_benchmark.py").write_text(source, encoding="utf-8")
    words = ["--agent", "idle", "--repeats", "1", "--limit", "1"]
    assert main(["run", "my_benchmark:Quiz", *words, "--set", "api_key=sk-very-secret-9876", "--out", "run"]) == 0
    written = [path.read_bytes() for path in (folder / "run").rglob("*") if path.is_file()]
    assert not any(b"very-secret" in each for each in written)
    assert main(["run", "--like", "run", "--out", "again"]) == 2
    monkeypatch.setenv("API_KEY", "sk-very-secret-9876")
    assert main(["run", "--like", "run", "--out", "again"]) == 0
    assert [task.id for task in Run(folder / "again").tasks()] == ["press-19"]


TOWN = """
from workalike.bench.sandbox import town_sandbox
from workalike.town.benchmark import draw_tasks
from workalike.town.town import Town
from workalike.town.world import edition

class Few:
    name, on, verifiers = "few", "browser", ("state",)
    def __init__(self):
        self.town = Town(edition("town"))
    def tasks(self, options):
        return [(each.task, each.key) for each in draw_tasks(self.town, only={"shopping_1"})]
    def sandbox(self):
        return town_sandbox(self.town)
"""


def test_one_that_happens_in_the_town(folder: Path) -> None:
    (folder / "own_few.py").write_text(TOWN)
    assert main(["run", "own_few:Few", "--agent", "oracle", "--repeats", "1", "--out", "run"]) == 0
    assert [(each.verifier, each.outcome) for each in verdicts(folder / "run")] == [("state", "success")]


DESKTOP = """
from contextlib import asynccontextmanager
from pathlib import Path
from workalike.core.contracts import Needs
from workalike.core.key import Key
from workalike.core.program import Program, stored
from workalike.core.task import Task
from workalike.core.trajectory import Usage
from workalike.core.verdict import Verdict
from workalike.runtime.sandbox import PlainSandbox, PlainSession

class Desk(PlainSession):
    async def facts(self, screen):
        return {"display": screen.display, "text": Path("notes.txt").read_text()}

class Notes:
    name, on, verifiers = "notes", "desktop", ("own_notes:Written",)
    def tasks(self, options):
        started = stored([Program(("mousepad", str(Path("notes.txt").absolute())))])
        yield Task("note", "Write something.", extra=started), Key("note")
    @asynccontextmanager
    async def sandbox(self):
        Path("notes.txt").write_text("nothing yet")
        yield PlainSandbox(session=Desk)

class Written:
    name, needs, settings = "written", Needs(), {}
    def estimate(self, case):
        return Usage()
    async def judge(self, case, pictures):
        text = case.trajectory.extra["text"]
        return Verdict(case.id, self.name, "failure" if text == "nothing yet" else "success", text)
"""


def test_one_that_happens_on_a_desktop(folder: Path) -> None:
    needs("Xvfb", "mousepad", "openbox")
    (folder / "own_notes.py").write_text(DESKTOP)
    assert main(["run", "own_notes:Notes", "--agent", "idle", "--repeats", "1", "--out", "run"]) == 0
    assert [(each.outcome, each.reason) for each in verdicts(folder / "run")] == [("failure", "nothing yet")]
    (attempt,) = Run(folder / "run").attempts()
    trajectory = attempt.read().trajectory
    assert trajectory.steps[0].observation.kind == "desktop"
    assert "Mousepad" in (trajectory.steps[0].observation.window or "")
    assert trajectory.extra["display"].startswith(":")


PLAIN = """
from contextlib import asynccontextmanager
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.runtime.sandbox import PlainSandbox

class Plain:
    name, on, verifiers = "plain", "browser", ()
    def tasks(self, options):
        {tasks}
    @asynccontextmanager
    async def sandbox(self):
        {sandbox}
        yield PlainSandbox()

class Nameless(Plain):
    name = ""

class Elsewhere(Plain):
    on = "moon"

class Judged(Plain):
    verifiers = ("no_such_module_here:Judge",)
"""
ONE = "yield Task('a', 'do it'), Key('a')"


@pytest.mark.parametrize(
    ("name", "tasks", "sandbox", "says"),
    [
        ("Plain", "return []", "", "has no tasks"),
        ("Plain", "yield Task('a', 'do it')", "", "task 1: `tasks` must give pairs of a `Task` and a `Key`, not Task"),
        ("Plain", "yield Task('a', 'do it'), Key('b')", "", "the key is for 'b', and the task is called 'a'"),
        ("Plain", "yield Task('a', ' '), Key('a')", "", "needs an id and an instruction"),
        ("Plain", "raise OSError('no\\\\nfile')", "", "`tasks` raised OSError: no"),
        ("Plain", ONE, "raise OSError('no port')", "the sandbox of own_plain:Plain cannot be opened: OSError: no port"),
        ("Nameless", ONE, "", "`name` must be a text"),
        ("Elsewhere", ONE, "", "`on` must be one of browser, desktop"),
        ("Judged", ONE, "", "'no_such_module_here' cannot be imported"),
        ("Missing", ONE, "", "has no benchmark 'Missing'"),
    ],
)
def test_what_is_wrong_with_one_is_said_before_anything_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, tasks: str, sandbox: str, says: str
) -> None:
    (folder / "own_plain.py").write_text(PLAIN.format(tasks=tasks, sandbox=sandbox))
    assert main(["run", f"own_plain:{name}", "--agent", "idle", "--out", "run"]) == 2
    assert says in capsys.readouterr().err
    assert not (folder / "run").exists()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--data", "x"], "hand it over with --set"),
        (["--verify", "nobody"], "there is no verifier 'nobody'"),
        (["--judge", "openai/gpt-5"], "no verifier of this run asks one"),
        (["--judge-option", "votes=3"], "named with --verify"),
        (["--judge", "oracle"], "the oracle judges nothing"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], more: list[str], says: str
) -> None:
    (folder / "own_plain.py").write_text(PLAIN.format(tasks=ONE, sandbox=""))
    assert main(["run", "own_plain:Plain", "--agent", "idle", "--out", "run", *more]) == 2
    assert says in capsys.readouterr().err
    assert not (folder / "run").exists()


def test_a_benchmark_that_breaks_its_promises_is_told_which(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = shown("own-benchmark.md").replace('"green"]):', '"red"]):')
    source = source.replace("window.pressed ?? null", "pressed.nothing")
    (folder / "my_benchmark.py").write_text(source, encoding="utf-8")
    assert main(["check-benchmark", "my_benchmark:Quiz", "--tasks", "1", "--json"]) == 1
    broken = {check["name"]: check["text"] for check in json.loads(capsys.readouterr().out) if not check["passed"]}
    assert broken["gives each an id of its own"] == "'press-red' stands twice"
    assert "the script threw ReferenceError: pressed is not defined" in broken["tells the facts of press-red"]
    assert "KeyError: 'pressed'" in broken["has press-red judged by pressed, where nothing was done"]


@pytest.mark.sweep
def test_miniwob_is_a_benchmark_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page begins and is judged; one that asks to press a button is solved, and failed by pressing another."""
    if "MINIWOB" not in os.environ:
        clone = ["git", "clone", "--quiet", "--depth", "1", MINIWOB, str(tmp_path / "miniwob")]
        if subprocess.run(clone, capture_output=True).returncode:
            pytest.skip("MiniWoB++ could not be fetched; name a clone with MINIWOB")
        monkeypatch.setenv("MINIWOB", str(tmp_path / "miniwob"))
    words = ["run", "tests.bench.miniwob:MiniWob", "--repeats", "1"]
    assert main([*words, "--agent", "idle", "--out", str(tmp_path / "idle")]) == 0
    idle = verdicts(tmp_path / "idle")
    assert len(idle) > 100
    assert {each.outcome for each in idle} == {"failure"}
    button, presser = ["--task", "click-button"], ["--agent", f"{__name__}:Presser"]
    assert main([*words, *button, *presser, "--out", str(tmp_path / "right")]) == 0
    (right,) = verdicts(tmp_path / "right")
    assert right.success
    assert 0.5 < right.measures["reward"] <= 1
    assert main([*words, *button, *presser, "--option", "wrong=true", "--out", str(tmp_path / "wrong")]) == 0
    (wrong,) = verdicts(tmp_path / "wrong")
    assert wrong.measures["reward"] == -1
