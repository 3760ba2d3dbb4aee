"""Runs side by side: what each is called so that all can be told apart, and whether their scores compare at all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from workalike.report.reading import RunResults

LONGEST = 60
_TOLD = ("benchmark", "agent", "model", "notes")


def titles(runs: Sequence[RunResults]) -> list[str]:
    """A name for each run: agent and model; where that does not tell runs apart, also the settings that do, or else
    the folder."""
    short = [f"{each.agent} {each.model}" if each.model else each.agent for each in runs]
    named = list(short)
    for title in {title for title in short if short.count(title) > 1}:
        places = [number for number, each in enumerate(short) if each == title]
        for place, more in zip(places, _told_apart([runs[place] for place in places]), strict=True):
            named[place] = f"{title} ({more})" if more else title
    return named


def common_tasks(runs: Sequence[RunResults]) -> set[str]:
    """The tasks that all runs have, the same in every word."""
    first, *others = (each.tasks.items() for each in runs)
    return {task for task, words in first if all((task, words) in each for each in others)}


def same_tasks(runs: Sequence[RunResults]) -> bool:
    common = common_tasks(runs)
    return all(len(each.tasks) == len(common) for each in runs)


def warning(runs: Sequence[RunResults]) -> str | None:
    """What must be said of runs that were not asked the same."""
    if same_tasks(runs):
        return None
    counts, common = ", ".join(str(len(each.tasks)) for each in runs), len(common_tasks(runs))
    shared = f"{common} in common: --common compares those alone" if common else "none in common"
    return f"the runs have different tasks ({counts}; {shared}), so that their scores do not compare"


def only(runs: Sequence[RunResults], tasks: set[str]) -> list[RunResults]:
    """The same runs with results of these tasks alone."""
    return [
        msgspec.structs.replace(
            each,
            results=tuple(result for result in each.results if result.task in tasks),
            tasks={task: words for task, words in each.tasks.items() if task in tasks},
        )
        for each in runs
    ]


def _told_apart(runs: Sequence[RunResults]) -> list[str]:
    """What differs, for each of the runs that have one agent and one model."""
    settings = [_flat(each.settings) for each in runs]
    names = dict.fromkeys(name for each in settings for name in each)
    differing = [name for name in names if len({each.get(name) for each in settings}) > 1]
    phrases = [", ".join(f"{_leaf(name)}={each[name]}" for name in differing if name in each) for each in settings]
    if len(set(phrases)) == len(runs) and max(map(len, phrases)) <= LONGEST:
        return phrases
    folders = [each.name for each in runs]
    return folders if len(set(folders)) == len(runs) else [str(each.folder) for each in runs]


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Settings by their full names, as words; what is not set is left out."""
    found: dict[str, str] = {}
    for name, value in settings.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{prefix}{name}.")
        elif prefix + name not in _TOLD and value not in (None, False, (), [], ""):
            found[prefix + name] = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return found


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]
