"""Do a trajectory again in a fresh browser or on a fresh desktop, and say how far it comes out the same.

An attempt on the town is replayed in a town of its own, and the rows it changed are compared too. It exits with 1
when the replay went another way."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import DONE, FOUND_FAILURES, print_json, reaching
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.bench.plan import Plan
    from workalike.bench.replay import Replayed
    from workalike.core.trajectory import Trajectory
    from workalike.env.settings import BrowserSettings

EXAMPLE = "workalike replay runs/first/attempts/shopping-1-5fa6ef95522843f5/1.1 --on browser"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("trajectory", metavar="TRAJECTORY", type=Path, help="a trajectory.jsonl, or its folder")
    parser.add_argument("--on", choices=["browser", "desktop"], default="browser", help="where (browser)")
    parser.add_argument("--program", action="append", metavar="COMMAND", help="on the desktop: start this first")
    reaching.add_argument(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the replay is written (replays/NAME)")
    parser.add_argument("--headed", action="store_true", help="show the browser")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    import asyncio

    path = args.trajectory / "trajectory.jsonl" if args.trajectory.is_dir() else args.trajectory
    if not path.is_file():
        raise BadInput(f"there is no trajectory at {args.trajectory}; name a trajectory.jsonl or its folder")
    replayed = asyncio.run(_replay(path, args))
    if args.json:
        import msgspec

        print_json({**msgspec.to_builtins(replayed), "agrees": replayed.agrees})
    else:
        _show(replayed)
    return DONE if replayed.agrees else FOUND_FAILURES


async def _replay(path: Path, args: Namespace) -> Replayed:
    from workalike.bench.replay import replay
    from workalike.store.reading import pictures_at
    from workalike.store.trajectories import read_trajectory

    original = read_trajectory(path).trajectory
    _check(original, args)
    folder = _folder(original, args.out)
    async with AsyncExitStack() as stack:
        if args.on == "desktop":
            from workalike.env.desktop import DesktopEnvironment

            size = original.steps[0].observation.size if original.steps else None
            programs = [command.split() for command in args.program or ()]
            desktop = (
                DesktopEnvironment(size=size, programs=programs) if size else DesktopEnvironment(programs=programs)
            )
            return await replay(original, desktop, folder, pictures_at(path))
        return await _in_browser(original, path, folder, args, stack)


def _check(original: Trajectory, args: Namespace) -> None:
    """Refuse what cannot be done again, or not there."""
    from workalike.core.actions import CONVERSATION

    if all(isinstance(taken.action, CONVERSATION) for taken in original.actions):
        raise BadInput(f"{args.trajectory} holds no actions: there is nothing to do again")
    if args.on == "browser" and any(step.observation.kind == "desktop" for step in original.steps):
        raise BadInput(f"{args.trajectory} was recorded on a desktop, not in a browser; replay it with --on desktop")
    if args.on == "desktop" and args.reach:
        raise BadInput("--reach cannot be had with --on desktop")


def _folder(original: Trajectory, out: Path | None) -> Path:
    """Where the replay goes: where it was said, or the first free number."""
    from itertools import chain, count

    from workalike.store.names import safe_name

    if out is None:
        first = Path("replays") / safe_name(original.id)
        further = (first.with_name(f"{first.name}-{number}") for number in count(2))
        return next(each for each in chain([first], further) if not each.exists())
    if out.exists():
        raise BadInput(f"{out} exists already; choose another with --out")
    return out


async def _in_browser(
    original: Trajectory, path: Path, folder: Path, args: Namespace, stack: AsyncExitStack
) -> Replayed:
    from workalike.bench.ground import Ground, LiveGround
    from workalike.bench.plan import Plan, read_plan
    from workalike.bench.replay import replay
    from workalike.bench.venue import open_venue
    from workalike.core.key import Key
    from workalike.env.policy import Policy
    from workalike.env.stage import Stage
    from workalike.store.reading import pictures_at
    from workalike.store.runs import Run, find_run

    home = find_run(path)
    plan = read_plan(Run(home).info) if home else Plan(benchmark="", agent="replay")
    ground: Ground
    if plan.benchmark.startswith("town"):
        if args.reach:
            raise BadInput("--reach cannot be had for an attempt on the town, which is served here anyway")
        venue = open_venue(plan)
        ground = await stack.enter_async_context(venue.ground())
        stay = ground.open(original.task, venue.benchmark.keys[original.task.id])
        stack.callback(stay.close)
    else:
        ground = LiveGround(Policy(hosts=reaching.hosts(args.reach), public=True))
        stay = ground.open(original.task, Key(original.task.id))
    stage = await stack.enter_async_context(Stage(_settings(original, plan, args.headed, ground.search)))
    environment = stage.environment(ground.policy, folder / "downloads")
    return await replay(original, environment, folder, pictures_at(path), stay)


def _settings(original: Trajectory, plan: Plan, headed: bool, search: str | None) -> BrowserSettings:
    """The browser as it was: its screen is that of what was seen, where that is known."""
    from msgspec.structs import replace

    chosen = plan.browser(headed, search)
    for step in original.steps:
        seen = step.observation
        if seen.kind == "viewport" and seen.size is not None:
            return replace(chosen, viewport=seen.size, scale=seen.scale)
    return chosen


def _show(replayed: Replayed) -> None:
    from workalike.store.trajectories import read_trajectory

    for each in replayed.compared:
        place = "refused" if each.refused else "same place" if each.same_place else "another place"
        picture = {True: "alike", False: "looks different", None: "no picture to compare"}[each.alike]
        print(f"{each.step + 1:>4}  {place:<14}{picture:<22}{each.error or ''}".rstrip())
        for notice in each.notices:
            print(f"      · {notice[:160]}")
    if replayed.same_changes is not None:
        print("the same rows changed" if replayed.same_changes else "other rows changed")
    for remedy in reaching.remedies(read_trajectory(Path(replayed.path)).trajectory):
        print(remedy)
    print(f"{'came out the same' if replayed.agrees else 'went another way'}; written to {replayed.path}")
