"""What the script in the page tells of elements, as the project's own values."""

from __future__ import annotations

import msgspec

from understudy.core.observation import Element
from understudy.core.screen import Box


class _Seen(msgspec.Struct, frozen=True, array_like=True):
    role: str
    name: str
    box: Box | None
    value: str | None
    tag: str
    states: tuple[str, ...]
    selector: str | None = None
    secret: bool | None = False


class _Look(msgspec.Struct, frozen=True, array_like=True):
    title: str
    elements: tuple[_Seen, ...] | None = None


class Touched(msgspec.Struct, frozen=True):
    """The element an action goes to, and whether what is typed there must stay secret; None is not known."""

    element: Element | None = None
    secret: bool | None = False


_LOOK = msgspec.json.Decoder(_Look)
_SEEN = msgspec.json.Decoder(_Seen | None)


def read_look(answer: str | None) -> tuple[str | None, tuple[Element, ...] | None]:
    """The title and the numbered elements of a look at the page."""
    if answer is None:
        return None, None
    look = _LOOK.decode(answer)
    if look.elements is None:
        return look.title, None
    return look.title, tuple(_element(seen, number) for number, seen in enumerate(look.elements, 1))


def read_touched(answer: str | None) -> Touched:
    seen = _SEEN.decode(answer) if answer is not None else None
    return Touched() if seen is None else Touched(_element(seen), seen.secret)


def read_focus(answer: str | None) -> Touched:
    """What is typed into; where nobody answers it must be taken for a secret."""
    return Touched(None, True) if answer is None else read_touched(answer)


def _element(seen: _Seen, mark: int | None = None) -> Element:
    return Element(seen.role, seen.name, seen.box, mark, seen.value, seen.tag, seen.selector or None, seen.states)
