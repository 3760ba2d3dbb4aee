"""What should not be kept in plain text: e-mail addresses, card numbers, keys, and names from a list."""

from __future__ import annotations

import re
from collections.abc import Sequence

STRUCK = "[redacted]"
# An address may write @ and + as %40 and %2B. It begins where a word does, so that long words are gone through once.
_EMAIL = re.compile(r"(?<![\w.+-])(?:[\w.+-]|%2[bB])+(?:@|%(?:25)?40)[\w-]+(?:\.[\w-]+)+")
# Groups of digits with one separator between, as long as they go on; what is a card among them is looked at apart.
_DIGITS = re.compile(r"(?<!\d)(?<!\d\.)\d+(?:(?:[ +-]|%20)\d+)*(?!\d|\.\d)")
_GROUP = re.compile(r"(?:[ +-]|%20)?(\d+)")
_LONGEST_CARD = 19
_PRINTED = 4  # the first digits of a card stand together
_KEYS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bxox[abprs]-[\w-]{10,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"
    r"|(?i:\b(?:api[_ -]?key|token|secret|password|passwd)\b\s*[:=]\s*)(?P<named>\S{6,})"
)


class Patterns:
    """What to look for. `names` are whole words, in any case."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        wanted = sorted((_written(name) for name in names if name.strip()), key=len, reverse=True)
        begins = r"(?:(?<!\w)|(?<=%[0-9a-f][0-9a-f]))"
        self._names = re.compile(rf"{begins}(?:{'|'.join(wanted)})(?!\w)", re.IGNORECASE) if wanted else None

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Where something stands in a text, and what it is; never overlapping.

        >>> Patterns().spans("write to ann@example.org")
        [(9, 24, 'email')]
        """
        found = [(*match.span(), "email") for match in _EMAIL.finditer(text)]
        found += [(*span, "card") for run in _DIGITS.finditer(text) for span in _cards(text, *run.span())]
        found += [(*match.span("named" if match["named"] else 0), "key") for match in _KEYS.finditer(text)]
        found += [(*match.span(), "name") for match in (self._names.finditer(text) if self._names else ())]
        apart: list[tuple[int, int, str]] = []
        for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
            if not apart or start >= apart[-1][1]:
                apart.append((start, end, kind))
        return apart

    def struck(self, text: str) -> str:
        """A text with everything found replaced."""
        for start, end, _ in reversed(self.spans(text)):
            text = text[:start] + STRUCK + text[end:]
        return text


def _written(name: str) -> str:
    """A name as a pattern; an address writes the space in it otherwise."""
    return r"(?:\s|\+|%20)+".join(map(re.escape, name.split()))


def _cards(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where card numbers stand among groups of digits: other numbers may come right before and after, a date or the
    number on the back."""
    groups = [match.span(1) for match in _GROUP.finditer(text, start, end)]
    found: list[tuple[int, int]] = []
    first = 0
    while first < len(groups):
        begins = first == 0 or groups[first][1] - groups[first][0] >= _PRINTED
        last = _last_of_card(text, groups, first) if begins else None
        if last is not None:
            found.append((groups[first][0], groups[last][1]))
        first = first + 1 if last is None else last + 1
    return found


def _last_of_card(text: str, groups: Sequence[tuple[int, int]], first: int) -> int | None:
    """The group a card number ends with that begins with some other; the longest such number counts."""
    digits, last = "", None
    for number in range(first, len(groups)):
        digits += text[slice(*groups[number])]
        if len(digits) > _LONGEST_CARD:
            break
        last = number if is_card(digits) else last
    return last


def is_card(text: str) -> bool:
    """Whether digits are a payment card's number, by its check digit (Luhn).

    >>> is_card("4111 1111 1111 1111"), is_card("4111 1111 1111 1112")
    (True, False)
    """
    digits = [int(digit) for digit in text if digit.isdigit()]
    doubled = [digit if place % 2 == 0 else digit * 2 - 9 * (digit > 4) for place, digit in enumerate(reversed(digits))]
    return 13 <= len(digits) <= _LONGEST_CARD and len(set(digits)) > 1 and sum(doubled) % 10 == 0


def hinted(text: str) -> str:
    """Enough of a text to recognise it by, and no more.

    >>> hinted("ann@example.org")
    'an…rg'
    """
    return f"{text[:2]}…{text[-2:]}" if len(text) > 6 else "…"
