"""What the script in the page tells of elements, as the project's own values."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from workalike.core.observation import Element
from workalike.core.screen import Box


class Frame(msgspec.Struct, frozen=True, array_like=True):
    """A frame of another site: which of the windows it holds, and where that lies in the one around it."""

    path: str | None
    place: Box


class _Seen(msgspec.Struct, frozen=True, array_like=True):
    role: str
    name: str
    box: Box | None
    value: str | None
    tag: str
    states: tuple[str, ...]
    selector: str | None = None
    secret: bool | None = False
    frame: Frame | None = None


class _Look(msgspec.Struct, frozen=True, array_like=True):
    title: str
    elements: tuple[_Seen, ...] | None = None
    frames: tuple[str, ...] = ()


class Look(msgspec.Struct, frozen=True):
    """The title and the numbered elements of a page, and the frames of other sites that are to be seen on it."""

    title: str | None = None
    elements: tuple[Element, ...] | None = None
    frames: tuple[str, ...] = ()


class Touched(msgspec.Struct, frozen=True):
    """The element an action goes to, and whether what is typed there must stay secret; None is not known. `frame` tells
    where to ask for more."""

    element: Element | None = None
    secret: bool | None = False
    frame: Frame | None = None


_LOOK = msgspec.json.Decoder(_Look)
_SEEN = msgspec.json.Decoder(_Seen | None)


def read_look(answer: str | None) -> Look:
    """What the page has told of itself."""
    if answer is None:
        return Look()
    look = _LOOK.decode(answer)
    if look.elements is None:
        return Look(look.title)
    elements = tuple(_element(seen, number) for number, seen in enumerate(look.elements, 1))
    return Look(look.title, elements, look.frames)


def read_touched(answer: str | None) -> Touched:
    seen = _SEEN.decode(answer) if answer is not None else None
    return Touched() if seen is None else Touched(_element(seen), seen.secret, seen.frame)


def placed(element: Element, view: Box) -> Element:
    """An element of something that lies in a part of something larger, by its place there."""
    return replace(element, box=element.box and element.box.within(view))


def read_focus(answer: str | None) -> Touched:
    """What is typed into; where nobody answers it must be taken for a secret."""
    return Touched(None, True) if answer is None else read_touched(answer)


def _element(seen: _Seen, mark: int | None = None) -> Element:
    return Element(seen.role, seen.name, seen.box, mark, seen.value, seen.tag, seen.selector or None, seen.states)
