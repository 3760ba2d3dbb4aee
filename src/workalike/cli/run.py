"""Run an agent on a benchmark: many tasks, several repeats, in parallel, resumable.

Start it again with the same folder and it goes on where it stopped. What it wrote is shown by `workalike report`
and `workalike view`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workalike.cli import DONE, FOUND_FAILURES, INTERRUPTED, asking, plain, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.bench.runner import RunSummary
    from workalike.store.config import RunConfig

EXAMPLE = """
workalike run town --agent oracle --repeats 1 --limit 10 --out runs/first
workalike run webtailbench@v1 --data WebTailBench-v1-rubrics.tsv --agent fara --model fara-7b@http://localhost:8000/v1
workalike run town --agent my_agent:MyAgent --option model=gpt-4o --limit 10 --out runs/mine
workalike run town --agent som --by-hand --task shopping_1 --repeats 1 --out runs/mine
workalike run my_benchmark:Quiz --agent som --model openai/gpt-5 --set 'colours=["blue"]' --out runs/quiz
workalike run town --inject data,review --agent som --model openai/gpt-5 --out runs/attacked
workalike run --like runs/first --out runs/second
workalike run town --agent oracle --ray 10.0.0.1:6379 --out runs/cluster
"""
_NO_BEARING = (
    *("out", "data", "jobs", "browsers", "requests", "request_seconds", "cap", "headed", "like", "json"),
    *("prompts", "prices", "cache", "questions", "by_hand", "port", "verify", "judge"),
    *("judge_options", "ray", "shared"),
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "benchmark",
        metavar="BENCHMARK",
        nargs="?",
        help="town, town-extra, webtailbench@v1, …, or your own: MODULE:NAME",
    )
    parser.add_argument("--agent", help="who acts: oracle, random, idle, som, fara, …, or your own as MODULE:CLASS")
    parser.add_argument(
        "--model",
        help="openai/NAME, anthropic/NAME, or NAME@http://host:port/v1; on the town also oracle, with no key; "
        "by-hand is you",
    )
    asking.add_by_hand(parser, "OUT/questions")
    parser.add_argument("--repeats", type=int, help="independent runs of every task (3)")
    parser.add_argument("--seed", type=int, help="for agents that draw at random (0)")
    parser.add_argument("--category", action="append", dest="categories", metavar="C", help="only this category")
    parser.add_argument("--task", action="append", dest="tasks", metavar="ID", help="only this task")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N tasks, from the categories in turn")
    parser.add_argument("--split", choices=["test", "train"], help="of the town (test)")
    parser.add_argument("--today", metavar="DATE", help="move the town's date: a date, or `now`")
    parser.add_argument("--edition", metavar="FILE", help="a private edition of the town: its secret seed and date")
    parser.add_argument(
        "--refresh-dates", action="store_true", default=None, help="roll dates that have passed forward"
    )
    parser.add_argument("--steps", type=int, metavar="N", help="at most N steps a task (100)")
    parser.add_argument("--step-seconds", type=float, metavar="S", help="at most S seconds for a decision (600)")
    parser.add_argument("--task-seconds", type=float, metavar="S", help="at most S seconds a task (1800)")
    parser.add_argument("--viewport", metavar="WxH", help="the browser's viewport (1440x900)")
    parser.add_argument("--scale", type=float, help="device scale (1)")
    parser.add_argument("--locale", help="the browser's language (en-US)")
    parser.add_argument("--timezone", help="the browser's time zone, such as Europe/Paris")
    parser.add_argument(
        "--user", choices=["nobody", "persona", "canned"], help="who answers an agent's questions (nobody)"
    )
    parser.add_argument(
        "--answers",
        choices=["line", "free"],
        help="ask for an ANSWER line, or leave it out: then nothing is judged (line)",
    )
    parser.add_argument(
        "--inject", metavar="SUITE", help="plant instructions in the town's pages: all, or aims, carriers, eyes, tree"
    )
    parser.add_argument(
        "--decoupled", action="store_true", default=None, help="begin on the page in which something is planted"
    )
    parser.add_argument("--allow", action="append", metavar="HOST", help="on the public web, only this host")
    parser.add_argument("--block", action="append", metavar="HOST", help="on the public web, never this host")
    _add_resources(parser)


def _add_resources(parser: ArgumentParser) -> None:
    """Where a run is written, and what it may use."""
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the run is written; made if absent")
    parser.add_argument("--like", type=Path, metavar="RUN", help="repeat a run with its settings")
    parser.add_argument("--data", type=Path, metavar="PATH", help="the benchmark's file or folder, if not fetched")
    parser.add_argument("--jobs", type=int, default=4, help="attempts at once (4)")
    parser.add_argument("--browsers", type=int, default=1, help="browsers that they share (1)")
    parser.add_argument("--requests", type=int, default=8, metavar="N", help="requests at once to a service (8)")
    parser.add_argument(
        "--request-seconds", type=float, default=180.0, metavar="S", help="at most S seconds for a reply (180)"
    )
    parser.add_argument("--cap", type=float, metavar="DOLLARS", help="stop when this is spent, also by earlier tries")
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="your own words for prompts, by file")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="your own prices of models")
    parser.add_argument(
        "--cache", type=Path, metavar="FILE", help="keep replies, and take those to the same requests from there"
    )
    parser.add_argument(
        "--sampling", action="append", metavar="NAME=VALUE", help="temperature, top_p, seed, max_tokens, effort"
    )
    parser.add_argument(
        "--option",
        action="append",
        metavar="NAME=VALUE",
        dest="options",
        help="a setting of the agent's family or an argument of your own agent",
    )
    parser.add_argument(
        "--set", action="append", metavar="NAME=VALUE", dest="benchmark_options", help="an option of your own benchmark"
    )
    parser.add_argument(
        "--verify", action="append", metavar="V", help="a verifier besides the benchmark's own; yours as MODULE:CLASS"
    )
    parser.add_argument("--judge", metavar="MODEL", help="the model that verifiers ask; by-hand is you")
    parser.add_argument(
        "--judge-option", action="append", metavar="NAME=VALUE", dest="judge_options", help="of those named by --verify"
    )
    parser.add_argument("--headed", action="store_true", help="show the browser")
    asking.add_ray(parser, "make attempts on the nodes of a Ray cluster, --jobs in --browsers on each")
    parser.add_argument("--shared", action="store_true", help="with --ray: all nodes see OUT, and write pictures there")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(args: Namespace) -> int:
    from workalike.bench.run import RunResources
    from workalike.bench.run import run as run_benchmark
    from workalike.cli.progress import watching

    asking.take_by_hand(args)
    config = _config(args)
    folder = args.out or Path("runs") / f"{config.benchmark}-{config.agent}".replace("@", "-").replace(":", "-")
    own = {name: getattr(args, name) for name in ("prompts", "prices", "cache", "cap", "headed", "questions")}
    bounds = {"requests": args.requests, "request_seconds": args.request_seconds}
    judges = {"verify": tuple(args.verify or ()), "judge": args.judge}
    judges["judge_options"] = asking.settings(args.judge_options)
    where = {"ray": asking.ray_choice(args), "shared": args.shared}
    page = partial(asking.page_by_hand, port=args.port)
    resources = RunResources(jobs=args.jobs, browsers=args.browsers, page=page, **bounds, **own, **judges, **where)
    if args.like is not None:
        _need_prompts(args, config)
    with watching(f"{config.benchmark} · {config.agent}") as watch:
        summary = run_benchmark(config, folder, args.data, resources, watch, _tell)
    if args.json:
        print_json(summary)
    else:
        _show(summary, folder)
    if summary.stopped == "interrupted":
        return INTERRUPTED
    return FOUND_FAILURES if summary.given_up or summary.stopped or summary.all_broke else DONE


def _need_prompts(args: Namespace, config: RunConfig) -> None:
    """A run knows its prompts by their hashes alone: to repeat it, they must be given again."""
    from workalike.bench.agent_factory import prompt_hashes
    from workalike.models.prompts import Prompts
    from workalike.store.config import changed_prompts
    from workalike.store.runs import Run

    changed = changed_prompts(
        Run(args.like).info, config, prompt_hashes(config.spec, Prompts(args.prompts), config.answers)
    )
    if not changed:
        return
    words = f"{args.like} was made with other words in {', '.join(changed[:3])}{' and more' if changed[3:] else ''}"
    if args.prompts is None:
        raise BadInput(f"{words}: pass the --prompts DIR that it was made with again, or others to run it with those")
    _tell(f"{words}; those of {args.prompts} are used")


def _config(args: Namespace) -> RunConfig:
    from workalike.bench.config import config_like, patience
    from workalike.store.config import AttemptLimits, RunConfig, read_config
    from workalike.store.runs import Run

    given = {name: value for name, value in vars(args).items() if value is not None and name not in _NO_BEARING}
    for name in ("categories", "tasks", "allow", "block"):
        given.update({name: tuple(given[name])} if name in given else {})
    for name in ("sampling", "options", "benchmark_options"):
        given.update({name: asking.settings(given[name])} if name in given else {})
    if "viewport" in given:
        given["viewport"] = _size(given["viewport"])
    times: dict[str, Any] = {n: given.pop(n) for n in ("steps", "step_seconds", "task_seconds") if n in given}
    bounds = {**patience(given.get("model")), **times}
    if args.like is not None:
        return config_like(read_config(Run(args.like).info), given, bounds)
    for name in ("benchmark", "agent"):
        if name not in given:
            raise BadInput(f"say which {name} to run, or --like RUN; `workalike run --help` shows examples")
    return RunConfig(**given, limits=AttemptLimits(**bounds))


def _size(text: str) -> Any:
    from workalike.core.screen import Size

    width, _, height = text.lower().replace("×", "x").partition("x")
    if not (width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise BadInput(f"a viewport is written like 1440x900, not {text!r}")
    return Size(int(width), int(height))


def _show(summary: RunSummary, folder: Path) -> None:
    from workalike.core.endings import first_few, sentences

    attempts = "attempt" if summary.finished == 1 else "attempts"
    print(f"{summary.finished} {attempts} finished now, {summary.skipped} before, {summary.not_started} left to run")
    if summary.retried:
        tries = "1 try was" if summary.retried == 1 else f"{summary.retried} tries were"
        print(f"{tries} lost to the browser, the machine or the model's service, and repeated")
    given_up = [f"given up: {name}: {reason}" for name, reason in summary.given_up.items()]
    for line in first_few(given_up, "--json has them"):
        print(plain(line))
    for sentence in sentences(summary.endings):
        print(plain(sentence))
    if summary.all_broke:
        print("what ended by an error is not run again: once it is mended, choose another folder with --out")
    if summary.stopped:
        more = " with a higher --cap" if "$" in summary.stopped else ""
        remedy = "" if "start again" in summary.stopped else f"; run the same command again{more} to go on"
        print(plain(f"stopped: {summary.stopped}{remedy}"))
    print(f"written to {folder}; see `workalike report {folder}` and `workalike view {folder}`")


def _tell(sentence: str) -> None:
    print(plain(sentence), file=sys.stderr, flush=True)
