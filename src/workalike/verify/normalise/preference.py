"""Words that speak for what is asked for, and words against it: `lower` is praise of a price, not of a rating."""

from __future__ import annotations

import re

import msgspec


class Sense(msgspec.Struct, frozen=True):
    """What is asked for, as the words for it and the words against it."""

    pro: re.Pattern[str]
    contra: re.Pattern[str]


def _sense(pro: tuple[str, ...], contra: tuple[str, ...]) -> Sense:
    return Sense(re.compile(rf"\b(?:{'|'.join(pro)})\b"), re.compile(rf"\b(?:{'|'.join(contra)})\b"))


def _as(*words: str) -> str:
    """`not as cheap as`"""
    return rf"(?:not|(?:is|are|was)nt) (?:\w+ )?as (?:{'|'.join(words)}) as"


# `less` and `more` by themselves: not those of `more comfortable`
_ALONE = r"(?=\W*(?:$|«|(?:than|at|on|in|for|by|with|from|if|when|here|there|money|overall|compared|versus|vs|of)\b))"
_LESS, _MORE = (f"less{_ALONE}", f"least{_ALONE}"), (f"more{_ALONE}", f"most{_ALONE}")
# `a better rating` says nothing about a price
_OF_PRICE = r"(?!\W+(?:rat(?:ing|ed)|reviews?|reviewed|quality|stars?)\b)"
_COSTLY = ("expensive", "costly", "pricey")
_FAIR = ("affordable", "economical", "reasonabl[ey]", "budget-friendly", "inexpensive")
_CHOSEN = ("winner", "wins", "beats", "choose", "pick", "recommend", "answer")
_SHOWS = "has|have|had|shows?|lists?|listed|offers?|offered|sells?|sold|carry|carries|carried|stocks?|stocked"
_HAS = rf"(?:{_SHOWS}|features?|provides?|includes?|finds?|found|appears?)"

SUPERLATIVE = re.compile(r"(?:\w+est|least|most|worst)\b")
"""Words that may be a mere label: `the lowest fare on May 4 is $120` chooses nothing."""
SENSES = {
    "cheaper": _sense(
        (
            *(f"(?:less|least) {word}" for word in _COSTLY), *(f"(?:more|most) {word}" for word in _FAIR),
            _as(*_COSTLY), "inexpensive",
            "cheaper", "cheapest", f"(?:better|best|lower|lowest|smaller|smallest){_OF_PRICE}",
            "saves?", "saving", "undercuts", *_LESS, *_CHOSEN,
        ),
        (
            *(f"(?:more |most )?{word}" for word in _COSTLY), *(f"less {word}" for word in (*_FAIR, "cheap")),
            _as("cheap", "low", *_FAIR), "costlier", "costliest", "pricier", "priciest", "dearer", "dearest",
            f"(?:worse|worst|higher|highest){_OF_PRICE}", *_MORE,
        ),
    ),
    "lighter": _sense(
        ("lighter", "lightest", "less heavy", _as("heavy"), "lower", "lowest", *_LESS, *_CHOSEN),
        ("heavier", "heaviest", "less light", _as("light"), "higher", "highest", *_MORE),
    ),
    "faster": _sense(
        (
            "faster", "fastest", "quicker", "quickest", "shorter", "shortest", "sooner", "earlier", "earliest",
            *_LESS, *_CHOSEN,
        ),
        ("slower", "slowest", "longer", "longest", "later", "latest", _as("fast", "quick", "short"), *_MORE),
    ),
    "higher": _sense(
        ("higher", "highest", "better", "best", "superior", "top", "more (?:highly|favou?rably)", *_MORE, *_CHOSEN),
        (
            "lower", "lowest", "worse", "worst", "inferior", "poorer", "less (?:highly|favou?rably)",
            _as("high", "good", "well"), *_LESS,
        ),
    ),
    "has": _sense(
        (rf"{_HAS}(?! (?:no|nothing|none|neither|zero|0)\b)", "available", "yes", "does(?! not)", "answer"),
        (
            f"{_HAS} (?:no|nothing|none)", "no", "nothing", "none", "lacks?", "lacking", "missing", "without",
            "unavailable", "sold out", "out of stock",
        ),
    ),
}  # fmt: skip
"""By the word that a key's `unit` begins with; most keys are about prices."""
