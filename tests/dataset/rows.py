"""Rows for the tests of the dataset: good by default, spoiled where a test wants that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CLICK = "pyautogui.click(x=0.5, y=0.25)"
END = "computer.terminate(status='success')"


def step(index: int = 0, code: Any = CLICK, **more: Any) -> dict[str, Any]:
    value = {
        "code": code,
        "observation": f"The window shows page {index}.",
        "thought": f"I should press the button of page {index}.",
        "action": f"Click the button on page {index}.",
        "last_step_correct": True,
        "last_step_redundant": False,
        "reflection": "It worked.",
    }
    outer: dict[str, Any] = {name: more.pop(name) for name in ("image", "extra") if name in more}
    return {"index": index, "image": f"{index}.png", **outer, "value": {**value, **more}}


def row(task_id: str = "t1", steps: int | list[Any] = 3, **more: Any) -> dict[str, Any]:
    made = (
        [step(place, END if place == steps - 1 else CLICK) for place in range(steps)]
        if isinstance(steps, int)
        else steps
    )
    document = {
        "task_id": task_id,
        "instruction": f"Do the thing called {task_id}",
        "task_completed": True,
        "alignment_score": 9,
        "efficiency_score": 7,
        "task_difficulty": 3,
        "reason": "It was done.",
        "natural_language_task": f"Please do {task_id}",
        "actual_task": f"Did {task_id}",
        "traj": made,
    }
    return {**document, **more}


def meta(task_id: str = "t1", system: str = "Ubuntu", **more: Any) -> dict[str, Any]:
    document = {
        "task_id": task_id,
        "system": system,
        "screen_width": 1920,
        "screen_height": 1080,
        "applications": ["Files"],
    }
    return {**document, "domains": "Work", "verify_feedback": {"quality": "good"}, "step_num": 3, **more}


def put(path: Path, *documents: Any) -> Path:
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in documents))
    return path


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]
