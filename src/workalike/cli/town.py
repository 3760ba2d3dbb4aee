"""Serve the town on loopback, to look around in, or to let an agent act in.

Open the printed address in any browser that resolves *.localhost (Chromium and Firefox do). Every browser session gets
state of its own. The printed `workalike act …` lets an agent act there; with --task, at that task.
With --admin-port, attempts can be opened, reset and compared over HTTP on that port by whoever knows the printed
secret."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from workalike.cli.parsing import port
from workalike.core.task import Task

LOOK_AROUND = Task("look-around", "What does the cheapest kettle at Marlow & Finch cost?")
EXAMPLE = "workalike town serve --port 8400\nworkalike town serve --task shopping_7\nworkalike town serve --extra"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("command", choices=["serve"], help="serve all sites from one process")
    parser.add_argument("--port", type=port, default=8400, help="the port on loopback (8400); 0 takes a free one")
    parser.add_argument("--task", metavar="ID", help="set the town up as for this task: its looks, its obstacles")
    parser.add_argument("--admin-port", type=port, help="also serve the runner's endpoint, on this port")
    parser.add_argument("--extra", action="store_true", help="the town of town-extra: one more site, other tasks")
    parser.add_argument("--edition", default="town@1", help="which town (town@1)")
    parser.add_argument("--today", help="the date the sites believe in: a date, or `now` (default: the pinned one)")


def run(args: Namespace) -> int:
    import asyncio
    from contextlib import suppress

    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(args))
    return 0


def act_command(task: Task, port: int) -> str:
    """How an agent is let act on a task in a town that is served on a port; as it stands, with oneself as the model."""
    import shlex

    from workalike.town.site import DOMAIN, outside_url

    about = "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in task.persona.items())
    asked = f"{task.instruction} About me: {about}." if about else task.instruction
    start = outside_url(task.start_url or f"http://search.{DOMAIN}/", port)
    words = [asked, "--agent", "som", "--model", "by-hand", "--start", start, "--reach", f"*.{DOMAIN}:{port}"]
    return f"workalike act {shlex.join(words)}"


async def _serve(args: Namespace) -> None:
    import secrets
    from contextlib import AsyncExitStack

    from workalike.runtime.serving import interruption, serving
    from workalike.town.admin import admin_app
    from workalike.town.benchmark import draw_tasks, find_task, setting_of, split_of
    from workalike.town.extra import NAME, draw_extra, extra_town
    from workalike.town.server import App
    from workalike.town.session import Setting
    from workalike.town.site import outside_url
    from workalike.town.town import Town
    from workalike.town.world import edition

    split = split_of(args.task) if args.task else "test"
    world = edition(args.edition, args.today).of(split)
    town, draw, name = (extra_town(world), draw_extra, NAME) if args.extra else (Town(world), draw_tasks, "town")
    drawn = find_task(town, args.task, draw, name) if args.task else None
    visitors = setting_of(drawn.key) if drawn else Setting()
    ended = interruption()
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(serving(App(town, visitors=visitors), args.port))
        print(f"{town.world.label}: {town.world.today:%A, %d %B %Y}. Ctrl-C ends it.\n")
        if drawn is not None:
            print(f"  {drawn.task.id}: {drawn.task.instruction}\n")
        for site in town.sites.values():
            print(f"  {outside_url(site.url('/'), port)}   {site.title}: {site.about}")
        print(f"\n  {act_command(drawn.task if drawn else LOOK_AROUND, port)}")
        if args.admin_port is not None:
            secret = secrets.token_urlsafe(16)
            admin = await stack.enter_async_context(serving(admin_app(town, secret), args.admin_port))
            print(
                f"\n  http://127.0.0.1:{admin}/attempts   for runners, with the header Authorization: Bearer {secret}"
            )
        sys.stdout.flush()
        await ended.wait()
