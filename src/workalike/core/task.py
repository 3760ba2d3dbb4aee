"""What is asked of an agent. A `Task` is handed to agents and stored with trajectories, so it holds no truth."""

from __future__ import annotations

from typing import Any

import msgspec


class TaskFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file the agent may use, by the name it sees and the path it lies at."""

    name: str
    path: str
    sha256: str | None = None


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to do. `persona` is the data of the user on whose behalf the agent acts (name, address, …)."""

    id: str
    instruction: str
    category: str | None = None
    benchmark: str | None = None
    start_url: str | None = None
    persona: dict[str, str] = {}
    files: tuple[TaskFile, ...] = ()
    extra: dict[str, Any] = {}
