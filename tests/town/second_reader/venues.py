"""Places that a city's map lists, as both the restaurants' and the activities' pages show them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.wording import cents

Said = Mapping[str, str]
Reader = Callable[[Visitor, Said], dict[str, object]]
COUNTS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def count_of(words: str) -> int:
    """
    >>> count_of("eleven"), count_of("13"), count_of("a dozen")
    (11, 13, 12)
    """
    if words == "a dozen":
        return 12
    return int(words) if words.isdigit() else COUNTS.index(words) + 1


def rounded(over: int, under: int) -> int:
    """A quotient to the nearest whole number, halves up."""
    return (2 * over + under) // (2 * under)


def only(found: Iterable[Place]) -> Place:
    (one,) = found
    return one


def first(places: Iterable[Place], rank: Callable[[Place], float]) -> Place:
    """The one that comes first, which has to be one alone."""
    best, second, *_ = sorted(places, key=rank)
    assert rank(best) < rank(second), (best.name, second.name)
    return best


class Place:
    """A restaurant or an activity with the pages about it."""

    def __init__(self, web: Visitor, site: str, name: str, path: str) -> None:
        self.web, self.site, self.name, self.path = web, site, name, path
        self.page = web.get(site, path)

    @property
    def rating(self) -> float:
        return float(self.page.one(".score b").text)

    @property
    def traits(self) -> list[str]:
        return [item.text for item in self.page.every(".ticks li")]

    @property
    def phone(self) -> str:
        match = re.search(r"Phone ([\d-]+)", self.page.one(".getting").text)
        assert match
        return match[1]

    @property
    def facts(self) -> dict[str, str]:
        """The tables of the page, line by line."""
        return {row.one("th").text: row.one("td").text for row in self.page.every(".policies tr")}

    def rules(self) -> list[str]:
        return [part.text for part in self.web.get(self.site, f"{self.path}/rules").every("main p")]

    def rule(self, pattern: str) -> re.Match[str] | None:
        """Where something stands in the rules, if it does."""
        found = [match for line in self.rules() if (match := re.search(pattern, line))]
        assert len(found) < 2, (self.name, pattern)
        return found[0] if found else None

    def said(self, words: str) -> bool:
        """Whether a review has the words."""
        return words in self.web.get(self.site, f"{self.path}/reviews").one("main").text

    def metres(self, mark: str) -> int:
        """How far it is from a landmark by the page."""
        match = re.search(rf"([\d.]+) (k?m) from the {mark}", self.page.one(".getting").text)
        assert match, (self.name, mark)
        return round(float(match[1]) * (1000 if match[2] == "km" else 1))


def places(web: Visitor, site: str, city: str, kind: str) -> list[Place]:
    """All of a kind in a city, from its map."""
    legend = web.get(site, f"/map/{city}", kind=kind).every(".legend li")
    assert legend
    assert all(item.text.partition(" · ")[0].endswith(kind) for item in legend)
    return [Place(web, site, link.text, link.attributes["href"]) for item in legend for link in item.every("a")]


def described(web: Visitor, site: str, words: str, quirks: Mapping[str, str], traits: Mapping[str, str]) -> Place:
    """The place that some words mean: by rating, by distance, by what a guest tells, or by what only it has."""
    match = re.fullmatch(r"the (?:only )?(.+?)(?: restaurant)? in (\w+) ((?:that|where|with|without) .+)", words)
    assert match, words
    kind, city, telling = match.groups()
    known = places(web, site, city, kind[0].upper() + kind[1:])
    if telling == "that guests rate highest":
        return first(known, lambda place: -place.rating)
    near = re.fullmatch(r"that is closest to the (.+)", telling)
    if near:
        return first(known, lambda place: place.metres(near[1]))
    if telling in traits:
        return only(place for place in known if traits[telling] in place.traits)
    return only(place for place in known if place.said(quirks[telling]))


def booking(web: Visitor, site: str, said: Said) -> Node:
    """The page of a booking that stands."""
    return web.post(site, "/find", {"number": said["number"], "name": said["name"]}).one("main")


def starts(page: Node) -> datetime:
    """When a booking begins."""
    match = re.search(r"\w+, (\w+ \d+, \d{4}), (\d+:\d\d [AP]M)", page.text)
    assert match, page.text
    return datetime.strptime(" ".join(match.groups()), "%B %d, %Y %I:%M %p")


def sum_of(page: Node, label: str) -> int:
    """A sum by the words before it."""
    return cents(page.text[page.text.index(label) :])
