"""Check a benchmark of your own against the contract: its tasks and keys, its sandbox, and its verifiers, on attempts
that do nothing.

It is named MODULE:NAME, a class or an object, and looked for here and where Python looks. Exit code 1 when a promise is
broken."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from workalike.cli import DONE, FOUND_FAILURES

EXAMPLE = """workalike check-benchmark my_benchmark:Quiz
workalike check-benchmark my_benchmark:Quiz --set 'colours=["blue"]' --json"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("place", metavar="MODULE:NAME", help="the benchmark")
    parser.add_argument("--set", action="append", metavar="NAME=VALUE", help="an option that its tasks are asked with")
    parser.add_argument("--tasks", type=int, default=3, metavar="N", help="attempt the first N tasks (3)")
    parser.add_argument("--json", action="store_true", help="print the checks as JSON")


def run(args: Namespace) -> int:
    import asyncio

    from workalike.bench.conformance import check_benchmark
    from workalike.cli import asking
    from workalike.cli.check_agent import show
    from workalike.runtime.own import load
    from workalike.store.config import need_count

    need_count("--tasks", args.tasks)
    found = load(args.place, "benchmark")
    options = asking.settings(args.set)
    make = found if isinstance(found, type) else lambda: found
    checks = asyncio.run(check_benchmark(make, args.place, options, args.tasks))
    show(checks, args.place, args.json)
    return DONE if all(check.passed for check in checks) else FOUND_FAILURES
