"""Words of the command line that cannot be read are bad input like any other: one sentence, and where to look."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import NoReturn

from workalike.core.errors import BadInput


class Parser(ArgumentParser):
    """A parser of one verb, or of a part of it."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; `{self.prog} --help` shows what it takes")
