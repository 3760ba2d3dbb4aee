"""One of a few that may all be mentioned: `Kestrel is cheaper than Marlow & Finch` chooses Kestrel.

Names become marks first, so that no comma inside them counts; then every clause is asked whom it speaks for. All must
agree: a text that speaks for two, or for something that is not among the names, gives no answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import msgspec

from workalike.core.key import Answer
from workalike.verify.normalise.preference import SENSES, SUPERLATIVE, Sense

LONGEST = 4_000
"""No answer is longer than this many characters; reading takes time with its square."""
UNCLEAR = -1
"""Whom a clause speaks for that prefers something without saying what."""
# how a text falls into clauses; what only lists both names says nothing
_AT = r"(?:(?:at|on|in|from|by|the|with)\s+)*"
_MARK = re.compile(r"«(\d+)»")
_NOISE = re.compile(r"[*_`#’'\"“”]")
_STOP = re.compile(r"((?:[!?\n]|\.(?!\d))+)")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_CLAUSE = re.compile(
    r",(?!\d{3})|[;()|\[\]→⇒]|=>|->|\s[-–]+\s|—"
    r"|\b(?:and|but|while|whereas|so|although|though|yet|because|since|hence|thus|therefore|making|however)\b"
)
_LISTED = re.compile(
    r"\b(?:between|of|both|compare|compared|comparing|among|either|checked|looked at)\s+"
    rf"(?!with\b){_AT}«\d+»\s*(?:and|or|vs|versus|with|to|/)\s*{_AT}«\d+»"
)
# denial, comparison and doubt
_ALIKE = re.compile(
    r"\bneither(?! has| have| includes?)\b"
    r"|\b(?:costs?|weighs?|charges?|are|is)\s+(?:exactly\s+)?(?:the\s+)?(?:same|equal|identical|tied)\b"
    r"|\bsame (?:price|cost|weight|rating|amount|total)\b|\bno (?:price )?difference\b|\bequally\b"
)
_NOT = r"(?:not(?! only)|never|no|cannot|cant|wont|(?:is|are|was|were|do|does|did|has|have|could|would)nt)"
_DENIES = re.compile(rf"\b{_NOT}(?:\s+[\w$.«»]+){{0,3}}\s+$")
_DENIED = re.compile(rf"\b(?:not|rather than|instead of|avoid|except)\s+{_AT}«(\d+)»")
_IS_NOT = re.compile(rf"«(\d+)»[^«]*\b{_NOT}\s*$")
_VERSUS = r"\b(?:than|over|versus|vs|against|compared (?:to|with)|relative to)(?:\s+[^\s«]+){0,6}?\s+"
_OTHER = re.compile(rf"{_VERSUS}«(\d+)»")
_COMPARED = re.compile(rf"{_VERSUS}$")
_DOUBT = re.compile(
    r"\b(?:whether|if|might|maybe|perhaps|unsure|unclear|used to|previously|formerly|normally|usually)\b|\w\s+which\b"
)
_ASIDE = re.compile(
    r"\b(?:before|without|excluding|excl|ignoring|not counting|not including)\s+(?:the\s+|any\s+)?"
    r"(?:delivery|shipping|discounts?|tax|taxes|sales?|fees?|wrapping|codes?)\b|\blist price\b"
)
# where the name stands that a word of preference is about
_DOES = re.compile(
    r"\b(?:is|are|was|has|have|offers?|gives?|comes?|sells?|charges?|asks?|costs?|weighs?|works?|ends?)\b"
)
_ALONE = re.compile(r"(?:\s+(?:one|option|choice|price|deal|of the two))*\s*")
_THERE = re.compile(r"\s*(?:at|on|in|from)\s+(?:the\s+)?«(\d+)»")
_NAMED = re.compile(
    rf"\s+{_AT}«(\d+)»|(?:\s+(?!is\b|was\b)[^\s«$:=]+){{0,5}}?"
    rf"(?:\s+(?:is|was)\b:?\s*{_AT}«(\d+)»|\s*[:=]\s*{_AT}«(\d+)»(?!\W*\$))"
)
_LATER = re.compile(
    r"[^«]*?(?:\b(?:is|are|was|be|at|on|in|from|with|by|for|the|take|choose|pick|recommend|get|via)\s+|[:=]\s*)«(\d+)»"
)
_GOES_ON = re.compile(
    r"(?:[^\w«»]|\d|\b(?:an?|the|is|are|was|has|costs?|weighs?|comes?|works?|ends?|out|up|to|be|also|clearly|slightly"
    r"|much|about|by|far|at|in|total|overall|only|just|even|with|would|will|it|its|this|that|which|there|price|usd|kg|g)\b)*"
)
_BARE = re.compile(rf"\W*(?:(?:the|final|answer|choice|is|it|its|would|be)\b\W*)*{_AT}«(\d+)»\W*")


class Around(msgspec.Struct, frozen=True):
    """What surrounds a clause: the sentences before, and the rest of its own on both sides."""

    before: str
    told: str
    coming: str


def agrees(expected: Answer, text: str) -> bool:
    if len(text) > LONGEST:
        return False
    names = [str(name) for name in expected.among] or [str(expected.value)]
    wanted = names.index(str(expected.value))
    said = mark(text, names, [str(each) for each in expected.also])
    if _ALIKE.search(said):
        return False
    sense = SENSES.get(expected.unit[0] if expected.unit else "", SENSES["cheaper"])
    stated = _without_questions(said)
    claims = {*_claims(stated, sense, len(names)), *_headline(stated)}
    if claims - {UNCLEAR}:
        return claims - {UNCLEAR} == {wanted}
    return not claims and _named(said) == _named(stated) == [wanted]


def mark(text: str, names: list[str], also: list[str]) -> str:
    """A text in plain small letters, with marks for names; what may also be named is left out.

    >>> mark("**July 19, 2026** is cheaper than Friday, July 17th.", ["July 17", "July 19"], [])
    '«1» is cheaper than «0».'
    """
    spellings = [(spelling, f"«{at}»") for at, name in enumerate(names) for spelling in name.split("|")]
    spellings = sorted([*spellings, *((each, "") for each in also)], key=lambda pair: -len(pair[0]))
    either = re.compile("|".join(f"({_pattern(spelling)})" for spelling, _ in spellings))
    said = either.sub(lambda match: spellings[(match.lastindex or 1) - 1][1], _plain(text))
    return said.replace("vs.", "vs")


def _without_questions(said: str) -> str:
    parts = [*_STOP.split(said), "."]
    return "".join(text + stop for text, stop in zip(parts[::2], parts[1::2], strict=True) if "?" not in stop)


def _plain(text: str) -> str:
    low = unicodedata.normalize("NFKD", _NOISE.sub("", text).lower().replace("&", " and "))
    return "".join(char for char in low if not unicodedata.combining(char))


def _pattern(spelling: str) -> str:
    """The words of a spelling, whatever stands between them; a date may have its weekday and its year with it."""
    words = re.findall(r"\d+(?:[./-]\d+)+|\w+", _plain(spelling))
    words = [rf"{word}(?:st|nd|rd|th)?" if re.fullmatch(r"\d\d?", word) else re.escape(word) for word in words]
    loose = r"[\s,×x°–-]+(?:of\s+)?".join(words)
    if re.search(r"\d$", spelling):
        loose = (
            rf"(?:\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?(?:the\s+)?{loose}(?:(?:,?\s*|/)20\d\d(?![-\d]))?"
        )
    return rf"(?<![\w«]){loose}s?(?!\w)"


def _named(said: str) -> list[int]:
    return sorted({int(name) for name in _MARK.findall(said)})


def _headline(said: str) -> list[int]:
    """The one name that is a sentence by itself: `July 19. It costs $98, and $102 on July 17.`"""
    parts = re.split(r"[.!](?!\d)", said)
    bare = {int(match[1]) for match in map(_BARE.fullmatch, parts) if match}
    return list(bare) if len(bare) == 1 else []


def _claims(said: str, sense: Sense, count: int) -> Iterator[int]:
    """Whom each clause speaks for. Of two, a word against the one speaks for the other."""
    before = ""
    for sentence in _STOP.split(_LISTED.sub(" ", said)):
        for clause, around in _clauses(sentence, before):
            for name, good in _spoken(clause, around, sense):
                yield name if good or name == UNCLEAR else 1 - name if count == 2 else UNCLEAR
        before += sentence


def _clauses(sentence: str, before: str) -> Iterator[tuple[str, Around]]:
    """What stands in brackets is about the name before them, and not part of the sentence around."""
    for aside in _BRACKETS.finditer(sentence):
        told = sentence[: aside.start()].rstrip()
        told = told[told.rindex("«") :] if told.endswith("»") else told
        yield from ((f" {clause.strip()} ", Around(before, told, "")) for clause in _CLAUSE.split(aside[1]))
    clauses = [f" {clause.strip()} " for clause in _CLAUSE.split(_BRACKETS.sub(" ", sentence))]
    for at, clause in enumerate(clauses):
        yield clause, Around(before, "".join(clauses[:at]), "".join(clauses[at + 1 :]))


def _spoken(clause: str, around: Around, sense: Sense) -> Iterator[tuple[int, bool]]:
    """Names of a clause, each with whether it is spoken for."""
    for name in (*_DENIED.findall(clause), *_IS_NOT.findall(clause)):
        yield int(name), False
    for word, pro in _preferences(clause, sense):
        good = pro != bool(_DENIES.search(clause[: word.start()]))
        if _DOUBT.search(clause[: word.start()]) or _ASIDE.search(clause):
            yield UNCLEAR, good
            continue
        for name, itself in _meant(clause, word, around):
            yield name, good == itself


def _preferences(clause: str, sense: Sense) -> Iterator[tuple[re.Match[str], bool]]:
    """The words of preference with whether they praise; `less` in `less affordable` does not count by itself."""
    found = [
        *((each, True) for each in sense.pro.finditer(clause)),
        *((each, False) for each in sense.contra.finditer(clause)),
    ]
    for word, pro in found:
        if not any(
            other.start() <= word.start() and word.end() <= other.end() and len(other[0]) > len(word[0])
            for other, _ in found
        ):
            yield word, pro


def _meant(clause: str, word: re.Match[str], around: Around) -> list[tuple[int, bool]]:
    """Whom a word of preference is about; with False, whom that one is compared with."""
    ahead, after = clause[: word.start()], clause[word.end() :]
    first, superlative = _last(ahead), SUPERLATIVE.match(word[0]) is not None
    other = (_MARK if word[0].endswith((" as", "beats", "undercuts")) else _OTHER).search(after)
    if other:
        return [(UNCLEAR, True)] if first == (int(other[1]), True) else [(int(other[1]), False)]
    if there := _THERE.match(after):
        return [(int(there[1]), True), *([first] if first else [])]
    if first and (not superlative or _DOES.search(ahead[ahead.rindex("»") :]) or _ALONE.fullmatch(after)):
        return [first]
    later = _NAMED.match(after) if superlative else _LATER.match(clause, word.start())
    if later:
        return [(int(next(filter(None, later.groups()))), True)]
    return [] if first or _MARK.search(after) else [_elsewhere(ahead, around)]


def _elsewhere(ahead: str, around: Around) -> tuple[int, bool]:
    """Whom a clause without a name is about: `Kestrel, at $5, is cheaper`, `the lower one, at $5, is Kestrel`. `It`
    could be either of two."""
    told, coming = _named(around.told), _MARK.search(around.coming)
    if not _GOES_ON.fullmatch(ahead):
        return UNCLEAR, True
    if coming and not _DOES.search(ahead):
        return (UNCLEAR if told else int(coming[1])), True
    goes_on = _DOES.match(ahead.strip()) and told
    if goes_on or len(told or _named(around.before)) == 1:
        return _last(around.told) or _last(around.before) or (UNCLEAR, True)
    return UNCLEAR, True


def _last(text: str) -> tuple[int, bool] | None:
    """The last name of a text, with False if something is compared with it."""
    marks = list(_MARK.finditer(text))
    alone = [match for match in marks if not _COMPARED.search(text[: match.start()])]
    if not marks:
        return None
    return (int(alone[-1][1]), True) if alone else (int(marks[-1][1]), False)
