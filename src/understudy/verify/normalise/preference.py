"""Words that speak for the one that is asked for, and words against it: `lower` is praise of a price, not of a rating."""

from __future__ import annotations

import re

import msgspec

_NOT_WANTED = r"(?!\W+(?:rat(?:ing|ed)|reviews?|reviewed|quality|stars?)\b)"
_ANY_FOR = rf"better{_NOT_WANTED}|best{_NOT_WANTED}|winner|wins|beats|choose|pick|recommend|answer"
_ANY_AGAINST = rf"worse{_NOT_WANTED}|worst{_NOT_WANTED}|loses"
_BARE = r"(?=\W*(?:$|«|(?:than|at|on|in|for|by|with|from|if|when|here|there|money|overall|compared|versus|vs|of)\b))"
_NOT = "(?:not|(?:is|are|was)nt)"
_COSTLY = "(?:expensive|costly|pricey)"
_FAIR = "(?:affordable|economical|reasonabl[ey]|budget-friendly|inexpensive)"


class Sense(msgspec.Struct, frozen=True):
    """What is asked for, as the words for it and the words against it."""

    pro: re.Pattern[str]
    contra: re.Pattern[str]


def _sense(pro: str, contra: str) -> Sense:
    return Sense(re.compile(rf"\b(?:{pro})\b"), re.compile(rf"\b(?:{contra})\b"))


SUPERLATIVE = re.compile(r"(?:\w+est|least|most|worst)\b")
"""Words that may be a mere label: `the lowest fare on May 4 is $120` chooses nothing."""
SENSES = {
    "cheaper": _sense(
        rf"(?:less|least) {_COSTLY}|{_NOT} (?:\w+ )?as {_COSTLY} as|(?:more|most) {_FAIR}|inexpensive|cheaper|cheapest"
        rf"|(?:lower|lowest|smaller|smallest){_NOT_WANTED}|less{_BARE}|least{_BARE}|saves?|saving|undercuts|{_ANY_FOR}",
        rf"(?:more |most )?{_COSTLY}|{_NOT} (?:\w+ )?as (?:cheap|low|{_FAIR}) as|less (?:{_FAIR}|cheap)"
        rf"|costlier|costliest|pricier|priciest|dearer|dearest|(?:higher|highest){_NOT_WANTED}|more{_BARE}|{_ANY_AGAINST}",
    ),
    "lighter": _sense(
        rf"lighter|lightest|less heavy|{_NOT} (?:\w+ )?as heavy as|lower|lowest|less{_BARE}|least{_BARE}|{_ANY_FOR}",
        rf"heavier|heaviest|{_NOT} (?:\w+ )?as light as|less light|higher|highest|more{_BARE}|most{_BARE}|{_ANY_AGAINST}",
    ),
    "faster": _sense(
        rf"faster|fastest|quicker|quickest|shorter|shortest|sooner|earlier|earliest|less{_BARE}|{_ANY_FOR}",
        rf"slower|slowest|longer|longest|later|latest|{_NOT} (?:\w+ )?as (?:fast|quick|short) as|more{_BARE}|{_ANY_AGAINST}",
    ),
    "higher": _sense(
        "higher|highest|better|best|superior|top|winner|wins|beats|choose|pick|recommend|answer"
        rf"|more (?:highly|favou?rably)|more{_BARE}",
        rf"lower|lowest|worse|worst|inferior|loses|less (?:highly|favou?rably)|poorer|{_NOT} (?:\w+ )?as (?:high|good|well) as"
        rf"|less{_BARE}",
    ),
    "has": _sense(
        r"(?:has|have|had|shows?|lists?|listed|offers?|offered|sells?|sold|carry|carries|carried|stocks?|stocked|features?"
        r"|provides?|includes?|finds?|found|appears?)(?! (?:no|nothing|none|neither|zero|0)\b)|available|yes|does(?! not)"
        r"|answer",
        r"(?:has|have|had|shows?|lists?|offers?|sells?|carries|stocks?|features?|provides?|includes?) (?:no|nothing|none)"
        r"|no|nothing|none|lacks?|lacking|missing|without|unavailable|sold out|out of stock",
    ),
}
"""By the word that a key's `unit` begins with; prices are what most keys are about."""
