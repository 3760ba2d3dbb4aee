"""Results read off runs: every planned attempt, with its last finished try and the verdict that counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.label import Label, truth_label
from workalike.core.provenance import fingerprint
from workalike.core.task import Task
from workalike.core.verdict import Outcome, Verdict
from workalike.report.results import Accuracy, Costs, Result, accuracy, costs
from workalike.store.config import read_config
from workalike.store.index import AttemptSummary, summaries
from workalike.store.layers import TRUTH, Layer, verdicts_of
from workalike.store.runs import KEYS, Run, RunInfo

MOST = 10_000_000
_PROMPT = "prompt "
_DEMANDS = ("demands", "demand", "template")
"""Where a task or its key says what kind of thing is asked for, the plainest first."""


class RunJudge(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who judged: a verifier, with what makes it this one and no other (its model, the hashes of its prompts, …)."""

    name: str
    settings: dict[str, Any] = {}
    model: str | None = None
    prompts: dict[str, str] = {}


class RunResults(msgspec.Struct, frozen=True, dict=True):
    """A run's results, and what its table must say. `tasks` are the hashes of what was asked, by id, `words` those of
    the wording alone; `damaged` says which files could not be read, `prompts` which words the agent was asked in (by
    hash), `second` what other verifiers say of the attempts that count, `truth` what is known of them."""

    name: str
    benchmark: str
    agent: str
    model: str | None
    verifier: str | None
    results: tuple[Result, ...]
    notes: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
    tasks: dict[str, str] = {}
    folder: Path = Path()
    damaged: tuple[str, ...] = ()
    words: dict[str, str] = {}
    prompts: dict[str, str] = {}
    versions: dict[str, str] = {}
    created: str = ""
    judge: RunJudge | None = None
    second: dict[str, dict[str, Outcome]] = {}
    truth: dict[str, Label] = {}

    @cached_property
    def accuracy(self) -> list[Accuracy]:
        """The rows of the card's first table, macro and micro last."""
        return accuracy(self.results)

    @cached_property
    def costs(self) -> Costs:
        return costs(self.results)


def read_results(folder: Path, verifier: str | None = None) -> RunResults:
    """Every planned attempt of a run. A repeat with several tries counts once, by its last; all tries are paid for."""
    run = Run(folder)
    layers = sorted(verdicts_of(folder), key=lambda each: each.header.name != TRUTH)
    layer = next(iter(verdicts_of(folder, verifier) if verifier else layers), None)
    verdicts = _verdicts(layer) if layer else {}
    tried: dict[tuple[str, int], list[AttemptSummary]] = {}
    for each in sorted(summaries(run), key=lambda each: each.try_):
        tried.setdefault((each.task, each.repeat), []).append(each)
    repeats, asked = int(run.info.settings.get("repeats", 1)), list(run.tasks())
    if repeats * len(asked) > MOST:
        raise BadInput(f"{folder} plans {repeats * len(asked):,} attempts, more than a report counts ({MOST:,})")
    known = run.keys() if (folder / KEYS).is_file() else ()
    keys = {key.task_id: key for key in known}
    benchmark = str(run.info.settings.get("benchmark", ""))
    results: list[Result] = []
    for task in asked:
        planned = _planned(task, keys.get(task.id))
        results += [
            _result(planned, repeat, tried.get((task.id, repeat), ()), verdicts, benchmark)
            for repeat in range(1, repeats + 1)
        ]
    settings, hashes = run.info.settings, run.info.hashes
    return RunResults(
        folder.name,
        benchmark,
        str(settings.get("agent", "")),
        settings.get("model"),
        layer.header.name if layer else None,
        tuple(results),
        tuple(settings.get("notes", ())),
        _filled_in(run.info),
        {task.id: fingerprint(task) for task in asked},
        folder,
        tuple(problem for tries in tried.values() for each in tries if (problem := _problem(each))),
        {task.id: wording(task) for task in asked},
        {name.removeprefix(_PROMPT): each for name, each in hashes.items() if name.startswith(_PROMPT)},
        run.info.versions,
        run.info.created,
        _judge(layer) if layer else None,
        _second(layers, layer, {result.attempt for result in results}),
        _truth(layers, results, keys),
    )


def wording(task: Task) -> str:
    """A short hash of a task's name and instruction, by which the same text is known wherever it was read from."""
    return fingerprint([task.id, " ".join(task.instruction.split())])[:16]


def _verdicts(layer: Layer[Verdict]) -> dict[str, Verdict]:
    return {name: verdict for (name, step), verdict in layer if step is None}


def _judge(layer: Layer[Verdict]) -> RunJudge:
    made = layer.header.provenance
    return RunJudge(
        layer.header.name, layer.header.settings, made.model if made else None, made.prompts if made else {}
    )


def _second(layers: list[Layer[Verdict]], counts: Layer[Verdict] | None, attempts: set[str]) -> dict[str, Any]:
    """What other verifiers than the one that counts say of the attempts that count, by the verifier's name."""
    return {
        layer.header.name: {name: each.outcome for name, each in _verdicts(layer).items() if name in attempts}
        for layer in layers
        if counts is not None and layer.path != counts.path
    }


def _truth(layers: list[Layer[Verdict]], results: Sequence[Result], keys: Mapping[str, Key]) -> dict[str, Label]:
    """What the truth's own verdicts say of the attempts that count, where there are any that somebody could tell."""
    verdicts = _verdicts(layers[0]) if layers and layers[0].header.name == TRUTH else {}
    judged = ((each, verdicts[each.attempt]) for each in results if each.attempt in verdicts)
    labels = (truth_label(each.attempt, verdict, keys.get(each.task)) for each, verdict in judged)
    return {label.trajectory: label for label in labels if label.success is not None}


def _planned(task: Task, key: Key | None) -> Result:
    """What is known of an attempt before it is begun."""
    extra = {**(key.extra if key else {}), **task.extra}
    level = extra.get("level")
    return Result(
        task.id,
        task.category or "",
        0,
        level=str(level) if level is not None else "",
        demands=next((_named(extra[name]) for name in _DEMANDS if extra.get(name)), ()),
        refuse=key.refuse if key else False,
        walled=key.reports if key else False,
        pair=key.pair if key else "",
        attack=(key.attack.aim, key.attack.carrier, key.attack.visibility) if key and key.attack else None,
    )


def _named(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)


def _filled_in(info: RunInfo) -> dict[str, Any]:
    """A run's settings, also those that it did not know of yet; as they stand, where no plan made it."""
    try:
        return dict(msgspec.to_builtins(read_config(info)))
    except BadInput:
        return info.settings


def _result(
    planned: Result, repeat: int, tries: Sequence[AttemptSummary], verdicts: Mapping[str, Verdict], benchmark: str
) -> Result:
    standing = [each for each in tries if not each.aside]
    damaged = bool(standing) and all(each.damaged for each in standing)
    result = msgspec.structs.replace(planned, repeat=repeat, damaged=damaged, benchmark=benchmark)
    for each in tries:
        result = msgspec.structs.replace(
            result,
            usage=result.usage + each.usage,
            tries=result.tries + 1,
            replies=result.replies + each.replies,
            cached=result.cached + each.cached,
        )
        if not each.damaged:
            verdict = verdicts.get(each.id)
            result = msgspec.structs.replace(
                result,
                stop=each.stop.reason if each.stop else None,
                outcome=verdict.outcome if verdict else None,
                unreadable=verdict is not None and verdict.unreadable,
                asked_again=each.asked_again,
                actions=each.actions,
                seconds=each.seconds,
                ending=each.ending,
                attempt=each.id,
                steps=each.steps,
                model_seconds=each.model_seconds,
                browser_seconds=each.browser_seconds,
                process=verdict.process if verdict else None,
                failures=verdict.failures if verdict else (),
                measures=verdict.measures if verdict else {},
            )
    return result


def _problem(each: AttemptSummary) -> str:
    """What cannot be read; of what was set aside that was said when it was."""
    return each.unread if each.aside else each.damaged or each.unread
