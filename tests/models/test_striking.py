"""Secrets are struck however they are spelt, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workalike.models.keys import Keys
from workalike.models.striking import Striker, bared

KEY = 'sk/Ab+9"z=é\\Q-long'
SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda key: key,
    "json": lambda key: json.dumps(key),
    "slashes": lambda key: json.dumps(key).replace("/", "\\/"),
    "every letter in json": lambda key: "".join(f"\\u{ord(one):04X}" for one in key),
    "json small": lambda key: "".join(f"\\u{ord(one):04x}" for one in key),
    "one letter in json": lambda key: json.dumps(key).replace("A", "\\u0041"),
    "json in json": lambda key: json.dumps(json.dumps({"k": json.dumps(key).replace("/", "\\/")})),
    "address": lambda key: quote(key, safe=""),
    "address small": lambda key: quote(key, safe="").lower().replace("q", "Q").replace("ab", "Ab"),
    "every letter in an address": lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
    "address in an address": lambda key: quote(quote(key, safe=""), safe=""),
    "address in json": lambda key: json.dumps(quote(key, safe="")).replace("%", "\\u0025"),
    "html": lambda key: "".join(f"&#{ord(one)};" for one in key),
    "html hex": lambda key: "".join(f"&#x{ord(one):X};" for one in key),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 after one": lambda key: base64.b64encode(b"x" + key.encode() + b"yz").decode(),
    "base64 after two": lambda key: base64.b64encode(b"me" + key.encode()).decode(),
    "base64 of addresses": lambda key: base64.urlsafe_b64encode(b"user:" + key.encode()).decode().rstrip("="),
    "base64 in an address": lambda key: quote(base64.b64encode(b"u:" + key.encode()).decode(), safe=""),
    "base64 in json": lambda key: base64.b64encode(key.encode()).decode().replace("/", "\\/"),
    "hex": lambda key: key.encode().hex(),
    "HEX": lambda key: key.encode().hex().upper(),
}


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_a_key_in_any_spelling_is_struck(spell: Callable[[str], str]) -> None:
    text = f"401 for key {spell(KEY)}, sorry"
    got = Keys({"OPENAI_API_KEY": KEY}).redact(text)
    assert "[redacted]" in got
    assert spell(KEY)[2:-3] not in got
    assert KEY not in bared(got)


@given(
    key=some.text(min_size=8, max_size=30).filter(lambda key: len(bared(key)) >= 8),
    spell=some.sampled_from(
        [SPELLINGS[name] for name in ("plain", "json", "json in json", "address", "base64", "hex")]
    ),
    before=some.text(max_size=10),
    after=some.text(max_size=10),
)
def test_any_key_is_struck(key: str, spell: Callable[[str], str], before: str, after: str) -> None:
    key = key.encode("utf-8", "replace").decode()
    text = f"{before} {spell(key)} {after}"
    got = Striker({key: "§"}).text(text)
    assert bared(key) not in bared(got) or bared(key) in bared(f"{before} § {after}")


@given(some.text())
def test_what_holds_no_key_is_left_alone(text: str) -> None:
    assert Striker({"no-such-key-0123": "§"}).text(text) == text


def test_values_are_struck_through_and_through() -> None:
    value = {"a": [f"x {KEY}", ({KEY: 3.5},)], "b": None, "c": html.escape("plain & simple")}
    assert Striker({KEY: "§"}).value(value) == {"a": ["x §", ({"§": 3.5},)], "b": None, "c": "plain &amp; simple"}


@pytest.mark.parametrize(
    ("options", "hidden"),
    [
        ({"api_key": "abc", "model": "gpt"}, ["api_key"]),
        ({"API-KEY": 12345678}, ["API-KEY"]),
        ({"token": "t", "password": "p", "client_secret": "s"}, ["token", "password", "client_secret"]),
        ({"auth": "sk-proj-abcdefghijklmnopqrstuvwxyz0123"}, ["auth"]),
        ({"headers": {"x": ["Bearer abcdef0123456789abcdef"]}}, ["headers"]),
        ({"auth": "of-the-env1ronment"}, ["auth"]),
        ({"sort_key": "title", "max_tokens": 100, "keys": True, "loops": False}, []),
    ],
)
def test_options_that_are_secrets(options: dict[str, object], hidden: list[str]) -> None:
    keys = Keys({"MY_TOKEN": "of-the-env1ronment"})
    assert keys.secret_options(options) == hidden
    assert keys.without_secrets(options) == {**options, **dict.fromkeys(hidden, "[redacted]")}


def test_secrets_come_back_out_of_the_environment() -> None:
    kept = {"api_key": "[redacted]", "n": 1}
    assert Keys({"API_KEY": "abc"}).filled(kept) == {"api_key": "abc", "n": 1}
    with pytest.raises(Exception, match=r"api_key is a secret.*--option api_key=…, or set API_KEY"):
        Keys({}).filled(kept)


def test_a_dotenv_file_counts_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("API_KEY=abc\n")
    assert Keys.load(tmp_path, {}).filled({"api_key": "[redacted]"}) == {"api_key": "abc"}
