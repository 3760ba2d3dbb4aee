"""The whole loop on the town, with no key and no network: three agents on a sample of every category it has, judged
from the database; the table; and what the oracle solved as training data, rows and messages."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from workalike.core.errors import BadInput

EXAMPLE = "workalike demo"
AGENTS = ("oracle", "random", "idle")
ROWS, MESSAGES = "demonstrations.jsonl", "messages"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("demo-run"), metavar="DIR", help="where runs go (demo-run)")
    parser.add_argument("--each", type=int, default=2, metavar="N", help="tasks of every category (2)")
    parser.add_argument("--jobs", type=int, default=2, help="attempts at once (2)")


def run(args: Namespace) -> int:
    from workalike.bench.attempt import Limits
    from workalike.bench.plan import Plan
    from workalike.bench.run import Means
    from workalike.bench.run import run as run_plan
    from workalike.bench.venue import open_venue
    from workalike.cli.progress import watching
    from workalike.cli.report import show
    from workalike.report.reading import read_results

    _need_own(args.out)
    if args.each < 1 or args.jobs < 1:
        raise BadInput("--each and --jobs must be at least 1")
    categories = len(open_venue(Plan(benchmark="town", agent="idle")).benchmark.categories)
    folders = [args.out / agent for agent in AGENTS]
    for agent, folder in zip(AGENTS, folders, strict=True):
        plan = Plan(benchmark="town", agent=agent, repeats=1, limit=args.each * categories, limits=Limits(steps=80))
        with watching(f"town · {agent}") as watch:
            run_plan(plan, folder, means=Means(jobs=args.jobs), watch=watch)
    results = [read_results(folder) for folder in folders]
    show(results)
    _write_training_data(folders[0], args.out)
    print(f"Look at every step:  workalike view {folders[0]}", flush=True)
    failed = [result.task for result in results[0].results if not result.success]
    if failed:
        print(f"the oracle did not solve {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _need_own(folder: Path) -> None:
    """Refuse a folder with other things in it; an earlier demo is gone on with."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; choose a folder with --out")
    other = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    other = [name for name in other if name not in (*AGENTS, ROWS, MESSAGES) and not name.startswith(".")]
    if other:
        raise BadInput(f"{folder} is no earlier demo: it holds {other[0]!r}; choose another folder with --out")


def _write_training_data(run_folder: Path, out: Path) -> None:
    """Demonstrations as AgentNet rows and as L2 messages, checked; each command is shown as one would type it."""
    from workalike.cli import main
    from workalike.core.errors import WorkalikeError

    rows, messages = out / ROWS, out / MESSAGES
    if messages.exists():
        return
    commands = (
        ["dataset", "merge", str(run_folder), "--out", str(rows)],
        ["dataset", "validate", str(rows), "--images", str(run_folder)],
        ["dataset", "export", str(run_folder), "--format", "chat", "--level", "l2", "--out", str(messages)],
    )
    for words in commands:
        print(f"\n$ workalike {' '.join(words)}", flush=True)
        if main(words):
            raise WorkalikeError(f"`workalike {' '.join(words)}` found something wrong; see above")
    print(f"\nAgentNet rows: {rows}   training messages: {messages}", flush=True)
