"""Key names: one vocabulary, and every spelling of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.core.keyboard import canonical, modifier, spellings


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("Return", "enter"),
        ("ESCAPE", "esc"),
        ("ArrowLeft", "left"),
        ("Page_Down", "pagedown"),
        ("cmd", "command"),
        ("Super_L", "win"),
        (" ", "space"),
        ("A", "A"),
        ("é", "é"),
        ("minus", "-"),
        ("f12", "f12"),
        ("f25", None),
        ("hello", None),
        ("", None),
        ("\x00", None),
    ],
)
def test_spellings(spelling: str, name: str | None) -> None:
    assert canonical(spelling) == name


@given(st.text(max_size=12))
def test_canonical_is_idempotent(name: str) -> None:
    once = canonical(name)
    assert once is None or canonical(once) == once


@pytest.mark.parametrize(
    ("key", "acts_as"),
    [("shiftleft", "shift"), ("ctrl", "ctrl"), ("optionright", "alt"), ("left", None), ("altgr", None), ("a", None)],
)
def test_modifiers(key: str, acts_as: str | None) -> None:
    assert modifier(key) == acts_as


def test_every_spelling_is_understood() -> None:
    assert {"enter", "return", "pgdn", "ctrl"} <= spellings()
    assert all(canonical(name) for name in spellings())
