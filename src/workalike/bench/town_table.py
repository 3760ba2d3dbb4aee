"""What the town's tasks ask of whoever does them, category by category, as a table for the docs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from workalike.core.key import Evaluator, Key, Shown
from workalike.core.task import Task
from workalike.core.trajectory import Trajectory
from workalike.store.runs import Run
from workalike.verify.state import SHOWN, was_shown

LEVELS = ("easy", "medium", "hard")
MEASURED = ("oracle's steps", "pages", "by eye")
HEADS = ("category", "tasks", *LEVELS, "demands", "goal structures")


class Took(msgspec.Struct, frozen=True):
    """What the oracle needed for a task: steps, different pages (scrolling opens no other one), and whether something
    that the answer rests on stood in no listed element, so that who has the list alone cannot know it."""

    steps: int
    pages: int
    by_eye: bool


class CategoryRow(msgspec.Struct, frozen=True):
    """One category: how many tasks of which level, which demands, how many goal structures; and where a run of the
    oracle is at hand, what it needed at the median, and how many tasks must be looked at."""

    category: str
    tasks: int
    levels: tuple[int, int, int]
    demands: tuple[str, ...]
    structures: int
    steps: float | None = None
    pages: float | None = None
    by_eye: int | None = None


def rows(tasks: Sequence[Task], keys: dict[str, Key], run: Run | None = None) -> list[CategoryRow]:
    """Every category, and all of them together."""
    took = measured(run, keys) if run else {}
    names = dict.fromkeys(task.category or "" for task in tasks)
    groups = {name: [task for task in tasks if (task.category or "") == name] for name in names}
    return [_row(name, found, keys, took) for name, found in {**groups, "all": list(tasks)}.items()]


def measured(run: Run, keys: dict[str, Key]) -> dict[str, Took]:
    """What the first finished attempt at each task took."""
    found: dict[str, Took] = {}
    for attempt in run.attempts():
        if attempt.task_id not in found and attempt.end() is not None:
            trajectory = attempt.read().trajectory
            pages = {(step.observation.url or "").partition("#")[0] for step in trajectory.steps}
            by_eye = needs_eyes(keys[attempt.task_id].evaluators, trajectory)
            found[attempt.task_id] = Took(len(trajectory.steps), len(pages), by_eye)
    return found


def needs_eyes(ways: Sequence[Evaluator], trajectory: Trajectory) -> bool:
    """Whether each way rests on a fact that was shown, and that no element says which was listed on the way."""
    shown = msgspec.convert(trajectory.extra.get(SHOWN, ()), tuple[Shown, ...])
    elements = {element for step in trajectory.steps for element in step.observation.elements or ()}
    listed = " | ".join({_plain(f"{element.name} | {element.value or ''}") for element in elements})

    def stands(fact: Shown) -> bool:
        return re.search(rf"(?<!\w){re.escape(_plain(fact.value))}(?!\w)", listed) is not None

    said = [fact for fact in shown if fact.value and stands(fact)]
    return all(any(not any(was_shown(each, said) for each in group) for group in way.shown) for way in ways)


def markdown(found: Iterable[CategoryRow]) -> str:
    """The rows as a table; without a run of the oracle, without what it took."""
    every = list(found)
    took = any(row.steps is not None for row in every)
    heads = HEADS + MEASURED if took else HEADS
    lines = [_line(heads), _line("---" if place in (0, 5) else "---:" for place in range(len(heads)))]
    for row in every:
        numbers = (
            ["" if value is None else f"{value:g}" for value in (row.steps, row.pages, row.by_eye)] if took else []
        )
        demands = f"{len(row.demands)}: {', '.join(row.demands)}" if row.category != "all" else str(len(row.demands))
        lines.append(_line((row.category, row.tasks, *row.levels, demands, row.structures, *numbers)))
    return "\n".join(lines)


def _row(name: str, tasks: Sequence[Task], keys: dict[str, Key], took: dict[str, Took]) -> CategoryRow:
    extras = [keys[task.id].extra for task in tasks]
    known = [took[task.id] for task in tasks if task.id in took]
    easy, medium, hard = (sum(extra.get("level") == level for extra in extras) for level in LEVELS)
    return CategoryRow(
        name,
        len(tasks),
        (easy, medium, hard),
        tuple(sorted({demand for extra in extras for demand in extra.get("demands", ())})),
        len({extra.get("structure") for extra in extras}),
        median(each.steps for each in known) if known else None,
        median(each.pages for each in known) if known else None,
        sum(each.by_eye for each in known) if known else None,
    )


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
