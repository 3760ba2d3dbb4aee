"""What the pages of the ticket agency say, and those of the city that its houses stand in."""

from __future__ import annotations

import re
from datetime import date, datetime

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.venues import Reader, Said, count_of, rounded, sum_of
from tests.town.second_reader.wording import cents, day_of

SITE, CITY = "encore", "alderbrook"
BLANKS = {
    "city": r"[A-Z]\w+(?: [A-Z]\w+)?",
    "section": r"[A-Z]\w+(?: \w+)?",
    "day": r"\w+day, \w+ \d+",
    "date": r"\w+ \d+, \d{4}",
    "iso": r"\d{4}-\d\d-\d\d",
    "last": r"\w+ \d+",
    "way": "mobile ticket|by post|at the box office",
    "people": r"one adult.*?|two adults.*?",
    "note": "with somebody signing for the deaf|with a commentary for the blind",
    "age": r"\d+",
    "child": r"\d+",
    "count": r"\d+",
    "walk": r"\d+",
    "meters": r"\d+",
    "time": r"\d+(?::\d+)? p\.m\.",
    "genre": r"\w+",
    "long": r"| and is not much longer than \d+ minutes",
}
MEANT = {
    "the Irish siblings who gave up folk instruments for electronics": "Four sisters from Galway",
    "the new dad's hour": "Nine months of fatherhood",
    "the troupe that makes up songs on the spot": "Improvised musicals",
    "the duet of a human and a machine on wheels": "a delivery robot",
    "the bubble spectacle": "Giant soap bubbles",
    "the show for kids about a sailor who can't stand the sea": "A captain who is afraid of water",
    "the ex-monastery singers with the machine rhythms": "Former monks",
    "the show by the numbers person with a projector": "A mathematician proves with slides",
    "the solo string player who builds up layers by herself on stage": "A cellist loops her instrument",
    "the one about the stand-in actor who won't go away": "An understudy goes on by mistake",
    "the breakdance night with chamber music": "Street dancers and a string quartet",
    "the circus without beasts": "Acrobats, no animals",
    "the drama about a family and its boat service": "run a ferry that nobody needs",
    "the old-time jazz orchestra that dresses up for the evening": "Swing standards",
    "the comedy of errors around a nuptial dessert": "a missing wedding cake",
    "the thriller with the suspicious lodger": "the man who may have killed him",
}
"""Whom other words are about, by how the agency puts it."""
NOTES = {"with somebody signing for the deaf": "sign", "with a commentary for the blind": "Audio described"}
WAYS = {"mobile ticket": "mobile", "by post": "post", "at the box office": "collect"}
QUIET = "There is no strobe lighting, and nothing goes bang."


class Date:
    """A line of a table of dates."""

    def __init__(self, row: Node) -> None:
        link = next(link for link in row.every("a") if link.attributes["href"].startswith("/show/"))
        match = re.search(r"\w+, (\w+ \d+, \d{4}), (\d+:\d\d)", row.text)
        assert match, row.text
        self.path, self.text = link.attributes["href"], row.text
        self.when = datetime.strptime(" ".join(match.groups()), "%B %d, %Y %H:%M")
        self.on_sale = "On sale" in [badge.text for badge in row.every(".badge")]

    @property
    def day(self) -> date:
        return self.when.date()


class Event:
    """A show with its page."""

    def __init__(self, web: Visitor, name: str, path: str) -> None:
        self.name, self.page = name, web.get(SITE, path)
        self.about = self.page.one(".about").text
        self.dates = [Date(row) for row in self.page.every("table.dates tr")]

    def here(self, city: str) -> list[Date]:
        """What is still on sale in a city, soonest first."""
        found = [each for each in self.dates if each.on_sale and f" {city}: about" in each.text]
        return sorted(found, key=lambda each: each.when)

    @property
    def minutes(self) -> int:
        match = re.search(r"It lasts (\d+) minutes", self.about)
        assert match
        return int(match[1])

    def lets_in(self, age: int) -> bool:
        match = re.search(r"Nobody under (\d+) is let in", self.about)
        assert match or "All ages are welcome" in self.about
        return match is None or age >= int(match[1])


def events(web: Visitor, **query: str) -> list[Event]:
    """All that a list has, page by page."""
    found: dict[str, str] = {}
    for number in range(1, 20):
        links = [hit.one("h2 a") for hit in web.get(SITE, "/events", page=number, **query).every("article.hit")]
        more = {link.text: link.attributes["href"] for link in links}
        if not more.keys() - found.keys():
            break
        found |= more
    return [Event(web, name, path) for name, path in found.items()]


def meant(web: Visitor, hint: str) -> Event:
    (event,) = [each for each in events(web) if MEANT[hint] in each.about]
    return event


def asked_day(said: Said) -> date:
    return day_of(next(said[name] for name in ("day", "date", "iso") if name in said))


def dated(event: Event, said: Said) -> Date:
    """The one performance that is on sale on the day that is asked for."""
    found = [each for each in event.dates if each.day == asked_day(said) and each.on_sale]
    (one,) = [each for each in found if f" {said['city']}: about" in each.text] if "city" in said else found
    return one


def sections(web: Visitor, path: str) -> dict[str, tuple[str, int]]:
    """The sections of a performance: where their seats are, and what an adult pays."""
    rows = [row.every("td") for row in web.get(SITE, path).every("table tr") if len(row.every("td")) == 3]
    return {
        cells[0].text: (cells[0].one("a").attributes["href"] if cells[0].every("a") else "", cents(cells[1].text))
        for cells in rows
    }


def ticket(event: Event, who: str, price: int) -> tuple[str, int]:
    """The kind and the price of the cheapest ticket that somebody may have, by the words about the show."""
    child = re.search(r"Children up to and including (\d+) pay (\d+) percent", event.about)
    student = re.search(r"Students with a valid card save (\d+) percent", event.about)
    senior = re.search(r"Whoever has turned (\d+) gets (\d+) percent off", event.about)
    age = re.search(r" of (\d+)", who)
    may = [("adult", price)]
    if child and age and int(age[1]) <= int(child[1]):
        may.append(("child", rounded(price * int(child[2]), 100)))
    if student and "student" in who:
        may.append(("student", rounded(price * (100 - int(student[1])), 100)))
    if senior and age and int(age[1]) >= int(senior[1]):
        may.append(("senior", rounded(price * (100 - int(senior[2])), 100)))
    return min(may, key=lambda kind: kind[1])


def party(words: str) -> list[str]:
    """
    >>> party("two adults and one child of 15")
    ['adult', 'adult', 'child of 15']
    """
    found = []
    for part in re.split(r", | and ", words):
        many, _, who = part.partition(" ")
        found += [re.sub(r"^(adult|senior|student)s", r"\1", who).replace("children", "child")] * count_of(many)
    return found


def checkout(web: Visitor, event: Event, path: str, section: str, people: list[str], way: str) -> int:
    """The total with every fee: the tickets by the words about the show, the fees as the order shows them."""
    seats, price = sections(web, path)[section]
    boxes = [box.attributes for box in web.get(SITE, seats).every(".seats input")]
    free = [box["value"] for box in boxes if "disabled" not in box][: len(people)]
    start = seats.replace("/show/", "/book/start/").replace("/seats/", "/")
    web.post(SITE, start, {"seat": free})
    kinds = [ticket(event, who, price) for who in people]
    web.post(SITE, "/book/tickets", {f"age_{seat}": kind for seat, (kind, _) in zip(free, kinds, strict=True)})
    order = web.post(SITE, "/book/delivery", {"delivery": WAYS[way]})
    house = re.search(r"facility charge of (\$\d+\.\d\d)", web.get(SITE, venue_of(web, path)).text)
    terms = web.get(SITE, "/help").text
    posted = re.search(r"by post cost (\$\d+\.\d\d), at the box office (\$\d+\.\d\d), on your phone nothing", terms)
    assert house
    assert posted
    delivery = {"mobile": 0, "post": cents(posted[1]), "collect": cents(posted[2])}[WAYS[way]]
    order_fee = re.search(r"and (\$\d+\.\d\d) for the order", terms)
    assert order_fee
    total = sum(price for _, price in kinds) + sum_of(order, "Service fee") + cents(house[1]) * len(people)
    total += cents(order_fee[1]) + delivery
    assert total == sum_of(order, "Total"), order.text
    return total


def venue_of(web: Visitor, path: str) -> str:
    links = [link.attributes["href"] for link in web.get(SITE, path).every("main a")]
    return next(link for link in links if link.startswith("/venue/"))


def all_gone(web: Visitor, said: Said) -> dict[str, object]:
    event = meant(web, said["hint"])
    assert f" {said['city']}: about" in event.page.text
    return {"": "done" if event.here(said["city"]) else "unavailable"}


def party_total(web: Visitor, said: Said) -> dict[str, object]:
    event = meant(web, said["hint"])
    path = dated(event, said).path
    return {"total": checkout(web, event, path, said["section"], party(said["people"]), said["way"])}


def cheapest_date(web: Visitor, said: Said) -> dict[str, object]:
    known = [each for each in meant(web, said["hint"]).here(said["city"]) if each.day <= day_of(said["last"])]
    prices = sorted((sections(web, each.path)[said["section"]][1], each.day) for each in known)
    assert prices[0][0] < prices[1][0]
    return {"date": prices[0][1].isoformat(), "price": prices[0][0]}


def prose_pick(web: Visitor, said: Said) -> dict[str, object]:
    assert said["words"] == "no flashing lights and no bangs"
    long = re.search(r"(\d+) minutes", said["long"])
    fit = [
        event
        for event in events(web, genre=said["genre"].capitalize(), city=said["city"])
        if event.lets_in(int(said["age"])) and QUIET in event.about and (not long or event.minutes <= int(long[1]))
    ]
    (one,) = fit
    return {"show": one.name, "first date": one.here(said["city"])[0].day.isoformat()}


def pack_or_single(web: Visitor, said: Said) -> dict[str, object]:
    event = meant(web, said["hint"])
    people = ["adult", "adult", *[f"child of {said['child']}"] * 2]
    singles = checkout(web, event, dated(event, said).path, said["section"], people, "mobile ticket")
    pack = re.search(r"Family pack: .+ in the (.+?), (\$[\d.]+\d) on any date, all fees included", event.about)
    assert pack
    assert pack[1] == said["section"]
    assert cents(pack[2]) != singles
    return {
        "cheaper": "pack" if cents(pack[2]) < singles else "tickets",
        "saving": rounded(abs(cents(pack[2]) - singles), 4),
    }


def nearest_house(web: Visitor, said: Said) -> dict[str, object]:
    page = web.get(SITE, f"/city/{said['city'].lower().replace(' ', '-')}")
    yards = {}
    for row in page.every("table tr"):
        match = re.search(r"([\d,]+) yards", row.text)
        if match:
            link = row.one("a")
            yards[link.text, link.attributes["href"]] = int(match[1].replace(",", ""))
    (name, path), *others = sorted(yards, key=lambda house: yards[house])
    assert yards[name, path] < yards[others[0]]
    rows = [row for row in web.get(SITE, path).every("table tr") if row.every("a") and row.every(".badge")]
    (row,) = [row for row in rows if Date(row).day == asked_day(said)]
    return {"venue": name, "show": row.one("a").text, "available": "yes" if Date(row).on_sale else "no"}


def evidence(web: Visitor, said: Said) -> dict[str, object]:
    (one,) = [each for each in meant(web, said["hint"]).dates if NOTES[said["note"]].lower() in each.text.lower()]
    words = web.get(SITE, venue_of(web, one.path)).one("section p").text
    (bags,) = [part for part in re.split(r"(?<=\.) (?=[A-Z])", words) if re.search(r"(?i)\b(bag|backpack)s?\b", part)]
    return {"event code": one.path.removeprefix("/show/"), "quote": bags}


def evening_out(web: Visitor, said: Said) -> dict[str, object]:
    event = meant(web, said["hint"])
    one = dated(event, {"city": "Alderbrook", **said})
    house = web.get(SITE, venue_of(web, one.path)).one("h1").text
    most = float(said["walk"]) if "walk" in said else float(said["meters"]) / 0.9144
    rates = []
    for link in web.get(CITY, "/parking/garages").every("td a"):
        page = web.get(CITY, link.attributes["href"])
        yards = {row.every("td")[0].text: int(row.every("td")[1].text.split()[0]) for row in page.every("table tr")}
        evening = re.search(r"pays (\$[\d.]+\d) for the whole evening", page.text)
        if evening and yards[house] <= most:
            rates.append((cents(evening[1]), link.text))
    low, *more = sorted(rates)
    assert not more or low[0] < more[0][0]
    tickets = int(said["count"]) * sections(web, one.path)[said["section"]][1]
    return {"garage": low[1], "total": tickets + low[0]}


def per_minute(web: Visitor, said: Said) -> dict[str, object]:
    found = []
    for event in (meant(web, said["one"]), meant(web, said["two"])):
        one = min((each for each in event.dates if each.on_sale), key=lambda each: each.when)
        dearest = max(price for _, price in sections(web, one.path).values())
        found.append((dearest / event.minutes, rounded(dearest, event.minutes), event.name))
    low, high = sorted(found)
    assert low[0] < high[0]
    return {"show": low[2], "price per minute": low[1]}


READERS: dict[str, Reader] = {
    "all-gone": all_gone,
    "party-total": party_total,
    "cheapest-date": cheapest_date,
    "prose-pick": prose_pick,
    "pack-or-single": pack_or_single,
    "nearest-house": nearest_house,
    "evidence": evidence,
    "evening-out": evening_out,
    "per-minute": per_minute,
}
