"""The server's own books: how many tokens a request and its reply are, and what was counted in all."""

from __future__ import annotations

import hashlib
import threading

import msgspec

from workalike.core.screen import Size
from workalike.models.messages import Message, Reply, Request, Tokens, by_reference, pictures

_UNSIZED = Size(1280, 800)


class Total(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a server counted: replies that went out whole, and replies it worked out that did not."""

    requests: int = 0
    replies: int = 0
    tokens: Tokens = Tokens()
    lost: int = 0


class Books:
    """Counts tokens, tells which part of a prompt it has seen before, and keeps the total. Safe to read from another
    thread."""

    def __init__(self) -> None:
        self.total = Total()
        self.by_id: dict[str, Tokens] = {}
        self._seen: set[bytes] = set()
        self._lock = threading.Lock()

    def count(self, request: Request, reply: Reply) -> Tokens:
        """The tokens of a request and its reply; the longest beginning of the conversation that was sent before counts
        as read from the cache."""
        if reply.tokens is not None:
            return reply.tokens
        overhead = len(msgspec.json.encode(request.tools)) // 4
        total, cached = overhead, 0
        digest = hashlib.blake2b(msgspec.json.encode(request.tools), digest_size=16)
        with self._lock:
            for message in request.messages:
                total += message_tokens(message)
                digest.update(msgspec.json.encode(by_reference(message)))
                mark = digest.digest()
                cached = total if mark in self._seen else cached
                self._seen.add(mark)
        return Tokens(total, message_tokens(Message("assistant", reply.parts)), cached)

    def came(self) -> int:
        """One more request came in; its number."""
        with self._lock:
            self.total = msgspec.structs.replace(self.total, requests=self.total.requests + 1)
            return self.total.requests - 1

    def delivered(self, tokens: Tokens, request_id: str | None) -> None:
        with self._lock:
            so_far = self.total.tokens
            added = Tokens(
                so_far.input + tokens.input,
                so_far.output + tokens.output,
                so_far.cached + tokens.cached,
                so_far.written + tokens.written,
            )
            self.total = msgspec.structs.replace(self.total, replies=self.total.replies + 1, tokens=added)
            if request_id:
                self.by_id[request_id] = tokens

    def lost(self) -> None:
        with self._lock:
            self.total = msgspec.structs.replace(self.total, lost=self.total.lost + 1)


def message_tokens(message: Message) -> int:
    """A token for every four bytes of what was said, as JSON, and for every 750 pixels."""
    letters = len(msgspec.json.encode(by_reference(message)))
    sizes = [picture.size or _UNSIZED for picture in pictures((message,))]
    return letters // 4 + sum(size.width * size.height // 750 for size in sizes)
