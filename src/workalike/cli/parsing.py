"""Words of the command line that cannot be read are bad input like any other: one sentence, and where to look."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from typing import NoReturn

from workalike.core.errors import BadInput


def port(text: str) -> int:
    """A port as an option takes it."""
    if not text.isdecimal() or int(text) > 65535:
        raise ArgumentTypeError(f"must be a port from 0 to 65535, not {text}")
    return int(text)


def weighted(option: str, given: str, example: str) -> tuple[str, float]:
    """`NAME=WEIGHT`, or a name alone, which weighs 1."""
    name, _, weight = given.partition("=")
    try:
        return name, float(weight or 1)
    except ValueError:
        raise BadInput(f"{option} {given}: the weight must be a number, such as {example}") from None


class Parser(ArgumentParser):
    """A parser of one verb, or of a part of it."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; `{self.prog} --help` shows what it takes")
