"""Jobs done elsewhere, for who goes through their results one by one and knows nothing of event loops."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from workalike.cluster.executor import RemoteExecutor
from workalike.core.contracts import Job
from workalike.core.errors import Infrastructure, NobodyLeft

T = TypeVar("T")
TRIES = 3
AHEAD = 2
"""So many times as many jobs are under way as there is room for: a result that is waited for holds up no other."""


def done_in_order(
    jobs: Sequence[Job], workers: Callable[[], AbstractAsyncContextManager[RemoteExecutor[T]]]
) -> Iterator[T]:
    """The results of jobs, in their order. A job whose worker is lost is given to another."""
    with asyncio.Runner() as runner:
        opened = workers()
        executor = runner.run(opened.__aenter__())
        try:
            waiting, under_way = deque(jobs), deque[asyncio.Task[T]]()
            while waiting or under_way:
                while waiting and len(under_way) < max(1, AHEAD * executor.places):
                    under_way.append(runner.get_loop().create_task(_done(executor, waiting.popleft())))
                yield runner.run(_result(under_way.popleft()))
        finally:
            runner.run(opened.__aexit__(None, None, None))


async def _done(executor: RemoteExecutor[T], job: Job) -> T:
    for number in range(1, TRIES + 1):
        try:
            return await executor.do(job, number)
        except NobodyLeft:
            raise
        except Infrastructure:
            if number == TRIES:
                raise
    raise AssertionError("the last try either returns or raises")


async def _result(task: asyncio.Task[T]) -> T:
    return await task
