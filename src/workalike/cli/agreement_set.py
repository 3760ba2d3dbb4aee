"""Make a set to measure judges on: attempts on the town, right ones and ones that go wrong in a named way.

Everything happens in a real browser, with no key and no network; truth comes from the database. It takes long (an hour
or more on two cores) and goes on where it stopped. With --judge-set a smaller one is taken from it, shuffled and with
the truth apart, ready for `workalike verify --by-hand` or any model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from workalike.cli import DONE, print_json
from workalike.core.errors import BadInput

EXAMPLE = """
workalike agreement-set --out runs/agreement-set
workalike agreement-set --out runs/agreement-set --judge-set judge-set
workalike verify judge-set/run --verifier rubric --model openai/gpt-5
workalike agreement judge-set/run --labels judge-set/truth.csv
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="where the set is made; gone on with")
    parser.add_argument("--a-kind", type=int, default=22, metavar="N", help="attempts of every kind of mistake (22)")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N tasks")
    parser.add_argument("--jobs", type=int, default=2, help="attempts at once (2)")
    parser.add_argument(
        "--judge-set", type=Path, metavar="DIR", help="take a set for a judge from it into a new folder"
    )
    parser.add_argument("--count", type=int, default=150, metavar="N", help="how many of them (150)")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(args: Namespace) -> int:
    import asyncio

    from workalike.bench.agreement_set import build, judge_set
    from workalike.cli.progress import watching

    if min(args.a_kind, args.jobs, args.count, args.limit or 1) < 1:
        raise BadInput("--a-kind, --limit, --jobs and --count must be 1 or more")
    with watching("agreement set") as watch:
        summary = asyncio.run(build(args.out, args.a_kind, args.limit, args.jobs, watch))
    taken = judge_set(args.out, args.judge_set, args.count) if args.judge_set else None
    if args.json:
        print_json({"set": summary, "judge_set": taken})
        return DONE
    wrong = sum(count for kind, count in summary.kinds.items() if kind)
    print(f"{args.out}: {summary.kinds.get('', 0)} right and {wrong} wrong attempts at {summary.tasks} tasks")
    for kind, count in summary.kinds.items():
        print(f"  {count:4} {kind or 'right'}")
    print(f"{summary.noisy} with detours; left out, because truth says otherwise: {sum(summary.left_out.values())}")
    if summary.guessed is not None:
        print(f"guessing by steps, address, length and status alone: {100 * summary.guessed:.1f} % balanced accuracy")
    if taken is not None:
        print(f"{args.judge_set}/run: {taken} trajectories to judge; {args.judge_set}/truth.csv: what is true of them")
    return DONE
