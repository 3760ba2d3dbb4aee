"""Texts as words without case, accents or punctuation, and where a name occurs among them."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z]+")


def tokens(text: str) -> list[str]:
    """
    >>> tokens("Marlow & Finch’s Café, 1.7 L")
    ['marlow', 'and', 'finchs', 'cafe', '1.7', 'l']
    """
    plain = unicodedata.normalize("NFKD", text.lower().replace("&", " and ")).replace("’", "").replace("'", "")
    return _TOKEN.findall("".join(char for char in plain if not unicodedata.combining(char)))


def places(name: str, text: list[str]) -> list[int]:
    """Where a name occurs word for word; `|` separates its spellings."""
    found: set[int] = set()
    for spelling in name.split("|"):
        wanted = tokens(spelling)
        found |= {at for at in range(len(text) - len(wanted) + 1) if wanted and text[at : at + len(wanted)] == wanted}
    return sorted(found)


def mentions(name: str, text: list[str]) -> bool:
    """Whether all words of one of a name's spellings occur, in whatever order."""
    have = set(text)
    return any(set(tokens(spelling)) <= have for spelling in name.split("|") if tokens(spelling))
