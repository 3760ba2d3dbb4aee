"""Whether every task is sound, by real handlers and the pure evaluator: the right way passes, idleness and near misses
fail. The evaluator is handed in, since judging stands above the town."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from workalike.core.key import Key, RowChange
from workalike.town.benchmark import Drawn, setting_of
from workalike.town.caller import Caller
from workalike.town.chance import Judge, chance_of
from workalike.town.oracle import template_of
from workalike.town.server import App
from workalike.town.template import Miss, Plan
from workalike.town.town import Town

LEAST_MISSES = 3


class Finding(msgspec.Struct, frozen=True):
    """What the check found about one task: how many right ways passed, how many near misses did not, how likely an
    agent at random would pass; `wrong` says in a sentence each what is not as it should be."""

    task_id: str
    template: str
    accepted: int
    rejected: int
    chance: float = 0.0
    wrong: tuple[str, ...] = ()


def check_tasks(town: Town, drawn: Iterable[Drawn], judge: Judge) -> Iterator[Finding]:
    """Check task by task."""
    app = App(town)
    for each in drawn:
        yield msgspec.structs.replace(
            check_task(town, app, each.key, judge), chance=chance_of(each.task, each.key, judge)
        )


def check_task(town: Town, app: App, key: Key, judge: Judge) -> Finding:
    """One task: what must pass, what must not."""
    template, said = template_of(key), key.plan["said"]
    wrong: list[str] = []
    done = perform(town, app, key, key.plan)
    for answer in said:
        verdict = judge(key, done, answer)
        if verdict.outcome != "success":
            wrong.append(f"the right way was refused ({answer!r}): {verdict.reason}")
    misses = [*template.misses(key.plan, town), *idle_misses(key)]
    for miss in misses:
        changes = () if miss.plan == {} else perform(town, app, key, miss.plan or key.plan)
        if judge(key, changes, said[0] if miss.answer is None else miss.answer).outcome == "success":
            wrong.append(f"a near miss was accepted: {miss.label}")
    if len(misses) - len(idle_misses(key)) < LEAST_MISSES:
        wrong.append(f"has fewer than {LEAST_MISSES} near misses of its own")
    return Finding(key.task_id, template.name, len(said), len(misses), wrong=tuple(wrong))


def perform(town: Town, app: App, key: Key, plan: Plan) -> tuple[RowChange, ...]:
    """Carry a plan out by plain requests in an attempt of its own; the row difference it leaves."""
    attempt = town.open(setting_of(key))
    try:
        template_of(key).perform(plan, Caller(app, attempt.token))
        return town.changes(attempt.token)
    finally:
        town.close(attempt.token)


def idle_misses(key: Key) -> tuple[Miss, ...]:
    """What fails on every task: nothing done and nothing said; and one half of what is wanted without the other."""
    assert key.evaluator is not None
    misses = [Miss("did nothing, said nothing", {}, ""), Miss("did nothing, said it was done", {}, "Done.")]
    if key.evaluator.changes:
        misses.append(Miss("gave the right answer, changed nothing", {}))
    if key.evaluator.answers:
        misses.append(Miss("went the right way, said nothing", None, ""))
    return tuple(misses)
