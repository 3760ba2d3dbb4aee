"""Attempts opened from outside, for harnesses that are not ours: begin one over HTTP, and ask for its verdict."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from understudy.bench.benchmarks import Benchmark
from understudy.bench.ground import TownGround, TownStay
from understudy.core.errors import BadInput
from understudy.core.verdict import Verdict
from understudy.verify.state import judge


class Opened(msgspec.Struct, frozen=True):
    """An attempt that waits for somebody's browser."""

    token: str
    instruction: str
    start: str


class Outside:
    """Opens attempts at a benchmark's tasks and judges them. The town's databases live on the event loop's thread, so
    whatever touches them is sent there."""

    def __init__(self, ground: TownGround, benchmark: Benchmark) -> None:
        self._ground = ground
        self._tasks = {task.id: task for task in benchmark.tasks}
        self._keys = benchmark.keys
        self._stays: dict[str, tuple[str, TownStay]] = {}
        self._loop = asyncio.get_running_loop()

    def open(self, task_id: str) -> Opened:
        """Begin an attempt at a task."""
        task = self._tasks.get(task_id)
        if task is None:
            raise BadInput(f"the town has no task {task_id!r}; `understudy tasks town` lists them")
        stay = self._ground.open(task, self._keys[task_id])
        self._stays[stay.token] = (task_id, stay)
        return Opened(stay.token, task.instruction, self._ground.outside_url(stay.task.start_url or ""))

    def verdict(self, token: str, answer: str | None) -> Verdict:
        """Judge an attempt as it stands."""
        if token not in self._stays:
            raise BadInput(f"no attempt with the token {token!r} is open")
        task_id, stay = self._stays[token]
        return judge(self._keys[task_id], stay.changes(), answer, token)

    def routes(self) -> list[Route]:
        """The two routes, for a server on another thread."""

        async def open_one(request: Request) -> Response:
            body = await request.body()
            return await self._answered(lambda: self.open(msgspec.json.decode(body, type=dict[str, str])["task"]))

        async def judge_one(request: Request) -> Response:
            token, answer = request.path_params["token"], request.query_params.get("answer")
            return await self._answered(lambda: self.verdict(token, answer))

        return [
            Route("/attempts", open_one, methods=["POST"]),
            Route("/attempts/{token}/verdict", judge_one, methods=["GET"]),
        ]

    async def _answered(self, work: Any) -> Response:
        done: Future[Any] = Future()

        def do() -> None:
            try:
                done.set_result(work())
            except (BadInput, msgspec.DecodeError, KeyError) as error:
                done.set_exception(BadInput(f"that cannot be done: {error}"))

        self._loop.call_soon_threadsafe(do)
        try:
            return Response(msgspec.json.encode(await asyncio.wrap_future(done)), media_type="application/json")
        except BadInput as error:
            return Response(msgspec.json.encode({"error": str(error)}), 400, media_type="application/json")
