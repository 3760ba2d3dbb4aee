"""Tasks about citations: what is due, paying, contesting, finding that there is nothing to pay."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.kit.make import templates_from
from workalike.town.persona import draw_persona
from workalike.town.render import money, plural
from workalike.town.sites.alderbrook.goals import (
    SITE,
    ContestCitation,
    PayCitation,
    see_citation,
    see_garage,
    see_rules,
    see_vehicle,
)
from workalike.town.sites.alderbrook.pages import GROUNDS, receipt_number
from workalike.town.sites.alderbrook.world import EARLY, METHODS, due, fee
from workalike.town.template import TaskDraft
from workalike.town.town import Town

template = templates_from(Path(__file__).parent / "voices.json", "city")
LETTERS = {
    GROUNDS[0]: "ALDERBROOK METER SERVICE\nWork order {document}, {long}\nMeter on {street}: coin slot jammed, display"
    " dark. Found out of order on arrival, exchanged the same day.",
    GROUNDS[1]: "RESIDENT PERMIT OFFICE\nPermit {document}, issued {long}\nZone B, {plate}. Attached to the windscreen"
    " in the presence of the clerk.",
    GROUNDS[2]: "STREETS DEPARTMENT\nRepair slip {document}, {long}\n{street}: pole bent by a delivery truck, sign face"
    " turned to the wall. Straightened.",
    GROUNDS[
        3
    ]: "BILL OF SALE No. {document}\n{long}\nThe seller hands over the vehicle with plate {plate} to the buyer,"
    " who takes it away at once.",
    GROUNDS[4]: "ST. ANNE HOSPITAL, EMERGENCY ROOM\nAdmission slip {document}\n{long}\nBrought in by the driver of the"
    " vehicle {plate}; discharged in the evening.",
}


def citations(town: Town, rng: Random, least: int = 1) -> list[dict[str, Any]]:
    """The citations of some car that has at least so many open ones, oldest first, each with what is due."""
    rows: list[dict[str, Any]] = [dict(row) for row in town.begin_rows("alderbrook_citation")]
    plates = sorted({str(row["plate"]) for row in rows})
    fitting = [
        plate for plate in plates if sum(row["plate"] == plate and row["status"] == "Open" for row in rows) >= least
    ]
    plate = rng.choice(fitting)
    found = [row | _due(town, row) for row in rows if row["plate"] == plate]
    return sorted(found, key=lambda row: (row["issued"], row["number"]))


def _due(town: Town, row: dict[str, Any]) -> dict[str, Any]:
    kind = town.facts[SITE].execute("SELECT * FROM violation WHERE code = ?", (row["code"],)).fetchone()
    cents = due(kind["fine"], kind["late"], row["issued"], town.world.today)
    street = row["place"].split(" ", 1)[1]
    return {"what": kind["name"], "fine": kind["fine"], "late": kind["late"], "due": cents, "street": street}


def slots(row: dict[str, Any], today: date) -> dict[str, str]:
    age = (today - date.fromisoformat(row["issued"])).days
    when = "last week or this week" if age <= EARLY else f"about {max(2, round(age / 7))} weeks ago"
    color, car = row["car"].split(" ", 1)
    return {
        "plate": row["plate"], "state": row["state"], "street": row["street"], "what": row["what"].lower(),
        "when": when, "car": f"{color} {car}", "today": f"{today:%B} {today.day}, {today.year}",
    }  # fmt: skip


def rests_on(row: dict[str, Any], method: str) -> tuple[tuple[FactPattern, ...], ...]:
    """Either the total as the payment shows it, or everything from which it is reckoned."""
    number = row["number"]
    told = FactPattern(SITE, number, "total", {"method": method})
    parts = [FactPattern(SITE, number, "fine"), FactPattern(SITE, number, "issued")]
    parts += [FactPattern(SITE, "rules", "deadlines"), FactPattern(SITE, "rules", "cards")]
    return tuple((told, part) for part in parts)


def due_today(town: Town, rng: Random) -> TaskDraft | None:
    """What one of several citations comes to today, with the card's fee."""
    rows = citations(town, rng, 2)
    row, method = rng.choice([row for row in rows if row["status"] == "Open"]), rng.choice(tuple(METHODS))
    total = row["due"] + fee(method, row["due"])
    near = {"without the card's fee": row["due"], "the bare fine": row["fine"]}
    near |= {"by the other card": row["due"] + fee("credit" if method == "debit" else "debit", row["due"])}
    return TaskDraft(
        (see_vehicle(row["plate"]), see_citation(row["number"], row["plate"]), see_rules()),
        slots(row, town.world.today) | {"method": METHODS[method].lower()},
        (ExpectedAnswer("total", "money", total),),
        shown=rests_on(row, method),
        near={label: {"total": cents} for label, cents in near.items() if cents != total},
    )


def all_due(town: Town, rng: Random) -> TaskDraft | None:
    """What all open citations of a car come to, and how many they are."""
    rows = citations(town, rng, 2)
    still = [row for row in rows if row["status"] == "Open"]
    total = sum(row["due"] + fee("debit", row["due"]) for row in still)
    bare, fines = sum(row["due"] for row in still), sum(row["fine"] for row in still)
    oldest = still[0]["due"] + fee("debit", still[0]["due"])
    goals = (see_vehicle(rows[0]["plate"]), *(see_citation(row["number"], row["plate"]) for row in still), see_rules())
    near = {"without the fees": bare, "the bare fines": fines, "one left out": total - oldest}
    return TaskDraft(
        goals,
        slots(still[0], town.world.today) | {"method": "debit card"},
        (ExpectedAnswer("citations", "number", len(still)), ExpectedAnswer("total", "money", total)),
        shown=tuple(group for row in still for group in rests_on(row, "debit")),
        near={label: {"total": cents} for label, cents in near.items() if cents != total}
        | {"one more": {"citations": len(still) + 1}},
    )


def pay_reduced(town: Town, rng: Random) -> TaskDraft | None:
    """Pay what can still be had at the reduced rate, and leave the rest."""
    rows = [row for row in citations(town, rng, 2) if row["status"] == "Open"]
    cheap = [row for row in rows if row["due"] < row["fine"]]
    if not cheap or len(cheap) == len(rows):
        return None
    who, method = draw_persona(rng), rng.choice(tuple(METHODS))
    looks = tuple(see_citation(row["number"], row["plate"]) for row in rows)
    pays = tuple(PayCitation(row["number"], row["plate"], method, who) for row in cheap)
    told = slots(cheap[0], town.world.today) | {"method": METHODS[method].lower(), "name": who["name"]}
    return TaskDraft((see_rules(), *looks, *pays), told | {"count": plural(len(rows), "citation")}, persona=who)


def pay_one(town: Town, rng: Random) -> TaskDraft | None:
    """Pay the one of several that was written on some street, and bring the receipt's number."""
    rows = [row for row in citations(town, rng, 2) if row["status"] == "Open"]
    row, who, method = rng.choice(rows), draw_persona(rng), rng.choice(tuple(METHODS))
    looks = tuple(see_citation(each["number"], each["plate"]) for each in rows)
    told = slots(row, town.world.today) | {"method": METHODS[method].lower(), "name": who["name"]}
    wrong = {"the citation's number": row["number"], "another receipt": receipt_number(row["id"] + 1)}
    return TaskDraft(
        (see_vehicle(row["plate"]), *looks, PayCitation(row["number"], row["plate"], method, who)),
        told,
        (ExpectedAnswer("receipt", "name", receipt_number(row["id"])),),
        shown=((FactPattern(SITE, row["number"], "receipt"),),),
        near={label: {"receipt": number} for label, number in wrong.items()},
        persona=who,
    )


def contest(town: Town, rng: Random) -> TaskDraft | None:
    """Contest a citation; what the form asks for stands in a letter."""
    rows = [row for row in citations(town, rng, 2) if row["status"] == "Open"]
    row, who = rng.choice(rows), draw_persona(rng)
    age = (town.world.today - date.fromisoformat(row["issued"])).days
    if age > 21 or sum(each["street"] == row["street"] for each in rows) > 1:
        return None
    ground, shift = rng.choice(GROUNDS), rng.choice((0, 0, 1))
    day = date.fromisoformat(row["issued"]) - timedelta(shift)
    document = f"{rng.choice(('WO', 'PX', 'SD', 'MR'))}-{rng.randint(10_000, 99_999)}"
    said = {"document": document, "long": f"{day:%B} {day.day}, {day.year}", "street": row["street"]}
    letter = LETTERS[ground].format_map(said | {"plate": row["plate"]})
    told = slots(row, town.world.today) | {"letter": letter, "name": who["name"], "email": who["email"]}
    goals = (
        see_vehicle(row["plate"]),
        ContestCitation(row["number"], row["plate"], ground, document, day.isoformat(), who),
    )
    return TaskDraft(goals, told, persona=who)


def settled(town: Town, rng: Random) -> TaskDraft | None:
    """One that was paid already: nothing to be done."""
    paid = [row for row in citations(town, rng) if row["status"] == "Paid"]
    if not paid:
        return None
    row = rng.choice(paid)
    return TaskDraft(
        (see_vehicle(row["plate"]), see_citation(row["number"], row["plate"])),
        slots(row, town.world.today) | {"number": row["number"]},
        status="unavailable",
        shown=((FactPattern(SITE, row["number"], "status", value="Paid"),),),
    )


def walled(town: Town, rng: Random) -> TaskDraft | None:
    """A wall stands before the payment."""
    rows = [row for row in citations(town, rng, 2) if row["status"] == "Open"]
    row = rng.choice(rows)
    if sum(each["street"] == row["street"] for each in rows) > 1:
        return None
    goal = PayCitation(row["number"], row["plate"])
    met = {"path": f"/pay/start/{row['number']}"}
    told = slots(row, town.world.today) | {"method": "debit card"}
    return TaskDraft((see_vehicle(row["plate"]), goal), told, wall={SITE: "/pay"}, met=met, truth=())


def fine_of(town: Town, rng: Random) -> TaskDraft | None:
    row = rng.choice(citations(town, rng))
    return TaskDraft(
        (see_citation(row["number"], row["plate"]),),
        slots(row, town.world.today) | {"number": row["number"]},
        (ExpectedAnswer("fine", "money", row["fine"]),),
        shown=((FactPattern(SITE, row["number"], "fine"),),),
        near={"with the penalty": {"fine": row["fine"] + row["late"]}},
    )


RATES = {"half": "for half an hour", "most": "for a whole day at most", "evening": "for an evening"}


def garage_price(town: Town, rng: Random) -> TaskDraft | None:
    """What one of a garage's rates is."""
    row, rate = (
        rng.choice(town.facts[SITE].execute("SELECT * FROM garage ORDER BY id").fetchall()),
        rng.choice(list(RATES)),
    )
    if not row[rate]:
        return None
    return TaskDraft(
        (see_garage(row["name"], row["slug"]),),
        {"garage": row["name"], "rate": RATES[rate]},
        (ExpectedAnswer("price", "money", row[rate]),),
        shown=((FactPattern(SITE, row["slug"], rate),),),
        near={f"that {text}": {"price": row[name]} for name, text in RATES.items() if row[name] and name != rate},
    )


def pay_own(town: Town, rng: Random) -> TaskDraft | None:
    row = rng.choice([row for row in citations(town, rng) if row["status"] == "Open"])
    who = draw_persona(rng)
    goal = PayCitation(row["number"], row["plate"], "credit", who)
    told = slots(row, town.world.today) | {"number": row["number"], "name": who["name"], "sum": money(row["due"])}
    return TaskDraft((goal,), told, persona=who)


C = "ticketing"
TEMPLATES = (
    template("due", C, "medium", due_today, demands=("prose", "arithmetic", "described not named")),
    template("all-due", C, "hard", all_due, demands=("prose", "arithmetic", "many criteria")),
    template("pay-reduced", C, "hard", pay_reduced, demands=("prose", "budget and fallback", "many criteria")),
    template("pay-one", C, "hard", pay_one, demands=("described not named", "evidence")),
    template("contest", C, "medium", contest, demands=("form from a document", "described not named")),
    template("settled", C, "easy", settled, demands=("budget and fallback", "described not named")),
    template("wall", C, "medium", walled, demands=("described not named",)),
    template("train-fine", C, "easy", fine_of, "train"),
    template("train-garage", C, "easy", garage_price, "train"),
    template("train-pay", C, "hard", pay_own, "train"),
)
