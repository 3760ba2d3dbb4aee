"""Words of the command line that cannot be read are bad input like any other: one sentence, and where to look."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable
from typing import Any, NoReturn

from workalike.core.errors import BadInput

_WRITTEN = {"options": "option"}
"""How an option is written that is kept under another name."""


def port(text: str) -> int:
    """A port as an option takes it."""
    if not text.isdecimal() or int(text) > 65535:
        raise ArgumentTypeError(f"must be a port from 0 to 65535, not {text}")
    return int(text)


def setting(text: str) -> tuple[str, Any]:
    """`temperature=0.2` as a name and a JSON value; what is no JSON is a text."""
    import json

    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadInput(f"a setting is written NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def weighted(option: str, given: str, example: str) -> tuple[str, float]:
    """`NAME=WEIGHT`, or a name alone, which weighs 1."""
    name, _, weight = given.partition("=")
    try:
        return name, float(weight or 1)
    except ValueError:
        raise BadInput(f"{option} {given}: the weight must be a number, such as {example}") from None


def given_among(args: Namespace, names: Iterable[str]) -> str:
    """Those of some options that were given, as they are written; for whoever refuses what would do nothing."""
    return " ".join(f"--{_WRITTEN.get(name, name).replace('_', '-')}" for name in names if getattr(args, name))


class Parser(ArgumentParser):
    """A parser of one verb, or of a part of it."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; `{self.prog} --help` shows what it takes")
