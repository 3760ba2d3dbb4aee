"""Taking seats: any that fit, towards the back, on another date where the first is gone, behind a wall; waiting lists,
claims and what one follows."""

from __future__ import annotations

from datetime import date
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.render import long_date
from workalike.town.sites.encore.draws import (
    C,
    about,
    choices,
    draw_ages,
    events,
    people,
    section_with,
    showing,
    shows,
    slots,
    template,
    venue,
)
from workalike.town.sites.encore.goals import (
    SITE,
    FileClaim,
    FollowEvent,
    JoinShowWaitlist,
    Pick,
    TakeSeats,
    see_event,
    see_help,
    see_show,
    see_venue,
)
from workalike.town.sites.encore.seats import DELIVERY, PLANS, price, section_of, split_seats
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def open_pair(town: Town, rng: Random) -> TaskDraft | None:
    """Two seats side by side for whatever evening of a stretch of days, within a budget."""
    event = rng.choice(events(town))
    dates = shows(town, event, "status = 'sale' AND time > '17:00'")
    if len(dates) < 3:
        return None
    at = rng.randrange(len(dates) - 2)
    some, most = dates[at : at + 3], 100 * rng.randint(25, 75)
    picks = []
    for show in some:
        parts = [part for part in PLANS[show["kind"]] if price(show, part) <= most]
        fitting = tuple(seats for part in parts for seats in choices(town, show, part, 2))
        picks += [Pick(showing(event, show), fitting)] if fitting else []
    every = sum(len(choices(town, show, part, 2)) for show in some for part in PLANS[show["kind"]])
    if len({show["city"] for show in some}) > 1 or not picks or sum(len(pick.seats) for pick in picks) == every:
        return None
    first, last = (date.fromisoformat(some[end]["day"]) for end in (0, -1))
    told = slots(town, event, some[0]) | {"most": f"${most // 100}", "city": some[0]["city"]}
    told |= {"first": f"{first:%B} {first.day}", "last": f"{last:%B} {last.day}"}
    goals = (see_event(event["name"], event["slug"]), TakeSeats(tuple(picks), ("adult", "adult")))
    return TaskDraft(goals, told)


def back_rows(town: Town, rng: Random) -> TaskDraft | None:
    """A group in one row, rather far back in the middle."""
    event = rng.choice(events(town))
    dates = shows(town, event, "status = 'sale'")
    if not dates:
        return None
    show, count = rng.choice(dates), rng.randint(3, 5)
    part = next(each for each in PLANS[show["kind"]] if each.code in ("OC", "102", "MF"))
    last = chr(64 + part.rows)
    behind = tuple(
        seats for seats in choices(town, show, part, count) if ord(split_seats(seats)[1][0][0]) > 64 + part.rows * 2 / 3
    )
    if not behind:
        return None
    goal = TakeSeats((Pick(showing(event, show), behind),), ("adult",) * count)
    told = slots(town, event, show) | {"count": str(count), "section": part.name, "last": last}
    return TaskDraft((see_event(event["name"], event["slug"]), see_show(showing(event, show)), goal), told)


def other_date(town: Town, rng: Random) -> TaskDraft | None:
    """The first choice is sold out, the second is bought, with the user's data."""
    event = rng.choice(events(town))
    gone, free = shows(town, event, "status = 'sold'"), shows(town, event, "status = 'sale'")
    pairs = [(a, b) for a in gone for b in free if a["city"] == b["city"] and a["day"] != b["day"]]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    if sum(show["day"] == second["day"] for show in free) > 1 or sum(s["day"] == first["day"] for s in gone + free) > 1:
        return None
    count, who, way = rng.randint(1, 3), draw_persona(rng), rng.choice(tuple(DELIVERY))
    part = section_with(town, rng, second, count)
    if part is None:
        return None
    ages, seats = draw_ages(rng, event, count), choices(town, second, part, count)
    goal = TakeSeats((Pick(showing(event, second), seats),), ages, way, False, who)
    house = venue(town, second)
    there = see_venue(showing(event, second), house["slug"])
    goals = (see_event(event["name"], event["slug"]), see_show(showing(event, first)), there, goal)
    other = slots(town, event, second)
    told = slots(town, event, first) | {"other": other["day"], "people": people(ages, event), "section": part.name}
    return TaskDraft(
        goals,
        told | {"way": DELIVERY[way].lower(), "name": who["name"]},
        (ExpectedAnswer("time before the show", "duration", house["doors"]),),
        shown=((about(house["slug"], "doors"),),),
        near={"a quarter of an hour more": {"time before the show": house["doors"] + 15}},
        persona=who,
    )


def waiting_list(town: Town, rng: Random) -> TaskDraft | None:
    """Tickets if there are any, the waiting list if not; there are none."""
    event = rng.choice(events(town))
    gone = shows(town, event, "status = 'sold'")
    if not gone:
        return None
    show, who, count = rng.choice(gone), draw_persona(rng), rng.randint(1, 6)
    if sum(each["day"] == show["day"] for each in shows(town, event)) > 1:
        return None
    goal = JoinShowWaitlist(showing(event, show), count, who)
    told = slots(town, event, show) | {"count": str(count), "name": who["name"], "email": who["email"]}
    return TaskDraft((see_event(event["name"], event["slug"]), goal), told, persona=who)


def all_gone(town: Town, rng: Random) -> TaskDraft | None:
    """Every date in a city is sold out."""
    event = rng.choice(events(town))
    every = shows(town, event)
    city = rng.choice(sorted({show["city"] for show in every}))
    there = [show for show in every if show["city"] == city]
    if any(show["status"] == "sale" for show in there):
        return None
    marks = tuple((about(show["code"], "status"),) for show in there)
    return TaskDraft(
        (see_event(event["name"], event["slug"]),),
        slots(town, event, there[0]) | {"city": city},
        status="unavailable",
        shown=marks,
    )


def walled(town: Town, rng: Random) -> TaskDraft | None:
    """A wall stands before the order."""
    event = rng.choice(events(town))
    dates = shows(town, event, "status = 'sale'")
    if not dates:
        return None
    show = rng.choice(dates)
    part = section_with(town, rng, show, 2)
    if part is None or sum(each["day"] == show["day"] for each in dates) > 1:
        return None
    seats = choices(town, show, part, 2)
    goal = TakeSeats((Pick(showing(event, show), seats[:1]),), ("adult", "adult"))
    met = {"path": f"/book/start/{show['code']}/{part.code}", "seats": "2"}
    told = slots(town, event, show) | {"section": part.name}
    return TaskDraft((see_event(event["name"], event["slug"]), goal), told, wall={SITE: "/book"}, met=met, truth=())


def exact_order(town: Town, rng: Random) -> TaskDraft | None:
    """A family with leave: the cheapest section in which all sit together, for an interpreted performance."""
    event = rng.choice(events(town))
    noted = shows(town, event, "status = 'sale' AND note != ''")
    if not noted:
        return None
    show, count = rng.choice(noted), rng.randint(2, 4)
    if sum(each["note"] == show["note"] and each["city"] == show["city"] for each in shows(town, event)) > 1:
        return None
    fitting = [part for part in PLANS[show["kind"]] if choices(town, show, part, count)]
    if not fitting:
        return None
    low = min(price(show, part) for part in fitting)
    cheapest = [part for part in fitting if price(show, part) == low]
    seats = tuple(each for part in cheapest for each in choices(town, show, part, count))
    ages, who = draw_ages(rng, event, count), draw_persona(rng)
    goal = TakeSeats((Pick(showing(event, show), seats),), ages, "collect", False, who)
    told = slots(town, event, show) | {"note": NOTED[show["note"]], "people": people(ages, event), "name": who["name"]}
    return TaskDraft((see_event(event["name"], event["slug"]), see_show(showing(event, show)), goal), told, persona=who)


NOTED = {
    "Sign-language interpreted": "with somebody signing for the deaf",
    "Relaxed performance": "at which nobody minds noise and walking about",
    "Audio described": "with a commentary for the blind",
    "Talk after the show": "after which one can talk with the company",
}


def claim(town: Town, rng: Random) -> TaskDraft | None:
    """A claim for a postponed show, filled in from the booking."""
    late = []
    for row in town.begin_rows("encore_booking"):
        show = town.facts[SITE].execute("SELECT * FROM show WHERE code = ?", (row["show"],)).fetchone()
        late += [(row, show)] if show["status"] == "postponed" else []
    if not late:
        return None
    row, show = rng.choice(late)
    event = events(town, f"id = {show['event']}")[0]
    number, name = str(row["number"]), str(row["name"]).split()[-1]
    seats = ", ".join(split_seats(str(row["seats"]))[1])
    email = rng.choice((str(row["email"]), f"{name.lower()}.home@letterbox.example"))
    who = draw_persona(rng) | {"name": str(row["name"]), "last_name": name, "email": email}
    who["first_name"] = who["name"].split()[0]
    paid = int(row["total"])  # type: ignore[arg-type]
    form = FileClaim(number, event["name"], show["day"], seats, paid, "Postponed", email)
    goals = (FindBooking(SITE, number, name), see_help(), form)
    return TaskDraft(goals, {"number": number, "name": name, "email": email}, persona=who)


def refund(town: Town, rng: Random) -> TaskDraft | None:
    """Cancel a booking and say what comes back, by the rules."""
    row = rng.choice(town.begin_rows("encore_booking"))
    show = town.facts[SITE].execute("SELECT * FROM show WHERE code = ?", (row["show"],)).fetchone()
    if show["status"] != "sale":
        return None
    house = town.facts[SITE].execute("SELECT * FROM venue WHERE id = ?", (show["venue"],)).fetchone()
    code, seats = split_seats(str(row["seats"]))
    part = section_of(house["kind"], code)
    assert part is not None
    tickets, ahead = price(show, part) * len(seats), (date.fromisoformat(show["day"]) - town.world.today).days
    back = tickets if ahead >= 15 else tickets // 2 if ahead >= 4 else 0
    number, name = str(row["number"]), str(row["name"]).split()[-1]
    near = {"everything": int(row["total"]), "the tickets": tickets, "half": tickets // 2, "nothing": 0}  # type: ignore[arg-type]
    today = town.world.today
    return TaskDraft(
        (see_help(), FindBooking(SITE, number, name, cancel=True)),
        {"number": number, "name": name, "today": f"{today:%B} {today.day}, {today.year}"},
        (ExpectedAnswer("refund", "money", back),),
        shown=((about("help", "refunds"),), (about(number, "tickets"),), (about(number, "day"),)),
        near={label: {"refund": cents} for label, cents in near.items() if cents != back},
    )


def follow_all(town: Town, rng: Random) -> TaskDraft | None:
    """Put everything on one's list that fits: a kind, a city, an age, a length."""
    genre = rng.choice(("Theatre", "Dance", "Family", "Comedy", "Music"))
    city, age, most = rng.choice(CITIES_OF[genre](town, genre)), rng.choice((5, 10, 15)), rng.choice((70, 90, 120, 150))
    there = [event for event in events(town, f"genre = '{genre}'") if shows(town, event, f"city = '{city}'")]
    fitting = [event for event in there if event["min_age"] <= age and event["minutes"] < most]
    if not 2 <= len(fitting) <= 4 or len(fitting) == len(there) or len(there) > 8:
        return None
    looks = tuple(see_event(event["name"], event["slug"]) for event in there if event not in fitting)
    follows = tuple(FollowEvent(event["name"], event["slug"]) for event in fitting)
    if len(looks) + len(follows) < 4:
        return None
    facts = tuple((FactPattern(SITE, event["slug"], "minutes"),) for event in fitting)
    told = {"genre": genre.lower(), "city": city, "age": str(age), "most": f"{most // 60} h {most % 60:02d} min"}
    return TaskDraft((*looks, *follows), told | {"kind": KINDS[genre]}, shown=facts)


def _cities(town: Town, genre: str) -> list[str]:
    return sorted({show["city"] for event in events(town, f"genre = '{genre}'") for show in shows(town, event)})


CITIES_OF = dict.fromkeys(("Theatre", "Dance", "Family", "Comedy", "Music"), _cities)
KINDS = {
    "Theatre": "plays and musicals", "Dance": "dance evenings", "Family": "shows for children", "Comedy": "comedy acts",
    "Music": "concerts",
}  # fmt: skip


def book_named(town: Town, rng: Random) -> TaskDraft | None:
    """Of the train split: a production by its name, two seats, up to the buyer's data."""
    event = rng.choice(events(town))
    dates = shows(town, event, "status = 'sale'")
    show = rng.choice(dates) if dates else None
    part = section_with(town, rng, show, 2) if show else None
    if show is None or part is None:
        return None
    goal = TakeSeats((Pick(showing(event, show), choices(town, show, part, 2)),), ("adult", "adult"))
    told = slots(town, event, show) | {"name": event["name"], "section": part.name}
    return TaskDraft((goal,), told | {"exact": f"{long_date(date.fromisoformat(show['day']))}, {show['time']}"})


TEMPLATES = (
    template(
        "open-pair", C, "medium", open_pair, demands=("open choice", "described not named", "budget and fallback")
    ),
    template("back-rows", C, "medium", back_rows, demands=("fuzzy size", "open choice", "described not named")),
    template("other-date", C, "hard", other_date, demands=("budget and fallback", "described not named", "prose")),
    template("waiting-list", C, "medium", waiting_list, demands=("budget and fallback", "described not named")),
    template("all-gone", C, "medium", all_gone, demands=("described not named", "many criteria")),
    template("wall", C, "medium", walled, demands=("described not named",)),
    template("exact-order", C, "medium", exact_order, demands=("many criteria", "described not named", "open choice")),
    template("claim", C, "medium", claim, demands=("form from a document", "prose")),
    template("refund", C, "medium", refund, demands=("prose", "arithmetic")),
    template("follow-all", C, "hard", follow_all, demands=("many criteria", "fuzzy size", "prose")),
)
