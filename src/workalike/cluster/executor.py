"""The driver's side: an `Executor` whose jobs are done by workers on the nodes of a cluster.

The driver keeps what there is only one of: the queue, the money, the files. A worker that dies, falls silent or says
that its browser is wedged loses its jobs, which the pool has tried anew by others; a node on which workers break in a
row is set aside and named. What a lost worker still says is not heard, so that nothing is done twice.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Generic, TypeVar

import msgspec

from workalike.cluster import wire
from workalike.cluster.folders import apply_changes
from workalike.cluster.nodes import Cluster, ClusterLimits, ClusterNode, WorkerLine, WorkKind
from workalike.core.contracts import Job, Money, Sink
from workalike.core.errors import (
    AgentFailed,
    BadInput,
    DiskFailed,
    Infrastructure,
    ModelFailed,
    NobodyLeft,
    OverBudget,
    PageGone,
    ServiceDown,
    WorkalikeError,
)
from workalike.core.trajectory import Usage

T = TypeVar("T")
IN_A_ROW, TRIES_IN_A_ROW = 3, 6
"""So many workers of a node break, or so many tries fail there while others go on, with no job finished in between, and
it is set aside."""
_RAISED: dict[str, type[WorkalikeError]] = {
    **{each.__name__: each for each in (AgentFailed, BadInput, Infrastructure, ModelFailed, OverBudget)},
    **dict.fromkeys((PageGone.__name__, "CancelledError"), Infrastructure),
}
_OF_THE_NODE = (ServiceDown.__name__, DiskFailed.__name__)
"""What fails one job and every other on that node; others may have a key that is taken, and room on their disk."""


class _Errand(msgspec.Struct):
    """A job that a worker has."""

    job: Job
    sink: Sink | None
    future: asyncio.Future[Any]


class _Hand:
    """A worker as the driver knows it: what it does, and the money that it holds."""

    def __init__(self, node: ClusterNode, line: WorkerLine, places: int) -> None:
        self.node, self.line, self.places = node, line, places
        self.errands: dict[int, _Errand] = {}
        self.held: dict[int, _Holding] = {}

    @property
    def free(self) -> int:
        return self.places - len(self.errands)

    async def tell(self, *messages: wire.FromDriver) -> None:
        with suppress(Exception):  # whoever listens to the line finds out
            await self.line.tell(wire.pack(messages))


class _Holding:
    """Money that a worker has asked for."""

    def __init__(self, most: Usage) -> None:
        self.most, self.spent = most, list[Usage]()
        self.released = asyncio.Event()
        self.granted = False
        self.task: asyncio.Task[None] | None = None


class _Waiters:
    """Who waits for a place, in turn: one is woken for every place, not all for each."""

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


class RemoteExecutor(Generic[T]):
    """Has jobs done by workers, of which it keeps `limits.workers` on every node for as long as it is open:

    async with RemoteExecutor(cluster, kind) as executor:
        result = await executor.do(job, 1)

    `money` is the cap that workers share; `say` hears of nodes that come, go and are set aside.
    """

    def __init__(
        self,
        cluster: Cluster,
        kind: WorkKind[T],
        limits: ClusterLimits = ClusterLimits(),
        money: Money | None = None,
        say: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._cluster, self._kind, self._limits, self._money, self._say = cluster, kind, limits, money, say
        self._hands: list[_Hand] = []
        self._tickets = itertools.count(1)
        self._serving: dict[asyncio.Task[None], ClusterNode] = {}
        self._failures: Counter[str] = Counter()
        self._lost_tries: Counter[str] = Counter()
        self._aside: dict[str, str] = {}
        self._unfit: list[str] = []
        self._known: dict[str, ClusterNode] = {}
        self._starting = asyncio.Semaphore(limits.starting)
        self._one_by_one: dict[str, asyncio.Lock] = {}
        self._to_do, self._to_begin = _Waiters(), _Waiters()
        self._begun = self._finished = 0
        self._hopeless: WorkalikeError | None = None
        self._opened = self._alone_since = time.monotonic()
        self._supervisor: asyncio.Task[None] | None = None

    async def __aenter__(self) -> RemoteExecutor[T]:
        self._opened = self._alone_since = time.monotonic()
        self._supervisor = asyncio.create_task(self._supervise())
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [*self._serving, *([self._supervisor] if self._supervisor else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def ready(self) -> None:
        """Comes back when there is a worker, and raises where there will be none."""
        while not self._hands:
            await self._wait(self._to_begin)

    @property
    def places(self) -> int:
        """For how many jobs at once there is room now."""
        return sum(hand.places for hand in self._hands)

    @asynccontextmanager
    async def room(self) -> AsyncIterator[None]:
        """Waits until there is room for one more job, which is kept while the block lasts."""
        while self._begun >= self.places:
            await self._wait(self._to_begin)
        self._begun += 1
        try:
            yield
        finally:
            self._begun -= 1
            self._to_begin.wake()

    def standing(self) -> str:
        """How it stands, in a few words: nodes, workers, pace.

        >>> RemoteExecutor.standing(executor)  # doctest: +SKIP
        '3 nodes, 6 workers, 12.5 a minute'
        """
        nodes = len({hand.node.id for hand in self._hands})
        minutes = (time.monotonic() - self._opened) / 60
        pace = f", {self._finished / minutes:.1f} a minute" if self._finished else ""
        aside = f", {len(self._aside)} set aside" if self._aside else ""
        workers = f"{len(self._hands)} worker{'' if len(self._hands) == 1 else 's'}"
        return f"{nodes} node{'' if nodes == 1 else 's'}{aside}, {workers}{pace}"

    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> T:
        """Have a job done by the worker with the most room."""
        hand = await self._free_hand()
        ticket, future = next(self._tickets), asyncio.get_running_loop().create_future()
        hand.errands[ticket] = _Errand(job, sink, future)
        try:
            await hand.tell(wire.Do(ticket, try_, job.key, wire.raw(self._kind.payload(job))))
            await asyncio.wait({future})  # which leaves it alone when this is cancelled
            result: T = future.result()
        except asyncio.CancelledError:
            if not future.done():  # it may yet say what it has done
                await hand.tell(wire.Cancel(ticket))
                await asyncio.wait({future}, timeout=10.0)
            raise
        finally:
            del hand.errands[ticket]
            if future.done() and not future.cancelled():
                future.exception()  # seen, also where nobody waits for it any more
            self._to_do.wake()
        self._finished += 1
        self._failures[hand.node.id] = self._lost_tries[hand.node.id] = 0
        return result

    async def _free_hand(self) -> _Hand:
        while not (free := [hand for hand in self._hands if hand.free > 0]):
            await self._wait(self._to_do)
        return max(free, key=lambda hand: hand.free)

    async def _wait(self, waiters: _Waiters) -> None:
        if self._hopeless is not None:
            raise self._hopeless
        await waiters.wait()
        if self._hopeless is not None:
            raise self._hopeless

    # workers, as they come and go

    async def _supervise(self) -> None:
        while True:
            with suppress(Exception):  # the cluster is asked again
                self._known = {node.id: node for node in await self._cluster.nodes()}
            for node in self._known.values():
                served = sum(each.id == node.id for each in self._serving.values())
                for _ in range(0 if node.id in self._aside else self._limits.workers - served):
                    self._serve(node)
            self._judge_hope()
            await asyncio.sleep(self._limits.look_seconds)

    def _serve(self, node: ClusterNode) -> None:
        task = asyncio.create_task(self._served(node))
        self._serving[task] = node
        task.add_done_callback(lambda task: self._serving.pop(task, None))

    async def _served(self, node: ClusterNode) -> None:
        """One worker on a node, from its start until it is lost."""
        hand: _Hand | None = None
        line: WorkerLine | None = None
        try:
            lock = self._one_by_one.setdefault(node.id, asyncio.Lock())
            async with lock, self._starting, asyncio.timeout(self._limits.begin_seconds):
                line = await self._cluster.start(node, self._kind.spec)
                first = await self._until_ready(line)
            hand = _Hand(node, line, self._kind.spec.jobs)
            self._add(hand)
            await self._listen(hand, first)
        except asyncio.CancelledError:
            raise
        except BadInput as error:
            self._put_aside(node, str(error), wrong=True)
        except TimeoutError:
            seconds = self._limits.silent_seconds if hand else self._limits.begin_seconds
            self._note_failure(node, f"a worker there said nothing for {seconds:.0f} s")
        except Exception as error:
            self._note_failure(node, str(error))
        finally:
            if line is not None:
                line.kill()
            if hand is not None:
                await self._lose(hand)

    async def _until_ready(self, line: WorkerLine) -> list[wire.FromWorker]:
        """What a worker says with being ready."""
        while True:
            said = wire.told_driver(await line.exchange(wire.pack([])))
            for place, message in enumerate(said):
                if isinstance(message, wire.Unfit):
                    raise (Infrastructure if message.again else BadInput)(message.sentence)
                if isinstance(message, wire.WorkerReady):
                    return said[place + 1 :]
                if isinstance(message, wire.WorkerSaid):
                    self._say(message.sentence)

    def _add(self, hand: _Hand) -> None:
        self._hands.append(hand)
        self._to_do.wake(hand.places)
        self._to_begin.wake(hand.places)

    async def _lose(self, hand: _Hand) -> None:
        """Give a lost worker's jobs back, to be tried anew, and book what it may have spent."""
        self._hands.remove(hand)
        for holding in hand.held.values():
            if holding.granted and not holding.spent:  # the request may have been charged
                holding.spent.append(holding.most)
            if holding.granted:
                holding.released.set()
            elif holding.task is not None:
                holding.task.cancel()
        for errand in list(hand.errands.values()):
            if not errand.future.done():
                errand.future.set_exception(Infrastructure(f"the worker on node {hand.node.name} was lost"))
        self._judge_hope()

    def _note_failure(self, node: ClusterNode, why: str) -> None:
        self._failures[node.id] += 1
        if self._failures[node.id] >= IN_A_ROW:
            self._put_aside(node, f"{IN_A_ROW} workers in a row broke there, the last like this: {why}")
        else:
            self._say(f"node {node.name}: {why}; its jobs are handed to others")

    def _note_lost_try(self, node: ClusterNode, why: str) -> None:
        self._lost_tries[node.id] += 1
        others = any(hand.places for hand in self._hands if hand.node.id != node.id)
        if others and self._lost_tries[node.id] >= TRIES_IN_A_ROW:
            self._put_aside(node, f"{TRIES_IN_A_ROW} tries in a row failed there, the last like this: {why}")

    def _put_aside(self, node: ClusterNode, why: str, wrong: bool = False) -> None:
        """Give a node no more jobs; `wrong` says that nothing but what was asked for is to blame."""
        if node.id not in self._aside:
            self._aside[node.id] = f"node {node.name} is set aside: {why}"
            self._unfit += [self._aside[node.id]] if wrong else []
            self._say(self._aside[node.id])
        for hand in self._hands:
            hand.places = 0 if hand.node.id == node.id else hand.places
        self._judge_hope()

    def _judge_hope(self) -> None:
        """Whether anybody is left who could do the work, now or in a while."""
        now = time.monotonic()
        fit = [node for node in self._known if node not in self._aside]
        if self.places or any(node.id not in self._aside for node in self._serving.values()):
            self._alone_since = now
        elif not self._known or fit:
            if now - self._alone_since > self._limits.alone_seconds:
                self._give_up(NobodyLeft("no node of the cluster is left to work on; start it again when there is one"))
        elif len(self._unfit) == len(self._aside):  # nobody ever could: what was asked for is wrong
            self._give_up(BadInput(" · ".join(self._unfit)))
        else:
            self._give_up(NobodyLeft(" · ".join(self._aside.values())))

    def _give_up(self, error: WorkalikeError) -> None:
        self._hopeless = self._hopeless or error
        for waiters in (self._to_do, self._to_begin):
            waiters.wake(len(waiters))

    # what a worker says

    async def _listen(self, hand: _Hand, said: list[wire.FromWorker]) -> None:
        while True:
            answers = [answer for message in said if (answer := await self._take(hand, message))]
            async with asyncio.timeout(self._limits.silent_seconds):
                said = wire.told_driver(await hand.line.exchange(wire.pack(answers)))

    async def _take(self, hand: _Hand, message: wire.FromWorker) -> wire.FromDriver | None:
        match message:
            case wire.Emitted(ticket=ticket) | wire.Done(ticket=ticket) | wire.Failed(ticket=ticket):
                errand = hand.errands.get(ticket)
                if errand is None or errand.future.done():
                    return wire.Cancel(ticket) if isinstance(message, wire.Emitted) else None
                try:
                    return await self._take_of(errand, hand.node, message)
                except Exception as error:  # what cannot be kept here fails the job, not the worker
                    errand.future.set_exception(error)
                    return wire.Cancel(ticket)
            case wire.Reserve(number=number, most=most):
                holding = hand.held[number] = _Holding(most)
                holding.task = asyncio.create_task(self._hold(hand, number, holding))
            case wire.Spend(number=number, usage=usage):
                hand.held[number].spent.append(usage)
            case wire.Release(number=number):
                hand.held.pop(number).released.set()
            case wire.WorkerSaid(sentence=sentence):
                self._say(sentence)
            case wire.Wedged(sentence=sentence):
                raise Infrastructure(sentence)
            case _:
                pass
        return None

    async def _take_of(
        self, errand: _Errand, node: ClusterNode, message: wire.Emitted | wire.Done | wire.Failed
    ) -> wire.FromDriver | None:
        folder = self._kind.folder(errand.job)
        if folder is not None and message.files:
            apply_changes(folder, message.files)
        match message:
            case wire.Emitted(number=number, item=item):
                if item != wire.NOTHING:
                    await self._kind.take(errand.job, item, errand.sink)
                return wire.Taken(number)
            case wire.Done(result=packed):
                errand.future.set_result(self._kind.result(errand.job, packed))
            case wire.Failed(kind=kind, sentence=sentence):
                if kind in _OF_THE_NODE:
                    self._put_aside(node, sentence)
                    raise Infrastructure(f"on node {node.name}: {sentence}")
                raised = _RAISED.get(kind, WorkalikeError)
                if raised is Infrastructure:
                    self._note_lost_try(node, sentence)
                raise raised(f"{sentence} (on node {node.name})")
        return None

    async def _hold(self, hand: _Hand, number: int, holding: _Holding) -> None:
        """Hold money for a worker until it lets go, or is lost."""
        assert self._money is not None, "workers ask for money where there is a cap"
        try:
            async with self._money.reserve(holding.most) as held:
                holding.granted = True
                await hand.tell(wire.Granted(number))
                await holding.released.wait()
                for usage in holding.spent:
                    held.spend(usage)
        except OverBudget as error:
            hand.held.pop(number, None)
            await hand.tell(wire.Declined(number, str(error)))
