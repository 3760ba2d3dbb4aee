"""What the pages of the flight sites say about questions that are asked of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.wording import cents, day_of, people_of

SITES = {"Gannet": "gannet", "Solenne Air": "solenne"}
Said = Mapping[str, str]


def results(web: Visitor, said: Said, day: date, adults: int = 1, children: int = 0) -> list[Node]:
    asked = {"from": said["from"], "to": said["to"], "depart": day.isoformat(), "adults": adults, "children": children}
    return web.get(SITES[said["site"]], "/flights", **asked, cabin="Economy").every("article.way")


def nonstop(ways: list[Node]) -> list[Node]:
    return [way for way in ways if way.every(".course small")[1].text == "Nonstop"]


def priced(ways: list[Node]) -> list[int]:
    return [cents(way.one(".cost").text) for way in ways if way.every(".cost")]


def minutes(text: str) -> int:
    """
    >>> minutes("5 h 20 min"), minutes("2:35 PM")
    (320, 875)
    """
    clock = re.match(r"(\d+):(\d\d) ([AP])M", text)
    if clock:
        return (int(clock[1]) % 12 + (12 if clock[3] == "P" else 0)) * 60 + int(clock[2])
    span = re.match(r"(\d+) h (\d+) min", text)
    assert span, text
    return int(span[1]) * 60 + int(span[2])


def departure(way: Node) -> int:
    return minutes(way.every(".time b")[0].text)


def named(web: Visitor, said: Said, **people: int) -> Node:
    """The results' card of a flight that is called by airline, number and time."""
    number = re.search(r"[A-Z]{2} \d+", said["flight"])
    assert number
    ways = results(web, said, day_of(said["when"]), **people)
    return next(way for way in ways if way.one(".way-who p").text.endswith(f" {number[0]}"))


def chosen(web: Visitor, said: Said, card: Node) -> Node:
    """The fares of a flight, once it is taken from the results."""
    form = {field.attributes["name"]: field.attributes["value"] for field in card.every("form input")}
    return web.post(SITES[said["site"]], "/trip", form)


def fare_prices(page: Node) -> dict[str, str]:
    return {fare.one("h2").text: fare.text for fare in page.every("section.fare")}


def cheapest(web: Visitor, said: Said) -> dict[str, object]:
    ways = results(web, said, day_of(said["when"]))
    return {"price": min(priced(nonstop(ways) if said["kind"] == "nonstop flight" else ways))}


def fare_gap(web: Visitor, said: Said) -> dict[str, object]:
    fares = fare_prices(chosen(web, said, named(web, said)))
    return {"difference": cents(fares[said["high"]]) - cents(fares[said["low"]])}


def legroom(web: Visitor, said: Said) -> dict[str, object]:
    chosen(web, said, named(web, said))
    site = SITES[said["site"]]
    web.post(site, "/trip/fare", {"fare": "Standard"})
    return {"extra legroom seats": len(web.get(site, "/book/seats-1").every("label.seat-more"))}


def fastest(web: Visitor, said: Said) -> dict[str, object]:
    ways = results(web, said, day_of(said["when"]))
    return {"duration": min(minutes(way.every(".course small")[0].text) for way in ways)}


def last_departure(web: Visitor, said: Said) -> dict[str, object]:
    latest = max(departure(way) for way in nonstop(results(web, said, day_of(said["when"]))))
    return {"departure time": f"{latest // 60:02d}:{latest % 60:02d}"}


def family(web: Visitor, said: Said) -> dict[str, object]:
    people = people_of(said)
    party = {"adults": people["adults"], "children": people["children"]}
    fares = fare_prices(chosen(web, said, named(web, said, **party)))
    whole = re.search(r"(\$[\d,.]+) for all", fares[said["fare"]])
    assert whole
    return {"total": cents(whole[1])}


def cheaper_day(web: Visitor, said: Said) -> dict[str, object]:
    days = [day_of(said[name]) for name in ("one", "two")]
    lowest = {day: min(priced(nonstop(results(web, said, day)))) for day in days}
    return {"day": min(lowest, key=lambda day: lowest[day]).isoformat()}


def sold_out(web: Visitor, said: Said) -> dict[str, object]:
    return {"": "unavailable" if named(web, said).every(".out") else "done"}


def clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def arrival(way: Node) -> tuple[int, bool]:
    """When a flight lands, and whether that is on the same day."""
    text = way.every(".time b")[1].text
    return minutes(text), "+" not in text


def flight_number(way: Node) -> str:
    match = re.search(r"[A-Z]{2} \d+", way.one(".way-who p").text)
    assert match
    return match[0]


def free(ways: list[Node]) -> list[Node]:
    return [way for way in ways if way.every(".cost")]


def by_price(ways: list[Node]) -> list[Node]:
    return sorted(free(ways), key=lambda way: cents(way.one(".cost").text))


def listed(text: str) -> list[str]:
    return re.split(r", | or ", text)


def four_days(web: Visitor, said: Said) -> dict[str, object]:
    low = {day: min(priced(nonstop(results(web, said, day)))) for day in map(day_of, listed(said["days"]))}
    best = min(low, key=lambda day: low[day])
    return {"day": best.isoformat(), "price": low[best]}


def tour(web: Visitor, said: Said) -> dict[str, object]:
    total = 0
    for leg in said["tour"].split(", then "):
        match = re.fullmatch(r"(.+) to (.+) on (\w+ \d+)", leg)
        assert match
        asked = {"site": said["site"], "from": match[1], "to": match[2]}
        total += min(priced(nonstop(results(web, asked, day_of(match[3])))))
    return {"total": total}


def be_there(web: Visitor, said: Said) -> dict[str, object]:
    ways = free(nonstop(results(web, said, day_of(said["when"]))))
    early = [way for way in ways if arrival(way)[1] and arrival(way)[0] <= minutes(said["by"])]
    best = max(early, key=departure)
    return {"flight number": flight_number(best), "departure time": clock(departure(best))}


def all_in(web: Visitor, said: Said) -> dict[str, object]:
    way = by_price(nonstop(results(web, said, day_of(said["when"]))))[0]
    fare = cents(fare_prices(chosen(web, said, way))["Standard"])
    rows = web.get(SITES[said["site"]], "/fees").every("table.routes tr")
    airline = way.one(".way-who p b").text
    row = next(row for row in rows if row.every("td") and row.every("td")[0].text == airline).every("td")
    return {"total": fare + int(said["bags"].split()[0]) * cents(row[1].text) + cents(row[2].text)}


def agency(web: Visitor, said: Said) -> dict[str, object]:
    adults, totals = people_of(said)["adults"], {}
    for site in (said["site"], said["agency"]):
        there = {**said, "site": site}
        ways = nonstop(results(web, there, day_of(said["when"]), adults))
        mine = [way for way in ways if way.one(".way-who p").text.startswith("Solenne Air")]
        match = re.search(r"(\$[\d,.]+) for all", fare_prices(chosen(web, there, min(mine, key=departure)))["Standard"])
        assert match
        totals[site] = cents(match[1])
    low, high = sorted(totals, key=lambda site: totals[site])
    return {"site": low, "difference": totals[high] - totals[low]}


def roomy(web: Visitor, said: Said) -> dict[str, object]:
    way = min(nonstop(results(web, said, day_of(said["when"]))), key=departure)
    chosen(web, said, way)
    site = SITES[said["site"]]
    web.post(site, "/trip/fare", {"fare": "Standard"})
    return {"extra legroom seats": len(web.get(site, "/book/seats-1").every("label.seat-more"))}


def refundable(web: Visitor, said: Said) -> dict[str, object]:
    people = people_of(said)
    party = {"adults": people["adults"], "children": people["children"]}
    way = max(nonstop(results(web, said, day_of(said["when"]), **party)), key=departure)
    fares = {name: text for name, text in fare_prices(chosen(web, said, way)).items() if text.startswith("Economy")}
    ((text),) = [text for text in fares.values() if "Full refund" in text]
    match = re.search(r"(\$[\d,.]+) for all", text)
    assert match
    return {"total": cents(match[1])}


def four_cities(web: Visitor, said: Said) -> dict[str, object]:
    day = day_of(said["when"])
    low = {city: min(priced(nonstop(results(web, {**said, "to": city}, day)))) for city in listed(said["cities"])}
    ((city, price),) = [(city, price) for city, price in low.items() if price <= cents(said["budget"])]
    return {"city": city, "price": price}


def longer(web: Visitor, said: Said) -> dict[str, object]:
    ways = results(web, said, day_of(said["when"]))
    times = {id(way): minutes(way.every(".course small")[0].text) for way in ways}
    direct = [times[id(way)] for way in nonstop(ways)]
    changes = [times[id(way)] for way in ways if way.every(".course small")[1].text != "Nonstop"]
    return {"difference": min(changes) - min(direct)}


def none_left(web: Visitor, said: Said) -> dict[str, object]:
    first = min(nonstop(results(web, said, day_of(said["when"]))), key=departure)
    return {"": "unavailable" if first.every(".out") else "done"}


READERS: dict[str, Callable[[Visitor, Said], dict[str, object]]] = {
    "four-days": four_days,
    "tour": tour,
    "be-there": be_there,
    "all-in": all_in,
    "agency": agency,
    "roomy": roomy,
    "refundable": refundable,
    "four-cities": four_cities,
    "longer": longer,
    "none-left": none_left,
    "cheapest": cheapest,
    "fare-gap": fare_gap,
    "legroom": legroom,
    "fastest": fastest,
    "last-departure": last_departure,
    "family": family,
    "cheaper-day": cheaper_day,
    "sold-out": sold_out,
}
