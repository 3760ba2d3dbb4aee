"""Several names: all of them and no other, or all of them in order."""

from __future__ import annotations

from workalike.core.key import Answer
from workalike.verify.normalise.words import mentions, places, tokens


def agrees_as_set(expected: Answer, text: str) -> bool:
    said = tokens(text)
    own = {word for each in expected.value for word in tokens(str(each))}
    others = [other for other in expected.among if not set(tokens(str(other))) <= own]
    return all(mentions(str(each), said) for each in expected.value) and not any(mentions(o, said) for o in others)


def agrees_in_order(expected: Answer, text: str) -> bool:
    """Every name word for word, each first mentioned after the one before it."""
    said = tokens(text)
    first = [next(iter(places(str(each), said)), None) for each in expected.value]
    known = [place for place in first if place is not None]
    return len(known) == len(first) and known == sorted(known) and len(set(known)) == len(known)
