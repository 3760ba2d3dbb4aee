"""Look at runs, trajectories and datasets in the browser: every step with its actions drawn on the screenshot.

The page is served on loopback only, until Ctrl-C."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workalike.viewer.source import Source

EXAMPLE = "workalike view runs/first"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path, help="a run, an attempt, a trajectory.jsonl, a dataset")
    parser.add_argument(
        "--images", type=Path, action="append", metavar="PATH", help="where pictures lie: folder or zip"
    )
    parser.add_argument("--port", type=int, default=8500, help="the port on loopback (8500)")
    parser.add_argument("--open", action="store_true", help="open the page in your browser")


def run(args: Namespace) -> int:
    import asyncio
    from contextlib import suppress

    from workalike.store.pictures import open_pictures
    from workalike.viewer.source import Source

    source = Source(args.path, open_pictures(*args.images) if args.images else None)
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(source, args.port, args.open))
    return 0


async def _serve(source: Source, port: int, show: bool) -> None:
    import webbrowser

    from workalike.models.server.serving import interruption, serving
    from workalike.viewer.server import make_app

    ended = interruption()
    async with serving(make_app(source), port) as taken:
        url = f"http://127.0.0.1:{taken}/"
        print(f"{url}   (Ctrl-C stops)", flush=True)
        if show:
            webbrowser.open(url)
        await ended.wait()
