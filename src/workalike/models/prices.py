"""What tokens cost: the published prices, with a file of the user's own on top. An unknown price stays unknown.

The file is JSON or TOML, dollars per million tokens:

    {"fara-7b": {"input": 0.2, "output": 0.2}, "my-model@http://gpu:8000/v1": {"input": 0, "output": 0}}
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.models.messages import Tokens
from workalike.models.names import ANTHROPIC_URL, OPENAI_URL, Endpoint

MILLION = 1_000_000


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars per million tokens. Left out, reading from a prompt cache costs as much as reading anew, and so does
    writing to one."""

    input: float
    output: float
    cached: float | None = None
    written: float | None = None

    def __post_init__(self) -> None:
        if any(each is not None and each < 0 for each in (self.input, self.output, self.cached, self.written)):
            raise ValueError("a price cannot be negative")

    def of(self, tokens: Tokens) -> float:
        """
        >>> Price(input=2.0, output=8.0, cached=0.5).of(Tokens(input=1_000_000, cached=500_000))
        1.25
        """
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        fresh = tokens.input - tokens.cached - tokens.written
        total = fresh * self.input + tokens.cached * cached + tokens.written * written + tokens.output * self.output
        return total / MILLION


class Prices:
    """The user's prices by model, and the published ones behind them."""

    def __init__(self, own: dict[str, Price] | None = None) -> None:
        self._own = dict(own or {})

    @staticmethod
    def load(path: Path | None) -> Prices:
        """The prices of a user's file (none when left out)."""
        return Prices({} if path is None else _read(path))

    def with_free(self, name: str) -> Prices:
        """The same, with a model that costs nothing, unless the user has a price for it."""
        return Prices({name: Price(0.0, 0.0), **self._own})

    def cost(self, endpoint: Endpoint, tokens: Tokens) -> float | None:
        """What a reply cost in dollars, or None when nobody knows. The user's file may name a model as it was asked for
        (`NAME@http://…`) or by its bare name."""
        for name in (endpoint.spec, endpoint.name):
            if name in self._own:
                return self._own[name].of(tokens)
        return _published(endpoint, tokens)

    def known(self, endpoint: Endpoint) -> bool:
        return self.cost(endpoint, Tokens(input=1, output=1)) is not None


def _read(path: Path) -> dict[str, Price]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"the prices in {path} cannot be read: {error.strerror}") from error
    try:
        if path.suffix == ".toml":
            return msgspec.toml.decode(data, type=dict[str, Price])
        return msgspec.json.decode(data, type=dict[str, Price])
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadInput(f"{path} is not a list of prices ({error}): write {{model: {{input, output}}}}") from error


def _published(endpoint: Endpoint, tokens: Tokens) -> float | None:
    """The published price of a service's own model, or of a known service told by its address. A model of the same name
    on another machine is not taken for it."""
    from genai_prices import Usage, calc_price

    usage = Usage(
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        cache_read_tokens=tokens.cached,
        cache_write_tokens=tokens.written,
    )
    provider = {OPENAI_URL: "openai", ANTHROPIC_URL: "anthropic"}.get(endpoint.url)
    try:
        if provider:
            return float(calc_price(usage, endpoint.name, provider_id=provider).total_price)
        return float(calc_price(usage, endpoint.name, provider_api_url=endpoint.url).total_price)
    except (LookupError, ValueError):
        return None
