"""The town itself: its sites with their immutable worlds, and the attempts that stay in it."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable
from functools import cached_property, lru_cache

import msgspec

from workalike.core.errors import BadInput
from workalike.core.key import RowChange, Scalar, Shown
from workalike.town.index import build_index
from workalike.town.session import GROUND_TABLES, Setting, TownSession
from workalike.town.site import Site
from workalike.town.state import Rows, Table, blank, connect, difference, read_rows
from workalike.town.world import World


class BuiltWorld(msgspec.Struct, frozen=True):
    """What does not change in a town: the sites' facts, and the state that every attempt begins with, as an image and
    as rows."""

    sites: tuple[Site, ...]
    tables: tuple[Table, ...]
    facts: dict[str, sqlite3.Connection]
    image: bytes
    before: Rows


class Town:
    """Everything one server needs. A world is built once; an attempt's state is a copy of one small image, so that
    opening or resetting one costs well under a millisecond."""

    def __init__(self, world: World = World(), sites: Iterable[Site] | None = None) -> None:
        built = _whole(world) if sites is None else _built(world, tuple(sites))
        self.world = world
        self.sites = {site.name: site for site in built.sites}
        self.tables, self.facts, self._image, self._before = built.tables, built.facts, built.image, built.before
        self._attempts: dict[str, TownSession] = {}

    def open(self, setting: Setting = Setting(), token: str | None = None) -> TownSession:
        """A new attempt with fresh state; its token is what a browser carries as the cookie `attempt`."""
        self._check(setting)
        token = token or secrets.token_urlsafe(16)
        if token in self._attempts:
            raise BadInput(f"an attempt with the token {token!r} is open already; close it, or take another token")
        self._attempts[token] = TownSession(token, setting, connect(self._image))
        return self._attempts[token]

    def find(self, token: str | None) -> TownSession | None:
        return self._attempts.get(token or "")

    def attempt(self, token: str) -> TownSession:
        if token not in self._attempts:
            raise BadInput(f"no attempt with the token {token!r} is open; open one first")
        return self._attempts[token]

    def reset(self, token: str) -> None:
        """Put an attempt's state back to the beginning."""
        self.attempt(token).forget(connect(self._image))

    def changes(self, token: str) -> tuple[RowChange, ...]:
        """The rows that differ between the beginning and now."""
        return difference(self._before, read_rows(self.attempt(token).state, self.tables))

    def shown(self, token: str) -> tuple[Shown, ...]:
        """The facts that pages have shown to an attempt, each once."""
        return self.attempt(token).shown

    def close(self, token: str) -> None:
        """Forget an attempt; closing one that isn't there is no error."""
        attempt = self._attempts.pop(token, None)
        if attempt is not None:
            attempt.state.close()

    @property
    def tokens(self) -> tuple[str, ...]:
        """The attempts that are open, oldest first."""
        return tuple(self._attempts)

    def begin_rows(self, table: str) -> tuple[dict[str, Scalar], ...]:
        """The rows a table starts with, for drawing tasks that are about them."""
        return tuple(self._before[table].values())

    def free_tables(self) -> tuple[str, ...]:
        """The tables an evaluator lets change at will: drafts and traces."""
        return tuple(table.name for table in self.tables if table.kind != "record")

    @cached_property
    def index(self) -> sqlite3.Connection:
        """What the search engine knows, made when it is first asked."""
        return build_index(self.world, self.sites.values(), self.facts)

    def _check(self, setting: Setting) -> None:
        for site, skin in setting.skins.items():
            if site not in self.sites or skin not in {each.name for each in self.sites[site].skins}:
                raise BadInput(f"there is no skin {skin!r} of a site {site!r} in the town")
        for site, path in setting.wall.items():
            if site not in self.sites or not path.startswith("/"):
                raise BadInput(f"no wall can stand at {path!r} of a site {site!r}: name a site of the town and a path")
        if setting.injection is not None and setting.injection.site not in self.sites:
            raise BadInput(f"nothing can be planted in a site {setting.injection.site!r}: name a site of the town")


@lru_cache(maxsize=4)
def _whole(world: World) -> BuiltWorld:
    """All sites there are. Built once a process and shared by all towns of a world, since nobody can write to it."""
    from workalike.town.sites import load

    return _built(world, tuple(load()))


def _built(world: World, sites: tuple[Site, ...]) -> BuiltWorld:
    tables = (*GROUND_TABLES, *(table for site in sites for table in site.tables))
    facts = {site.name: _build(world, site) for site in sites}
    state = blank(tables)
    for site in sites:
        site.begin(world, facts[site.name], state)
    state.commit()
    return BuiltWorld(sites, tables, facts, state.serialize(), read_rows(state, tables))


def _build(world: World, site: Site) -> sqlite3.Connection:
    facts = connect()
    site.build(world, facts)
    facts.commit()
    facts.execute("PRAGMA query_only = ON")
    return facts
