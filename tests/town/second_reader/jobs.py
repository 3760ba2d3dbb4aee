"""What the job board's pages say about questions that are asked of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from math import floor

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.ranking import highest, lowest, only
from tests.town.second_reader.wording import TODAY

SITE = "fairlead"
Said = Mapping[str, str]
JOB = r"[a-z ]+ job in the [A-Z][A-Za-z ]+ area \([a-z, -]+\)"
BLANKS: Mapping[str, str] = {
    "site": "Fairlead Jobs",
    "job": JOB,
    "pay": r"\$[\d,]+ a year",
    "mode": "on-site|hybrid|remote",
    "type": "full-time|part-time|contract",
    "field": "[a-z]+",
    "zip": r"\d{5}",
    "share": r"\d+",
    "req": r"[A-Z]{2}-\d+",
}


def to_cents(amount: Fraction) -> int:
    """Dollars in cents, half a cent rounded up."""
    return floor(amount * 100 + Fraction(1, 2))


@dataclass(frozen=True)
class Posting:
    """A job's page."""

    page: Node

    @cached_property
    def details(self) -> dict[str, str]:
        return {row.one("th").text: row.one("td").text for row in self.page.every("table.details tr")}

    @property
    def title(self) -> str:
        return self.page.one("h1").text

    @property
    def employer(self) -> str:
        return self.page.one(".who-line a").text

    @property
    def requisition(self) -> str:
        return self.details["Requisition"]

    @property
    def zip(self) -> str:
        return self.details["Place"].split()[-1]

    @property
    def posted(self) -> date:
        return datetime.strptime(self.details["Posted"], "%A, %B %d, %Y").date()

    @property
    def pay(self) -> tuple[Fraction, Fraction]:
        """In dollars by its own unit, from and to."""
        low, high = re.findall(r"\$([\d,.]+)", self.details["Pay"])
        return Fraction(low.replace(",", "")), Fraction(high.replace(",", ""))

    @property
    def yearly(self) -> tuple[Fraction, Fraction]:
        """In dollars a year; a wage counts for the hours of the week in the text, 52 times."""
        low, high = self.pay
        if self.details["Pay"].endswith("a year"):
            return low, high
        hours = Fraction(self._told(r"The week has ([\d.]+) hours"))
        return low * hours * 52, high * hours * 52

    @property
    def with_bonus(self) -> Fraction:
        """The upper end of a year's pay with the bonus."""
        if "pay no bonus" in self.page.one(".prose").text:
            return self.yearly[1]
        return self.yearly[1] * (1 + Fraction(self._told(r"yearly bonus of ([\d.]+) percent")) / 100)

    @property
    def leave(self) -> int:
        return int(self._told(r"(\d+) days of paid leave"))

    @property
    def first_sentence(self) -> str:
        return re.split(r"(?<=[.!?]) ", self.page.every(".prose p")[0].text)[0]

    def _told(self, pattern: str) -> str:
        match = re.search(pattern, self.page.one(".prose").text)
        assert match, (pattern, self.page.one(".prose").text)
        return match[1]


def cards(web: Visitor, **query: str) -> Iterator[Node]:
    """The open jobs that the board finds, page by page."""
    for number in range(1, 60):
        found = web.get(SITE, "/jobs", page=number, **query).every("article.job")
        if not found:
            break
        yield from found


def posting(web: Visitor, link: Node) -> Posting:
    return Posting(web.get(SITE, link.attributes["href"]))


def badges(card: Node) -> list[str]:
    return [badge.text.lower() for badge in card.every(".badge")]


def described(web: Visitor, words: str) -> Posting:
    """The one job that some words mean: title, city, workplace and type; without a level it is none of the three."""
    match = re.fullmatch(r"(.+) job in the (.+) area \((.+?)(?:, neither junior nor senior nor lead)?\)", words)
    assert match, words
    found = [card for card in cards(web, metro=match[2]) if card.one("h3 a").text.lower() == match[1]]
    return posting(web, only(card for card in found if set(match[3].split(", ")) <= set(badges(card))).one("h3 a"))


def openings(web: Visitor, employer: str) -> list[tuple[Node, str]]:
    """The open positions of an employer: the link to each, and its place."""
    link = only(link for link in web.get(SITE, "/employers").every(".az a") if link.one("b").text == employer)
    page = web.get(SITE, link.attributes["href"])
    rows = [row for row in page.every("table.openings tr") if row.every("td")]
    assert page.one("h2").text == f"{len(rows)} open position{'s' * (len(rows) != 1)}"
    return [(row.one("a"), row.every("td")[1].text) for row in rows]


def pay_range(web: Visitor, said: Said) -> dict[str, object]:
    job = described(web, said["job"])
    low, high = map(to_cents, job.pay)
    return {"lowest pay": low, "highest pay": high, "applicants": int(job.details["Applicants"].split()[0])}


def first_sentence(web: Visitor, said: Said) -> dict[str, object]:
    """Without the board's filters for pay, workplace and education: from the postings themselves."""
    least = int(re.sub(r"\D", "", said["pay"]))
    degree = re.sub(r"^an? ", "", said["degree"])
    found = [card for card in cards(web, field=said["field"].title()) if said["mode"] in badges(card)]
    jobs = [posting(web, card.one("h3 a")) for card in found]
    fitting = [job for job in jobs if job.details["Education"] == degree and job.yearly[0] >= least]
    newest = highest(fitting, lambda job: job.posted.toordinal())
    return {"requisition": newest.requisition, "first sentence": newest.first_sentence}


def vacancies(web: Visitor, said: Said) -> dict[str, object]:
    found = openings(web, said["employer"])
    return {"open positions": len(found), "places": sorted({place for _, place in found})}


def hourly_or_yearly(web: Visitor, said: Said) -> dict[str, object]:
    jobs = [described(web, said[name]) for name in ("one", "two")]
    best, other = highest(jobs, lambda job: float(job.yearly[0])), lowest(jobs, lambda job: float(job.yearly[0]))
    return {"employer": best.employer, "difference": to_cents(best.yearly[0] - other.yearly[0])}


def nearest(web: Visitor, said: Said) -> dict[str, object]:
    def miles(card: Node) -> float:
        return float(only(text for text in badges(card) if text.endswith(" miles")).split()[0])

    left = [card for card in cards(web, zip=said["zip"], field=said["field"].title()) if said["type"] in badges(card)]
    first: list[Node] = []
    while len(first) < 3:
        first.append(lowest(left, miles))
        left.remove(first[-1])
    return {"employers": [card.one("a.who").text for card in first], "miles": miles(first[-1])}


def closed(web: Visitor, said: Said) -> dict[str, object]:
    found = [
        link for link, place in openings(web, said["employer"]) if (link.text, place) == (said["title"], said["place"])
    ]
    return {"": "done" if found else "unavailable"}


def status(web: Visitor, said: Said) -> dict[str, object]:
    pages = [web.get(SITE, link.attributes["href"]) for link in web.get(SITE, "/applications").every("table a")]

    def mine_to(page: Node) -> bool:
        role, _, employer = page.one("h1").text.partition(" at ")
        return employer == said["employer"] and role.lower().endswith(said["role"])

    mine = only(filter(mine_to, pages))
    match = re.search(r"[A-Z][a-z]+ \d+", mine.one(".prose").text)
    assert match, mine.text
    day = datetime.strptime(f"{match[0]}, {TODAY.year}", "%B %d, %Y").date()
    return {"status": mine.one(".badge").text, "day": day.isoformat()}


def take_home(web: Visitor, said: Said) -> dict[str, object]:
    left = described(web, said["job"]).with_bonus * (100 - int(said["share"])) / 100
    return {"take-home": to_cents(left / 12)}


def best_of_three(web: Visitor, said: Said) -> dict[str, object]:
    """Each has one opening of the role, whatever its level."""

    def role(employer: str) -> Posting:
        found = [link for link, _ in openings(web, employer) if link.text.lower().endswith(said["role"])]
        return posting(web, only(found))

    best = highest([role(said[name]) for name in ("one", "two", "three")], lambda job: float(job.with_bonus))
    return {"employer": best.employer, "total": to_cents(best.with_bonus)}


def most_leave(web: Visitor, said: Said) -> dict[str, object]:
    jobs = [posting(web, link) for link, _ in openings(web, said["name"])]
    best = highest(jobs, lambda job: job.leave)
    second = max(job.leave for job in jobs if job is not best)
    return {"requisition": best.requisition, "days": best.leave, "difference": best.leave - second}


READERS: dict[str, Callable[[Visitor, Said], dict[str, object]]] = {
    "pay-range": pay_range,
    "first-sentence": first_sentence,
    "vacancies": vacancies,
    "hourly-or-yearly": hourly_or_yearly,
    "nearest": nearest,
    "closed": closed,
    "status": status,
    "take-home": take_home,
    "best-of-three": best_of_three,
    "most-leave": most_leave,
}
