"""What a page has asked of the network and not yet got: settling waits for exactly what an action set off."""

from __future__ import annotations

import asyncio
from typing import Any

# Kept open on purpose, or of no consequence for what is seen.
_IGNORED = {
    "Media",
    "WebSocket",
    "EventSource",
    "Ping",
    "Other",
    "Manifest",
    "CSPViolationReport",
    "Prefetch",
    "TextTrack",
}
_SCRIPTED = {"Fetch", "XHR"}
_MOST = 5000
LULL = 0.3


class Network:
    """Requests in flight, each with the number it began with. A script's request whose answer has come counts as over
    when nothing more of it arrives for a moment: where a page never reads the answer, its end is never told."""

    def __init__(self, changed: asyncio.Event) -> None:
        self._changed = changed
        self._pending: dict[str, tuple[int, str]] = {}
        self._lulls: dict[str, asyncio.TimerHandle] = {}
        self._count = 0

    @property
    def count(self) -> int:
        """How many requests have begun so far: a mark to ask later what began since."""
        return self._count

    def pending(self, since: int = 0) -> int:
        """How many requests that began after a mark are still in flight."""
        return sum(1 for number, _ in self._pending.values() if number > since)

    def began(self, event: dict[str, Any]) -> None:
        # a worker's own script belongs to no document, and its end is told elsewhere
        local = event["request"]["url"].startswith(("data:", "blob:"))
        if local or event.get("type") in _IGNORED or not event["loaderId"]:
            return
        self._count += 1
        if len(self._pending) < _MOST:
            self._pending[event["requestId"]] = (self._count, event["loaderId"])

    def answered(self, event: dict[str, Any]) -> None:
        """The head of an answer has come, or more of its body."""
        request = event["requestId"]
        if request in self._pending and (event.get("type") in _SCRIPTED or request in self._lulls):
            self._stop_lull(request)
            self._lulls[request] = asyncio.get_running_loop().call_later(LULL, self.ended, event)

    def ended(self, event: dict[str, Any]) -> None:
        self._stop_lull(event["requestId"])
        if self._pending.pop(event["requestId"], None) is not None:
            self._changed.set()

    def forget(self, but: str = "") -> None:
        """The page is gone, or a new document (`but`) has taken over; what others asked for is of no interest."""
        self._pending = {key: asked for key, asked in self._pending.items() if but and asked[1] == but}
        for request in [request for request in self._lulls if request not in self._pending]:
            self._stop_lull(request)
        self._changed.set()

    def _stop_lull(self, request: str) -> None:
        lull = self._lulls.pop(request, None)
        if lull is not None:
            lull.cancel()
