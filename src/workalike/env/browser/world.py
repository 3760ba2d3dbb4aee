"""The script that lives in every page, in a world of its own: pages neither see it nor can they mislead it by
redefining built-ins. Its parts are the files of `inpage/`, joined in this order."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

NAME = "workalike"
BINDING = "workalikeTell"
_PARTS = (
    *("listening", "names", "settle", "lists", "pickers", "marks"),
    *("frames", "places", "tells", "clipboard", "guard"),
)


@cache
def first_script(guarded: bool) -> str:
    """What runs before anything of a page, in the page's own world."""
    parts = ("listening", "first", "guarded") if guarded else ("listening", "first")
    return f"(() => {{\n{_joined(parts)}\n}})();"


@cache
def script(irreversible: tuple[str, ...] | None, own: tuple[str, ...] = ()) -> str:
    """The whole script; it defines `workalike` in its world and does nothing when it is there already. With a list of
    irreversible steps, even an empty one, it guards against them, except on hosts of one's `own`."""
    once = "if (globalThis.workalike) return; const workalike = globalThis.workalike = {};"
    tell = f"const tell = (told) => globalThis.{BINDING} && globalThis.{BINDING}(JSON.stringify(told));"
    flag = f"const GUARDED = {json.dumps(irreversible)}, OWN = {json.dumps(own)};"
    return f"(() => {{ 'use strict'; {once} {flag} {tell}\n{_joined(_PARTS)}\n}})();"


@cache
def listeners_script() -> str:
    """What says which elements the page listens to: in the page's own world, with what a console is given."""
    return f"(() => {{ 'use strict'; try {{\n{_joined(('listeners',))}\n}} catch {{}} }})();"


def looking_script(more: str) -> str:
    """Only what finds elements, with something more that uses it as `workalike.look(true)`; it touches nothing in the
    page, and can run in a page's own world."""
    own = "const workalike = { listRows: () => [], beyond: () => null }; const GUARDED = false; const tell = () => {};"
    return f"(() => {{ 'use strict'; {own}\n{_joined(('names', 'settle', 'marks', 'frames'))}\n{more}\n}})();"


def _joined(parts: tuple[str, ...]) -> str:
    folder = files("workalike.env.browser") / "inpage"
    return "\n".join((folder / f"{part}.js").read_text(encoding="utf-8") for part in parts)
