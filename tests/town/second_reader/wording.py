"""What an instruction asks for, taken from its words: the blanks of the sentence it was written by, and days."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

TODAY = date(2026, 5, 4)
NUMBERS = {"a": 1, "two": 2, "three": 3, "four": 4}
_SHOP = r"Marlow & Finch|Kestrel Market"
_SITE = r"Gannet|Solenne Air|Stayward|Aldergate Hotels"
_DAY = r"[A-Z][a-z]+ \d{1,2}"
_NOW = r"\(today is May 4, 2026\)"
_WHEN = (
    rf"on {_DAY}|on [A-Z][a-z]+, {_DAY}, \d{{4}}|on \d+/\d+/\d{{4}}"
    rf"|(?:in \d+ (?:days|weeks)|a week from today|this coming [A-Z][a-z]+) {_NOW}"
)
_FLIGHT = r"(?:Solenne Air|Norrwind|Meridia Airways|Bluebarrow) [A-Z]{2} \d+ at \d+:\d\d [AP]M"
BLANKS: Mapping[str, str] = {
    "shop": _SHOP,
    "shop1": _SHOP,
    "shop2": _SHOP,
    "site": _SITE,
    "chain": _SITE,
    "when": _WHEN,
    "flight": _FLIGHT,
    "people": r"\d+ adults?(?: and \d+ child(?:ren)?)?(?:, \d+ rooms)?",
    "dates": rf"{_DAY} to {_DAY}",
    "exact": rf"[A-Z][a-z]+, {_DAY}, \d{{4}} to [A-Z][a-z]+, {_DAY}, \d{{4}}",
    "iso": r"\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d",
    "soon": rf"(?:on {_DAY}|tomorrow {_NOW}|(?:a week|(?:two|three|four) weeks) from today {_NOW}), \d+ nights?",
    "room": r"[A-Z][a-z]+ (?:Double|Twin|King|Room|Suite)",
    "number": r"[A-Z]{2}\w+",
    "zip": r"\d{5}",
    "code": r"[A-Z]+\d+",
    "rate": r"non-refundable saver rate|flexible rate without meals|flexible rate with breakfast|half board rate",
    "Rate": r"Saver rate|Flexible rate with breakfast|Flexible rate|Half board",
    "low": r"[A-Z][A-Za-z -]+?",
    "high": r"[A-Z][A-Za-z -]+?",
    "fare": r"Light|Standard|Flex|Premium|Business",
    "quirk": r"[a-z][\w' ]+",
    "bags": r"[12] bags?",
    "by": r"\d+:\d\d [AP]M",
    "then": rf"[A-Z][a-z]+, {_DAY}, \d{{4}}",
    "one": r"the (?:cheapest|most|best|\w+ \w+).+?|.+?",
    "portal": _SITE,
    "agency": _SITE,
    "budget": r"\$[\d,.]+\d",
    "want": r"(?:the cheapest|the most expensive|the best rated|the most central|any) .+?",
    "rest": r"[a-z].+?",
    "kind": r"nonstop flight|flight \(nonstop or with a stop\)",
}


def blanks(instruction: str, voices: Sequence[str], known: Mapping[str, str] = BLANKS) -> dict[str, str]:
    """What fills the blanks of whichever sentence an instruction was written by."""
    for voice in voices:
        match = re.fullmatch(_pattern(voice, known), instruction, re.DOTALL)
        if match is not None:
            return match.groupdict()
    raise AssertionError(f"nobody would say it like this: {instruction!r}")


def _pattern(voice: str, known: Mapping[str, str]) -> str:
    seen, made = set[str](), ""
    for at, part in enumerate(re.split(r"\{(\w+)\}", voice)):
        if at % 2 == 0:
            made += re.escape(part)
        elif part in seen:
            made += f"(?P={part})"
        else:
            seen.add(part)
            made += f"(?P<{part}>{known.get(part, '.+?')})"
    return made


def day_of(words: str) -> date:
    """A day as people name it.

    >>> day_of("in 3 weeks (today is May 4, 2026)").isoformat()
    '2026-05-25'
    """
    bare = words.removeprefix("on ").partition(" (today")[0]
    counted = re.fullmatch(r"in (\d+) (days|weeks)", bare)
    if counted:
        return TODAY + timedelta(int(counted[1]) * (7 if counted[2] == "weeks" else 1))
    from_now = re.fullmatch(r"(\w+) weeks? from today", bare)
    if from_now:
        return TODAY + timedelta(7 * NUMBERS[from_now[1]])
    if bare == "tomorrow":
        return TODAY + timedelta(1)
    coming = re.fullmatch(r"this coming (\w+)", bare)
    if coming:
        return next(day for ahead in range(1, 8) if f"{(day := TODAY + timedelta(ahead)):%A}" == coming[1])
    return _written(bare)


def _written(text: str) -> date:
    """May 4; Monday, May 4; Monday, May 4, 2026; 5/4/2026; 2026-05-04."""
    for form in ("%Y-%m-%d", "%m/%d/%Y", "%A, %B %d, %Y", "%B %d, %Y"):
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return datetime.strptime(f"{text.rpartition(', ')[2]}, 2026", "%B %d, %Y").date()


def stay_of(said: Mapping[str, str]) -> tuple[date, date]:
    """The first and the last day of a stay, however it was told."""
    if "soon" in said:
        words, _, nights = said["soon"].rpartition(", ")
        first = day_of(words)
        return first, first + timedelta(int(nights.split()[0]))
    first_words, last_words = next(said[name] for name in ("dates", "exact", "iso") if name in said).split(" to ")
    return _written(first_words), _written(last_words)


def people_of(said: Mapping[str, str]) -> dict[str, int]:
    """How many travel; two adults where nothing is said."""
    words = said.get("people", "2 adults")
    found = {name: re.search(rf"(\d+) {name}", words) for name in ("adult", "child", "room")}
    counts = {name: int(match[1]) if match else None for name, match in found.items()}
    return {"adults": counts["adult"] or 1, "children": counts["child"] or 0, "rooms": counts["room"] or 1}


def cents(text: str) -> int:
    """
    >>> cents("$1,299.00")
    129900
    """
    match = re.search(r"\$([\d,]+)\.(\d\d)", text)
    assert match, text
    return int(match[1].replace(",", "")) * 100 + int(match[2])
