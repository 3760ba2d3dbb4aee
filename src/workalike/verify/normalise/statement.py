"""Statements about the way, not about a value: that something is not to be had, or that a wall stood in the way."""

from __future__ import annotations

import re

from workalike.core.key import Answer

_NOT = r"(?:\b(?:not|no|never|none|cannot|unable to|without|neither|nothing)\b|n[’']t\b)"
_TO_BE_HAD = (
    r"\b(?:available|availability|in stock|offer(?:ed|s)?|sold|sells?|carr(?:y|ied|ies)|stock(?:s|ed)?|exists?"
    r"|list(?:ed|s)?|find|found|possible|left|rooms?|flights?|seats?|tables?|match(?:es|ing)?|have|has|come)\b"
)
_NO_TROUBLE = re.compile(r"\bno (?:trouble|problem|issue|doubt|need)\w*|\bnot only\b", re.IGNORECASE)
_SAYS = {
    "unavailable": re.compile(
        r"\b(?:unavailable|sold[ -]out|out of stock|fully booked|no longer|discontinued)\b"
        rf"|{_NOT}[^.!?]{{0,60}}{_TO_BE_HAD}"
        rf"|{_NOT}\s+be\s+(?:bought|booked|ordered|reserved)\b",
        re.IGNORECASE,
    ),
    "blocked": re.compile(
        r"\bcaptcha\b|\bnot a robot\b|\bcharacters? in the picture\b|\bautomated access\b"
        r"|\b(?:prov(?:e|ing)|confirm\w*|verif\w+)\b[^.!?]{0,50}\bhuman\b"
        r"|\bhuman\b[^.!?]{0,30}\b(?:check|verification|test|challenge)\b"
        r"|\b(?:bot|robot|anti-bot)\b[^.!?]{0,40}\b(?:check|wall|detection|protection|test|challenge)\b"
        r"|\bverification (?:wall|page|challenge|step)\b",
        re.IGNORECASE,
    ),
}


def agrees(expected: Answer, text: str) -> bool:
    return _SAYS[str(expected.value)].search(_NO_TROUBLE.sub(" ", text)) is not None
