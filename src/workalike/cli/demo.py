"""The whole loop on the town, with no key and no network: three agents on a sample of every category it has, judged
from the database and reported; the oracle's attempts as AgentNet rows; one demonstration recorded in the browser,
reduced, given a chain of thought by a scripted model, and exported as training messages; and how to look at it all."""

from __future__ import annotations

import asyncio
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.report.reading import RunResults
    from workalike.store.config import RunConfig

EXAMPLE = "workalike demo"
AGENTS: dict[str, tuple[str, str | None]] = {
    "oracle": ("oracle", None),
    "random": ("random", None),
    "scripted": ("fara", "oracle"),
}
"""Who acts: a run's folder, the agent, and its model. The scripted one talks as Fara does to a real model server,
behind which the oracle follows its script."""
REPORT, ROWS, SHOWN, RECORDING, DEMONSTRATION, MESSAGES = (
    "report.html",
    "oracle.jsonl",
    "shown",
    "recording",
    "demonstration",
    "messages",
)
_STEPS = 120
SHOWN_TASKS = ("train_shopping_11", "train_shopping_3")
"""One of them is demonstrated. Looks of the train split hold still, so that a hand can do what the oracle did."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("demo-run"), metavar="DIR", help="where it goes (demo-run)")
    parser.add_argument("--each", type=int, default=2, metavar="N", help="tasks of every category (2)")
    parser.add_argument("--jobs", type=int, default=2, help="attempts at once (2)")


def run(args: Namespace) -> int:
    began = time.monotonic()
    _need_own(args.out)
    if args.each < 1 or args.jobs < 1:
        raise BadInput("--each and --jobs must be at least 1")
    _say("Three agents on a sample of the town, each judged by what it left in the database")
    results = [_run(args, name) for name in AGENTS]
    _report(results, args.out)
    _say("What the oracle did, as rows of AgentNet's form")
    _rows(args.out)
    _say("One demonstration: recorded in the browser, reduced, annotated, exported")
    _demonstrate(args)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    print(f"\nThat took {minutes} min {seconds} s. Everything is in {args.out}; the report is {args.out / REPORT}.")
    print(f"Look at it all, step by step, with the recording and its video:  workalike view {args.out}", flush=True)
    failed = [result.task for result in results[0].results if not result.success]
    if failed:
        print(f"the oracle did not solve {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _need_own(folder: Path) -> None:
    """Refuse a folder with other things in it; an earlier demo is gone on with."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; choose a folder with --out")
    own = (*AGENTS, REPORT, ROWS, SHOWN, RECORDING, DEMONSTRATION, MESSAGES)
    names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    other = [name for name in names if name not in own and not name.startswith(".")]
    if other:
        raise BadInput(f"{folder} is no earlier demo: it holds {other[0]!r}; choose another folder with --out")


def _run(args: Namespace, name: str) -> RunResults:
    from workalike.report.reading import read_results
    from workalike.store.config import AttemptLimits, RunConfig
    from workalike.town.benchmark import COUNTS

    agent, model = AGENTS[name]
    limits, sample = AttemptLimits(steps=_STEPS), args.each * len(COUNTS)
    config = RunConfig(benchmark="town", agent=agent, model=model, repeats=1, limit=sample, limits=limits)
    _go(config, args.out / name, args.jobs)
    return read_results(args.out / name)


def _go(config: RunConfig, folder: Path, jobs: int) -> None:
    from workalike.bench.run import RunResources
    from workalike.bench.run import run as run_benchmark
    from workalike.cli.progress import watching

    with watching(f"town · {folder.name}") as watch:
        run_benchmark(config, folder, resources=RunResources(jobs=jobs), watch=watch)


def _report(results: list[RunResults], out: Path) -> None:
    from workalike.cli.report import show

    show(results)
    (out / REPORT).unlink(missing_ok=True)
    _do(["report", *(str(out / name) for name in AGENTS), "--html", str(out / REPORT)])


def _rows(out: Path) -> None:
    """Demonstrations as AgentNet rows, checked; each command is shown as one would type it."""
    rows = out / ROWS
    if not rows.exists():
        _do(["dataset", "merge", str(out / "oracle"), "--out", str(rows)])
        _do(["dataset", "validate", str(rows), "--images", str(out / "oracle")])


def _demonstrate(args: Namespace) -> None:
    """A recording of somebody at work, and what a model would learn from it."""
    from workalike.bench.demonstration import demonstrate
    from workalike.store.config import RunConfig
    from workalike.store.runs import Run
    from workalike.town.town import Town
    from workalike.town.world import World

    out: Path = args.out
    recording, demonstration, messages = out / RECORDING, out / DEMONSTRATION, out / MESSAGES
    if messages.exists():
        print(f"They are in {demonstration} and {messages} already.")
        return
    if not recording.exists():
        shown = RunConfig(benchmark="town", agent="oracle", split="train", repeats=1, tasks=SHOWN_TASKS)
        _go(shown, out / SHOWN, args.jobs)
        task = asyncio.run(demonstrate(Town(World().of("train")), Run(out / SHOWN), recording))
        print(f"{recording}: {task}, by a hand that does in a recorded browser what the oracle did")
        print("(you in its place: `workalike record --task TEXT --browser URL --out DIR`)")
    if not demonstration.exists():
        _do(["reduce", str(recording), "--out", str(demonstration)])
    _do(["annotate", str(demonstration), "--model", "scripted", "--prior", "good"])
    print("(a scripted model follows a script and understands nothing; --model openai/NAME asks a real one)")
    _do(["dataset", "export", str(demonstration), "--format", "chat", "--level", "l2", "--out", str(messages)])


def _say(sentence: str) -> None:
    print(f"\n── {sentence}", flush=True)


def _do(words: list[str]) -> None:
    """Show a command as one would type it, and do it."""
    from workalike.cli import main
    from workalike.core.errors import WorkalikeError

    print(f"\n$ workalike {' '.join(words)}", flush=True)
    if main(words):
        raise WorkalikeError(f"`workalike {' '.join(words)}` found something wrong; see above")
