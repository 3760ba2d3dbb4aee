"""The goal structure of a task: what it is made of, without any value in it, so that tasks that differ only in names
and numbers count as the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_origin

import msgspec

from workalike.town.kit.goal import Goal
from workalike.town.template import TaskDraft

_SITE = "site"


def structure_of(draft: TaskDraft) -> str:
    """Its goals in order, each with the fields that are set, the first site as `1`, the next as `2`; then the kinds of
    its answers, or its status. `SeeProduct@1 SeeProduct@2 FillCart@1(items*2) -> money`: which of two shops is the
    cheaper one makes no new structure, but one more thing to buy does."""
    sites: dict[str, int] = {}
    goals = " ".join(_goal(goal, sites) for goal in draft.goals)
    told = ", ".join(each.kind for each in draft.answers)
    status = "blocked" if draft.wall else draft.status
    return f"{goals} -> {told or status}"


def _goal(goal: Goal, sites: dict[str, int]) -> str:
    places = [sites.setdefault(site, len(sites) + 1) for site in dict.fromkeys(_sites(goal))]
    where = f"@{'+'.join(map(str, places))}" if places else ""
    parts = sorted(_parts(goal, ""))
    return f"{type(goal).__name__}{where}{'(' + ' '.join(parts) + ')' if parts else ''}"


def _sites(value: Any) -> Iterator[str]:
    """The sites that a goal is about, its own and those of what stands in it."""
    if isinstance(value, msgspec.Struct):
        for field in _fields(type(value)):
            held = getattr(value, field.name)
            yield from [held] if field.name == _SITE and held else _sites(held)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _sites(each)


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields of a kind of goal: told once, since msgspec evaluates its annotations every time."""
    return msgspec.structs.fields(kind)


def _parts(value: msgspec.Struct, within: str) -> Iterator[str]:
    """The fields that are set though they need not be, one of few words with the word itself; how many things a list
    holds, and what is set in each."""
    for field in _fields(type(value)):
        held, name = getattr(value, field.name), f"{within}{field.name}"
        if isinstance(held, tuple | list) and held and isinstance(held[0], msgspec.Struct):
            yield f"{name}*{len(held)}"
            yield from {part for each in held for part in _parts(each, f"{name}.")}
        elif field.required and isinstance(held, msgspec.Struct):
            yield from _parts(held, f"{name}.")
        elif not field.required and held != field.default and _tells(held):
            yield f"{name}={held}" if get_origin(field.type) is Literal else name
            yield from _parts(held, f"{name}.") if isinstance(held, msgspec.Struct) else ()


def _tells(held: Any) -> bool:
    """Whether it belongs to the structure that something is set: numbers, and what stands in a table of its own
    (options, a person), are values."""
    return bool(held) and (isinstance(held, bool) or not isinstance(held, int | float | dict))
