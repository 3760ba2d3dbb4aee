"""The pool: bounded, resumable, capped; infrastructure costs a try and nothing is lost or run twice."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from workalike.core.contracts import Job, Sink
from workalike.core.errors import AgentFailed, DiskFailed, Infrastructure, OverBudget, ServiceDown
from workalike.core.progress import Progress
from workalike.runtime.pool import Pool, PoolLimits, stopping


class Calls:
    """Does a job by calling what it carries: here jobs never leave the process."""

    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> Any:
        return await job.payload(try_)


CALLS = Calls()


def _jobs(count: int, seen: list[str]) -> list[Job]:
    async def work(key: str) -> str:
        seen.append(key)
        await asyncio.sleep(0)
        return key

    def make(key: str) -> Job:
        return Job(key, lambda number: work(key))

    return [make(f"job{index}") for index in range(count)]


async def test_each_job_runs_once_and_is_kept() -> None:
    kept: dict[str, str] = {}
    summary = await Pool(PoolLimits(width=3), CALLS, kept.__setitem__).run(_jobs(10, []))
    assert kept == {f"job{n}": f"job{n}" for n in range(10)}
    assert (summary.finished, summary.not_started, summary.given_up) == (10, 0, {})


async def test_what_is_done_is_not_run_again() -> None:
    seen: list[str] = []
    summary = await Pool[str](PoolLimits(), CALLS, lambda key, result: None).run(_jobs(5, seen), done={"job1", "job3"})
    assert sorted(seen) == ["job0", "job2", "job4"]
    assert summary.skipped == 2


async def test_no_more_than_width_at_once() -> None:
    running = most = 0

    async def work(number: int) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1

    await Pool[None](PoolLimits(width=4), CALLS, lambda key, result: None).run([Job(str(n), work) for n in range(20)])
    assert most == 4


async def test_infrastructure_is_tried_anew_and_then_given_up() -> None:
    tries: list[int] = []

    async def flaky(number: int) -> str:
        tries.append(number)
        if number < 2:
            raise Infrastructure("the browser died")
        return "fine"

    async def broken(number: int) -> str:
        raise Infrastructure("no display")

    summary = await Pool[str](PoolLimits(width=1, tries=3), CALLS, lambda key, result: None).run(
        [Job("flaky", flaky), Job("broken", broken)]
    )
    assert tries == [0, 1, 2]
    assert summary.given_up == {"broken": "no display"}
    assert summary.retried == 5


async def test_a_later_try_keeps_counting() -> None:
    tries: list[int] = []

    async def work(number: int) -> None:
        tries.append(number)

    await Pool[None](PoolLimits(), CALLS, lambda key, result: None).run([Job("a", work, first_try=4)])
    assert tries == [4]


async def test_the_cap_stops_new_work() -> None:
    pool = Pool[str](PoolLimits(width=1, cap=0.25), CALLS, lambda key, result: None, cost=lambda result: 0.1)
    summary = await pool.run(_jobs(10, []))
    assert summary.finished == 3
    assert summary.not_started == 7
    assert summary.stopped == "the cap of $0.25 is reached"


async def test_what_was_spent_before_counts_towards_the_cap() -> None:
    pool = Pool[str](PoolLimits(width=1, cap=0.25), CALLS, lambda key, result: None, cost=lambda result: 0.1, spent=0.2)
    assert (await pool.run(_jobs(10, []))).finished == 1


async def test_unknown_cost_stays_unknown() -> None:
    pool = Pool[str](PoolLimits(), CALLS, lambda key, result: None, cost=lambda result: None)
    assert (await pool.run(_jobs(2, []))).spent is None


async def test_a_budget_error_halts_the_rest() -> None:
    async def work(number: int) -> str:
        raise OverBudget("the money is gone")

    summary = await Pool[str](PoolLimits(width=1), CALLS, lambda key, result: None).run(
        [Job("a", work), Job("b", work)]
    )
    assert summary.stopped == "the money is gone"
    assert summary.not_started == 2


async def test_halting_cancels_what_runs() -> None:
    began = asyncio.Event()
    cancelled = False

    async def work(number: int) -> None:
        nonlocal cancelled
        began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled = True
            raise

    pool = Pool[None](PoolLimits(width=1), CALLS, lambda key, result: None)
    running = asyncio.create_task(pool.run([Job("a", work), Job("b", work)]))
    await began.wait()
    pool.halt("interrupted")
    summary = await running
    assert cancelled
    assert (summary.stopped, summary.finished, summary.not_started) == ("interrupted", 0, 2)


async def test_an_unforeseen_error_is_raised_not_hidden() -> None:
    async def work(number: int) -> None:
        raise AgentFailed("a bug of ours")

    with pytest.raises(AgentFailed, match="a bug of ours"):
        await Pool[None](PoolLimits(), CALLS, lambda key, result: None).run([Job("a", work)])


async def test_progress_adds_up() -> None:
    told: list[Progress] = []
    pool = Pool[str](
        PoolLimits(width=2), CALLS, lambda key, result: None, good=lambda result: result == "job0", watch=told.append
    )
    await pool.run(_jobs(4, []), done={"job3"})
    assert (told[-1].done, told[-1].total, told[-1].running, told[-1].good) == (4, 4, 0, 1)
    assert all(progress.done + progress.running <= progress.total for progress in told)


async def test_a_service_that_is_down_ends_the_pool_and_nothing_is_given_up() -> None:
    tried: list[int] = []

    async def work(number: int) -> str:
        tried.append(number)
        if len(tried) > 3:
            raise ServiceDown("no connection: is a server running?")
        return "done"

    summary = await Pool[str](PoolLimits(width=1), CALLS, lambda key, result: None).run(
        [Job(str(n), work) for n in range(9)]
    )
    assert (summary.finished, summary.not_started, summary.given_up) == (3, 6, {})
    assert summary.stopped == "no connection: is a server running?"
    assert tried == [0] * 4


async def test_what_was_before_is_in_the_books_and_the_rest_is_reckoned() -> None:
    told: list[Progress] = []
    pool = Pool[float](
        PoolLimits(width=1),
        CALLS,
        lambda key, result: None,
        cost=lambda result: result,
        good=lambda result: True,
        watch=told.append,
        spent=1.0,
        judged=[True, False],
    )

    async def work(number: int) -> float:
        if number == 0:
            pool.spend(0.5)
            raise Infrastructure("gone")
        return 0.5

    await pool.run([Job(str(n), work) for n in range(4)], done={"0", "1"})
    half = next(each for each in told if each.done == 3)
    assert (half.good, half.judged, half.spent, half.costs) == (2, 3, 2.0, 3.0)
    assert (told[-1].good, told[-1].judged, told[-1].spent, told[-1].costs) == (3, 4, 3.0, 3.0)


async def test_a_disk_that_takes_nothing_more_ends_the_pool_at_its_first_word() -> None:
    tries: list[int] = []

    async def work(number: int) -> str:
        tries.append(number)
        raise DiskFailed("cannot write a: no space left on device; free some space and start again")

    summary = await Pool[str](PoolLimits(width=1), CALLS, lambda key, result: None).run(
        [Job("a", work), Job("b", work)]
    )
    assert tries == [0]
    assert (summary.given_up, summary.retried, summary.not_started) == ({}, 0, 2)
    assert "no space left on device" in summary.stopped


class _Endless:
    """More jobs than would fit into memory; counts those that were made."""

    def __init__(self) -> None:
        self.made = 0

    def __len__(self) -> int:
        return 10**12

    def __iter__(self) -> Iterator[Job]:
        while True:
            self.made += 1
            yield Job(str(self.made), self._work)

    async def _work(self, number: int) -> None:
        await asyncio.sleep(0)


async def test_a_plan_is_made_as_it_is_run_and_can_be_stopped_at_once() -> None:
    jobs, kept = _Endless(), 0

    def keep(key: str, result: None) -> None:
        nonlocal kept
        kept += 1
        if kept == 5:
            pool.halt("interrupted")

    pool = Pool[None](PoolLimits(width=2), CALLS, keep)
    summary = await pool.run(jobs, done={"1", "3"})
    assert jobs.made <= 10
    assert (summary.finished + summary.not_started, summary.skipped) == (10**12 - 2, 2)


async def test_what_was_given_up_is_told_apart_and_is_not_done() -> None:
    told: list[Progress] = []

    async def work(number: int) -> str:
        raise Infrastructure("the browser died")

    pool = Pool[str](PoolLimits(width=1), CALLS, lambda key, result: None, good=lambda result: True, watch=told.append)
    await pool.run([*_jobs(1, []), Job("broken", work)])
    assert (told[-1].done, told[-1].given_up, told[-1].total) == (1, 1, 2)


async def test_ctrl_c_halts_once_and_then_is_as_it_was() -> None:
    said: list[str] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with stopping(said.append):
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.05)
            left = [asyncio.get_running_loop().remove_signal_handler(each) for each in (signal.SIGINT, signal.SIGTERM)]
        assert left == [False, False], "a second one stops at once"
    assert said == ["interrupted"] * 2
