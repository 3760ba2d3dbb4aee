"""WebVoyager's task list with its reference answers. The answers are marked `golden` or `possible` by their authors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.formats.tables import need, rows

ANSWERS = "reference_answer.json"


def read_tasks(path: Path) -> list[tuple[Task, Key]]:
    """Every task, categorised by its site; reference answers come from the file beside it where there is one."""
    answers = _answers(path.parent / ANSWERS)
    pairs = []
    for number, row in rows(path):
        identity, instruction, site, start = need(row, ("id", "ques", "web_name", "web"), path, number)
        reference = answers.get(identity)
        key = Key(identity, extra={"reference": reference} if reference else {})
        pairs.append((Task(identity, instruction, site, "webvoyager", start), key))
    if not pairs:
        raise BadInput(f"{path} holds no task")
    return pairs


def _answers(path: Path) -> dict[str, dict[str, Any]]:
    """Reference answers by task id, such as `Allrecipes--3`."""
    if not path.is_file():
        return {}
    try:
        sites = json.loads(path.read_text(encoding="utf-8"))
        return {
            f"{site}--{answer['id']}": {"type": answer["type"], "answer": answer["ans"]}
            for site, listed in sites.items()
            for answer in listed["answers"]
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{path} is no file of reference answers ({type(error).__name__}: {error})") from error
