"""Whatever a family calls a key, it is read back as that key."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from workalike.core.actions import Hotkey, Press
from workalike.core.errors import Unreadable
from workalike.core.keyboard import canonical
from workalike.dialects.keynames import BROWSER, CAPITALS, X11
from workalike.dialects.values import chord, keys


@pytest.mark.parametrize("names", [BROWSER, X11, CAPITALS], ids=["browser", "x11", "capitals"])
def test_spellings_are_read_back(names: Mapping[str, str]) -> None:
    assert {spelling: canonical(spelling) for spelling in names.values()} == {
        spelling: key for key, spelling in names.items()
    }


def test_chords() -> None:
    assert chord("Enter") == Press(("enter",))
    assert chord("A") == Press(("A",))
    assert chord(["Control", "A"]) == Hotkey(("ctrl", "a"))
    assert chord(["a", "B"]) == Hotkey(("a", "B"))
    assert chord("ctrl+shift+T") == Hotkey(("ctrl", "shift", "t"))
    assert keys("+") == ("+",)
    assert keys("ctrl++") == ("ctrl", "+")
    with pytest.raises(Unreadable, match="no key ''"):
        keys("+ctrl")
