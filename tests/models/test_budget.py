"""The cap: reservations hold parallel calls back, waiting goes before refusing."""

from __future__ import annotations

import asyncio

import pytest

from workalike.core.errors import OverBudget
from workalike.core.screen import Size
from workalike.core.trajectory import Usage
from workalike.models.budget import Budget, Cap, estimate
from workalike.models.messages import ComputerTool, Picture, Request, said


def amount(dollars: float, tokens_in: int = 0, tokens_out: int = 0) -> Usage:
    return Usage(input_tokens=tokens_in, output_tokens=tokens_out, cost=dollars)


async def test_a_call_waits_for_others_to_settle_and_then_goes_through() -> None:
    budget = Budget(Cap(dollars=1.0))
    order: list[str] = []

    async def call(name: str, estimated: float, real: float) -> None:
        async with budget.reserve(amount(estimated)) as reservation:
            order.append(f"{name} begins")
            await asyncio.sleep(0.02)
            reservation.spend(amount(real))
            order.append(f"{name} ends")

    await asyncio.gather(call("a", 0.7, 0.1), call("b", 0.7, 0.1))
    assert order == ["a begins", "a ends", "b begins", "b ends"]
    assert budget.dollars == pytest.approx(0.2)


async def test_what_cannot_be_paid_is_refused_at_once() -> None:
    budget = Budget(Cap(dollars=1.0), Usage(cost=0.95))
    async with budget.reserve(amount(0.01)):
        with pytest.raises(OverBudget, match=r"\$0.9500 of \$1.0000 are spent.*at most 100 tokens in and 900 out"):
            async with budget.reserve(amount(0.2, 100, 900)):
                pass


async def test_a_failed_call_gives_its_reservation_back() -> None:
    budget = Budget(Cap(tokens=10))
    with pytest.raises(RuntimeError):
        async with budget.reserve(amount(0.0, 4, 6)):
            raise RuntimeError
    async with budget.reserve(amount(0.0, 4, 6)):
        pass


async def test_without_a_cap_nothing_waits() -> None:
    budget = Budget()
    async with asyncio.timeout(10):
        async with budget.reserve(amount(1e9, 10**12)) as first, budget.reserve(amount(1e9, 10**12)) as second:
            first.spend(amount(1.0, 3, 4))
            second.spend(amount(2.0, 5, 6))
    assert (budget.dollars, budget.tokens) == (3.0, 18), "what is spent is counted all the same"


def test_an_estimate_is_generous() -> None:
    asked = Request((said("user", "x" * 3000, Picture(b"", Size(1400, 1000))),))
    got = estimate(asked, 500)
    assert 3000 <= got.input <= 3200
    assert got.output == 500
    with_a_screen = estimate(Request(asked.messages, (ComputerTool(Size(1, 1)),)), 500)
    assert with_a_screen.input > got.input + 1500
    assert estimate(Request((said("user", "漢字" * 300),)), 1).input >= 600
