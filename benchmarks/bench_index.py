"""A run of ten thousand attempts: its report, the viewer's first answer and going on with it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchmarks import Figure
from workalike.bench.agent_factory import prompt_hashes
from workalike.bench.attempt import AttemptEnd
from workalike.bench.config import describe
from workalike.bench.loading import load_benchmark
from workalike.bench.run import run_async
from workalike.bench.runner import Runner, spent
from workalike.core.actions import Click, Terminate
from workalike.core.contracts import Job, Sink
from workalike.core.observation import Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Usage
from workalike.core.verdict import Verdict
from workalike.env.browser import chromium
from workalike.models.messages import Message, Reply, Sampling, Text
from workalike.models.prompts import Prompts
from workalike.models.transcript import Got, Sent
from workalike.store.config import RunConfig
from workalike.store.index import INDEX, UNSETTLED, summaries
from workalike.store.layers import VERDICTS, LayerWriter
from workalike.store.lines import encode
from workalike.store.runs import Run, RunWriter
from workalike.store.trajectories import FORMAT, End, Header, StepLine
from workalike.verify import state
from workalike.verify.state import StateVerifier

ATTEMPTS, STEPS = 10_000, 8


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        config = make_run(run, ATTEMPTS)
        whole = _seconds(lambda: summaries(Run(run)))
        time.sleep(UNSETTLED / 1e9)
        summaries(Run(run))
        indexed = _seconds(lambda: summaries(Run(run)))
        report = _seconds(lambda: _call("report", str(run)))
        (run / INDEX).rename(run / "kept")
        before = _seconds(lambda: _call("report", str(run)))
        (run / INDEX).unlink(missing_ok=True)
        (run / "kept").rename(run / INDEX)
        view, known = _first_answer(run), asyncio.run(_go_on(run, config))
        resumed = _seconds(lambda: asyncio.run(run_async(config, run)))
    detail = f"{ATTEMPTS:,} attempts of {STEPS} steps"
    return [
        Figure("what is known of all attempts, out of the index", indexed, "s", "", detail),
        Figure("… against reading them all", indexed / whole, "×", "≤ 0.1"),
        Figure("report", report, "s", "< 2"),
        Figure("… against one that reads all attempts", report / before, "×", "≤ 0.2"),
        Figure("view, until its list is answered", view, "s", "< 2"),
        Figure("going on: what is done, judged and spent is known", known, "s", "< 2"),
        Figure("… with the town, the model's server and the browser started", resumed, "s"),
    ]


async def _go_on(folder: Path, config: RunConfig) -> float:
    """What a run does before its first new attempt, apart from what a run of one attempt does as well."""
    benchmark = load_benchmark(config).task_set
    start = time.perf_counter()
    spent(Run(folder))
    with RunWriter.resume(folder) as run:
        summary = await Runner(run, benchmark, Nobody(), [StateVerifier()]).go(config.repeats)
    assert summary.finished == 0
    assert summary.skipped >= ATTEMPTS
    return time.perf_counter() - start


class Nobody:
    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> AttemptEnd:
        raise AssertionError("everything is done")


def make_run(folder: Path, attempts: int) -> RunConfig:
    """A run on the town with at least so many finished attempts, each with a transcript and a verdict; its settings."""
    config = RunConfig(benchmark="town", agent="som", model="oracle", repeats=1)
    tasks = len(load_benchmark(config).task_set.tasks)
    config = msgspec.structs.replace(config, repeats=-(-attempts // tasks))
    benchmark = load_benchmark(config).task_set
    info = describe(
        config, benchmark, prompt_hashes(config.spec, Prompts(), config.answers), chromium.version(chromium.find())
    )
    transcript = b"".join(map(encode, _exchanges()))
    with (
        RunWriter(folder, info, benchmark.tasks, benchmark.keys.values()) as run,
        LayerWriter(folder, VERDICTS, state.NAME, Verdict) as verdicts,
    ):
        for task in benchmark.tasks:
            for repeat in range(1, config.repeats + 1):
                place = run.place(task.id, repeat, 1)
                place.folder.mkdir(parents=True)
                place.path.write_bytes(b"".join(map(encode, _lines(place.id, task))))
                place.transcript.write_bytes(transcript)
                outcome = Verdict(place.id, state.NAME, "success" if repeat % 3 else "failure")
                verdicts.put(place.id, outcome, sync=False)
    return config


def _lines(id: str, task: Task) -> Iterator[Header | StepLine | End]:
    seen = Observation(size=Size(1440, 900), url=task.start_url, title="A page of the town", time=1.0)
    yield Header(FORMAT, id, task)
    for index in range(STEPS):
        last = index == STEPS - 1
        action = Terminate("success", "ANSWER: done") if last else Click(Point(0.25, index / 10))
        taken = ActionResult(action, start=float(index), end=index + 0.5)
        yield StepLine(index, Step(seen, (taken,), reply="Click on it. " * 20, thought="The button is below. " * 10))
    yield End(STEPS, Stop("terminated"), seen, extra={state.CHANGES: []})


def _exchanges() -> Iterator[Sent | Got]:
    said = {f"m{index}": Message("user", (Text(f"What is next, in step {index}? " * 40),)) for index in range(STEPS)}
    for index, (name, message) in enumerate(said.items()):
        names = tuple(said)[: index + 1]
        begun = Sent(
            f"r{index}", index, 1, "", "oracle", sampling=Sampling(), messages=names, new_messages={name: message}
        )
        yield begun
        reply = Reply((Text("Click on it. " * 20),))
        yield Got(f"r{index}", index, 0.5, reply, usage=Usage(1, 2000, 60, cost=0.002))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _call(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "workalike.cli", *words], check=True, stdout=subprocess.DEVNULL)


@contextmanager
def _viewing(run: Path) -> Iterator[tuple[str, str]]:
    words = [sys.executable, "-m", "workalike.cli", "view", str(run), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as viewing:
        assert viewing.stdout is not None
        try:
            url, _, place = viewing.stdout.readline().split()[0].partition("#")
            yield url, place.rpartition("/")[2]
        finally:
            viewing.terminate()


def _first_answer(run: Path) -> float:
    start = time.perf_counter()
    with _viewing(run) as (url, key), urllib.request.urlopen(f"{url}api/run/{key}") as answer:
        assert len(msgspec.json.decode(answer.read())["attempts"]) >= ATTEMPTS
        return time.perf_counter() - start
