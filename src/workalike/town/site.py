"""The contract of a site: what a folder under `sites/` must say about itself. See docs/town.md, "Adding a site"."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from starlette.responses import Response

from workalike.town.state import Table
from workalike.town.world import World

if TYPE_CHECKING:
    from workalike.town.template import Template
    from workalike.town.visit import Visit

Split = Literal["train", "test"]
Handler = Callable[["Visit"], Response]


class Skin(msgspec.Struct, frozen=True):
    """One look of a site: a folder of templates that win over the site's common ones (`layout`; its own name when left
    out), its words, the order of its steps. Tasks of the other split never meet it."""

    name: str
    split: Split
    words: dict[str, str] = {}
    steps: tuple[str, ...] = ()
    layout: str = ""


class Page(msgspec.Struct, frozen=True):
    """A path of a site (`/p/{slug}`) and the function that answers it."""

    path: str
    handler: Handler
    methods: tuple[str, ...] = ("GET",)


class Entry(msgspec.Struct, frozen=True):
    """What the search engine knows of one page."""

    path: str
    title: str
    text: str


def _no_facts(world: World, facts: sqlite3.Connection) -> None:
    """A site without a world of its own."""


def _no_rows(world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """A site whose state begins empty."""


def _no_entries(world: World, facts: sqlite3.Connection) -> Iterable[Entry]:
    return ()


class Site(msgspec.Struct, frozen=True):
    """One site of the town. `build` fills its immutable world, `begin` the rows its state starts with."""

    name: str
    title: str
    about: str
    folder: Path
    skins: tuple[Skin, ...]
    pages: tuple[Page, ...]
    tables: tuple[Table, ...] = ()
    build: Callable[[World, sqlite3.Connection], None] = _no_facts
    begin: Callable[[World, sqlite3.Connection, sqlite3.Connection], None] = _no_rows
    entries: Callable[[World, sqlite3.Connection], Iterable[Entry]] = _no_entries
    templates: tuple[Template, ...] = ()
    also_folders: tuple[Path, ...] = ()
    listed: bool = True

    def skin(self, name: str) -> Skin:
        return next(skin for skin in self.skins if skin.name == name)

    def skins_of(self, split: Split) -> tuple[Skin, ...]:
        return tuple(skin for skin in self.skins if skin.split == split)

    def url(self, path: str = "/") -> str:
        """Where it stands in a browser that maps `*.town.localhost` to the server, so without a port."""
        return f"http://{self.name}.{DOMAIN}{path}"


DOMAIN = "town.localhost"
