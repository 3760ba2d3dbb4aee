"""Prices: published ones, the user's own on top, cached prompts, and the unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from workalike.core.errors import BadInput
from workalike.models.keys import Keys
from workalike.models.messages import Tokens
from workalike.models.names import resolve
from workalike.models.prices import Price, Prices

MILLION = Tokens(1_000_000, 1_000_000)
HERE = "http://127.0.0.1:8000/v1"


def cost(spec: str, tokens: Tokens = MILLION, prices: Prices | None = None) -> float | None:
    return (prices or Prices()).cost(resolve(spec, Keys({})), tokens)


@pytest.mark.parametrize(
    ("spec", "dollars"), [("openai/gpt-4o", 12.5), ("openai/o3", 10.0), ("openai/computer-use-preview", 15.0)]
)
def test_published_prices(spec: str, dollars: float) -> None:
    assert cost(spec) == pytest.approx(dollars)


def test_a_cached_prompt_costs_less() -> None:
    assert cost("openai/gpt-4o", Tokens(1_000_000, 0, cached=800_000)) == pytest.approx(0.2 * 2.5 + 0.8 * 1.25)


def test_writing_a_prompt_to_the_cache_costs_more() -> None:
    plain, written = (
        cost("anthropic/claude-sonnet-4-5", Tokens(1000)),
        cost("anthropic/claude-sonnet-4-5", Tokens(1000, written=1000)),
    )
    assert plain is not None
    assert written is not None
    assert written > plain


@pytest.mark.parametrize("spec", ["openai/nobody-knows-this", f"fara-7b@{HERE}", f"gpt-4o@{HERE}"])
def test_the_unknown_is_unknown(spec: str) -> None:
    assert cost(spec) is None


def test_a_users_price_goes_before_the_published_one_and_by_full_name_before_the_bare_one(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(f'{{"gpt-4o": {{"input": 1, "output": 1}}, "gpt-4o@{HERE}": {{"input": 0, "output": 0}}}}')
    prices = Prices.load(path)
    assert cost("openai/gpt-4o", prices=prices) == 2.0
    assert cost(f"gpt-4o@{HERE}", prices=prices) == 0.0
    assert prices.known(resolve(f"gpt-4o@{HERE}", Keys({})))


def test_prices_in_toml(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text("[fara-7b]\ninput = 0.2\noutput = 0.2\ncached = 0.1\n")
    assert cost(f"fara-7b@{HERE}", Tokens(1_000_000, 0, cached=500_000), Prices.load(path)) == pytest.approx(0.15)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"m": 3}',
        '{"m": {"input": 1}}',
        '{"m": {"input": -1, "output": 1}}',
        '{"m": {"inptu": 1, "output": 1}}',
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"prices\.json"):
        Prices.load(path)
    with pytest.raises(BadInput, match="cannot be read"):
        Prices.load(tmp_path / "nowhere.json")


def test_cached_and_written_default_to_the_input_price() -> None:
    assert Price(2.0, 8.0).of(Tokens(1_000_000, 0, cached=300_000, written=300_000)) == 2.0
