"""The first page: what lies below the path, with what can be told of each at a glance."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from workalike.core.errors import BadInput
from workalike.models.questions import waiting
from workalike.store.recordings import Recording
from workalike.store.reviews import latest
from workalike.viewer.collection import Collection, DemoCollection, QuestionCollection, RecordingCollection
from workalike.viewer.dataset_collection import DatasetCollection
from workalike.viewer.library import Library
from workalike.viewer.replies import json_reply
from workalike.viewer.run_collection import RunCollection


def routes(library: Library) -> list[BaseRoute]:
    def home(request: Request) -> Response:
        listed = [_told(each) for each in library.collections()]
        return json_reply({"path": str(library.path.resolve()), "collections": listed})

    return [Route("/api/home", home)]


def _told(collection: Collection) -> dict[str, Any]:
    told = {"key": collection.key, "kind": collection.kind, "name": collection.name, "place": collection.place}
    try:
        return {**told, **_details(collection)}
    except BadInput as error:
        return {**told, "damaged": str(error)}


def _details(collection: Collection) -> dict[str, Any]:
    match collection:
        case RunCollection(run=run):
            settings = run.info.settings
            said = {name: settings.get(name) for name in ("benchmark", "agent", "model", "repeats")}
            return {**said, "created": run.info.created, "live": run.writer is not None}
        case RecordingCollection():
            return _recorded(Recording(collection.path))
        case QuestionCollection():
            return {"waiting": sum(1 for _ in waiting(collection.path))}
        case DatasetCollection() | DemoCollection():
            return collection.brief()
        case _:
            return {}


def _recorded(recording: Recording) -> dict[str, Any]:
    header, end = recording.header, recording.end
    return {
        "instruction": header.task.instruction,
        "seconds": end.time if end else None,
        "ended": end is not None,
        "decision": latest(recording.path, header.id).review.decision,
    }
