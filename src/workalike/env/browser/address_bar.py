"""The browser's address bar, which a screenshot of the page does not show: ctrl+l, an address or words, enter."""

from __future__ import annotations

from workalike.core.actions import (
    Action,
    Hotkey,
    KeyDown,
    KeyUp,
    Move,
    Press,
    ReadPage,
    Scroll,
    Search,
    Visit,
    Wait,
    Write,
)
from workalike.core.errors import ActionFailed
from workalike.core.keyboard import modifier
from workalike.env import keys

_BESIDE = (KeyUp, Move, ReadPage, Scroll, Wait)
_OPENED = ("about:", "data:", "file:", "javascript:", "view-source:")
_CARET = ("home", "end", "left", "right", "up", "down")


class AddressBar:
    """Takes the keyboard from when it is opened until enter, escape, tab, or anything done to the page."""

    def __init__(self) -> None:
        self.text: str | None = None
        self._selected = False

    def open(self, url: str) -> None:
        """The keyboard is in the bar, with the whole of the page's address selected."""
        self.text, self._selected = url, True

    def leave(self) -> None:
        self.text = None

    @property
    def said(self) -> str:
        """What the agent is told, who cannot see the bar."""
        if self.text is None:
            return "the address bar was left"
        return f"the address bar has the keyboard and holds {self.text!r}{' (selected)' if self._selected else ''}"

    def take(self, action: Action) -> Action | str | None:
        """What becomes of an action: a visit or a search that enter sets off, a text on what the bar took in, or None
        for an action that is not the bar's."""
        if self.text is None or isinstance(action, _BESIDE):
            return None
        match action:
            case Write(text=text):
                return self._go_or_tell(list(text.replace("\r\n", "\n")))
            case Press(keys=names) | Hotkey(keys=names) if len(names) == 1 or isinstance(action, Press):
                return self._pressed(names)
            case KeyDown(key=name):
                return None if modifier(keys.known(name)) else self._pressed((name,))
            case Hotkey(keys=names):
                return self._chord(names)
            case _:
                self.leave()
                return None

    def _pressed(self, names: tuple[str, ...]) -> Action | str | None:
        if len(names) == 1 and keys.shortcut(names) is not None:
            self.leave()
            return None
        return self._go_or_tell([keys.known(name) for name in names])

    def _chord(self, names: tuple[str, ...]) -> str | None:
        if keys.shortcut(names) is not None:
            self.leave()
            return None
        if keys.same(names, ("ctrl", "a")):
            self._selected = True
            return self.said
        raise ActionFailed(f"the address bar does nothing on {'+'.join(names)}: write into it, then enter or escape")

    def _go_or_tell(self, typed: list[str]) -> Action | str:
        for key in typed:
            if key in ("enter", "\n"):
                text, self.text = (self.text or "").strip(), None
                return goal(text) if text else self.said
            if key in ("esc", "tab", "\t"):
                self.leave()
                return self.said
            self._type(key)
        return self.said

    def _type(self, key: str) -> None:
        text = self.text or ""
        if key in ("backspace", "delete"):
            text = "" if self._selected else text[:-1] if key == "backspace" else text
        elif key == "space" or len(key) == 1:
            text = ("" if self._selected else text) + (" " if key == "space" else key)
        elif key not in _CARET:
            raise ActionFailed(f"the address bar does nothing on {key!r}: write into it, then enter or escape")
        self.text, self._selected = text, False


def goal(text: str) -> Action:
    """An address is visited; anything else is searched for.

    >>> goal("shop.town/cart"), goal("red shoes, size 4.5")
    (Visit(url='shop.town/cart'), Search(query='red shoes, size 4.5'))
    """
    host = text.split("/")[0].split("?")[0].split(":")[0]
    named = "." in host.strip(".") or host == "localhost"
    address = "://" in text or text.startswith(_OPENED) or named
    return Visit(text) if address and not any(map(str.isspace, text)) else Search(text)
