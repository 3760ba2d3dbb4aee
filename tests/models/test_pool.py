"""The pool: bounded, resumable, capped; infrastructure costs a try and nothing is lost or run twice."""

from __future__ import annotations

import asyncio

import pytest

from workalike.core.errors import AgentFailed, Infrastructure, OverBudget, ServiceDown
from workalike.core.progress import Progress
from workalike.models.pool import Job, Limits, Pool


def _jobs(count: int, seen: list[str]) -> list[Job[str]]:
    async def work(key: str) -> str:
        seen.append(key)
        await asyncio.sleep(0)
        return key

    def make(key: str) -> Job[str]:
        return Job(key, lambda number: work(key))

    return [make(f"job{index}") for index in range(count)]


async def test_each_job_runs_once_and_is_kept() -> None:
    kept: dict[str, str] = {}
    summary = await Pool(Limits(width=3), kept.__setitem__).run(_jobs(10, []))
    assert kept == {f"job{n}": f"job{n}" for n in range(10)}
    assert (summary.finished, summary.not_started, summary.given_up) == (10, 0, {})


async def test_what_is_done_is_not_run_again() -> None:
    seen: list[str] = []
    summary = await Pool[str](Limits(), lambda key, result: None).run(_jobs(5, seen), done={"job1", "job3"})
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

    await Pool[None](Limits(width=4), lambda key, result: None).run(Job(str(n), work) for n in range(20))
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

    summary = await Pool[str](Limits(width=1, tries=3), lambda key, result: None).run(
        [Job("flaky", flaky), Job("broken", broken)]
    )
    assert tries == [0, 1, 2]
    assert summary.given_up == {"broken": "no display"}
    assert summary.retried == 5


async def test_a_later_try_keeps_counting() -> None:
    tries: list[int] = []

    async def work(number: int) -> None:
        tries.append(number)

    await Pool[None](Limits(), lambda key, result: None).run([Job("a", work, first_try=4)])
    assert tries == [4]


async def test_the_cap_stops_new_work() -> None:
    pool = Pool[str](Limits(width=1, cap=0.25), lambda key, result: None, cost=lambda result: 0.1)
    summary = await pool.run(_jobs(10, []))
    assert summary.finished == 3
    assert summary.not_started == 7
    assert summary.stopped == "the cap of $0.25 is reached"


async def test_what_was_spent_before_counts_towards_the_cap() -> None:
    pool = Pool[str](Limits(width=1, cap=0.25), lambda key, result: None, cost=lambda result: 0.1, spent=0.2)
    assert (await pool.run(_jobs(10, []))).finished == 1


async def test_unknown_cost_stays_unknown() -> None:
    pool = Pool[str](Limits(), lambda key, result: None, cost=lambda result: None)
    assert (await pool.run(_jobs(2, []))).spent is None


async def test_a_budget_error_halts_the_rest() -> None:
    async def work(number: int) -> str:
        raise OverBudget("the money is gone")

    summary = await Pool[str](Limits(width=1), lambda key, result: None).run([Job("a", work), Job("b", work)])
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

    pool = Pool[None](Limits(width=1), lambda key, result: None)
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
        await Pool[None](Limits(), lambda key, result: None).run([Job("a", work)])


async def test_progress_adds_up() -> None:
    told: list[Progress] = []
    pool = Pool[str](Limits(width=2), lambda key, result: None, good=lambda result: result == "job0", watch=told.append)
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

    summary = await Pool[str](Limits(width=1), lambda key, result: None).run(Job(str(n), work) for n in range(9))
    assert (summary.finished, summary.not_started, summary.given_up) == (3, 6, {})
    assert summary.stopped == "no connection: is a server running?"
    assert tried == [0] * 4


async def test_what_was_before_is_in_the_books_and_the_rest_is_reckoned() -> None:
    told: list[Progress] = []
    pool = Pool[float](
        Limits(width=1),
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
