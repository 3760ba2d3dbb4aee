"""Keys: where they come from, and that they go nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workalike.models.keys import Keys, read_dotenv


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=b", "b"),
        ("export A = b ", "b"),
        ("A='b # c' # d", "b # c"),
        ('A="b"', "b"),
        ("A=b # comment", "b"),
        ("A=b#c", "b#c"),
        ("A=", ""),
        ("A='unclosed", "'unclosed"),
    ],
)
def test_lines_of_a_dotenv_file(line: str, value: str) -> None:
    assert read_dotenv(f"# A=no\nnonsense\n{line}\n") == {"A": value}


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=from-file\nANTHROPIC_API_KEY=other\n")
    keys = Keys.load(tmp_path, {"OPENAI_API_KEY": "from-environment"})
    assert (keys.get("OPENAI_API_KEY"), keys.get("ANTHROPIC_API_KEY")) == ("from-environment", "other")
    assert Keys.load(tmp_path / "elsewhere", {}).get("OPENAI_API_KEY") is None


@pytest.mark.parametrize(
    "text",
    [
        'the key "quoted\\secret" leaked',
        json.dumps({"text": 'quoted\\secret"here'}),
        "Authorization: Bearer abcdef0123456789abcdef",
        "x-api-key: abcdef0123456789",
        "sk-proj-abcdefghijklmnopqrstuvwxyz0123",
        "longer-s3cret-value and s3cret-value",
    ],
)
def test_no_key_survives(text: str) -> None:
    secrets = {
        "A_KEY": 'quoted\\secret"here',
        "B_TOKEN": "s3cret-value",
        "C_SECRET": "longer-s3cret-value",
        "D_PASSWORD": "quoted\\secret",
    }
    got = Keys(secrets).redact(text)
    assert "[redacted]" in got
    assert not any(part in got for part in ("quoted", "s3cret-value", "abcdef", "longer"))


@pytest.mark.parametrize("name", ["x-api-key", "X-Api-Key", "authorization"])
def test_a_line_of_json_stays_one(name: str) -> None:
    value = "Bearer abcdefghijklmnop" if name == "authorization" else "abcdefghijklmnop"
    once = json.dumps({"url": "https://x", name: value})
    for line in (once, json.dumps({"arguments": once})):
        got = json.loads(Keys({}).redact(line))
        assert "abcdefghijklmnop" not in str(got)
        inner = json.loads(got["arguments"]) if "arguments" in got else got
        assert inner[name].endswith("[redacted]")


def test_ordinary_words_survive() -> None:
    keys = Keys({"API_KEY": "short", "HOME": "/home/somebody", "MONKEY": "", "A_KEY": "0123456789"})
    text = "a short walk in /home/somebody with sk-learn and a bearer of news"
    assert keys.redact(text) == text


def test_keys_do_not_show_themselves() -> None:
    keys = Keys({"OPENAI_API_KEY": "topsecret-value", "OTHER": "x"})
    assert repr(keys) == "Keys(OPENAI_API_KEY)"


def test_replies_lose_the_keys_that_services_are_sent_and_nothing_else() -> None:
    keys = Keys({"WORKALIKE_API_KEY": "k3y-0f-mine", "SORT_KEY": "computer_use", "PAGE_TOKEN": "0123456789abcdef"})
    said = '{"name": "computer_use", "page": "0123456789abcdef", "key": "k3y-0f-mine"}'
    assert keys.strike(said) == said.replace("k3y-0f-mine", "[redacted]")
    assert keys.redact(said) == '{"name": "computer_use", "page": "[redacted]", "key": "[redacted]"}'


@pytest.mark.parametrize("value", ["not-needed", "lm-studio", "computer_use", "Dummy Key", "EMPTY"])
def test_a_key_of_plain_words_is_not_struck_out_of_replies(value: str) -> None:
    assert Keys({"OPENAI_API_KEY": value}).strike(value) == value


def test_a_password_of_plain_words_stays_out_of_files() -> None:
    keys = Keys({"MAIL_PASSWORD": "correct-horse", "OPENAI_API_KEY": "battery-staple"})
    assert keys.redact("correct-horse battery-staple") == "[redacted] [redacted]"
