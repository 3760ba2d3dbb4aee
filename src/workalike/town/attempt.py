"""One attempt's stay in the town: its token, how the town is set up for it, and its own copy of the mutable state."""

from __future__ import annotations

import sqlite3
from typing import Literal

import msgspec

from workalike.town.state import Table

Obstacle = Literal["cookies", "newsletter", "new-tab", "error-once"]
OBSTACLES: tuple[Obstacle, ...] = ("cookies", "newsletter", "new-tab", "error-once")
"""What any site may meet; what belongs to one site's pages (a payment frame, endless scroll) is its skins' business."""

TRACES = Table("ground_trace", "site TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL", "trace")
SUBSCRIPTIONS = Table("ground_subscription", "site TEXT NOT NULL, email TEXT NOT NULL")
GROUND_TABLES = (TRACES, SUBSCRIPTIONS)


class Setting(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the town is set up for an attempt. `wall` names sites that ask for proof of being human, from the path on
    that is given (`{"marlow": "/checkout"}`); sites not named in `skins` wear their first skin."""

    skins: dict[str, str] = {}
    obstacles: tuple[Obstacle, ...] = ()
    wall: dict[str, str] = {}


class Attempt:
    """A token, a setting and a state. Nothing in it is shared with another attempt."""

    def __init__(self, token: str, setting: Setting, state: sqlite3.Connection) -> None:
        self.token, self.setting, self.state = token, setting, state

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
