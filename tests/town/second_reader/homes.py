"""What the portal for homes, and the city's property records, say about questions that are asked of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import floor

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.ranking import highest, lowest, only
from tests.town.second_reader.wording import NUMBERS

SITE = "hearthline"
Said = Mapping[str, str]
_TOWN = r"Alderbrook|Fenwick|Marrow Bay|Pine Hollow|Quarry Hill|Westmere"
_KIND = r"house|townhouse|condo"
_HOME = r"the \d-bedroom (?:house|townhouse|condo) .+?"
BLANKS: Mapping[str, str] = {
    "town": _TOWN,
    "towns": rf"(?:{_TOWN}), (?:{_TOWN}) and (?:{_TOWN})",
    "kind": rf"a (?:{_KIND})",
    "bare": _KIND,
    "most": r"\$[\d,]+\d",
    "size": r"(?: of .+?)?",
    "level": "elementary|middle|high",
    "home": _HOME,
    "one": _HOME,
    "two": _HOME,
    "metres": r"\d+",
    "pets": r"\w+ (?:cat|dog)s?",
}
FEATURES = {
    "air conditioning for the whole place": "Central air",
    "a fireplace": "Fireplace",
    "a pool": "Swimming pool",
    "its own washer and dryer": "In-unit laundry",
    "a basement": "Basement",
    "panels on the roof": "Solar panels",
    "a fence around the yard": "Fenced yard",
}
"""What people say for the features that a page lists."""
TALES = {
    "triple-pane windows put in in": "changed for triple glazing in",
    "a cellar that has not seen water since": "stayed dry through every storm since",
    "electrics renewed in": "rewired the place from top to bottom in",
    "a roof from": "roof was replaced in",
}
"""What people say for what agents write."""
WISHES: Mapping[str, Callable[[Home, int], bool]] = {
    r"(\d) or more bathrooms": lambda home, least: home.baths >= least,
    r"at least (\d) bedrooms": lambda home, least: home.beds >= least,
    r"built in (\d{4}) or later": lambda home, year: home.built >= year,
    r"room for (\d) cars under a roof": lambda home, cars: home.garage >= cars,
    r"HOA dues of up to \$(\d+) a month": lambda home, most: home.dues <= most,
    r"an HOA fee of \$(\d+) a month at most": lambda home, most: home.dues <= most,
}


def dollars(text: str) -> int:
    """
    >>> dollars("$3,525 a month")
    3525
    """
    match = re.search(r"\$([\d,]+)", text)
    assert match, text
    return int(match[1].replace(",", ""))


def number(pattern: str, text: str) -> float:
    match = re.search(pattern, text)
    assert match, (pattern, text)
    return float(match[1].replace(",", ""))


@dataclass(frozen=True)
class Home:
    """A listing: its card among the results, and its page."""

    web: Visitor
    card: Node

    @cached_property
    def page(self) -> Node:
        return self.web.get(SITE, self.card.one("h3 a").attributes["href"])

    @cached_property
    def facts(self) -> dict[str, str]:
        return {row.one("th").text: row.one("td").text for row in self.page.every("tr") if row.every("th")}

    @property
    def address(self) -> str:
        return self.card.one("h3 a").text

    @property
    def kind(self) -> str:
        """As its card says: a house, a townhouse, a condo or land."""
        match = re.search(r"(\w+) in ", self.card.one(".muted").text)
        assert match
        return match[1].lower()

    @property
    def price(self) -> int:
        return dollars(self.page.one("h1").text)

    @property
    def size(self) -> str:
        """The line under the price with bedrooms, bathrooms and square feet."""
        return self.page.one(".book p").text

    @property
    def beds(self) -> float:
        return number(r"(\d+) bd", self.size)

    @property
    def baths(self) -> float:
        return number(r"([\d.]+) ba", self.size)

    @property
    def feet(self) -> float:
        return number(r"([\d,]+) sq ft", self.size)

    @property
    def built(self) -> float:
        return number(r"built (\d{4})", self.facts["Kind"])

    @property
    def garage(self) -> float:
        return number(r"(\d+) car", self.facts["Garage"])

    @property
    def dues(self) -> int:
        return dollars(self.facts["HOA fee"])

    @property
    def acres(self) -> float:
        return number(r"([\d,]+) sq ft", self.facts["Lot"]) / 43_560

    @property
    def cut(self) -> int:
        """How far the price has come down since it was last listed; the newest line comes first."""
        listed = next(
            row for row in self.page.every("tr") if [cell.text for cell in row.every("td")][1:2] == ["Listed"]
        )
        return dollars(listed.text) - self.price

    def miles(self, level: str) -> float:
        rows = [row.text for row in self.page.every("tr") if f"{level.title()} School" in row.text]
        return number(r"([\d.]+) miles", only(rows))

    def tells(self, tale: str) -> bool:
        words, _, year = tale.rpartition(" ")
        return f"{TALES[words]} {year}" in self.page.one(".prose").text

    def has(self, wishes: str) -> bool:
        """Whether it has every one of the things that somebody wishes, in their words."""
        left, fits = wishes, True
        for pattern, holds in WISHES.items():
            for match in re.finditer(pattern, wishes):
                left = left.replace(match[0], "")
                fits = fits and holds(self, int(match[1]))
        for words, feature in FEATURES.items():
            if words in left:
                left = left.replace(words, "")
                fits = fits and feature in self.facts.get("Features", "").split(", ")
        assert not left.replace(" and ", "").strip(", "), f"nobody knows what {left!r} is"
        return fits


def homes(web: Visitor, town: str, kind: str, deal: str = "sale") -> list[Home]:
    """All of a kind in a town, whatever their status, page by page."""
    found: list[Home] = []
    for page in range(1, 40):
        cards = web.get(SITE, "/homes", deal=deal, town=town, page=page).every("article.card")
        if not cards:
            break
        found += [Home(web, card) for card in cards]
    return [home for home in found if home.kind == kind]


def fitting(web: Visitor, said: Said, town: str = "") -> list[Home]:
    kind = said["bare"] if "bare" in said else said["kind"].removeprefix("a ")
    return [home for home in homes(web, town or said["town"], kind) if home.has(said["wishes"])]


def described(web: Visitor, words: str, town: str = "") -> Home:
    """The one home that some words mean."""
    match = re.fullmatch(r"the (\d)-bedroom (\w+)(?: (for sale|to rent) in (.+?))? with (.+)", words)
    assert match, words
    deal = "rent" if match[3] == "to rent" else "sale"
    found = homes(web, match[4] or town, match[2], deal)
    return only(home for home in found if home.beds == int(match[1]) and home.tells(match[5]))


def cheapest(web: Visitor, said: Said) -> dict[str, object]:
    home = lowest(fitting(web, said), lambda home: home.price)
    return {"address": home.address, "price": home.price * 100}


def per_foot(web: Visitor, said: Said) -> dict[str, object]:
    home = lowest(fitting(web, said), lambda home: home.price / home.feet)
    return {"address": home.address, "price per square foot": floor(home.price / home.feet + 0.5) * 100}


def per_acre(web: Visitor, said: Said) -> dict[str, object]:
    assert said["size"] in ("", " of at least one acre"), said["size"]
    lots = homes(web, said["town"], "land")
    lots = [lot for lot in lots if lot.acres >= 1] if said["size"] else lots
    return {"address": lowest(lots, lambda lot: lot.price / lot.acres).address}


def nearest_school(web: Visitor, said: Said) -> dict[str, object]:
    home = lowest(fitting(web, said), lambda home: home.miles(said["level"]))
    return {"address": home.address, "distance": home.miles(said["level"])}


def biggest_cut(web: Visitor, said: Said) -> dict[str, object]:
    home = highest(fitting(web, said), lambda home: home.cut)
    return {"address": home.address, "reduction": home.cut * 100}


def prose_pick(web: Visitor, said: Said) -> dict[str, object]:
    home = only(home for home in fitting(web, said) if home.tells(said["tale"]))
    return {"address": home.address, "fees per year": home.dues * 12 * 100}


def move_in(web: Visitor, said: Said) -> dict[str, object]:
    home = described(web, said["home"])
    count, _, animal = said["pets"].partition(" ")
    assert animal.rstrip("s") in home.facts["Pets"].lower(), home.facts["Pets"]
    fees = {**NUMBERS, "one": 1}[count] * dollars(home.facts["Pets"])
    return {"total": (home.price + dollars(home.facts["Deposit"]) + fees) * 100}


def who_sells(web: Visitor, said: Said) -> dict[str, object]:
    link = only(
        link for link in described(web, said["home"]).page.every(".sheet a") if "/agent/" in link.attributes["href"]
    )
    license_number = re.search(r"License (\S+)", web.get(SITE, link.attributes["href"]).one("main").text)
    assert license_number
    return {"agent": link.text, "license": license_number[1]}


def yearly_tax(web: Visitor, said: Said) -> dict[str, object]:
    """In cents: what the city takes of each thousand dollars, and a year of fees."""

    def cost(home: Home) -> int:
        record = web.get("alderbrook", "/property", q=home.address).one("main").text
        assessed = re.search(r"Assessed value (\$[\d,]+)", record)
        assert assessed, record
        assert home.address in record
        return round(dollars(assessed[1]) * rate / 10) + home.dues * 1200

    rate = number(r"\$([\d.]+) a year for each thousand", web.get("alderbrook", "/property").one("main").text)
    home = lowest([described(web, said[name], "Alderbrook") for name in ("one", "two")], cost)
    return {"address": home.address, "cost per year": cost(home)}


def best_schools(web: Visitor, said: Said) -> dict[str, object]:
    def ratings(town: str) -> int:
        page = web.get(SITE, "/town/" + town.lower().replace(" ", "-")).one("main").text
        rated = re.findall(r"rated (\d+) of 10", page)
        assert len(rated) == 3, page
        return sum(map(int, rated))

    town = highest(re.split(r", | and ", said["towns"]), ratings)
    return {"town": town, "address": lowest(fitting(web, said, town), lambda home: home.price).address}


def family_sized(web: Visitor, said: Said) -> dict[str, object]:
    wanted = int(said["metres"])
    home = only(home for home in fitting(web, said) if abs(home.feet * 0.3048**2 - wanted) <= 10)
    return {"address": home.address, "year built": int(home.built)}


def none_left(web: Visitor, said: Said) -> dict[str, object]:
    found = [home for home in fitting(web, said) if home.price <= dollars(said["most"])]
    return {"": "done" if found else "unavailable"}


READERS: dict[str, Callable[[Visitor, Said], dict[str, object]]] = {
    "cheapest": cheapest,
    "per-foot": per_foot,
    "per-acre": per_acre,
    "nearest-school": nearest_school,
    "biggest-cut": biggest_cut,
    "prose-pick": prose_pick,
    "move-in": move_in,
    "who-sells": who_sells,
    "yearly-tax": yearly_tax,
    "best-schools": best_schools,
    "family-sized": family_sized,
    "none-left": none_left,
}
