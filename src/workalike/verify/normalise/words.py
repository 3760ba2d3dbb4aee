"""Names as words without case, accents or punctuation. Other signs are words too: `!`, `~` and `≠` say something."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+|[^\w\s,.;:\"“”„‘`()\[\]/\\*#|°‐‑‒–—-]")
_ARTICLES = ("the", "a", "an")


def tokens(text: str) -> list[str]:
    """
    >>> tokens("Marlow & Finch’s Café, 1.7 L")
    ['marlow', 'and', 'finchs', 'cafe', '1.7', 'l']
    """
    spelt = text.casefold().replace("&", " and ").replace("×", " x ")
    plain = unicodedata.normalize("NFKD", spelt).replace("’", "").replace("'", "")
    return _TOKEN.findall("".join(char for char in plain if unicodedata.category(char) not in ("Mn", "Cf")))


def read(text: str) -> tuple[str, ...] | None:
    """A name, whole and without an article before it.

    >>> read("The Copperfield, Lisbon")
    ('copperfield', 'lisbon')
    """
    found = tokens(text)
    if not any(map(str.isalnum, "".join(found))):
        return None
    return tuple(found[1:] if len(found) > 1 and found[0] in _ARTICLES else found)


def spellings(name: str) -> set[tuple[str, ...]]:
    """The ways a name of a key may be written; `|` stands between them."""
    return {found for part in name.split("|") if (found := read(part)) is not None}
