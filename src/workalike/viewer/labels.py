"""Labels at the viewer: a form beside every trajectory, and a queue that deals cases out. What verifiers and others say
of a case is not sent before the labeller has said their own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from workalike.core.errors import BadInput, InUse
from workalike.core.label import Label
from workalike.store.reviews import Outdated
from workalike.verify.labelling import ENOUGH, LabelBook, LabelForm, LabelQueue
from workalike.verify.labels import people_labels, table
from workalike.viewer.collection import TrajectoryCollection
from workalike.viewer.library import Library
from workalike.viewer.replies import GUARDS, body_of, json_reply
from workalike.viewer.trajectories import asked, told

_LISTED_FOR = 3.0


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A label as the page sends it."""

    labeller: str
    label: LabelForm


class AskedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who asks for a case, or takes a label back; `skip` is the case they do not want now."""

    labeller: str
    skip: str | None = None


class LabelledSet:
    """The labels of one collection, the queue over it, and which of its trajectories an id names."""

    def __init__(self, collection: TrajectoryCollection) -> None:
        self.collection = collection
        self.book = LabelBook(collection.home)
        self.queue = LabelQueue(self.book, self.ids)
        self._refs: dict[str, str] = {}
        self._listed = 0.0

    def ids(self) -> list[str]:
        return list(self.refs())

    def refs(self) -> dict[str, str]:
        """The trajectories' names in addresses, by their ids; listed anew now and then, as a run may go on."""
        if not self._refs or time.monotonic() - self._listed > _LISTED_FOR:
            self._refs = {entry.id: entry.ref for entry in self.collection.entries()}
            self._listed = time.monotonic()
        return self._refs


def routes(library: Library) -> list[BaseRoute]:
    sets: dict[str, LabelledSet] = {}

    def labelled(request: Request) -> tuple[LabelledSet, str]:
        collection, ref = asked(library, request)
        held = sets.get(collection.key)
        if held is None or held.collection is not collection:
            held = sets[collection.key] = LabelledSet(collection)
        return held, ref

    def counts(request: Request) -> Response:
        held, _ = labelled(request)
        told = {"name": held.collection.name, "kind": held.collection.kind, "enough": ENOUGH}
        return json_reply({**told, "counts": held.book.counts(held.ids())})

    def label(request: Request) -> Response:
        held, ref = labelled(request)
        with bad_request():
            name = held.book.known_as(request.query_params.get("labeller", ""))
        return json_reply(_said(held, held.collection.trajectory(ref).id, name))

    def case(request: Request) -> Response:
        held, ref = labelled(request)
        with bad_request():
            name = held.book.known_as(request.query_params.get("labeller", ""))
        document = told(held.collection, ref)
        said = _said(held, document["trajectory"]["id"], name)
        return json_reply({**(document if said["mine"] else _blind(document)), "labels": said})

    async def give(request: Request) -> Response:
        held, ref = labelled(request)
        given = await body_of(request, Given)
        id = held.collection.trajectory(ref).id
        with bad_request():
            name = held.book.known_as(given.labeller)
            held.book.put(id, name, given.label)
        held.queue.done(name, id)
        return json_reply(_said(held, id, name))

    async def take_back(request: Request) -> Response:
        held, ref = labelled(request)
        given = await body_of(request, AskedBy)
        id = held.collection.trajectory(ref).id
        with bad_request():
            name = held.book.known_as(given.labeller)
            held.book.take_back(id, name)
        held.queue.hold(name, id)
        return json_reply(_said(held, id, name))

    async def deal(request: Request) -> Response:
        held, _ = labelled(request)
        given = await body_of(request, AskedBy)
        with bad_request():
            name = held.book.known_as(given.labeller)
        refs = held.refs()
        skip = next((id for id, ref in refs.items() if ref == given.skip), None) if given.skip else None
        id = held.queue.deal(name, skip)
        counted = held.book.counts(refs)
        ref = refs.get(id) if id is not None else None
        return json_reply({"ref": ref, "labeller": name, "counts": counted, "enough": ENOUGH})

    def export(request: Request) -> Response:
        held, _ = labelled(request)
        headers = {**GUARDS, "content-disposition": 'attachment; filename="labels.csv"'}
        return Response(table(people_labels(held.collection.home)), media_type="text/csv", headers=headers)

    return [
        Route("/api/labels/{key}", counts),
        Route("/api/label/{key}", label),
        Route("/api/label/{key}", give, methods=["POST"]),
        Route("/api/unlabel/{key}", take_back, methods=["POST"]),
        Route("/api/case/{key}", case),
        Route("/api/deal/{key}", deal, methods=["POST"]),
        Route("/labels/{key}", export),
    ]


@contextmanager
def bad_request() -> Iterator[None]:
    """What was sent is wrong, not what was looked for: 400 with the sentence, or 409 where somebody else writes."""
    try:
        yield
    except (InUse, Outdated) as error:
        raise HTTPException(409, str(error)) from error
    except BadInput as error:
        raise HTTPException(400, str(error)) from error


def _said(held: LabelledSet, id: str, name: str) -> dict[str, Any]:
    """The labeller's own label, and the others' once that is given."""
    given = held.book.given(id)
    mine = next((label for label in given if label.labeller == name), None)
    others: list[Label] = [] if mine is None else [label for label in given if label is not mine]
    return {"labeller": name, "mine": mine, "others": others}


def _blind(document: dict[str, Any]) -> dict[str, Any]:
    """What may be seen of a case before it is labelled: what was asked and what was done. Neither verdicts nor anything
    that programs noted beside the steps, which may give the outcome away."""
    trajectory = {name: value for name, value in document["trajectory"].items() if name not in _BESIDE}
    steps = [{name: step[name] for name in step if name not in _TELLING} for step in trajectory.get("steps", ())]
    return {**document, "trajectory": {**trajectory, "steps": steps}, "verdicts": []}


_BESIDE = ("extra", "provenance", "notices")
_TELLING = ("reflection", "correct", "redundant", "value", "extra", "notices")
