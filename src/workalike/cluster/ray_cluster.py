"""Ray as the cluster: an actor is a worker, its two methods are the line to it.

Nothing secret goes through Ray: no runtime environment is used, an actor is made with a `WorkerSpec`, and keys are
those of the environment, or of the `.env` file, that Ray was started with on the actor's own node.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import struct
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

import msgspec

from workalike.cluster.executor import RemoteExecutor
from workalike.cluster.nodes import ClusterLimits, ClusterNode, WorkKind
from workalike.cluster.wire import WorkerSpec
from workalike.core.contracts import Money
from workalike.core.errors import BadInput, Infrastructure, MissingExtra, in_a_line

T = TypeVar("T")
ANSWER_SECONDS = 5.0
JOIN_SECONDS = 180.0
PORT = 6379
_MISSING = re.compile(r"No module named '([\w.]+)'")
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
_SETTINGS_FRAME = 4


class RayChoice(msgspec.Struct, frozen=True):
    """Which Ray to use: that at an address, or, where none is named, the one that is running, or one of our own; that
    alone is called `local`."""

    address: str | None = None


class RayCluster:
    """The nodes of a Ray cluster that have a CPU to give, and workers on them."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._actor = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(RayWorker)

    async def nodes(self) -> list[ClusterNode]:
        known = await asyncio.to_thread(self._ray.nodes)
        return [
            ClusterNode(node["NodeID"], f"{node['NodeManagerHostname']}/{node['NodeID'][:6]}")
            for node in known
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        ]

    async def start(self, node: ClusterNode, spec: WorkerSpec) -> RayLine:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        there = NodeAffinitySchedulingStrategy(node.id, soft=False)
        return RayLine(self._ray, self._actor.options(scheduling_strategy=there).remote(msgspec.msgpack.encode(spec)))


class RayWorker:
    """The actor: a `Worker` in a process of Ray's."""

    def __init__(self, spec: bytes) -> None:
        from workalike.cluster.worker import Worker

        self._worker = Worker(msgspec.msgpack.decode(spec, type=WorkerSpec), leave=lambda: os._exit(1))

    async def exchange(self, packed: bytes) -> bytes:
        return await self._worker.exchange(packed)

    async def tell(self, packed: bytes) -> None:
        await self._worker.tell(packed)


class RayLine:
    """The line to an actor."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._actor = ray, actor

    async def exchange(self, packed: bytes) -> bytes:
        try:
            said: bytes = await self._actor.exchange.remote(packed)
            return said
        except self._ray.exceptions.RayError as error:
            raise _told(error) from None

    async def tell(self, packed: bytes) -> None:
        await self._actor.tell.remote(packed)

    def kill(self) -> None:
        with suppress(Exception):  # it is dead already, or Ray is
            self._ray.kill(self._actor)


def _told(error: Exception) -> BadInput | Infrastructure:
    """Why an actor is gone, in a sentence."""
    missing = _MISSING.search(str(error))
    if missing:
        remedy = "install Workalike" if missing[1].partition(".")[0] == "workalike" else "install it"
        return BadInput(f"the module {missing[1]!r} is not installed there: {remedy} for the Python that Ray runs with")
    kind = type(error).__name__.removesuffix("Error")
    words = re.sub(r"([a-z])([A-Z])", r"\1 \2", kind).lower()
    return Infrastructure(f"a worker there was lost ({words})")


@asynccontextmanager
async def ray_cluster(choice: RayChoice, say: Callable[[str], None]) -> AsyncIterator[RayCluster]:
    """Join a Ray cluster, or start one where none is meant, and leave it again; says which."""
    try:
        import ray
    except ImportError:
        raise MissingExtra("--ray", "ray", "ray") from None
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a cluster of ours tells nobody that it was started
    address = await asyncio.to_thread(_address, choice)
    given: dict[str, Any] = {"namespace": "workalike", "log_to_driver": False, "logging_level": logging.ERROR}
    given |= {"address": address} if address else {"address": "local", "include_dashboard": False}
    _print_apart()
    left = threading.Event()
    try:
        async with asyncio.timeout(JOIN_SECONDS):
            await _apart(partial(ray.init, **given), left)
    except TimeoutError:
        where = f"the Ray cluster at {address} let nobody join" if address else "Ray did not start"
        raise BadInput(f"{where} within {JOIN_SECONDS:.0f} s") from None
    except Exception as error:
        where = f"the Ray cluster at {address} cannot be joined" if address else "Ray cannot be started"
        token = "; if it asks for a token, set RAY_AUTH_MODE=token and the same token here" if address else ""
        raise BadInput(f"{where}: {error}{token}") from error
    try:
        cluster = RayCluster(ray)
        count = len(await cluster.nodes())
        nodes = f"{count} node{'' if count == 1 else 's'}"
        say(
            f"on the Ray cluster at {address}: {nodes}" if address else f"on a Ray of its own, on this machine: {nodes}"
        )
        yield cluster
    finally:
        await asyncio.to_thread(ray.shutdown)
        left.set()


def _print_apart() -> None:
    """Have what Ray says about its nodes on stderr: it prints it among what a verb prints for programs to read, and has
    no setting for that."""
    inner: Any = import_module("ray._private.worker")
    printed = inner.print_to_stdstream
    if getattr(printed, "apart", False):
        return

    def apart(data: dict[str, Any], ignore_prefix: bool) -> None:
        printed({**data, "is_err": True}, ignore_prefix)

    apart.apart = True  # type: ignore[attr-defined]
    inner.print_to_stdstream = apart


async def _apart(work: Callable[[], object], left: threading.Event) -> None:
    """Do something on a thread that nobody waits for at the end: what cannot be cancelled must not hold up an exit. The
    thread lives on until it is `left`: a Ray of our own is killed with the thread that started it."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def settle(error: BaseException | None) -> None:
        if not done.done():
            done.set_exception(error) if error else done.set_result(None)

    def run() -> None:
        try:
            work()
        except BaseException as error:
            loop.call_soon_threadsafe(settle, RuntimeError(in_a_line(error)))
        else:
            loop.call_soon_threadsafe(settle, None)
            left.wait()

    threading.Thread(target=run, daemon=True).start()
    await done


@asynccontextmanager
async def on_ray(
    choice: RayChoice,
    kind: WorkKind[T],
    say: Callable[[str], None],
    limits: ClusterLimits = ClusterLimits(),
    money: Money | None = None,
) -> AsyncIterator[RemoteExecutor[T]]:
    """Workers of one kind on a Ray cluster, once there is one that can do the work."""
    async with (
        ray_cluster(choice, say) as cluster,
        RemoteExecutor(cluster, kind, limits, money, say) as executor,
    ):
        await executor.ready()
        yield executor


def _address(choice: RayChoice) -> str | None:
    """The address of the cluster that is meant, once it answers; None where none is meant or running."""
    services: Any = import_module("ray._private.services")  # nothing public says whether a cluster is running
    named = choice.address or os.environ.get("RAY_ADDRESS") or ""
    if named == "local":
        return None
    if "://" in named:
        raise BadInput(f"--ray {named}: run this on a node of the cluster, and name it as HOST:{PORT}, or not at all")
    try:
        address = services.canonicalize_bootstrap_address(named if named not in ("", "auto") else None)
    except Exception as error:
        raise BadInput(f"--ray {named}: {in_a_line(error)}; write HOST:{PORT}") from None
    if address is None and named:
        raise BadInput("no Ray cluster is running here: start one with `ray start --head`, or leave the address out")
    if address is None:
        return None
    problem = _silence(address)
    if problem and named:
        raise BadInput(
            f"no Ray cluster answers at {named}: {problem}; start it, or name another with --ray HOST:{PORT}"
        )
    return None if problem else address


def _silence(address: str) -> str | None:
    """Why what listens at an address is no Ray, or nobody; None where it speaks as Ray does (gRPC, over HTTP/2)."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS) as line:
            line.settimeout(ANSWER_SECONDS)
            line.sendall(_GREETING)
            head = line.recv(9)
    except (OSError, ValueError) as error:
        return in_a_line(error)
    if len(head) < 9 or struct.unpack(">xxxBxxxxx", head)[0] != _SETTINGS_FRAME:
        return "something else listens there"
    return None
