"""Things to do on the board: keep, follow, be told, apply, take back."""

from __future__ import annotations

from datetime import date
from random import Random

from msgspec.structs import replace

from workalike.town.sites.fairlead.goals import (
    RESUME,
    SITE,
    Apply,
    CreateAlert,
    FindApplication,
    FollowEmployer,
    ReadProfile,
    SaveJob,
    SaveSome,
    SearchJobs,
    SeeEmployer,
    WithdrawApplication,
    posting_of,
    task_files,
)
from workalike.town.sites.fairlead.listing import PAYS, JobQuery
from workalike.town.sites.fairlead.tables import member
from workalike.town.sites.fairlead.tasks.draws import (
    BOARD,
    WORK,
    draw_sought,
    employer,
    hits,
    rows,
    template,
    told,
)
from workalike.town.sites.fairlead.world import ROLES
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def save_one(town: Town, rng: Random) -> TaskDraft | None:
    """Keep any posting that fits."""
    some, pay = rng.choice(rows(town)), rng.choice(tuple(PAYS))
    names = ("metro", "type", "degree")
    ask = JobQuery(some["role"].lower(), pay=pay, chosen={name: (some[name],) for name in names})
    found = hits(town, ask)
    if not 2 <= len(found) <= 5:
        return None
    ids = tuple(hit.job["id"] for hit in found)
    slots = {
        "site": BOARD, "role": some["role"].lower(), "city": some["metro"], "pay": PAYS[pay],
        "type": some["type"].lower(), "degree": _needs(some["degree"]),
    }  # fmt: skip
    return TaskDraft((SearchJobs(ask), SaveSome((posting_of(found[0].job),), ids)), slots)


def save_three(town: Town, rng: Random) -> TaskDraft | None:
    """Keep three postings that come with health insurance, which only their text tells."""
    some = rng.choice(rows(town))
    ask = JobQuery(chosen={name: (some[name],) for name in ("field", "metro")})
    found = [hit.job for hit in hits(town, ask)]
    fits = [row for row in found if row["health"]]
    if not 4 <= len(fits) <= 7 or len(found) - len(fits) < 2:
        return None
    goal = SaveSome(tuple(posting_of(row) for row in fits[:3]), tuple(row["id"] for row in fits))
    slots = {"site": BOARD, "field": some["field"].lower(), "city": some["metro"]}
    return TaskDraft((goal,), slots)


def apply_to_it(town: Town, rng: Random) -> TaskDraft | None:
    """Begin an application, up to the user's own data."""
    sought = draw_sought(town, rng)
    if sought is None or _sent(town, sought.row["id"]):
        return None
    return TaskDraft((Apply(sought.job),), {"site": BOARD, "job": sought.words, "work": WORK})


def apply_for_me(town: Town, rng: Random) -> TaskDraft | None:
    """Apply with the user's leave, data from the profile's sheet, and the right document; then follow the employer."""
    sought = draw_sought(town, rng)
    if sought is None or _sent(town, sought.row["id"]):
        return None
    who, job = member(town.world), sought.job
    goals = (ReadProfile(), SearchJobs(sought.ask), Apply(job, who, RESUME), FollowEmployer(job.employer, job.name))
    slots = {"site": BOARD, "job": sought.words, "work": WORK, "name": who["name"]}
    kept = {name: who[name] for name in who if name not in ("starts", "years", "licence", "latest")}
    return TaskDraft(goals, slots, persona=kept, files=task_files())


def apply_or(town: Town, rng: Random) -> TaskDraft | None:
    """The first choice has closed; then the second."""
    shut, sought = rng.choice(rows(town, "closed = 1")), draw_sought(town, rng)
    if sought is None or _sent(town, sought.row["id"]) or shut["role"] == sought.row["role"]:
        return None
    slots = {
        "site": BOARD, "first": f"{shut['title']} opening at {shut['name']} in {shut['place']}", "second": sought.words,
        "work": WORK,
    }  # fmt: skip
    seen = (*told(shut["req"], "closed"), *told(shut["employer"], "openings"))
    goals = (SeeEmployer(shut["employer"], shut["name"]), Apply(sought.job))
    return TaskDraft(goals, slots, shown=(seen,))


def withdraw(town: Town, rng: Random) -> TaskDraft | None:
    """Take back an application that is told by what it was for."""
    mine = [dict(row) for row in town.begin_rows("fairlead_application")]
    row = rng.choice(mine)
    job = rows(town, "id = ?", row["job"])[0]
    slots = {"site": BOARD, "role": job["role"].lower(), "field": job["field"].lower(), "city": job["metro"]}
    alike = [each for each in mine if rows(town, "id = ? AND role = ?", each["job"], job["role"])]
    return TaskDraft((WithdrawApplication(str(row["number"])),), slots) if len(alike) == 1 else None


def switch(town: Town, rng: Random) -> TaskDraft | None:
    """Of two applications the one whose day is later is taken back; then a better one is begun."""
    mine = [row for row in town.begin_rows("fairlead_application") if row["status"] in ("In review", "Interview")]
    pair, sought = rng.sample(mine, 2), draw_sought(town, rng)
    if sought is None or _sent(town, sought.row["id"]) or pair[0]["note"] == pair[1]["note"]:
        return None
    late = max(pair, key=lambda row: date.fromisoformat(str(row["note"])))
    jobs = [rows(town, "id = ?", row["job"])[0] for row in pair]
    numbers = [str(row["number"]) for row in pair]
    goals = (
        FindApplication(numbers[0]),
        FindApplication(numbers[1]),
        WithdrawApplication(str(late["number"])),
        Apply(sought.job),
    )
    slots = {"site": BOARD, "one": jobs[0]["name"], "two": jobs[1]["name"], "job": sought.words, "work": WORK}
    seen = tuple(told(number, "day") for number in numbers)
    return TaskDraft(goals, slots, shown=seen)


def youngest(town: Town, rng: Random) -> TaskDraft | None:
    """Of three employers that look for the same, the youngest."""
    role = rng.choice(ROLES).title
    every = rows(town, "closed = 0 AND role = ?", role)
    lone = [row for row in every if sum(each["employer"] == row["employer"] for each in every) == 1]
    lone = [row for row in lone if not rows(town, "closed = 1 AND role = ? AND employer = ?", role, row["employer"])]
    if len(lone) < 3:
        return None
    three = rng.sample(lone, 3)
    best = max(three, key=lambda row: employer(town, row["employer"])["founded"])
    if _sent(town, best["id"]):
        return None
    goals = (*(SeeEmployer(row["employer"], row["name"]) for row in three), Apply(posting_of(best)))
    names = [row["name"] for row in three]
    slots = {"site": BOARD, "role": role.lower(), "one": names[0], "two": names[1], "three": names[2], "work": WORK}
    seen = tuple(told(row["employer"], "founded") for row in three)
    return TaskDraft(goals, slots, shown=seen)


def walled(town: Town, rng: Random) -> TaskDraft | None:
    """The same, but a wall stands before applications."""
    draft = youngest(town, rng)
    if draft is None:
        return None
    last = draft.goals[-1]
    assert isinstance(last, Apply)
    met = {"path": f"/apply/start/{last.job.id}"}
    return replace(draft, wall={SITE: "/apply"}, met=met, truth=draft.goals[:-1])


def shortlist(town: Town, rng: Random) -> TaskDraft | None:
    """The best paid opening of a role in each of two cities is kept, and both employers are followed."""
    role = rng.choice(ROLES).title
    cities = rng.sample(sorted({row["metro"] for row in rows(town, "closed = 0 AND role = ?", role)}), 2)
    best = []
    for city in cities:
        found = [hit.job for hit in hits(town, JobQuery(role.lower(), chosen={"metro": (city,)}, sort="pay"))]
        if len(found) < 2 or found[0]["yearly"] == found[1]["yearly"]:
            return None
        best.append(found[0])
    if best[0]["employer"] == best[1]["employer"]:
        return None
    goals = (
        *(SaveJob(posting_of(row)) for row in best),
        *(FollowEmployer(row["employer"], row["name"]) for row in best),
    )
    return TaskDraft(goals, {"site": BOARD, "role": role.lower(), "one": cities[0], "two": cities[1]})


def alert(town: Town, rng: Random) -> TaskDraft | None:
    row = rng.choice(rows(town))
    often = rng.choice(("Daily", "Weekly", "Monthly"))
    slots = {"site": BOARD, "role": row["role"].lower(), "city": row["metro"]}
    words = {"Daily": "every day", "Weekly": "once a week", "Monthly": "once a month"}
    return TaskDraft((CreateAlert(row["role"].lower(), row["metro"], often),), slots | {"often": words[often]})


def _sent(town: Town, job: int) -> bool:
    """Whether the member has applied for it already."""
    return any(row["job"] == job for row in town.begin_rows("fairlead_application"))


def _needs(degree: str) -> str:
    return "needs no degree" if degree == "No degree" else f"asks for a {degree}".replace("a Ass", "an Ass")


TEMPLATES = (
    template("save-one", "jobs", "medium", save_one, demands=("open choice", "many criteria")),
    template("save-three", "jobs", "medium", save_three, demands=("open choice", "prose", "fuzzy size")),
    template("apply", "jobs", "medium", apply_to_it, demands=("described not named", "many criteria")),
    template(
        "apply-for-me",
        "jobs",
        "hard",
        apply_for_me,
        demands=("form from a document", "described not named"),
    ),
    template("apply-or", "jobs", "medium", apply_or, demands=("budget and fallback", "described not named")),
    template("withdraw", "jobs", "medium", withdraw, demands=("described not named",)),
    template("switch", "jobs", "hard", switch, demands=("prose", "budget and fallback", "described not named")),
    template("youngest", "jobs", "hard", youngest, demands=("prose", "arithmetic")),
    template("wall", "jobs", "hard", walled, demands=("prose", "arithmetic")),
    template("shortlist", "jobs", "hard", shortlist, demands=("many criteria", "per unit")),
    template("alert", "jobs", "easy", alert),
)
