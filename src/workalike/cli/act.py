"""Let an agent do one task of your own, in a browser or on a desktop, and watch it step by step.

It asks you before a step that needs your word, and before an irreversible one whatever it thinks itself: orders,
payments and log-ins on live sites, and whatever the model's service warns of, wait for your y. Where nobody is at a
terminal to ask, such a step ends the task; --irreversible lets all of them pass unasked. Ctrl-C stops it. What it did
is a trajectory like any other."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workalike.cli import DONE, FOUND_FAILURES, INTERRUPTED, asking, plain, print_json, reaching
from workalike.core.errors import BadInput, Infrastructure

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from workalike.bench.attempt import Sink
    from workalike.core.contracts import Agent, Decision, Environment, Sight, Wants
    from workalike.core.provenance import Provenance
    from workalike.core.task import Task
    from workalike.core.trajectory import Step, Stop, Taken, Trajectory
    from workalike.models.prompts import Prompts

LONGEST = 24 * 3600.0
"""Seconds: whoever answers questions may take a while."""
LONGEST_NOTICE = 400
ENDS = {"asked": "stopped, since its question was not answered", "terminated failure": "given up"}
EXAMPLE = """
workalike act "When does the Louvre open on Sunday?" --agent som --model openai/gpt-5 --start https://www.louvre.fr
workalike act "Make the text bold" --on desktop --program mousepad --agent uitars --model ui-tars@http://gpu:8000/v1
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("task", metavar="TEXT", help="what is to be done")
    parser.add_argument("--on", choices=["browser", "desktop"], default="browser", help="where (browser)")
    parser.add_argument("--agent", required=True, help="som, fara, opencua, uitars, qwen, …, or your own: MODULE:CLASS")
    parser.add_argument("--start", metavar="URL", help="where the browser begins")
    parser.add_argument("--program", action="append", metavar="COMMAND", help="on the desktop: start this first")
    parser.add_argument(
        "--display", metavar=":N", help="on the desktop: this display, instead of a virtual one of its own"
    )
    reaching.add_argument(parser)
    parser.add_argument("--irreversible", action="store_true", help="do not ask before orders, payments and log-ins")
    parser.add_argument("--steps", type=int, default=100, metavar="N", help="at most N steps (100)")
    parser.add_argument(
        "--step-seconds", type=float, default=600.0, metavar="S", help="at most S seconds for a decision (600)"
    )
    asking.add_arguments(parser)
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
    from contextlib import AsyncExitStack
    from datetime import datetime

    from workalike.core.task import Task
    from workalike.store.names import slug

    _check(args)
    task = Task(f"act-{datetime.now():%Y%m%d-%H%M%S}", args.task, start_url=args.start)
    folder = args.out or Path("acts") / f"{task.id}-{slug(args.task)}".rstrip("-")
    if folder.exists():
        raise BadInput(f"{folder} exists already; choose another with --out")
    async with AsyncExitStack() as stack:
        stop, usage, unanswered = await _attempt(args, task, folder, stack)
    return _outcome(args, stop, usage, folder, unanswered)


def _check(args: Namespace) -> None:
    """Refuse a task without words, what is no address, and what is said of a browser on a desktop or the other way
    round."""
    from workalike.bench.plan import need_amount, need_count
    from workalike.core.actions import Visit
    from workalike.env.address_bar import goal

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


async def _attempt(args: Namespace, task: Task, folder: Path, stack: AsyncExitStack) -> tuple[Stop, Any, bool]:
    """Why it ended, what it took, and whether it waits for answers by hand."""
    from workalike.agents.families import family, model_agent
    from workalike.bench.own import is_own
    from workalike.models.by_hand import Hands
    from workalike.models.messages import read_sampling
    from workalike.models.prompts import Prompts

    if is_own(args.agent):
        return await _attempt_of_own(args, task, folder, stack)
    prompts, options = Prompts(args.prompts), {"critical": "ask", **asking.settings(args.options)}
    chosen, sampling = family(args.agent, options, prompts), read_sampling(asking.settings(args.sampling))
    made = _provenance(args, prompts, {"options": options, "sampling": sampling})
    models = await stack.enter_async_context(asking.opening(args))
    models.open(args.model, api=chosen.api)  # whatever is missing is said before anything starts
    environment = await _environment(args, folder, stack)
    stack.push_async_callback(environment.close)
    model = models.open(args.model, api=chosen.api, sampling=sampling, transcript=folder / "transcript.jsonl")
    agent = model_agent(args.agent, model, options, prompts, confirm=None if args.irreversible else _allowed)
    stop = await _written(args, task, folder, agent, environment, made)
    waits = stop.reason == "agent_error" and isinstance(models, Hands) and models.model.asked > 0
    return stop, agent.usage, bool(args.dry_run) and waits


async def _attempt_of_own(args: Namespace, task: Task, folder: Path, stack: AsyncExitStack) -> tuple[Stop, Any, bool]:
    """An agent of one's own opens its model itself."""
    from workalike.bench.cast import need_use
    from workalike.bench.own import own_agent
    from workalike.models.prompts import Prompts
    from workalike.store.trajectories import FILE, read_trajectory

    asked = ("model", "dry_run", "answers", "cap", "prices", "sampling", "prompts")
    need_use(args.agent, {name.replace("_", "-"): getattr(args, name) for name in asked})
    options = asking.settings(args.options)
    agent = own_agent(args.agent, options)()
    environment = await _environment(args, folder, stack)
    stack.push_async_callback(environment.close)
    made = _provenance(args, Prompts(), {"options": options})
    stop = await _written(args, task, folder, agent, environment, made)
    return stop, read_trajectory(folder / FILE).trajectory.usage, False


def _provenance(args: Namespace, prompts: Prompts, settings: dict[str, Any]) -> Provenance:
    from datetime import datetime

    from workalike.bench.cast import prompt_hashes
    from workalike.bench.own import is_own
    from workalike.bench.plan import Plan
    from workalike.core.provenance import Provenance

    return Provenance(
        "workalike act",
        time=datetime.now().astimezone().isoformat(timespec="seconds"),
        model=args.model or (None if is_own(args.agent) else "by hand"),
        settings={"agent": args.agent, "on": args.on, **settings},
        prompts=prompt_hashes(Plan(benchmark="act", agent=args.agent, options=settings["options"]), prompts),
    )


async def _written(
    args: Namespace, task: Task, folder: Path, agent: Agent, environment: Environment, made: Provenance
) -> Stop:
    """Act, with every step on disk before the next; however it ends, the trajectory says so."""
    import asyncio

    from workalike.agents.agent import ModelAgent
    from workalike.bench.attempt import Limits, StoredSink, attempt
    from workalike.cli.person import answer
    from workalike.core.trajectory import Stop
    from workalike.store.pictures import PictureStore
    from workalike.store.trajectories import FILE, TrajectoryWriter

    pictures = PictureStore(folder / "pictures")
    limits = Limits(steps=args.steps, step_seconds=args.step_seconds, task_seconds=LONGEST)
    with TrajectoryWriter.create(folder / FILE, task.id, task, made) as writer:
        sink: Sink = StoredSink(pictures, writer)
        try:
            watched = sink if args.json else _Watched(sink)
            shown: Agent = agent if args.json else _Shown(agent)
            stop, sight = await attempt(shown, environment, task, watched, limits, answer)
        except BaseException as error:
            broken = isinstance(error, Infrastructure)
            writer.finish(Stop("infrastructure_error", str(error)) if broken else Stop("interrupted"))
            # What was under way in the browser ends with errors that nobody waits for any more.
            asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
            spent = f"\n{asking.bill(agent.usage)}" if isinstance(agent, ModelAgent) else ""
            print(f"{spent}\n{_seen(folder)}", file=sys.stderr)
            raise
        if sight is not None and sight.picture is not None:
            pictures.put(sight.picture)
        writer.finish(stop, sight.observation if sight else None, sight.notices if sight else ())
    return stop


async def _environment(args: Namespace, folder: Path, stack: AsyncExitStack) -> Environment:
    if args.on == "desktop":
        return _desktop(args)
    from workalike.cli.person import confirm
    from workalike.env.policy import Policy
    from workalike.env.settings import BrowserSettings
    from workalike.env.stage import Stage

    hosts = reaching.hosts(args.reach)
    stage = await stack.enter_async_context(Stage(BrowserSettings(headed=args.headed)))
    policy = Policy(hosts=hosts, public=True, guard=not args.irreversible)
    return stage.environment(policy, folder / "downloads", confirm=confirm)


def _desktop(args: Namespace) -> Environment:
    """A desktop, once it is known that its display can be reached and its programs are there."""
    import shlex
    import shutil

    from workalike.env.desktop import DesktopEnvironment
    from workalike.env.desktop_display import connect

    programs = [shlex.split(each) for each in args.program or ()]
    for program in programs:
        if not program or shutil.which(program[0]) is None:
            name = program[0] if program else ""
            raise BadInput(f"there is no program {name!r} on this machine; install it or name another")
    if args.display:
        connect(args.display).close()
    return DesktopEnvironment(display=args.display, programs=programs)


def _allowed(warning: str) -> bool:
    """Whether the person says yes to what the model's service warns of; where nobody is there to, it is a no."""
    from workalike.cli.person import confirm
    from workalike.core.errors import Refused

    try:
        return confirm(warning)
    except Refused:
        return False


class _Shown:
    """An agent that is seen to wait for its model, and to think before anything is done or asked."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.name, self._number = agent, agent.name, 0
        self.wants: Wants = agent.wants

    async def begin(self, task: Task) -> None:
        await self._agent.begin(task)

    async def decide(self, sight: Sight) -> Decision:
        import asyncio

        for notice in sight.notices:
            if notice.kind == "start":  # before anything is asked, and paid, in vain
                print(f"     · {plain(notice.text[:LONGEST_NOTICE])}", flush=True)
        line = asyncio.ensure_future(_waiting()) if sys.stderr.isatty() else None
        try:
            decision = await self._agent.decide(sight)
        finally:
            if line is not None:
                line.cancel()
                print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._number += 1
        thought = " ".join((decision.thought or "").split())
        print(f"{self._number:>3}  {plain(thought[:LONGEST_NOTICE]) or '(no thought)'}", flush=True)
        return decision

    async def close(self) -> None:
        await self._agent.close()


async def _waiting() -> None:
    import asyncio

    for seconds in range(1, round(LONGEST)):
        await asyncio.sleep(1)
        print(f"\r     … waiting for the model, {seconds} s", end="", file=sys.stderr, flush=True)


class _Watched:
    """Shows what was done at each step, once it is on disk."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def step(self, step: Step, picture: bytes | None) -> None:
        self._sink.step(step, picture)
        if step.reply is None and not step.actions:  # no reply came; the end says why
            return
        for taken in step.actions:
            print(f"     → {plain(_doing(taken))}", flush=True)
        for text in dict.fromkeys(notice.text for notice in step.notices if notice.kind != "start"):
            print(f"     · {plain(text[:LONGEST_NOTICE])}", flush=True)


def _doing(taken: Taken) -> str:
    """What was done, to what, and what went wrong."""
    import msgspec

    from workalike.core.actions import kind

    fields = {name: value for name, value in msgspec.to_builtins(taken.action).items() if name != "do"}
    given = msgspec.json.encode(fields).decode() if fields else ""
    on = f" on {taken.hit.role} {taken.hit.name!r}" if taken.hit else ""
    return f"{kind(taken.action)} {given[:160]}{on}".rstrip() + (f"  ✗ {taken.error}" if taken.error else "")


def _outcome(args: Namespace, stop: Stop, usage: Any, folder: Path, unanswered: bool) -> int:
    from workalike.store.trajectories import FILE, read_trajectory

    trajectory = read_trajectory(folder / FILE).trajectory
    ending = trajectory.ending
    done = unanswered or (ending is not None and ending.status == "success")
    for remedy in reaching.remedies(trajectory):
        print(remedy, file=sys.stderr)
    if args.json:
        status = ending.status if ending else None
        told = {"stop": stop, "status": status, "answer": trajectory.answer, "usage": usage, "folder": str(folder)}
        print_json({"waiting": stop.detail, "folder": str(folder)} if unanswered else told)
    elif unanswered:
        print(stop.detail)
    else:
        _show_end(trajectory, stop, usage, folder)
    return DONE if done else FOUND_FAILURES


def _show_end(trajectory: Trajectory, stop: Stop, usage: Any, folder: Path) -> None:
    why = f" ({stop.detail})" if stop.detail else ""
    done = sum(1 for step in trajectory.steps if step.actions or step.reply is not None)
    ending = f"{stop.reason} {trajectory.ending.status}" if trajectory.ending else stop.reason
    ended = ENDS.get(ending, ENDS.get(stop.reason, stop.reason.replace("_", " ")))
    print(f"\n{plain(trajectory.answer or 'no answer')}\n\n{ended}{plain(why)} after {done} step{'s' * (done != 1)}")
    print(asking.bill(usage))
    print(_seen(folder))


def _seen(folder: Path) -> str:
    return f"written to {folder}; see `workalike view {folder}`"
