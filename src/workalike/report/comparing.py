"""Runs side by side: what each is called so that all can be told apart, whether their scores compare at all and what
differs where they do not, and how far apart they are on the tasks they share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from workalike.report.reading import RunJudge, RunResults
from workalike.report.results import scores_by_task
from workalike.statistics.paired import Comparison, compare, holm
from workalike.statistics.power import detectable, tasks_needed

LONGEST, MOST_PAIRS = 60, 15
_TOLD = ("benchmark", "agent", "model", "notes")
_OF_THE_AGENT = ("options.", "sampling.")
_OF_THE_CHOICE = ("repeats", "seed", "categories", "tasks", "limit")
"""Settings that make another agent, and those that choose which tasks and how often: neither makes another test."""


class RunPair(msgspec.Struct, frozen=True):
    """Two runs on the tasks they share: the first less the second. `adjusted` is p by Holm's rule where there are
    several pairs; `needed` tasks would find this difference with 80 % power, `detectable` is what these would find."""

    first: str
    second: str
    comparison: Comparison
    adjusted: float | None = None
    needed: int | None = None
    detectable: float | None = None


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


def differences(runs: Sequence[RunResults]) -> list[str]:
    """Everything besides the agents themselves that two runs do not share, each in a sentence: tasks, prompts of one
    name in other words, judges, and settings of the test."""
    told = [warning(runs), _prompts(runs), _judges(runs), *_settings(runs)]
    return [sentence for sentence in told if sentence]


def pairs(runs: Sequence[RunResults]) -> list[RunPair]:
    """Every two runs that share tasks, or each with the first where that would be too many."""
    named = list(zip(titles(runs), runs, strict=True))
    chosen = list(combinations(named, 2))
    if len(chosen) > MOST_PAIRS:
        chosen = [(named[0], other) for other in named[1:]]
    found = [
        (one, other, shared)
        for (one, first), (other, second) in chosen
        if (shared := _shared(first, second)).difference is not None
    ]
    adjusted = holm([shared.p or 0.0 for _, _, shared in found]) if len(found) > 1 else [None] * len(found)
    return [
        RunPair(one, other, shared, p, *_power(shared)) for (one, other, shared), p in zip(found, adjusted, strict=True)
    ]


def only(runs: Sequence[RunResults], tasks: set[str]) -> list[RunResults]:
    """The same runs with results of these tasks alone."""
    return [
        msgspec.structs.replace(
            each,
            results=tuple(result for result in each.results if result.task in tasks),
            tasks={task: words for task, words in each.tasks.items() if task in tasks},
            words={task: words for task, words in each.words.items() if task in tasks},
        )
        for each in runs
    ]


def _shared(first: RunResults, second: RunResults) -> Comparison:
    common = common_tasks([first, second])
    one, other = scores_by_task(first.results), scores_by_task(second.results)
    return compare(
        [(one[task], other[task]) for task in first.tasks if task in common and task in one and task in other]
    )


def _power(shared: Comparison) -> tuple[int | None, float | None]:
    if not shared.deviation or shared.difference is None:
        return None, None
    return tasks_needed(shared.difference, shared.deviation), detectable(shared.tasks, shared.deviation)


def _prompts(runs: Sequence[RunResults]) -> str | None:
    names = {name for each in runs for name in each.prompts}
    other = sorted(name for name in names if len({each.prompts[name] for each in runs if name in each.prompts}) > 1)
    if not other:
        return None
    more = f" and {len(other) - 3} more" if len(other) > 3 else ""
    return f"the agents were asked in different words: {', '.join(other[:3])}{more} differ between the runs"


def _judges(runs: Sequence[RunResults]) -> str | None:
    judges = [each.judge for each in runs]
    if all(judge == judges[0] for judge in judges):
        return None
    told = [f"{title} by {_called(judge)}" for title, judge in zip(titles(runs), judges, strict=True)]
    return f"the runs were judged differently, so that their scores do not compare: {'; '.join(told)}"


def _called(judge: RunJudge | None) -> str:
    if judge is None:
        return "nobody"
    settings = ", ".join(f"{name}={value}" for name, value in _flat(judge.settings, told=()).items())
    prompts = f"prompts {', '.join(sorted(each[:8] for each in judge.prompts.values()))}" if judge.prompts else ""
    model = judge.model if judge.model and judge.model not in settings else ""
    more = "; ".join(part for part in (model, settings, prompts) if part)
    return f"{judge.name} ({more})" if more else judge.name


def _settings(runs: Sequence[RunResults]) -> list[str]:
    """Limits, dates, users, screens: whatever makes the test another one for one of the runs."""
    flat = [_flat(each.settings) for each in runs]
    names = dict.fromkeys(name for each in flat for name in each)
    told = []
    for name in names:
        values = [each.get(name, "as usual") for each in flat]
        if name not in _OF_THE_CHOICE and not name.startswith(_OF_THE_AGENT) and len(set(values)) > 1:
            each_has = [f"{value} for {title}" for value, title in zip(values, titles(runs), strict=True)]
            told.append(f"the runs were not set up alike: {name} is {', '.join(each_has)}")
    return told


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


def _flat(settings: Mapping[str, Any], prefix: str = "", told: Sequence[str] = _TOLD) -> dict[str, str]:
    """Settings by their full names, as words; what is not set, and what is told elsewhere, is left out."""
    found: dict[str, str] = {}
    for name, value in settings.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{prefix}{name}.", told)
        elif prefix + name not in told and value not in (None, False, (), [], ""):
            found[prefix + name] = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return found


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]
