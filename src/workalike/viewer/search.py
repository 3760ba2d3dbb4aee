"""What is typed into the search box: words, "phrases", -without, and `thought:`, `typed:` or `instruction:` in front of
a word. As a query of the full-text index, and as a filter that the `dataset` commands understand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from workalike.core.errors import BadInput
from workalike.viewer.facets import quoted

COLUMNS = ("instruction", "thought", "typed")
LONGEST, MOST_TERMS = 500, 20
_AROUND = 90
_TERM = re.compile(r'(-?)(?:(instruction|thought|typed):)?(?:"([^"]*)"?|(\S+))')
_WORD = re.compile(r"\w+")
_TYPING = r"write\((?:message=)?['\"].*"
_FILTERS = {
    "instruction": "instruction matches {}",
    "thought": "any(traj, thought matches {})",
    "typed": "any(traj, code matches {})",
}


class Term(msgspec.Struct, frozen=True):
    """One thing that is searched for: words that follow each other, the last as a beginning where it is not known to
    be whole."""

    words: tuple[str, ...]
    column: str | None = None
    without: bool = False
    beginning: bool = False


def terms(text: str) -> tuple[Term, ...]:
    """The terms of a query; what has no word in it is none.

    >>> [term.words for term in terms('save "as a file" -pdf')]
    [('save',), ('as', 'a', 'file'), ('pdf',)]
    """
    if len(text) > LONGEST:
        raise BadInput(f"a search of {len(text):,} characters is too long; at most {LONGEST} are read")
    found = []
    for minus, column, phrase, word in _TERM.findall(text):
        words = tuple(_WORD.findall(phrase or word))
        if words:
            open_ended = not phrase and text.endswith(word)
            found.append(Term(words, column or None, bool(minus), open_ended))
    if len(found) > MOST_TERMS:
        raise BadInput(f"a search has at most {MOST_TERMS} words and phrases")
    if found and all(term.without for term in found):
        raise BadInput("a search needs something to find besides what is to be left out")
    return tuple(found)


def match(wanted: Sequence[Term]) -> str:
    """The query for FTS5. Every word stands in quotes, so that none is taken for a sign of its language.

    >>> match(terms('save -pdf '))
    '("save") NOT ("pdf")'
    """
    kept = " AND ".join(_phrase(term) for term in wanted if not term.without)
    out = "".join(f" NOT {_phrase(term)}" for term in wanted if term.without)
    return f"{kept}{out}"


def _phrase(term: Term) -> str:
    words = " ".join(term.words)
    column = f"{term.column} : " if term.column else ""
    return f'({column}"{words}"{" *" if term.beginning else ""})'


def as_filter(wanted: Sequence[Term]) -> str:
    """The same in the filter language, for the command line."""
    return " and ".join(f"{'not ' if term.without else ''}({_asked(term)})" for term in wanted)


def _asked(term: Term) -> str:
    names = (term.column,) if term.column else COLUMNS
    patterns = {name: quoted((_TYPING if name == "typed" else "") + _pattern(term)) for name in names}
    return " or ".join(_FILTERS[name].format(pattern) for name, pattern in patterns.items())


def _pattern(term: Term) -> str:
    between = r"[\W_]+"
    return rf"\b{between.join(map(re.escape, term.words))}" + ("" if term.beginning else r"\b")


class Snippet(msgspec.Struct, frozen=True):
    """A place where something was found: in which step (None: the instruction), what stands before it, it, and what
    follows."""

    step: int | None
    before: str
    found: str
    after: str


def snippets(row: Mapping[str, Any], wanted: Sequence[Term], most: int = 1) -> list[Snippet]:
    """The first few places in a row that were searched for."""
    shown = [term for term in wanted if not term.without]
    found: list[Snippet] = []
    for step, column, text in _texts(row):
        for term in shown:
            place = re.search(_pattern(term), text, re.IGNORECASE) if term.column in (None, column) else None
            if place is not None:
                before = text[max(0, place.start() - _AROUND) : place.start()]
                found.append(Snippet(step, before, place[0], text[place.end() : place.end() + _AROUND]))
                break
        if len(found) >= most:
            break
    return found


def _texts(row: Mapping[str, Any]) -> Iterator[tuple[int | None, str, str]]:
    """What is searched in, thoughts and typing before the instruction, which is shown anyway."""
    for number, step in enumerate(row.get("traj") or ()):
        value = step.get("value") if isinstance(step, dict) else None
        for column, name in (("thought", "thought"), ("typed", "code")):
            text = value.get(name) if isinstance(value, dict) else None
            if isinstance(text, str):
                yield number, column, text
    if isinstance(row.get("instruction"), str):
        yield None, "instruction", row["instruction"]
