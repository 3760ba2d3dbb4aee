"""What is asked of an agent. A `Task` is handed to agents and stored with trajectories, so it holds no truth."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

AnswerKind = Literal[
    "money",
    "date",
    "time",
    "duration",
    "number",
    "name",
    "names",  # several, with ` | ` between them
    "yes_no",
]


class TaskFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file the agent may use, by the name it sees and the path it lies at."""

    name: str
    path: str
    sha256: str | None = None


class AnswerField(msgspec.Struct, frozen=True):
    """One thing that the answer's line is to tell: what it is called, and of what kind it is."""

    name: str
    kind: AnswerKind


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to do. `persona` is the data of the user on whose behalf the agent acts (name, address, …). `form`
    lists the fields of the answer's line (an empty one wants `done`); None where no such line is asked for."""

    id: str
    instruction: str
    category: str | None = None
    benchmark: str | None = None
    start_url: str | None = None
    persona: dict[str, str] = {}
    files: tuple[TaskFile, ...] = ()
    form: tuple[AnswerField, ...] | None = None
    extra: dict[str, Any] = {}
