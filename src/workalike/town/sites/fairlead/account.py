"""What belongs to the member: saved jobs, employers followed, alerts, applications, the profile."""

from __future__ import annotations

import sqlite3
from datetime import date

from starlette.responses import Response

from workalike.town.kit.records import find_record
from workalike.town.kit.saving import saved_values, toggle
from workalike.town.sites.fairlead.browse import board_page, find_job
from workalike.town.sites.fairlead.tables import member
from workalike.town.state import insert
from workalike.town.visit import PageVisit

OFTEN = ("Daily", "Weekly", "Monthly")
STATES = {
    "Received": "The employer has your application and has not opened it yet.",
    "In review": "The employer is reading your application and will answer by {day}.",
    "Interview": "You are invited to an interview on {day}.",
    "Offer made": "Congratulations: the employer made you an offer that stands until {day}.",
    "Declined": "The employer chose somebody else. You may apply again from {day} on.",
    "Withdrawn": "You have withdrawn this application.",
}


def saved(visit: PageVisit) -> Response:
    jobs = [find_job(visit, number) for number in saved_values(visit, "fairlead_saved", "job")]
    slugs = saved_values(visit, "fairlead_followed", "employer")
    rows = [visit.facts.execute("SELECT * FROM employer WHERE slug = ?", (slug,)).fetchone() for slug in slugs]
    alerts = visit.state.execute("SELECT * FROM fairlead_alert ORDER BY id").fetchall()
    return board_page(visit, "jobs/saved.html", jobs=jobs, followed=rows, alerts=alerts)


def save(visit: PageVisit) -> Response:
    """Keep a posting; asked again, it is let go."""
    job = find_job(visit, visit.form.get("job", ""))
    toggle(visit, "fairlead_saved", job=job["id"])
    return visit.redirect(f"/job/{job['id']}")


def follow(visit: PageVisit) -> Response:
    slug = visit.form.get("employer", "")
    if visit.facts.execute("SELECT 1 FROM employer WHERE slug = ?", (slug,)).fetchone() is None:
        raise visit.missing("employer")
    toggle(visit, "fairlead_followed", employer=slug)
    return visit.redirect(f"/employer/{slug}")


def alert(visit: PageVisit) -> Response:
    """Be told of new postings."""
    q, metro, often = (" ".join(visit.form.get(name, "").split())[:60] for name in ("q", "metro", "often"))
    if not q or often not in OFTEN:
        return visit.redirect("/saved?alert=incomplete")
    insert(visit.state, "fairlead_alert", {"q": q.lower(), "metro": metro, "often": often})
    return visit.redirect("/saved")


def applications(visit: PageVisit) -> Response:
    rows = visit.state.execute("SELECT * FROM fairlead_application ORDER BY id DESC").fetchall()
    return board_page(
        visit, "jobs/applications.html", rows=[(row, find_job(visit, row["job"])) for row in rows]
    )  # fmt: skip


def application(visit: PageVisit) -> Response:
    row = _application(visit)
    day = f"{date.fromisoformat(row['note']):%B} {date.fromisoformat(row['note']).day}" if row["note"] else ""
    said = STATES[row["status"]].format(day=visit.fact(row["number"], "day", day) if day else "")
    return board_page(visit, "jobs/application.html", row=row, job=find_job(visit, row["job"]), said=said)


def withdraw(visit: PageVisit) -> Response:
    row = _application(visit)
    visit.state.execute("UPDATE fairlead_application SET status = 'Withdrawn' WHERE id = ?", (row["id"],))
    return visit.redirect(f"/application/{row['number']}")


def profile(visit: PageVisit) -> Response:
    return board_page(visit, "jobs/profile.html", who=member(visit.town.world))


def _application(visit: PageVisit) -> sqlite3.Row:
    row = find_record(visit, "fairlead_application", visit.part("number"))
    if row is None:
        raise visit.missing("application")
    return row
