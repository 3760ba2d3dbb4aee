"""What was captured of a person: input events on one clock, in segments of one screen size each.

Times are seconds on the clock that also stamps the frames; places are pixels of the segment's own screen, so that
nothing is rounded away before the reducer has seen it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from workalike.core.actions import Button
from workalike.core.observation import Element
from workalike.core.program import Program
from workalike.core.provenance import Provenance
from workalike.core.screen import Size
from workalike.core.task import Task


class _Event(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="event"):
    """Common ground of all events; never met itself."""

    time: float


class PointerMoved(_Event, frozen=True, tag="move"):
    """The pointer came to a place."""

    x: float
    y: float


class ButtonChanged(_Event, frozen=True, tag="button"):
    """A mouse button went down or up; `hit` is the element under the pointer where it is known."""

    x: float
    y: float
    button: Button
    down: bool
    modifiers: tuple[str, ...] = ()
    hit: Element | None = None


class WheelTurned(_Event, frozen=True, tag="scroll"):
    """The wheel turned, in notches: positive `dy` shows what is further down, positive `dx` what is further right."""

    x: float
    y: float
    dx: float
    dy: float
    modifiers: tuple[str, ...] = ()
    hit: Element | None = None


class KeyChanged(_Event, frozen=True, tag="key"):
    """A key went down or up. `key` is its canonical name, `text` what it produced under the layout in force (empty
    for a dead key or a modifier, several characters for an input method's commit). A masked key has lost both."""

    key: str
    down: bool
    text: str = ""
    modifiers: tuple[str, ...] = ()
    masked: bool = False
    repeat: bool = False


class WindowChanged(_Event, frozen=True, tag="window"):
    """Another window became active, or its title changed."""

    title: str
    program: str = ""


class PageChanged(_Event, frozen=True, tag="page"):
    """In a browser recording: another page, or another address."""

    url: str
    title: str = ""


class Paused(_Event, frozen=True, tag="pause"):
    """The person paused the recording; nothing is captured until it is resumed."""


class Resumed(_Event, frozen=True, tag="resume"):
    """The recording goes on."""


Event = PointerMoved | ButtonChanged | WheelTurned | KeyChanged | WindowChanged | PageChanged | Paused | Resumed


class SegmentHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """One stretch of a recording on a screen of one size. `origin` is where that screen's corner lies on the desktop,
    `frame_size` the size of the encoded frames where it differs, `monitors` the left, top, width and height of each
    monitor that the screen spans. `shown` is the part of the screen, from its corner, that the frames show where that
    isn't all of it: some recorders keep their canvas when the resolution changes."""

    index: int
    screen: Size
    start: float
    scale: float = 1.0
    origin: tuple[int, int] = (0, 0)
    frame_size: Size | None = None
    layout: str | None = None
    monitors: tuple[tuple[int, int, int, int], ...] = ()
    shown: Size | None = None


class RecordingHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a recording is of. `settings` are the thresholds and double-click times of the system it was made on,
    `programs` those that had windows when it began."""

    id: str
    task: Task
    system: str
    started: str
    kind: str = "desktop"
    settings: dict[str, Any] = {}
    provenance: Provenance | None = None
    programs: tuple[Program, ...] = ()


class FrameMark(msgspec.Struct, frozen=True, omit_defaults=True):
    """One frame of a segment's video: when the screen looked like this, and the time stamp (milliseconds since the
    first frame) by which the video knows it. `pointer` is where the pointer was; it is not painted into the frame
    unless that was asked for. A `repeat` shows nothing new: the screen was still as in the frame before."""

    time: float
    pts: int
    key: bool = False
    pointer: tuple[int, int] | None = None
    repeat: bool = False


class TreeNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """One node of an accessibility tree. `box` is left, top, width and height in pixels of the segment's screen."""

    role: str
    name: str = ""
    box: tuple[int, int, int, int] | None = None
    value: str | None = None
    states: tuple[str, ...] = ()
    children: tuple[TreeNode, ...] = ()


class Tree(msgspec.Struct, frozen=True, omit_defaults=True):
    """The accessibility tree of the active window at one time, and what prompted the look (`focus`, `settled`).
    `cut` names the limit that ended the walk early, if one did."""

    time: float
    why: str
    root: TreeNode
    title: str = ""
    program: str = ""
    nodes: int = 0
    cut: str | None = None


class RecordingEnd(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a recording ended. `counts` says how many frames, events and trees were kept, and how many of each were
    dropped, lost or failed, by name. A recording without an end was cut off."""

    time: float
    reason: str
    detail: str = ""
    counts: dict[str, int] = {}
