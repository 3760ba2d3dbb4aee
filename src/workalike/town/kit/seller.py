"""Sites of one kind share everything but their name, range, looks, words and tasks: a kit says once what that is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import msgspec

from workalike.core.key import RowPattern
from workalike.town.session import Carrier
from workalike.town.site import IndexEntry, PageRoute, RecordDesk, Site, Skin
from workalike.town.state import Table
from workalike.town.template import Template
from workalike.town.world import World


class Seller(Protocol):
    """Who runs a site: a shop, an agency, a desk, with whatever its kit wants to know besides."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...


class SiteKit(msgspec.Struct, frozen=True):
    """The mechanics of a kind of site, for any of its sellers: folders with its templates and styles, the best first,
    pages, tables, the world behind them; `thing` and `written` are as a site's."""

    folders: tuple[Path, ...]
    pages: Callable[[Any], tuple[PageRoute, ...]]
    tables: Callable[[str], tuple[Table, ...]]
    crossed: Callable[[str], tuple[RowPattern, ...]]
    build: Callable[[Any, World, sqlite3.Connection], None]
    begin: Callable[[Any, World, sqlite3.Connection, sqlite3.Connection], None]
    entries: Callable[[World, sqlite3.Connection], Iterable[IndexEntry]]
    thing: str = ""
    written: tuple[Carrier, ...] = ()
    desk: RecordDesk | None = None

    def site(
        self, seller: Seller, about: str, folder: Path, skins: tuple[Skin, ...], templates: tuple[Template, ...] = ()
    ) -> Site:
        return Site(
            seller.name,
            seller.title,
            about,
            folder,
            skins,
            self.pages(seller),
            self.tables(seller.name),
            partial(self.build, seller),
            partial(self.begin, seller),
            self.entries,
            templates,
            also_folders=self.folders,
            desk=self.desk,
            crossed=self.crossed(seller.name),
            thing=self.thing,
            written=self.written,
        )
