"""Look at everything on disk in the browser: runs, datasets, demonstrations, recordings, every step with its actions
drawn on the screenshot. A folder of questions by hand is shown as a page to answer them on, whoever asks there.

The page is served on this machine alone, until Ctrl-C. With --host it is served to others too, who need the address
with the token in it."""

from __future__ import annotations

import socket
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli.parsing import port

if TYPE_CHECKING:
    from starlette.types import ASGIApp

EXAMPLE = """
workalike view runs
workalike view AgentNet/ --images AgentNet/ubuntu_images/images.zip
workalike view runs/mine/questions
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "path", metavar="PATH", type=Path, nargs="?", default=Path(), help="a folder, run, dataset, trajectory (here)"
    )
    parser.add_argument(
        "--images", type=Path, action="append", metavar="PATH", help="where pictures lie: folder or zip"
    )
    parser.add_argument("--port", type=port, default=8500, help="the port (8500)")
    parser.add_argument("--host", metavar="ADDRESS", help="serve others too, at this address")
    parser.add_argument("--open", action="store_true", help="open the page in your browser")


def run(args: Namespace) -> int:
    import asyncio
    from contextlib import suppress

    from workalike.viewer.library import Library
    from workalike.viewer.server import make_app
    from workalike.viewer.token import new_token

    library = Library(args.path, tuple(args.images or ()))
    token = new_token() if args.host else None
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(make_app(library, token), args, token, library.first()))
    return 0


async def _serve(app: ASGIApp, args: Namespace, token: str | None, first: str) -> None:
    import webbrowser

    from workalike.runtime.serving import THIS_MACHINE, interruption, serving

    ended = interruption()
    host = args.host or THIS_MACHINE
    async with serving(app, args.port, host) as taken:
        name = socket.gethostname() if host == "0.0.0.0" else host
        url = f"http://{name}:{taken}/" + (f"?token={token}" if token else "") + first
        print(f"{url}   (Ctrl-C stops)", flush=True)
        if args.open:
            webbrowser.open(url)
        await ended.wait()
