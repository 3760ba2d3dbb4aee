"""Tasks about doctors: who fits, who is near, who has time, and booking it."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from msgspec.structs import replace

from workalike.core.key import FactPattern
from workalike.town.persona import draw_persona
from workalike.town.sites.fernhall.goals import BookTime, SearchDoctors
from workalike.town.sites.fernhall.pages import booking_number, far, matching
from workalike.town.sites.fernhall.tasks.draws import (
    TaskLanguage,
    fact,
    find_described,
    first_time,
    name_of,
    next_number,
    on_duty,
    see_doctor,
    see_night,
)
from workalike.town.sites.fernhall.world import (
    LANDMARKS,
    NAME,
    REASONS,
    WEEKDAYS,
    open_hours,
)
from workalike.town.template import TaskDraft
from workalike.town.town import Town


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
        (language.answer("number", "name", next_number(town)),),
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
        (language.answer("number", "name", next_number(town)),),
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
