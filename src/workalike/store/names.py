"""File names that are safe on every system, whatever a task id contains."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

_LONGEST_SLUG = 48
_HASH_DIGITS = 16


def slug(text: str) -> str:
    """The readable part of a name: lower-case ASCII letters, digits and dashes; it may be empty.

    >>> slug("Shopping/Café №7 …")
    'shopping-cafe-no7'
    """
    plain = unicodedata.normalize("NFKD", text[:1000]).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_SLUG].rstrip("-")


@lru_cache(maxsize=512)
def safe_name(text: str) -> str:
    """One name for one text: a slug to read and 16 hex digits of its SHA-256 to tell it from every other.

    Two texts never share a name, even where upper and lower case are the same, and no name is reserved, hidden, empty
    or too long anywhere.

    >>> safe_name("hotels/17")
    'hotels-17-1c4a1ed1b1bd2d67'
    """
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    return f"{slug(text)}-{digest}".lstrip("-")
