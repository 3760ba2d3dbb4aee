"""The cap over real requests: nothing overshoots it, neither many calls nor many tries nor long replies."""

from __future__ import annotations

import asyncio

import pytest

from tests.models.conftest import HELLO, PRICED, Serve, opened, shared
from workalike.core.errors import BadInput, OverBudget
from workalike.models.budget import Budget, Cap
from workalike.models.messages import Reply, Request, Sampling, Text
from workalike.models.names import Api
from workalike.models.prices import Price, Prices
from workalike.models.server.asked import CutOff, Hanging


async def test_parallel_calls_do_not_overshoot_the_cap(serve: Serve) -> None:
    service = serve("word " * 400)
    asked = Request(HELLO.messages, sampling=Sampling(max_tokens=600))
    cap = 0.02
    budget = Budget(Cap(dollars=cap))
    async with shared(prices=PRICED, budget=budget) as models:
        model = opened(models, service)
        outcomes = await asyncio.gather(*(model.reply(asked) for _ in range(20)), return_exceptions=True)
        assert budget.dollars <= cap
    refused = [each for each in outcomes if isinstance(each, OverBudget)]
    assert refused
    assert len(refused) < 20
    assert "of $0.0200 are spent" in str(refused[0])
    assert models.usage.cost == pytest.approx(budget.dollars)


async def test_a_cap_in_dollars_needs_a_price(serve: Serve) -> None:
    service = serve("ok")
    budget = Budget(Cap(dollars=1.0))
    async with shared(budget=budget) as models:
        with pytest.raises(BadInput, match="needs a price"):
            opened(models, service)


async def test_a_cap_in_tokens_works_without_one(serve: Serve) -> None:
    service = serve("ok")
    budget = Budget(Cap(tokens=100))
    async with shared(budget=budget) as models:
        with pytest.raises(OverBudget, match="tokens"):
            await opened(models, service).reply(HELLO)
    assert not service.asked


async def test_every_try_is_reserved_for_so_that_retries_do_not_overshoot(serve: Serve) -> None:
    service = serve(CutOff(Reply((Text("half"),))))
    asked, cap = Request(HELLO.messages, sampling=Sampling(max_tokens=500)), 0.0095  # two tries of $0.0042
    budget = Budget(Cap(dollars=cap))
    async with shared(prices=PRICED, budget=budget) as models:
        with pytest.raises(OverBudget, match="--sampling max_tokens=N lowers the latter"):
            await opened(models, service).reply(asked)
        assert budget.dollars <= cap
    assert len(service.asked) == 2
    assert models.usage.unaccounted == 2


@pytest.mark.parametrize(("api", "longest"), [("chat", 8_192), ("responses", 16_000), ("messages", 16_000)])
async def test_under_a_cap_no_reply_may_be_longer_than_what_is_set_aside(serve: Serve, api: Api, longest: int) -> None:
    service = serve("ok")
    enough, short = longest * 8 / 1e6 + 0.001, longest * 8 / 1e6
    budget = Budget(Cap(dollars=enough))
    async with shared(prices=PRICED, budget=budget) as models:
        await opened(models, service, api).reply(HELLO)
        await opened(models, service, api, sampling=Sampling(max_tokens=70)).reply(HELLO)
    assert [each.request.sampling.max_tokens for each in service.asked] == [longest, 70]
    budget = Budget(Cap(dollars=short))
    async with shared(prices=PRICED, budget=budget) as models:
        with pytest.raises(OverBudget, match=f"too small for a single call.*{longest:,} out"):
            await opened(models, service, api).reply(HELLO)
    assert len(service.asked) == 2


async def test_where_nothing_can_be_overspent_the_service_bounds_its_replies_itself(serve: Serve) -> None:
    service = serve("ok")
    free = Prices({"m": Price(input=0.0, output=0.0)})
    for settings in ({"prices": PRICED}, {"prices": free, "budget": Budget(Cap(dollars=0.001))}):
        async with shared(**settings) as models:
            await opened(models, service).reply(HELLO)
    assert [each.request.sampling.max_tokens for each in service.asked] == [None, None]


async def test_what_may_be_written_to_a_cache_is_reserved_at_its_price(serve: Serve) -> None:
    service = serve("ok")
    dear = Prices({"m": Price(input=2.0, output=8.0, written=2000.0)})
    budget = Budget(Cap(dollars=0.05))
    async with shared(prices=dear, budget=budget) as models:
        with pytest.raises(OverBudget):
            await opened(models, service, sampling=Sampling(max_tokens=10)).reply(HELLO)
    assert not service.asked


async def test_a_request_given_up_counts_against_the_cap(serve: Serve) -> None:
    service = serve(Hanging(60.0))
    budget = Budget(Cap(dollars=1.0))
    async with shared(prices=PRICED, budget=budget) as models:
        asking = asyncio.create_task(opened(models, service, sampling=Sampling(max_tokens=500)).reply(HELLO))
        while not service.asked:
            await asyncio.sleep(0.005)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert budget.dollars > 500 * 8 / 1e6
        assert models.usage.unaccounted == 1


async def test_many_calls_under_a_cap_that_lets_one_through_at_a_time_all_end(serve: Serve) -> None:
    service = serve(*[CutOff(), "ok"] * 4, "ok")
    asked, cap = Request(HELLO.messages, sampling=Sampling(max_tokens=500)), 0.05
    budget = Budget(Cap(dollars=cap))
    async with shared(prices=PRICED, budget=budget) as models:
        model = opened(models, service)
        async with asyncio.timeout(30):
            outcomes = await asyncio.gather(*(model.reply(asked) for _ in range(12)), return_exceptions=True)
        assert budget.dollars <= cap
    assert {type(each) for each in outcomes} <= {Reply, OverBudget}
    assert any(isinstance(each, Reply) for each in outcomes)
