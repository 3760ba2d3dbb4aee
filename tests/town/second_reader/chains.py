"""What several sites together say about questions whose answer on one page leads to the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from fractions import Fraction

from tests.town.second_reader import flights, hotels, jobs, shops
from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.ranking import highest, lowest, only
from tests.town.second_reader.wording import BLANKS as OTHERS
from tests.town.second_reader.wording import cents, day_of, stay_of

Said = Mapping[str, str]
BOOK, PAPER, MAP = "commonplace", "tidings", "waymark"
BLANKS: Mapping[str, str] = {
    "book": "Commonplace",
    "paper": "The Tidings",
    "board": "Fairlead Jobs",
    "map": "Waymark",
    "hotels": "Stayward",
    "flights": "Gannet",
    "shop": OTHERS["shop"],
    "dates": OTHERS["dates"],
    "job": jobs.JOB,
    "zip": r"\d{5}",
    "show": "[^“”]+",
    "share": r"\d+",
    "until": r"\d{4}",
    "nights": r"\d+",
    "stars": r"\d",
    "budget": r"\$[\d,]+\d",
    "which": "cheapest|most expensive",
    "weekday": "[A-Z][a-z]+day",
}


def told(page: Node, pattern: str) -> str:
    """What a text says at the place that a pattern marks."""
    match = re.search(pattern, page.one(".prose").text)
    assert match, (pattern, page.one(".prose").text)
    return match[1]


def entry(web: Visitor, name: str) -> Node:
    """The encyclopaedia's page about somebody or something."""
    links = web.get(BOOK, "/search", q=name).every("article.hit h3 a")
    return web.get(BOOK, only(link for link in links if link.text == name).attributes["href"])


def box(page: Node) -> dict[str, str]:
    return {row.one("th").text: row.one("td").text for row in page.every(".infobox tr")}


def firm_of(web: Visitor, founder: str) -> Node:
    firm = entry(web, box(entry(web, founder))["Known for"])
    assert box(firm)["Founder"] == founder
    return firm


def name_of(page: Node) -> str:
    return page.one("h1").text


def founded(firm: Node) -> int:
    begun = r"started it|with \d+ people|opened the first house in [\w ]+?|started by [\w ]+?"
    return int(told(firm, rf"(?:{begun}) in (\d{{4}})"))


def birth(person: Node) -> tuple[str, int]:
    """Where and in which year."""
    return told(person, r"Born in ([\w ]+) on"), int(told(person, r"Born in [\w ]+ on \w+ \d+, (\d{4})"))


def stories(web: Visitor, words: str, *holding: str) -> list[Node]:
    """The paper's stories that its search finds, and that hold all of something."""
    found: list[Node] = []
    for number in range(1, 9):
        links = web.get(PAPER, "/search", q=words, page=number).every("article.hit a")
        if not links:
            break
        found += [web.get(PAPER, link.attributes["href"]) for link in links]
    return [story for story in found if all(each in story.one("main").text for each in holding)]


def day(text: str) -> date:
    return datetime.strptime(text, "%B %d, %Y").date()


def show(web: Visitor, said: Said) -> Node:
    """The story about a show, told by its museum or by its city."""
    where = f"The {said['museum']} in " if "museum" in said else f" in {said['city']} "
    return only(stories(web, said["show"], f"“{said['show']}”", where, "It opens on"))


def show_days(story: Node) -> tuple[date, date]:
    return day(told(story, r"opens on (\w+ \d+, \d{4})")), day(told(story, r"seen until (\w+ \d+, \d{4})"))


def show_city(story: Node) -> str:
    return told(story, r"^The [\w ]+ in ([A-Z][\w ]+) has emptied")


def refundable(web: Visitor, city: str, first: date, last: date, adults: int = 2, stars: str = "") -> tuple[str, int]:
    """The hotel in a city with the lowest total that can be cancelled, and that total."""
    stay = {"in": first.isoformat(), "out": last.isoformat(), "adults": adults}
    found: dict[str, int] = {}
    for card in hotels.cards(web, "Stayward", {"where": city, **stay}):
        if not stars or card.one(".stars").attributes["aria-label"] == f"{stars}-star hotel":
            rates = hotels.offers(hotels.house(web, "Stayward", hotels.title(card), stay)).values()
            free = [hotels.price(rate) for rate in rates if "Free cancellation" in rate.text]
            found |= {hotels.title(card): min(free)} if free else {}
    name = lowest(found, lambda name: found[name])
    return name, found[name]


def fly(web: Visitor, origin: str, city: str, when: date) -> int:
    """The lowest price for one adult one way, with or without stops."""
    return min(flights.priced(flights.results(web, {"site": "Gannet", "from": origin, "to": city}, when)))


def places(web: Visitor, kind: str, zip_code: str) -> list[Node]:
    cards = web.get(MAP, "/find", kind=kind.capitalize(), zip=zip_code).every("article.hit")
    assert all(f"{kind.capitalize()} ·" in card.text for card in cards)
    return cards


def nearest(web: Visitor, kind: str, zip_code: str) -> Node:
    """The page of the place of a kind that is the fewest miles away."""

    def miles(card: Node) -> float:
        match = re.search(r"([\d.]+) miles away", card.text)
        assert match, card.text
        return float(match[1])

    card = lowest(places(web, kind, zip_code), miles)
    return web.get(MAP, card.one("h3 a").attributes["href"])


def closing(place: Node, weekday: str) -> str:
    hours = {row.one("th").text: row.one("td").text for row in place.every("table.hours tr")}
    return hours[weekday].split(" – ")[1]


def older(web: Visitor, said: Said) -> dict[str, object]:
    firms = {name_of(firm): founded(firm) for firm in (firm_of(web, said["one"]), firm_of(web, said["two"]))}
    first = lowest(firms, lambda name: firms[name])
    return {"older one": first, "years": max(firms.values()) - firms[first]}


def founder_age(web: Visitor, said: Said) -> dict[str, object]:
    firm = entry(web, said["brand"])
    place, year = birth(entry(web, box(firm)["Founder"]))
    return {"years": founded(firm) - year, "birthplace": place}


def fleet_to_be(web: Visitor, said: Said) -> dict[str, object]:
    forecast = f"“By {said['until']} {said['share']} percent of our seats"
    story = only(stories(web, said["airline"], forecast, f" at {said['airline']}."))
    fleet = int(told(entry(web, said["airline"]), r"flies (\d+) planes"))
    return {"speaker": told(story, r"said ([\w ]+),"), "planes": fleet + int(told(story, r"adds (\d+) planes"))}


def in_time(web: Visitor, said: Said) -> dict[str, object]:
    first, last = show_days(show(web, said))
    event = only(stories(web, said["event"].removeprefix("the "), f"Mark your calendars: {said['event']} is coming"))
    falls = first <= day(told(event, r"seen on (\w+ \d+, \d{4})")) <= last
    return {"during the show": "yes" if falls else "no", "last day": last.isoformat()}


def owners(web: Visitor, said: Said) -> dict[str, object]:
    links = web.get(BOOK, "/section/Owner").every("main h3 a")
    counts = {link.text: int(told(web.get(BOOK, link.attributes["href"]), r"owns (\d+) brands")) for link in links}
    owner = box(firm_of(web, said["founder"]))["Owner"]
    most = highest(counts, lambda name: counts[name])
    return {"owner": owner, "most brands": most, "all brands": sum(counts.values())}


def after_tax(web: Visitor, said: Said) -> dict[str, object]:
    city = re.search(r"in the (.+) area", said["job"])
    assert city
    share = Fraction(told(entry(web, city[1]), r"wage tax of ([\d.]+) percent"))
    return {"pay after tax": jobs.to_cents(jobs.described(web, said["job"]).yearly[0] * (100 - share) / 100)}


def near_work(web: Visitor, said: Said) -> dict[str, object]:
    place = nearest(web, said["kind"], jobs.described(web, said["job"]).zip)
    phone = only(row.one("td").text for row in place.every("tr") if row.one("th").text == "Phone")
    return {"place": name_of(place), "phone": phone}


def head_office(web: Visitor, said: Said) -> dict[str, object]:
    def rating(card: Node) -> float:
        match = re.search(r"rated ([\d.]+) of 5", card.text)
        assert match, card.text
        return float(match[1])

    employer = name_of(firm_of(web, said["founder"]))
    best = highest(places(web, said["kind"], said["zip"]), rating)
    return {
        "employer": employer,
        "open positions": len(jobs.openings(web, employer)),
        "place": best.one("h3 a").text,
    }


def origin_hotel(web: Visitor, said: Said) -> dict[str, object]:
    city = told(firm_of(web, said["founder"]), r"workshop in ([\w ]+),")
    hotel, total = refundable(web, city, *stay_of(said))
    return {"city": city, "hotel": hotel, "total": total}


def first_flight(web: Visitor, said: Said) -> dict[str, object]:
    city = told(entry(web, said["airline"]), r"first flight went from ([\w ]+?) to")
    return {"city": city, "price": fly(web, said["origin"], city, day_of(said["day"]))}


def show_trip(web: Visitor, said: Said) -> dict[str, object]:
    story = show(web, said)
    city, first = show_city(story), show_days(story)[0]
    _, bed = refundable(web, city, first, first + timedelta(int(said["nights"])), adults=1)
    ticket = cents(told(story, r"ticket is (\$[\d.]+) for adults"))
    total = fly(web, said["origin"], city, first) + bed + ticket
    within = total <= int(re.sub(r"\D", "", said["budget"])) * 100
    tram = told(entry(web, city), r"trams run until (\d+:\d\d [AP]M)")
    return {"total": total, "within budget": "yes" if within else "no", "last tram": tram}


def ranked_city(web: Visitor, said: Said) -> dict[str, object]:
    story = only(stories(web, said["what"], f"correspondents bought {said['what']} in"))
    listed = re.findall(r"((?:[A-Z]\w+ )+)\((\$[\d.]+)\)", story.one(".prose").text)
    prices = {name.strip(): cents(cost) for name, cost in listed}
    assert len(prices) == 5, prices
    city = (lowest if said["which"] == "cheapest" else highest)(prices, lambda name: prices[name])
    hotel, _ = refundable(web, city, *stay_of(said), stars=said["stars"])
    people = told(entry(web, city), r"census counted ([\d,]+) people").replace(",", "")
    return {"city": city, "population": int(people), "hotel": hotel}


def show_booking(web: Visitor, said: Said) -> dict[str, object]:
    return {"river": told(entry(web, show_city(show(web, said))), r"on the river ([\w ]+),")}


def full_house(web: Visitor, said: Said) -> dict[str, object]:
    first, _ = show_days(show(web, said))
    stay = {"in": first.isoformat(), "out": (first + timedelta(2)).isoformat(), "adults": 2}
    return {"": "done" if hotels.house(web, "Stayward", said["hotel"], stay).every(".rate") else "unavailable"}


def two_winners(web: Visitor, said: Said) -> dict[str, object]:
    place = nearest(web, "post office", said["zip"])
    return {"post office": name_of(place), "closing time": closing(place, "Saturday")}


def recall(web: Visitor, said: Said) -> dict[str, object]:
    story = only(stories(web, said["product"], f"Concerned is the {said['product']}, lot"))
    last = day(told(story, r"back until (\w+ \d+, \d{4})"))
    place = nearest(web, "post office", said["zip"])
    return {
        "lot": told(story, r"lot (\w+)\."),
        "last day": last.isoformat(),
        "closing time": closing(place, said["weekday"]),
    }


def refund(web: Visitor, said: Said) -> dict[str, object]:
    story = only(stories(web, said["brand"], f"{said['brand']} takes back one of its products"))
    product = shops.needed(web, said["shop"], told(story, r"Concerned is the (.+), lot "))
    share = Fraction(told(story, r"Buyers get (\d+) percent")) / 100
    return {"refund": jobs.to_cents(shops.price(product) * share / 100)}


def founder_basket(web: Visitor, said: Said) -> dict[str, object]:
    city, _ = birth(entry(web, box(entry(web, said["brand"]))["Founder"]))
    hotel, total = refundable(web, city, *stay_of(said))
    return {"hotel": hotel, "total": total}


READERS: dict[str, Callable[[Visitor, Said], dict[str, object]]] = {
    "older": older,
    "founder-age": founder_age,
    "fleet-to-be": fleet_to_be,
    "in-time": in_time,
    "owners": owners,
    "after-tax": after_tax,
    "near-work": near_work,
    "head-office": head_office,
    "origin-hotel": origin_hotel,
    "first-flight": first_flight,
    "show-trip": show_trip,
    "ranked-city": ranked_city,
    "show-booking": show_booking,
    "full-house": full_house,
    "two-winners": two_winners,
    "recall": recall,
    "refund": refund,
    "founder-basket": founder_basket,
}
