"""Dead keys and compose sequences make the characters that programs make of them."""

from __future__ import annotations

import pytest

from workalike.env.desktop.keymap import character, symbol_by_name, symbol_of
from workalike.record.compose import Composer, Sequences, locale_sequences, read_rules

TABLE = Sequences(read_rules('<dead_acute> <e> : "é"\n<Multi_key> <o> <c> : "©" # sign\n<dead_acute> <space> : "\'"'))


def typed(composer: Composer, *names: str) -> list[str]:
    symbols = [symbol_by_name(name) or symbol_of(name) for name in names]
    return [composer.feed(symbol, character(symbol)) for symbol in symbols]


@pytest.mark.parametrize(
    ("names", "added"),
    [
        (("a", "b"), ["a", "b"]),
        (("dead_acute", "e", "e"), ["", "é", "e"]),
        (("dead_acute", "space"), ["", "'"]),
        (("Multi_key", "o", "c"), ["", "", "©"]),
        (("dead_acute", "n"), ["", "ń"]),
        (("dead_acute", "x", "x"), ["", "´x", "x"]),
        (("dead_diaeresis", "u"), ["", "ü"]),
        (("Multi_key", "o", "q", "a"), ["", "", "", "a"]),
    ],
)
def test_sequences(names: tuple[str, ...], added: list[str]) -> None:
    assert typed(Composer(TABLE), *names) == added


def test_a_click_ends_a_sequence() -> None:
    composer = Composer(TABLE)
    assert typed(composer, "dead_acute") == [""]
    composer.forget()
    assert typed(composer, "e") == ["e"]


def test_rules_are_read_with_escapes_and_unknown_keys_left_out() -> None:
    rules = read_rules(
        'include "%L"\n<dead_acute> <nosuchkey> : "x"\n<Multi_key> <a> : "\\"" quotedbl\n<U20AC> <a> : "\\101"'
    )
    assert set(rules.values()) == {'"', "A"}


def test_the_locales_own_table() -> None:
    if not locale_sequences().rules:
        pytest.skip("there is no Compose table: install libx11-data")
    assert typed(Composer(), "dead_circumflex", "o", "dead_cedilla", "c") == ["", "ô", "", "ç"]
