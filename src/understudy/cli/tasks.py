"""List a benchmark's tasks; with --check, prove that each is sound.

The check performs every task by plain requests on the town's real pages and judges the outcome from the database: the
right way must pass, doing nothing and every near miss must fail. It exits with 1 when a task is not sound."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from understudy.core.errors import BadInput

if TYPE_CHECKING:
    from understudy.town.benchmark import Drawn
    from understudy.town.check import Finding
    from understudy.town.town import Town

EXAMPLE = "understudy tasks town --category shopping\nunderstudy tasks town --check"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("benchmark", metavar="BENCHMARK", help="town, or an edition of it such as town@1")
    parser.add_argument("--category", help="only this category")
    parser.add_argument("--split", choices=["test", "train"], default="test", help="test (default) or train")
    parser.add_argument("--today", help="move the town's date: a date, or `now`")
    parser.add_argument("--check", action="store_true", help="prove that each task is sound")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    from understudy.town.benchmark import draw_tasks
    from understudy.town.town import Town
    from understudy.town.world import edition

    town = Town(edition(args.benchmark, args.today))
    drawn = [each for each in draw_tasks(town, args.split) if args.category in (None, each.task.category)]
    if not drawn:
        known = sorted({each.task.category or "" for each in draw_tasks(town, args.split)})
        raise BadInput(f"{args.benchmark} has no category {args.category!r}; it has {', '.join(known)}")
    if args.check:
        return _check(args, town, drawn)
    _list(args, drawn)
    return 0


def _list(args: Namespace, drawn: list[Drawn]) -> None:
    if args.json:
        _print_json([each.task for each in drawn])
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("task", "level", "instruction", box=None)
    for each in drawn:
        table.add_row(each.task.id, each.task.extra["level"], each.task.instruction)
    Console().print(table)


def _check(args: Namespace, town: Town, drawn: list[Drawn]) -> int:
    from understudy.town.check import check_tasks
    from understudy.verify.state import judge

    found = list(check_tasks(town, drawn, judge))
    if args.json:
        _print_json(found)
    else:
        _show_findings(found, drawn)
    return 1 if any(each.wrong for each in found) else 0


def _show_findings(found: list[Finding], drawn: list[Drawn]) -> None:
    category = {each.task.id: each.task.category for each in drawn}
    print(f"{'category':<24}{'tasks':>7}{'right ways':>12}{'near misses':>13}{'wrong':>7}")
    for name in dict.fromkeys(category.values()):
        rows = [each for each in found if category[each.task_id] == name]
        counts = (
            len(rows),
            sum(r.accepted for r in rows),
            sum(r.rejected for r in rows),
            sum(len(r.wrong) for r in rows),
        )
        print(f"{name:<24}{counts[0]:>7}{counts[1]:>12}{counts[2]:>13}{counts[3]:>7}")
    for each in found:
        for sentence in each.wrong:
            print(f"{each.task_id} ({each.template}): {sentence}", file=sys.stderr)


def _print_json(value: object) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
