"""One trajectory as one page to send: the viewer's own modules and styles, the trajectory and its pictures, all in a
file that asks nothing of anybody."""

from __future__ import annotations

import base64
import re
from pathlib import PurePosixPath
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from workalike.core.errors import BadInput
from workalike.core.observation import extension
from workalike.store.names import slug
from workalike.viewer.collection import TrajectoryCollection
from workalike.viewer.library import Library
from workalike.viewer.replies import GUARDS, PICTURE_TYPES, STATIC
from workalike.viewer.trajectories import asked, clipped, exchange_told, told

_IMPORT = re.compile(r"from 'viewer/(\w+\.js)'")
_ENTRY, _TEMPLATE = "saved.js", "saved.html"


def routes(library: Library) -> list[BaseRoute]:
    def saved(request: Request) -> Response:
        collection, ref = asked(library, request)
        name = slug(collection.trajectory(ref).id) or "trajectory"
        headers = {**GUARDS, "content-disposition": f'attachment; filename="{name}.html"'}
        return Response(saved_page(collection, ref), media_type="text/html; charset=utf-8", headers=headers)

    return [Route("/saved/{key}", saved)]


def saved_page(collection: TrajectoryCollection, ref: str) -> bytes:
    """The page. What cannot be read of the pictures is left out, and the page says so where it is looked for."""
    trajectory = collection.trajectory(ref)
    shown = told(collection, ref)
    data = {
        "told": {**shown, "live": False},
        "pictures": _pictures(collection, ref),
        "elements": {
            str(number): clipped(msgspec.to_builtins(step.observation.elements))
            for number, step in enumerate(trajectory.steps)
            if step.observation.elements
        },
        "exchanges": _exchanges(collection, ref),
    }
    modules = {f"viewer/{name}": _module(name) for name in sorted(_needed(_ENTRY))}
    page = (STATIC / _TEMPLATE).read_text("utf-8")
    filled = {
        "TITLE": _text(trajectory.task.instruction[:120] or trajectory.id),
        "STYLE": "\n".join((STATIC / name).read_text("utf-8") for name in ("viewer.css", "trajectory.css")),
        "IMPORTS": _inside_script({"imports": modules}),
        "DATA": _inside_script(data),
    }
    return re.sub(r"\{\{([A-Z]+)\}\}", lambda found: filled[found[1]], page).encode("utf-8", "replace")


def _pictures(collection: TrajectoryCollection, ref: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for picture in collection.trajectory(ref).pictures:
        try:
            data = collection.picture(ref, picture.name)
        except BadInput:
            continue
        kind = PICTURE_TYPES.get(extension(data))
        if kind is not None:
            found[picture.name] = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    return found


def _exchanges(collection: TrajectoryCollection, ref: str) -> dict[str, Any]:
    """The exchanges of each step; a message that is sent again and again is kept once."""
    kept: dict[bytes, int] = {}
    steps: dict[str, list[dict[str, Any]]] = {}
    try:
        for each in collection.exchanges(ref):
            said = exchange_told(each)
            messages = [msgspec.json.encode(message) for message in said["request"].pop("messages", ())]
            said["request"]["messages"] = [kept.setdefault(message, len(kept)) for message in messages]
            steps.setdefault(str(each.draw.step), []).append(said)
    except (BadInput, KeyError):  # damaged: what was said before stays
        pass
    return clipped({"messages": [msgspec.json.decode(message) for message in kept], "steps": steps})  # type: ignore[no-any-return]


def _needed(name: str) -> set[str]:
    """A module and all that it imports."""
    found, waiting = {name}, [name]
    while waiting:
        text = (STATIC / PurePosixPath(waiting.pop()).name).read_text("utf-8")
        new = set(_IMPORT.findall(text)) - found
        found |= new
        waiting += new
    return found


def _module(name: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode((STATIC / name).read_bytes()).decode()


def _inside_script(value: Any) -> str:
    """JSON that no text in it can end a script with."""
    return msgspec.json.encode(value).decode("utf-8").replace("<", "\\u003c").replace("\u2028", "\\u2028")


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
