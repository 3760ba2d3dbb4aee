"""A program as it was started: what a trajectory on a desktop began with, and what doing it again begins with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

_KEY = "programs"


class Program(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command, its arguments, and the folder that relative ones of them were meant in."""

    command: tuple[str, ...]
    folder: str | None = None


def stored(programs: Iterable[Program]) -> dict[str, Any]:
    """Programs as a trajectory keeps them, beside its steps.

    >>> stored([Program(("mousepad", "notes.txt"), "/home/bob")])
    {'programs': [{'command': ['mousepad', 'notes.txt'], 'folder': '/home/bob'}]}
    """
    found = [msgspec.to_builtins(program) for program in programs]
    return {_KEY: found} if found else {}


def programs_of(extra: Mapping[str, Any]) -> tuple[Program, ...]:
    """The programs that a trajectory keeps; none where it was made before they were kept."""
    try:
        return msgspec.convert(extra.get(_KEY, ()), tuple[Program, ...])
    except msgspec.ValidationError:
        return ()
