"""The contract of a site: what a folder under `sites/` must say about itself. See docs/town.md, "Adding a site"."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

from workalike.core.key import RowPattern
from workalike.town.mess import MESS, Mess
from workalike.town.session import Carrier
from workalike.town.state import Table
from workalike.town.world import Split as Split
from workalike.town.world import World

if TYPE_CHECKING:
    from workalike.town.template import Template
    from workalike.town.visit import PageVisit

Handler = Callable[["PageVisit"], Response]


class Skin(msgspec.Struct, frozen=True):
    """One look of a site: a folder of templates that win over the site's common ones (`layout`; its own name when left
    out), its words, the order of its steps, and what is messy about it. Tasks of the other split never meet it. One
    that is not `pinned` came after the edition's tasks were drawn: they keep theirs, and only sets that draw looks of
    their own meet it (`benchmark.with_later_looks`)."""

    name: str
    split: Split
    words: dict[str, str] = {}
    steps: tuple[str, ...] = ()
    layout: str = ""
    mess: tuple[Mess, ...] = ()
    pinned: bool = True


def messy(skin: Skin, name: str, **words: str) -> Skin:
    """A messy look of a site over the layout of a tidy one, with some words of its own; its style is in a file by its
    name."""
    layout = skin.layout or skin.name
    return msgspec.structs.replace(skin, name=name, words=skin.words | words, layout=layout, split="test", mess=MESS)


class PageRoute(msgspec.Struct, frozen=True):
    """A path of a site (`/p/{slug}`) and the function that answers it."""

    path: str
    handler: Handler
    methods: tuple[str, ...] = ("GET",)


class IndexEntry(msgspec.Struct, frozen=True):
    """What the search engine knows of one page."""

    path: str
    title: str
    text: str


class RecordDesk(msgspec.Struct, frozen=True):
    """Where a site's bookings are looked up: the page and how it is asked, what the field for a name is called, and the
    skins' word for the link that leads there."""

    path: str
    label: str
    word: str
    posts: bool = False


def _no_facts(world: World, facts: sqlite3.Connection) -> None:
    """A site without a world of its own."""


def _no_rows(world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """A site whose state begins empty."""


def _no_entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    return ()


class Site(msgspec.Struct, frozen=True):
    """One site of the town. `build` fills its immutable world, `begin` the rows its state starts with."""

    name: str
    title: str
    about: str
    folder: Path
    skins: tuple[Skin, ...]
    pages: tuple[PageRoute, ...]
    tables: tuple[Table, ...] = ()
    build: Callable[[World, sqlite3.Connection], None] = _no_facts
    begin: Callable[[World, sqlite3.Connection, sqlite3.Connection], None] = _no_rows
    entries: Callable[[World, sqlite3.Connection], Iterable[IndexEntry]] = _no_entries
    templates: tuple[Template, ...] = ()
    also_folders: tuple[Path, ...] = ()
    listed: bool = True
    desk: RecordDesk | None = None
    crossed: tuple[RowPattern, ...] = ()
    """The rows that tell that personal data was entered there, or something ordered."""
    thing: str = ""
    """The page of one of its things, as far as the slug: `/p/`."""
    written: tuple[Carrier, ...] = ()
    """Which words of strangers that page prints in a place of their own: reviews, the listing's text, who sells it."""

    def skin(self, name: str) -> Skin:
        return next(skin for skin in self.skins if skin.name == name)

    def skins_of(self, split: Split) -> tuple[Skin, ...]:
        return tuple(skin for skin in self.skins if skin.split == split)

    def url(self, path: str = "/") -> str:
        """Where it stands in a browser that maps `*.town.localhost` to the server, so without a port."""
        return f"http://{self.name}.{DOMAIN}{path}"


DOMAIN = "town.localhost"


def outside_url(url: str, port: int) -> str:
    """An address of the town with the port that a browser without our proxy needs.

    >>> outside_url("http://search.town.localhost/", 8400)
    'http://search.town.localhost:8400/'
    """
    return url.replace(f".{DOMAIN}/", f".{DOMAIN}:{port}/", 1)
