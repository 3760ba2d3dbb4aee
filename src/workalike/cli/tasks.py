"""List a benchmark's tasks; with --check, prove that each task of the town is sound.

The check performs every task by plain requests on the town's real pages and judges the outcome from the database: the
right way must pass, doing nothing and every near miss must fail. It also shows how much an agent at random would pass.
It exits with 1 when a task is not sound."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import open_console, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.bench.venue import Venue
    from workalike.town.check import Finding

EXAMPLE = "workalike tasks town --category shopping\nworkalike tasks town --check"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("benchmark", metavar="BENCHMARK", help="town, webtailbench@v1, online-mind2web, …")
    parser.add_argument("--category", action="append", default=[], metavar="C", help="only this category; repeatable")
    parser.add_argument(
        "--split", choices=["test", "train"], default="test", help="of the town: test (default) or train"
    )
    parser.add_argument("--today", metavar="DATE", help="move the town's date: a date, or `now`")
    parser.add_argument("--data", type=Path, metavar="PATH", help="the benchmark's file or folder, if not fetched")
    parser.add_argument("--refresh-dates", action="store_true", help="roll dates that have passed forward")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N tasks, from the categories in turn")
    parser.add_argument("--check", action="store_true", help="prove that each task is sound")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    from workalike.bench.plan import Plan
    from workalike.bench.venue import open_venue

    plan = Plan(
        benchmark=args.benchmark,
        agent="idle",
        categories=tuple(args.category),
        limit=args.limit,
        split=args.split,
        today=args.today,
        refresh_dates=args.refresh_dates,
    )
    venue = open_venue(plan, args.data)
    if args.check:
        return _check(args, venue)
    _list(args, venue)
    return 0


def _list(args: Namespace, venue: Venue) -> None:
    if args.json:
        print_json(venue.benchmark.tasks)
        return
    from rich.table import Table

    table = Table("task", "category", "level", "instruction", box=None)
    for task in venue.benchmark.tasks:
        table.add_row(task.id, task.category or "", str(task.extra.get("level", "")), task.instruction)
    open_console().print(table)
    print(f"{len(venue.benchmark.tasks)} tasks of {venue.benchmark.name}", file=sys.stderr)
    for note in _remarks(venue, args.refresh_dates):
        print(note, file=sys.stderr)


def _remarks(venue: Venue, refreshed: bool) -> list[str]:
    """What a reader must know: what is missing, and which dates have passed; the notes of a refresh tell the latter."""
    from datetime import date

    from workalike.bench.benchmarks import stale

    if venue.town is not None or refreshed:
        return list(venue.benchmark.notes)
    passed = [
        f"{task.id}: {', '.join(dates)} {'has' if len(dates) == 1 else 'have'} passed"
        for task, dates in stale(venue.benchmark, date.today())
    ]
    if passed:
        passed.append("--refresh-dates rolls forward those that are unambiguous")
    return [*venue.benchmark.notes, *passed]


def _check(args: Namespace, venue: Venue) -> int:
    from workalike.cli.progress import watching
    from workalike.core.progress import Progress
    from workalike.town.benchmark import Drawn
    from workalike.town.check import check_tasks
    from workalike.verify.state import judge

    if venue.town is None:
        raise BadInput(f"--check is for the town: nobody knows the truth about the tasks of {args.benchmark}")
    drawn = [Drawn(task, venue.benchmark.keys[task.id]) for task in venue.benchmark.tasks]
    found: list[Finding] = []
    with watching("checking") as watch:
        for finding in check_tasks(venue.town, drawn, judge):
            found.append(finding)
            watch(Progress(len(found), int(len(found) < len(drawn)), len(drawn)))
    if args.json:
        print_json(found)
    else:
        _show(found, {task.id: task.category or "" for task in venue.benchmark.tasks})
    return 1 if any(each.wrong for each in found) else 0


def _show(found: list[Finding], category: dict[str, str]) -> None:
    from rich.table import Table

    table = Table(box=None)
    for head in ("category", "tasks", "right ways passed", "near misses refused", "not sound", "passed at random"):
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


def _counts(rows: list[Finding]) -> tuple[str, ...]:
    unsound = sum(bool(row.wrong) for row in rows)
    chance = sum(row.chance for row in rows) / len(rows)
    passed, refused = sum(row.accepted for row in rows), sum(row.rejected for row in rows)
    return str(len(rows)), str(passed), str(refused), str(unsound), f"{chance:.2%}"
