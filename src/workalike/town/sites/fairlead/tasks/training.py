"""Tasks of the train split: other templates than those of the test split, on other skins."""

from __future__ import annotations

from datetime import date
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.sites.fairlead.goals import (
    RESUME,
    SITE,
    Apply,
    FollowEmployer,
    ReadProfile,
    SaveJob,
    SearchJobs,
    SeeEmployer,
    SeeJob,
    posting_of,
    task_files,
)
from workalike.town.sites.fairlead.listing import JobQuery
from workalike.town.sites.fairlead.tables import member
from workalike.town.sites.fairlead.tasks.draws import (
    BOARD,
    WORK,
    draw_sought,
    employer,
    hits,
    rows,
    some_row,
    template,
    told,
)
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def requisition(town: Town, rng: Random) -> TaskDraft | None:
    sought = draw_sought(town, rng)
    if sought is None:
        return None
    answers = (ExpectedAnswer("requisition", "name", sought.row["req"]),)
    shown = (told(sought.row["req"], "requisition"),)
    near = {"off by one": {"requisition": f"{sought.row['req'][:-1]}x"}}
    return TaskDraft((SeeJob(sought.job),), {"site": BOARD, "job": sought.words}, answers, shown=shown, near=near)


def deadline(town: Town, rng: Random) -> TaskDraft | None:
    """Until when one can apply."""
    sought = draw_sought(town, rng)
    if sought is None:
        return None
    row = sought.row
    answers = (ExpectedAnswer("last day", "date", date.fromisoformat(row["closes"]).isoformat()),)
    near = {"the day it was posted": {"last day": row["posted"]}}
    slots = {"site": BOARD, "job": sought.words}
    return TaskDraft((SeeJob(sought.job),), slots, answers, shown=(told(row["req"], "closes"),), near=near)


def how_many(town: Town, rng: Random) -> TaskDraft | None:
    """How many openings fit."""
    some = some_row(town, rng)
    ask = JobQuery(chosen={name: (some[name],) for name in ("field", "metro", "type")})
    count = len(hits(town, ask))
    if count < 2:
        return None
    shown = ((FactPattern(SITE, "results", "openings", ask.context),),)
    answers = (ExpectedAnswer("openings", "number", count),)
    slots = {"site": BOARD, "field": some["field"].lower(), "city": some["metro"], "type": some["type"].lower()}
    return TaskDraft((SearchJobs(ask),), slots, answers, shown=shown, near={"one more": {"openings": count + 1}})


def keep(town: Town, rng: Random) -> TaskDraft | None:
    sought = draw_sought(town, rng)
    return TaskDraft((SaveJob(sought.job),), {"site": BOARD, "job": sought.words}) if sought else None


def follow_founder(town: Town, rng: Random) -> TaskDraft | None:
    row = employer(town, some_row(town, rng)["employer"])
    goals = (SeeEmployer(row["slug"], row["name"]), FollowEmployer(row["slug"], row["name"]))
    answers = (ExpectedAnswer("founder", "name", row["founder"]),)
    near = {"somebody else": {"founder": "Alex Example"}}
    slots = {"site": BOARD, "employer": row["name"]}
    return TaskDraft(goals, slots, answers, shown=(told(row["slug"], "founder"),), near=near)


def begin_application(town: Town, rng: Random) -> TaskDraft | None:
    row = some_row(town, rng)
    same = rows(town, "closed = 0 AND title = ? AND employer = ?", row["title"], row["employer"])
    slots = {"site": BOARD, "title": row["title"], "employer": row["name"], "work": WORK}
    goals = (SeeEmployer(row["employer"], row["name"]), Apply(posting_of(row)))
    return TaskDraft(goals, slots) if len(same) == 1 else None


def send_application(town: Town, rng: Random) -> TaskDraft | None:
    """With leave, and the sheet of the profile."""
    sought, who = draw_sought(town, rng), member(town.world)
    if sought is None:
        return None
    kept = {name: who[name] for name in who if name not in ("starts", "years", "licence", "latest")}
    goals = (ReadProfile(), Apply(sought.job, who, RESUME))
    slots = {"site": BOARD, "job": sought.words, "work": WORK, "name": who["name"]}
    return TaskDraft(goals, slots, persona=kept, files=task_files())


TEMPLATES = (
    template("train-requisition", "jobs", "easy", requisition, "train", ("evidence", "described not named")),
    template("train-deadline", "jobs", "easy", deadline, "train", ("described not named",)),
    template("train-how-many", "jobs", "easy", how_many, "train", ("many criteria",)),
    template("train-keep", "jobs", "medium", keep, "train", ("described not named",)),
    template("train-follow", "jobs", "medium", follow_founder, "train", ("prose",)),
    template("train-apply", "jobs", "medium", begin_application, "train"),
    template("train-send", "jobs", "hard", send_application, "train", ("form from a document",)),
)
