"""Review at the viewer: recordings with their video, and trajectories. Every edit adds a revision to the layer of
reviews; nothing that was captured is touched."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from workalike.core.errors import BadInput
from workalike.core.review import CAPTURED, DemonstrationReview, Revision
from workalike.dialects import pyautogui
from workalike.formats.agentnet_trajectories import write_code
from workalike.store import reviews
from workalike.verify.labelling import person_name
from workalike.viewer.collection import Collection, RecordingCollection, TrajectoryCollection
from workalike.viewer.labels import bad_request
from workalike.viewer.library import Library
from workalike.viewer.recording_review import RecordingView, changing
from workalike.viewer.replies import GUARDS, body_of, json_reply, picture_reply


class NewRevision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edit as the page sends it: by whom, made on which revision, what it is in words, and all that the review says
    from now on."""

    by: str
    base: int
    review: DemonstrationReview
    what: str = ""


class StepBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish to undo or redo."""

    by: str
    base: int


class CodeText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code that a reviewer wrote for a step."""

    code: str


class Reviewed:
    """What is reviewed: a recording, or one trajectory of a collection."""

    def __init__(self, collection: Collection, ref: str, views: dict[str, RecordingView]) -> None:
        self.root: Path = collection.path
        self.view: RecordingView | None = None
        if isinstance(collection, RecordingCollection):
            held = views.get(collection.key)
            if held is None or held.collection is not collection:
                held = views[collection.key] = RecordingView(collection)
            self.view, self.id = held, held.recording.header.id
        elif isinstance(collection, TrajectoryCollection):
            trajectory = collection.trajectory(ref)
            self.root, self.id, self._steps = collection.home, trajectory.id, len(trajectory.steps)
        else:
            raise BadInput(f"{collection.place} is nothing to review")

    def check(self, review: DemonstrationReview) -> None:
        """Refuse what cannot be said of this one."""
        if self.view is not None:
            self.view.need_steps(review)
            return
        if review.trim_start is not None or review.trim_end is not None or review.regions:
            raise BadInput("a trajectory has no video to trim or to hide parts of: review its recording instead")
        for place in review.steps:
            if place >= self._steps:
                raise BadInput(f"the trajectory has no step {place}; its last is {self._steps - 1}")

    def state(self) -> dict[str, Any]:
        """The review as it stands, and how it came to that."""
        history = reviews.revisions(self.root, self.id)
        current = history[-1] if history else CAPTURED
        told = {"revision": current, "history": [_brief(each) for each in history[-200:]]}
        if self.view is not None:
            return {**told, **changing(self.view.with_revision(current))}
        edits = current.review.steps
        fates = ["deleted" if place in edits and edits[place].deleted else "kept" for place in range(self._steps)]
        codes = {place: write_code(edit.actions) for place, edit in edits.items() if edit.actions is not None}
        return {**told, "fates": fates, "codes": codes}


def routes(library: Library) -> list[BaseRoute]:
    views: dict[str, RecordingView] = {}

    def reviewed(request: Request) -> Reviewed:
        collection = library.collection(request.path_params["key"])
        return Reviewed(collection, request.query_params.get("ref", ""), views)

    def recording(request: Request) -> RecordingView:
        found = reviewed(request).view
        if found is None:
            raise BadInput("only recordings have a video")
        return found

    def look(request: Request) -> Response:
        found = reviewed(request)
        captured = {} if found.view is None else {"recording": found.view.document()}
        return json_reply({**captured, **found.state()})

    async def revise(request: Request) -> Response:
        found = reviewed(request)
        sent = await body_of(request, NewRevision)
        with bad_request():
            found.check(sent.review)
            reviews.revise(found.root, found.id, sent.review, person_name(sent.by), sent.what, sent.base)
        return json_reply(found.state())

    async def undo(request: Request) -> Response:
        found = reviewed(request)
        sent = await body_of(request, StepBack)
        with bad_request():
            reviews.undo(found.root, found.id, person_name(sent.by), sent.base)
        return json_reply(found.state())

    async def redo(request: Request) -> Response:
        found = reviewed(request)
        sent = await body_of(request, StepBack)
        with bad_request():
            reviews.redo(found.root, found.id, person_name(sent.by), sent.base)
        return json_reply(found.state())

    async def actions(request: Request) -> Response:
        """What code says, in actions; it is read and never run."""
        sent = await body_of(request, CodeText)
        with bad_request():
            return json_reply(pyautogui.parse(sent.code))

    def video(request: Request) -> Response:
        path = recording(request).video(_number(request, "segment")).folder / "video.mp4"
        if not path.is_file():
            raise BadInput("there is no video of this segment")
        return FileResponse(path, media_type="video/mp4", headers=GUARDS)

    def still(request: Request) -> Response:
        return picture_reply(recording(request).still(_seconds(request)), request)

    return [
        Route("/api/review/{key}", look),
        Route("/api/review/{key}", revise, methods=["POST"]),
        Route("/api/undo/{key}", undo, methods=["POST"]),
        Route("/api/redo/{key}", redo, methods=["POST"]),
        Route("/api/code", actions, methods=["POST"]),
        Route("/video/{key}", video),
        Route("/still/{key}", still),
    ]


def _brief(revision: Revision) -> dict[str, Any]:
    return {"number": revision.number, "by": revision.by, "time": revision.time, "what": revision.what}


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise HTTPException(400, f"{name} is a number from 0")
    return int(text)


def _seconds(request: Request) -> float:
    try:
        value = float(request.query_params.get("time", "0"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise HTTPException(400, "time is a number of seconds")
    return value
