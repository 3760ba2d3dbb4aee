"""Every key name of the project has a meaning in the browser, or is refused in words."""

from __future__ import annotations

import pytest

from workalike.core.actions import Back, CloseTab
from workalike.core.errors import ActionFailed
from workalike.core.keyboard import _NAMED
from workalike.env.keys import NEXT_TAB, RELOAD, browser_key, chord_key, shortcut


def means_something(name: str) -> bool:
    try:
        return bool(browser_key(name))
    except ActionFailed:
        return False


def test_every_named_key_is_known_or_refused_in_words() -> None:
    refused = {name for name in _NAMED if not means_something(name)}
    assert refused.isdisjoint({"enter", "esc", "f12", "num0", "ctrlleft", "altgr", "apps", "add", "pageup"})


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Return", "Enter"),
        ("a", "a"),
        ("A", "A"),
        ("$", "$"),
        ("cmd", "Control"),
        ("super", "Meta"),
        ("num7", "7"),
        ("é", ""),
    ],
)
def test_names_of_other_families(name: str, key: str) -> None:
    assert browser_key(name) == key


@pytest.mark.parametrize(
    ("name", "key"), [("a", "KeyA"), ("A", "KeyA"), ("1", "Digit1"), ("/", "Slash"), ("enter", "Enter")]
)
def test_keys_of_a_chord_are_places(name: str, key: str) -> None:
    assert chord_key(name) == key


def test_shortcuts_in_any_spelling() -> None:
    assert shortcut(("alt", "left")) == Back()
    assert shortcut(("Control_L", "R")) == RELOAD
    assert shortcut(("shift", "ctrl", "r")) == RELOAD
    assert shortcut(("cmd", "w")) == CloseTab()
    assert shortcut(("ctrl", "Tab")) == NEXT_TAB
    assert shortcut(("ctrl", "c")) is None
    assert shortcut(("left",)) is None
