"""The spending cap of a run. Every request reserves the most it may cost before it is sent, so that neither parallel
calls nor retries overshoot it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from workalike.core.errors import OverBudget
from workalike.core.screen import Size
from workalike.core.trajectory import Usage
from workalike.models.messages import (
    ComputerTool,
    Part,
    Request,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Untrusted,
    pictures,
)

_UNSIZED = Size(1280, 800)
_ANY_REQUEST, _ITS_TOOLS, _ITS_COMPUTER = 50, 350, 1_500
_FENCE = 150


class Cap(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a run may spend; None is no bound."""

    dollars: float | None = None
    tokens: int | None = None


class Budget:
    """What was spent, what is under way, and the cap on both together."""

    def __init__(self, cap: Cap = Cap(), spent: Usage = Usage()) -> None:
        self.cap, self._dollars, self._tokens = cap, spent.cost or 0.0, spent.input_tokens + spent.output_tokens
        self._held_dollars, self._held_tokens, self._held = 0.0, 0, 0
        self._freed = asyncio.Condition()

    @property
    def dollars(self) -> float:
        return self._dollars

    @property
    def tokens(self) -> int:
        return self._tokens

    def binds(self, price: float | None) -> bool:
        """Whether the cap can ever be reached by calls of some price (that of a token, say)."""
        return self.cap.tokens is not None or (self.cap.dollars is not None and price != 0)

    @property
    def in_dollars(self) -> bool:
        return self.cap.dollars is not None

    @asynccontextmanager
    async def reserve(self, most: Usage) -> AsyncIterator[HeldMoney]:
        """Hold the most a request may cost while it is under way. Where others hold too much, wait until they have
        settled; where what is left cannot pay for it, raise `OverBudget`."""
        dollars, tokens = most.cost or 0.0, _sum(most)
        await self._hold(dollars, tokens, most)
        try:
            yield HeldMoney(self)
        finally:
            async with self._freed:
                self._held_dollars, self._held_tokens = self._held_dollars - dollars, self._held_tokens - tokens
                self._held -= 1
                self._freed.notify_all()

    async def _hold(self, dollars: float, count: int, most: Usage) -> None:
        async with self._freed:
            while not self._fits(dollars + self._held_dollars, count + self._held_tokens):
                if not self._held or not self._fits(dollars, count):
                    raise OverBudget(self._sentence(dollars, most))
                await self._freed.wait()
            self._held_dollars, self._held_tokens = self._held_dollars + dollars, self._held_tokens + count
            self._held += 1

    def _fits(self, dollars: float, tokens: int) -> bool:
        cap = self.cap
        in_dollars = cap.dollars is None or self._dollars + dollars <= cap.dollars
        return in_dollars and (cap.tokens is None or self._tokens + tokens <= cap.tokens)

    def _sentence(self, dollars: float, most: Usage) -> str:
        parts = []
        if self.cap.dollars is not None:
            parts.append(
                f"${self._dollars:.4f} of ${self.cap.dollars:.4f} are spent and the next call may take ${dollars:.4f}"
            )
        if self.cap.tokens is not None:
            parts.append(
                f"{self._tokens:,} of {self.cap.tokens:,} tokens are used and the next call may take {_sum(most):,}"
            )
        why = (
            f"(at most {most.input_tokens:,} tokens in and {most.output_tokens:,} out; "
            "--sampling max_tokens=N lowers the latter)"
        )
        verdict = "used up" if self._tokens or self._dollars else "too small for a single call"
        return f"the budget is {verdict}: {'; '.join(parts)} {why}"

    def _spend(self, usage: Usage) -> None:
        self._dollars, self._tokens = self._dollars + (usage.cost or 0.0), self._tokens + _sum(usage)


class HeldMoney:
    """What is held for a request; what was really spent is booked on it."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def spend(self, usage: Usage) -> None:
        self._budget._spend(usage)


def estimate(request: Request, longest: int) -> Tokens:
    """The most a request may take, on the generous side: a token for every three bytes and for every 700 pixels, what
    services add for tools, and as many tokens out as it may write."""
    written = sum(_bytes(part) for message in request.messages for part in message.parts)
    written += len(msgspec.json.encode(request.tools)) + len(msgspec.json.encode(request.schema))
    sizes = [picture.size or _UNSIZED for picture in pictures(request.messages)]
    pixels = sum(size.width * size.height for size in sizes)
    added = _ANY_REQUEST + _ITS_TOOLS * bool(request.tools)
    added += _ITS_COMPUTER * any(isinstance(tool, ComputerTool) for tool in request.tools)
    return Tokens(written // 3 + pixels // 700 + added, longest)


def _bytes(part: Part) -> int:
    match part:
        case Text(text=text):
            return len(text.encode("utf-8", "replace"))
        case Untrusted(text=text):
            return len(text.encode("utf-8", "replace")) + _FENCE
        case ToolResult(parts=inner):
            return sum(map(_bytes, inner))
        case Thinking(raw=raw):
            return len(msgspec.json.encode(raw)) if raw else 0
        case ToolCall(raw=raw, arguments=arguments):
            return len(msgspec.json.encode(raw or arguments))
        case _:
            return 0


def _sum(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens
