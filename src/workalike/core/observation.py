"""What was seen: a picture by reference, and what the environment knows about the screen it shows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

import msgspec

from workalike.core.screen import Box, Point, Size

Kind = Literal["viewport", "page", "desktop"]
DialogKind = Literal["alert", "confirm", "prompt", "beforeunload", "file"]


class ImageRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture by name. The hash and size are known for pictures of our own; a picture in somebody else's
    archive may have neither."""

    name: str
    sha256: str | None = None
    size: Size | None = None

    @staticmethod
    def of(data: bytes, size: Size | None = None) -> ImageRef:
        """The reference of a picture of our own: its name is its content."""
        digest = hashlib.sha256(data).hexdigest()
        return ImageRef(f"{digest}.{extension(data)}", digest, size)


class Element(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something on the screen that a person could act on or read. `box` is None where its place isn't known. One that
    was asked for only when it had been acted on is `unsure`: something else may have stood there before."""

    role: str
    name: str = ""
    box: Box | None = None
    mark: int | None = None
    value: str | None = None
    tag: str | None = None
    selector: str | None = None
    states: tuple[str, ...] = ()
    unsure: bool = False


class TabInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """One open tab."""

    url: str
    title: str = ""
    active: bool = False


class Dialog(msgspec.Struct, frozen=True, omit_defaults=True):
    """A dialog that stands open. It is answered with the keyboard, as a person would: write, enter, escape.
    A file chooser lists the task's own files in `options`."""

    kind: DialogKind
    message: str = ""
    default: str = ""
    options: tuple[str, ...] = ()


class Beyond(msgspec.Struct, frozen=True, omit_defaults=True):
    """How much more of a page there is to scroll to on each side, in screens."""

    above: float = 0
    below: float = 0
    left: float = 0
    right: float = 0


class Observation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One look at the screen. Points in actions are fractions of `size`, which is this observation's own.

    `kind` is `page` for a full-page picture; `view` then says where the visible part lies in it. `beyond` is what a
    viewport leaves out; None is not known."""

    picture: ImageRef | None = None
    size: Size | None = None
    scale: float = 1.0
    kind: Kind = "viewport"
    view: Box | None = None
    url: str | None = None
    title: str | None = None
    tabs: tuple[TabInfo, ...] = ()
    dialog: Dialog | None = None
    pointer: Point | None = None
    elements: tuple[Element, ...] | None = None
    window: str | None = None
    time: float | None = None
    beyond: Beyond | None = None


_SAME_PLACE = 1e-9


def element_at(elements: Sequence[Element], place: Point) -> Element | None:
    """The marked element that a place stands for: the one whose centre it is, else the smallest around it.

    >>> card, button = Element("link", "Rossi", Box(0, 0, 1, 1), 1), Element("button", "Book", Box(0, 0, 0.4, 0.4), 2)
    >>> element_at((card, button), Point(0.2, 0.2)).name, element_at((card, button), Point(0.5, 0.5)).name
    ('Book', 'Rossi')
    """
    around = [(one.box, one) for one in elements if one.mark is not None and one.box and one.box.contains(place)]
    return min(around, key=lambda found: _fit(found[0], place))[1] if around else None


def _fit(box: Box, place: Point) -> tuple[bool, float]:
    return box.centre.distance(place) > _SAME_PLACE, box.width * box.height


_MAGIC = ((b"\x89PNG", "png"), (b"\xff\xd8\xff", "jpg"), (b"GIF8", "gif"))


def extension(data: bytes) -> str:
    """The file ending that a picture's first bytes call for."""
    for magic, ending in _MAGIC:
        if data.startswith(magic):
            return ending
    return "webp" if data[8:12] == b"WEBP" else "bin"
