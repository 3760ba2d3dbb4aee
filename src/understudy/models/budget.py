"""The spending cap of a run. Every call reserves what it may cost before it is sent, so that parallel calls do not
overshoot together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from understudy.core.errors import OverBudget
from understudy.core.screen import Size
from understudy.core.trajectory import Usage
from understudy.models.messages import Request, Sampling, Tokens, ToolCall, ToolResult, pictures, text_of

DEFAULT_OUTPUT = 1_000
_UNSIZED = Size(1280, 800)


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

    @asynccontextmanager
    async def reserve(self, dollars: float, tokens: int) -> AsyncIterator[Reservation]:
        """Hold an estimate while a call is under way. Where others hold too much, wait until they have settled; where
        what is left cannot pay for this call, raise `OverBudget`."""
        await self._hold(dollars, tokens)
        reservation = Reservation(self)
        try:
            yield reservation
        finally:
            async with self._freed:
                self._held_dollars, self._held_tokens = self._held_dollars - dollars, self._held_tokens - tokens
                self._held -= 1
                self._freed.notify_all()

    async def _hold(self, dollars: float, tokens: int) -> None:
        async with self._freed:
            while not self._fits(dollars + self._held_dollars, tokens + self._held_tokens):
                if not self._held or not self._fits(dollars, tokens):
                    raise OverBudget(self._sentence(dollars, tokens))
                await self._freed.wait()
            self._held_dollars, self._held_tokens = self._held_dollars + dollars, self._held_tokens + tokens
            self._held += 1

    def _fits(self, dollars: float, tokens: int) -> bool:
        cap = self.cap
        in_dollars = cap.dollars is None or self._dollars + dollars <= cap.dollars
        return in_dollars and (cap.tokens is None or self._tokens + tokens <= cap.tokens)

    def _sentence(self, dollars: float, tokens: int) -> str:
        parts = []
        if self.cap.dollars is not None:
            parts.append(
                f"${self._dollars:.4f} of ${self.cap.dollars:.4f} are spent and the next call may take ${dollars:.4f}"
            )
        if self.cap.tokens is not None:
            parts.append(
                f"{self._tokens:,} of {self.cap.tokens:,} tokens are used and the next call may take {tokens:,}"
            )
        return "the budget is used up: " + "; ".join(parts)

    def _spend(self, dollars: float, tokens: int) -> None:
        self._dollars, self._tokens = self._dollars + dollars, self._tokens + tokens


class Reservation:
    """A held estimate; what was really spent is booked on it, as often as something was."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def spend(self, dollars: float, tokens: int) -> None:
        self._budget._spend(dollars, tokens)


def estimate(request: Request, sampling: Sampling) -> Tokens:
    """What a request may take, on the generous side: a token for every three characters and for every 700 pixels, and
    as many tokens out as it may write."""
    letters = sum(_letters(part) for message in request.messages for part in message.parts)
    letters += len(msgspec.json.encode(request.tools)) + len(msgspec.json.encode(request.schema))
    sizes = [picture.size or _UNSIZED for picture in pictures(request.messages)]
    pixels = sum(size.width * size.height for size in sizes)
    return Tokens(letters // 3 + pixels // 700 + 50, sampling.max_tokens or DEFAULT_OUTPUT)


def _letters(part: object) -> int:
    if isinstance(part, ToolResult):
        return len(text_of(part.parts))
    if isinstance(part, ToolCall):
        return len(msgspec.json.encode(part.arguments))
    return len(getattr(part, "text", ""))
