"""Keys come from the environment or a `.env` file, are handed to the SDK, and are struck out of everything else."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

STRUCK = "[redacted]"
_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$")
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD)$")
# What stands before a key stays: in a line of JSON it may be the end of a name.
_LOOKS_SECRET = re.compile(
    r"\bsk-[A-Za-z0-9_-]{20,}"
    r"|(?i:(\bbearer\s+|\bx-api-key\\?[\"']?\s*[:=]\s*\\?[\"']?))[A-Za-z0-9._~+/=-]{12,}"
)
_SHORTEST = 8
_SERVICES = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "WORKALIKE_API_KEY")
_PASSWORD_NAME = re.compile(r"(SECRET|PASSWORD|PASSWD)$")
_WORD = r"(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})"
_WORDS = re.compile(rf"{_WORD}(?:[ _.-]{_WORD})*")


class Keys:
    """The keys at hand. The environment goes before the file; neither is ever changed or written."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)
        self._secrets = _spellings(value for name, value in self._values.items() if _is_secret(name, value))
        held = (self._values.get(name, "") for name in _SERVICES)
        self._sent = _spellings(value for value in held if not _WORDS.fullmatch(value))

    @staticmethod
    def load(folder: Path | None = None, environment: Mapping[str, str] | None = None) -> Keys:
        """The environment, over `.env` in a folder (the current one when left out)."""
        path = (folder or Path.cwd()) / ".env"
        written = read_dotenv(path.read_text("utf-8", "replace")) if path.is_file() else {}
        return Keys({**written, **(os.environ if environment is None else environment)})

    def get(self, name: str) -> str | None:
        return self._values.get(name) or None

    def redact(self, text: str) -> str:
        """A text without any key: those we hold, and what looks like one.

        >>> Keys({"OPENAI_API_KEY": "topsecret1"}).redact("401 for topsecret1")
        '401 for [redacted]'
        """
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, STRUCK)
        return _LOOKS_SECRET.sub(lambda found: f"{found[1] or ''}{STRUCK}", text)

    def strike(self, data: bytes) -> bytes:
        """A service's answer without the keys that services are sent, should a model ever say one: so none gets into a
        trajectory, a cache or a transcript. Other variables are left alone here, and so are keys that are plain words
        (`not-needed`): an answer may well mean something else by them."""
        for secret in self._sent:
            if (written := secret.encode()) in data:
                data = data.replace(written, STRUCK.encode())
        return data

    def __repr__(self) -> str:
        return f"Keys({', '.join(sorted(name for name in self._values if _SECRET_NAME.search(name.upper())))})"


def read_dotenv(text: str) -> dict[str, str]:
    """The variables of a `.env` file: NAME=value, quotes taken off, comments and other lines passed over.

    >>> read_dotenv("# keys\\nexport OPENAI_API_KEY='abc' # mine")
    {'OPENAI_API_KEY': 'abc'}
    """
    found = (_LINE.match(line) for line in text.splitlines() if not line.lstrip().startswith("#"))
    return {match[1]: _unquoted(match[2]) for match in found if match}


def _unquoted(value: str) -> str:
    if value[:1] in ("'", '"') and value.find(value[0], 1) > 0:
        return value[1 : value.find(value[0], 1)]
    return re.split(r"\s+#", value, maxsplit=1)[0].strip()


def _is_secret(name: str, value: str) -> bool:
    """Whether a variable holds something to hide. Of plain words (`SORT_KEY=computer_use`) only a service's key and a
    password do."""
    if not _SECRET_NAME.search(name.upper()):
        return False
    return name in _SERVICES or bool(_PASSWORD_NAME.search(name.upper())) or not _WORDS.fullmatch(value)


def _spellings(secrets: Iterable[str]) -> tuple[str, ...]:
    """Every secret as it is and as JSON writes it, the longest first so that none leaves a part of another behind."""
    plain = {secret for secret in secrets if len(secret) >= _SHORTEST}
    escaped = {json.dumps(secret)[1:-1] for secret in plain}
    return tuple(sorted(plain | escaped, key=len, reverse=True))
