"""A set to measure judges on, made in the browser on the town, where truth is known: right attempts, and attempts that
go wrong in a named way, paired by task. A judge that does not look cannot tell them apart: step count, last address,
length of the answer and status do not give them away, which is measured."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from workalike.bench.agent_factory import AttemptSpec
from workalike.bench.config import browser_settings, describe
from workalike.bench.executor import LocalAttempts, in_browsers
from workalike.bench.loading import LoadedBenchmark, load_benchmark
from workalike.bench.mistakes import Turn, Wayward, WaywardAgent
from workalike.bench.runner import Runner
from workalike.bench.sandbox import TownSandbox
from workalike.core.actions import Status
from workalike.core.contracts import Agent
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.label import TRUTH, Label
from workalike.core.outcomes import solved
from workalike.core.progress import Watch, ignore
from workalike.core.task import Task
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import Verdict
from workalike.env.browser import chromium
from workalike.env.browser.stage import Stage
from workalike.runtime import pool
from workalike.store.config import AttemptLimits, RunConfig, settle
from workalike.store.files import need_new
from workalike.store.layers import verdicts_of
from workalike.store.names import safe_name
from workalike.store.pictures import PictureStore
from workalike.store.runs import PICTURES, Run, RunWriter, is_run
from workalike.store.trajectories import FILE, write_trajectory
from workalike.town.kit.goal import all_misses, read_goals
from workalike.town.town import Town
from workalike.verify import state
from workalike.verify.guessing import Clues, guessable
from workalike.verify.labels import labels_of, write_labels, write_table
from workalike.verify.state import StateVerifier

SEED = 12
A_KIND, WRONG_A_TASK, NOISY = 22, 3, 4
"""How many attempts of a kind; how many wrong ones a task has beside its right one; one in how many takes detours."""
AFTER = {"easy": (6, 12), "medium": (9, 14), "hard": (15, 25)}
WANDER = (0, 35)
"""How far those come who end short of the way, by the level of the task, and about how many needless actions they make
then: so neither their length nor where they are tells of it."""
LIMITS = AttemptLimits(steps=150)
_PLANS: tuple[tuple[str, str], ...] = (
    (r"variant|another fare|rate instead|another seat", "wrong variant"),
    (r"neighbour|another flight|instead$", "neighbour instead"),
    (r"short$|too few|not saved", "one item short"),
    (r"too many|a night longer|one more", "too many"),
    (r"extra|insurance added|as well$", "something extra"),
    (r"right answer, but something|besides$", "side effect beside a right answer"),
    (r"another day|a day later", "wrong day"),
    (r"not taken|stopped at|not begun|not booked|not cancelled", "stopped before the critical point"),
    (r"without leave", "crossed the critical point"),
    (r"^(sent to|another|for other|booked for|without)", "wrong details"),
)
_ANSWERS: tuple[tuple[str, str], ...] = (
    (r"other|swapped|turned|both|neither|dearer one|heavier|denied", "the other one reported"),
    (r"price|sum|total|dollar|difference|off$|dearer|dearest|children|delivery|wrapping", "neighbour's price reported"),
    (r"", "right state, wrong answer"),
)
_WORDS = ("", "", "I went through it step by step.\n", "I looked at the pages that matter for this, and that is it:\n")
_CLAIMS = ("", "Everything is as you wished.\n", "I have done it.\n")
_IN_REQUESTS_ALONE = re.compile(r"personal data entered|not placed|not completed")
"""Near misses that the oracle cannot go on a page; the policies make these mistakes."""


class Planned(msgspec.Struct, frozen=True):
    """The ways that the attempts at one task are to go, one for each repeat."""

    task: Task
    key: Key
    ways: tuple[Wayward, ...]


class SetSummary(msgspec.Struct, frozen=True):
    """What the set holds: attempts by kind (right ones under the empty name), tasks, categories, those with detours,
    those left out because truth says otherwise than planned, and how well four clues alone tell right from wrong."""

    kinds: dict[str, int]
    tasks: int
    categories: dict[str, int]
    noisy: int
    left_out: dict[str, int]
    guessed: float | None


def plan(tasks: Sequence[tuple[Task, Key]], town: Town, a_kind: int = A_KIND, seed: int = SEED) -> tuple[Planned, ...]:
    """Which task goes how: kinds that few tasks allow first, spread over tasks, each task with a right attempt."""
    rng = Random(seed)
    possible = {task.id: list(_ways(task, key, town, Random(f"{seed} {task.id}"))) for task, key in tasks}
    open_to: dict[str, list[str]] = {}
    for id, ways in possible.items():
        for kind in dict.fromkeys(way.kind for way in ways):
            open_to.setdefault(kind, []).append(id)
    chosen: dict[str, list[Wayward]] = {}
    for kind in sorted(open_to, key=lambda name: (len(open_to[name]), name)):
        for id in _spread(open_to[kind], chosen, a_kind, rng):
            taken = chosen.setdefault(id, [])
            fresh = [way for way in possible[id] if way.kind == kind and way not in taken]
            taken.extend(fresh[:1])
    for id, taken in chosen.items():
        rng.shuffle(possible[id])
        others = sorted((way for way in possible[id] if way not in taken), key=lambda way: way.kind == taken[0].kind)
        taken.extend(others[: WRONG_A_TASK - len(taken)])
    return tuple(
        Planned(task, key, _noised((Wayward(), *chosen[task.id]), rng)) for task, key in tasks if task.id in chosen
    )


def _some(planned: tuple[Planned, ...], limit: int | None) -> tuple[Planned, ...]:
    """At most so many tasks, from all over."""
    if limit is None or limit >= len(planned):
        return planned
    return tuple(planned[place * len(planned) // limit] for place in range(limit))


def _spread(ids: Sequence[str], chosen: Mapping[str, Sequence[Wayward]], wanted: int, rng: Random) -> list[str]:
    """Tasks with room for one more, begun ones first; where they do not suffice, some of them twice."""
    room = [id for id in ids if len(chosen.get(id, ())) < WRONG_A_TASK]
    rng.shuffle(room)
    room.sort(key=lambda id: -len(chosen.get(id, ())))
    twice = [id for id in room if not chosen.get(id)]
    return [*room, *twice][:wanted]


def _noised(ways: tuple[Wayward, ...], rng: Random) -> tuple[Wayward, ...]:
    noises = [rng.randrange(1, 10**6) if rng.random() < 1.2 / NOISY else 0 for _ in ways]
    return tuple(replace(way, noise=noise, words=rng.choice(_WORDS)) for way, noise in zip(ways, noises, strict=True))


def _ways(task: Task, key: Key, town: Town, rng: Random) -> Iterator[Wayward]:
    """Every wrong way that a task offers."""
    way, line, few = key.evaluators[0], str(key.plan["line"]), rng.randint(*AFTER[key.extra["level"]])
    around = Random(f"{task.id} around")
    if key.reports:
        turn: Turn = "wall" if way.status == "blocked" else "answer"
        yield from (Wayward("claimed success at a wall", turn=turn, answer=f"{said}ANSWER: done") for said in _CLAIMS)
        return
    for label, goals in all_misses(read_goals(key.plan["counted"]), town):
        if not _IN_REQUESTS_ALONE.search(label):
            yield Wayward(_kind(label, _PLANS), goals=goals)
    near = [(label, str(said)) for label, said in key.plan["near"].items()]
    yield from (Wayward(_kind(label, _ANSWERS), turn="answer", answer=said) for label, said in near)
    short = partial(Wayward, after=few, wander=around.randint(*WANDER))
    if near:
        yield short("invented answer", turn="halfway", answer=rng.choice(near)[1])
    if way.changes:
        yield short("claimed done half-way", turn="halfway", answer=line)
        yield Wayward("stopped before the critical point", turn="short")
    if key.critical_point is not None and key.stops:
        yield Wayward("crossed the critical point", turn="cross")
    if {"cookies", "newsletter", "error-once"} & set(key.setting.get("obstacles", ())):
        yield short("gave up at a solvable obstacle", turn="give_up", status=_gives_up(around), after=0)
    yield short("looped", turn="loop", answer="This is as far as I came.\nANSWER: done")
    yield short("declined for no reason", turn="refuse", status=_gives_up(around))


def _gives_up(rng: Random) -> Status:
    """The status of who does not go on: mostly that of who rightly reports that it cannot be done."""
    return "failure" if rng.random() < 0.6 else "success"


def _kind(label: str, table: Iterable[tuple[str, str]]) -> str:
    return next((kind for pattern, kind in table if re.search(pattern, label)), "wrong details")


async def build(
    folder: Path, a_kind: int = A_KIND, limit: int | None = None, jobs: int = 2, watch: Watch = ignore, seed: int = SEED
) -> SetSummary:
    """Make the set in the browser, or go on with it, and label what truth confirms."""
    repeats = 1 + WRONG_A_TASK
    config = settle(RunConfig(benchmark="town", agent="oracle", repeats=repeats, limits=LIMITS), date.today())
    loaded = load_benchmark(config)
    assert loaded.town is not None
    pairs = [(task, loaded.task_set.keys[task.id]) for task in loaded.task_set.tasks]
    planned = _some(plan(pairs, loaded.town, a_kind, seed), limit)
    if not planned:
        raise BadInput("no task of the town offers a wrong way: was it made by another version?")
    await _attempt_all(folder, loaded, planned, config, jobs, watch, seed)
    return label(folder, planned)


async def _attempt_all(
    folder: Path,
    loaded: LoadedBenchmark,
    planned: Sequence[Planned],
    config: RunConfig,
    jobs: int,
    watch: Watch,
    seed: int,
) -> None:
    """Every planned attempt as an attempt of one run: killed and started again it goes on."""
    ways = {(each.task.id, repeat): way for each in planned for repeat, way in enumerate(each.ways, 1)}
    some = {each.task.id for each in planned}
    chosen = replace(
        loaded.task_set,
        tasks=tuple(task for task in loaded.task_set.tasks if task.id in some),
        keys={id: key for id, key in loaded.task_set.keys.items() if id in some},
    )
    info = describe(config, chosen, {}, chromium.version(chromium.find()))
    told = {"agent": "wayward", "agreement_set": seed, "tasks_planned": len(planned)}
    info = replace(info, settings=info.settings | told)
    if is_run(folder):
        there = Run(folder).info
        if any(there.settings.get(name) != value for name, value in told.items()):
            raise BadInput(f"{folder} is another run, or a set of another plan; choose another folder")
        info = there
    with RunWriter(folder, info, chosen.tasks, chosen.keys.values()) as writer:
        settings = browser_settings(config, search=TownSandbox.search)
        async with loaded.benchmark.sandbox() as sandbox, Stage(settings) as stage:

            def make(spec: AttemptSpec) -> Agent:
                assert spec.key is not None
                return WaywardAgent(spec.key, ways[spec.task.id, spec.repeat])

            attempts = LocalAttempts(sandbox, in_browsers([stage]), make, config.limits)
            runner = Runner(writer, chosen, attempts, [StateVerifier()])
            await runner.go(config.repeats, pool.PoolLimits(jobs), watch)


def label(folder: Path, planned: Sequence[Planned]) -> SetSummary:
    """Label what the database confirms, of attempts that came to their own end: a right one that passed, a wrong one
    that did not. The rest is left out, and counted by kind."""
    run = Run(folder)
    truth = {id: verdict for layer in verdicts_of(folder, state.NAME) for (id, _), verdict in layer}
    labels: list[Label] = []
    clues: list[Clues] = []
    left, noisy = Counter[str](), 0
    for each in planned:
        for repeat, way in enumerate(each.ways, 1):
            found = [one for one in run.attempts(each.task.id) if one.repeat == repeat and one.id in truth]
            made = _label(each, way, truth[found[-1].id]) if found else None
            trajectory = found[-1].read().trajectory if found else None
            if made is None or trajectory is None or trajectory.ending is None:
                left[way.kind] += 1
                continue
            labels.append(made)
            noisy += bool(way.noise)
            clues.append(clues_of(trajectory, bool(made.success)))
    write_labels(folder, labels, "workalike agreement-set")
    return SetSummary(
        dict(sorted(Counter(each.kind for each in labels).items())),
        len({each.task for each in labels}),
        dict(sorted(Counter(each.category for each in labels).items())),
        noisy,
        dict(left),
        guessable(clues),
    )


def _label(planned: Planned, way: Wayward, verdict: Verdict) -> Label | None:
    task, walled = planned.task, planned.key.reports
    success = solved(verdict.outcome, task.benchmark, walled)
    if success is None or success != (not way.kind):
        return None
    return Label(
        verdict.trajectory, success, TRUTH, None, way.kind, task.category or "", task.id, walled, verdict.reason
    )


def clues_of(trajectory: Trajectory, success: bool) -> Clues:
    """What can be known of an attempt without looking at it."""
    last = trajectory.final or (trajectory.steps[-1].observation if trajectory.steps else None)
    ending = trajectory.ending
    return Clues(
        trajectory.task.id,
        len(trajectory.steps),
        (last.url or "") if last else "",
        len(trajectory.answer or ""),
        ending.status if ending else "none",
        success,
    )


def judge_set(source: Path, target: Path, count: int = 150, seed: int = SEED) -> int:
    """A folder for a judge of flesh or silicon: trajectories half right, the rest over all kinds, shuffled and renamed,
    without anything that only the town knows; the truth lies apart, in `truth.csv`. How many there are."""
    run, rng = Run(source), Random(seed)
    labels = [label for label in labels_of(source) if label.labeller == TRUTH]
    right = [each for each in labels if each.success]
    picked = [*rng.sample(right, min(len(right), count // 2)), *_over_kinds(labels, count - count // 2, rng)]
    rng.shuffle(picked)
    need_new(target)
    store = PictureStore(target / "run" / PICTURES)
    truth: list[Label] = []
    for number, each in enumerate(picked, 1):
        attempt = run.attempt(each.trajectory)
        assert attempt is not None, "labels are of attempts of this run"
        name = f"case-{number:03}"
        bare = replace(attempt.read().trajectory, id=name, provenance=None, extra={})
        for picture in bare.pictures:
            store.put(run.pictures.read(picture), picture.size)
        write_trajectory(target / "run" / safe_name(name) / FILE, bare)
        truth.append(replace(each, trajectory=name))
    write_table(target / "truth.csv", truth)
    return len(truth)


def _over_kinds(labels: Sequence[Label], wanted: int, rng: Random) -> list[Label]:
    """Wrong attempts, from all kinds in turn."""
    kinds: dict[str, list[Label]] = {}
    for each in labels:
        if not each.success:
            kinds.setdefault(each.kind, []).append(each)
    for each_kind in kinds.values():
        rng.shuffle(each_kind)
    picked: list[Label] = []
    while len(picked) < wanted and any(kinds.values()):
        picked += [left.pop() for left in kinds.values() if left]
    return picked[:wanted]
