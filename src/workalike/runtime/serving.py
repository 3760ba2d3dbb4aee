"""Running an ASGI application on loopback, in this event loop or beside whatever else this process does."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext, suppress

import uvicorn
from starlette.types import ASGIApp

from workalike.core.errors import BadInput, Infrastructure
from workalike.runtime.own_hosts import OwnHosts

THIS_MACHINE = "127.0.0.1"


@asynccontextmanager
async def serving(app: ASGIApp, port: int = 0, host: str = THIS_MACHINE) -> AsyncIterator[int]:
    """The port of an application that is served, within this event loop, while the block lasts. Port 0 takes any that
    is free. It answers to loopback's own names and to the application's `domains`, and to no page of another site. At
    another `host` it answers to every name: the application itself asks who comes."""
    with _listening(port, host) as taken:
        server = _server(OwnHosts(app, anywhere=host != THIS_MACHINE), "warning")
        running = asyncio.create_task(server.serve([taken]))
        try:
            yield taken.getsockname()[1]
        finally:
            server.should_exit = True
            await asyncio.wait([running])


@contextmanager
def serving_apart(app: ASGIApp, port: int = 0) -> Iterator[str]:
    """The same on a thread of its own; gives the address."""
    with _listening(port) as taken:
        server = _server(OwnHosts(app), "critical")  # clients go away in the middle of a reply, and that is no news
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{taken.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(timeout=10)
    if thread.is_alive():
        raise Infrastructure("the server did not stop within 10 s")


def interruption() -> asyncio.Event:
    """Set by Ctrl-C, from now on and as long as this event loop runs. Another one changes nothing: all that is left is
    to close."""
    event = asyncio.Event()
    with suppress(NotImplementedError, ValueError, RuntimeError):  # not the main thread: Ctrl-C raises as usual
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, event.set)
    return event


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs the event loop, which ends the block and with it the server."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        return nullcontext()


def _server(app: ASGIApp, log_level: str) -> uvicorn.Server:
    settings = uvicorn.Config(app, log_level=log_level, lifespan="off", timeout_graceful_shutdown=1, access_log=False)
    return _Server(settings)


def _listening(port: int, host: str = THIS_MACHINE) -> socket.socket:
    """A socket that takes connections at once: whoever connects before the server is up is served when it is."""
    if not 0 <= port <= 65535:
        raise BadInput(f"a port is a number from 0 to 65535, not {port}")
    # Named as TCP, so that asyncio turns off Nagle's delay on what it accepts: 40 ms a reply otherwise.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise BadInput(f"{host} is no address of this machine; name one, or 0.0.0.0 for all of them") from None
        raise BadInput(f"port {port} cannot be had ({error.strerror}); choose another, or 0 for any free one") from None
    listening.listen(128)
    return listening
