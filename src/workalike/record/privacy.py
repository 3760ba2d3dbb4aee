"""What must not be kept: characters typed into password fields, and the places on the screen where those fields are.

Programs say a little late what has the keyboard. Events and frames are therefore held for a moment before they are
written, and a focus that turns out to be a password field counts from the click or key that led to it.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterable
from typing import Literal, TypeVar

import msgspec
import numpy as np

from workalike.core.recording import ButtonChanged, Event, KeyChanged, TreeNode
from workalike.env.desktop.accessibility import UNKNOWABLE, Focus
from workalike.env.desktop.atspi import PASSWORD, Rectangle
from workalike.env.desktop.elements import inside, walk
from workalike.env.desktop.windows import Window
from workalike.store.recording_video import Pixels

Secrecy = Literal["open", "secret", "unknown"]
Known = TypeVar("Known")

_LEADS_ELSEWHERE = {"tab", "enter", "esc", "up", "down", "left", "right", "f6", "f10"}
_KEYPAD = {*(f"num{n}" for n in range(10)), "add", "subtract", "multiply", "divide", "decimal", "separator"}
_SHIFTING = {"shift", "shiftleft", "shiftright", "altgr", "capslock"}
_QUICK = 0.25
_FIELD_ROLES = {"text", "entry", PASSWORD}
_RIM = 2  # a field's border stays, so that it is still seen to be one


class _Change(msgspec.Struct, frozen=True):
    """From `since` on, what is typed in a program is open, secret or nobody knows."""

    since: float
    pid: int
    secrecy: Secrecy


class RegionLog:
    """Which places were secret since when."""

    def __init__(self) -> None:
        self._log: list[tuple[float, frozenset[Rectangle]]] = []

    def note(self, time: float, boxes: frozenset[Rectangle]) -> None:
        """Note what is secret since a time, which may be before that of the last note: programs answer late."""
        place = bisect_right(self._log, time, key=lambda entry: entry[0])
        if not place or self._log[place - 1][1] != boxes:
            self._log.insert(place, (time, boxes))

    def at(self, time: float) -> frozenset[Rectangle]:
        """The places that were known at a time or have become known since."""
        earlier = [boxes for since, boxes in self._log if since <= time][-1:]
        later = [boxes for since, boxes in self._log if since > time]
        return frozenset().union(*earlier, *later)

    def forget(self, before: float) -> None:
        self._log = _since(self._log, before)


class Secrets:
    """Knows at which times typing was secret. Times are on the recording's clock; any thread may tell and ask."""

    def __init__(self, mask_unknown: bool = False) -> None:
        self._mask_unknown = mask_unknown
        self._lock = threading.RLock()
        self._changes: list[_Change] = []
        self._windows: list[tuple[float, int | None]] = []
        self._causes: list[float] = []
        self._masked_down: set[str] = set()
        self._with_windows: set[int] = set()
        self._regions: dict[int, set[Rectangle]] = {}
        self._there: tuple[Window, ...] = ()
        self._there_since = 0.0
        self._homes: dict[tuple[int, Rectangle], int] = {}
        self._region_log = RegionLog()

    def window(self, time: float, pid: int | None) -> float:
        """Another window became active, as was noticed at `time`; answers since when it is."""
        with self._lock:
            since = self._cause_before(time, _QUICK) or time
            self._windows.append((since, pid))
            return since

    def focus(self, time: float, focus: Focus) -> None:
        """Something got the keyboard, as we heard at `time`."""
        with self._lock:
            role = focus.node.role
            secrecy: Secrecy = "secret" if focus.secret else "unknown" if role in UNKNOWABLE else "open"
            latest = self._cause_before(time, float("inf") if focus.secret else _QUICK)
            self._changes.append(_Change(time if latest is None else latest, focus.pid, secrecy))
            if focus.secret:
                self.field(time, focus.pid, focus.node)

    def focus_in_tree(self, time: float, pid: int, node: TreeNode | None) -> None:
        """A tree shows what has the keyboard: worth noting where no announcement has told."""
        with self._lock:
            if node is not None and not any(change.pid == pid for change in self._changes):
                self.focus(time, Focus(time, pid, node))

    def cause(self, event: Event) -> None:
        """Note an event that may move the focus, as soon as it happens."""
        with self._lock:
            moves = isinstance(event, ButtonChanged) or (isinstance(event, KeyChanged) and _may_lead_elsewhere(event))
            if moves and getattr(event, "down", True):
                self._causes.append(event.time)

    def field(self, time: float, pid: int, node: TreeNode) -> None:
        """A password field has been seen."""
        with self._lock:
            if node.role == PASSWORD and node.box is not None:
                self._regions.setdefault(pid, set()).add(node.box)
                self._house(pid, node.box, None)
                self._log(time)

    def tree(self, time: float, pid: int, root: TreeNode, window: int | None = None) -> None:
        """A whole window has been seen. A field that was secret stays so while something stands in its place, even when
        it now shows what was typed."""
        with self._lock:
            if window is not None and self._there and window not in {each.id for each in self._there}:
                self._closed(time, root)
                return
            fields = [node for node in walk(root) if node.role in _FIELD_ROLES and node.box is not None]
            boxes = {node.box for node in fields if node.box}
            kept = self._regions.get(pid, set()) & boxes
            self._regions[pid] = kept | {node.box for node in fields if node.role == PASSWORD and node.box}
            for box in self._regions[pid]:
                self._house(pid, box, window)
            self._log(time)

    def _closed(self, time: float, root: TreeNode) -> None:
        """A window told of itself and was gone when it had: what it showed was secret until then."""
        now = self._places()
        boxes = {node.box for node in walk(root) if node.role == PASSWORD and node.box is not None}
        self._region_log.note(time, now | boxes)
        self._region_log.note(max(time, self._there_since), now)

    def there(self, time: float, windows: Iterable[Window]) -> bool:
        """Only these windows stand on the screen now: a place that belonged to another one is no secret any more.
        Answers whether there was such a place."""
        with self._lock:
            before = self._places()
            self._there, self._there_since = tuple(windows), time
            standing = {window.id for window in self._there}
            for pid, boxes in self._regions.items():
                self._regions[pid] = {box for box in boxes if self._homes.get((pid, box)) in (None, *standing)}
            self.gone(time, {window.pid for window in self._there if window.pid is not None})
            return self._places() != before

    def gone(self, time: float, alive: set[int]) -> None:
        """Only these programs still have windows."""
        with self._lock:
            self._with_windows = alive
            self._regions = {pid: boxes for pid, boxes in self._regions.items() if pid in alive}
            self._log(time)

    def secrecy(self, time: float) -> Secrecy:
        with self._lock:
            pid = next((pid for since, pid in reversed(self._windows) if since <= time), None)
            for change in reversed(self._changes):
                if change.since <= time and self._may_be(change.pid, pid):
                    return change.secrecy
            return "unknown"

    def masked(self, event: Event) -> Event | None:
        """An event as it may be kept, None for a shift that would tell capitals. A key that was pressed in secret is
        also released in secret."""
        with self._lock:
            if not isinstance(event, KeyChanged) or not types(event):
                return event
            if event.down and self._is_secret(event.time):
                self._masked_down.add(event.key)
            elif event.down or event.key not in self._masked_down:
                return event
            else:
                self._masked_down.discard(event.key)
            if event.key in _SHIFTING:
                return None
            return KeyChanged(event.time, "", event.down, masked=True, repeat=event.repeat)

    def regions(self, time: float) -> frozenset[Rectangle]:
        """The places of password fields that were known at a time or have become known since."""
        with self._lock:
            return self._region_log.at(time)

    def forget(self, before: float) -> None:
        """Drop what no event or frame from now on can need."""
        with self._lock:
            self._causes = [time for time in self._causes if time >= before - 10]
            self._region_log.forget(before)
            self._windows = _since(self._windows, before)
            newest: dict[int, _Change] = {change.pid: change for change in self._changes if change.since <= before}
            later = [change for change in self._changes if change.since > before]
            self._changes = sorted(newest.values(), key=lambda change: change.since) + later

    def _may_be(self, pid: int, active: int | None) -> bool:
        """Whether a program is the active one. One without any window is in a sandbox, where it counts differently."""
        return active is None or pid == active or (bool(self._with_windows) and pid not in self._with_windows)

    def _is_secret(self, time: float) -> bool:
        secrecy = self.secrecy(time)
        return secrecy == "secret" or (secrecy == "unknown" and self._mask_unknown)

    def _cause_before(self, time: float, within: float) -> float | None:
        """The last click or key before a time that may have led there, if none of the changes used it up."""
        latest = max((cause for cause in self._causes if cause <= time), default=None)
        return latest if latest is not None and time - latest <= within else None

    def _house(self, pid: int, box: Rectangle, window: int | None) -> None:
        """Remember which window a place belongs to; where nobody says, the smallest of the program's around it."""
        x, y = box[0] + box[2] // 2, box[1] + box[3] // 2
        around = [each for each in self._there if each.pid == pid and inside(each.box, (x, y))]
        found = min(around, key=lambda each: each.box[2] * each.box[3], default=None)
        home = window if window is not None else found.id if found is not None else None
        if home is not None:
            self._homes[pid, box] = home

    def _log(self, time: float) -> None:
        self._region_log.note(time, self._places())

    def _places(self) -> frozenset[Rectangle]:
        return frozenset(box for boxes in self._regions.values() for box in boxes)


def blurred(pixels: Pixels, regions: Iterable[Rectangle], origin: tuple[int, int] = (0, 0)) -> Pixels:
    """A picture with some places made unreadable: each is filled with the one colour most of it has."""
    places = [_clip(region, origin, pixels.shape) for region in regions]
    if not any(places):
        return pixels
    pixels = pixels.copy()
    for place in filter(None, places):
        left, top, right, bottom = place
        patch = pixels[top:bottom, left:right]
        patch[...] = np.median(patch.reshape(-1, patch.shape[-1]), axis=0).astype(np.uint8)
    return pixels


def _clip(region: Rectangle, origin: tuple[int, int], shape: tuple[int, ...]) -> Rectangle | None:
    x, y, width, height = region
    rim = _RIM if min(width, height) > 4 * _RIM else 0
    left, top = max(0, x - origin[0] + rim), max(0, y - origin[1] + rim)
    right = min(shape[1], x - origin[0] + width - rim)
    bottom = min(shape[0], y - origin[1] + height - rim)
    return (left, top, right, bottom) if left < right and top < bottom else None


def types(event: KeyChanged) -> bool:
    """Whether a key could be part of a password."""
    return bool(event.text) or len(event.key) == 1 or event.key in ("space", *_KEYPAD, *_SHIFTING)


def _may_lead_elsewhere(event: KeyChanged) -> bool:
    return event.key in _LEADS_ELSEWHERE or bool({"ctrl", "alt", "win"} & set(event.modifiers))


def _since(log: list[tuple[float, Known]], before: float) -> list[tuple[float, Known]]:
    """The entries after a time, and the one in force at it."""
    earlier = [entry for entry in log if entry[0] <= before]
    return earlier[-1:] + [entry for entry in log if entry[0] > before]
