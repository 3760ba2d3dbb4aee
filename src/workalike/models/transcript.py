"""Every exchange with a model: a line when it is sent and a line when something came back, synced, pictures by
reference.

Messages and tools stand in the file once, under their hash, in the first line that needs them: a conversation of a
hundred steps stays as long as what was said in it. A line `sent` with no line `got` is a request whose end we never
saw.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.provenance import fingerprint
from workalike.core.trajectory import Usage
from workalike.models.keys import Keys
from workalike.models.messages import ComputerTool, Message, Reply, Request, SampleKey, Sampling, Tool
from workalike.models.names import Endpoint
from workalike.models.striking import Striker
from workalike.store.append import LineWriter
from workalike.store.files import write_file
from workalike.store.lines import Lines, encode


class Sent(msgspec.Struct, frozen=True, omit_defaults=True, tag="sent", tag_field="line"):
    """A request going out. A retry names the exchange it belongs to and says nothing again."""

    id: str
    exchange: int
    number: int
    time: str
    model: str | None = None
    url: str | None = None
    api: str | None = None
    draw: SampleKey = SampleKey()
    sampling: Sampling = Sampling()
    schema: dict[str, Any] | None = None
    messages: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    new_messages: dict[str, Message] = {}
    new_tools: dict[str, Tool | ComputerTool] = {}


class Got(msgspec.Struct, frozen=True, omit_defaults=True, tag="got", tag_field="line"):
    """What came of a request: a reply, or the trouble there was. `usage` is what the request took; a reply out of the
    cache took nothing."""

    id: str
    exchange: int
    seconds: float = 0.0
    reply: Reply | None = None
    trouble: str | None = None
    status: int | None = None
    usage: Usage = Usage()


TranscriptLine = Sent | Got


class Transcript:
    """One attempt's conversation with one or more models, in one file."""

    def __init__(self, path: Path, keys: Keys) -> None:
        self.path, self._keys, self._hidden = path, keys, Striker({})
        self._known: set[str] = set()
        self._exchanges = 0
        for line in read_lines(path):
            self._exchanges = max(self._exchanges, line.exchange + 1)
            self._known |= {*line.new_messages, *line.new_tools} if isinstance(line, Sent) else set()
        self._writer = LineWriter(path)

    def open_exchange(self) -> int:
        """The number of a new exchange."""
        self._exchanges += 1
        return self._exchanges - 1

    def first(
        self,
        request_id: str,
        exchange: int,
        endpoint: Endpoint,
        request: Request,
        said: tuple[Message, ...],
        draw: SampleKey,
    ) -> None:
        """A request, with all that is new in it. `said` are its messages with pictures by reference."""
        messages = [(fingerprint(each)[:24], each) for each in said]
        tools = [(fingerprint(each)[:24], each) for each in request.tools]
        line = Sent(
            request_id,
            exchange,
            1,
            _now(),
            model=endpoint.spec,
            url=endpoint.url,
            api=endpoint.api,
            draw=draw,
            sampling=request.sampling,
            schema=request.schema,
            messages=tuple(name for name, _ in messages),
            tools=tuple(name for name, _ in tools),
            new_messages={name: each for name, each in messages if name not in self._known},
            new_tools={name: each for name, each in tools if name not in self._known},
        )
        self._known |= {*line.messages, *line.tools}
        self._append(line)

    def again(self, request_id: str, exchange: int, number: int) -> None:
        self._append(Sent(request_id, exchange, number, _now()))

    def got(self, line: Got) -> None:
        self._append(line)

    def hide(self, words: Mapping[str, str]) -> None:
        """Write words no more, and strike them from what is written: the reply that typed them came before anybody knew
        where they would go."""
        self._hidden = Striker(words)
        lines = list(read_lines(self.path))
        struck = self._hidden.value(lines)
        if struck != lines:
            self._writer.close()
            write_file(self.path, b"".join(map(encode, struck)), private=True)
            self._writer = LineWriter(self.path)

    def close(self) -> None:
        self._writer.close()

    def _append(self, line: TranscriptLine) -> None:
        self._writer.append(self._keys.redact_all(self._hidden.value(line)))


class Exchange(msgspec.Struct, frozen=True):
    """One question and its answer, put together again. `unseen` counts requests whose end we never saw, `seconds` is
    how long the others took."""

    number: int
    model: str
    request: Request
    draw: SampleKey
    reply: Reply | None
    troubles: tuple[str, ...]
    usage: Usage
    unseen: int
    seconds: float = 0.0


def exchanges(path: Path) -> Iterator[Exchange]:
    """The exchanges of a transcript, in the order they were begun."""
    messages: dict[str, Message] = {}
    tools: dict[str, Tool | ComputerTool] = {}
    opened: dict[int, Sent] = {}
    sent: dict[int, set[str]] = {}
    got: dict[int, list[Got]] = {}
    for line in read_lines(path):
        if isinstance(line, Got):
            got.setdefault(line.exchange, []).append(line)
            continue
        messages, tools = messages | line.new_messages, tools | line.new_tools
        opened.setdefault(line.exchange, line)
        sent.setdefault(line.exchange, set()).add(line.id)
    for number, first in sorted(opened.items()):
        request = Request(
            tuple(messages[name] for name in first.messages),
            tuple(tools[name] for name in first.tools),
            first.sampling,
            first.schema,
        )
        yield _together(first, request, got.get(number, []), sent[number])


def read_lines(path: Path) -> Iterator[TranscriptLine]:
    """The lines of a transcript; an unfinished last one is passed over."""
    if path.is_file():
        for _, line in Lines[TranscriptLine](path, TranscriptLine):
            yield line


def _together(first: Sent, request: Request, got: list[Got], sent: set[str]) -> Exchange:
    total = Usage()
    for line in got:
        total = total + line.usage
    reply = next((line.reply for line in got if line.reply), None)
    troubles = tuple(line.trouble for line in got if line.trouble)
    unseen = len(sent - {line.id for line in got})
    seconds = sum(line.seconds for line in got)
    return Exchange(first.exchange, first.model or "", request, first.draw, reply, troubles, total, unseen, seconds)


def _now() -> str:
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
