"""What should not be kept in plain text: e-mail addresses, card numbers, keys, and names from a list."""

from __future__ import annotations

import re
from collections.abc import Sequence

STRUCK = "[redacted]"
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_CARD = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])")
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
        wanted = sorted((re.escape(name) for name in names if name.strip()), key=len, reverse=True)
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(wanted)})(?!\w)", re.IGNORECASE) if wanted else None

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Where something stands in a text, and what it is; never overlapping.

        >>> Patterns().spans("write to ann@example.org")
        [(9, 24, 'email')]
        """
        found = [(*match.span(), "email") for match in _EMAIL.finditer(text)]
        found += [(*match.span(), "card") for match in _CARD.finditer(text) if is_card(match[0])]
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


def is_card(text: str) -> bool:
    """Whether digits are a payment card's number, by its check digit (Luhn).

    >>> is_card("4111 1111 1111 1111"), is_card("4111 1111 1111 1112")
    (True, False)
    """
    digits = [int(digit) for digit in text if digit.isdigit()]
    doubled = [digit if place % 2 == 0 else digit * 2 - 9 * (digit > 4) for place, digit in enumerate(reversed(digits))]
    return 13 <= len(digits) <= 19 and len(set(digits)) > 1 and sum(doubled) % 10 == 0


def hinted(text: str) -> str:
    """Enough of a text to recognise it by, and no more.

    >>> hinted("ann@example.org")
    'an…rg'
    """
    return f"{text[:2]}…{text[-2:]}" if len(text) > 6 else "…"
