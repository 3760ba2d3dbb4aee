"""The JSON schema of every document Understudy writes, for people who read our files in other languages."""

from __future__ import annotations

from typing import Any

import msgspec

from understudy.core.actions import Action
from understudy.core.key import Key
from understudy.core.observation import Observation
from understudy.core.provenance import Provenance
from understudy.core.recording import Event, FrameMark, RecordingEnd, RecordingHeader, SegmentHeader, Tree
from understudy.core.task import Task
from understudy.core.trajectory import Step, Trajectory
from understudy.core.verdict import Verdict

DOCUMENTS: dict[str, Any] = {
    "action": Action,
    "observation": Observation,
    "step": Step,
    "task": Task,
    "key": Key,
    "trajectory": Trajectory,
    "verdict": Verdict,
    "event": Event,
    "recording": RecordingHeader,
    "segment": SegmentHeader,
    "frame": FrameMark,
    "tree": Tree,
    "recording-end": RecordingEnd,
    "provenance": Provenance,
}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str | None = None) -> dict[str, Any]:
    """The schema of one document, or of all of them by name."""
    if name is not None:
        return {"$schema": _DIALECT, **msgspec.json.schema(DOCUMENTS[name])}
    refs, components = msgspec.json.schema_components(DOCUMENTS.values(), ref_template="#/$defs/{name}")
    return {"$schema": _DIALECT, "properties": dict(zip(DOCUMENTS, refs, strict=True)), "$defs": components}
