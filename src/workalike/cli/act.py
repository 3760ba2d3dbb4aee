"""Let an agent do one task of your own, in a browser or on a desktop, and watch it step by step.

It asks you before a step that needs your word, and before an irreversible one whatever it thinks itself: orders,
payments and log-ins on live sites, and whatever the model's service warns of, wait for your y. Where nobody is at a
terminal to ask, such a step ends the task; --irreversible lets all of them pass unasked. Ctrl-C stops it. What it did
is a trajectory like any other."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import DONE, FOUND_FAILURES, INTERRUPTED, asking, plain, print_json, programs, reaching
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.bench.act import Acted, ActPlan
    from workalike.store.config import AttemptLimits

ENDS = {"asked": "stopped, since its question was not answered", "terminated failure": "given up"}
EXAMPLE = """
workalike act "When does the Louvre open on Sunday?" --agent som --model openai/gpt-5 --start https://www.louvre.fr
workalike act "Make the text bold" --on desktop --program mousepad --agent uitars --model ui-tars@http://gpu:8000/v1
workalike act "When does the Louvre open on Sunday?" --agent som --by-hand --start https://www.louvre.fr
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("task", metavar="TEXT", help="what is to be done")
    parser.add_argument("--on", choices=["browser", "desktop"], default="browser", help="where (browser)")
    parser.add_argument("--agent", required=True, help="som, fara, opencua, uitars, qwen, …, or your own: MODULE:CLASS")
    parser.add_argument("--start", metavar="URL", help="where the browser begins")
    programs.add_argument(parser)
    parser.add_argument(
        "--display", metavar=":N", help="on the desktop: this display, instead of a virtual one of its own"
    )
    reaching.add_argument(parser)
    parser.add_argument("--irreversible", action="store_true", help="do not ask before orders, payments and log-ins")
    parser.add_argument("--steps", type=int, default=100, metavar="N", help="at most N steps (100)")
    parser.add_argument(
        "--step-seconds", type=float, metavar="S", help="at most S seconds for a decision (600; by hand a day)"
    )
    asking.add_arguments(parser, "OUT/questions")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where it is written (acts/NAME)")
    parser.add_argument("--headed", action="store_true", help="show the browser")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON, and no steps")


def run(args: Namespace) -> int:
    import asyncio

    try:
        return asyncio.run(_act(args))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return INTERRUPTED


async def _act(args: Namespace) -> int:
    from workalike.bench.act import StartFailed, act
    from workalike.bench.agent_factory import WITHOUT_MODEL, check_name, need_use
    from workalike.cli.person import Terminal
    from workalike.models.by_hand import QUESTIONS
    from workalike.models.prompts import Prompts
    from workalike.models.served import Models
    from workalike.runtime.own import is_own
    from workalike.store.names import slug

    asking.take_by_hand(args)
    _check(args)
    check_name(args.agent)
    asks = not is_own(args.agent) and args.agent not in WITHOUT_MODEL
    if not asks:
        of_a_model = ("model", "questions", "cap", "prices", "sampling", "prompts")
        need_use(args.agent, {name: getattr(args, name) for name in of_a_model})
    plan = _plan(args)
    folder = args.out or Path("acts") / f"{plan.task.id}-{slug(args.task)}".rstrip("-")
    if folder.exists():
        raise BadInput(f"{folder} exists already; choose another with --out")
    terminal = Terminal(folder, quiet=args.json, asks_first=not args.irreversible)
    async with asking.opening(args, folder / QUESTIONS) if asks else Models() as models:
        try:
            acted = await act(plan, folder, models, Prompts(args.prompts), terminal)
        except StartFailed as error:
            raise BadInput("; ".join([str(error), *reaching.remedies(error.notices)])) from None
    return _outcome(args, acted, folder)


def _check(args: Namespace) -> None:
    """Refuse a task without words, what is no address, and what is said of a browser on a desktop or the other way
    round."""
    from workalike.core.actions import Visit
    from workalike.env.browser.address_bar import goal
    from workalike.store.config import need_amount, need_count

    if not args.task.strip():
        raise BadInput("the task is empty: say what is to be done")
    need_count("--steps", args.steps)
    need_amount("--step-seconds", args.step_seconds)
    other = {"browser": ("program", "display"), "desktop": ("start", "reach", "headed", "irreversible")}[args.on]
    wrong = [f"--{name}" for name in other if getattr(args, name)]
    if wrong:
        raise BadInput(f"{' and '.join(wrong)} cannot be had with --on {args.on}")
    scheme, colon, _ = (args.start or "").partition("://")
    if args.start is not None and (
        not isinstance(goal(args.start), Visit) or (colon and scheme.lower() not in ("http", "https"))
    ):
        raise BadInput(f"--start takes an address, such as https://www.louvre.fr, not {args.start!r}")
    if args.display and args.program:
        raise BadInput("--program starts programs on a display of its own; on yours, start them yourself")


def _plan(args: Namespace) -> ActPlan:
    from datetime import datetime

    from workalike.bench.act import ActPlan
    from workalike.core.contracts import AgentSpec, Reach
    from workalike.core.task import Task

    return ActPlan(
        task=Task(f"act-{datetime.now():%Y%m%d-%H%M%S}", args.task, start_url=args.start),
        agent=AgentSpec(args.agent, args.model, asking.settings(args.sampling), asking.settings(args.options)),
        on=args.on,
        reach=Reach(hosts=reaching.hosts(args.reach), public=True, guard=not args.irreversible),
        programs=programs.named(args.program),
        display=args.display,
        headed=args.headed,
        limits=_limits(args),
    )


def _limits(args: Namespace) -> AttemptLimits:
    """Whoever answers questions may take a while; a step is bound all the same, but for a person as the model."""
    from workalike.bench.config import DAY, patience
    from workalike.store.config import AttemptLimits

    given = {} if args.step_seconds is None else {"step_seconds": args.step_seconds}
    return AttemptLimits(**{"steps": args.steps, **patience(args.model), **given, "task_seconds": DAY})


def _outcome(args: Namespace, acted: Acted, folder: Path) -> int:
    trajectory, ending = acted.trajectory, acted.trajectory.ending
    for remedy in reaching.remedies(reaching.notices(trajectory)):
        print(remedy, file=sys.stderr)
    if args.json:
        status = ending.status if ending else None
        told = {"stop": trajectory.stop, "status": status, "answer": trajectory.answer, "usage": acted.usage}
        print_json({**told, "folder": str(folder)})
    else:
        _show_end(acted, folder)
    return DONE if ending is not None and ending.status == "success" else FOUND_FAILURES


def _show_end(acted: Acted, folder: Path) -> None:
    from workalike.cli.person import seen_at

    trajectory, stop = acted.trajectory, acted.trajectory.stop
    assert stop is not None
    why = f" ({stop.detail})" if stop.detail else ""
    done = sum(1 for step in trajectory.steps if step.actions or step.reply is not None)
    ending = f"{stop.reason} {trajectory.ending.status}" if trajectory.ending else stop.reason
    ended = ENDS.get(ending, ENDS.get(stop.reason, stop.reason.replace("_", " ")))
    print(f"\n{plain(trajectory.answer or 'no answer')}\n\n{ended}{plain(why)} after {done} step{'s' * (done != 1)}")
    print(asking.bill(acted.usage))
    print(seen_at(folder))
