"""Dead keys and compose sequences: what character several keys make together, by the tables of the X locale."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from workalike.env.desktop.keymap import is_dead, spacing, symbol_by_name

_TABLES = (
    Path("/usr/share/X11/locale/en_US.UTF-8/Compose"),
    Path("/usr/lib/X11/locale/en_US.UTF-8/Compose"),
    Path("/usr/local/share/X11/locale/en_US.UTF-8/Compose"),
)
_COMPOSE_KEY = 0xFF20
_RULE = re.compile(r'^((?:<\w+>\s*)+):\s*"((?:[^"\\]|\\.)*)"')
_KEY = re.compile(r"<(\w+)>")
_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
_ACCENTS = {"´": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "¨": "\u0308"}


class Sequences:
    """Which keys, one after the other, make which character."""

    def __init__(self, rules: dict[tuple[int, ...], str]) -> None:
        self.rules = rules
        self.beginnings = {keys[:n] for keys in rules for n in range(1, len(keys))}


class Composer:
    """Follows the keys somebody types and answers what each of them adds to the text."""

    def __init__(self, sequences: Sequences | None = None) -> None:
        self._given = sequences
        self._begun: tuple[int, ...] = ()

    def feed(self, symbol: int, text: str) -> str:
        """What a key adds; nothing while a sequence is under way. Modifiers must not be fed."""
        if not self._begun and not is_dead(symbol) and symbol != _COMPOSE_KEY:
            return text
        known = self._given if self._given is not None else locale_sequences()
        sequence = (*self._begun, symbol)
        if sequence in known.rules:
            self._begun = ()
            return known.rules[sequence]
        if sequence in known.beginnings or (is_dead(symbol) and not self._begun):
            self._begun = sequence
            return ""
        begun, self._begun = self._begun, ()
        return _without_table(begun, text)

    def forget(self) -> None:
        """Leave off a sequence under way: the focus went elsewhere."""
        self._begun = ()


@cache
def locale_sequences() -> Sequences:
    """The sequences of the locale, and the user's own on top; empty where neither is installed."""
    files = [next((path for path in _TABLES if path.exists()), None), Path.home() / ".XCompose"]
    rules: dict[tuple[int, ...], str] = {}
    for path in files:
        if path is not None and path.exists():
            rules |= read_rules(path.read_text("utf-8", "replace"))
    return Sequences(rules)


def read_rules(text: str) -> dict[tuple[int, ...], str]:
    """The rules of a Compose file.

    >>> read_rules('<dead_acute> <e> : "é" eacute') == {(0xFE51, 0x65): "é"}
    True
    """
    rules: dict[tuple[int, ...], str] = {}
    for line in text.splitlines():
        rule = _RULE.match(line.strip())
        if rule is None:
            continue
        symbols = tuple(symbol_by_name(name) or 0 for name in _KEY.findall(rule[1]))
        if all(symbols):
            rules[symbols] = _ESCAPE.sub(_unescape, rule[2])
    return rules


def _without_table(begun: tuple[int, ...], text: str) -> str:
    """What programs make of a sequence no table knows: the accented letter if there is one, else both signs."""
    accent = spacing(begun[-1])
    if len(begun) != 1 or not text.isprintable() or not text:
        return ""
    joined = unicodedata.normalize("NFC", text + _ACCENTS.get(accent, ""))
    return joined if len(joined) == 1 and accent in _ACCENTS else accent + text


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code, 8)) if code.isdigit() and len(code) == 3 else code
