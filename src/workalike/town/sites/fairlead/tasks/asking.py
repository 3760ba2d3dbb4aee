"""Questions about postings, employers and applications: nothing is to be changed, or only what was found is kept."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.sites.fairlead.goals import (
    SITE,
    FindApplication,
    SaveJob,
    SearchJobs,
    SeeEmployer,
    SeeJob,
    posting_of,
)
from workalike.town.sites.fairlead.listing import PAYS, JobQuery
from workalike.town.sites.fairlead.tasks.draws import (
    BOARD,
    draw_sought,
    employer,
    hits,
    rows,
    some_row,
    template,
    told,
    yearly_high,
    yearly_low,
)
from workalike.town.sites.fairlead.world import employers
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def pay_range(town: Town, rng: Random) -> TaskDraft | None:
    """What a posting pays, and how many have applied."""
    sought = draw_sought(town, rng)
    if sought is None:
        return None
    row = sought.row
    answers = (
        ExpectedAnswer("lowest pay", "money", row["low"]),
        ExpectedAnswer("highest pay", "money", row["high"]),
        ExpectedAnswer("applicants", "number", row["applicants"]),
    )
    near: dict[str, dict[str, Any]] = {
        "swapped": {"lowest pay": row["high"], "highest pay": row["low"]},
        "fewer applicants": {"applicants": row["applicants"] - 1},
    }
    shown = (told(row["req"], "pay"), told(row["req"], "applicants"))
    return TaskDraft((SeeJob(sought.job),), {"site": BOARD, "job": sought.words}, answers, shown=shown, near=near)


def first_sentence(town: Town, rng: Random) -> TaskDraft | None:
    """The newest posting that fits several criteria: its number and how it begins."""
    some = some_row(town, rng)
    pay = rng.choice(tuple(PAYS))
    chosen: dict[str, tuple[str, ...]] = {name: (some[name],) for name in ("field", "degree", "mode")}
    found = hits(town, JobQuery(pay=pay, chosen=chosen))
    if len(found) < 3 or found[0].job["posted"] == found[1].job["posted"]:
        return None
    first, second = found[0].job, found[1].job
    if first["opening"] == second["opening"]:
        return None
    slots = {
        "site": BOARD, "field": some["field"].lower(), "pay": PAYS[pay], "mode": some["mode"].lower(),
        "degree": _schooling(some["degree"]),
    }  # fmt: skip
    answers = (
        ExpectedAnswer("requisition", "name", first["req"]),
        ExpectedAnswer("first sentence", "name", first["opening"]),
    )
    near: dict[str, dict[str, Any]] = {
        "the second": {"requisition": second["req"], "first sentence": second["opening"]},
        "the second's sentence": {"first sentence": second["opening"]},
    }
    shown = tuple(told(first["req"], field) for field in ("requisition", "first sentence"))
    goals = (SearchJobs(JobQuery(pay=pay, chosen=chosen)), SeeJob(posting_of(first)))
    return TaskDraft(
        goals,
        slots,
        answers,
        shown=shown,
        near=near,
    )


def vacancies(town: Town, rng: Random) -> TaskDraft | None:
    """How many positions an employer has open, and where."""
    who = rng.choice(employers(town.world))
    jobs = rows(town, "employer = ? AND closed = 0", who.slug)
    places = sorted({row["place"] for row in jobs})
    if not 2 <= len(places) <= 7:
        return None
    answers = (
        ExpectedAnswer("open positions", "number", len(jobs)),
        ExpectedAnswer("places", "names", [f"{each}|{each.partition(',')[0]}" for each in places]),
    )
    shown = ((FactPattern(SITE, who.slug, "openings"),), *(told(row["req"], "place") for row in jobs))
    slots = {"site": BOARD, "founder": who.founder, "field": who.field.lower(), "employer": who.name}
    near: dict[str, dict[str, Any]] = {"one too many": {"open positions": len(jobs) + 1}}
    return TaskDraft((SeeEmployer(who.slug, who.name),), slots, answers, shown=shown, near=near)


def hourly_or_yearly(town: Town, rng: Random) -> TaskDraft | None:
    """Which of two offers pays more in a year, at least; one of them is by the hour."""
    one, two = draw_sought(town, rng, "closed = 0 AND unit = 'hour'"), draw_sought(town, rng, "closed = 0")
    if one is None or two is None or two.row["unit"] == "hour" or one.row["employer"] == two.row["employer"]:
        return None
    sums = {one.row["name"]: yearly_low(one.row), two.row["name"]: yearly_low(two.row)}
    (more, high), (less, low) = sorted(sums.items(), key=lambda each: -each[1])
    if high - low < 100_000 or high > 2 * low:
        return None
    answers = (ExpectedAnswer("employer", "name", more), ExpectedAnswer("difference", "money", high - low))
    full = round(one.row["low"] * 2080)
    near: dict[str, dict[str, Any]] = {"the other": {"employer": less}}
    if abs(full - yearly_low(two.row)) != high - low:
        near["as if forty hours"] = {"difference": abs(full - yearly_low(two.row))}
    pair = [one, two]
    rng.shuffle(pair)
    return TaskDraft(
        (SeeJob(one.job), SeeJob(two.job)),
        {"site": BOARD, "one": pair[0].words, "two": pair[1].words},
        answers,
        shown=(told(one.row["req"], "pay"), told(one.row["req"], "hours"), told(two.row["req"], "pay")),
        near=near,
    )


def nearest(town: Town, rng: Random) -> TaskDraft | None:
    """The three postings of a field that are nearest to a ZIP code."""
    some = some_row(town, rng)
    ask = JobQuery(zip=some["zip"], chosen={"type": (some["type"],), "field": (some["field"],)}, sort="near")
    found = [hit for hit in hits(town, ask) if hit.away is not None]
    near_ones = found[:4]
    if len(near_ones) < 4 or len({hit.away for hit in near_ones}) < 4 or len({h.job["name"] for h in near_ones}) < 4:
        return None
    names = [hit.job["name"] for hit in near_ones]
    third = near_ones[2]
    answers = (
        ExpectedAnswer("employers", "names", names[:3], ordered=True),
        ExpectedAnswer("miles", "number", third.away),
    )
    shown = tuple((FactPattern(SITE, hit.job["req"], "distance", {"zip": some["zip"]}),) for hit in near_ones[:3])
    near: dict[str, dict[str, Any]] = {
        "the fourth instead": {"employers": [*names[:2], names[3]]},
        "the fourth's distance": {"miles": near_ones[3].away},
    }
    slots = {"site": BOARD, "zip": some["zip"], "field": some["field"].lower(), "type": some["type"].lower()}
    return TaskDraft((SearchJobs(ask),), slots, answers, shown=shown, near=near)


def closed(town: Town, rng: Random) -> TaskDraft | None:
    """A posting that has closed."""
    row = some_row(town, rng, "closed = 1")
    slots = {"site": BOARD, "title": row["title"], "employer": row["name"], "place": row["place"], "req": row["req"]}
    return TaskDraft(
        (SeeEmployer(row["employer"], row["name"]),),
        slots,
        status="unavailable",
        shown=((FactPattern(SITE, row["employer"], "openings"), *told(row["req"], "closed")),),
    )


def status(town: Town, rng: Random) -> TaskDraft | None:
    """How an application stands."""
    mine = [row for row in town.begin_rows("fairlead_application") if row["status"] != "Received"]
    row = rng.choice(mine)
    job = rows(town, "id = ?", row["job"])[0]
    day, sent = date.fromisoformat(str(row["note"])), date.fromisoformat(str(row["sent"]))
    number = str(row["number"])
    answers = (
        ExpectedAnswer("status", "name", str(row["status"])),
        ExpectedAnswer("day", "date", day.isoformat()),
    )
    near = {"the day it was sent": {"day": sent.isoformat()}, "another": {"status": "Received"}}
    shown = ((FactPattern(SITE, number, "status"),), (FactPattern(SITE, number, "day"),))
    slots = {"site": BOARD, "role": job["role"].lower(), "employer": job["name"]}
    return TaskDraft((FindApplication(number),), slots, answers, shown=shown, near=near)


def take_home(town: Town, rng: Random) -> TaskDraft | None:
    """What is left of the pay each month."""
    sought, share = draw_sought(town, rng, "closed = 0 AND bonus > 0 AND unit = 'year'"), rng.choice((18, 20, 22, 25))
    if sought is None:
        return None
    row = sought.row
    left, odd = divmod(row["high"] * (100 + row["bonus"]) * (100 - share), 120_000)
    if odd:
        return None
    near = {"without the bonus": round(row["high"] * (100 - share) / 1200), "in a year": left * 12}
    return TaskDraft(
        (SeeJob(sought.job),),
        {"site": BOARD, "job": sought.words, "share": str(share)},
        (ExpectedAnswer("take-home", "money", left),),
        shown=(told(row["req"], "pay"), told(row["req"], "bonus")),
        near={label: {"take-home": cents} for label, cents in near.items()},
    )


def best_of_three(town: Town, rng: Random) -> TaskDraft | None:
    """Of three offers, with their bonuses, the best is kept."""
    role = some_row(town, rng)["role"]
    every = [row for row in rows(town, "closed = 0 AND role = ?", role) if row["bonus"]]
    by_name = {row["name"]: row for row in every if sum(each["name"] == row["name"] for each in every) == 1}
    three = [row for row in by_name.values() if len(rows(town, "role = ? AND name = ?", role, row["name"])) == 1]
    if len(three) < 3:
        return None
    three = rng.sample(three, 3)
    worth = {row["name"]: round(yearly_high(row) * (100 + row["bonus"]) / 100) for row in three}
    ranked = sorted(three, key=lambda row: -worth[row["name"]])
    best, second = ranked[:2]
    odd = any(yearly_high(row) * row["bonus"] % 100 for row in three)
    if odd or worth[best["name"]] - worth[second["name"]] < 50_000:
        return None
    names = [row["name"] for row in three]
    answers = (
        ExpectedAnswer("employer", "name", best["name"]),
        ExpectedAnswer("total", "money", worth[best["name"]]),
    )
    shown = tuple(
        group
        for row in three
        for group in (told(row["req"], "pay"), told(row["req"], "bonus"), told(row["req"], "hours"))
    )
    near: dict[str, dict[str, Any]] = {
        "without the bonus": {"total": yearly_high(best)},
        "the second": {"employer": second["name"], "total": worth[second["name"]]},
    }
    goals = (*(SeeJob(posting_of(row)) for row in three), SaveJob(posting_of(best)))
    slots = {"site": BOARD, "role": role.lower(), "one": names[0], "two": names[1], "three": names[2]}
    return TaskDraft(goals, slots, answers, shown=shown, near=near)


def most_leave(town: Town, rng: Random) -> TaskDraft | None:
    """Which opening of an employer gives the most days of leave."""
    who = rng.choice(employers(town.world))
    jobs = sorted(rows(town, "employer = ? AND closed = 0", who.slug), key=lambda row: -row["vacation"])
    if not 3 <= len(jobs) <= 4 or jobs[0]["vacation"] == jobs[1]["vacation"] or jobs[0]["title"] == jobs[1]["title"]:
        return None
    best, second = jobs[:2]
    answers = (
        ExpectedAnswer("requisition", "name", best["req"]),
        ExpectedAnswer("days", "number", best["vacation"]),
        ExpectedAnswer("difference", "number", best["vacation"] - second["vacation"]),
    )
    near: dict[str, dict[str, Any]] = {"the second": {"requisition": second["req"], "days": second["vacation"]}}
    goals = (SeeEmployer(who.slug, who.name), *(SeeJob(posting_of(row)) for row in jobs))
    home = employer(town, who.slug)
    slots = {"site": BOARD, "field": who.field.lower(), "city": home["metro"], "founder": who.founder, "name": who.name}
    return TaskDraft(goals, slots, answers, shown=tuple(told(row["req"], "vacation") for row in jobs), near=near)


def _schooling(degree: str) -> str:
    return "no degree" if degree == "No degree" else ("an " if degree[0] == "A" else "a ") + degree


TEMPLATES = (
    template("pay-range", "jobs", "medium", pay_range, demands=("described not named", "many criteria")),
    template("first-sentence", "jobs", "medium", first_sentence, demands=("evidence", "many criteria", "prose")),
    template("vacancies", "jobs", "easy", vacancies),
    template("hourly-or-yearly", "jobs", "medium", hourly_or_yearly, demands=("per unit", "arithmetic", "prose")),
    template("nearest", "jobs", "medium", nearest, demands=("map and distance", "many criteria")),
    template("closed", "jobs", "easy", closed),
    template("status", "jobs", "easy", status, demands=("prose",)),
    template("take-home", "jobs", "medium", take_home, demands=("arithmetic", "prose", "described not named")),
    template("best-of-three", "jobs", "hard", best_of_three, demands=("arithmetic", "per unit", "prose")),
    template("most-leave", "jobs", "hard", most_leave, demands=("prose", "evidence", "arithmetic")),
)
