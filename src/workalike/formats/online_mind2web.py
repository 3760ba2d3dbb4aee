"""Online-Mind2Web's task list, and runs laid out as its leaderboard takes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workalike.core.actions import Opaque
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.label import Label
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop
from workalike.formats.imported import ImportedAttempt, ended, file_picture, seen
from workalike.formats.tables import need, rows

REPOSITORY = "osunlp/Online-Mind2Web"
TASKS = 300
RESULT, PICTURES = "result.json", "trajectory"
_SHOT = re.compile(r"(\d+)(?:_\w+)?\.(?:png|jpe?g|webp)")


def read_tasks(path: Path) -> list[tuple[Task, Key]]:
    """Every task; its level (easy, medium, hard) is the category."""
    pairs = []
    for number, row in rows(path):
        identity, instruction, site = need(row, ("task_id", "confirmed_task", "website"), path, number)
        extra = {"reference_length": row["reference_length"]} if "reference_length" in row else {}
        task = Task(identity, instruction, row.get("level"), "online-mind2web", site, extra=extra)
        pairs.append((task, Key(identity)))
    if not pairs:
        raise BadInput(f"{path} holds no task")
    return pairs


def read_runs(path: Path) -> Iterator[ImportedAttempt]:
    """Every run below a folder, laid out as the leaderboard takes them: `TASK/result.json` and its screenshots."""
    results = sorted(path.rglob(RESULT)) if path.is_dir() else []
    if not results:
        raise BadInput(f"{path} holds no {RESULT}: name the folder of a run as Online-Mind2Web's leaderboard takes it")
    return (_run(result) for result in results)


def _run(result: Path) -> ImportedAttempt:
    try:
        told = json.loads(result.read_bytes())
        task = Task(str(told["task_id"]), str(told["task"]), told.get("level"), "online-mind2web", told.get("website"))
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{result} is no result of a run ({type(error).__name__}: {error})") from error
    shots = _shots(result.parent / PICTURES)
    actions, thoughts = _listed(told.get("action_history")), _listed(told.get("thoughts"))
    steps = [
        Step(
            seen(shots[index] if index < len(shots) else None, kind="page"),
            (ActionResult(Opaque(_words(action), "an action of another harness")),),
            thought=str(thoughts[index]) if index < len(thoughts) else None,
            action_text=_words(action),
        )
        for index, action in enumerate(actions)
    ]
    last = seen(shots[-1] if shots else None, kind="page")
    answer = str(told.get("final_result_response") or "") or None
    label = told.get("human_label")
    labels = (Label("", bool(label), "human"),) if label in (0, 1) else ()
    pictures = file_picture(result.parent / PICTURES)
    final = None if answer else last
    return ImportedAttempt(task, ended(steps, answer, last), Stop("terminated"), pictures, final, labels=labels)


def _shots(folder: Path) -> list[str]:
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    numbered = {int(found[1]): name for name in names if (found := _SHOT.fullmatch(name))}
    return [numbered[number] for number in sorted(numbered)]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(action: Any) -> str:
    return action if isinstance(action, str) else json.dumps(action, ensure_ascii=False)
