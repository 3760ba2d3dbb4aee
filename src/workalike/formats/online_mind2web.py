"""Online-Mind2Web's task list, and runs laid out as its leaderboard takes them."""

from __future__ import annotations

from pathlib import Path

from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.formats.tables import need, rows

REPOSITORY = "osunlp/Online-Mind2Web"
TASKS = 300


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
