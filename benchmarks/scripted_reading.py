"""How the scripted bot reads pages and instructions, and what it acts by."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Protocol

from workalike.core.task import Task
from workalike.town.caller import Form, PageReply


class Client(Protocol):
    """What the bot acts by: pages of a site, and forms posted there."""

    def get(self, site: str, path: str, **query: object) -> PageReply: ...
    def post(self, site: str, path: str, form: Form = ()) -> PageReply: ...


class Stop(Exception):
    """The end of a task that cannot go on; its text is what the answer's line says instead."""


TODAY = date(2026, 5, 4)
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
NUMBERS = {
    word: count
    for count, word in enumerate(["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
}
_MONTH = "|".join(MONTHS)
_DATES = re.compile(
    rf"(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<us>\d{{1,2}}/\d{{1,2}}/\d{{4}})|(?P<month>{_MONTH}) (?P<day>\d{{1,2}})\b"
    rf"|\bin (?P<many>\d+) (?P<unit>days|weeks)|(?P<weeks>a|two|three) weeks? from today"
    rf"|this coming (?P<coming>{'|'.join(DAYS)})"
)
_TODAY = re.compile(r"\(?today is [A-Z]\w+ \d+, \d{4}\)?")
_TIME = re.compile(r"\b(\d{1,2})(?::(\d\d))? ?([ap])\.?m\b|\b(\d{2}):(\d\d)\b", re.I)
_MONEY = re.compile(r"\$([\d,]+(?:\.\d\d)?)")


# What pages and instructions say


def lines(page: str) -> list[str]:
    """The texts of a page in order, one for each element."""
    bare = re.sub(r"(?s)<(script|style|svg|head)\b.*?</\1>|<!--.*?-->", "", page)
    texts = re.split(r"<[^>]+>", bare)
    return [said for said in (" ".join(html.unescape(text).split()) for text in texts) if said]


def prose(page: str) -> str:
    return " ".join(lines(page))


def after(page: str, label: str) -> str:
    """What stands behind a label, in the same element or in the next."""
    said = lines(page)
    for at, text in enumerate(said):
        if text.lower().rstrip(":") == label.lower() and at + 1 < len(said):
            return said[at + 1]
        if text.lower().startswith(f"{label.lower()}:"):
            return text[len(label) + 1 :].strip() or said[at + 1]
    return ""


def links(page: str, start: str) -> Iterator[tuple[str, str]]:
    """Links whose address starts so, with what they say; those around a picture say nothing."""
    for address, text in re.findall(r'(?s)<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)</a>', page):
        if address.startswith(start) and (said := prose(text)):
            yield html.unescape(address), said


def forms(page: str, action: str) -> Iterator[tuple[dict[str, str], str]]:
    """Forms that are sent to an address: their hidden fields, and the page before them as far as the form before."""
    before = ""
    for piece in re.split(r"(?s)(<form\b.*?</form>)", page):
        if piece.startswith("<form") and re.match(rf'<form[^>]*action="{action}', piece):
            yield {html.unescape(k): html.unescape(v) for k, v in re.findall(_HIDDEN, piece)}, before + piece
            before = ""
        elif not piece.startswith("<form"):
            before += piece


_HIDDEN = re.compile(r'<input\s+type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"')


def money(text: str) -> float:
    """The first amount of a text."""
    found = _MONEY.search(text)
    if found is None:
        raise Stop("impossible")
    return float(found[1].replace(",", ""))


def dates(text: str) -> list[date]:
    """The days that an instruction names, in order."""
    found = []
    for match in _DATES.finditer(_TODAY.sub("", text)):
        part = match.groupdict()
        if part["iso"]:
            found.append(date.fromisoformat(part["iso"]))
        elif part["us"]:
            month, day, year = map(int, part["us"].split("/"))
            found.append(date(year, month, day))
        elif part["month"]:
            found.append(date(TODAY.year, MONTHS.index(part["month"]) + 1, int(part["day"])))
        elif part["many"]:
            found.append(TODAY + timedelta(int(part["many"]) * (7 if part["unit"] == "weeks" else 1)))
        elif part["weeks"]:
            found.append(TODAY + timedelta(7 * {"a": 1, "two": 2, "three": 3}[part["weeks"]]))
        else:
            ahead = (DAYS.index(part["coming"]) - TODAY.weekday() - 1) % 7 + 1
            found.append(TODAY + timedelta(ahead))
    return found


def clock(text: str) -> str:
    """The first time of a text, as pages post it (`14:30`)."""
    match = _TIME.search(text)
    if match is None:
        raise Stop("impossible")
    if match[4]:
        return f"{match[4]}:{match[5]}"
    return f"{int(match[1]) % 12 + 12 * (match[3].lower() == 'p'):02}:{match[2] or '00'}"


def long_date(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def slug(name: str, ampersand: str = "") -> str:
    """A name as sites write it into addresses."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("&", ampersand).replace("'", "")).strip("-")


def count_of(text: str, what: str, default: int = 0) -> int:
    """How many of something an instruction speaks of (`2 adults`, `one adult`)."""
    match = re.search(rf"\b(\d+|{'|'.join(NUMBERS)}|single)(?: \w+)? {what}", text, re.I)
    if match is None:
        return default
    return int(match[1]) if match[1].isdigit() else NUMBERS.get(match[1].lower(), 1)


def runs(text: str) -> list[str]:
    """Names that may stand in a text: capitalised words in a row, and each such row without its first words."""
    word = r"[A-Z][\w'’-]*"
    found = []
    for match in re.finditer(rf"{word}(?: (?:&|of|and|the|{word}))*", text):
        for row in [match[0], *match[0].split(" and ")]:
            words = row.split()
            found += [" ".join(words[at:]) for at in range(min(3, len(words))) if words[at][0].isupper()]
    return found


class Errand:
    """A task while it is worked on."""

    def __init__(self, task: Task, client: Client) -> None:
        self.task, self.client = task, client
        self.text = " ".join(task.instruction.split())
        self.fields = tuple(field.name for field in task.form or ())

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.text, re.I) is not None

    def get(self, site: str, path: str, **query: object) -> str:
        return self._page(self.client.get(site, path, **query))

    def post(self, site: str, path: str, form: Form = ()) -> str:
        return self._page(self.client.post(site, path, form))

    def _page(self, reply: PageReply) -> str:
        if "Prove you are human" in reply.text:
            raise Stop("blocked")
        return reply.text if reply.status < 400 else ""

    def find(self, pattern: str) -> str:
        """The first group of a pattern that the instruction must hold."""
        match = re.search(pattern, self.text)
        if match is None:
            raise Stop("impossible")
        return match[1]

    def steps(self, site: str, page: str, given: dict[str, Form], root: str = "/book") -> str:
        """Answer the steps of a form, whatever their order, as far as there is something to answer with."""
        seen = set[str]()
        while match := re.search(rf'<form[^>]*action="{root}/([\w-]+)"[^>]*data-step', page):
            if match[1] in seen or match[1] not in given:
                break
            seen.add(match[1])
            page = self.post(site, f"{root}/{match[1]}", given[match[1]])
        return page
