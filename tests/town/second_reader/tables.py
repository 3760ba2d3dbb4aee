"""What the pages of the restaurants say about questions that are asked of them."""

from __future__ import annotations

import re
from datetime import timedelta

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.venues import (
    Place,
    Reader,
    Said,
    booking,
    count_of,
    described,
    first,
    places,
    rounded,
    starts,
    sum_of,
)
from tests.town.second_reader.wording import cents

SITE = "forkline"
BLANKS = {
    "site": "Forkline",
    "number": r"FL\d+",
    "name": r"\w+",
    "city": r"\w+",
    "count": r"\w+",
    "one": r"\w+",
    "two": r"\w+",
}
QUIRKS = {
    "where strangers leave written messages inside the furniture": "drawer full of notes",
    "where the whole staff stops work for a single tune": "closes for exactly one song",
    "where you read the dishes off the server's clothing": "on the waiter's apron",
    "where everybody eats side by side at one shared board": "one long table for all",
    "where one seat dangles from ropes": "A swing hangs",
    "where a bird greets the guests": "grey parrot",
}
"""What guests say that other words are about."""
TRAITS = {
    "where musicians play": "Live music",
    "that cooks until late": "Open late",
    "that calls itself good for families": "Family friendly",
}
MARKS = {"vegan": {"vg"}, "without gluten": {"gf"}, "vegetarian": {"v", "vg"}}
TOPICS = {"arriving late": "hold your table", "nuts and allergies": r"[Nn]uts|allergies", "children": "Children"}


def place_of(web: Visitor, said: Said) -> Place:
    return described(web, SITE, said["place"], QUIRKS, TRAITS)


class Dish:
    """A line of a menu."""

    def __init__(self, line: Node) -> None:
        self.name, self.price = line.one("div b").text, cents(line.every("b")[-1].text)
        self.marks = {mark.text for mark in line.every("abbr")}
        self.about = line.one("div p").text


def menu(place: Place, course: str = "") -> list[Dish]:
    """The dishes of a course, or of all."""
    sheet = place.web.get(SITE, f"{place.path}/sheet")
    courses = [part for part in sheet.every("section.lines") if not course or part.one("h2").text == course]
    return [Dish(line) for part in courses for line in part.every(".line")]


def kind_of(words: str) -> str:
    """
    >>> kind_of("Japanese restaurants"), kind_of("steakhouse")
    ('Japanese', 'Steakhouse')
    """
    return re.sub(r" restaurants?$|s$", "", words).capitalize()


def bill(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    prices = {dish.name: dish.price for dish in menu(place)}
    corkage = place.rule(r"we open it for \$(\d+) each")
    assert corkage
    total = int(corkage[1]) * 100
    for words in re.split(r", | and (?=one |two |three )", said["dishes"]):
        many, name = re.split(r" × | ", words, maxsplit=1)
        total += count_of(many) * prices[name.removeprefix("× ")]
    return {"total": total}


def group_bill(web: Visitor, said: Said) -> dict[str, object]:
    many = count_of(said["many"].removesuffix(" of us"))
    rule = place_of(web, said).rule(r"From (\d+) guests on .+ at \$(\d+) a head, and (\d+)% service")
    assert rule
    assert many >= int(rule[1])
    return {"total": rounded(many * int(rule[2]) * 100 * (100 + int(rule[3])), 100)}


def per_measure(web: Visitor, said: Said) -> dict[str, object]:
    wine = re.compile(rf"{said['wine']}, (\w+)", re.IGNORECASE)
    prices = {}
    for dish in menu(place_of(web, said), "Wine"):
        match = wine.fullmatch(dish.name)
        if match:
            prices[match[1]] = (dish.price * 100, round(float(dish.about.removesuffix(" cl")) * 10))
    ranked = sorted(prices, key=lambda name: prices[name][0] / prices[name][1])
    low, second = (prices[name] for name in ranked[:2])
    assert low[0] * second[1] < second[0] * low[1]
    return {"measure": ranked[0], "price": rounded(*low)}


def need(web: Visitor, said: Said) -> dict[str, object]:
    most = round(float(said["most"].removeprefix("$")) * 100)
    fit = [
        dish for dish in menu(place_of(web, said), "Mains") if dish.marks & MARKS[said["need"]] and dish.price <= most
    ]
    low, *more = sorted(fit, key=lambda dish: dish.price)
    assert not more or low.price < more[0].price
    return {"count": len(fit), "dish": low.name}


def last_moment(web: Visitor, said: Said) -> dict[str, object]:
    """The last moment at which a deposit comes back, of a booking that has one."""
    page = booking(web, SITE, said)
    assert sum_of(page, "Deposit") > 0, "there is no deposit to get back"
    link = page.every("a")[0]
    rule = Place(web, SITE, link.text, link.attributes["href"]).rule(r"Tell us (\d+) hours ahead")
    assert rule
    moment = starts(page) - timedelta(hours=int(rule[1]))
    return {"date": moment.date().isoformat(), "time": f"{moment:%H:%M}"}


def quote(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    rule = place.rule(f".*(?:{TOPICS[said['topic']]}).*")
    assert rule
    return {"quote": rule[0], "phone": place.phone}


def dogs_inside(web: Visitor, said: Said) -> dict[str, object]:
    known = [place for kind in (said["one"], said["two"]) for place in places(web, SITE, said["city"], kind)]
    return {"restaurants": [place.name for place in known if place.rule("Dogs are welcome everywhere")]}


def how_far(web: Visitor, said: Said) -> dict[str, object]:
    known = places(web, SITE, said["city"], kind_of(said["kind"]))
    near, second, *_ = sorted(known, key=lambda place: place.metres(said["mark"]))
    return {"restaurant": near.name, "difference": second.metres(said["mark"]) - near.metres(said["mark"])}


def set_menus(web: Visitor, said: Said) -> dict[str, object]:
    def price(place: Place) -> int:
        (three,) = menu(place, "Set menu")
        return three.price

    low = first(places(web, SITE, said["city"], kind_of(said["kinds"])), price)
    deposit = re.search(r"A deposit of (\$\d+\.\d\d) a guest is taken", low.page.text)
    return {
        "restaurant": low.name,
        "due": count_of(said["count"].lower()) * (price(low) - (cents(deposit[1]) if deposit else 0)),
    }


def by_weight(web: Visitor, said: Said) -> dict[str, object]:
    cuts = []
    for place in places(web, SITE, said["city"], "Steakhouse"):
        for dish in menu(place, "Mains"):
            grams = re.search(r"(\d+) g\b", dish.about)
            if grams:
                cuts.append((dish.price * 100 / int(grams[1]), rounded(dish.price * 100, int(grams[1])), place, dish))
    low, second, *_ = sorted(cuts, key=lambda cut: cut[0])
    assert low[0] < second[0]
    return {"restaurant": low[2].name, "cut": low[3].name, "price": low[1]}


READERS: dict[str, Reader] = {
    "bill": bill,
    "group-bill": group_bill,
    "per-measure": per_measure,
    "need": need,
    "last-moment": last_moment,
    "quote": quote,
    "dogs-inside": dogs_inside,
    "how-far": how_far,
    "set-menus": set_menus,
    "by-weight": by_weight,
}
