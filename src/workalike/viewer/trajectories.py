"""One trajectory: what it was asked, every step, the verdicts on it, and apart from them what is only looked at on
demand: the elements of a screen, the accessibility tree of the recording it came from, the exchange with the model."""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from workalike.core.errors import BadInput
from workalike.core.recording import Tree
from workalike.core.trajectory import Trajectory
from workalike.formats.agentnet_trajectories import write_code
from workalike.models.transcript import Exchange
from workalike.store.recordings import Recording
from workalike.viewer.collection import RecordingCollection, TrajectoryCollection
from workalike.viewer.library import Library
from workalike.viewer.replies import GUARDS, json_reply, picture_reply

LONGEST = 100_000
"""Of a text, as many characters are shown; the whole is in the file that can be saved."""


def routes(library: Library) -> list[BaseRoute]:
    def trajectory(request: Request) -> Response:
        return json_reply(told(*asked(library, request)))

    def elements(request: Request) -> Response:
        collection, ref = asked(library, request)
        seen = _observation(collection.trajectory(ref), _step(request))
        return json_reply(clipped(msgspec.to_builtins(seen.elements or ())))

    def tree(request: Request) -> Response:
        collection, ref = asked(library, request)
        found = _tree(library, collection.trajectory(ref), _step(request))
        return json_reply(clipped(msgspec.to_builtins(found)))

    def exchange(request: Request) -> Response:
        collection, ref = asked(library, request)
        step = _step(request)
        try:
            said = [each for each in collection.exchanges(ref) if each.draw.step == step]
        except KeyError:
            raise BadInput("the transcript lacks a message that it names; nobody knows what was sent") from None
        return json_reply(clipped([exchange_told(each) for each in said]))

    def neighbours(request: Request) -> Response:
        collection, ref = asked(library, request)
        previous, following = collection.neighbours(ref)
        return json_reply({"previous": previous, "next": following})

    def picture(request: Request) -> Response:
        collection, ref = asked(library, request)
        return picture_reply(collection.picture(ref, request.query_params.get("name", "")), request)

    def whole(request: Request) -> Response:
        collection, ref = asked(library, request)
        headers = {**GUARDS, "content-disposition": 'attachment; filename="trajectory.json"'}
        data = msgspec.json.encode(collection.trajectory(ref))
        return Response(data, media_type="application/json", headers=headers)

    return [
        Route("/api/trajectory/{key}", trajectory),
        Route("/api/elements/{key}", elements),
        Route("/api/tree/{key}", tree),
        Route("/api/exchange/{key}", exchange),
        Route("/api/neighbours/{key}", neighbours),
        Route("/picture/{key}", picture),
        Route("/whole/{key}", whole),
    ]


def asked(library: Library, request: Request) -> tuple[TrajectoryCollection, str]:
    """The collection and the trajectory in it that a request names."""
    found = library.collection(request.path_params["key"])
    if not isinstance(found, TrajectoryCollection):
        raise BadInput(f"{found.place} holds no trajectories")
    return found, request.query_params.get("ref", "")


def told(collection: TrajectoryCollection, ref: str) -> dict[str, Any]:
    """What the page gets of a trajectory. Elements are only counted, and endless texts cut."""
    trajectory = collection.trajectory(ref)
    document = msgspec.to_builtins(trajectory)
    for step, made in zip(document.get("steps", ()), trajectory.steps, strict=True):
        _without_elements(step["observation"])
        with suppress(BadInput, ValueError):
            step["code"] = write_code(tuple(taken.action for taken in made.actions))
    if trajectory.final is not None:
        _without_elements(document["final"])
    verdicts = msgspec.to_builtins(collection.layers.verdicts(trajectory.id))
    shown: dict[str, Any] = clipped(
        {
            "key": collection.key,
            "ref": ref,
            "kind": collection.kind,
            "collection": collection.name,
            "place": collection.place,
            "trajectory": document,
            "verdicts": verdicts,
            "live": trajectory.stop is None and collection.is_live(),
        }
    )
    return shown


def clipped(value: Any) -> Any:
    """The same with every endless text cut, which says how much is missing."""
    match value:
        case str() if len(value) > LONGEST:
            return f"{value[:LONGEST]}… ({len(value) - LONGEST:,} more characters)"
        case dict():
            return {clipped(name): clipped(held) for name, held in value.items()}
        case list() | tuple():
            return [clipped(held) for held in value]
        case _:
            return value


def _without_elements(observation: dict[str, Any]) -> None:
    elements = observation.pop("elements", None)
    if elements is not None:
        observation["elements"] = len(elements)


def _step(request: Request) -> int:
    text = request.query_params.get("step", "")
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadInput("a step is a number from 0")
    return int(text)


def _observation(trajectory: Trajectory, step: int) -> Any:
    if step < len(trajectory.steps):
        return trajectory.steps[step].observation
    if step == len(trajectory.steps) and trajectory.final is not None:
        return trajectory.final
    raise BadInput(f"the trajectory has no step {step}")


def _tree(library: Library, trajectory: Trajectory, step: int) -> Tree | None:
    """The tree that was last taken before a look, out of the recording that the trajectory was reduced from."""
    time = _observation(trajectory, step).time
    for each in library.collections():
        if time is not None and isinstance(each, RecordingCollection):
            recording = Recording(each.path)
            if recording.header.id == trajectory.id:
                trees = list(recording.trees())
                place = bisect_right(trees, time, key=lambda tree: tree.time) - 1
                return trees[place] if place >= 0 else None
    return None


def exchange_told(each: Exchange) -> dict[str, Any]:
    """What the page gets of an exchange with a model."""
    return {
        "number": each.number,
        "model": each.model,
        "request": msgspec.to_builtins(each.request),
        "reply": msgspec.to_builtins(each.reply) if each.reply else None,
        "troubles": each.troubles,
        "usage": msgspec.to_builtins(each.usage),
        "seconds": each.seconds,
        "unseen": each.unseen,
    }
