"""What was seen: a picture by reference, and what the environment knows about the screen it shows."""

from __future__ import annotations

import hashlib
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
    """Something on the screen that a person could act on or read. `box` is None where its place isn't known."""

    role: str
    name: str = ""
    box: Box | None = None
    mark: int | None = None
    value: str | None = None
    tag: str | None = None
    selector: str | None = None
    states: tuple[str, ...] = ()


class Tab(msgspec.Struct, frozen=True, omit_defaults=True):
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


class Observation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One look at the screen. Points in actions are fractions of `size`, which is this observation's own.

    `kind` is `page` for a full-page picture; `view` then says where the visible part lies in it."""

    picture: ImageRef | None = None
    size: Size | None = None
    scale: float = 1.0
    kind: Kind = "viewport"
    view: Box | None = None
    url: str | None = None
    title: str | None = None
    tabs: tuple[Tab, ...] = ()
    dialog: Dialog | None = None
    pointer: Point | None = None
    elements: tuple[Element, ...] | None = None
    window: str | None = None
    time: float | None = None


_MAGIC = ((b"\x89PNG", "png"), (b"\xff\xd8\xff", "jpg"), (b"GIF8", "gif"))


def extension(data: bytes) -> str:
    """The file ending that a picture's first bytes call for."""
    for magic, ending in _MAGIC:
        if data.startswith(magic):
            return ending
    return "webp" if data[8:12] == b"WEBP" else "bin"
