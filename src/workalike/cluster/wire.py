"""What a driver and its workers say to each other: plain values, packed, over any line that carries bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from workalike.core.trajectory import Usage

T = TypeVar("T")


class WorkerSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a worker is started with. `opens` is MODULE:NAME of who opens the work there, `settings` what that is given,
    packed; `jobs` is for how many at once there is room. A worker tells of itself every `beat` seconds at least, and
    ends when nobody has listened for `deserted` seconds. No key is ever in it: those are the node's own."""

    opens: str
    settings: bytes
    jobs: int = 1
    version: str = ""
    beat: float = 2.0
    deserted: float = 120.0


class FileChange(msgspec.Struct, frozen=True, array_like=True):
    """Bytes of a file in a job's folder, by its name there. What stood from `offset` on is gone."""

    name: str
    offset: int
    data: bytes


class Do(msgspec.Struct, frozen=True, tag="do"):
    """A job, under a ticket of its own."""

    ticket: int
    try_: int
    key: str
    payload: msgspec.Raw


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    ticket: int


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    """What was emitted under this number is on disk."""

    number: int


class Granted(msgspec.Struct, frozen=True, tag="granted"):
    number: int


class Declined(msgspec.Struct, frozen=True, tag="declined"):
    number: int
    sentence: str


class WorkerReady(msgspec.Struct, frozen=True, tag="ready"):
    """The work is open; jobs may come."""


class Unfit(msgspec.Struct, frozen=True, tag="unfit"):
    """The work cannot be opened on this node. `again` says that another try might do."""

    sentence: str
    again: bool


class Wedged(msgspec.Struct, frozen=True, tag="wedged"):
    """The worker can do nothing more: its browser does not answer."""

    sentence: str


class Emitted(msgspec.Struct, frozen=True, tag="emitted"):
    """Something of a job under way: a step, say, with what has changed in its folder."""

    ticket: int
    number: int
    item: msgspec.Raw
    files: tuple[FileChange, ...] = ()


class Done(msgspec.Struct, frozen=True, tag="done"):
    ticket: int
    result: msgspec.Raw
    files: tuple[FileChange, ...] = ()


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A job raised: the kind of error, and what it says."""

    ticket: int
    kind: str
    sentence: str
    files: tuple[FileChange, ...] = ()


class Reserve(msgspec.Struct, frozen=True, tag="reserve"):
    number: int
    most: Usage


class Spend(msgspec.Struct, frozen=True, tag="spend"):
    number: int
    usage: Usage


class Release(msgspec.Struct, frozen=True, tag="release"):
    number: int


class WorkerSaid(msgspec.Struct, frozen=True, tag="said"):
    sentence: str


FromDriver = Do | Cancel | Taken | Granted | Declined
FromWorker = WorkerReady | Unfit | Wedged | Emitted | Done | Failed | Reserve | Spend | Release | WorkerSaid
_TO_WORKER = msgspec.msgpack.Decoder(list[FromDriver])
_TO_DRIVER = msgspec.msgpack.Decoder(list[FromWorker])
NOTHING = msgspec.Raw(msgspec.msgpack.encode(None))


def pack(messages: Iterable[FromDriver | FromWorker]) -> bytes:
    return msgspec.msgpack.encode(list(messages))


def told_worker(packed: bytes) -> list[FromDriver]:
    return _TO_WORKER.decode(packed)


def told_driver(packed: bytes) -> list[FromWorker]:
    return _TO_DRIVER.decode(packed)


def raw(value: Any) -> msgspec.Raw:
    """A value as it travels within a message."""
    return msgspec.Raw(msgspec.msgpack.encode(value))


def read(packed: msgspec.Raw | bytes, kind: type[T]) -> T:
    """A value that has travelled."""
    return msgspec.msgpack.decode(packed, type=kind)
