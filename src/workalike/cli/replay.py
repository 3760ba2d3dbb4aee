"""Do a trajectory again in a fresh browser or on a fresh desktop, and say how far it comes out the same.

Programs that were there when it began are started again, unless --program names others. An attempt on the town is
replayed in a town of its own, and the rows it changed are compared too. It exits with 1 when the replay went another
way."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import DONE, FOUND_FAILURES, print_json, programs, reaching
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.bench.replay import Replayed
    from workalike.core.program import Program
    from workalike.core.trajectory import Trajectory
    from workalike.env.browser.settings import BrowserSettings
    from workalike.store.config import RunConfig

EXAMPLE = """
workalike replay runs/first/attempts/shopping-1-5fa6ef95522843f5/1.1
workalike replay trajectories/sort --program "mousepad list.txt"
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("trajectory", metavar="TRAJECTORY", type=Path, help="a trajectory.jsonl, or its folder")
    parser.add_argument("--on", choices=["browser", "desktop"], help="where (where it was made)")
    programs.add_argument(parser)
    reaching.add_argument(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the replay is written (replays/NAME)")
    parser.add_argument("--headed", action="store_true", help="show the browser")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    import asyncio

    from workalike.store.runs import is_run

    path = args.trajectory / "trajectory.jsonl" if args.trajectory.is_dir() else args.trajectory
    if is_run(args.trajectory):
        raise BadInput(f"{args.trajectory} is a run; name one of its attempts, {args.trajectory}/attempts/TASK/1.1")
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
    on = args.on or ("desktop" if _on_desktop(original) else "browser")
    _check(original, args, on)
    folder = _folder(original, args.out)
    async with AsyncExitStack() as stack:
        if on == "desktop":
            from workalike.env.desktop.environment import DesktopEnvironment

            size, started = original.steps[0].observation.size, _programs(original, args)
            desktop = DesktopEnvironment(size=size, programs=started) if size else DesktopEnvironment(programs=started)
            return await replay(original, desktop, folder, pictures_at(path), programs=started)
        return await _in_browser(original, path, folder, args, stack)


def _on_desktop(original: Trajectory) -> bool:
    return any(step.observation.kind == "desktop" for step in original.steps)


def _programs(original: Trajectory, args: Namespace) -> tuple[Program, ...]:
    """The programs to start: those that are named, else those that were there when it began."""
    from workalike.core.program import programs_of

    if args.program:
        return programs.named(args.program)
    found = programs.checked(programs_of(original.extra))
    if not found:
        print("the trajectory does not say which programs it began with; name them with --program", file=sys.stderr)
    return found


def _check(original: Trajectory, args: Namespace, on: str) -> None:
    """Refuse what cannot be done again, or not there."""
    from workalike.core.actions import CONVERSATION

    if all(isinstance(taken.action, CONVERSATION) for taken in original.actions):
        raise BadInput(f"{args.trajectory} holds no actions: there is nothing to do again")
    if on == "browser" and _on_desktop(original):
        raise BadInput(f"{args.trajectory} was recorded on a desktop, not in a browser; leave --on browser out")
    if on == "desktop" and args.reach:
        raise BadInput("--reach cannot be had with --on desktop")
    if on == "browser" and args.program:
        raise BadInput("--program cannot be had with --on browser")


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
    from msgspec.structs import replace

    from workalike.bench.loading import load_benchmark
    from workalike.bench.replay import replay
    from workalike.core.contracts import Reach, Sandbox
    from workalike.core.key import Key
    from workalike.env.browser.stage import Stage
    from workalike.env.policy.reach import Policy
    from workalike.runtime.own import is_own
    from workalike.runtime.sandbox import PlainSandbox
    from workalike.store.config import RunConfig, read_config
    from workalike.store.reading import pictures_at
    from workalike.store.runs import Run, find_run

    home = find_run(path)
    config = read_config(Run(home).info) if home else RunConfig(benchmark="", agent="replay")
    key, sandbox = Key(original.task.id), None
    if config.benchmark.startswith("town") or is_own(config.benchmark):
        if args.reach:
            raise BadInput(f"--reach cannot be had for an attempt on {config.benchmark}, which is served here anyway")
        loaded = load_benchmark(replace(config, tasks=(original.task.id,), limit=None))
        sandbox = await stack.enter_async_context(loaded.benchmark.sandbox())
        key = loaded.task_set.keys[original.task.id]
    where: Sandbox = sandbox or PlainSandbox(Reach(hosts=reaching.hosts(args.reach), public=True))
    session = await stack.enter_async_context(where.session(original.task, key))
    stage = await stack.enter_async_context(Stage(_settings(original, config, args.headed, where.reach.search)))
    environment = stage.environment(Policy.of(where.reach), folder / "downloads")
    return await replay(original, environment, folder, pictures_at(path), session)


def _settings(original: Trajectory, config: RunConfig, headed: bool, search: str | None) -> BrowserSettings:
    """The browser as it was: its screen is that of what was seen, where that is known."""
    from msgspec.structs import replace

    from workalike.bench.config import browser_settings

    chosen = browser_settings(config, headed, search)
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
    for remedy in reaching.remedies(reaching.notices(read_trajectory(Path(replayed.path)).trajectory)):
        print(remedy)
    print(f"{'came out the same' if replayed.agrees else 'went another way'}; written to {replayed.path}")
