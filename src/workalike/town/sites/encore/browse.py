"""Looking around at the ticket office: what is on, one production, one date with its plan, houses and cities, help; and
what one follows, waits for or claims."""

from __future__ import annotations

import re
import sqlite3
from datetime import date
from typing import Any

from starlette.responses import Response

from workalike.town.kit.listing import labels_of, page_number, whole, with_query
from workalike.town.kit.places import slug_of, yards
from workalike.town.kit.records import count_rows, find_record
from workalike.town.kit.saving import add_or_remove, is_saved, saved_values
from workalike.town.kit.wizard import RULES
from workalike.town.sites.encore import listing, seats
from workalike.town.sites.encore.listing import SHOWS, lowest_of
from workalike.town.sites.encore.pictures import poster
from workalike.town.sites.encore.world import BAGS, CITIES, EFFECTS, GENRES
from workalike.town.state import insert
from workalike.town.visit import PageVisit

REASONS = ("Postponed", "Cancelled by the organiser", "Illness")
REMARKS = (
    ("Went twice", "We laughed, we cried, we missed the last train home."),
    ("Sit further back", "From the third row one gets a stiff neck; everything else is perfect."),
    ("Good, not great", "The first half drags. After the break it takes off."),
    ("Worth the trip", "Drove two hours for it and would do so again tomorrow."),
    ("Bring a sweater", "Whoever sets the air conditioning there owns shares in a power plant."),
)


def front(visit: PageVisit) -> Response:
    found = listing.run_query(visit.facts, listing.StageQuery())
    soon = listing.run_query(visit.facts, listing.StageQuery(sort="soon"))
    return page(visit, "front.html", liked=found.hits[:6], soon=soon.hits[:4])


def events(visit: PageVisit) -> Response:
    items = visit.request.query_params.multi_items()
    ask = listing.read_query(items, page_number(visit))
    found = listing.run_query(visit.facts, ask)
    words: dict[str, Any] = {
        "sorts": labels_of(listing.SORTS),
        "months": listing.MONTHS,
        "suits": listing.SUITS,
        "with_query": with_query,
    }
    return page(visit, "events.html", ask=ask, found=found, items=items, sorted_by=ask.sort, q=ask.words, **words)


def suggestions(visit: PageVisit) -> Response:
    return visit.json(listing.suggest(visit.facts, visit.query.get("q", "")))


def event(visit: PageVisit) -> Response:
    row = find_event(visit, visit.part("slug"))
    shows = visit.facts.execute(f"{SHOWS} WHERE event = ? ORDER BY day, time, show.id", (row["id"],)).fetchall()
    rng = visit.rng("remarks", row["slug"])
    remarks = [(*each, rng.randint(2, 5)) for each in rng.sample(REMARKS, 3)]
    followed = is_saved(visit, "encore_following", event=row["slug"])
    pack = pack_of(row, shows)
    dated = [(show, date.fromisoformat(show["day"]), lowest_of([show])) for show in shows]
    values: dict[str, Any] = {"remarks": remarks, "followed": followed, "pack": pack, "effects": EFFECTS}
    return page(visit, "event.html", event=row, dated=dated, cities=sorted({s["city"] for s in shows}), **values)


def show(visit: PageVisit) -> Response:
    row, what = find_show(visit, visit.part("code"))
    plan = [
        (each, seats.price(row, each), sum(map(len, seats.free_seats(visit.town.world, row, each).values())))
        for each in seats.PLANS[row["kind"]]
    ]
    return page(visit, "show.html", show=row, event=what, day=date.fromisoformat(row["day"]), plan=plan)


def section(visit: PageVisit) -> Response:
    """The seats of a section; what is taken cannot be ticked."""
    row, what = find_show(visit, visit.part("code"))
    part = seats.section_of(row["kind"], visit.part("section"))
    if part is None or row["status"] != "sale":
        raise visit.missing("section")
    return page(
        visit,
        "seats.html",
        show=row,
        event=what,
        day=date.fromisoformat(row["day"]),
        section=part,
        free=seats.free_seats(visit.town.world, row, part),
        each=seats.price(row, part),
        problem=visit.query.get("problem", ""),
    )


def venue(visit: PageVisit) -> Response:
    row = visit.facts.execute("SELECT * FROM venue WHERE slug = ?", (visit.part("slug"),)).fetchone()
    if row is None:
        raise visit.missing("venue")
    shows = visit.facts.execute(
        f"SELECT shown.*, event.name AS event_name, event.slug AS event_slug FROM ({SHOWS}) AS shown"
        " JOIN event ON event.id = shown.event WHERE shown.venue = ? ORDER BY day, time",
        (row["id"],),
    ).fetchall()
    dated = [(each, date.fromisoformat(each["day"])) for each in shows]
    return page(visit, "venue.html", venue=row, dated=dated, bags=BAGS, far=yards(row))


def city(visit: PageVisit) -> Response:
    name = next((each for each in CITIES if slug_of(each) == visit.part("city")), None)
    if name is None:
        raise visit.missing("city")
    rows = visit.facts.execute("SELECT * FROM venue WHERE city = ? ORDER BY name", (name,)).fetchall()
    return page(visit, "city.html", city=name, venues=[(row, yards(row)) for row in rows])


def help_page(visit: PageVisit) -> Response:
    return page(visit, "help.html", order_fee=seats.ORDER_FEE, postage=seats.POSTAGE)


def following(visit: PageVisit) -> Response:
    events = [find_event(visit, slug) for slug in saved_values(visit, "encore_following", "event")]
    return page(visit, "following.html", events=events)


def follow(visit: PageVisit) -> Response:
    """Follow a production, or stop following it."""
    add_or_remove(visit, "encore_following", event=find_event(visit, visit.form.get("event", ""))["slug"])
    return visit.redirect("/following")


def waiting(visit: PageVisit) -> Response:
    """The waiting list of a date that is sold out."""
    row, what = find_show(visit, visit.part("code"))
    if row["status"] != "sold":
        return visit.redirect(f"/show/{row['code']}")
    given = {name: " ".join(visit.form.get(name, "").split()) for name in ("name", "email")}
    count, problems = whole(visit.form.get("tickets", "")) or 0, dict[str, str]()
    if visit.request.method == "POST":
        problems = problems_of(given)
        if not problems and 1 <= count <= seats.MOST:
            insert(visit.state, "encore_waiting", {"show": row["code"], "tickets": count} | given)
            return page(visit, "waiting.html", show=row, event=what, done=True, given=given, problems={})
    return page(visit, "waiting.html", show=row, event=what, done=False, given=given, problems=problems)


def claim(visit: PageVisit) -> Response:
    """A claim for money back, for one's own booking."""
    names = ("booking", "event", "day", "seats", "paid", "reason", "email")
    given = {name: " ".join(visit.form.get(name, "").split()) for name in names}
    if visit.request.method != "POST":
        return page(visit, "claim.html", given=given, problems={}, reasons=REASONS, done=False)
    problems = problems_of({"email": given["email"]})
    row = find_record(visit, "encore_booking", given["booking"].upper())
    if row is None:
        problems["booking"] = "We have no booking with that number."
    if given["reason"] not in REASONS:
        problems["reason"] = "Choose a reason."
    try:
        day = date.fromisoformat(given["day"])
    except ValueError:
        day, problems["day"] = visit.today, "Enter the date of the show as YYYY-MM-DD."
    paid = given["paid"].replace("$", "").replace(",", "")
    if not paid.replace(".", "", 1).isdecimal() or len(paid) > 9:
        problems["paid"] = "Enter the sum that you paid."
    problems |= {name: "This is missing." for name in ("event", "seats") if not given[name]}
    if problems:
        return page(visit, "claim.html", given=given, problems=problems, reasons=REASONS, done=False)
    kept = {"booking": given["booking"].upper(), "day": day.isoformat(), "paid": round(float(paid) * 100)}
    insert(visit.state, "encore_claim", given | kept)
    return page(visit, "claim.html", given=given, problems={}, reasons=REASONS, done=True)


def picture(visit: PageVisit) -> Response:
    row = find_event(visit, visit.part("slug"))
    return visit.drawing(poster(row["slug"], row["genre"], "wide" in visit.query))


def page(visit: PageVisit, template: str, status: int = 200, **values: Any) -> Response:
    """A page with what every page's head shows."""
    count = count_rows(visit.state, "encore_following")
    given: dict[str, Any] = {"genres": GENRES, "all_cities": CITIES, "follow_count": count, "q": "", "slug": slug_of}
    return visit.html(template, status, **(given | values))


def find_event(visit: PageVisit, slug: str) -> sqlite3.Row:
    row = visit.facts.execute("SELECT * FROM event WHERE slug = ?", (slug,)).fetchone()
    if row is None:
        raise visit.missing("show")
    return row  # type: ignore[no-any-return]


def find_show(visit: PageVisit, code: str) -> tuple[sqlite3.Row, sqlite3.Row]:
    """A date, and the production that is on then."""
    row = visit.facts.execute(f"{SHOWS} WHERE code = ?", (code,)).fetchone()
    if row is None:
        raise visit.missing("date")
    return row, visit.facts.execute("SELECT * FROM event WHERE id = ?", (row["event"],)).fetchone()


def pack_of(row: sqlite3.Row, shows: list[sqlite3.Row]) -> tuple[seats.Section, int] | None:
    """The family pack, where there is one: two adults and two children, fees included, in a house's second section."""
    if not row["pack"] or not shows:
        return None
    part = seats.PLANS[shows[0]["kind"]][-1]
    each = min(seats.price(show, part) for show in shows)
    return part, round(each * 4 * row["pack"] / 100 / 50) * 50 + 450


def problems_of(given: dict[str, str]) -> dict[str, str]:
    return {name: RULES[name][1] for name in given if not re.fullmatch(RULES[name][0], given[name])}
