"""Look at runs, trajectories and datasets in the browser: every step with its actions drawn on the screenshot.

The page is served on loopback only, until Ctrl-C."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from understudy.core.errors import BadInput

EXAMPLE = "understudy view runs/first"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path, help="a run, an attempt, a trajectory.jsonl, a dataset")
    parser.add_argument(
        "--images", type=Path, action="append", metavar="PATH", help="where pictures lie: folder or zip"
    )
    parser.add_argument("--port", type=int, default=8500, help="the port on loopback (8500)")
    parser.add_argument("--open", action="store_true", help="open the page in your browser")


def run(args: Namespace) -> int:
    import asyncio

    from understudy.store.pictures import open_pictures
    from understudy.viewer.server import make_app
    from understudy.viewer.source import Source

    source = Source(args.path, open_pictures(*args.images) if args.images else None)
    try:
        asyncio.run(_serve(make_app(source), args.port, args.open))
    except OSError as error:
        raise BadInput(f"port {args.port} cannot be used ({error.strerror}): choose another with --port") from error
    return 0


async def _serve(app: object, port: int, show: bool) -> None:
    import asyncio
    import socket
    import webbrowser
    from contextlib import suppress

    import uvicorn

    listener = socket.create_server(("127.0.0.1", port))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))  # type: ignore[arg-type]
    print(f"{url}   (Ctrl-C stops)", flush=True)
    if show:
        webbrowser.open(url)
    with suppress(asyncio.CancelledError):
        await server.serve(sockets=[listener])
