"""Keys come from the environment or a `.env` file, are handed to the SDK, and are struck out of everything else."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from workalike.core.errors import BadInput
from workalike.models.striking import Striker, in_texts

T = TypeVar("T")
STRUCK = "[redacted]"
_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$")
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTHORIZATION)$")
# What stands before a key stays: in a line of JSON it may be the end of a name.
_LOOKS_SECRET = re.compile(
    r"\bsk-[A-Za-z0-9_-]{20,}"
    r"|(?i:(\bbearer\s+|\bx-api-key\\?[\"']?\s*[:=]\s*\\?[\"']?))[A-Za-z0-9._~+/=-]{12,}"
)
_SHORTEST = 8
_SERVICES = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "WORKALIKE_API_KEY")
_PASSWORD_NAME = re.compile(r"(SECRET|PASSWORD|PASSWD)$")
_SECRET_OPTION = re.compile(r"(api.?key|token|secret|passw(or)?d|credentials?|authorization)$", re.IGNORECASE)
_WORD = r"(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})"
_WORDS = re.compile(rf"{_WORD}(?:[ _.-]{_WORD})*")


class Keys:
    """The keys at hand. The environment goes before the file; neither is ever changed or written."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)
        self._secrets = _striker(value for name, value in self._values.items() if _is_secret(name, value))
        held = (self._values.get(name, "") for name in _SERVICES)
        self._sent = _striker(value for value in held if not _WORDS.fullmatch(value))

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
        return _LOOKS_SECRET.sub(lambda found: f"{found[1] or ''}{STRUCK}", self._secrets.text(text))

    def redact_all(self, value: T) -> T:
        """A value with every text in it redacted: before it is encoded, so that no escape hides a key."""
        redacted: T = in_texts(value, self.redact)
        return redacted

    def strike(self, value: T) -> T:
        """A service's answer without the keys that services are sent, should a model ever say one: so none gets into a
        trajectory, a cache or a transcript. Other variables are left alone here, and so are keys that are plain words
        (`not-needed`): an answer may well mean something else by them."""
        return self._sent.value(value)

    def also(self, options: Mapping[str, Any]) -> Keys:
        """These, and the secrets among an agent's options."""
        return Keys({**self._values, **{f"option {name}": str(options[name]) for name in self.secret_options(options)}})

    def secret_options(self, options: Mapping[str, Any]) -> list[str]:
        """Which of an agent's options are secrets, by their names or by what they hold."""
        return [name for name, value in options.items() if self._hides(name, value)]

    def _hides(self, name: str, value: object) -> bool:
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            return self.redact_all(value) != value
        text = str(value)
        return bool(_SECRET_OPTION.search(name)) or _is_secret(name, text) or self.redact(text) != text

    def without_secrets(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """An agent's options as they may be written down."""
        return {**options, **dict.fromkeys(self.secret_options(options), STRUCK)}

    def filled(self, options: Mapping[str, Any], option: str = "--option") -> dict[str, Any]:
        """Options as they were written down, with the secrets out of the environment. `option` says how to give one."""
        return {name: self._given(name, option) if value == STRUCK else value for name, value in options.items()}

    def need_none(self, options: Mapping[str, Any]) -> None:
        """Refuse secrets among options that are for other machines: a cluster keeps its drivers' command lines, and
        shows them to everybody."""
        for name in self.secret_options(options):
            if options[name] != STRUCK:
                raise BadInput(
                    f"the option {name} is a secret, and a cluster shows its drivers' command lines: write "
                    f"{name}='{STRUCK}', and set {_variable(name)} in the environment, or a .env file, of every node"
                )

    def _given(self, name: str, option: str) -> str:
        variable = _variable(name)
        held = self.get(variable)
        if held is None:
            raise BadInput(
                f"the option {name} is a secret, which no run keeps: give it again with {option} {name}=…, or set "
                f"{variable} in the environment or in a .env file"
            )
        return held

    def __repr__(self) -> str:
        return f"Keys({', '.join(sorted(name for name in self._values if _SECRET_NAME.search(name.upper())))})"


def _variable(option: str) -> str:
    return option.upper().replace("-", "_")


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
    if not _SECRET_NAME.search(name.upper().replace("-", "_")) or not value:
        return False
    return name in _SERVICES or bool(_PASSWORD_NAME.search(name.upper())) or not _WORDS.fullmatch(value)


def _striker(secrets: Iterable[str]) -> Striker:
    return Striker({secret: STRUCK for secret in secrets if len(secret) >= _SHORTEST})
