"""WebTailBench's files in every published layout: two tab-separated ones, the JSON lines that circulate, and the tasks
to refuse. Raw segment names become the card's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from workalike.core.errors import BadInput
from workalike.core.key import Criterion, Key, Rubric
from workalike.core.task import Task
from workalike.formats.tables import Row, clean, need, rows

CATEGORIES = {
    "shopping": 56,
    "flights": 51,
    "hotels": 52,
    "restaurants": 52,
    "activities": 80,
    "ticketing": 57,
    "real-estate": 48,
    "jobs": 50,
    "shopping_list": 51,
    "comparison_shopping": 57,
    "compositional_tasks": 55,
}
TASKS, REFUSALS = sum(CATEGORIES.values()), 111
REFUSING = "webtailbench-refusals"
SEGMENTS = {
    "things_to_do": "activities",
    "price_comparison": "comparison_shopping",
    "shopping_head": "shopping",
    "compositional_tasks_v2": "compositional_tasks",
    "hotels_head": "hotels",
    "restaurants_tail": "restaurants",
    "shopping_lists_tail": "shopping_list",
    "realestate_complex": "real-estate",
    **{category: category for category in CATEGORIES},
}
REFUSAL_CATEGORIES = (
    "illegal_activities",
    "deceptive_tasks",
    "high_risk_domains",
    "harassment_and_hate",
    "irresponsible_use_of_technology",
    "misinformation",
    "sexual_content",
)
"""What is to be refused, in the card's order. The card gives no counts of them, and the first file no column."""
_FILES = {
    "v1": ("WebTailBench-v1-rubrics.tsv", "WebTailBench.tsv", "WebTailBench_data.jsonl"),
    "v2": ("WebTailBench-v2-rubrics.tsv",),
    "refusals": ("WebTailBench-Refusals.tsv",),
}
REPOSITORY = "microsoft/WebTailBench"


def file_names(version: str) -> tuple[str, ...]:
    """The published files of a version, the fullest first."""
    return _FILES[version]


def locate(data: Path, version: str) -> Path:
    """The file to read: `data` itself, or the fullest published file of that version within it."""
    if data.is_file():
        other = next((each for each, names in _FILES.items() if each != version and data.name in names), None)
        if other is not None:
            raise BadInput(f"{data} is the file of WebTailBench's {other}, not of {version}; name the other one")
        return data
    for name in _FILES[version]:
        if (data / name).is_file():
            return data / name
    if not data.exists():
        raise BadInput(f"there is no {data}; name the benchmark's file, or the folder that holds it, with --data")
    raise BadInput(f"{data} holds no WebTailBench {version} file: one of {', '.join(_FILES[version])} is expected")


def read(path: Path, benchmark: str = "webtailbench") -> list[tuple[Task, Key]]:
    """Every task with its key. Ids must be unique; a category that is not known is named."""
    pairs: dict[str, tuple[Task, Key]] = {}
    for number, row in rows(path):
        task, key = _pair(row, path, number, benchmark)
        if task.id in pairs:
            raise BadInput(f"{path}, row {number}: the id {task.id!r} stands there twice")
        pairs[task.id] = (task, key)
    if not pairs:
        raise BadInput(f"{path} holds no task")
    return list(pairs.values())


def _pair(row: Row, path: Path, number: int, benchmark: str) -> tuple[Task, Key]:
    to_refuse, wanted = "TaskToBeRefused" in row, benchmark == REFUSING
    if to_refuse != wanted:
        found = "is a task to refuse" if to_refuse else "has no column TaskToBeRefused"
        other = f"run it as {REFUSING}" if to_refuse else "a file of tasks to refuse has TaskID and TaskToBeRefused"
        raise BadInput(f"{path}, row {number} {found}: {other}")
    if to_refuse:
        return _refusal(row, path, number, benchmark)
    if "ques" in row:
        segment, identity, instruction = need(row, ("category", "id", "ques"), path, number)
    elif "subdir" in row:
        segment, identity, instruction = need(row, ("benchmark", "subdir", "task_summary"), path, number)
    else:
        segment, identity, instruction = need(row, ("benchmark", "id", "task_summary"), path, number)
    category = SEGMENTS.get(segment)
    if category is None:
        raise BadInput(f"{path}, row {number}: no category is called {segment!r}; there are {', '.join(SEGMENTS)}")
    start = clean(row["web"]) or None if isinstance(row.get("web"), str) else None
    task = Task(identity, instruction, category, benchmark, start)
    return task, Key(identity, rubric=read_rubric(row.get("precomputed_rubric"), path, number))


def _refusal(row: Row, path: Path, number: int, benchmark: str) -> tuple[Task, Key]:
    identity, instruction = need(row, ("TaskID", "TaskToBeRefused"), path, number)
    return Task(identity, instruction, _refusal_category(row), benchmark), Key(identity, refuse=True)


def _refusal_category(row: Row) -> str | None:
    """The category, where the file has a column for it: in the card's words where it is one of the card's."""
    told = next((value for name, value in row.items() if name.strip().casefold() == "category"), None)
    if not isinstance(told, str) or not clean(told):
        return None
    plain = re.sub(r"[\W_]+", "_", clean(told).replace("&", " and ")).strip("_").casefold()
    return plain if plain in REFUSAL_CATEGORIES else clean(told)


def read_rubric(cell: Any, path: Path, number: int) -> Rubric | None:
    """The rubric in a cell of a published table, or in a harness's copy of it; None where there is none."""
    if cell is None or cell == "":
        return None
    try:
        value = json.loads(cell) if isinstance(cell, str) else cell
        return Rubric(tuple(_criterion(item) for item in value["items"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"{path}, row {number}: the rubric cannot be read ({type(error).__name__}: {error})") from error


def _criterion(item: dict[str, Any]) -> Criterion:
    condition = item.get("condition")
    return Criterion(
        clean(str(item["criterion"])),
        clean(str(item["description"])),
        float(item["max_points"]),
        clean(str(condition)) if condition else None,
    )
