"""The county's pages: finding a doctor, desks and their papers, calendars, and booking a time step by step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from starlette.responses import Response

from workalike.town.kit.listing import page_number, paged, with_query
from workalike.town.kit.places import yards
from workalike.town.kit.records import cancel_record, count_rows, find_record, scattered_number
from workalike.town.kit.wizard import Wizard
from workalike.town.sites.fernhall.pictures import draw_notice
from workalike.town.sites.fernhall.speech import say_day, say_money, say_slot, say_time
from workalike.town.sites.fernhall.world import (
    ACCESS,
    DISTRICTS,
    LANDMARKS,
    PLANS,
    REASONS,
    SERVICES,
    SPECIALTIES,
    TONGUES,
    WASTES,
    free_days,
    free_times,
    open_hours,
)
from workalike.town.state import insert
from workalike.town.visit import PageVisit

DRAFT, BOOKING = "fernhall_draft", "fernhall_booking"
STEPS = ("reason", "person", "review")
PERSON = ("name", "email", "phone")
WIZARD = Wizard(
    DRAFT,
    STEPS,
    {"reason": ("reason",), "person": PERSON},
    ("person",),
    {"reason": ("|".join(code for codes in REASONS.values() for code in codes), "reason")},
)
CHOICES = {
    "specialty": SPECIALTIES,
    "tongue": TONGUES,
    "plan": PLANS,
    "district": DISTRICTS,
    "from": tuple(LANDMARKS),
}
"""What a doctor is chosen by in the drop-downs of the search."""
TICKS = ("accepts", "video", *ACCESS)
SIZE, DAYS, WEEK = 10, 5, 7
"""How many doctors a page lists, how many days with free times, and how many nights."""
JOINED = "SELECT provider.*, place.name AS house, place.slug AS door, address, district, x, y, phone, access, bell,"
JOINED += " strides, lift, shut, opens, instead FROM provider JOIN place ON place.id = place"


def matching(facts: sqlite3.Connection, asked: Mapping[str, str]) -> list[sqlite3.Row]:
    """The doctors that a search finds: by name, or the nearest first where it says from where."""
    rows = facts.execute(f"{JOINED} WHERE provider.kind = 'doctor' ORDER BY provider.name").fetchall()
    found = [row for row in rows if all(_fits(row, name, value) for name, value in asked.items())]
    if "from" in asked:
        found.sort(key=lambda row: far(row, asked["from"]))
    return found


def far(row: sqlite3.Row, landmark: str) -> int:
    return yards(row, *LANDMARKS[landmark][1:])


def asked_for(query: Mapping[str, str]) -> dict[str, str]:
    """What an address asks for that means anything."""
    chosen = {name: query[name] for name, known in CHOICES.items() if query.get(name) in known}
    return chosen | {name: "1" for name in TICKS if query.get(name) == "1"}


def front(visit: PageVisit) -> Response:
    return _html(visit, "front.html", specialties=SPECIALTIES)


def access(visit: PageVisit) -> Response:
    return _html(visit, "access.html")


def doctors(visit: PageVisit) -> Response:
    asked = asked_for(visit.query)
    page = page_number(visit)
    hits, total, pages = paged(matching(visit.facts, asked), page, SIZE)
    visit.fact("doctors", "found", total, **asked)
    values: dict[str, Any] = {"choices": CHOICES, "ticks": TICKS, "asked": asked, "total": total, "far": far}
    turn = [(number, with_query(asked.items(), page=number)) for number in range(1, pages + 1)]
    return _html(visit, "doctors.html", hits=hits, page=page, turn=turn, **values)


def services(visit: PageVisit) -> Response:
    rows = visit.facts.execute(f"{JOINED} WHERE provider.kind = 'desk' ORDER BY provider.id").fetchall()
    return _html(visit, "services.html", rows=rows, services=SERVICES)


def provider(visit: PageVisit) -> Response:
    """A doctor's page, or a desk's, with free times from some day on."""
    row = _provider(visit, visit.part("slug"), "doctor" if visit.path.startswith("/doctor/") else "desk")
    start = _day(visit.query.get("from", "")) or visit.today
    days = free_days(visit.town.world, row, start)
    later = days[DAYS][0].isoformat() if len(days) > DAYS else None
    for day, times in days[:DAYS]:
        visit.fact(row["slug"], "free", ",".join(times), day=day.isoformat())
    if days:
        visit.fact(row["slug"], "first", f"{days[0][0].isoformat()} {days[0][1][0]}", start=start.isoformat())
    values: dict[str, Any] = {"row": row, "days": days[:DAYS], "later": later, "hours": open_hours(row["hours"])}
    return _html(visit, "provider.html", services=SERVICES, missed=visit.query.get("missed"), **values)


def notice(visit: PageVisit) -> Response:
    """The notice on a practice's door, as somebody photographed it: a picture of words."""
    row = visit.facts.execute("SELECT * FROM place WHERE slug = ?", (visit.part("slug"),)).fetchone()
    if row is None or row["kind"] != "practice":
        raise visit.missing("notice")
    instead = visit.facts.execute("SELECT * FROM place WHERE id = ?", (row["instead"],)).fetchone()
    visit.fact(row["slug"], "notice", instead["name"])
    shut, opens = (say_day(visit.words, row[name]) for name in ("shut", "opens"))
    told = [visit.words["notice_1"], visit.words["notice_2"].format(shut), visit.words["notice_3"].format(opens)]
    return visit.file(
        draw_notice([*told, visit.words["notice_4"], f"{instead['name']}, {instead['phone']}"]), "image/png"
    )


def collections(visit: PageVisit) -> Response:
    """When things are collected in a street."""
    asked = " ".join(visit.query.get("street", "").split())[:60]
    street = visit.facts.execute("SELECT * FROM street WHERE lower(name) = ?", (asked.lower(),)).fetchone()
    query = "SELECT * FROM collection WHERE zone = ? ORDER BY day, id"
    rows = visit.facts.execute(query, (street["zone"],)).fetchall() if street else []
    days = {waste: [row["day"] for row in rows if row["waste"] == waste] for waste in WASTES}
    return _html(visit, "collections.html", 404 if asked and not street else 200, asked=asked, street=street, days=days)


def pharmacies(visit: PageVisit) -> Response:
    """Who is on duty, seven nights at a time."""
    start = (_day(visit.query.get("from", "")) or visit.today).isoformat()
    query = "SELECT day, place.* FROM duty JOIN place ON place.id = place WHERE day >= ? ORDER BY day"
    rows = visit.facts.execute(query, (start,)).fetchall()
    later = rows[WEEK]["day"] if len(rows) > WEEK else None
    return _html(visit, "pharmacies.html", rows=rows[:WEEK], later=later)


def appointments(visit: PageVisit) -> Response:
    """Look an appointment up by its number and somebody's last name."""
    number, name = visit.query.get("number", "").strip().upper(), visit.query.get("name", "").strip()
    row = find_record(visit, BOOKING, number)
    if row is not None and row["name"].split()[-1].casefold() == name.casefold():
        return visit.redirect(f"/booking/{number}")
    return _html(visit, "appointments.html", 404 if number else 200, number=number[:20], name=name[:40])


def booking(visit: PageVisit) -> Response:
    row = find_record(visit, BOOKING, visit.part("number"))
    if row is None:
        raise visit.missing("appointment")
    return _html(visit, "booking.html", booking=row, row=_provider(visit, row["provider"]))


def cancel(visit: PageVisit) -> Response:
    number = visit.part("number")
    cancel_record(visit, BOOKING, number)
    return visit.redirect(f"/booking/{number}")


def start(visit: PageVisit) -> Response:
    """Take a free time, and begin to book it."""
    row = _provider(visit, visit.part("slug"))
    day, _, time = visit.form.get("slot", "").partition("T")
    when = _day(day)
    if when is None or time not in free_times(visit.town.world, row, when):
        kind = "doctor" if row["kind"] == "doctor" else "service"
        return visit.redirect(f"/{kind}/{row['slug']}?missed=1")
    WIZARD.begin(visit, {"stage": "reason", "provider": row["slug"], "day": day, "time": time})
    return visit.redirect("/book/reason")


def show_step(visit: PageVisit) -> Response:
    return WIZARD.show(visit, _step)


def save_step(visit: PageVisit) -> Response:
    return WIZARD.save(visit, _step)


def confirm(visit: PageVisit) -> Response:
    draft = WIZARD.draft(visit)
    if draft is None or WIZARD.lacking(visit, draft) != "review":
        return visit.redirect("/book/review" if draft else "/")
    number = booking_number(count_rows(visit.state, BOOKING) + 1)
    kept = {name: draft[name] for name in ("provider", "day", "time", "reason", *PERSON)}
    insert(visit.state, BOOKING, kept | {"number": number, "status": "Confirmed"})
    WIZARD.update(visit, {"stage": "booked"})
    return visit.redirect(f"/booking/{number}")


def booking_number(count: int) -> str:
    """The number of an appointment, by how many there are with it."""
    return scattered_number("FH", count)


def note_pointer(visit: PageVisit) -> Response:
    """Something was pressed with a mouse, a finger or a pen: pages tell that once each."""
    insert(visit.state, "fernhall_pointer", {"path": visit.form.get("path", "")[:80]})
    return visit.json({"noted": True})


def _step(visit: PageVisit, step: str, draft: Any, problems: dict[str, str]) -> Response:
    row = _provider(visit, draft["provider"])
    told = {name: visit.words[f"wrong_{name}"] for name in problems}
    return _html(visit, "step.html", step=step, draft=draft, problems=told, row=row, reasons=REASONS[row["kind"]])


def _html(visit: PageVisit, template: str, status: int = 200, **values: Any) -> Response:
    return visit.html(template, status, **_said(visit), **values)


def _said(visit: PageVisit) -> dict[str, Any]:
    """What templates say in the look's language."""
    words = visit.words

    def many(kind: str, codes: Iterable[str]) -> str:
        return ", ".join(words[f"{kind}_{code}"] for code in codes if code)

    return {
        "say_day": lambda day: say_day(words, day),
        "say_time": lambda time: say_time(words, time),
        "say_slot": lambda day, time: say_slot(words, day, time),
        "say_money": lambda cents: say_money(words, cents),
        "many": many,
        "landmarks": {code: name for code, (name, *_) in LANDMARKS.items()},
    }


def _provider(visit: PageVisit, slug: str, kind: str = "") -> sqlite3.Row:
    row = visit.facts.execute(f"{JOINED} WHERE provider.slug = ?", (slug,)).fetchone()
    if row is None or kind not in ("", row["kind"]):
        raise visit.missing("page")
    return row  # type: ignore[no-any-return]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _fits(row: sqlite3.Row, name: str, value: str) -> bool:
    match name:
        case "specialty":
            return bool(row["field"] == value)
        case "tongue":
            return value in row["tongues"].split(",")
        case "plan":
            return value in row["plans"].split(",")
        case "district":
            return bool(row["district"] == value)
        case "accepts" | "video":
            return bool(row[name])
        case "from":
            return True
        case _:
            return name in row["access"].split(",")
