"""A keyboard's layout, read both ways."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import needs
from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.env.desktop.display import VirtualDesktop, connect
from workalike.env.desktop.keymap import (
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


def test_every_character_is_typed_by_a_symbol_that_means_it() -> None:
    characters = [chr(code) for code in range(0x20, 0x30000) if chr(code).isprintable()]
    assert [text for text in characters if character(symbol_of(text)) != text] == []


@pytest.mark.parametrize(
    ("name", "symbol", "text"),
    [
        *(("Aogonek", 0x1A1, "Ą"), ("hstroke", 0x2B1, "ħ"), ("kana_A", 0x4B1, "ア"), ("Arabic_alef", 0x5C7, "ا")),
        *(("Cyrillic_zhe", 0x6D6, "ж"), ("Greek_OMEGA", 0x7D9, "Ω"), ("radical", 0x8D6, "√"), ("emdash", 0xAA9, "—")),
        *(("hebrew_shin", 0xCF9, "ש"), ("Thai_kokai", 0xDA1, "ก"), ("Hangul_A", 0xEBF, "ㅏ"), ("oe", 0x13BD, "œ")),
        *(("EuroSign", 0x20AC, "€"), ("Georgian_an", 0x10010D0, "ა"), ("braille_dots_12", 0x1002803, "⠃")),
    ],
)
def test_symbols_of_every_script_are_known(name: str, symbol: int, text: str) -> None:
    assert (symbol_by_name(name), character(symbol)) == (symbol, text)


@pytest.mark.parametrize(
    ("name", "accent"),
    [
        *(
            ("dead_grave", "`"),
            ("dead_acute", "´"),
            ("dead_circumflex", "^"),
            ("dead_tilde", "~"),
            ("dead_macron", "¯"),
        ),
        *(("dead_breve", "˘"), ("dead_abovedot", "˙"), ("dead_diaeresis", "¨"), ("dead_abovering", "˚")),
        *(("dead_doubleacute", "˝"), ("dead_caron", "ˇ"), ("dead_cedilla", "¸"), ("dead_ogonek", "˛")),
        *(("dead_iota", "ͺ"), ("dead_belowdot", "\u0323"), ("dead_horn", "\u031b"), ("dead_currency", "")),
    ],
)
def test_dead_keys_draw_nothing_and_have_their_accent(name: str, accent: str) -> None:
    symbol = symbol_by_name(name)
    assert symbol is not None
    assert (character(symbol), spacing(symbol)) == ("", accent)


def test_every_name_in_the_tables_of_the_locale_is_known() -> None:
    table = "/usr/share/X11/locale/en_US.UTF-8/Compose"
    needs(table)
    rules = [line.partition(":")[0] for line in Path(table).read_text("utf-8").splitlines() if line.startswith("<")]
    names = {name for rule in rules for name in re.findall(r"<(\w+)>", rule)}
    assert len(names) > 500
    assert sorted(name for name in names if symbol_by_name(name) is None) == []


def test_nothing_on_linux_takes_pynput() -> None:
    code = "import sys; sys.modules['pynput'] = None; from workalike.env.desktop.keymap import key_name; "
    code += "print(key_name(0x6d6))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "ж\n"


@pytest.mark.parametrize("layout", ["us", "de", "fr", "us,ru"])
def test_every_character_of_a_real_layout_is_found_where_it_is(layout: str) -> None:
    needs("Xvfb", "setxkbmap")
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
