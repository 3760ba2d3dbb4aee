"""One name: all its words occur, and no neighbour's do."""

from __future__ import annotations

from workalike.core.key import Answer
from workalike.verify.normalise.words import mentions, tokens


def agrees(expected: Answer, text: str) -> bool:
    """A neighbour whose words are all part of the expected name cannot be told from it, and is let pass."""
    said = tokens(text)
    if not mentions(str(expected.value), said):
        return False
    own = set(tokens(str(expected.value)))
    return not any(mentions(str(other), said) for other in expected.among if not set(tokens(str(other))) <= own)
