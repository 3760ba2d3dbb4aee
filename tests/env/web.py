"""A web of small pages on loopback, and an actor that finds elements by name the way a test wants to say it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

from workalike.core.actions import Action, Click
from workalike.core.contracts import Percept, Wants
from workalike.core.observation import Element
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.env.browser.environment import BrowserEnvironment

HOST = "web.localhost"
Answer = str | bytes | Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Serves what the web has under a path; remembers every request."""

    protocol_version = "HTTP/1.1"
    web: Web

    def do_GET(self) -> None:
        self.web.requests.append(f"{self.headers.get('Host', '')}{self.path}")
        answer = self.web.pages.get(self.path.partition("?")[0])
        if answer is None:
            self.reply("nothing here", status=404)
        elif callable(answer):
            answer(self)
        else:
            self.reply(answer)

    def do_POST(self) -> None:
        self.web.posts.append(self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode())
        self.do_GET()

    def reply(self, body: str | bytes, kind: str = "text/html; charset=utf-8", status: int = 200, **more: str) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **more}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Web:
    """A real HTTP server; `pages` maps paths to what they answer."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer] = {}
        self.requests: list[str] = []
        self.posts: list[str] = []
        handler = type("Handler", (Handler,), {"web": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True

    def __enter__(self) -> Web:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    def address(self, name: str = "127.0.0.1") -> str:
        return f"http://{name}:{self.port}"


def slowly(body: str, seconds: float) -> Callable[[Handler], None]:
    """An answer that takes its time."""

    def answer(handler: Handler) -> None:
        time.sleep(seconds)
        handler.reply(body)

    return answer


class Actor:
    """An environment with the few words tests are written in."""

    def __init__(self, environment: BrowserEnvironment, web: Web) -> None:
        self.environment, self.web = environment, web
        self.percept: Percept | None = None

    async def open(self, body: str = "", path: str = "/page", task: Task | None = None, **pages: Answer) -> Percept:
        """Serve a page and start an attempt on it; further pages are served under their names."""
        self.web.pages |= {path: f"<!doctype html><meta charset=utf-8>{body}"}
        self.web.pages |= {f"/{name}": answer for name, answer in pages.items()}
        begun = task or Task("t", "try", start_url=f"http://{HOST}{path}")
        self.percept = await self.environment.reset(begun, Wants(elements=True))
        return self.percept

    async def look(self, wants: Wants = Wants(elements=True)) -> Percept:
        self.percept = await self.environment.observe(wants)
        return self.percept

    async def do(self, action: Action) -> ActionResult:
        return await self.environment.act(action)

    async def find(self, name: str, role: str | None = None) -> Element:
        """The one element on the screen with this name."""
        elements = (await self.look(Wants(picture=False, elements=True))).observation.elements or ()
        found = [one for one in elements if one.name == name and role in (None, one.role)]
        assert len(found) == 1, f"{name!r} is not one of {[(one.role, one.name) for one in elements]}"
        return found[0]

    async def place(self, name: str) -> Point:
        box = (await self.find(name)).box
        assert box is not None
        return box.centre

    async def click(self, name: str, count: int = 1) -> ActionResult:
        return await self.do(Click(await self.place(name), count=count))

    async def title(self) -> str:
        return (await self.look(Wants(picture=False))).observation.title or ""
