"""Serve the town on loopback, to look around in.

Open the printed address in any browser that resolves *.localhost (Chromium and Firefox do). Every browser session gets
state of its own. With --admin-port, attempts can be opened, reset and compared over HTTP on that port by whoever knows
the printed secret."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

EXAMPLE = "workalike town serve --port 8400\nworkalike town serve --task shopping_7"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("command", choices=["serve"], help="serve all sites from one process")
    parser.add_argument("--port", type=int, default=8400, help="the port on loopback (8400); 0 takes a free one")
    parser.add_argument("--task", metavar="ID", help="set the town up as for this task: its looks, its obstacles")
    parser.add_argument("--admin-port", type=int, help="also serve the runner's endpoint, on this port")
    parser.add_argument("--edition", default="town@1", help="which town (town@1)")
    parser.add_argument("--today", help="the date the sites believe in: a date, or `now` (default: the pinned one)")


def run(args: Namespace) -> int:
    import asyncio
    from contextlib import suppress

    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(args))
    return 0


async def _serve(args: Namespace) -> None:
    import secrets
    from contextlib import AsyncExitStack

    from workalike.models.server.serving import interruption, serving
    from workalike.town.admin import admin_app
    from workalike.town.attempt import Setting
    from workalike.town.benchmark import find_task, setting_of
    from workalike.town.server import App
    from workalike.town.site import DOMAIN
    from workalike.town.town import Town
    from workalike.town.world import edition

    town = Town(edition(args.edition, args.today))
    drawn = find_task(town, args.task) if args.task else None
    visitors = setting_of(drawn.key) if drawn else Setting()
    ended = interruption()
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(serving(App(town, visitors=visitors), args.port))
        print(f"{town.world.label}: {town.world.today:%A, %d %B %Y}. Ctrl-C ends it.\n")
        if drawn is not None:
            print(f"  {drawn.task.id}: {drawn.task.instruction}\n")
        for site in town.sites.values():
            print(f"  http://{site.name}.{DOMAIN}:{port}/   {site.title}: {site.about}")
        if args.admin_port is not None:
            secret = secrets.token_urlsafe(16)
            admin = await stack.enter_async_context(serving(admin_app(town, secret), args.admin_port))
            print(
                f"\n  http://127.0.0.1:{admin}/attempts   for runners, with the header Authorization: Bearer {secret}"
            )
        sys.stdout.flush()
        await ended.wait()
