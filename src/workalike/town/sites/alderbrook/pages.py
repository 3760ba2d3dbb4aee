"""The city's pages: rules and garages, looking a citation up, paying it, contesting it."""

from __future__ import annotations

import re
import sqlite3
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from workalike.town.kit.places import MapBox, MapMark, place_labels, yards
from workalike.town.kit.records import find_record, scattered_number
from workalike.town.kit.wizard import RULES, Wizard
from workalike.town.sites.alderbrook.world import EARLY, LATE, METHODS, REDUCED, TAX, due, fee
from workalike.town.state import insert, update
from workalike.town.visit import PageVisit

STEPS = ("method", "payer", "payment", "review")
WIZARD = Wizard(
    "alderbrook_draft",
    STEPS,
    {"method": ("method",), "payer": ("name", "email"), "payment": ("card",)},
    ("payer", "payment"),
    {"method": ("|".join(METHODS), "Choose how to pay.")},
)
MAP, SCALE = MapBox(-26, -20, 26, 20), MapBox(13, 15, 25, 19)
"""What the map shows, and where its scale stands."""
GROUNDS = (
    "The meter was out of order",
    "A valid permit was displayed",
    "The sign was missing or hidden",
    "The vehicle had been sold",
    "Medical emergency",
)


def front(visit: PageVisit) -> Response:
    return visit.html("front.html")


def parking(visit: PageVisit) -> Response:
    return visit.html("parking.html")


def rules(visit: PageVisit) -> Response:
    rows = visit.facts.execute("SELECT * FROM violation ORDER BY code").fetchall()
    return visit.html("rules.html", violations=rows, early=EARLY, late=LATE, reduced=REDUCED)


def garages(visit: PageVisit) -> Response:
    return visit.html("garages.html", **_plan(visit, _garages(visit)))


def garage(visit: PageVisit) -> Response:
    row = visit.facts.execute("SELECT * FROM garage WHERE slug = ?", (visit.part("slug"),)).fetchone()
    if row is None:
        raise visit.missing("garage")
    far = [(hall, yards(row, hall["x"], hall["y"])) for hall in _halls(visit)]
    return visit.html("garage.html", garage=row, far=far, **_plan(visit, [row]))


def look_up(visit: PageVisit) -> Response:
    """By a citation's number, or by a plate."""
    asked = re.sub(r"[^A-Z0-9]", "", visit.query.get("q", "").upper())
    if not asked:
        return visit.html("look_up.html", asked="", failed=False)
    if find_record(visit, "alderbrook_citation", asked) is not None:
        return visit.redirect(f"/citation/{asked}")
    if visit.state.execute("SELECT 1 FROM alderbrook_citation WHERE plate = ?", (asked,)).fetchone():
        return visit.redirect(f"/vehicle/{asked}")
    return visit.html("look_up.html", 404, asked=visit.query.get("q", "")[:40], failed=True)


def vehicle(visit: PageVisit) -> Response:
    query = "SELECT * FROM alderbrook_citation WHERE plate = ? ORDER BY issued, number"
    rows = visit.state.execute(query, (visit.part("plate"),)).fetchall()
    if not rows:
        raise visit.missing("vehicle")
    return visit.html("vehicle.html", rows=[(row, _violation(visit, row["code"])) for row in rows])


def citation(visit: PageVisit) -> Response:
    row = _citation(visit, visit.part("number"))
    issued = date.fromisoformat(row["issued"])
    return visit.html(
        "citation.html",
        citation=row,
        violation=_violation(visit, row["code"]),
        issued=issued,
        contest=issued + timedelta(21),
        failed=False,
    )


def property_records(visit: PageVisit) -> Response:
    """By a street address."""
    asked = " ".join(visit.query.get("q", "").split())[:80]
    row = visit.facts.execute("SELECT * FROM parcel WHERE lower(address) = ?", (asked.lower(),)).fetchone()
    if row is not None:
        return visit.redirect(f"/parcel/{row['number']}")
    return visit.html("property.html", 404 if asked else 200, asked=asked, tax=TAX)


def parcel(visit: PageVisit) -> Response:
    row = visit.facts.execute("SELECT * FROM parcel WHERE number = ?", (visit.part("number"),)).fetchone()
    if row is None:
        raise visit.missing("parcel")
    return visit.html("parcel.html", parcel=row)


def start(visit: PageVisit) -> Response:
    row = _citation(visit, visit.part("number"))
    if row["status"] != "Open":
        return visit.redirect(f"/citation/{row['number']}")
    WIZARD.begin(visit, {"stage": "method", "citation": row["number"]})
    return visit.redirect("/pay/method")


def show_step(visit: PageVisit) -> Response:
    return WIZARD.show(visit, _step, "/parking")


def save_step(visit: PageVisit) -> Response:
    return WIZARD.save(visit, _step, "/parking")


def confirm(visit: PageVisit) -> Response:
    draft = WIZARD.draft(visit)
    if draft is None or WIZARD.lacking(visit, draft) != "review":
        return visit.redirect("/pay/review" if draft else "/parking")
    row = _citation(visit, draft["citation"])
    cents = _due(visit, row)
    number = receipt_number(row["id"])
    kept = {name: draft[name] for name in ("citation", "method", "name", "email", "card")}
    insert(visit.state, "alderbrook_payment", kept | {"number": number, "total": cents + fee(draft["method"], cents)})
    update(visit.state, "alderbrook_citation", {"status": "Paid"}, f"id = {row['id']}")
    WIZARD.update(visit, {"stage": "placed"})
    return visit.redirect(f"/receipt/{number}")


def receipt_number(citation: int) -> str:
    return scattered_number("RC", citation * 37)


def receipt(visit: PageVisit) -> Response:
    row = find_record(visit, "alderbrook_payment", visit.part("number"))
    if row is None:
        raise visit.missing("receipt")
    return visit.html("receipt.html", payment=row, methods=METHODS)


def appeal(visit: PageVisit) -> Response:
    """Contest a citation within three weeks."""
    row = _citation(visit, visit.part("number"))
    names = ("ground", "document", "day", "name", "email")
    given = {name: " ".join(visit.form.get(name, "").split()) for name in names}
    problems: dict[str, str] = {}
    if visit.request.method == "POST":
        problems = {name: RULES[name][1] for name in ("name", "email") if not re.fullmatch(RULES[name][0], given[name])}
        if given["ground"] not in GROUNDS:
            problems["ground"] = "Choose a ground."
        if not given["document"]:
            problems["document"] = "Enter the number on your document."
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", given["day"]):
            problems["day"] = "Enter the date on your document as YYYY-MM-DD."
        if not problems:
            insert(visit.state, "alderbrook_appeal", {"citation": row["number"]} | given)
    done = visit.request.method == "POST" and not problems
    return visit.html("appeal.html", citation=row, given=given, problems=problems, grounds=GROUNDS, done=done)


def _step(visit: PageVisit, step: str, draft: Any, problems: dict[str, str]) -> Response:
    row = _citation(visit, draft["citation"])
    cents = _due(visit, row)
    violation = _violation(visit, row["code"])
    fees = {method: fee(method, cents) for method in METHODS}
    values: dict[str, Any] = {"step": step, "steps": STEPS, "draft": draft, "problems": problems, "citation": row}
    return visit.html("pay.html", due=cents, fees=fees, methods=METHODS, violation=violation, **values)


def _due(visit: PageVisit, row: sqlite3.Row) -> int:
    violation = _violation(visit, row["code"])
    return due(violation["fine"], violation["late"], row["issued"], visit.today)


def _citation(visit: PageVisit, number: str) -> sqlite3.Row:
    row = find_record(visit, "alderbrook_citation", number)
    if row is None:
        raise visit.missing("citation")
    return row


def _violation(visit: PageVisit, code: str) -> sqlite3.Row:
    return visit.facts.execute("SELECT * FROM violation WHERE code = ?", (code,)).fetchone()  # type: ignore[no-any-return]


def _garages(visit: PageVisit) -> list[sqlite3.Row]:
    return visit.facts.execute("SELECT * FROM garage ORDER BY name").fetchall()


def _halls(visit: PageVisit) -> list[sqlite3.Row]:
    return visit.facts.execute("SELECT * FROM hall ORDER BY name").fetchall()


def _plan(visit: PageVisit, garages: list[sqlite3.Row]) -> dict[str, Any]:
    """What the map shows, and where its names stand."""
    halls = _halls(visit)
    marks = [MapMark("Central Station", 0, 0, 1.2, 1.8)]
    marks += [MapMark(row["name"], row["x"], row["y"], 1.2, 1.6) for row in halls]
    marks += [MapMark(row["name"], row["x"], row["y"], 0.9, 1.4) for row in garages]
    return {"garages": garages, "halls": halls, "labels": place_labels(marks, MAP, [SCALE])}
