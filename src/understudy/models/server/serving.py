"""Running an ASGI application on loopback, beside whatever else this process does."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from understudy.core.errors import BadInput, Infrastructure


@contextmanager
def serving(app: ASGIApp, port: int = 0) -> Iterator[str]:
    """The address of an application that is served, on a thread of its own, while the block lasts. Port 0 takes any
    that is free."""
    listening = _listening(port)
    settings = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1, access_log=False)
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()
        if thread.is_alive():
            raise Infrastructure("the server did not stop within 10 s")


def _listening(port: int) -> socket.socket:
    """A socket that takes connections at once: whoever connects before the server is up is served when it is."""
    # Named as TCP, so that asyncio turns off Nagle's delay on what it accepts: 40 ms a reply otherwise.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        listening.close()
        raise BadInput(f"port {port} is taken ({error.strerror}); choose another, or 0 for any that is free") from error
    listening.listen(128)
    return listening
