"""Print the JSON schema (2020-12) of what Workalike writes, for people who read its files in other languages."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

import msgspec

from workalike.annotate.chain import Annotation
from workalike.cli import print_json
from workalike.core.actions import Action
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.label import Label
from workalike.core.observation import Observation
from workalike.core.provenance import Provenance
from workalike.core.recording import Event, FrameMark, RecordingEnd, RecordingHeader, SegmentHeader, Tree
from workalike.core.review import Revision
from workalike.core.task import Task
from workalike.core.trajectory import Step, Trajectory
from workalike.core.verdict import Verdict
from workalike.dataset.manifest import Manifest
from workalike.models.transcript import TranscriptLine as TranscriptLine
from workalike.store.layers import LayerHeader, LayerLine, StepTexts
from workalike.store.runs import RunInfo
from workalike.store.trajectories import TrajectoryLine as TrajectoryLine

EXAMPLE = "workalike schema action"
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
    "annotation": Annotation,
    "verdict": Verdict,
    "label": Label,
    "revision": Revision,
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
