"""How a model is named: `openai/NAME`, `anthropic/NAME`, or `NAME@http://host:port/v1` for anything that speaks an
OpenAI-compatible API."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

import msgspec

from workalike.core.errors import BadInput
from workalike.models.keys import Keys

Api = Literal["chat", "responses", "messages"]
OPENAI_URL = "https://api.openai.com/v1"
ANTHROPIC_URL = "https://api.anthropic.com"
SCRIPTED = "scripted"
"""What a model of ours that follows a script is called where a model is named."""
_FORMS = "write openai/NAME, anthropic/NAME or NAME@http://host:port/v1"
_LOOPBACK = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}


class Endpoint(msgspec.Struct, frozen=True):
    """Where a model is asked and how. `key` is the name of the variable that holds the key, never the key itself."""

    spec: str
    name: str
    api: Api
    url: str
    key: str

    @property
    def local(self) -> bool:
        return (urlsplit(self.url).hostname or "") in _LOOPBACK


def resolve(spec: str, keys: Keys, api: Api | None = None) -> Endpoint:
    """The endpoint that a model's name stands for. `api` is what the caller needs (only some offer computer use); left
    out, it is the one that suits the place.

    >>> resolve("qwen@http://127.0.0.1:8000/v1", Keys({})).api
    'chat'
    """
    at = max(spec.rfind("@http://"), spec.rfind("@https://"))
    if at >= 0:
        return _elsewhere(spec, spec[:at], _checked(spec[at + 1 :]), keys, api)
    service, _, name = spec.partition("/")
    if not name or service not in ("openai", "anthropic"):
        raise BadInput(f"no model is called {spec!r}: {_FORMS}")
    if service == "anthropic":
        url = _checked(keys.get("ANTHROPIC_BASE_URL") or ANTHROPIC_URL)
        return Endpoint(spec, name, api or "messages", _rooted(url, api or "messages"), "ANTHROPIC_API_KEY")
    url = _checked(keys.get("OPENAI_BASE_URL") or OPENAI_URL)
    usual: Api = "responses" if url == OPENAI_URL else "chat"
    return Endpoint(spec, name, api or usual, _rooted(url, api or usual), "OPENAI_API_KEY")


def key_of(endpoint: Endpoint, keys: Keys) -> str:
    """The key for an endpoint. A local one may do without; any other must have its own."""
    held = keys.get(endpoint.key)
    if held is None and endpoint.url in (OPENAI_URL, ANTHROPIC_URL):
        raise BadInput(f"{endpoint.spec} needs a key: set {endpoint.key} in the environment or in a .env file")
    return held or "none"


def _elsewhere(spec: str, name: str, url: str, keys: Keys, api: Api | None) -> Endpoint:
    if not name:
        raise BadInput(f"{spec!r} names no model before the @: {_FORMS}")
    chosen: Api = api or ("messages" if _origin(url) == _origin(ANTHROPIC_URL) else "chat")
    return Endpoint(spec, name, chosen, _rooted(url, chosen), _key_name(url, keys))


def _key_name(url: str, keys: Keys) -> str:
    """A service's own key goes to that service only; every other place is given the one meant for it."""
    for variable, base, usual in (
        ("OPENAI_API_KEY", "OPENAI_BASE_URL", OPENAI_URL),
        ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", ANTHROPIC_URL),
    ):
        if _origin(url) in (_origin(usual), _origin(keys.get(base) or usual)):
            return variable
    return "WORKALIKE_API_KEY"


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise BadInput(f"the address {url!r} is none ({error}): {_FORMS}") from error
    if not parts.hostname:
        raise BadInput(f"there is no host in the address {url!r}: {_FORMS}")
    if parts.username or parts.password or parts.query or parts.fragment:
        shown = f"{parts.scheme}://{parts.hostname}"
        raise BadInput(f"the address at {shown} carries more than a path; a key belongs in WORKALIKE_API_KEY")
    return url.rstrip("/")


def _rooted(url: str, api: Api) -> str:
    """The address as the SDK wants it: Anthropic's adds the version itself."""
    return url.removesuffix("/v1") if api == "messages" else url


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port
