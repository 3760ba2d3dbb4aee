"""Who waits for a place, in turn: one is woken for every place, not all for each."""

from __future__ import annotations

import asyncio
from collections import deque


class Waiters:
    """Who waits for a place, in turn."""

    def __init__(self) -> None:
        self._queue: deque[asyncio.Future[None]] = deque()

    def __len__(self) -> int:
        return len(self._queue)

    async def wait(self) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine in self._queue:
                self._queue.remove(mine)
            elif mine.done() and not mine.cancelled():
                self.wake()  # the place that was meant for this one is another's
            raise

    def wake(self, count: int = 1) -> None:
        while self._queue and count:
            mine = self._queue.popleft()
            if not mine.done():
                mine.set_result(None)
                count -= 1
