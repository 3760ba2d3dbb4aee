"""A keyboard's layout, read both ways."""

from __future__ import annotations

import subprocess

import pytest

from tests.programs import needs
from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.env.desktop_display import VirtualDesktop, connect
from workalike.env.desktop_keymap import (
    ALT,
    CONTROL,
    LOCK,
    SHIFT,
    Keymap,
    character,
    key_name,
    spacing,
    symbol_by_name,
    symbol_named,
    symbol_of,
)

# plain, shifted, the second group's, and those with AltGr
ROWS = {
    10: (0x31, 0x21, 0x31, 0x21, 0xB9, 0xA1),
    21: (0xFE51, 0xFE50),
    26: (0x65, 0x45, 0x6D5, 0x6F5, 0x20AC, 0x20AC),
    36: (0xFF0D, 0, 0xFF0D),
    50: (0xFFE1,),
    79: (0xFF95, 0xFFB7),
    90: (0, 0, 0, 0),
}
KEYMAP = Keymap(ROWS)
GROUP_2, ALTGR, NUMLOCK = 1 << 13, 1 << 7, 1 << 4


@pytest.mark.parametrize(
    ("keycode", "state", "key", "text"),
    [
        (26, 0, "e", "e"),
        (26, SHIFT, "e", "E"),
        (26, LOCK, "e", "E"),
        (26, LOCK | SHIFT, "e", "e"),
        (26, ALTGR, "e", "€"),
        (26, GROUP_2, "у", "у"),
        (26, GROUP_2 | SHIFT, "у", "У"),
        (26, GROUP_2 | CONTROL, "e", ""),
        (26, CONTROL, "e", ""),
        (26, ALT, "e", ""),
        (10, SHIFT, "1", "!"),
        (10, LOCK, "1", "1"),
        (10, ALTGR | SHIFT, "1", "¡"),
        (21, 0, "´", ""),
        (21, SHIFT, "´", ""),
        (36, SHIFT, "enter", ""),
        (50, 0, "shiftleft", ""),
        (79, 0, "home", ""),
        (79, NUMLOCK, "num7", "7"),
        (79, NUMLOCK | SHIFT, "home", ""),
        (90, 0, "", ""),
        (200, 0, "", ""),
    ],
)
def test_strokes(keycode: int, state: int, key: str, text: str) -> None:
    stroke = KEYMAP.stroke(keycode, state)
    assert (stroke.key, stroke.text) == (key, text)


def test_finding_a_symbol_takes_the_fewest_modifiers() -> None:
    assert KEYMAP.find(0x65) == (26, 0)
    assert KEYMAP.find(0x45) == (26, SHIFT)
    assert KEYMAP.find(0x20AC) == (26, ALTGR)
    assert KEYMAP.find(0x1234) is None
    assert KEYMAP.spare() == [90]


def test_names_and_characters() -> None:
    assert [key_name(symbol_named(key)) for key in ("enter", "esc", "pagedown", "f5", "ctrl", "num3", "volumeup")] == [
        *("enter", "esc", "pagedown", "f5", "ctrlleft", "num3", "volumeup")
    ]
    assert [character(symbol_of(text)) for text in "aÄ€ж漢🙂 "] == list("aÄ€ж漢🙂 ")
    assert (symbol_of("\n"), symbol_of("\t")) == (symbol_named("enter"), symbol_named("tab"))
    assert spacing(symbol_by_name("dead_circumflex") or 0) == "^"
    assert symbol_by_name("U20AC") == 0x10020AC
    assert symbol_by_name("nosuchsymbol") is None
    with pytest.raises(BadInput, match="no key 'nosuchkey'"):
        symbol_named("nosuchkey")


@pytest.mark.parametrize("layout", ["us", "de", "fr", "us,ru"])
def test_every_character_of_a_real_layout_is_found_where_it_is(layout: str) -> None:
    needs("Xvfb")
    with VirtualDesktop(Size(200, 100), window_manager=False, bus=False) as desktop:
        subprocess.run(["setxkbmap", layout], env=desktop.environ, check=True)
        keymap = Keymap.of(connect(desktop.name))
    found = 0
    for text in "abcxyzABCXYZ0123456789!\"$%&/()=?{}[]\\@€äöüßéèçàù^~#'+*-_.:,;<> ":
        place = keymap.find(symbol_of(text))
        if place is not None:
            assert keymap.stroke(*place).text == text
            found += 1
    assert found > 50
    assert len(keymap.spare()) > 5
