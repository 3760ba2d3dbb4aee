"""Applying in several steps, with a document handed over; a draft tells how far it went."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from typing import Any

from starlette.responses import Response

from workalike.town.kit.records import count_rows, scattered_number
from workalike.town.kit.wizard import Wizard
from workalike.town.sites.fairlead.browse import board_page, find_job
from workalike.town.sites.fairlead.tables import PREFIX
from workalike.town.state import insert
from workalike.town.visit import PageVisit

STEPS = ("fit", "person", "documents", "review")
KEPT = ("job", "eligible", "starts", "years", "licence", "latest", "name", "email", "phone", "resume", "digest")
LARGEST = 2_000_000
RULES = {
    "eligible": ("Yes|No", "Tell us whether you may work here."),
    "years": (r"\d{1,2}", "Enter whole years."),
    "licence": (r"[A-Z]\d{6}", "Enter a letter and six digits."),
    "latest": (r".{2,60}", "Enter your latest employer."),
    "starts": (r"\d{4}-\d\d-\d\d", "Enter a day like 2026-06-01."),
    "resume": (r"[^/\\]+\.pdf", "Upload your résumé as a PDF."),
}
WIZARD = Wizard(
    "fairlead_draft",
    STEPS,
    {
        "fit": ("eligible",),
        "person": ("name", "email", "phone", "years", "licence", "latest", "starts"),
        "documents": ("resume",),
    },
    ("person", "documents"),
    RULES,
)


def start(visit: PageVisit) -> Response:
    """Somebody wants to apply; what was begun before is left, not forgotten."""
    job = find_job(visit, visit.part("id"))
    if job["closed"]:
        return visit.redirect(f"/job/{job['id']}")
    first = WIZARD.order(visit)[0]
    WIZARD.begin(visit, {"stage": first, "job": job["id"]})
    return visit.redirect(f"/apply/{first}")


def show(visit: PageVisit) -> Response:
    return WIZARD.show(visit, _page)


def save(visit: PageVisit) -> Response:
    return WIZARD.save(visit, _page, read=_given)


def upload(visit: PageVisit) -> Response:
    """A document as it is: its name in the address, its bytes in the body."""
    name = re.split(r"[/\\]", visit.query.get("name", ""))[-1][:80]
    if WIZARD.draft(visit) is None or not visit.body or len(visit.body) > LARGEST:
        return visit.json({"name": "", "problem": "Choose a PDF of at most 2 MB."})
    digest = hashlib.sha256(visit.body).hexdigest()
    WIZARD.update(visit, {"resume": name, "digest": digest, "touched": 1})
    return visit.json({"name": name, "size": len(visit.body)})


def submit(visit: PageVisit) -> Response:
    """Send it: from here on it is real."""
    draft = WIZARD.draft(visit)
    if draft is None or WIZARD.lacking(visit, draft) != "review":
        return visit.redirect("/apply/review" if draft else "/")
    number = scattered_number(PREFIX, count_rows(visit.state, "fairlead_application") + 1)
    kept = {name: draft[name] for name in KEPT}
    rest = {"number": number, "status": "Received", "sent": visit.today.isoformat(), "note": ""}
    insert(visit.state, "fairlead_application", kept | rest)
    WIZARD.update(visit, {"stage": "placed"})
    return visit.redirect(f"/application/{number}")


def _given(visit: PageVisit, step: str, draft: sqlite3.Row) -> tuple[dict[str, Any], dict[str, str]]:
    """What a step was answered: the document was handed over before."""
    if step != "documents":
        return WIZARD.given(visit, step)
    given = {"resume": draft["resume"] or ""}
    return given, WIZARD.problems(given)


def _page(visit: PageVisit, step: str, draft: Any, problems: dict[str, str]) -> Response:
    job = find_job(visit, draft["job"])
    order = WIZARD.order(visit)
    return board_page(visit, "apply.html", step=step, steps=order, draft=draft, problems=problems, job=job)
