"""The runner on the town, in a real browser: judged, resumed, refused with other settings, whatever is killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from tests.models.conftest import Serve
from workalike.bench.run import RunResources, run_async
from workalike.bench.runner import finished_attempts
from workalike.cli import main
from workalike.core.errors import BadInput
from workalike.core.progress import Progress
from workalike.core.verdict import Verdict
from workalike.report.reading import read_results
from workalike.store.config import AttemptLimits, RunConfig
from workalike.store.layers import VERDICTS, Layer, find_layers
from workalike.store.runs import Run

PLAN = RunConfig(benchmark="town", agent="oracle", repeats=1, limit=3, limits=AttemptLimits(steps=60))
MEANS = RunResources(jobs=2)


def _outcomes(folder: Path) -> list[str]:
    return [verdict.outcome for path in find_layers(folder, VERDICTS) for _, verdict in Layer(path, Verdict)]


def _check_sound(folder: Path) -> None:
    """Every file reads, every picture that is named is there, no planned attempt is finished twice."""
    run = Run(folder)
    names = [name for name, _ in finished_attempts(run)]
    assert len(names) == len(set(names))
    for stored in run.trajectories():
        assert all(run.pictures.has(ref) for ref in stored.trajectory.pictures)


async def test_the_oracle_passes_and_going_on_runs_nothing_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    told: list[Progress] = []
    summary = await run_async(PLAN, folder, resources=MEANS, watch=told.append)
    assert (summary.finished, summary.given_up) == (3, {})
    assert _outcomes(folder) == ["success"] * 3
    assert (told[-1].done, told[-1].good) == (3, 3)
    _check_sound(folder)
    before = {path: path.read_bytes() for path in folder.rglob("trajectory.jsonl")}
    again = await run_async(PLAN, folder, resources=MEANS)
    assert (again.finished, again.skipped) == (0, 3)
    assert {path: path.read_bytes() for path in folder.rglob("trajectory.jsonl")} == before


async def test_idle_passes_nothing(tmp_path: Path) -> None:
    config = msgspec.structs.replace(PLAN, agent="idle", repeats=2)
    await run_async(config, tmp_path / "run", resources=MEANS)
    results = read_results(tmp_path / "run").results
    assert len(results) == 6
    assert not any(result.success for result in results)
    assert all(result.stop == "terminated" for result in results)


async def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    config = msgspec.structs.replace(PLAN, agent="idle", limit=1)
    await run_async(config, tmp_path / "run", resources=MEANS)
    other = msgspec.structs.replace(config, seed=7, viewport=msgspec.convert([800, 600], type(config.viewport)))
    with pytest.raises(BadInput, match=r"seed: 0 there, 7 now; viewport: \[1440,900\] there, \[800,600\] now"):
        await run_async(other, tmp_path / "run", resources=MEANS)


async def test_a_dead_browser_costs_a_try_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    running = asyncio.create_task(run_async(PLAN, folder, resources=MEANS))
    while not any(path.read_bytes().count(b"\n") > 2 for path in folder.rglob("trajectory.jsonl")):
        await asyncio.sleep(0.02)
    for pid in _browsers():
        with suppress(ProcessLookupError):  # one that ended with the browser it belonged to
            os.kill(pid, signal.SIGKILL)
    summary = await running
    assert summary.retried >= 1
    assert _outcomes(folder) == ["success"] * 3
    stops = [stored.trajectory.stop for stored in Run(folder).trajectories()]
    assert sum(stop is not None and stop.reason == "infrastructure_error" for stop in stops) == summary.retried
    results = read_results(folder)
    assert [result.success for result in results.results] == [True] * 3
    assert sum(result.tries for result in results.results) == 3 + summary.retried


def _browsers() -> list[int]:
    """The browser processes that descend from this one."""
    tree: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            name, rest = stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 2 :].split()
            names[int(entry.name)] = name
            tree.setdefault(int(rest[1]), []).append(int(entry.name))
    found, queue = [], [os.getpid()]
    while queue:
        for child in tree.get(queue.pop(), []):
            queue.append(child)
            if "chrom" in names[child] or "headless" in names[child]:
                found.append(child)
    return found


def test_ctrl_c_stops_cleanly_and_the_rest_is_run_later(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = _start(folder, "--limit", "6", "--jobs", "2")
    _wait_for_attempts(folder, 2, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(120) == 130
    reasons = [stored.trajectory.stop.reason for stored in Run(folder).trajectories() if stored.trajectory.stop]
    assert "interrupted" in reasons
    assert len(reasons) == len(list(Run(folder).attempts()))
    assert _start(folder, "--limit", "6", "--jobs", "2").wait(600) == 0
    assert _outcomes(folder) == ["success"] * 6


def _start(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    words = ["run", "town", "--agent", "oracle", "--repeats", "1", "--steps", "60", "--out", str(folder), *more]
    return subprocess.Popen(
        [sys.executable, "-m", "workalike.cli", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def _wait_for_attempts(folder: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    while len(list(folder.rglob("trajectory.jsonl"))) < count:
        assert process.poll() is None
        time.sleep(0.02)


def _kill_and_go_on(folder: Path, kills: int, tasks: int, chance: random.Random) -> int:
    """Kill everything at random instants, start again, until nothing is left to run; returns how many kills fell
    while it was running."""
    done = 0
    finished: dict[str, bytes] = {}
    while True:
        process = _start(folder, "--limit", str(tasks), "--jobs", "3")
        try:
            code = process.wait(chance.uniform(0.6, 7.0) if done < kills else 300)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            done += 1
        else:
            assert code == 0
        if (folder / "run.json").is_file():
            _check_sound(folder)
            now = {str(each.path): each.path.read_bytes() for _, each in finished_attempts(Run(folder))}
            assert finished.items() <= now.items(), "a finished attempt was lost or written again"
            finished = now
        if process.returncode == 0:
            assert len(finished) == tasks, "nothing was left to run"
        if process.returncode == 0 and done >= kills:
            return done
        if process.returncode == 0:
            folder = folder.with_name(f"{folder.name}+")
            finished = {}


def test_kill_everything_and_go_on(tmp_path: Path) -> None:
    assert _kill_and_go_on(tmp_path / "run", 3, 5, random.Random(1)) == 3


@pytest.mark.sweep
def test_kill_everything_a_hundred_times(tmp_path: Path) -> None:
    assert _kill_and_go_on(tmp_path / "run", 100, 24, random.Random(2)) == 100


@pytest.mark.sweep
async def test_the_oracle_passes_everything_and_idle_nothing(tmp_path: Path) -> None:
    for agent, expected in (("oracle", True), ("idle", False)):
        config = RunConfig(benchmark="town", agent=agent, repeats=1, limits=AttemptLimits(steps=120))
        summary = await run_async(config, tmp_path / agent, resources=RunResources(jobs=4))
        results = read_results(tmp_path / agent).results
        wrong = [result.task for result in results if result.success is not expected]
        print(f"\n{agent}: {summary.finished} attempts, {len(wrong)} not as expected: {wrong}")
        assert not wrong


def test_like_repeats_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert (
        main(["run", "town", "--agent", "idle", "--repeats", "2", "--limit", "2", "--seed", "5", "--out", str(first)])
        == 0
    )
    assert main(["run", "--like", str(first), "--out", str(second)]) == 0
    assert Run(first).info.settings == Run(second).info.settings
    assert Run(first).info.hashes == Run(second).info.hashes
    assert "4 attempts finished now" in capsys.readouterr().out


def test_like_wants_the_prompts_again(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = Path("mine/agents/fara/system.md")
    words.parent.mkdir(parents=True)
    words.write_text("You act on a screen. {{tool}}")
    given = ["run", "town", "--agent", "fara", "--model", f"m@{serve('no').v1}", "--repeats", "1", "--limit", "1"]
    assert main([*given, "--steps", "1", "--prompts", "mine", "--out", "first"]) == 0
    capsys.readouterr()
    assert main(["run", "--like", "first", "--out", "second"]) == 2
    told = capsys.readouterr().err
    assert "first was made with other words in agents/fara/system: pass the --prompts DIR that it was made with" in told
    assert not Path("second").exists()
    assert main(["run", "--like", "first", "--prompts", "mine", "--out", "second"]) == 0
    assert Run(Path("first")).info.hashes == Run(Path("second")).info.hashes
    assert "other words" not in capsys.readouterr().err
    words.write_text("You see a screen. {{tool}}")
    assert main(["run", "--like", "first", "--prompts", "mine", "--out", "third"]) == 0
    assert "first was made with other words in agents/fara/system; those of mine are used" in capsys.readouterr().err


def test_a_folder_with_other_things_is_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    assert main(["run", "town", "--agent", "idle", "--limit", "1", "--out", str(tmp_path)]) == 2
    assert "is no run, and not empty: it holds 'thesis.txt'" in capsys.readouterr().err
    assert main(["demo", "--out", str(tmp_path)]) == 2
    assert "is no earlier demo: it holds 'thesis.txt'" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["town", "--agent", "oracle", "--category", "cars"], "there is no category 'cars'; there are"),
        (["town", "--agent", "nobody"], "there is no agent 'nobody'; there are oracle, random, idle"),
        (["village", "--agent", "idle"], "there is no benchmark 'village'; there are town"),
        (["town"], "say which agent to run"),
        (["--agent", "idle"], "say which benchmark to run"),
        (["town", "--agent", "idle", "--viewport", "wide"], "a viewport is written like 1440x900"),
        (["town", "--agent", "idle", "--repeats", "0"], "--repeats must be at least 1"),
        (["town", "--agent", "idle", "--limit", "-1"], "--limit must be at least 1"),
        (["town", "--agent", "idle", "--limit", "0"], "--limit must be at least 1"),
        (["town", "--agent", "som"], "on the town also --model oracle"),
        (["town", "--agent", "no_such_module:Mine"], "cannot be imported"),
        (["town", "--agent", "json:JSONDecoder"], "is no agent: `name` must be a text"),
        (["town", "--agent", "json:JSONDecoder", "--option", "modle=x"], "--option NAME=VALUE"),
        (["town", "--agent", "json:JSONDecoder", "--model", "openai/x"], "opens its model itself"),
        (["webvoyager", "--agent", "idle"], "download its file and name it with --data"),
        (["webvoyager", "--agent", "idle", "--data", "/nowhere"], "/nowhere"),
        (["webvoyager", "--agent", "oracle", "--data", "/nowhere"], "/nowhere"),
        (["--like", "/nowhere"], "/nowhere is not a run"),
        *(
            (
                ["town", "--agent", "som", "--model", "openai/x", f"--cap={cap}"],
                f"--cap must be a number above 0, not {cap}",
            )
            for cap in ("-1", "0", "nan", "inf")
        ),
        (["town", "--agent", "idle", "--steps", "0"], "--steps must be at least 1, not 0"),
        (["town", "--agent", "idle", "--step-seconds=-2"], "--step-seconds must be a number above 0, not -2"),
        (["town", "--agent", "idle", "--task-seconds", "nan"], "--task-seconds must be a number above 0, not nan"),
        (["town", "--agent", "idle", "--request-seconds", "0"], "--request-seconds must be a number above 0"),
        (["town", "--agent", "idle", "--jobs", "0"], "--jobs must be at least 1, not 0"),
        (["town", "--agent", "idle", "--cap", "3"], "the agent idle asks no model: leave --cap out"),
        (["town", "--agent", "oracle", "--model", "openai/x"], "the agent oracle asks no model: leave --model out"),
        (
            ["town", "--agent", "random", "--sampling", "seed=1", "--cache", "c"],
            "no model: leave --sampling --cache out",
        ),
        (
            ["town", "--agent", "random", "--option", "speed=3"],
            "the agent random has no options: leave --option speed out",
        ),
        (
            ["town", "--agent", "my:Agent", "--prices", "p"],
            "my:Agent opens its model itself, beyond the reach of --prices",
        ),
        (["town", "--agent", "my:Agent", "--cap", "1"], "hand over what the agent needs with --option NAME=VALUE"),
        (["town", "--agent", "my:Agent", "--prompts", "p"], "leave --prompts out"),
        (["town", "--agent", "fara", "--model", "oracle", "--cache", "c"], "which no cache knows: leave --cache out"),
        (["town", "--agent", "som", "--model", "openai/x", "--cache", "c"], "needs a key: set OPENAI_API_KEY"),
        (
            ["town", "--agent", "openai", "--model", "anthropic/x"],
            "choose --agent anthropic, --agent som, or --model openai/",
        ),
        (
            ["town", "--agent", "anthropic-2025", "--model", "openai/x"],
            "the computer tool of anthropic, which openai/x does",
        ),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str],
    complaint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert main(["run", *words, "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert len(error.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_missing_package_is_said_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "held-by-nobody")
    words = ["run", "town", "--agent", "anthropic", "--model", "anthropic/x", "--out", str(tmp_path / "run")]
    assert main(words) == 2
    assert "needs the anthropic package: run `pip install '.[anthropic]'`" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with room for a few steps."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here: it needs the rights of root")
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_stops_the_run_at_once_and_it_goes_on_when_there_is_room(
    small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "town", "--agent", "oracle", "--repeats", "1", "--limit", "4", "--jobs", "2"]
    assert main([*words, "--out", str(small_disk / "run")]) == 1
    said = capsys.readouterr()
    assert "no space left on device; free some space and start again" in said.out
    assert "given up" not in said.out + said.err
    assert len(list(small_disk.rglob("trajectory.jsonl"))) <= 4, "nothing is tried again where nothing can be kept"
    subprocess.run(["mount", "-o", "remount,size=60m", str(small_disk)], check=True)
    assert main([*words, "--out", str(small_disk / "run")]) == 0
    _check_sound(small_disk / "run")
    assert [result.success for result in read_results(small_disk / "run").results] == [True] * 4


async def test_a_damaged_attempt_is_kept_aside_and_tried_anew(tmp_path: Path) -> None:
    folder, config = tmp_path / "run", msgspec.structs.replace(PLAN, agent="idle", limit=2)
    await run_async(config, folder, resources=MEANS)
    damaged = next(Run(folder).attempts())
    spoiled = damaged.path.read_bytes().replace(b"{", b"[", 1)
    damaged.path.write_bytes(spoiled)
    told: list[str] = []
    summary = await run_async(config, folder, resources=MEANS, say=told.append)
    assert (summary.finished, summary.skipped) == (1, 1)
    (sentence,) = told
    assert sentence.startswith(f"{damaged.path}, line 1: ")
    aside = folder / "damaged" / damaged.folder.parent.name / "1.1"
    assert sentence.endswith(f"it is kept in {aside}, and tried anew")
    assert (aside / "trajectory.jsonl").read_bytes() == spoiled
    assert [each.folder.name for each in Run(folder).attempts(damaged.task_id)] == ["1.2"]
    _check_sound(folder)
    result = next(each for each in read_results(folder).results if each.task == damaged.task_id)
    assert (result.tries, result.stop, result.damaged) == (2, "terminated", False)
    again = await run_async(config, folder, resources=MEANS, say=told.append)
    assert (again.finished, again.skipped, len(told)) == (0, 2, 1)


def test_a_plan_of_any_size_begins_at_once_and_hears_a_signal(tmp_path: Path) -> None:
    words = ["run", "town", "--agent", "idle", "--repeats", "99999999", "--out", str(tmp_path / "run")]
    command = [sys.executable, "-m", "workalike.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not any(tmp_path.rglob("trajectory.jsonl")):
            time.sleep(0.05)  # until it has begun
        process.send_signal(signal.SIGTERM)
        shown, complaint = process.communicate()
    assert process.returncode == 130, complaint
    assert "left to run" in shown
    assert "stopped: interrupted" in shown
