"""What the script in the page tells of elements, as the project's own values."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from workalike.core.contracts import Spot
from workalike.core.observation import Beyond, Element
from workalike.core.screen import Box


class ForeignFrame(msgspec.Struct, frozen=True, array_like=True):
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
    frame: ForeignFrame | None = None
    node: str = ""
    around: tuple[str, ...] = ()


class _Look(msgspec.Struct, frozen=True, array_like=True):
    title: str
    beyond: tuple[float | None, float | None, float | None, float | None] | None = None
    elements: tuple[_Seen, ...] | None = None
    frames: tuple[str, ...] = ()


class PageElements(msgspec.Struct, frozen=True):
    """The title and the numbered elements of a page, what there is to scroll to, and the frames of other sites that are
    to be seen on it."""

    title: str | None = None
    beyond: Beyond | None = None
    elements: tuple[Element, ...] | None = None
    frames: tuple[str, ...] = ()


class Touched(msgspec.Struct, frozen=True):
    """The element an action goes to, and whether what is typed there must stay secret; None is not known. `frame` tells
    where to ask for more, `node` and `around` which of several it is (see `Spot`)."""

    element: Element | None = None
    secret: bool | None = False
    frame: ForeignFrame | None = None
    node: str = ""
    around: tuple[str, ...] = ()

    @property
    def spot(self) -> Spot | None:
        one = self.element
        return None if one is None else Spot(one.role, one.name, self.node, self.around)


_LOOK = msgspec.json.Decoder(_Look)
_SEEN = msgspec.json.Decoder(_Seen | None)
_LYING = msgspec.json.Decoder(tuple[_Seen | None, ...])


def read_look(answer: str | None) -> PageElements:
    """What the page has told of itself."""
    if answer is None:
        return PageElements()
    look = _LOOK.decode(answer)
    beyond = look.beyond and Beyond(*(side or 0 for side in look.beyond))
    if look.elements is None:
        return PageElements(look.title, beyond)
    elements = tuple(_element(seen, number) for number, seen in enumerate(look.elements, 1))
    return PageElements(look.title, beyond, elements, look.frames)


def read_touched(answer: str | None) -> Touched:
    return _touched(_SEEN.decode(answer) if answer is not None else None)


def read_lying(answer: str | None) -> tuple[Touched, ...]:
    """What lies at each of some places; nothing where the page has not answered."""
    return tuple(_touched(seen) for seen in _LYING.decode(answer)) if answer is not None else ()


def _touched(seen: _Seen | None) -> Touched:
    return Touched() if seen is None else Touched(_element(seen), seen.secret, seen.frame, seen.node, seen.around)


def placed(element: Element, view: Box) -> Element:
    """An element of something that lies in a part of something larger, by its place there."""
    return replace(element, box=element.box and element.box.within(view))


def read_focus(answer: str | None) -> Touched:
    """What is typed into; where nobody answers it must be taken for a secret."""
    return Touched(None, True) if answer is None else read_touched(answer)


def _element(seen: _Seen, mark: int | None = None) -> Element:
    return Element(seen.role, seen.name, seen.box, mark, seen.value, seen.tag, seen.selector or None, seen.states)
