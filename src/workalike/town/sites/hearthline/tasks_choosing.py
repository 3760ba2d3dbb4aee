"""Choosing: homes and searches to keep, tours to ask for, up to the critical point, with leave, from a letter, behind a
wall."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from random import Random

from workalike.core.key import FactPattern
from workalike.town.persona import draw_persona
from workalike.town.sites.hearthline.draws import (
    C,
    about,
    described,
    draw_wishes,
    found,
    place,
    search,
    template,
    told,
)
from workalike.town.sites.hearthline.goals import SITE, AskTour, KeepHome, KeepSearch, see_home
from workalike.town.sites.hearthline.pages import DAYS, TIMES, WAYS
from workalike.town.sites.hearthline.world import TOWNS
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def keep_any(town: Town, rng: Random) -> TaskDraft | None:
    """Any one home that has all of it, within a budget."""
    wishes = draw_wishes(rng)
    rows = found(town, wishes)
    if len(rows) < 4:
        return None
    most = 5000 * -(-rows[len(rows) // 2]["price"] // 5000)
    fitting = [row for row in rows if row["price"] <= most]
    if len(fitting) < 2 or len(fitting) == len(rows):
        return None
    goals = (search((*wishes, ("max", str(most)))), KeepHome(tuple(place(row) for row in fitting)))
    return TaskDraft(goals, told(wishes) | {"most": f"${most:,}"})


def keep_three(town: Town, rng: Random) -> TaskDraft | None:
    """Three different ones of those that fit."""
    wishes = draw_wishes(rng)
    rows = found(town, wishes)
    if not 4 <= len(rows) <= 14:
        return None
    spots = tuple(place(row) for row in rows)
    turns = tuple(KeepHome((*spots[at:], *spots[:at])) for at in range(3))
    return TaskDraft((search(wishes), *turns), told(wishes))


def remember(town: Town, rng: Random) -> TaskDraft | None:
    """A search with many filters, to be told of new homes."""
    wishes = draw_wishes(rng)
    if len(wishes) < 6:
        return None
    most = str(5000 * rng.randint(60, 140))
    given = (*wishes, ("max", most))
    return TaskDraft((KeepSearch(given),), told(wishes) | {"most": f"${int(most):,}"})


def remember_rent(town: Town, rng: Random) -> TaskDraft | None:
    """The same for those who rent, with an animal; the sum is told by the week."""
    wishes = draw_wishes(rng, "rent")
    weekly = 25 * rng.randint(12, 32)
    given = (*wishes, ("pets", rng.choice(("cats", "dogs"))), ("max", str(weekly * 4)))
    pet = {"cats": "a cat", "dogs": "a dog"}[dict(given)["pets"]]
    goals = (search(wishes), KeepSearch(given))
    return TaskDraft(goals, told(wishes) | {"weekly": f"${weekly}", "pet": pet})


def none_left(town: Town, rng: Random) -> TaskDraft | None:
    """No home has all of it."""
    wishes = draw_wishes(rng)
    most = str(5000 * rng.randint(20, 50))
    given = (*wishes, ("max", most))
    if found(town, given, active=False) or not found(town, wishes):
        return None
    looked = (about_search("found", given, 0),)
    cheapest = found(town, wishes)
    seen = tuple(about(row, "price") for row in cheapest[:1])
    return TaskDraft(
        (search(given),),
        told(wishes) | {"most": f"${int(most):,}"},
        status="unavailable",
        shown=((*looked, *seen),),
    )


def about_search(field: str, given: tuple[tuple[str, str], ...], value: int) -> FactPattern:
    from workalike.town.sites.hearthline.listing import read_query

    return FactPattern(SITE, "homes", field, {"query": read_query(given).written}, str(value))


def other_town(town: Town, rng: Random) -> TaskDraft | None:
    """In one town if there is any, else in a second, else the cheapest in a third."""
    wishes = draw_wishes(rng)
    most, towns = str(5000 * rng.randint(30, 80)), rng.sample(list(TOWNS), 3)
    asked = [_moved((*wishes, ("max", most)), name) for name in towns]
    rows = found(town, asked[2])
    if any(found(town, given, active=False) for given in asked[:2]) or not rows:
        return None
    if len(rows) > 1 and rows[0]["price"] == rows[1]["price"]:
        return None
    goals = (search(asked[0]), search(asked[1]), search(asked[2], "low"), KeepHome((place(rows[0]),)))
    said = {"most": f"${int(most):,}", "town": towns[0], "other": towns[1], "third": towns[2]}
    return TaskDraft(goals, told(wishes) | said)


def _moved(wishes: tuple[tuple[str, str], ...], name: str) -> tuple[tuple[str, str], ...]:
    """The same wishes in another town."""
    return tuple((key, name if key == "town" else value) for key, value in wishes)


def tour_own(town: Town, rng: Random) -> TaskDraft | None:
    """A tour of a home that only its description tells apart from others, with the user's data."""
    drawn = described(town, rng, "status = 'Active'")
    if drawn is None:
        return None
    row, said = drawn
    who, day = draw_persona(rng), town.world.today + timedelta(rng.randint(2, DAYS))
    time, way, same = rng.choice(TIMES), rng.choice(tuple(WAYS)), _same(row)
    alike = [
        each for each in found(town, same, active=False) if each["beds"] == row["beds"] and each["id"] != row["id"]
    ]
    if not alike:
        return None
    looks = tuple(see_home(place(each)) for each in (*alike[:3], row))
    goals = (search(same), *looks, AskTour(place(row), day.isoformat(), time, way, who))
    return TaskDraft(goals, said | _when(day, town.world.today, time, way) | {"name": who["name"]}, persona=who)


def tour_begun(town: Town, rng: Random) -> TaskDraft | None:
    """The same up to the contact data, for the cheapest that fits."""
    wishes = draw_wishes(rng)
    rows = found(town, wishes)
    if len(rows) < 2 or rows[0]["price"] == rows[1]["price"]:
        return None
    pending = found(town, wishes, active=False)
    day = town.world.today + timedelta(rng.randint(2, DAYS))
    time, way = rng.choice(TIMES), rng.choice(tuple(WAYS))
    goals = (search(wishes, "low"), AskTour(place(rows[0]), day.isoformat(), time, way))
    extra = {"note": " Homes that are under offer don't count." if len(pending) > len(rows) else ""}
    return TaskDraft(goals, told(wishes) | _when(day, town.world.today, time, way) | extra)


def tour_letter(town: Town, rng: Random) -> TaskDraft | None:
    """A tour that a letter asks for."""
    drawn = described(town, rng, "status = 'Active' AND deal = 'rent'")
    if drawn is None:
        return None
    row, said = drawn
    who, day = draw_persona(rng), town.world.today + timedelta(rng.randint(2, DAYS))
    time, way = rng.choice(TIMES), rng.choice(tuple(WAYS))
    letter = (
        f"RELOCATION OFFICE\nRe: housing for our new colleague {who['name']}\nThe candidate liked {said['home']}."
        f" Please arrange a viewing for {day:%A}, {day:%B} {day.day}. The candidate travels in"
        f" the early morning and asks for {time}. {_WAY[way]} Reach the candidate at {who['email']}"
        f" or {who['phone']}."
    )
    goals = (see_home(place(row)), AskTour(place(row), day.isoformat(), time, way, who))
    return TaskDraft((search(_same(row)), *goals), {"letter": letter}, persona=who)


def walled(town: Town, rng: Random) -> TaskDraft | None:
    """A wall stands before the tour."""
    drawn = described(town, rng, "status = 'Active' AND deal = 'sale'")
    if drawn is None:
        return None
    row, said = drawn
    day = town.world.today + timedelta(rng.randint(2, DAYS))
    goal = AskTour(place(row), day.isoformat(), rng.choice(TIMES), "person")
    met = {"path": f"/tour/start/{row['slug']}"}
    slots = said | _when(day, town.world.today, goal.time, goal.way)
    return TaskDraft((search(_same(row)), goal), slots, wall={SITE: "/tour"}, met=met, truth=())


_WAY = {"person": "The viewing is on site.", "video": "A video call will do, since travel was not approved."}


def _same(row: sqlite3.Row) -> tuple[tuple[str, str], ...]:
    return (("deal", row["deal"]), ("town", row["town"]), ("kind", row["kind"]), ("beds", str(min(4, row["beds"]))))


def _when(day: date, today: date, time: str, way: str) -> dict[str, str]:
    ahead = (day - today).days
    return {
        "day": f"{day:%A}, {day:%B} {day.day}",
        "iso": day.isoformat(),
        "soon": f"{ahead} days from today (today is {today:%B} {today.day}, {today.year})",
        "time": time,
        "way": WAYS[way].lower(),
    }


TEMPLATES = (
    template("keep-any", C, "medium", keep_any, demands=("open choice", "many criteria", "budget and fallback")),
    template("keep-three", C, "hard", keep_three, demands=("open choice", "many criteria", "described not named")),
    template("remember", C, "medium", remember, demands=("many criteria", "budget and fallback")),
    template("remember-rent", C, "medium", remember_rent, demands=("per unit", "many criteria")),
    template("none-left", C, "easy", none_left, demands=("many criteria", "budget and fallback")),
    template("other-town", C, "hard", other_town, demands=("budget and fallback", "many criteria")),
    template("tour-own", C, "hard", tour_own, demands=("described not named", "prose")),
    template("tour-begun", C, "medium", tour_begun, demands=("many criteria", "described not named")),
    template("tour-letter", C, "medium", tour_letter, demands=("form from a document", "prose", "described not named")),
    template("wall", C, "medium", walled, demands=("described not named", "prose")),
)
