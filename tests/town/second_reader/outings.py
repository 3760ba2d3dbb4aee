"""What the pages of the activities say about questions that are asked of them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from fractions import Fraction

from tests.town.second_reader.page import Visitor
from tests.town.second_reader.venues import (
    Place,
    Reader,
    Said,
    booking,
    count_of,
    described,
    first,
    only,
    places,
    rounded,
    sum_of,
)
from tests.town.second_reader.wording import cents, day_of

SITE = "outbound"
BLANKS = {
    "site": "Outbound",
    "number": r"OB\d+",
    "name": r"\w+",
    "city": r"\w+",
    "hours": r"\d+",
    "count": r"\d+",
    "age": r"\w+",
    "exact": r"\w+, \w+ \d+, \d{4}",
    "weekday": r"\w+day(?:, \w+ \d+)?",
    "party": r"\d \w+(?: and \d \w+)*",
}
QUIRKS = {
    "where a swaying crossing holds just three": "hanging bridge",
    "where visitors start the instrument at midday": "wind up the big organ",
    "where horned animals beg for fruit": "Goats follow you",
    "where you buy a drink from nobody, on trust": "sells lemonade",
    "where you navigate a lightless room by nose": "completely dark",
    "where the equipment is addressed personally": "The tools all have names",
}
"""What guests say that other words are about."""
TRAITS = {
    "that is said to be fine on a wet day": "Good in the rain",
    "without any steps": "Step-free access",
    "with something to eat included": "Snack included",
}
ROUTES = {"there and back the same way": "Out and back"}
TOPICS = {"bad weather": "weather|storm|rain", "people who are late": r"We wait \d+ minutes"}
EXTRAS = {
    "audio guides": "Audio guide",
    "aprons to take home": "Apron to keep",
    "drinks included": "Drinks with the meal",
}


def place_of(web: Visitor, said: Said) -> Place:
    return described(web, SITE, said["place"], QUIRKS, TRAITS)


def kind_of(words: str) -> str:
    """
    >>> kind_of("cooking classes"), kind_of("bike tours"), kind_of("meetup")
    ('Cooking class', 'Bike tour', 'Meetup')
    """
    return re.sub(r"(?<=ss)es$|(?<!s)s$", "", words).capitalize()


def length(place: Place) -> Fraction:
    """In kilometres."""
    return Fraction(place.facts["Length"].removesuffix(" km"))


def climb(place: Place) -> int:
    return int(place.facts["Climb"].removesuffix(" m").replace(",", ""))


def fares(place: Place) -> dict[str, tuple[int, int, int]]:
    """The tickets by name: from which age to which, and the price."""
    found = {}
    for label, price in place.facts.items():
        match = re.fullmatch(r"(\w+) \((\d+) (?:to (\d+)|and over)\)", label)
        if match:
            found[match[1]] = (int(match[2]), int(match[3] or 200), cents(price))
    return found


def fare(place: Place, name: str) -> int:
    return fares(place)[name][2]


def for_group(place: Place, tickets: list[int]) -> int:
    """What some tickets cost together, with what a group gets off."""
    rule = place.rule(r"Parties of (\d+) or more pay (\d+)% less for all tickets together")
    assert rule
    off = int(rule[2]) if len(tickets) >= int(rule[1]) else 0
    return rounded(sum(tickets) * (100 - off), 100)


def party_of(words: str) -> dict[str, int]:
    """
    >>> party_of("2 adults and 1 child")
    {'adults': 2, 'children': 1, 'seniors': 0}
    """
    found = {name: re.search(rf"(\d+) {name}", words) for name in ("adult", "child", "senior")}
    counts = {name: int(match[1]) if match else 0 for name, match in found.items()}
    return {"adults": counts["adult"], "children": counts["child"], "seniors": counts["senior"]}


def trail_by_size(web: Visitor, said: Said) -> dict[str, object]:
    about = Fraction(said["length"].removesuffix(" km"))
    known = places(web, SITE, said["city"], "Trail")
    fit = only(
        place
        for place in known
        if place.facts["Route"] == ROUTES[said["fits"]] and abs(length(place) - about) <= about / 10
    )
    return {"trail": fit.name, "climb": climb(fit)}


def in_miles(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    return {
        "miles": round(float(length(place)) / 1.609344, 1),
        "feet": round(climb(place) / 0.3048),
    }


def walking_time(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    pace, breath = Fraction(said["pace"].removesuffix(" km")), int(said["breath"].split()[0])
    minutes = length(place) * 60 / pace + Fraction(climb(place) * breath, 100)
    return {"time": rounded(minutes.numerator, minutes.denominator)}


def family_tickets(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    words = re.fullmatch(
        r"two adults in their late thirties, a grandmother of (\d+), and children of (\d+), (\d+) and (\d+)",
        said["family"],
    )
    assert words
    ages = [38, 38, *(int(age) for age in words.groups())]
    tickets = [price for age in ages for low, high, price in fares(place).values() if low <= age <= high]
    assert place.rule("The smallest, below the age of a child's ticket, come along without one")
    return {"total": for_group(place, tickets)}


def free_evening(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    rule = place.rule(r"On (\w+) evenings .+ nobody pays")
    assert rule
    return {"weekday": rule[1], "saving": 2 * fare(place, "Adult")}


def minutes_of(place: Place) -> int:
    match = re.fullmatch(r"(\d+) h(?: (\d+) min)?", place.facts["Duration"])
    assert match, place.facts
    return int(match[1]) * 60 + int(match[2] or 0)


def per_hour(web: Visitor, said: Said) -> dict[str, object]:
    known = places(web, SITE, said["city"], kind_of(said.get("kinds") or said["kind"]))
    low = first(known, lambda place: fare(place, "Adult") / minutes_of(place))
    return {"activity": low.name, "price": rounded(fare(low, "Adult") * 60, minutes_of(low))}


def comes_back(web: Visitor, said: Said) -> dict[str, object]:
    page = booking(web, SITE, said)
    link = page.every("a")[0]
    rule = Place(web, SITE, link.text, link.attributes["href"]).rule(
        r"Whoever cancels (\d+) hours ahead or earlier gets everything back; after that we return (\d+)%"
    )
    assert rule
    share = 100 if int(said["hours"]) >= int(rule[1]) else int(rule[2])
    return {"refund": rounded(sum_of(page, "Total") * share, 100)}


def school_trip(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    if "age" in said:
        assert fares(place)["Child"][1] == int(said["age"])
    children, grown = count_of(said["count"]), count_of(said["grown"])
    return {"total": for_group(place, [fare(place, "Child")] * children + [fare(place, "Adult")] * grown)}


def old_enough(web: Visitor, said: Said) -> dict[str, object]:
    age = count_of(said["age"])
    known = [
        (place, place.rule(r"nobody under (\d+) takes part"))
        for place in places(web, SITE, said["city"], kind_of(said["kinds"]))
    ]
    return {"activities": [place.name for place, rule in known if rule is None or int(rule[1]) <= age]}


def nearest(web: Visitor, said: Said) -> dict[str, object]:
    known = places(web, SITE, said["city"], kind_of(said["kind"]))
    near = first(known, lambda place: place.metres(said["mark"]))
    return {"activity": near.name, "metres": near.metres(said["mark"])}


def first_day(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    words = next(said[name] for name in ("exact", "weekday", "day") if name in said)
    day = day_of(words)
    for ahead in range(60):
        asked = {"day": (day + timedelta(ahead)).isoformat(), **party_of(said["party"])}
        free = web.get(SITE, place.path, **asked).every("button.time b")
        if free:
            return {"date": asked["day"], "time": f"{datetime.strptime(free[0].text, '%I:%M %p'):%H:%M}"}
    raise AssertionError("there is never any place")


def quote(web: Visitor, said: Said) -> dict[str, object]:
    place = place_of(web, said)
    rule = place.rule(f".*(?:{TOPICS[said['topic']]}).*")
    assert rule
    return {"quote": rule[0], "link": f"http://{SITE}.town.localhost{place.path}/rules"}


def open_latest(web: Visitor, said: Said) -> dict[str, object]:
    def closes(place: Place) -> str:
        hours = place.facts[said["weekday"]]
        return "" if hours == "Closed" else f"{datetime.strptime(hours.split(' – ')[-1], '%I:%M %p'):%H:%M}"

    *_, second, last = sorted(places(web, SITE, said["city"], "Museum"), key=closes)
    assert closes(second) < closes(last)
    return {"museum": last.name, "time": closes(last)}


def with_extras(web: Visitor, said: Said) -> dict[str, object]:
    place, party = place_of(web, said), party_of(said["party"])
    names = {"adults": "Adult", "children": "Child", "seniors": "Senior"}
    tickets = [fare(place, names[who]) for who, many in party.items() for _ in range(many)]
    extra = place.facts[EXTRAS[re.sub(r"^with ", "", said["extra"])]]
    assert "a person" in extra
    return {"total": for_group(place, tickets) + cents(extra) * len(tickets)}


READERS: dict[str, Reader] = {
    "trail-by-size": trail_by_size,
    "in-miles": in_miles,
    "walking-time": walking_time,
    "family-tickets": family_tickets,
    "free-evening": free_evening,
    "per-hour": per_hour,
    "comes-back": comes_back,
    "school-trip": school_trip,
    "old-enough": old_enough,
    "nearest": nearest,
    "first-day": first_day,
    "quote": quote,
    "open-latest": open_latest,
    "with-extras": with_extras,
}
