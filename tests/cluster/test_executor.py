"""Driver and workers over plain lines: nothing is lost or doubled, whatever is cut; a node that fails is named."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

import workalike
from tests.cluster.plain import QUICK, ErrandKind, PlainCluster
from workalike.cluster import wire
from workalike.cluster.executor import RemoteExecutor
from workalike.cluster.worker import Worker
from workalike.core.contracts import Job
from workalike.core.errors import BadInput, Infrastructure, NobodyLeft, OverBudget
from workalike.core.progress import Progress
from workalike.models.budget import Budget, Cap
from workalike.runtime.pool import Pool, PoolLimits, PoolSummary

Executor = RemoteExecutor[dict[str, Any]]


@asynccontextmanager
async def _open(cluster: PlainCluster, kind: ErrandKind, **given: Any) -> AsyncIterator[Executor]:
    try:
        async with RemoteExecutor(cluster, kind, **{"limits": QUICK, **given}) as executor:
            yield executor
    finally:
        await cluster.close()


async def _pooled(
    executor: Executor, jobs: list[Job], kept: dict[str, Any], watch: Callable[[Progress], None] = lambda told: None
) -> PoolSummary:
    pool = Pool[dict[str, Any]](PoolLimits(64), executor, kept.__setitem__, watch=watch, crew=executor)
    return await pool.run(jobs)


async def _until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.005)


async def test_jobs_are_done_on_all_nodes_and_what_they_tell_is_kept_in_order(tmp_path: Path) -> None:
    kind, cluster, kept = ErrandKind(tmp_path), PlainCluster("a", "b", "c"), dict[str, Any]()
    told: list[Progress] = []
    async with _open(cluster, kind) as executor:
        await _until(lambda: executor.places == 6)
        jobs = [Job(f"job{n}", {"items": 3, "seconds": 0.02}) for n in range(12)]
        summary = await _pooled(executor, jobs, kept, told.append)
    assert (summary.finished, summary.given_up, len(kept)) == (12, {}, 12)
    assert {result["node"] for result in kept.values()} == {"a", "b", "c"}
    assert kind.told == {f"job{n}": [0, 1, 2] for n in range(12)}
    assert (tmp_path / "job7" / "log.txt").read_text() == "0\n1\n2\n"
    assert max(each.running for each in told) == 6
    assert told[-1].note.startswith("3 nodes, 3 workers, ")
    assert told[0].note.endswith("11 waiting")


async def test_a_lost_worker_gives_its_jobs_to_others_and_is_not_heard_any_more(tmp_path: Path) -> None:
    kind, cluster, kept, said = ErrandKind(tmp_path, jobs=4), PlainCluster("a", "b"), dict[str, Any](), list[str]()
    async with _open(cluster, kind, say=said.append) as executor:
        await _until(lambda: executor.places == 8)
        jobs = [Job(f"job{n}", {"items": 2, "seconds": 0.2}) for n in range(8)]
        running = asyncio.create_task(_pooled(executor, jobs, kept))
        await _until(lambda: len(kind.told) == 8)
        cluster.lines["a"][0].cut.set()
        summary = await running
    assert (summary.finished, summary.retried, len(kept)) == (8, 4, 8)
    assert sorted(result["try"] for result in kept.values()) == [0] * 4 + [1] * 4
    assert said == ["node a: a worker there was lost; its jobs are handed to others"]
    assert len(cluster.lines["a"]) == 2, "another worker took its place"


async def test_a_silent_worker_is_noticed(tmp_path: Path) -> None:
    kind, cluster, kept, said = ErrandKind(tmp_path), PlainCluster("a"), dict[str, Any](), list[str]()
    limits = msgspec.structs.replace(QUICK, silent_seconds=1.0)
    async with _open(cluster, kind, say=said.append, limits=limits) as executor:
        await executor.ready()
        running = asyncio.create_task(_pooled(executor, [Job("job", {"items": 1, "seconds": 0.3})], kept))
        await _until(lambda: kind.told)
        cluster.lines["a"][0].silent = True
        summary = await running
    assert (summary.finished, summary.retried) == (1, 1)
    assert said == ["node a: a worker there said nothing for 1 s; its jobs are handed to others"]


async def test_a_node_that_keeps_failing_is_set_aside_and_named(tmp_path: Path) -> None:
    kind, cluster, kept, said = (
        ErrandKind(tmp_path, broken=["b"]),
        PlainCluster("a", "b"),
        dict[str, Any](),
        list[str](),
    )
    async with _open(cluster, kind, say=said.append) as executor:
        await _until(lambda: "1 set aside" in executor.standing())
        summary = await _pooled(executor, [Job(f"job{n}", {}) for n in range(5)], kept)
    assert summary.finished == 5
    assert said[-1] == (
        "node b is set aside: 3 workers in a row broke there, the last like this: the browser did not start"
    )
    assert len(cluster.lines["b"]) == 3


async def test_tries_that_fail_on_one_node_alone_set_it_aside(tmp_path: Path) -> None:
    kind, cluster, kept, said = ErrandKind(tmp_path, jobs=1), PlainCluster("a", "b"), dict[str, Any](), list[str]()
    async with _open(cluster, kind, say=said.append) as executor:
        await _until(lambda: executor.places == 2)
        jobs = [Job(f"job{n}", {"raise_on": "b", "seconds": 0.02}) for n in range(30)]
        await _pooled(executor, jobs, kept)
    assert said == ["node b is set aside: 6 tries in a row failed there, the last like this: it broke"]


async def test_a_service_that_turns_one_node_away_sets_that_one_aside(tmp_path: Path) -> None:
    kind, cluster, kept, said = ErrandKind(tmp_path), PlainCluster("a", "b"), dict[str, Any](), list[str]()
    async with _open(cluster, kind, say=said.append) as executor:
        await _until(lambda: executor.places == 4)
        jobs = [Job(f"job{n}", {"raise_on": "b", "kind": "service"}) for n in range(9)]
        summary = await _pooled(executor, jobs, kept)
    assert summary.finished == 9
    assert said == ["node b is set aside: it broke"]


async def test_nobody_left_stops_the_pool_with_the_reasons(tmp_path: Path) -> None:
    kind, cluster = ErrandKind(tmp_path, broken=["a", "b"]), PlainCluster("a", "b")
    async with _open(cluster, kind) as executor:
        summary = await _pooled(executor, [Job("job", {})], {})
    assert summary.not_started == 1
    assert "node a is set aside" in summary.stopped
    assert "node b is set aside" in summary.stopped


async def test_a_node_without_the_module_is_named_and_others_do_the_work(tmp_path: Path) -> None:
    kind, cluster, kept, said = ErrandKind(tmp_path, unfit=["b"]), PlainCluster("a", "b"), dict[str, Any](), list[str]()
    async with _open(cluster, kind, say=said.append) as executor:
        await _until(lambda: said and executor.places)
        assert (await _pooled(executor, [Job("job", {})], kept)).finished == 1
    assert said == ["node b is set aside: the module 'my_agent' cannot be imported"]


async def test_no_node_with_the_module_is_bad_input(tmp_path: Path) -> None:
    async with _open(PlainCluster("a", "b"), ErrandKind(tmp_path, unfit=["a", "b"])) as executor:
        with pytest.raises(BadInput, match=r"node a is set aside: the module 'my_agent' cannot be imported"):
            await executor.ready()


async def test_another_version_on_a_node_is_named(tmp_path: Path) -> None:
    async with _open(PlainCluster("a"), ErrandKind(tmp_path, version="9.9")) as executor:
        with pytest.raises(BadInput, match=r"node a is set aside: Workalike .* is installed there, and 9\.9"):
            await executor.ready()


async def test_a_cluster_without_nodes_is_given_up_on(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(QUICK, alone_seconds=0.1)
    async with _open(PlainCluster(), ErrandKind(tmp_path), limits=limits) as executor:
        with pytest.raises(NobodyLeft, match="no node of the cluster is left"):
            await executor.ready()


async def test_a_node_that_joins_late_is_given_work(tmp_path: Path) -> None:
    kind, cluster, kept = ErrandKind(tmp_path, jobs=1), PlainCluster("a"), dict[str, Any]()
    async with _open(cluster, kind) as executor:
        await executor.ready()
        jobs = [Job(f"job{n}", {"items": 1, "seconds": 0.1}) for n in range(8)]
        running = asyncio.create_task(_pooled(executor, jobs, kept))
        await _until(lambda: kind.told)
        cluster.names.append("b")
        await running
    assert {result["node"] for result in kept.values()} == {"a", "b"}


async def test_the_cap_holds_over_all_workers(tmp_path: Path) -> None:
    kind, cluster, budget = ErrandKind(tmp_path), PlainCluster("a", "b"), Budget(Cap(dollars=1.0))
    async with _open(cluster, kind, money=budget) as executor:
        await _until(lambda: executor.places == 4)
        jobs = [executor.do(Job(f"job{n}", {"costs": 0.3, "seconds": 0.02}), 1) for n in range(9)]
        results = await asyncio.gather(*jobs, return_exceptions=True)
    assert sum(isinstance(result, dict) for result in results) == 3
    assert all(isinstance(result, dict | OverBudget) for result in results)
    assert budget.dollars == pytest.approx(0.9)


async def test_money_that_a_lost_worker_held_counts_as_spent(tmp_path: Path) -> None:
    kind, cluster, budget = ErrandKind(tmp_path, jobs=1), PlainCluster("a"), Budget(Cap(dollars=1.0))
    async with _open(cluster, kind, money=budget) as executor:
        await executor.ready()
        job = asyncio.create_task(executor.do(Job("job", {"costs": 0.7, "seconds": 60}), 1))
        await _until(lambda: budget._held)
        cluster.lines["a"][0].cut.set()
        with pytest.raises(Infrastructure, match="the worker on node a was lost"):
            await job
        await _until(lambda: not budget._held)
        assert budget.dollars == pytest.approx(0.7)
        with pytest.raises(OverBudget):
            await executor.do(Job("job", {"costs": 0.7}), 1)


async def test_a_cancelled_job_may_say_its_last_words(tmp_path: Path) -> None:
    kind, cluster = ErrandKind(tmp_path), PlainCluster("a")
    async with _open(cluster, kind) as executor:
        await executor.ready()
        job = asyncio.create_task(executor.do(Job("job", {"items": 1, "seconds": 60}), 1))
        await _until(lambda: kind.told)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        assert (tmp_path / "job" / "last.txt").read_text() == "given up"
        assert await executor.do(Job("next", {}), 1) == {"node": "a", "try": 1}


async def test_what_cannot_be_kept_fails_its_job_and_no_other(tmp_path: Path) -> None:
    class Full(ErrandKind):
        async def take(self, job: Job, item: msgspec.Raw, sink: Any) -> None:
            if job.key == "job1":
                raise Infrastructure("no room")

    async with _open(PlainCluster("a"), Full(tmp_path)) as executor:
        await executor.ready()
        tasks = [executor.do(Job(f"job{n}", {"items": 2}), 1) for n in range(3)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [isinstance(result, dict) for result in results] == [True, False, True]


async def test_a_worker_that_nobody_listens_to_leaves() -> None:
    left = asyncio.Event()
    settings = msgspec.msgpack.encode({"node": "a"})
    spec = wire.WorkerSpec("tests.cluster.plain:open_errands", settings, beat=0.02, deserted=0.1)
    worker = Worker(msgspec.structs.replace(spec, version=workalike.__version__), leave=left.set)
    await worker.exchange(wire.pack([]))
    async with asyncio.timeout(30):
        await left.wait()
    await worker.close()
