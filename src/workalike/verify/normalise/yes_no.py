"""Yes or no: said outright, or by whether the sentence about it (the key's `unit` words) is denied."""

from __future__ import annotations

import re

from workalike.core.key import Answer

_OUTRIGHT = re.compile(r"^\W*(?:the answer is\W+|answer\W+)?(yes|no|yeah|yep|nope|correct|true|false)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|no|neither|none|never|without|unavailable|unable|sold out|out of|lacks?)\b|n[’']t\b", re.IGNORECASE
)
_YES = {"yes", "yeah", "yep", "correct", "true"}


def agrees(expected: Answer, text: str) -> bool:
    said = _outright(text)
    if said is None and any(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in expected.unit):
        said = _DENIED.search(text) is None
    return said is not None and said == bool(expected.value)


def _outright(text: str) -> bool | None:
    match = _OUTRIGHT.match(text)
    return match[1].lower() in _YES if match else None
