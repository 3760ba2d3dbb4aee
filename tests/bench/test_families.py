"""Every family solves tasks of the town over the full path: prompt, HTTP, parsing, scaling, a real browser, the judge.
The model is the oracle behind a real server; what the server counted is what the books say."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from workalike.bench.agent_factory import agent_factory
from workalike.bench.benchmarks import TaskSet, select
from workalike.bench.config import ORACLE, browser_settings, describe
from workalike.bench.executor import LocalAttempts, in_browsers
from workalike.bench.loading import load_benchmark
from workalike.bench.run import RunResources, run_async
from workalike.bench.runner import Runner, spent
from workalike.bench.sandbox import TownSandbox, town_sandbox
from workalike.cli import main
from workalike.core.actions import Scroll, Terminate
from workalike.core.screen import Size
from workalike.dialects.reply import ParsedReply
from workalike.env.browser.stage import Stage
from workalike.families import names
from workalike.families.speech import speak
from workalike.models.asked import Asked
from workalike.models.client import ServiceLimits
from workalike.models.messages import Reply
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.models.server.app import application
from workalike.models.server.asked import Broken, Fault
from workalike.models.server.counting import Books
from workalike.models.server.misbehaving import KINDS, Misbehaviour, misbehaving
from workalike.models.transcript import Sent, read_lines
from workalike.report.reading import read_results
from workalike.report.results import Result
from workalike.runtime import pool
from workalike.runtime.serving import serving_apart
from workalike.store.config import AttemptLimits, RunConfig
from workalike.store.runs import Run, RunWriter
from workalike.verify.state import StateVerifier

SIZES = (Size(1440, 900), Size(1280, 720), Size(1024, 768))
PATIENT = ServiceLimits(timeout=60.0, retries=8, first_wait=0.01, longest_wait=0.02)
CANARY = Path("/tmp/workalike-was-here")


class Scene:
    """The town with its tasks, its oracle behind a server, and one browser, for many runs."""

    def __init__(self, sandbox: TownSandbox, benchmark: TaskSet, stage: Stage, url: str, books: Books) -> None:
        self.sandbox, self.benchmark, self.stage, self.url, self.books = sandbox, benchmark, stage, url, books

    def config(self, family: str, tasks: Sequence[str]) -> RunConfig:
        return RunConfig(
            benchmark="town",
            agent=family,
            model=f"{ORACLE}@{self.url}",
            repeats=1,
            tasks=tuple(tasks),
            limits=AttemptLimits(steps=150),
        )

    @asynccontextmanager
    async def runner(self, family: str, tasks: Sequence[str], folder: Path) -> AsyncIterator[Runner]:
        """A run of some tasks into a folder, or the rest of one."""
        config, prompts = self.config(family, tasks), Prompts()
        chosen = select(self.benchmark, (), config.tasks, None)
        info = describe(config, chosen, {}, "any")
        if folder.is_dir():
            info = msgspec.structs.replace(info, id=Run(folder).info.id)
        async with Models(limits=PATIENT) as models:
            with RunWriter(folder, info, chosen.tasks, chosen.keys.values()) as writer:
                make = agent_factory(config.spec, models, prompts, town=True)
                attempts = LocalAttempts(self.sandbox, in_browsers([self.stage]), make, config.limits)
                yield Runner(writer, chosen, attempts, [StateVerifier()])

    async def run(self, family: str, tasks: Sequence[str], folder: Path) -> Sequence[Result]:
        async with self.runner(family, tasks, folder) as runner:
            await runner.go(1, pool.PoolLimits(2))
        return read_results(folder).results


@asynccontextmanager
async def staged(
    how: Misbehaviour | None = None, viewport: Size = SIZES[0], scale: float = 1.0
) -> AsyncIterator[Scene]:
    loaded = load_benchmark(RunConfig(benchmark="town", agent="som", model=ORACLE))
    assert loaded.town is not None
    config = RunConfig(benchmark="town", agent="som", viewport=viewport, scale=scale)
    settings = browser_settings(config, search=TownSandbox.search)
    async with town_sandbox(loaded.town, with_eyes=True) as sandbox, Stage(settings) as stage:
        books = Books()
        served = lambda answers: application(misbehaving(answers, how) if how else answers, books)  # noqa: E731
        with sandbox.oracle_model(served) as url:
            yield Scene(sandbox, loaded.task_set, stage, url, books)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def scene() -> AsyncIterator[Scene]:
    async with staged() as scene:
        yield scene


def first_tasks(benchmark: TaskSet, number: int = 0) -> dict[str, str]:
    """One task of every category: the one of this number, round and round."""
    found: dict[str, list[str]] = {}
    for task in benchmark.tasks:
        found.setdefault(task.category or "", []).append(task.id)
    return {category: tasks[number % len(tasks)] for category, tasks in found.items()}


def check_books(folder: Path, books: Books) -> None:
    """What a run's report says is what the server counted, to the token. Requests whose end was never seen are counted
    as such, and what the server took for them is all that the two differ by."""
    report, sent, got = spent(Run(folder)), set[str](), set[str]()
    for path in folder.rglob("transcript.jsonl"):
        for line in read_lines(path):
            (sent if isinstance(line, Sent) else got).add(line.id)
    mine = {name: tokens for name, tokens in books.by_id.items() if name in sent}
    seen = [tokens for name, tokens in mine.items() if name in got]
    assert report.requests == len(seen)
    assert (report.input_tokens, report.output_tokens, report.cached_tokens) == (
        sum(each.input for each in seen),
        sum(each.output for each in seen),
        sum(each.cached for each in seen),
    )
    assert report.unaccounted >= len(sent - got) >= len(mine) - len(seen)
    shown = [result.usage for result in read_results(folder).results]
    assert sum(each.input_tokens for each in shown) == report.input_tokens


@pytest.mark.parametrize("family", names())
async def test_every_family_solves_a_task(scene: Scene, family: str, tmp_path: Path) -> None:
    """Another category for each family in turn."""
    tasks = list(first_tasks(scene.benchmark).values())
    task = tasks[names().index(family) % len(tasks)]
    before = scene.books.total
    (result,) = await scene.run(family, [task], tmp_path / "run")
    assert (result.task, result.outcome, result.stop) == (task, "success", "terminated")
    check_books(tmp_path / "run", scene.books)
    counted = scene.books.total
    assert result.usage.input_tokens == counted.tokens.input - before.tokens.input
    assert result.usage.output_tokens == counted.tokens.output - before.tokens.output
    assert result.usage.unaccounted == 0


async def test_a_run_stopped_and_gone_on_with_keeps_the_books(scene: Scene, tmp_path: Path) -> None:
    """What was spent on the attempt that was cut short counts, too."""
    folder, task = tmp_path / "run", first_tasks(scene.benchmark)["shopping"]
    async with scene.runner("fara", [task], folder) as runner:
        going = asyncio.create_task(runner.go(1, pool.PoolLimits(1)))
        while not any(path.read_bytes().count(b"\n") > 3 for path in folder.rglob("trajectory.jsonl")):
            await asyncio.sleep(0.02)
        runner.halt("interrupted")
        assert (await going).stopped == "interrupted"
    (result,) = await scene.run("fara", [task], folder)
    assert result.outcome == "success"
    assert [result.tries for result in read_results(folder).results] == [2]
    check_books(folder, scene.books)


async def test_a_cap_stops_the_run_and_more_money_goes_on_with_it(tmp_path: Path) -> None:
    """An attempt that the money did not reach for is no failure of the agent's: it is tried anew."""
    prices, folder = tmp_path / "prices.json", tmp_path / "run"
    prices.write_text('{"oracle": {"input": 1, "output": 4}}')
    config = RunConfig(benchmark="town", agent="fara", model=ORACLE, repeats=1, limit=1)
    poor = await run_async(config, folder, resources=RunResources(jobs=1, cap=0.04, prices=prices))
    assert (poor.finished, poor.not_started) == (0, 1)
    assert "the budget is used up" in poor.stopped
    assert 0 < (spent(Run(folder)).cost or 0) <= 0.04
    assert [result.finished for result in read_results(folder).results] == [False]
    rich = await run_async(config, folder, resources=RunResources(jobs=1, cap=5, prices=prices))
    assert (rich.finished, rich.stopped) == (1, "")
    assert [result.outcome for result in read_results(folder).results] == ["success"]


def test_kills_and_resumes_keep_the_books(tmp_path: Path) -> None:
    """The server outlives the killed run, and its count is what the report ends up with."""
    folder, books = tmp_path / "run", Books()
    with serving_apart(application(_scrolling, books)) as address:
        process = _start(folder, address)
        while books.total.replies < 5:
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
        assert not any(result.finished for result in read_results(folder).results)
        assert _start(folder, address).wait(120) == 0
    results = read_results(folder)
    assert [result.stop for result in results.results] == ["terminated"]
    assert results.results[0].tries == 2
    check_books(folder, books)
    lost = sum(tokens.input for tokens in books.by_id.values()) - results.results[0].usage.input_tokens
    assert (lost > 0) <= (results.results[0].usage.unaccounted > 0)


async def _scrolling(asked: Asked) -> Reply:
    """A model that looks down the page for twelve steps and calls it done."""
    said = sum(message.role == "assistant" for message in asked.request.messages)
    action = Scroll(dy=1) if said < 12 else Terminate("success", "Seen it all.")
    return speak(ParsedReply((action,), thought="On."), "fara", SIZES[0], (), asked)


def test_a_key_that_is_turned_away_ends_the_run_and_a_good_one_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turned_away = [Broken(401)]

    async def doorman(asked: Asked) -> Reply | Fault:
        done = ParsedReply((Terminate("success", "Done."),))
        return turned_away[0] if turned_away else speak(done, "fara", SIZES[0], (), asked)

    with serving_apart(application(doorman)) as address:
        words = ["run", "town", "--agent", "fara", "--model", f"m@{address}/v1", "--repeats", "1", "--limit", "3"]
        words += ["--jobs", "1", "--out", str(tmp_path / "run")]
        assert main(words) == 1
        shown = capsys.readouterr().out
        assert "0 attempts finished now" in shown
        assert "stopped: m@" in shown
        assert "401" in shown
        assert [result.begun for result in read_results(tmp_path / "run").results] == [True, False, False]
        turned_away.clear()
        assert main(words) == 0
    assert [result.stop for result in read_results(tmp_path / "run").results] == ["terminated"] * 3
    assert sum(result.tries for result in read_results(tmp_path / "run").results) == 4


def _start(folder: Path, address: str) -> subprocess.Popen[bytes]:
    words = ["run", "town", "--agent", "fara", "--model", f"played@{address}/v1", "--repeats", "1", "--limit", "1"]
    return subprocess.Popen(
        [sys.executable, "-m", "workalike.cli", *words, "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


async def test_the_run_goes_on_through_all_misbehaviour(tmp_path: Path) -> None:
    CANARY.unlink(missing_ok=True)
    kinds = tuple(kind for kind in KINDS if kind != "hang")
    async with staged(Misbehaviour(kinds, every=2, retry_after=0.01)) as scene:
        task = first_tasks(scene.benchmark)["shopping"]
        (result,) = await scene.run("fara", [task], tmp_path / "run")
    counted = scene.books.total
    assert result.stop == "terminated"
    assert counted.requests >= 2 * len(kinds), "every kind of trouble came"
    assert (result.usage.input_tokens, result.usage.output_tokens) == (counted.tokens.input, counted.tokens.output)
    assert (result.usage.requests, result.usage.unaccounted) == (counted.replies, counted.lost)
    check_books(tmp_path / "run", scene.books)
    assert not CANARY.exists()


async def test_a_file_is_chosen_by_who_is_told_only_what_pages_show(scene: Scene, tmp_path: Path) -> None:
    """A chooser for files is no part of a page, so the page tells that it opened."""
    (result,) = await scene.run("som", ["jobs_3"], tmp_path / "run")
    assert (result.outcome, result.stop) == ("success", "terminated")


@pytest.mark.sweep
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("viewport", SIZES, ids=lambda size: f"{size.width}x{size.height}")
async def test_every_family_in_every_category_on_every_screen(viewport: Size, scale: float, tmp_path: Path) -> None:
    number = SIZES.index(viewport) * 2 + int(scale) - 1
    async with staged(viewport=viewport, scale=scale) as scene:
        tasks = list(first_tasks(scene.benchmark, number).values())
        failed = list[str]()
        for family in names():
            results = await scene.run(family, tasks, tmp_path / family)
            failed += [f"{family} {each.task} {each.outcome} {each.stop}" for each in results if not each.success]
    print(f"{viewport} at {scale:g}: {len(names())} families, {len(tasks)} categories, {len(failed)} failed")
    assert failed == []


@pytest.mark.sweep
@pytest.mark.parametrize("family", ["som", "fara"])
async def test_all_tasks_of_the_town(scene: Scene, family: str, tmp_path: Path) -> None:
    results = await scene.run(family, [task.id for task in scene.benchmark.tasks], tmp_path / "run")
    solved = Counter(each.category for each in results if each.success)
    tried = Counter(each.category for each in results)
    print(f"{family}: {', '.join(f'{name} {solved[name]}/{tried[name]}' for name in tried)}")
    assert [f"{each.task} {each.outcome} {each.stop}" for each in results if not each.success] == []
    check_books(tmp_path / "run", scene.books)
