"""Striking secrets out of texts, however they are spelt there: as they are, escaped as in JSON, in an address or in
HTML (also one within the other), in base64 at any place, in hexadecimal."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_ESCAPES = ("\\", "%", "&#")
_ESCAPED = re.compile(
    r"(?P<units>(?:\\+u[0-9a-fA-F]{4})+)|(?P<bytes>(?:%(?:25)*[0-9a-fA-F]{2})+)"
    r"|&#(?:0*(?P<decimal>[0-9]{1,7})|[xX]0*(?P<hex>[0-9a-fA-F]{1,6}));|\\+"
)
_LONG = 8
"""From how many bytes on a secret is looked for in other alphabets; what is shorter would be found by chance."""
_SIXTY_FOUR = "[A-Za-z0-9+/_-]"


class Striker:
    """Strikes some secrets, each with what stands in its place, the longest first so that none leaves a part of
    another behind.

    >>> Striker({"a/b c": "…"}).text(r"as a\\/b\\u0020c and a%2Fb%20c")
    'as … and …'
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        ordered = sorted(secrets.items(), key=lambda pair: len(pair[0]), reverse=True)
        self._spellings = [one for secret, instead in ordered for one in _spellings(secret, instead)]

    def text(self, text: str) -> str:
        """A text without them."""
        bare = bared(text)
        for needle, pattern, instead in self._spellings:
            if needle in bare or needle in text:
                text = pattern.sub(lambda found, instead=instead: instead, text)  # type: ignore[misc]
                bare = bared(text)
                if needle in bare:  # spelt in a way that cannot be cut out of it
                    return instead
        return text

    def value(self, value: T) -> T:
        """A value without them in any of its texts."""
        struck: T = in_texts(value, self.text)
        return struck


def in_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A value with every text in it changed, names of fields of ours excepted."""
    match value:
        case str():
            return change(value)
        case dict():
            return {in_texts(name, change): in_texts(each, change) for name, each in value.items()}
        case list():
            return [in_texts(each, change) for each in value]
        case tuple():
            return tuple(in_texts(each, change) for each in value)
        case msgspec.Struct():
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            changed = {name: in_texts(each, change) for name, each in fields.items()}
            return value if changed == fields else msgspec.structs.replace(value, **changed)
    return value


def bared(text: str) -> str:
    """A text with its escapes undone, those within others too.

    >>> bared(r"\\u0061\\/b%2562&#99;")
    'a/bbc'
    """
    for _ in range(3):
        if not any(sign in text for sign in _ESCAPES):
            break
        text = _ESCAPED.sub(_meant, text)
    return text


def _meant(found: re.Match[str]) -> str:
    if units := found["units"]:
        numbers = [int(unit, 16) for unit in re.findall(r"u([0-9a-fA-F]{4})", units)]
        return b"".join(number.to_bytes(2) for number in numbers).decode("utf-16-be", "replace")
    if found["bytes"]:
        return bytes.fromhex("".join(re.findall(r"%(?:25)*([0-9a-fA-F]{2})", found["bytes"]))).decode(
            "utf-8", "replace"
        )
    if found["decimal"] or found["hex"]:
        number = int(found["decimal"]) if found["decimal"] else int(found["hex"], 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "�"
    return ""


def _spellings(secret: str, instead: str) -> list[tuple[str, re.Pattern[str], str]]:
    """What to look for in a bared text, and what matches it where it stands."""
    found = [(bared(secret), _loosely(secret), instead)]
    data = secret.encode("utf-8", "surrogatepass")
    if len(data) < _LONG:
        return found
    cores = dict.fromkeys(core for shift in range(3) for core in _in_base64(data, shift))
    found += [(core, re.compile(f"{_SIXTY_FOUR}{{0,2}}{_letters(core)}{_SIXTY_FOUR}{{0,2}}={{0,2}}"), instead)
              for core in cores]  # fmt: skip
    return found + [(text, _loosely(text), instead) for text in (data.hex(), data.hex().upper())]


def _in_base64(data: bytes, shift: int) -> tuple[str, str]:
    """What data is in base64 after so many other bytes, as far as it does not depend on what stands around it."""
    text = base64.b64encode(bytes(shift) + data).decode()
    core = text[(0, 2, 3)[shift] : (shift + len(data)) * 8 // 6]
    return core, core.replace("+", "-").replace("/", "_")


def _loosely(text: str) -> re.Pattern[str]:
    return re.compile(_letters(text))


def _letters(text: str) -> str:
    return "".join(map(_letter, text))


def _letter(letter: str) -> str:
    """A pattern for a letter in any spelling."""
    if letter == "\\":
        return r"(?:\\+(?:u(?i:005c))?|%(?:25)*(?i:5c)|&#(?:92|[xX]0*(?i:5c));)"
    units = letter.encode("utf-16-be", "surrogatepass")
    pairs = [units[place : place + 2].hex() for place in range(0, len(units), 2)]
    escaped = "".join(rf"\\+u(?i:{pair})" for pair in pairs)
    quoted = "".join(f"%(?:25)*(?i:{byte:02x})" for byte in letter.encode("utf-8", "surrogatepass"))
    entity = f"&#(?:0*{ord(letter)}|[xX]0*(?i:{ord(letter):x}));"
    before = "" if letter.isalnum() else r"\\*"
    return f"(?:{before}{re.escape(letter)}|{escaped}|{quoted}|{entity})"
