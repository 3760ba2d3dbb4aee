"""AgentRewardBench (McGill-NLP/agent-reward-bench): trajectories as JSON, one file each below `cleaned/`, screenshots
below `screenshots/`, and what people said of them in `annotations.csv`."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workalike.core.actions import Opaque, Status, Terminate
from workalike.core.errors import BadInput
from workalike.core.label import Label
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop
from workalike.formats.imported import ImportedAttempt, seen

ANNOTATIONS, CLEANED, SCREENSHOTS = "annotations.csv", "cleaned", "screenshots"
_SUCCESS = {"successful": True, "unsuccessful": False}
_OPTIMALITY = {"1": 0.0, "2": 1 / 3, "3": 2 / 3, "4": 1.0}
_SAID = "send_msg_to_user("
Place = tuple[str, str, str]
"""Benchmark, agent and task, which every file and every annotation names."""


def read(path: Path) -> Iterator[ImportedAttempt]:
    """Every trajectory below a folder, with the labels of `annotations.csv` where that lies there."""
    root = path / CLEANED if (path / CLEANED).is_dir() else path
    files = sorted(root.rglob("*.json")) if root.is_dir() else []
    if not files:
        raise BadInput(f"{path} holds no trajectories: name the folder with {CLEANED}/ and {ANNOTATIONS} in it")
    labels = _labels(path)
    for file in files:
        told = _json(file)
        if isinstance(told.get("steps"), list) and told.get("goal"):
            yield _attempt(file, told, path, labels)


def _attempt(file: Path, told: dict[str, Any], root: Path, labels: dict[Place, list[Label]]) -> ImportedAttempt:
    task_id, benchmark, agent = file.stem, str(told.get("benchmark") or ""), str(told.get("agent") or "")
    task = Task(task_id, str(told["goal"]).strip(), benchmark or None, "agent-reward-bench")
    steps: list[Step] = []
    for raw in told["steps"]:
        before = steps[-1] if steps else None
        error = str(raw.get("last_action_error") or "")
        if before is not None and error and before.actions:
            failed = (ActionResult(before.actions[0].action, error=error[:2000]),)
            steps[-1] = Step(before.observation, failed, thought=before.thought)
        steps.append(_step(raw))
    where = root / SCREENSHOTS / benchmark / agent / task_id

    def picture(name: str) -> bytes | None:
        path = where / Path(name).name
        return path.read_bytes() if path.is_file() else None

    ended = bool(steps) and any(isinstance(taken.action, Terminate) for taken in steps[-1].actions)
    stop = Stop("terminated" if ended else "out_of_steps")
    known = tuple(labels.get((benchmark.split("_")[0], agent, _plain(task_id)), ()))
    return ImportedAttempt(task, tuple(steps), stop, picture, labels=known, extra={"agent": agent})


def _step(raw: dict[str, Any]) -> Step:
    """One step. A message to the user is BrowserGym's way to end; every other action stays as it was written."""
    action = str(raw.get("action") or "")
    if action.startswith((_SAID, "report_infeasible(")):
        status: Status = "success" if action.startswith(_SAID) else "failure"
        done = ActionResult(Terminate(status, _quoted(action)))
    else:
        done = ActionResult(Opaque(action, "an action of BrowserGym"))
    shot = Path(str(raw.get("screenshot_path") or "")).name or None
    thought = str(raw.get("reasoning") or "") or None
    return Step(seen(shot, str(raw.get("url") or "")), (done,) if action else (), thought=thought, action_text=action)


def _quoted(action: str) -> str:
    """What stands within the parentheses and quotes of a call.

    >>> _quoted('send_msg_to_user("It costs $5")')
    'It costs $5'
    """
    inside = action[action.index("(") + 1 :].rstrip().removesuffix(")").strip()
    return inside[1:-1] if len(inside) > 1 and inside[0] == inside[-1] and inside[0] in "\"'" else inside


def _labels(path: Path) -> dict[Place, list[Label]]:
    """What each annotator said, by place."""
    file = path / ANNOTATIONS
    found: dict[Place, list[Label]] = {}
    if not file.is_file():
        return found
    with open(file, encoding="utf-8-sig", newline="") as table:
        for row in csv.DictReader(table):
            try:
                place = row["benchmark"].split("_")[0], row["model_name"], _plain(row["task_id"])
                success = _SUCCESS.get(row["trajectory_success"].strip().casefold())
                optimal = _OPTIMALITY.get((row.get("trajectory_optimality") or "")[:1])
            except (KeyError, AttributeError) as error:
                raise BadInput(f"{file} is no table of annotations: the column {error} is missing") from error
            looping = "looped" if (row.get("trajectory_looping") or "").casefold() == "yes" else ""
            kind = "" if success else looping
            found.setdefault(place, []).append(Label("", success, row["annotator_name"], optimal, kind))
    return found


def _plain(task_id: str) -> str:
    return task_id.replace(".resized", "").replace(".improved", "")


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not valid JSON: {error}") from error
    return value if isinstance(value, dict) else {}
