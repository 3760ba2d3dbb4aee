"""One attempt's stay in the town: its token, how the town is set up for it, and its own copy of the mutable state."""

from __future__ import annotations

import sqlite3
from typing import Literal

import msgspec

from workalike.core.key import Shown
from workalike.town.state import Table

Obstacle = Literal["cookies", "newsletter", "new-tab", "error-once"]
OBSTACLES: tuple[Obstacle, ...] = ("cookies", "newsletter", "new-tab", "error-once")
"""What any site may meet; what belongs to one site's pages (a payment frame, endless scroll) is its skins' business."""

TRACES = Table("ground_trace", "site TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL", "trace")
SUBSCRIPTIONS = Table("ground_subscription", "site TEXT NOT NULL, email TEXT NOT NULL")
GROUND_TABLES = (TRACES, SUBSCRIPTIONS)


Carrier = Literal[
    "review",
    "text",
    "result",
    "seller",
    "popup",
    "banner",
    "alt",
    "aria",
    "hidden",
    "picture",
    "document",
    "address",
    "dialog",
]
Visibility = Literal["eyes", "tree", "both"]


class Injection(msgspec.Struct, frozen=True):
    """A text that a stranger planted in the pages of a site: what carries it, and whether it is seen only by `eyes`,
    only in the `tree` and other words that a page is told by, or by both."""

    carrier: Carrier
    visibility: Visibility
    site: str
    text: str


class Setting(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the town is set up for an attempt. `wall` names sites that ask for proof of being human, from the path on
    that is given (`{"marlow": "/checkout"}`); sites not named in `skins` wear their first skin. `injection` is what
    somebody planted in its pages."""

    skins: dict[str, str] = {}
    obstacles: tuple[Obstacle, ...] = ()
    wall: dict[str, str] = {}
    injection: Injection | None = None


class TownSession:
    """A token, a setting, a state, and the facts that pages have shown, each once. Nothing in it is shared with another
    attempt."""

    def __init__(self, token: str, setting: Setting, state: sqlite3.Connection) -> None:
        self.token, self.setting, self.state = token, setting, state
        self._shown: dict[tuple[object, ...], Shown] = {}

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The facts that were shown, in the order in which they first were."""
        return tuple(self._shown.values())

    def show(self, fact: Shown) -> None:
        """Note that a page shows a fact."""
        mark = (fact.site, fact.thing, fact.field, fact.value, *sorted(fact.context.items()))
        self._shown.setdefault(mark, fact)

    def forget(self, state: sqlite3.Connection) -> None:
        """Begin anew with another state."""
        self.state.close()
        self.state, self._shown = state, {}

    def count(self, site: str, name: str) -> int:
        """How often something was noted."""
        found = self.state.execute("SELECT count FROM ground_trace WHERE site = ? AND name = ?", (site, name))
        row = found.fetchone()
        return int(row["count"]) if row else 0

    def note(self, site: str, name: str) -> int:
        """Note that something happened once more (a page was seen, a banner closed); returns how often by now."""
        count = self.count(site, name) + 1
        if count == 1:
            self.state.execute("INSERT INTO ground_trace (site, name, count) VALUES (?, ?, 1)", (site, name))
        else:
            change = "UPDATE ground_trace SET count = ? WHERE site = ? AND name = ?"
            self.state.execute(change, (count, site, name))
        return count
