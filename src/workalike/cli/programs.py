"""The programs that --program names, for the verbs that start a desktop."""

from __future__ import annotations

import os
import shlex
import shutil
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence

from workalike.core.errors import BadInput
from workalike.core.program import Program


def add_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--program", action="append", metavar="COMMAND", help="on the desktop: start this first")


def named(commands: Sequence[str] | None) -> tuple[Program, ...]:
    """The programs as they are to be started; files they name are looked for from here."""
    return checked(Program(tuple(_split(command)), os.getcwd()) for command in commands or ())


def checked(programs: Iterable[Program]) -> tuple[Program, ...]:
    """The programs, once it is certain that this machine has them."""
    found = tuple(programs)
    for program in found:
        name = program.command[0] if program.command else ""
        if not name or shutil.which(name) is None:
            raise BadInput(f"there is no program {name!r} on this machine; install it or name another")
    return found


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise BadInput(f"--program {command!r} cannot be read: {error}") from error
