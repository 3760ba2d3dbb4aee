"""Attempts opened from outside, for harnesses that are not ours: begin one over HTTP, ask for its verdict, end it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from workalike.bench.answer_line import with_paragraph
from workalike.bench.benchmarks import TaskSet
from workalike.bench.sandbox import TownSandbox, TownSandboxSession
from workalike.core.errors import BadInput
from workalike.core.verdict import Verdict
from workalike.town.site import DOMAIN
from workalike.verify.state import judge

_NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked for: an attempt at a task, called by a name of the harness's own."""

    task: str
    name: str | None = None


class Opened(msgspec.Struct, frozen=True):
    """An attempt that waits for somebody's browser. `start` leads any browser into it; one that comes through the
    proxy, under the attempt's name, may begin at `start_by_proxy` or anywhere else in the town."""

    name: str
    token: str
    instruction: str
    start: str
    start_by_proxy: str


class Outside:
    """Opens attempts at a benchmark's tasks and judges them. The town's databases live on the event loop's thread, so
    whatever touches them is sent there."""

    def __init__(self, sandbox: TownSandbox, task_set: TaskSet) -> None:
        self._sandbox = sandbox
        self._tasks = {task.id: task for task in task_set.tasks}
        self._keys = task_set.keys
        self._stays: dict[str, tuple[str, TownSandboxSession]] = {}
        self._loop = asyncio.get_running_loop()

    def open(self, task_id: str, name: str | None = None) -> Opened:
        """Begin an attempt at a task. A name that is taken moves on to the new attempt, and the old one ends."""
        task = self._tasks.get(task_id)
        if task is None:
            raise BadInput(f"the town has no task {task_id!r}; `workalike tasks town` lists them")
        if name is not None and not _NAME.fullmatch(name):
            raise BadInput(f"an attempt cannot be called {name!r}: take letters, digits, dots, dashes and underscores")
        if name is not None and self._sandbox.find(name):
            self.close(name)
        session = self._sandbox.open(task, self._keys[task_id])
        self._stays[session.token] = (task_id, session)
        if name is not None:
            self._sandbox.names[name] = session.token
        start = self._sandbox.outside_url(session.task.start_url or "")
        first = task.start_url or f"http://search.{DOMAIN}/"
        return Opened(name or session.token, session.token, with_paragraph(task).instruction, start, first)

    def verdict(self, name: str, answer: str | None) -> Verdict:
        """Judge an attempt as it stands."""
        task_id, session = self._session(name)
        return judge(self._keys[task_id], session.changes(), answer, session.shown(), name)

    def close(self, name: str) -> None:
        """End an attempt and forget it."""
        _, session = self._session(name)
        session.close()
        del self._stays[session.token]
        self._sandbox.names.pop(name, None)

    def routes(self) -> list[Route]:
        """The routes, for a server on another thread."""

        async def open_one(request: Request) -> Response:
            body = await request.body()
            return await self._answered(lambda: self._open(body))

        async def judge_one(request: Request) -> Response:
            name, answer = request.path_params["name"], request.query_params.get("answer")
            return await self._answered(lambda: self.verdict(name, answer))

        async def close_one(request: Request) -> Response:
            name = request.path_params["name"]

            def close() -> dict[str, str]:
                self.close(name)
                return {"closed": name}

            return await self._answered(close)

        return [
            Route("/attempts", open_one, methods=["POST"]),
            Route("/attempts/{name}", close_one, methods=["DELETE"]),
            Route("/attempts/{name}/verdict", judge_one, methods=["GET"]),
        ]

    def _open(self, body: bytes) -> Opened:
        wish = msgspec.json.decode(body, type=Wish)
        return self.open(wish.task, wish.name)

    def _session(self, name: str) -> tuple[str, TownSandboxSession]:
        token = self._sandbox.find(name)
        if token is None or token not in self._stays:
            raise BadInput(f"no attempt called {name!r} is open")
        return self._stays[token]

    async def _answered(self, work: Callable[[], Any]) -> Response:
        done: Future[Any] = Future()

        def do() -> None:
            try:
                done.set_result(work())
            except (BadInput, msgspec.DecodeError, ValueError, RecursionError) as error:
                done.set_exception(BadInput(f"that cannot be done: {error}"))
            except Exception as error:
                done.set_exception(error)

        self._loop.call_soon_threadsafe(do)
        try:
            return Response(msgspec.json.encode(await asyncio.wrap_future(done)), media_type="application/json")
        except BadInput as error:
            return Response(msgspec.json.encode({"error": str(error)}), 400, media_type="application/json")
