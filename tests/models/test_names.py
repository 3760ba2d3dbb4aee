"""Model names, addresses, and which key goes where."""

from __future__ import annotations

import pytest

from workalike.core.errors import BadInput
from workalike.models.keys import Keys
from workalike.models.names import ANTHROPIC_URL, OPENAI_URL, key_of, resolve

LOCAL = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    ("spec", "env", "wanted"),
    [
        ("openai/gpt-5", {}, ("gpt-5", "responses", OPENAI_URL, "OPENAI_API_KEY")),
        ("openai/gpt-5", {"OPENAI_BASE_URL": LOCAL}, ("gpt-5", "chat", LOCAL, "OPENAI_API_KEY")),
        ("anthropic/claude-x", {}, ("claude-x", "messages", ANTHROPIC_URL, "ANTHROPIC_API_KEY")),
        (f"fara@{LOCAL}", {}, ("fara", "chat", LOCAL, "WORKALIKE_API_KEY")),
        (f"fara@{LOCAL}/", {}, ("fara", "chat", LOCAL, "WORKALIKE_API_KEY")),
        (f"fara@{LOCAL}", {"OPENAI_BASE_URL": LOCAL}, ("fara", "chat", LOCAL, "OPENAI_API_KEY")),
        (
            "openai/gpt-4o@https://hub.example/api/v1",
            {},
            ("openai/gpt-4o", "chat", "https://hub.example/api/v1", "WORKALIKE_API_KEY"),
        ),
        (f"a@b@{LOCAL}", {}, ("a@b", "chat", LOCAL, "WORKALIKE_API_KEY")),
        ("gpt@https://api.openai.com/v1", {}, ("gpt", "chat", OPENAI_URL, "OPENAI_API_KEY")),
    ],
)
def test_names(spec: str, env: dict[str, str], wanted: tuple[str, str, str, str]) -> None:
    got = resolve(spec, Keys(env))
    assert (got.name, got.api, got.url, got.key) == wanted


def test_the_caller_may_need_another_api() -> None:
    assert resolve(f"m@{LOCAL}", Keys({}), "messages").url == "http://127.0.0.1:8000"
    assert resolve(f"m@{LOCAL}", Keys({}), "responses").url == LOCAL


@pytest.mark.parametrize("spec", ["", "gpt-5", "google/gemini", "openai/", "@http://x/v1", "m@http://", "m@ftp://x"])
def test_what_is_no_name_is_said(spec: str) -> None:
    with pytest.raises(BadInput, match="openai/NAME"):
        resolve(spec, Keys({}))


@pytest.mark.parametrize("url", ["http://me:hunter2@host/v1", "http://host/v1?key=hunter2"])
def test_a_key_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(BadInput) as refusal:
        resolve(f"m@{url}", Keys({}))
    assert "hunter2" not in str(refusal.value)
    assert "WORKALIKE_API_KEY" in str(refusal.value)


def test_a_service_of_its_own_needs_its_key_and_a_local_one_does_not() -> None:
    with pytest.raises(BadInput, match="set OPENAI_API_KEY in the environment"):
        key_of(resolve("openai/gpt-5", Keys({})), Keys({}))
    assert key_of(resolve(f"m@{LOCAL}", Keys({})), Keys({})) == "none"
