"""Prose that tells facts: `[[field|what stands there]]` within a text is printed as a fact of the thing it is about."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from workalike.town.visit import PageVisit

_MARK = re.compile(r"\[\[([^|\]]+)\|([^\]]+)\]\]")


def tell(visit: PageVisit, thing: str, text: str) -> Markup:
    """A text as a page prints it, its facts noted as shown."""
    return Markup("").join(
        escape(visit.fact(thing, *part)) if isinstance(part, tuple) else escape(part) for part in _parts(text)
    )


def plain(text: str) -> str:
    """
    >>> plain("Founded in [[founded|1931]].")
    'Founded in 1931.'
    """
    return _MARK.sub(r"\2", text)


def facts_in(text: str) -> dict[str, str]:
    """
    >>> facts_in("Founded in [[founded|1931]].")
    {'founded': '1931'}
    """
    return dict(_MARK.findall(text))


def _parts(text: str) -> list[str | tuple[str, str]]:
    parts: list[str | tuple[str, str]] = []
    at = 0
    for match in _MARK.finditer(text):
        parts += [text[at : match.start()], (match[1], match[2])]
        at = match.end()
    return [*parts, text[at:]]
