"""The tasks of `town-extra`: finding a doctor, other public services, the same by keyboard alone and for people with a
screen reader, and in Spanish and German."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from workalike.core.key import FactPattern
from workalike.town.kit.booked import FindBooking
from workalike.town.kit.make import templates_from
from workalike.town.persona import draw_persona
from workalike.town.sites.fernhall.draws import (
    ENGLISH,
    GERMAN,
    SPANISH,
    TRAINING,
    LanguageDraw,
    PlainDraw,
    TaskLanguage,
    drawn_in,
    fact,
    find_described,
    first_time,
    name_of,
    on_duty,
    see_desk,
    see_doctor,
    see_night,
    see_street,
)
from workalike.town.sites.fernhall.goals import BookTime, SearchDoctors, SeePortalPage
from workalike.town.sites.fernhall.pages import BOOKING, JOINED, SIZE, booking_number, far, matching
from workalike.town.sites.fernhall.world import (
    LANDMARKS,
    NAME,
    REASONS,
    ROSTER,
    SERVICES,
    STREETS,
    WASTES,
    WEEKDAYS,
    open_hours,
)
from workalike.town.template import Demand, Level, TaskDraft, Template
from workalike.town.town import Town

template = templates_from(Path(__file__).parent / "voices.json", "county")


def phone_of(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """The one doctor who fits, and the phone number."""
    found = find_described(town, rng, 1, 1)
    if found is None:
        return None
    asked, (row,) = found
    other = next(
        each for each in matching(town.facts[NAME], {"specialty": row["field"]}) if each["phone"] != row["phone"]
    )
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, row, asked)),
        {"who": language.describe(asked)},
        (language.answer("doctor", "name", name_of(row)), language.answer("phone", "name", row["phone"])),
        shown=((fact(row["slug"], "phone"),),),
        near=language.near({"another one": {"doctor": other["name"]}, "another's phone": {"phone": other["phone"]}}),
    )


def nearest(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Of several who fit, the one nearest to a landmark."""
    found, landmark = find_described(town, rng, 3, 9, ("accepts",), 2), rng.choice(list(LANDMARKS))
    if found is None:
        return None
    asked = found[0] | {"from": landmark}
    first, second, *_ = matching(town.facts[NAME], asked)
    if far(first, landmark) == far(second, landmark):
        return None
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, first, asked)),
        {"who": language.describe(asked), "landmark": LANDMARKS[landmark][0]},
        (
            language.answer("doctor", "name", name_of(first)),
            language.answer("distance", "number", far(first, landmark)),
        ),
        shown=((fact(first["slug"], "distance", landmark=landmark),),),
        near=language.near({"the second": {"doctor": second["name"], "distance": far(second, landmark)}}),
    )


def latest(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Of several who fit, the one who is there longest on some weekday."""
    found, weekday = find_described(town, rng, 2, 4, (), 2), rng.choice(WEEKDAYS[:5])
    if found is None:
        return None
    asked, rows = found
    open_ = {row["slug"]: open_hours(row["hours"]).get(weekday) for row in rows}
    there = sorted((row for row in rows if open_[row["slug"]]), key=lambda row: (open_[row["slug"]] or ("", ""))[1])
    closes = [(open_[row["slug"]] or ("", ""))[1] for row in there]
    if len(there) < 2 or closes[-1] == closes[-2]:
        return None
    return TaskDraft(
        (SearchDoctors(asked), *(see_doctor(town, row, asked) for row in there)),
        {"who": language.describe(asked), "weekday": language.words["weekdays"].split("|")[WEEKDAYS.index(weekday)]},
        (language.answer("doctor", "name", name_of(there[-1])), language.answer("closing", "time", closes[-1])),
        shown=tuple((fact(row["slug"], "closes", day=weekday),) for row in there),
        near=language.near({"the second": {"doctor": there[-2]["name"], "closing": closes[-2]}}),
    )


def first_free(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """The first free time of the one doctor who fits, from a day on."""
    found, start = find_described(town, rng, 1, 1), town.world.today + timedelta(rng.randint(3, 14))
    if found is None:
        return None
    asked, (row,) = found
    free, before = first_time(town, row, start), first_time(town, row, town.world.today)
    if free is None or before == free or before is None:
        return None
    day, time = free
    near = {"before that day": {"date": before[0].isoformat(), "time": before[1]}}
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, row, asked, day)),
        {"who": language.describe(asked), "day": language.day(start)},
        (language.answer("date", "date", day.isoformat()), language.answer("time", "time", time)),
        shown=((fact(row["slug"], "free", day=day.isoformat()),),),
        near=language.near(near),
    )


def book_best(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Book with whoever of those who fit has the earliest time in the afternoon from a day on."""
    found, start = find_described(town, rng, 2, 3, ("accepts",)), town.world.today + timedelta(rng.randint(1, 6))
    after, who = rng.choice(("11:00", "13:00", "14:00")), draw_persona(rng)
    if found is None:
        return None
    asked, rows = found
    times = sorted((free, row["slug"], row) for row in rows if (free := first_time(town, row, start, after)))
    if len(times) < len(rows) or times[0][0] == times[1][0]:
        return None
    (day, time), _, row = times[0]
    reason = rng.choice(REASONS["doctor"])
    seen = tuple(see_doctor(town, other, asked, free[0]) for free, _, other in times)
    told = {"who": language.describe(asked), "day": language.day(start), "after": language.time(after)}
    return TaskDraft(
        (SearchDoctors(asked), *seen, BookTime(seen[0], day.isoformat(), time, reason, who)),
        told | {"name": who["name"], "reason": language.words[f"reason_{reason}"]},
        (language.answer("number", "name", _next_number(town)),),
        shown=((fact(row["slug"], "number"),), *((fact(other["slug"], "free"),) for _, _, other in times)),
        near=language.near({"another number": {"number": booking_number(3)}}),
        persona=who,
    )


def book_first(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Book the first time that the one doctor who fits has from a day on."""
    found, start = find_described(town, rng, 1, 1, ("accepts",)), town.world.today + timedelta(rng.randint(1, 7))
    who, reason = draw_persona(rng), rng.choice(REASONS["doctor"])
    free = first_time(town, found[1][0], start) if found else None
    if found is None or free is None:
        return None
    asked, (row,) = found
    seen = see_doctor(town, row, asked, free[0])
    told = {"who": language.describe(asked), "day": language.day(start), "name": who["name"]}
    return TaskDraft(
        (SearchDoctors(asked), seen, BookTime(seen, free[0].isoformat(), free[1], reason, who)),
        told | {"reason": language.words[f"reason_{reason}"]},
        (language.answer("number", "name", _next_number(town)),),
        shown=((fact(row["slug"], "number"),),),
        near=language.near({"another number": {"number": booking_number(3)}}),
        persona=who,
    )


def stop_before(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Up to the page that asks who is coming, and not a letter further."""
    found, start = find_described(town, rng, 1, 1, ("accepts",)), town.world.today + timedelta(rng.randint(1, 9))
    free = first_time(town, found[1][0], start) if found else None
    if found is None or free is None:
        return None
    asked, (row,) = found
    (day, time), reason = free, rng.choice(REASONS["doctor"])
    told = {"who": language.describe(asked), "day": language.day(day), "time": language.time(time)}
    goal = BookTime(see_doctor(town, row, asked, day), day.isoformat(), time, reason)
    return TaskDraft((SearchDoctors(asked), goal), told | {"reason": language.words[f"reason_{reason}"]})


def nobody(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Nobody fits, which a search tells, or a look at all of the field."""
    found = find_described(town, rng, 0, 0)
    if found is None:
        return None
    asked, field = found[0], matching(town.facts[NAME], {"specialty": found[0]["specialty"]})
    empty = FactPattern(NAME, "doctors", "found", dict(asked), "0")
    return TaskDraft(
        (SearchDoctors(asked),),
        {"who": language.describe(asked)},
        status="unavailable",
        shown=tuple((empty, fact(row["slug"], "phone")) for row in field),
    )


def doctor_and_pharmacy(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """The earlier of two doctors, and which pharmacy is open in the night after the visit."""
    found, start = find_described(town, rng, 2, 3), town.world.today + timedelta(rng.randint(2, 8))
    if found is None:
        return None
    asked, rows = found
    times = sorted((free, row["slug"], row) for row in rows if (free := first_time(town, row, start)))
    if len(times) < len(rows) or times[0][0][0] == times[1][0][0]:
        return None
    (day, _), _, row = times[0]
    night, wrong = on_duty(town, day), on_duty(town, times[1][0][0])
    if night["name"] == wrong["name"]:
        return None
    seen = tuple(see_doctor(town, other, asked, free[0]) for free, _, other in times)
    answers = (
        language.answer("doctor", "name", name_of(row)),
        language.answer("date", "date", day.isoformat()),
        language.answer("pharmacy", "name", night["name"]),
    )
    return TaskDraft(
        (SearchDoctors(asked), *seen, see_night(town, day)),
        {"who": language.describe(asked), "day": language.day(start)},
        answers,
        shown=((fact(day.isoformat(), "duty"),), *((fact(other["slug"], "free"),) for _, _, other in times)),
        near=language.near(
            {"the other's night": {"pharmacy": wrong["name"]}, "the other": {"doctor": times[1][2]["name"]}}
        ),
    )


def fees(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """What one service for several people and another one come to."""
    first, second = rng.sample([code for code, (fee, _) in SERVICES.items() if fee], 2)
    many, (one, two) = rng.randint(2, 4), (SERVICES[first][0], SERVICES[second][0])
    desks = [_desks(town, code) for code in (first, second)]
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
    rows = _desks(town, field)
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
        (language.answer("number", "name", _next_number(town)),),
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


def notice(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """What a photograph of a notice says, which no screen reader can read."""
    found = find_described(town, rng, 1, 1)
    if found is None or found[1][0]["instead"] == found[1][0]["place"]:
        return None
    asked, (row,) = found
    instead = town.facts[NAME].execute("SELECT * FROM place WHERE id = ?", (row["instead"],)).fetchone()
    near = {"the day it closes": {"reopening": row["shut"]}, "its own phone": {"phone": row["phone"]}}
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, row, asked, notice=row["door"])),
        {"who": language.describe(asked)},
        (language.answer("reopening", "date", row["opens"]), language.answer("phone", "name", instead["phone"])),
        shown=((fact(row["door"], "notice"),),),
        near=language.near(near),
    )


def directions(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """The way to a door as it is told to those who do not see it."""
    found = find_described(town, rng, 1, 1)
    if found is None or found[1][0]["bell"] == found[1][0]["strides"]:
        return None
    asked, (row,) = found
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, row, asked)),
        {"who": language.describe(asked)},
        (language.answer("steps", "number", row["strides"]), language.answer("bell", "number", row["bell"])),
        shown=((fact(row["door"], "strides"),), (fact(row["door"], "bell"),)),
        near=language.near({"the wrong bell": {"bell": row["bell"] % 9 + 1}}),
    )


def announced(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """How many doctors a search finds, which is announced and stands nowhere to be seen."""
    found = find_described(town, rng, 5, SIZE * 3, (), 1)
    if found is None:
        return None
    asked, rows = found
    every = [FactPattern(NAME, row["slug"], "name") for row in rows]
    told = FactPattern(NAME, "doctors", "found", dict(asked))
    wider = len(matching(town.facts[NAME], {"specialty": asked["specialty"]}))
    return TaskDraft(
        (SearchDoctors(asked),),
        {"who": language.describe(asked)},
        (language.answer("doctors", "number", len(rows)),),
        shown=tuple((told, each) for each in every),
        near=language.near({"all of the field": {"doctors": wider}}),
    )


def sign(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """What a sign without words is called."""
    found = find_described(town, rng, 1, 1)
    if found is None or not found[1][0]["lift"]:
        return None
    asked, (row,) = found
    return TaskDraft(
        (SearchDoctors(asked), see_doctor(town, row, asked)),
        {"who": language.describe(asked)},
        (language.answer("date", "date", row["lift"]),),
        shown=((fact(row["door"], "lift"),),),
        near=language.near({"when the practice closes": {"date": row["shut"]}}),
    )


def guided(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """Book for somebody who comes with a guide dog, and tell the way to the door."""
    draft = book_first(language, town, rng)
    if draft is None or "dogs" not in draft.goals[0].asked:  # type: ignore[attr-defined]
        return None
    booked = draft.goals[-1]
    assert isinstance(booked, BookTime)
    row = town.facts[NAME].execute(f"{JOINED} WHERE provider.slug = ?", (booked.where.slug,)).fetchone()
    return replace(
        draft,
        answers=(language.answer("bell", "number", row["bell"]), *draft.answers),
        shown=((fact(row["door"], "bell"),), *draft.shown),
        near=draft.near | language.near({"the wrong bell": {"bell": row["bell"] % 9 + 1}}),
    )


def named_phone(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """A doctor's phone number, by the name."""
    draft = phone_of(language, town, rng)
    if draft is None:
        return None
    name = draft.answers[0].value.split("|")[0]
    field = draft.goals[0].asked["specialty"]  # type: ignore[attr-defined]
    near = {label: wrong for label, wrong in draft.near.items() if language.phrases["field_phone"] in wrong}
    slots = {"doctor": name, "specialty": language.words[f"specialty_{field}"].lower()}
    return replace(draft, slots=slots, answers=draft.answers[1:], near=near)


def fee_of(language: TaskLanguage, town: Town, rng: Random) -> TaskDraft | None:
    """What one service costs."""
    field = rng.choice([code for code, (fee, _) in SERVICES.items() if fee])
    row = rng.choice(_desks(town, field))
    cents = SERVICES[field][0]
    return TaskDraft(
        (see_desk(town, row),),
        {"service": _service(language, field), "office": row["name"]},
        (language.answer("total", "money", cents),),
        shown=((fact(row["slug"], "fee"),),),
        near=language.near({"for two": {"total": 2 * cents}}),
    )


def _next_number(town: Town) -> str:
    """The number that the first appointment booked gets."""
    return booking_number(len(town.begin_rows(BOOKING)) + 1)


def _desks(town: Town, field: str) -> list[Any]:
    query = f"{JOINED} WHERE provider.kind = 'desk' AND field = ? ORDER BY provider.id"
    return town.facts[NAME].execute(query, (field,)).fetchall()


def _service(language: TaskLanguage, code: str) -> str:
    """How somebody calls a service who does not know the county's word for it."""
    return language.phrases[f"service_{code}"]


def _collected(town: Town, street: str) -> dict[str, list[str]]:
    query = "SELECT waste, day FROM collection JOIN street USING (zone) WHERE name = ? ORDER BY day"
    rows = town.facts[NAME].execute(query, (street,)).fetchall()
    return {waste: [row["day"] for row in rows if row["waste"] == waste] for waste in WASTES}


FIND, SERVE, KEYS, READER, ES, DE = (
    "find_a_doctor", "public_services", "keyboard", "screen_reader", "spanish", "german",
)  # fmt: skip
COUNTS = {FIND: 16, SERVE: 12, KEYS: 12, READER: 10, ES: 12, DE: 12}
"""How many tasks of a category `town-extra` has."""
TRAIN_COUNTS = {FIND: 8, SERVE: 8}
_REMARKS = (
    "I can't use a mouse, so please do this with the keyboard only, without a single click.",
    "Keyboard only, please: Tab, Enter, arrow keys. Nothing may be clicked.",
    "no mouse pls, i navigate by keyboard and want to be able to repeat it.",
    "Do the following by keyboard alone; no click or tap of any kind is allowed.",
)


def _search(draw: LanguageDraw) -> PlainDraw:
    return drawn_in(ENGLISH, draw, "search")


def _by_keyboard(made: Template, name: str, category: str = KEYS) -> Template:
    """A template once more, for somebody who has no mouse."""
    voices = tuple(f"{remark} {voice}" for remark, voice in zip(_REMARKS, made.voices, strict=True))
    return replace(made, name=f"county-{name}", category=category, voices=voices)


def _keyed(name: str, level: Level, draw: LanguageDraw, demands: tuple[Demand, ...] = ()) -> Template:
    made = template(name, KEYS, level, drawn_in(ENGLISH, draw, keyboard=True), demands=demands)
    return _by_keyboard(made, f"keys-{name}")


_ONE: tuple[Demand, ...] = ("described not named", "many criteria")
TEMPLATES = (
    template("phone", FIND, "easy", _search(phone_of), demands=_ONE),
    template("nearest", FIND, "medium", _search(nearest), demands=(*_ONE, "map and distance")),
    template("latest", FIND, "medium", _search(latest), demands=(*_ONE, "evidence")),
    template("first-free", FIND, "medium", _search(first_free), demands=_ONE),
    template("book-best", FIND, "hard", _search(book_best), demands=(*_ONE, "evidence", "open choice")),
    template("stop", FIND, "medium", _search(stop_before), demands=_ONE),
    template("nobody", FIND, "medium", _search(nobody), demands=(*_ONE, "evidence")),
    template("pharmacy", FIND, "hard", _search(doctor_and_pharmacy), demands=(*_ONE, "evidence")),
    template("fees", SERVE, "medium", _search(fees), demands=("arithmetic",)),
    template("collection", SERVE, "easy", _search(next_collection)),
    template("collections", SERVE, "medium", _search(count_collections), demands=("arithmetic",)),
    template("duty", SERVE, "easy", _search(duty)),
    template("desk", SERVE, "hard", _search(book_desk), demands=("evidence", "open choice")),
    template("cancel", SERVE, "medium", _search(cancel), demands=("evidence",)),
    _keyed("phone", "easy", phone_of, _ONE),
    _keyed("collection", "easy", next_collection),
    _keyed("duty", "medium", duty),
    _keyed("first-free", "medium", first_free, _ONE),
    _keyed("stop", "medium", stop_before, _ONE),
    _keyed("book-first", "hard", book_first, (*_ONE, "evidence")),
    template("notice", READER, "medium", drawn_in(ENGLISH, notice), demands=_ONE),
    template("directions", READER, "medium", drawn_in(ENGLISH, directions), demands=_ONE),
    template("announced", READER, "easy", drawn_in(ENGLISH, announced), demands=_ONE),
    template("sign", READER, "medium", drawn_in(ENGLISH, sign), demands=_ONE),
    _by_keyboard(
        template("guided", READER, "hard", drawn_in(ENGLISH, guided, keyboard=True), demands=(*_ONE, "evidence")),
        "guided",
        READER,
    ),
    template("es-phone", ES, "easy", drawn_in(SPANISH, phone_of), demands=_ONE),
    template("es-collection", ES, "easy", drawn_in(SPANISH, next_collection)),
    template("es-first-free", ES, "medium", drawn_in(SPANISH, first_free), demands=_ONE),
    template("es-fees", ES, "medium", drawn_in(SPANISH, fees), demands=("arithmetic",)),
    template("es-book-best", ES, "hard", drawn_in(SPANISH, book_best), demands=(*_ONE, "evidence", "open choice")),
    template("es-pharmacy", ES, "hard", drawn_in(SPANISH, doctor_and_pharmacy), demands=(*_ONE, "evidence")),
    template("de-phone", DE, "easy", drawn_in(GERMAN, phone_of), demands=_ONE),
    template("de-duty", DE, "easy", drawn_in(GERMAN, duty)),
    template("de-latest", DE, "medium", drawn_in(GERMAN, latest), demands=(*_ONE, "evidence")),
    template("de-collections", DE, "medium", drawn_in(GERMAN, count_collections), demands=("arithmetic",)),
    template("de-stop", DE, "medium", drawn_in(GERMAN, stop_before), demands=_ONE),
    template("de-book-best", DE, "hard", drawn_in(GERMAN, book_best), demands=(*_ONE, "evidence", "open choice")),
    template("train-phone", FIND, "easy", drawn_in(TRAINING, named_phone, "search"), "train"),
    template("train-first", FIND, "hard", drawn_in(TRAINING, book_first, "search"), "train"),
    template("train-collection", SERVE, "easy", drawn_in(TRAINING, next_collection, "search"), "train"),
    template("train-fee", SERVE, "easy", drawn_in(TRAINING, fee_of, "search"), "train"),
)
