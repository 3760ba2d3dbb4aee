"""One of a few that may all be mentioned: `Kestrel is cheaper than Marlow & Finch` chooses Kestrel."""

from __future__ import annotations

import re

from understudy.core.key import Answer
from understudy.verify.normalise.words import places, tokens

_FOR = {
    "cheaper", "cheapest", "lower", "lowest", "less", "least", "saves", "save", "undercuts", "better", "best", "wins",
    "winner", "beats", "choose", "pick", "recommend", "answer", "faster", "fastest", "shorter", "shortest", "sooner",
    "earlier", "earliest", "lighter", "lightest", "fewer",
}  # fmt: skip
_AGAINST = {
    "expensive", "costlier", "pricier", "dearer", "higher", "more", "worse", "slower", "later", "heavier", "longer",
}  # fmt: skip
_CLAUSE = re.compile(r"[.;!?\n]+(?!\d)|,\s|\bwhile\b|\bwhereas\b|\bbut\b|\(|\)", re.IGNORECASE)


def agrees(expected: Answer, text: str) -> bool:
    wanted = str(expected.value)
    names = [str(name) for name in expected.among] or [wanted]
    said = tokens(text)
    mentioned = [name for name in names if places(name, said)]
    if mentioned == [wanted]:
        return True
    wanted_words = set(expected.unit)
    claims = [_claim(tokens(clause), names, wanted_words) for clause in _CLAUSE.split(text)]
    chosen = {claim for claim in claims if claim is not None}
    return chosen == {wanted}


def _claim(clause: list[str], names: list[str], wanted: set[str]) -> str | None:
    """Whom a clause speaks for: the first name beside a word of preference, the other beside a word against it. What
    counts as preference where more is better, say, the key's own words tell."""
    where = sorted((places(name, clause)[0], name) for name in names if places(name, clause))
    if not where:
        return None
    first = where[0][1]
    if (_AGAINST - wanted) & set(clause):
        others = [name for name in names if name != first]
        return others[0] if len(others) == 1 else None
    return first if (_FOR | wanted) & set(clause) else None
