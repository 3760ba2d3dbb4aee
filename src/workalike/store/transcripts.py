"""The books of a transcript (`transcript.jsonl` beside a trajectory): what its requests took, read without the messages
that were sent. What lies there is written and read whole by `models/transcript.py`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from workalike.core.trajectory import Usage
from workalike.store.lines import Lines


class _Sent(msgspec.Struct, frozen=True, tag="sent", tag_field="line", gc=False):
    id: str
    exchange: int
    messages: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    new_messages: dict[str, msgspec.Raw] = {}
    new_tools: dict[str, msgspec.Raw] = {}


class _Reply(msgspec.Struct, frozen=True, gc=False):
    cached: bool = False


class _Got(msgspec.Struct, frozen=True, tag="got", tag_field="line", gc=False):
    id: str
    exchange: int
    reply: _Reply | None = None
    usage: Usage = Usage()
    seconds: float = 0.0


class TranscriptBooks(msgspec.Struct, frozen=True):
    """What all requests took; those whose end nobody saw are unaccounted for. Of the `replies`, `cached` came out of a
    cache. `whole` says whether every message that it names is in it, `seconds` how long services took."""

    usage: Usage = Usage()
    replies: int = 0
    cached: int = 0
    whole: bool = True
    seconds: float = 0.0


def read_books(path: Path) -> TranscriptBooks:
    """The books; raises `Damaged` where it cannot be read."""
    usage, whole, seconds = Usage(), True, 0.0
    known: set[str] = set()
    sent: set[str] = set()
    replied: dict[int, bool] = {}
    for _, line in Lines[_Sent | _Got](path, _Sent | _Got):
        if isinstance(line, _Sent):
            sent.add(line.id)
            known |= {*line.new_messages, *line.new_tools}
            whole = whole and known.issuperset((*line.messages, *line.tools))
            continue
        sent.discard(line.id)
        usage, seconds = usage + line.usage, seconds + line.seconds
        if line.reply is not None:
            replied.setdefault(line.exchange, line.reply.cached)
    total = usage + Usage(unaccounted=len(sent))
    return TranscriptBooks(total, len(replied), sum(replied.values()), whole, seconds)
