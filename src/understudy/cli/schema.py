"""Print the JSON schema (2020-12) of what Understudy writes, for people who read its files in other languages."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

import msgspec

from understudy.cli import print_json
from understudy.core.actions import Action
from understudy.core.errors import BadInput
from understudy.core.key import Key
from understudy.core.observation import Observation
from understudy.core.provenance import Provenance
from understudy.core.recording import Event, FrameMark, RecordingEnd, RecordingHeader, SegmentHeader, Tree
from understudy.core.task import Task
from understudy.core.trajectory import Step, Trajectory
from understudy.core.verdict import Verdict
from understudy.dataset.manifest import Manifest
from understudy.models.transcript import Line as TranscriptLine
from understudy.store.layers import LayerHeader, LayerLine, StepTexts
from understudy.store.runs import RunInfo
from understudy.store.trajectories import Line as TrajectoryLine

EXAMPLE = "understudy schema action"
DOCUMENTS: dict[str, Any] = {
    "action": Action,
    "observation": Observation,
    "step": Step,
    "task": Task,
    "key": Key,
    "trajectory": Trajectory,
    "trajectory-line": TrajectoryLine,
    "transcript-line": TranscriptLine,
    "run": RunInfo,
    "layer": LayerHeader,
    "layer-line": LayerLine,
    "texts": StepTexts,
    "verdict": Verdict,
    "event": Event,
    "recording": RecordingHeader,
    "segment": SegmentHeader,
    "frame": FrameMark,
    "tree": Tree,
    "recording-end": RecordingEnd,
    "manifest": Manifest,
    "provenance": Provenance,
}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help=f"one of {', '.join(DOCUMENTS)}; all of them when left out")


def run(args: Namespace) -> int:
    if args.name is not None and args.name not in DOCUMENTS:
        raise BadInput(f"there is no schema {args.name!r}; there are {', '.join(DOCUMENTS)}")
    print_json(schema(args.name))
    return 0


def schema(name: str | None = None) -> dict[str, Any]:
    """The schema of one document, or of all of them by name."""
    if name is not None:
        return {"$schema": _DIALECT, **msgspec.json.schema(DOCUMENTS[name])}
    refs, components = msgspec.json.schema_components(DOCUMENTS.values(), ref_template="#/$defs/{name}")
    return {"$schema": _DIALECT, "properties": dict(zip(DOCUMENTS, refs, strict=True)), "$defs": components}
