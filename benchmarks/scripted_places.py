"""What the scripted bot can do elsewhere: tables and activities, tickets, homes, jobs, the city, the encyclopaedia."""

from __future__ import annotations

import re

from benchmarks.scripted_reading import (
    DAYS,
    Errand,
    Stop,
    after,
    clock,
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

# Tables and activities


def restaurant(errand: Errand) -> str:
    """A restaurant that is named: its rules, menu and hours, or a table there."""
    if done := _cancelled(errand, "forkline", r"\bFL\d{6}\b"):
        return done
    where = _venue(errand, "forkline")
    field = errand.fields[0] if errand.fields else ""
    if field == "fee":
        rules = prose(errand.get("forkline", f"{where}/rules"))
        told = re.search(r"[^.;]*\b(?:bottle|corkage)[^.]*", rules)
        return f"fee = ${money(told[0] if told else rules):.2f}"
    if field == "price":
        return f"price = ${_dish(errand, lines(errand.get('forkline', f'{where}/sheet'))):.2f}"
    if field == "open":
        day = errand.find(rf"({'|'.join(DAYS)})s?\b")
        return f"open = {'no' if after(errand.get('forkline', where), day).startswith('Closed') else 'yes'}"
    if errand.says(r"\b(save|keep|add)\b"):
        errand.post("forkline", "/saved", {"venue": where.removeprefix("/at/")})
        return ""
    guests = count_of(errand.text, "(?:people|guests?|persons?|of us)", 2)
    return _book(errand, "forkline", where, {"guests": guests})


def activity(errand: Errand) -> str:
    """An activity that is named: its facts, prices and terms, or places there."""
    if done := _cancelled(errand, "outbound", r"\bOB\d{6}\b"):
        return done
    where = _venue(errand, "outbound")
    page = errand.get("outbound", where)
    if "length" in errand.fields:
        values = {"length": after(page, "Length").removesuffix(" km"), "difficulty": after(page, "Difficulty")}
        return "; ".join(f"{field} = {values.get(field, '')}" for field in errand.fields)
    if errand.fields == ("price",):
        ages = next((age for age in ("Child", "Senior", "Adult") if errand.says(age)), "Adult")
        said = lines(page)
        at = next((at for at, text in enumerate(said) if text.startswith(f"{ages} (")), 0)
        return f"price = ${money(' '.join(said[at : at + 3])):.2f}"
    if errand.fields == ("hours",):
        rules = prose(errand.get("outbound", f"{where}/rules"))
        told = re.search(r"(\d+) hours", rules)
        return f"hours = {told[1] if told else ''}"
    if errand.says(r"\b(my list|the list|save)\b"):
        errand.post("outbound", "/saved", {"venue": where.removeprefix("/at/")})
        return ""
    party = {"adults": "adult", "children": "child", "seniors": "senior"}
    return _book(errand, "outbound", where, {name: count_of(errand.text, word) for name, word in party.items()})


def _venue(errand: Errand, site: str) -> str:
    """The address of the place that the instruction names."""
    for row in runs(errand.text.replace("Forkline", "·").replace("Outbound", "·")):
        words = row.split()
        for end in range(len(words), 1, -1):
            where = f"/at/{slug(' '.join(words[:end]), 'and')}"
            if errand.get(site, where):
                return where
    raise Stop("impossible")


def _dish(errand: Errand, sheet: list[str]) -> float:
    """The price behind the dish of a menu that the instruction names."""
    dishes = [(len(text), at) for at, text in enumerate(sheet) if len(text) > 5 and text.lower() in errand.text.lower()]
    dishes = [(length, at) for length, at in dishes if "$" in " ".join(sheet[at : at + 6]) and at > 4]
    if not dishes:
        raise Stop("impossible")
    return money(" ".join(sheet[max(dishes)[1] :]))


def _cancelled(errand: Errand, site: str, pattern: str) -> str:
    """Cancel the booking whose number and name the instruction gives."""
    number = re.search(pattern, errand.text)
    if number is None or not errand.says("cancel"):
        return ""
    behind = errand.text[number.end() :]
    name = re.search(r"name(?: is| of)? ([A-Z]\w+)", errand.text) or re.search(r"([A-Z][a-z]+)", behind)
    if name is None:
        raise Stop("impossible")
    errand.post(site, "/find", {"number": number[0], "name": name[1]})
    errand.post(site, f"/booking/{number[0]}/cancel")
    return "done"


def _book(errand: Errand, site: str, where: str, party: dict[str, int]) -> str:
    """A free time of a day: to where personal data is asked for, and past it with the user's."""
    days = dates(errand.text)
    if not days:
        raise Stop("impossible")
    page = errand.get(site, where, day=days[0].isoformat(), **party)
    time = clock(errand.text)
    start = next((given for given, _ in forms(page, "/book/start") if given.get("time") == time), None)
    if start is None:
        raise Stop("unavailable")
    page = errand.post(site, "/book/start", start)
    seat = re.search(r'name="seat"\s+value="([^"]+)"', page)
    steps: dict[str, Form] = {"options": {"seat": seat[1]} if seat else {}}
    who = errand.task.persona
    if who:
        steps |= {"guest": {name: who[name] for name in ("name", "email", "phone")}}
        steps["payment"] = {"card": who["card_number"][-4:]}
    errand.steps(site, page, steps)
    if who:
        errand.post(site, "/book/confirm")
    return ""


# Tickets and the city


def stage(errand: Errand) -> str:
    """What is on somewhere: how long it lasts, what it costs, seats there."""
    if errand.fields == ("time before the show",):
        return f"{errand.fields[0]} = {_doors(errand)} min"
    title, page = _event(errand)
    if errand.fields == ("running time",):
        told = re.search(r"(\d+) minutes", prose(page))
        return f"running time = {told[1] if told else ''} min"
    if not errand.fields and errand.says("follow"):
        errand.post("encore", "/following", {"event": title})
        return ""
    day = dates(errand.text)[0]
    wanted = f"{long_date(day)}, {clock(errand.text[_day_at(errand.text) :])}"
    show = next((address for address, said in links(page, "/show/") if wanted in said), "")
    page = errand.get("encore", show)
    sections = [(address, said) for address, said in links(page, f"{show}/seats/") if said in errand.text]
    if not show or not sections:
        raise Stop("unavailable" if errand.says("if ") else "impossible")
    if errand.fields:
        return f"price = ${money(after(page, sections[0][1])):.2f}"
    return _seats(errand, sections[0][0])


def _day_at(text: str) -> int:
    """Where the day stands in an instruction; the time stands behind it."""
    match = re.search(r"\d{4}|, \d", text)
    return match.start() if match else 0


def _event(errand: Errand) -> tuple[str, str]:
    """The event that the instruction names, by its address."""
    for row in runs(re.sub(r"Encore(?: Tickets)?", "·", errand.text)):
        words = row.split()
        for end in range(len(words), 1, -1):
            name = slug(" ".join(words[:end]))
            if page := errand.get("encore", f"/event/{name}"):
                return name, page
    raise Stop("impossible")


def _doors(errand: Errand) -> str:
    """How many minutes before a show the doors of a named house open."""
    match = re.search(r"(The (?:[A-Z]\w+ ?)+?),? (?:in )?([A-Z][a-z]+(?: [A-Z][a-z]+)?)[,.:]? ", errand.text + " ")
    rows = [f"{match[1]} {match[2]}"] if match else []
    for row in [*rows, *runs(errand.text.replace(",", "").replace(" in ", " "))]:
        if page := errand.get("encore", f"/venue/{slug(row)}"):
            told = re.search(r"[Dd]oors (?:open )?(\d+) minutes|(\d+) minutes before", prose(page))
            return (told[1] or told[2]) if told else ""
    raise Stop("impossible")


def _seats(errand: Errand, address: str) -> str:
    """Seats side by side, to the buyer's page or past it."""
    many = count_of(errand.text, "(?:seats?|tickets?|adults?)", 1)
    page = errand.get("encore", address)
    boxes = re.findall(r'<input[^>]*name="seat"\s+value="([A-Z]+)(\d+)"([^>]*)>', page)
    free = [(row, int(number)) for row, number, more in boxes if "disabled" not in more]
    block = next(
        (
            [(row, at + step) for step in range(many)]
            for row, at in free
            if all((row, at + step) in free for step in range(many))
        ),
        None,
    )
    if block is None:
        raise Stop("unavailable")
    start = address.replace("/show/", "/book/start/").replace("/seats/", "/")
    page = errand.post("encore", start, [("seat", f"{row}{number}") for row, number in block])
    who = errand.task.persona
    steps: dict[str, Form] = {"tickets": {"adult": many}, "delivery": {"delivery": "mobile"}}
    if who:
        steps |= {"buyer": {name: who[name] for name in ("name", "email", "phone")}}
        steps["payment"] = {"card": who["card_number"][-4:]}
    errand.steps("encore", page, steps)
    if who:
        errand.post("encore", "/book/confirm")
    return ""


def city(errand: Errand) -> str:
    """The city's citations and garages."""
    if number := re.search(r"\bAB\d{8}\b", errand.text):
        page = errand.get("alderbrook", f"/citation/{number[0]}")
        if errand.fields:
            return f"{errand.fields[0]} = ${money(after(page, 'Fine')):.2f}"
        who = errand.task.persona
        page = errand.post("alderbrook", f"/pay/start/{number[0]}")
        steps: dict[str, Form] = {"method": {"method": "debit" if errand.says("debit") else "credit"}}
        if who:
            steps |= {
                "payer": {"name": who["name"], "email": who["email"]},
                "payment": {"card": who["card_number"][-4:]},
            }
        errand.steps("alderbrook", page, steps, "/pay")
        if who:
            errand.post("alderbrook", "/pay/confirm")
        return ""
    garages = links(errand.get("alderbrook", "/parking/garages"), "/garage/")
    where = next((address for address, said in garages if said in errand.text), "")
    page = prose(errand.get("alderbrook", where))
    kinds = {
        "half an hour|half hour": r"(\$[\d.]+) (?:for|per|a|every)[^.]*half",
        "whole day|day": r"(\$[\d.]+) a day",
        "evening": r"pays? (\$[\d.]+)",
    }
    told = next((re.search(pattern, page) for words, pattern in kinds.items() if errand.says(words)), None)
    if told is None:
        raise Stop("impossible")
    return f"{errand.fields[0]} = ${money(told[1]):.2f}"


# Homes and jobs


def home(errand: Errand) -> str:
    """A home by its address: facts, its agent, kept, or a tour."""
    address = errand.find(r"(\d+ [A-Z]\w+ (?:[A-Z]\w+)(?:, [A-Z]\w+(?: [A-Z]\w+)?)?)")
    hits = list(links(errand.get("hearthline", "/homes", q=address.replace(",", "")), "/home/"))
    if not hits:
        raise Stop("impossible")
    where = hits[0][0]
    page = errand.get("hearthline", where)
    field = errand.fields[0] if errand.fields else ""
    if field == "price":
        return f"price = ${money(page[page.find('<main') :]):.2f}"
    if field == "year built":
        told = re.search(r"built (?:in )?(\d{4})", prose(page), re.I)
        return f"year built = {told[1] if told else after(page, 'Year built')}"
    if field == "phone":
        agent = next((there for there, _ in links(page, "/agent/")), "")
        told = re.search(r"\(\d{3}\) \d{3}-\d{4}", prose(errand.get("hearthline", agent)))
        return f"phone = {told[0] if told else ''}"
    if not field and errand.says(r"\b(save|keep)\b"):
        errand.post("hearthline", "/saved", {"home": where.removeprefix("/home/")})
        return ""
    if field:
        raise Stop("impossible")
    return _tour(errand, where.removeprefix("/home/"))


def _tour(errand: Errand, name: str) -> str:
    """Ask for a tour with the user's data."""
    page = errand.post("hearthline", f"/tour/start/{name}")
    days, who = dates(errand.text), errand.task.persona
    way = "video" if errand.says("video") else "person"
    times = re.findall(r'name="time"\s+value="([^"]+)"', page)
    ways = re.findall(r'name="way"\s+value="([^"]+)"', page)
    told = re.search(r"\d+:\d\d [AP]M", errand.text)
    steps: dict[str, Form] = {
        "when": {
            "day": days[0].isoformat() if days else "",
            "time": next((time for time in times if told and time in (told[0], clock(told[0]))), ""),
            "way": next((each for each in ways if way in each.lower()), ways[0] if ways else ""),
        }
    }
    if who:
        steps["contact"] = {name: who[name] for name in ("name", "email", "phone")}
    errand.steps("hearthline", page, steps, "/tour")
    if who:
        errand.post("hearthline", "/tour/confirm")
    return ""


FIELDS = ("Education", "Finance", "Healthcare", "Hospitality", "Logistics", "Retail", "Science", "Technology", "Trades")
TYPES = ("Full-time", "Part-time", "Contract")


def job(errand: Errand) -> str:
    """A posting by its title and place, a count, or an employer."""
    if errand.fields == ("openings",):
        page = errand.get("fairlead", "/jobs")
        metros = re.findall(r'name="metro"\s+value="([^"]+)"', page)
        query = {"field": _among(errand, FIELDS), "metro": _among(errand, metros), "type": _among(errand, TYPES)}
        told = re.search(r"(\d+) open jobs?", prose(errand.get("fairlead", "/jobs", **query)))
        return f"openings = {told[1] if told else 0}"
    if errand.says(r"\bfollow\b"):
        return _follow(errand)
    where = _posting(errand)
    page = errand.get("fairlead", where)
    labels = {"requisition": "Requisition", "last day": "Apply by"}
    if errand.fields:
        return f"{errand.fields[0]} = {after(page, labels.get(errand.fields[0], errand.fields[0]))}"
    number = where.removeprefix("/job/")
    if errand.says(r"\bsave\b"):
        errand.post("fairlead", "/saved", {"job": number})
        return ""
    page = errand.post("fairlead", f"/apply/start/{number}")
    errand.steps("fairlead", page, {"fit": {"eligible": "Yes"}}, "/apply")
    return ""


def _among(errand: Errand, names: list[str] | tuple[str, ...]) -> str:
    return next((name for name in names if errand.says(rf"\b{re.escape(name)}\b")), "")


def _posting(errand: Errand) -> str:
    """The one posting that an instruction describes by title, city, workplace, type and seniority."""
    named = re.search(r"(?:as|for) ((?:[A-Z]\w+ ?)+) at ((?:[A-Z]\w+ ?)+) on", errand.text)
    if named:
        found = errand.get("fairlead", "/jobs", q=f"{named[1].strip()} {named[2].strip()}")
        hits = list(links(found, "/job/")) or list(links(errand.get("fairlead", "/jobs", q=named[1].strip()), "/job/"))
        for address, _ in hits:
            if named[2].strip() in prose(errand.get("fairlead", address)):
                return address
        raise Stop("impossible")
    match = re.search(
        r"(?:the|one|only|application) ([a-z][a-z ]+?) job in the ([A-Z][\w ]+?) area \(([^)]*)\)", errand.text
    )
    if match is None:
        raise Stop("impossible")
    title = re.sub(r"^(?:of|the|one|only|for)\s+", "", match[1].rpartition(" the ")[2])
    query: dict[str, object] = {"q": title, "metro": match[2]}
    page = errand.get("fairlead", "/jobs", **query)
    told = match[3].lower()
    for address, said in links(page, "/job/"):
        post = errand.get("fairlead", address)
        facts = [after(post, label).lower() for label in ("Workplace", "Job type")]
        if said.lower() == title and all(fact in told for fact in facts):
            return address
    raise Stop("impossible")


def _follow(errand: Errand) -> str:
    """Follow an employer, and tell what its page says."""
    for row in runs(errand.text.replace("Fairlead Jobs", "·")):
        if page := errand.get("fairlead", f"/employer/{slug(row)}"):
            errand.post("fairlead", "/follow", {"employer": slug(row)})
            told = re.search(r"[Ff]ounded (?:in \d+ )?by ((?:[A-Z]\w+ ?)+)", prose(page))
            return "; ".join(f"{field} = {after(page, field) or (told[1] if told else '')}" for field in errand.fields)
    raise Stop("impossible")


# The encyclopaedia


def encyclopaedia(errand: Errand) -> str:
    """From a firm to its founder to where they were born; or the page of its owner, kept."""
    for row in runs(re.sub(r"Commonplace|Waymark", "·", errand.text)):
        if firm := errand.get("commonplace", f"/read/{slug(row)}"):
            break
    else:
        raise Stop("impossible")
    if "river" in errand.fields:
        founder = errand.get("commonplace", f"/read/{slug(after(firm, 'Founder'))}")
        born = re.search(r"[Bb]orn in ((?:[A-Z]\w+ ?)+)", prose(founder))
        if born is None:
            raise Stop("impossible")
        river = re.search(r"on the(?: river)? ([A-Z]\w+)", prose(errand.get("commonplace", f"/read/{slug(born[1])}")))
        return f"city = {born[1].strip()}; river = {river[1] if river else ''}"
    if errand.says("owner"):
        errand.post("commonplace", "/kept", {"page": slug(after(firm, "Owner"))})
        zip_code = errand.find(r"\b(\d{5})\b")
        page = errand.get("waymark", "/search", q="bookshop", zip=zip_code)
        near = next((said for _, said in links(page, "/place/")), "")
        return f"{errand.fields[0]} = {near}"
    raise Stop("impossible")
