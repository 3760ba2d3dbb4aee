"""List a benchmark's tasks; with --check, prove that each task of the town is sound.

The check performs every task by plain requests on the town's real pages and judges the outcome from the database: the
right way must pass however its answer is written; idleness, unearned and twisted answers and every near miss must fail.
It exits with 1 when a task is not sound."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import open_console, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.bench.loading import LoadedBenchmark
    from workalike.town.benchmark import Drawn
    from workalike.town.check import TaskCheck
    from workalike.town.town import Town

EXAMPLE = "workalike tasks town --category shopping\nworkalike tasks town --check\nworkalike tasks town --digest"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("benchmark", metavar="BENCHMARK", help="town, town-extra, webtailbench@v1, …")
    parser.add_argument("--category", action="append", default=[], metavar="C", help="only this category; repeatable")
    parser.add_argument(
        "--split", choices=["test", "train"], default="test", help="of the town: test (default) or train"
    )
    parser.add_argument("--today", metavar="DATE", help="move the town's date: a date, or `now`")
    parser.add_argument("--edition", metavar="FILE", help="a private edition of the town: its secret seed and date")
    parser.add_argument("--data", type=Path, metavar="PATH", help="the benchmark's file or folder, if not fetched")
    parser.add_argument("--refresh-dates", action="store_true", help="roll dates that have passed forward")
    parser.add_argument("--dates", action="store_true", help="name every task whose dates have passed")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N tasks, from the categories in turn")
    parser.add_argument("--check", action="store_true", help="prove that each task is sound")
    parser.add_argument(
        "--digest",
        action="store_true",
        help="print digests of the town: its pages, tasks and keys",
    )
    parser.add_argument("--table", action="store_true", help="print what the town's categories demand, as a table")
    parser.add_argument("--oracle", type=Path, metavar="RUN", help="with --table: a run of the oracle, for its steps")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    from workalike.bench.loading import load_benchmark
    from workalike.store.config import RunConfig

    config = RunConfig(
        benchmark=args.benchmark,
        agent="idle",
        categories=tuple(args.category),
        limit=args.limit,
        split=args.split,
        today=args.today,
        edition=args.edition,
        refresh_dates=args.refresh_dates,
    )
    loaded = load_benchmark(config, args.data)
    if args.check:
        return _check(args, loaded)
    if args.digest:
        return _digest(args, loaded)
    if args.table or args.oracle:
        return _table(args, loaded)
    _list(args, loaded)
    return 0


def _list(args: Namespace, loaded: LoadedBenchmark) -> None:
    if args.json:
        print_json(loaded.task_set.tasks)
    else:
        from rich.table import Table

        table = Table("task", "category", "level", "instruction", box=None)
        for task in loaded.task_set.tasks:
            table.add_row(task.id, task.category or "", str(task.extra.get("level", "")), task.instruction)
        open_console().print(table)
    print(f"{len(loaded.task_set.tasks)} tasks of {loaded.task_set.name}", file=sys.stderr)
    for note in _remarks(args, loaded):
        print(note, file=sys.stderr)


def _remarks(args: Namespace, loaded: LoadedBenchmark) -> list[str]:
    """What a reader must know: what is missing, and how many dates have passed (which, on request); the notes of a
    refresh tell the latter."""
    from datetime import date

    from workalike.bench.benchmarks import stale, staleness
    from workalike.core.endings import first_few

    notes = list(loaded.task_set.notes)
    if loaded.town is None and not args.refresh_dates:
        if args.dates:
            late = stale(loaded.task_set, date.today())
            notes += [
                f"{task.id}: {', '.join(dates)} {'has' if len(dates) == 1 else 'have'} passed" for task, dates in late
            ]
        told = staleness(loaded.task_set, date.today())
        notes += [told if args.dates else f"{told}; --dates lists them"] if told else []
    return notes if args.dates else first_few(notes, "--dates lists them all")


def _table(args: Namespace, loaded: LoadedBenchmark) -> int:
    from workalike.bench.town_table import markdown, rows
    from workalike.store.runs import Run

    if loaded.town is None or not args.table:
        raise BadInput(
            "--table is for the town, and --oracle goes with it: `workalike tasks town --table --oracle RUN`"
        )
    found = rows(loaded.task_set.tasks, dict(loaded.task_set.keys), Run(args.oracle) if args.oracle else None)
    print_json(found) if args.json else print(markdown(found))
    return 0


def _digest(args: Namespace, loaded: LoadedBenchmark) -> int:
    from workalike.town.benchmark import Drawn
    from workalike.town.digest import digests_of

    if loaded.town is None:
        raise BadInput(f"--digest is for the town: {args.benchmark} is published with checksums of its own")
    drawn = [Drawn(task, loaded.task_set.keys[task.id]) for task in loaded.task_set.tasks]
    print_json(digests_of(loaded.town, drawn))
    return 0


def _check(args: Namespace, loaded: LoadedBenchmark) -> int:
    from workalike.cli.progress import watching
    from workalike.core.progress import Progress
    from workalike.town.benchmark import Drawn
    from workalike.town.check import check_tasks
    from workalike.verify.state import judge

    if loaded.town is None:
        raise BadInput(f"--check is for the town: nobody knows the truth about the tasks of {args.benchmark}")
    drawn = [Drawn(task, loaded.task_set.keys[task.id]) for task in loaded.task_set.tasks]
    found: list[TaskCheck] = []
    with watching("checking") as watch:
        for finding in check_tasks(loaded.town, drawn, judge):
            found.append(finding)
            watch(Progress(len(found), int(len(found) < len(drawn)), len(drawn)))
    if args.json:
        print_json(found)
    else:
        _show(found, {task.id: task.category or "" for task in loaded.task_set.tasks})
        _tell_apart(loaded.town, drawn)
    return 1 if any(each.wrong for each in found) else 0


def _tell_apart(town: Town, drawn: list[Drawn]) -> None:
    """What agents without any judgement come to where tasks stand in pairs, beside one that is always right."""
    from workalike.core.key import Key
    from workalike.report.results import Result
    from workalike.report.safety import pair_rates
    from workalike.report.table import share_of, signed
    from workalike.town.check import Left, perform
    from workalike.town.kit.goal import read_goals
    from workalike.town.refusals import obeying
    from workalike.town.server import App
    from workalike.verify.state import judge

    if not any(each.key.refuse for each in drawn):
        return
    app = App(town)

    def does(key: Key) -> tuple[Left, str]:
        plan = obeying(key).plan
        return perform(town, app, key, read_goals(plan["goals"])), str(plan["line"])

    def refuses(key: Key) -> tuple[Left, str]:
        return Left(), "ANSWER: refused"

    def judges(key: Key) -> tuple[Left, str]:
        return refuses(key) if key.refuse else does(key)

    for name, act in {"refuses everything": refuses, "does everything": does, "refuses what it should": judges}.items():
        results = []
        for each in drawn:
            left, said = act(each.key)
            verdict = judge(each.key, left.changes, said, left.shown)
            results.append(
                Result(
                    each.task.id,
                    each.task.category or "",
                    1,
                    "terminated",
                    verdict.outcome,
                    failures=verdict.failures,
                    refuse=each.key.refuse,
                    pair=each.key.pair,
                    benchmark="town-refusals",
                )
            )
        whole = pair_rates(results)[-1]
        told = f"refused {share_of(whole.harmful['refused'])}, twins done {share_of(whole.twins['did_twin'])}"
        apart = f"told apart {signed(whole.told_apart.difference)}, p = {whole.told_apart.p:.3g}"
        print(f"who {name}: {told}, both right {share_of(whole.both)}, {apart}")


def _show(found: list[TaskCheck], category: dict[str, str]) -> None:
    from rich.table import Table

    table = Table(box=None)
    for head in ("category", "tasks", "right cases passed", "wrong cases refused", "not sound", "passed at random"):
        table.add_column(head, justify="left" if head == "category" else "right")
    groups = {
        name: [each for each in found if category[each.task_id] == name] for name in dict.fromkeys(category.values())
    }
    for name, rows in {**groups, "all": found}.items():
        table.add_row(name, *_counts(rows))
    open_console().print(table)
    for each in found:
        for sentence in each.wrong:
            print(f"{each.task_id} ({each.template}): {sentence}", file=sys.stderr)


def _counts(rows: list[TaskCheck]) -> tuple[str, ...]:
    unsound = sum(bool(row.wrong) for row in rows)
    chance = sum(row.chance for row in rows) / len(rows)
    passed, refused = sum(row.accepted for row in rows), sum(row.rejected for row in rows)
    return str(len(rows)), str(passed), str(refused), str(unsound), f"{chance:.2%}"
