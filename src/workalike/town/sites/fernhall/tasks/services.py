"""Tasks about the county's other services: fees, collections, pharmacies at night, desks, appointments."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Any

from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.sites.fernhall.goals import BookTime, SeePortalPage
from workalike.town.sites.fernhall.pages import BOOKING, JOINED, booking_number
from workalike.town.sites.fernhall.tasks.draws import (
    TaskLanguage,
    fact,
    first_time,
    next_number,
    on_duty,
    see_desk,
    see_night,
    see_street,
)
from workalike.town.sites.fernhall.world import (
    NAME,
    REASONS,
    ROSTER,
    SERVICES,
    STREETS,
    WASTES,
)
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def fees(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """What one service for several people and another one come to."""
    first, second = rng.sample([code for code, (fee, _) in SERVICES.items() if fee], 2)
    many, (one, two) = rng.randint(2, 4), (SERVICES[first][0], SERVICES[second][0])
    desks = [desks_for(town, code) for code in (first, second)]
    total = many * one + two
    told = {"many": str(many), "first": _service(language, first), "second": _service(language, second)}
    near = {"one each": one + two, "the other way round": one + many * two, "without the second": many * one}
    return TaskDraft(
        tuple(see_desk(town, rows[0]) for rows in desks),
        told,
        (language.answer("total", "money", total),),
        shown=tuple(tuple(fact(row["slug"], "fee") for row in rows) for rows in desks),
        near=language.near({label: {"total": cents} for label, cents in near.items() if cents != total}),
    )


def fee_of(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """What one service costs."""
    field = rng.choice([code for code, (fee, _) in SERVICES.items() if fee])
    row = rng.choice(desks_for(town, field))
    cents = SERVICES[field][0]
    return TaskDraft(
        (see_desk(town, row),),
        {"service": _service(language, field), "office": row["name"]},
        (language.answer("total", "money", cents),),
        shown=((fact(row["slug"], "fee"),),),
        near=language.near({"for two": {"total": 2 * cents}}),
    )


def next_collection(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """When something is next collected in a street."""
    street, waste = rng.choice(STREETS), rng.choice(WASTES)
    days = _collected(town, street)
    others = {f"{code}'s": days[code][0] for code in WASTES if days[code][0] != days[waste][0]}
    near = {**others, "the one after": days[waste][1]}
    return TaskDraft(
        (see_street(street),),
        {"street": street, "waste": language.phrases[f"waste_{waste}"]},
        (language.answer("date", "date", days[waste][0]),),
        shown=((fact(street, waste),),),
        near=language.near({label: {"date": day} for label, day in near.items()}),
    )


def count_collections(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """How often two kinds of waste are collected in a street up to a day."""
    street, (one, two) = rng.choice(STREETS), rng.sample(WASTES, 2)
    days = _collected(town, street)
    until = (town.world.today + timedelta(rng.randint(20, 34))).isoformat()
    first, second = (sum(day <= until for day in days[code]) for code in (one, two))
    if not first or not second or until > min(days[one][-1], days[two][-1]) or until in days[one] + days[two]:
        return None
    told = {"street": street, "day": language.day(until), "today": language.day(town.world.today)}
    told |= {"first": language.phrases[f"waste_{one}"], "second": language.phrases[f"waste_{two}"]}
    wrong = {"the first kind alone": first, "the second kind alone": second, "all that are listed": 12}
    return TaskDraft(
        (see_street(street),),
        told,
        (language.answer("collections", "number", first + second),),
        shown=((fact(street, one),), (fact(street, two),)),
        near=language.near({label: {"collections": count} for label, count in wrong.items()}),
    )


def duty(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Which pharmacy is open in a night, and its phone number."""
    ahead = rng.randint(1, ROSTER - 2)
    day, after = (town.world.today + timedelta(ahead + by) for by in (0, 1))
    row, other = on_duty(town, day), on_duty(town, after)
    if row["name"] == other["name"]:
        return None
    return TaskDraft(
        (see_night(town, day),),
        {"day": language.day(day)},
        (language.answer("pharmacy", "name", row["name"]), language.answer("phone", "name", row["phone"])),
        shown=((fact(day.isoformat(), "duty"),), (fact(row["slug"], "phone"),)),
        near=language.near({"a night later": {"pharmacy": other["name"], "phone": other["phone"]}}),
    )


def book_desk(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Book a time for a service at whichever of two offices has one earlier."""
    field, start = rng.choice(list(SERVICES)), town.world.today + timedelta(rng.randint(1, 8))
    who, reason = draw_persona(rng), rng.choice(REASONS["desk"])
    rows = desks_for(town, field)
    times = sorted((free, row["slug"], row) for row in rows if (free := first_time(town, row, start)))
    if len(times) < len(rows) or times[0][0][0] == times[1][0][0]:
        return None
    (day, time), _, row = times[0]
    seen = tuple(see_desk(town, other, free[0]) for free, _, other in times)
    listed = SeePortalPage(NAME, "/services", (), "the services", "services")
    told = {"service": _service(language, field), "day": language.day(start), "name": who["name"]}
    return TaskDraft(
        (listed, *seen, BookTime(seen[0], day.isoformat(), time, reason, who)),
        told | {"reason": language.words[f"reason_{reason}"]},
        (language.answer("number", "name", next_number(town)),),
        shown=((fact(row["slug"], "number"),), *((fact(other["slug"], "free"),) for _, _, other in times)),
        near=language.near({"another number": {"number": booking_number(3)}}),
        persona=who,
    )


def cancel(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Cancel an appointment, and say when it would have been."""
    row: dict[str, Any] = dict(rng.choice(town.begin_rows(BOOKING)))
    later = (date.fromisoformat(row["day"]) + timedelta(7)).isoformat()
    return TaskDraft(
        (FindBooking(NAME, row["number"], row["name"].split()[-1], cancel=True),),
        {"number": row["number"], "name": row["name"]},
        (language.answer("date", "date", row["day"]), language.answer("time", "time", row["time"])),
        shown=((fact(row["number"], "day"),), (fact(row["number"], "time"),)),
        near=language.near({"a week later": {"date": later}}),
        persona={"name": row["name"]},
    )


def desks_for(town: Town, field: str) -> list[Any]:
    query = f"{JOINED} WHERE provider.kind = 'desk' AND field = ? ORDER BY provider.id"
    return town.facts[NAME].execute(query, (field,)).fetchall()


def _service(language: TaskLanguage, code: str) -> str:
    """How somebody calls a service who does not know the county's word for it."""
    return language.phrases[f"service_{code}"]


def _collected(town: Town, street: str) -> dict[str, list[str]]:
    query = "SELECT waste, day FROM collection JOIN street USING (zone) WHERE name = ? ORDER BY day"
    rows = town.facts[NAME].execute(query, (street,)).fetchall()
    return {waste: [row["day"] for row in rows if row["waste"] == waste] for waste in WASTES}
