"""What the town's tasks ask of whoever does them, category by category, as a table for the docs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from workalike.core.key import Key
from workalike.core.task import Task
from workalike.store.runs import Run

LEVELS = ("easy", "medium", "hard")
HEADS = ("category", "tasks", *LEVELS, "demands", "goal structures", "oracle's steps", "pages")


class CategoryRow(msgspec.Struct, frozen=True):
    """One category: how many tasks of which level, which demands, how many goal structures; and what the oracle needed
    at the median, where a run of it is at hand."""

    category: str
    tasks: int
    levels: tuple[int, int, int]
    demands: tuple[str, ...]
    structures: int
    steps: float | None = None
    pages: float | None = None


def rows(tasks: Sequence[Task], keys: dict[str, Key], run: Run | None = None) -> list[CategoryRow]:
    """Every category, and all of them together."""
    took = measured(run) if run else {}
    names = dict.fromkeys(task.category or "" for task in tasks)
    groups = {name: [task for task in tasks if (task.category or "") == name] for name in names}
    return [_row(name, found, keys, took) for name, found in {**groups, "all": list(tasks)}.items()]


def measured(run: Run) -> dict[str, tuple[int, int]]:
    """The steps and the different pages of the first finished attempt at each task; scrolling opens no other page."""
    found: dict[str, tuple[int, int]] = {}
    for attempt in run.attempts():
        if attempt.task_id not in found and attempt.end() is not None:
            steps = attempt.read().trajectory.steps
            found[attempt.task_id] = len(steps), len({(step.observation.url or "").partition("#")[0] for step in steps})
    return found


def markdown(found: Iterable[CategoryRow]) -> str:
    """The rows as a table; without a run of the oracle, without what it took."""
    every = list(found)
    took = any(row.steps is not None for row in every)
    heads = HEADS if took else HEADS[:-2]
    lines = [_line(heads), _line("---" if place in (0, 5) else "---:" for place in range(len(heads)))]
    for row in every:
        numbers = ["" if value is None else f"{value:g}" for value in (row.steps, row.pages)] if took else []
        demands = f"{len(row.demands)}: {', '.join(row.demands)}" if row.category != "all" else str(len(row.demands))
        lines.append(_line((row.category, row.tasks, *row.levels, demands, row.structures, *numbers)))
    return "\n".join(lines)


def _row(name: str, tasks: Sequence[Task], keys: dict[str, Key], took: dict[str, tuple[int, int]]) -> CategoryRow:
    extras = [keys[task.id].extra for task in tasks]
    known = [took[task.id] for task in tasks if task.id in took]
    easy, medium, hard = (sum(extra.get("level") == level for extra in extras) for level in LEVELS)
    return CategoryRow(
        name,
        len(tasks),
        (easy, medium, hard),
        tuple(sorted({demand for extra in extras for demand in extra.get("demands", ())})),
        len({extra.get("structure") for extra in extras}),
        median(steps for steps, _ in known) if known else None,
        median(pages for _, pages in known) if known else None,
    )


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
