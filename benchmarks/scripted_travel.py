"""What the scripted bot can do with flights and hotels: search, read prices off results and rates, book what is named,
look up and cancel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from benchmarks.scripted_reading import (
    Errand,
    Stop,
    after,
    count_of,
    dates,
    forms,
    lines,
    links,
    long_date,
    money,
    prose,
    runs,
    slug,
)
from workalike.town.caller import Form

FARES = ("Light", "Standard", "Flex", "Premium", "Business")
MEALS = ("Vegetarian", "Vegan", "Gluten-free", "Halal", "Kosher", "Low-lactose")
RATES = {"saver": "saver|non-refundable", "breakfast": "breakfast", "flex": "flexible|without meals|room only"}
ROOMS = ("Standard Double", "Standard Twin", "Superior Double", "Deluxe King", "Junior Suite", "Family Room")
EXTRAS = {"late": "late checkout", "parking": "parking", "transfer": "transfer", "upgrade": "upgrade"}
_CITY = r"([A-Z][a-z]+(?: [A-Z][a-z]+){0,2})"
_ROUTE = re.compile(rf"{_CITY}(?: to |, to | ?-> ?| ?> ?|-| ){_CITY}")


# Flights


def flight(errand: Errand) -> str:
    """Whatever can be asked for at the agency or the airline."""
    site = "gannet" if errand.says("Gannet") else "solenne"
    if number := re.search(r"\b(?:GN|SL)[A-Z0-9]{4}\b", errand.text):
        return _flown(errand, site, number[0])
    days = dates(errand.text)
    if errand.fields == ("day",):
        costs = {day: _listed(errand, site, _search(errand, day), "price", True)[0][1] for day in days}
        return f"day = {long_date(min(costs, key=lambda day: money(costs[day])))}"
    search = _search(errand, days[0])
    if not re.search(r"\b[A-Z]{2} \d{2,4}\b", errand.text):
        return _best(errand, site, search)
    return _named_flight(errand, site, search)


def _search(errand: Errand, day: date) -> dict[str, object]:
    text = re.sub(r"\b(?:Gannet|Solenne Air|Norrwind|Meridia Airways|Bluebarrow|Book|On|Compare)\b", "", errand.text)
    text = re.sub(r"\b[A-Z]{2} \d{2,4}\b|at \d+:\d\d [AP]M", ",", text)
    route = re.search(rf"from {_CITY} to {_CITY}", text) or _ROUTE.search(text)
    if route is None:
        raise Stop("impossible")
    adults, children = count_of(errand.text, "adult", 1), count_of(errand.text, "child")
    where = {"from": route[1], "to": route[2], "depart": day.isoformat(), "return": ""}
    return where | {"adults": adults, "children": children}


def _listed(
    errand: Errand, site: str, search: dict[str, object], sort: str, nonstop: bool
) -> list[tuple[dict[str, str], str]]:
    """The flights of a search: what is posted to select one, and what its row says from its number on."""
    query = search | {"trip": "single", "cabin": "Economy", "sort": sort} | ({"stops": 0} if nonstop else {})
    page = errand.get(site, "/flights", **query)
    rows = []
    for given, around in forms(page, "/trip"):
        said, first = prose(around), given.get("outbound", "").split("/")[0]
        rows.append((given, said[max(said.find(first), 0) :]))
    if not rows:
        raise Stop("unavailable")
    return rows


def _best(errand: Errand, site: str, search: dict[str, object]) -> str:
    """The cheapest, fastest, first or last flight of a day."""
    nonstop = errand.says("nonstop") and not errand.says("nonstop or|stops allowed|with a stop")
    sorts = {"latest": "latest|last", "earliest": "earliest|first", "fastest": "fast|quick|short"}
    sort = next((name for name, pattern in sorts.items() if errand.says(rf"\b(?:{pattern})")), "price")
    given, row = _listed(errand, site, search, sort, nonstop)[0]
    if not errand.fields:
        return _book_flight(errand, site, given)
    if "price" in errand.fields:
        return f"price = ${money(row):.2f}"
    pattern = r"\d+ h \d\d min" if "duration" in errand.fields else r"\d+:\d\d [AP]M"
    found = re.search(pattern, row)
    return f"{errand.fields[0]} = {found[0] if found else ''}"


def _named_flight(errand: Errand, site: str, search: dict[str, object]) -> str:
    """A flight by its number: fares, seats, or a booking."""
    numbers = re.findall(r"\b[A-Z]{2} \d{2,4}\b", errand.text)
    days = dates(errand.text)
    if len(numbers) == 2 and len(days) == 2:
        search["return"] = days[1].isoformat()
    errand.get(site, "/flights", **search, trip="single", cabin="Economy")
    rows = [given for given, _ in _listed(errand, site, search, "price", False) if given.get("outbound") == numbers[0]]
    if not rows:
        raise Stop("unavailable")
    given = rows[0] | ({"inbound": numbers[1]} if search["return"] else {})
    if not errand.fields:
        return _book_flight(errand, site, given)
    page = errand.post(site, "/trip", given)
    fares = [fare for fare in FARES if re.search(rf"\b{fare}\b", errand.text, re.I)]
    if errand.fields[0].endswith("seats"):
        seats = errand.post(site, "/trip/fare", {"fare": "Standard"})
        return f"{errand.fields[0]} = {len(re.findall('extra legroom, free', seats))}"
    costs = [_fare(page, fare) for fare in fares]
    if errand.fields == ("difference",):
        return f"difference = ${abs(costs[0] - costs[1]):.2f}"
    if errand.fields == ("total",):
        cart = errand.post(site, "/trip/fare", {"fare": fares[0]})
        return f"total = ${money(after(cart, 'Total')):.2f}"
    return f"{errand.fields[0]} = ${costs[0]:.2f}"


def _fare(page: str, fare: str) -> float:
    """The price that stands behind a fare's name."""
    said = lines(page)
    at = next(at for at, text in enumerate(said) if text == fare and "$" in "".join(said[at + 1 : at + 3]))
    return money(" ".join(said[at + 1 : at + 3]))


def _book_flight(errand: Errand, site: str, given: dict[str, str]) -> str:
    """Through the steps to where personal data is asked for, and past it with the user's."""
    errand.post(site, "/trip", given)
    fare = next((fare for fare in FARES if re.search(rf"\b{fare}\b", errand.text, re.I)), "Light")
    page = errand.post(site, "/trip/fare", {"fare": fare})
    meal = next((meal for meal in MEALS if errand.says(meal)), "")
    extras: dict[str, object] = {"bags": count_of(errand.text, "(?:checked )?bags?"), "meal": meal}
    extras |= {name: int(errand.says(name)) for name in ("priority", "lounge", "insurance")}
    seats = re.findall(r"\b\d{1,2}[A-K]\b", errand.text)
    steps: dict[str, Form] = {f"seats-{leg}": () for leg in range(1, 5)}
    steps |= {"seats-1": [("seat", seat) for seat in seats], "extras": extras}
    who = errand.task.persona
    if who:
        steps |= {
            "contact": {"email": who["email"], "phone": who["phone"]},
            "payment": {"card": who["card_number"][-4:]},
        }
        steps["travellers"] = {"first-1": who["first_name"], "last-1": who["last_name"]}
    errand.steps(site, page, steps)
    if who:
        errand.post(site, "/book/place")
    return ""


def _flown(errand: Errand, site: str, number: str) -> str:
    """A booking that exists: when it leaves, or cancelled."""
    name = errand.find(r"(?:name|in the name of|for)(?: is| of)? ([A-Z]\w+)|$") or errand.find(r"([A-Z][a-z]+)\W*$")
    page = errand.get(site, "/manage", number=number, name=name)
    if errand.says(r"\bcancel\b"):
        errand.post(site, f"/booking/{number}/cancel")
        return ""
    times = re.search(r"\d+:\d\d [AP]M", prose(page))
    return f"{errand.fields[0]} = {times[0] if times else ''}"


def origin_flight(errand: Errand) -> str:
    """The cheapest flight to where a firm began, by the encyclopaedia."""
    for row in runs(re.sub(r"Commonplace|Gannet|from [A-Z]\w+", ",", errand.text)):
        began = re.search(rf"(?:workshop in|goes back to|began in|founded in) {_CITY}", prose(_article(errand, row)))
        if began:
            break
    else:
        raise Stop("impossible")
    start = errand.find(rf"from {_CITY}")
    search = {"from": start, "to": began[1], "depart": dates(errand.text)[0].isoformat(), "return": ""}
    return (
        f"price = ${money(_listed(errand, 'gannet', {**search, 'adults': 1, 'children': 0}, 'price', False)[0][1]):.2f}"
    )


def _article(errand: Errand, name: str) -> str:
    return errand.get("commonplace", f"/read/{slug(name)}")


# Hotels


def hotel(errand: Errand) -> str:
    """Whatever can be asked for at the portal or the chain."""
    sites = [
        site for name, site in (("Stayward", "stayward"), ("Aldergate Hotels", "aldergate")) if name in errand.text
    ]
    if number := re.search(r"\b(?:SW|AG)\d{6}\b", errand.text):
        name = errand.find(r"(?:name(?: is| of)?|,) ([A-Z]\w+)\W*$")
        errand.post(sites[0], "/find", {"number": number[0], "name": name})
        errand.post(sites[0], f"/booking/{number[0]}/cancel")
        return ""
    houses = list(_houses(errand, sites[0]))
    if not houses:
        raise Stop("impossible")
    if errand.fields == ("hotel",):
        return _which(errand, sites[0], houses)
    if not errand.fields and errand.says(r"\b(save|list|keep)\b"):
        errand.post(sites[0], "/saved", {"hotel": slug(houses[0])})
        return ""
    if not dates(errand.text):
        return _rule(errand, errand.get(sites[0], f"/hotel/{slug(houses[0])}"))
    if not errand.fields:
        return _book_room(errand, sites[0], houses[0])
    return _rate(errand, sites, houses)


def _houses(errand: Errand, site: str) -> Iterator[str]:
    """The hotels that the instruction names, found by their addresses."""
    found = list[str]()
    for row in runs(errand.text.replace("Aldergate Hotels", "·").replace("Stayward", "·")):
        words = row.split()
        for end in range(len(words), 2, -1):
            name = " ".join(words[:end])
            if not any(name in known for known in found) and errand.get(site, f"/hotel/{slug(name)}"):
                found.append(name)
                yield name
                break


def _stay(errand: Errand) -> dict[str, object]:
    days = dates(errand.text)
    nights = count_of(errand.text, "nights?")
    leave = days[1] if len(days) > 1 else days[0] + timedelta(nights or 1)
    guests = {"adults": count_of(errand.text, "adult", 2), "children": count_of(errand.text, "child")}
    return {"in": days[0].isoformat(), "out": leave.isoformat(), **guests, "rooms": 1}


def _rates(errand: Errand, site: str, house: str) -> list[tuple[str, str, float, str, dict[str, str]]]:
    """Rooms and rates of a hotel for the dates: room, rate, total, what else is said, and what books it."""
    page = errand.get(site, f"/hotel/{slug(house)}", **_stay(errand))
    found, room = [], ""
    for given, around in forms(page, "/book/start"):
        said = lines(around)
        room = next((text for text in reversed(said) if text in ROOMS), room)
        amounts = [text for text in said if re.fullmatch(r"\$[\d,.]+", text)]
        if amounts:
            found.append((room, given.get("rate", ""), money(amounts[-1]), " ".join(said), given))
    if not found:
        raise Stop("unavailable")
    return found


def _wanted_rate(errand: Errand) -> str:
    if errand.says("with breakfast"):
        return "breakfast"
    return next((code for code, pattern in RATES.items() if errand.says(pattern)), "flex")


def _rate(errand: Errand, sites: list[str], houses: list[str]) -> str:
    """Totals of rooms, last days of cancelling, and comparisons of them."""
    rooms = [room for room in ROOMS if room in errand.text] or [*ROOMS]
    code = _wanted_rate(errand)
    if errand.says("Standard or Superior Double"):
        rooms = ["Standard Double", "Superior Double"]
    titles = {"stayward": "Stayward", "aldergate": "Aldergate Hotels"}
    found: dict[str, dict[str, float]] = {}
    for site in sites if "site" in errand.fields else sites[:1]:
        for house in houses:
            rows = [row for row in _rates(errand, site, house) if row[1] == code and row[0] in rooms]
            if errand.fields == ("last day",):
                until = re.findall(r"until (\w+, \w+ \d+, \d{4})", rows[0][3])
                return f"last day = {until[-1]}"
            found[titles[site] if "site" in errand.fields else house] = {row[0]: row[2] for row in rows}
    if errand.fields == ("difference",):
        costs = [*next(iter(found.values())).values()]
        return f"difference = ${abs(costs[0] - costs[1]):.2f}"
    totals = {name: min(costs.values()) for name, costs in found.items() if costs}
    if not totals:
        raise Stop("unavailable")
    name = min(totals, key=totals.__getitem__)
    values = {"hotel": name, "site": name, "total": f"${totals[name]:.2f}"}
    return "; ".join(f"{field} = {values.get(field, '')}" for field in errand.fields)


def _rule(errand: Errand, page: str) -> str:
    """What a house's rules say of the thing that is asked."""
    field = errand.fields[0]
    if field == "check-in time":
        said = lines(page)
        times = [text for text in said if re.match(r"from \d", text)]
        return f"{field} = {times[0].removeprefix('from ')}"
    if field == "pets":
        return f"pets = {'no' if re.search('Pets are not|No pets', prose(page)) else 'yes'}"
    found = re.findall(r"\$[\d.]+ a night", after(page, "Parking")) or re.findall(r"\$[\d.]+", after(page, "Parking"))
    return f"{field} = ${money(found[0] if found else '$0.00'):.2f}"


def _which(errand: Errand, site: str, houses: list[str]) -> str:
    """The one of some hotels that has something."""
    for house in houses:
        page = lines(errand.get(site, f"/hotel/{slug(house)}"))
        if any(text.lower() in errand.text.lower() for text in page[page.index("Amenities") :][1:20] if len(text) > 2):
            return f"hotel = {house}"
    raise Stop("impossible")


def _book_room(errand: Errand, site: str, house: str) -> str:
    """To the guest's data, and past it with the user's."""
    rooms = [room for room in ROOMS if room in errand.text] or [*ROOMS]
    code = _wanted_rate(errand)
    fits = [row for row in _rates(errand, site, house) if row[0] in rooms and row[1] == code]
    if not fits:
        raise Stop("unavailable")
    page = errand.post(site, "/book/start", fits[0][4])
    extras = [] if errand.says("no extras") else [("extra", name) for name, word in EXTRAS.items() if errand.says(word)]
    steps: dict[str, Form] = {"extras": extras}
    if arrivals := re.findall(
        r'name="arrival"\s+value="([^"]+)"|<option[^>]*value="([^"]+)"', errand.get(site, "/book/arrival")
    ):
        names = ["".join(pair) for pair in arrivals]
        told = re.search(r"(morning|afternoon|evening|after 10)", errand.text)
        steps["arrival"] = {"arrival": next((name for name in names if told and told[1] in name.lower()), names[0])}
    who = errand.task.persona
    if who:
        steps |= {"guest": {name: who[name] for name in ("name", "email", "phone")}}
        steps["payment"] = {"card": who["card_number"][-4:]}
    errand.steps(site, page, steps)
    if who:
        errand.post(site, "/book/confirm")
    return ""


def base_hotel(errand: Errand) -> str:
    """The cheapest hotel that can be cancelled, in the city that a story names for a base."""
    title = errand.find(r"“([^”]+)”")
    story = next(
        (address for address, said in links(errand.get("tidings", "/search", q=title), "/read/") if said == title), ""
    )
    base = re.search(
        rf"base (?:in|at) {_CITY}|{_CITY} (?:as|for) (?:a|its)(?: new)? base", prose(errand.get("tidings", story))
    )
    if base is None:
        raise Stop("impossible")
    city = base[1] or base[2]
    query = {"where": city, **_stay(errand), "sort": "price"}
    page = errand.get("stayward", "/search", **query, free="1")
    best = []
    for address, _ in list(links(page, "/hotel/"))[:12]:
        name = re.sub(r"^/hotel/([\w-]+).*", r"\1", address)
        try:
            best += [row[2] for row in _rates(errand, "stayward", name) if row[1] == "flex"]
        except Stop:
            continue
    return f"city = {city}; total = ${min(best):.2f}" if best else "unavailable"
