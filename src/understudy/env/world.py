"""The script that lives in every page, in a world of its own: pages neither see it nor can they mislead it by
redefining built-ins. Its parts are the files of `inpage/`, joined in this order."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

NAME = "understudy"
_PARTS = ("names", "settle", "lists", "marks")


@cache
def script() -> str:
    """The whole script; it defines `understudy` in its world and does nothing when it is there already."""
    folder = files("understudy.env") / "inpage"
    body = "\n".join((folder / f"{part}.js").read_text(encoding="utf-8") for part in _PARTS)
    once = "if (globalThis.understudy) return; const understudy = globalThis.understudy = {};"
    return f"(() => {{ 'use strict'; {once}\n{body}\n}})();"
