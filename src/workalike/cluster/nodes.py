"""What the driver needs of a cluster, whatever it is made of: nodes, workers on them, lines to those; and what it knows
of the work that they do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from workalike.cluster import wire
from workalike.core.contracts import Job, Sink

MOST_AT_ONCE = 4096
"""Jobs at once on all nodes of a cluster together."""
T_co = TypeVar("T_co", covariant=True)


class ClusterNode(msgspec.Struct, frozen=True):
    """A machine of the cluster, by the id that is its own and the name that people know it by."""

    id: str
    name: str


class WorkerLine(Protocol):
    """The line to one worker. Whatever it raises means that the worker is lost."""

    async def exchange(self, packed: bytes) -> bytes: ...

    async def tell(self, packed: bytes) -> None: ...

    def kill(self) -> None:
        """End the worker, whatever it does."""
        ...


class Cluster(Protocol):
    """Where workers can be started."""

    async def nodes(self) -> list[ClusterNode]:
        """The nodes that are alive."""
        ...

    async def start(self, node: ClusterNode, spec: wire.WorkerSpec) -> WorkerLine:
        """A worker on a node; it may take a while until it answers."""
        ...


class WorkKind(Protocol[T_co]):
    """The driver's side of one kind of work: what its workers are started with, how a job travels, and what becomes of
    what comes back."""

    @property
    def spec(self) -> wire.WorkerSpec: ...

    def payload(self, job: Job) -> Any: ...

    def folder(self, job: Job) -> Path | None:
        """The folder that is kept like the one that the worker has for the job."""
        ...

    async def take(self, job: Job, item: msgspec.Raw, sink: Sink | None) -> None:
        """Keep something that was told on the way; it is on disk when this comes back."""
        ...

    def result(self, job: Job, packed: msgspec.Raw) -> T_co: ...


class ClusterLimits(msgspec.Struct, frozen=True):
    """`workers` on each node; `starting` workers begin at once in the whole cluster, and one on each node; how long a
    worker may take to begin, and be silent; how often nodes are counted; how long none may be there."""

    workers: int = 1
    starting: int = 8
    begin_seconds: float = 180.0
    silent_seconds: float = 120.0
    look_seconds: float = 2.0
    alone_seconds: float = 120.0
