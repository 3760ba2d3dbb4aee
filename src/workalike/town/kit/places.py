"""Names of places in addresses and on the maps that sites draw, and how far places are apart there."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product
from math import hypot

import msgspec

LETTER, LINE = 0.6, 1.1
"""How wide a letter is on the whole, and how high a line, in the size of the letters."""
GAP = 0.4
"""How far a name stands from signs."""
PASSES = 2


class MapBox(msgspec.Struct, frozen=True):
    """A part of a map."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: MapBox) -> float:
        """How much of it another part covers."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, across) * max(0.0, down)

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


class MapMark(msgspec.Struct, frozen=True):
    """A sign on a map: its middle, how far it reaches from there, its name and the size of the name's letters."""

    name: str
    x: float
    y: float
    reach: float
    size: float

    @property
    def box(self) -> MapBox:
        """Where no name may stand, its own least of all."""
        wide = self.reach + GAP
        return MapBox(self.x - wide, self.y - wide, self.x + wide, self.y + wide)


class MapLabel(msgspec.Struct, frozen=True):
    """Where a name stands, as SVG says it: a point on the line of its letters, and how the text lies to it."""

    x: float
    y: float
    anchor: str
    box: MapBox


def place_labels(marks: Sequence[MapMark], whole: MapBox, taken: Iterable[MapBox] = ()) -> dict[str, MapLabel]:
    """A label for each sign, by its name: to the right where there is room, else wherever least of it is hidden. Who
    comes later makes room for who came before, and the other way round on the next pass."""
    signs = [*taken, *(mark.box for mark in marks)]
    labels: dict[str, MapLabel] = {}
    for mark in PASSES * (*marks, *reversed(marks)):
        others = [*signs, *(label.box for name, label in labels.items() if name != mark.name)]
        labels[mark.name] = min(_spots(mark), key=partial(_hidden, whole, others))
    return labels


def _hidden(whole: MapBox, others: Iterable[MapBox], label: MapLabel) -> float:
    """How much of a label could not be read: what lies over something else or off the map."""
    return round(sum(label.box.overlap(other) for other in others) + label.box.area - label.box.overlap(whole), 3)


def _spots(mark: MapMark) -> Iterable[MapLabel]:
    """Beside the sign, above and below it, at its corners: the farther from it, the later."""
    wide, high, gap = LETTER * mark.size * len(mark.name), LINE * mark.size, mark.reach + GAP
    right, left, middle = ("start", gap, 0.0), ("end", -gap, wide), ("middle", 0.0, wide / 2)
    above, below = -gap - high / 2, gap + high / 2
    for (anchor, aside, back), rise in (
        *((right, 0.0), (left, 0.0), (middle, above), (middle, below)),
        *product((right, left), (above, below)),
    ):
        x, y = mark.x + aside, mark.y + rise
        box = MapBox(x - back, y - high / 2, x - back + wide, y + high / 2)
        yield MapLabel(round(x, 2), round(y + 0.35 * mark.size, 2), anchor, box)


def slug_of(name: str) -> str:
    """
    >>> slug_of("The Corn Hall, Port Merrow")
    'the-corn-hall-port-merrow'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def yards(row: sqlite3.Row, x: int = 0, y: int = 0) -> int:
    """How far a place is from another on a map of steps of fifty yards, as the crow flies and rounded to ten."""
    return round(5 * hypot(row["x"] - x, row["y"] - y)) * 10
