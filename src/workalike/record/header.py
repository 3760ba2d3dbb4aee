"""What a recording says of itself on its first page."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import msgspec

from workalike.core.program import Program
from workalike.core.provenance import Provenance
from workalike.core.recording import RecordingHeader
from workalike.core.task import Task
from workalike.record.settings import RecordSettings


def header_of(
    task: Task,
    settings: RecordSettings,
    kind: str,
    system: Mapping[str, Any] | None = None,
    programs: tuple[Program, ...] = (),
) -> RecordingHeader:
    """The header of a recording that begins now; `system` is what the machine's own settings say of double clicks."""
    chosen = msgspec.to_builtins(settings)
    now = datetime.now(UTC)
    return RecordingHeader(
        id=f"{now:%Y%m%d-%H%M%S}-{uuid4().hex[:8]}",
        task=task,
        system=platform.system().lower(),
        started=now.isoformat(timespec="milliseconds"),
        kind=kind,
        settings=chosen | dict(system or {}),
        provenance=Provenance(by="record", time=now.isoformat(timespec="seconds"), settings=chosen),
        programs=programs,
    )
