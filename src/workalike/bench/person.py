"""A person at a benchmark's task: recorded at work in a window, judged by the same truth as any agent, and kept as an
attempt of a run, so that it is reported like one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from workalike.bench.config import describe
from workalike.bench.judges import Judges
from workalike.bench.loading import LoadedBenchmark, TownBenchmark, load_benchmark
from workalike.bench.sandbox import TownSandbox, TownSandboxSession
from workalike.core.actions import Terminate
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.provenance import Provenance
from workalike.core.task import Task
from workalike.core.trajectory import Step, Stop
from workalike.core.verdict import Verdict
from workalike.env.browser import chromium
from workalike.record.browser import BrowserRecorder
from workalike.record.settings import RecordSettings
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import PICTURES, reduce_recording
from workalike.store.config import RunConfig
from workalike.store.recordings import Recording
from workalike.store.runs import Attempt, Run, RunWriter, is_run
from workalike.store.trajectories import FILE, read_trajectory
from workalike.town import extra
from workalike.town.benchmark import split_of, task_ids
from workalike.verify.state import StateVerifier

AGENT = "person"
"""Who acts in a run of people."""
RECORDING, REDUCED = "recording", "reduced"
Work = Callable[[BrowserRecorder], Awaitable[object]]
"""What happens while it is recorded: as a rule nothing but waiting until the person stops."""


class PersonAttempt(msgspec.Struct, frozen=True):
    """What came of it: where the attempt lies, how many steps it took, and what the truth says."""

    folder: str
    steps: int
    verdict: Verdict


class PersonTask(msgspec.Struct, frozen=True):
    """A task that a person may be asked to do, with the benchmark it is of."""

    loaded: LoadedBenchmark
    config: RunConfig
    task: Task
    key: Key


def find(named: str) -> PersonTask:
    """A task by the benchmark's name and its own: `town/shopping_1`."""
    benchmark, slash, task_id = named.partition("/")
    if not slash or not task_id:
        raise BadInput(f"--on takes a benchmark and a task, as town/shopping_1, not {named!r}")
    if benchmark.partition("@")[0] not in ("town", extra.NAME):
        raise BadInput(f"people are judged on the town alone, where the truth is known: --on {benchmark} has none")
    split = split_of(task_id)
    known = task_ids(split) if benchmark.partition("@")[0] == "town" else extra.task_ids(split)
    if task_id not in known:
        raise BadInput(f"{benchmark} has no task {task_id!r}; `workalike tasks {benchmark}` lists them")
    config = RunConfig(benchmark=benchmark, agent=AGENT, split=split, repeats=1)
    loaded = load_benchmark(config)  # all tasks, for several may go into one run
    task = next(each for each in loaded.task_set.tasks if each.id == task_id)
    return PersonTask(loaded, config, task, loaded.task_set.keys[task_id])


async def attempt_by_person(
    found: PersonTask,
    folder: Path,
    ask: Callable[[Task], str],
    work: Work,
    settings: RecordSettings = RecordSettings(),
    headless: bool = False,
) -> PersonAttempt:
    """Open the task in a window, record what is done until it ends, `ask` for the answer, and judge. Several tasks may
    go into one folder; a task that is there already gets one more repeat."""
    assert isinstance(found.loaded.benchmark, TownBenchmark)
    with _run(found, folder) as run:
        repeat = max((number for number, _ in run.tries(found.task.id)), default=0) + 1
        place = run.place(found.task.id, repeat, 1)
        async with found.loaded.benchmark.sandbox() as sandbox, sandbox.session(found.task, found.key) as session:
            await _record(found.task, sandbox, session, place.folder / RECORDING, work, settings, headless)
            said, known = ask(found.task), session.known()
        attempt = _keep(run, found.task, repeat, place.folder, said, known)
        with Judges(run, [StateVerifier()]) as judges:
            (verdict,) = await judges.judge(attempt)
        end = attempt.end()
        return PersonAttempt(str(attempt.folder), end.steps if end else 0, verdict)


def _run(found: PersonTask, folder: Path) -> RunWriter:
    """The run of people in a folder, made or gone on with."""
    if is_run(folder) and Run(folder).info.settings.get("agent") != AGENT:
        raise BadInput(f"{folder} is a run of {Run(folder).info.settings.get('agent')}, not of people; choose another")
    info = describe(found.config, found.loaded.task_set, {}, chromium.version(chromium.find()))
    if is_run(folder):
        info = replace(info, id=Run(folder).info.id)
    return RunWriter(folder, info, found.loaded.task_set.tasks, found.loaded.task_set.keys.values())


async def _record(
    task: Task,
    sandbox: TownSandbox,
    session: TownSandboxSession,
    out: Path,
    work: Work,
    settings: RecordSettings,
    headless: bool,
) -> None:
    start = sandbox.outside_url(session.task.start_url or "")
    async with BrowserRecorder(out, task, start, settings, headless=headless) as recorder:
        await work(recorder)


def _keep(run: RunWriter, task: Task, repeat: int, folder: Path, said: str, known: dict[str, Any]) -> Attempt:
    """The recording as an attempt of the run: its steps, its pictures, and the answer at its end."""
    recording = Recording(folder / RECORDING)
    reduce_recording(recording, folder / REDUCED, settings_of(recording.header.settings))
    reduced = read_trajectory(folder / REDUCED / FILE).trajectory
    for picture in sorted((folder / REDUCED / PICTURES).rglob("*.png")):
        run.pictures.put(picture.read_bytes())
    attempt, writer = run.begin(task, repeat, Provenance("workalike record", settings={"agent": AGENT}), reduced.extra)
    with writer:
        for step in reduced.steps:
            writer.step(_answered(step, said))
        writer.finish(Stop("terminated"), reduced.final, reduced.notices, known)
    return attempt


def _answered(step: Step, said: str) -> Step:
    """The step with the answer in it, where it is the one that ends the recording."""
    actions = tuple(
        replace(taken, action=replace(taken.action, answer=said)) if isinstance(taken.action, Terminate) else taken
        for taken in step.actions
    )
    return replace(step, actions=actions)
