"""The portal's pages: looking for homes, one home, agents, towns; what is kept; and asking for a tour."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from workalike.town.kit.listing import labels_of, page_number, with_query
from workalike.town.kit.places import slug_of
from workalike.town.kit.records import count_rows, find_record, scattered_number
from workalike.town.kit.saving import add_or_remove, is_saved, saved_values
from workalike.town.kit.wizard import Wizard
from workalike.town.sites.hearthline import listing
from workalike.town.sites.hearthline.pictures import home_picture
from workalike.town.sites.hearthline.world import SIZE, TALES, TOWNS, miles
from workalike.town.state import insert
from workalike.town.visit import PageVisit

STEPS = ("when", "contact", "review")
TIMES = ("9:00 AM", "11:00 AM", "1:00 PM", "3:00 PM", "5:00 PM")
WAYS = {"person": "In person", "video": "By video call"}
DAYS = 14
"""How many days ahead tours are given."""
WIZARD = Wizard(
    "hearthline_draft",
    STEPS,
    {"when": ("day", "time", "way"), "contact": ("name", "email", "phone")},
    ("contact",),
    {
        "day": (r"\d{4}-\d{2}-\d{2}", "Choose a day."),
        "time": ("|".join(TIMES), "Choose a time."),
        "way": ("|".join(WAYS), "Choose how to see it."),
    },
)
KEPT = ("home", "day", "time", "way", "name", "email", "phone")


def front(visit: PageVisit) -> Response:
    rows = visit.facts.execute("SELECT * FROM home WHERE status = 'Active' AND deal = 'sale' ORDER BY rank LIMIT 6")
    counts = dict(visit.facts.execute("SELECT town, count(*) FROM home GROUP BY town").fetchall())
    return page(visit, "front.html", liked=rows.fetchall(), counts=counts)


def homes(visit: PageVisit) -> Response:
    items = visit.request.query_params.multi_items()
    ask = listing.read_query(items, page_number(visit))
    found = listing.run_query(visit.facts, ask, visit.today)
    values: dict[str, Any] = {"ask": ask, "found": found, "items": items, "sorted_by": ask.sort, "q": ask.one("q")}
    values |= {
        "sorts": labels_of(listing.SORTS),
        "choices": listing.CHOICES,
        "ranges": listing.RANGES,
        "many": listing.MANY,
    }
    return page(visit, "homes.html", with_query=with_query, size=SIZE, **values)


def home(visit: PageVisit) -> Response:
    row = find_home(visit, visit.part("slug"))
    schools = visit.facts.execute("SELECT * FROM school WHERE town = ? ORDER BY id", (row["town"],)).fetchall()
    changes = visit.facts.execute("SELECT * FROM change WHERE home = ? ORDER BY day DESC", (row["id"],)).fetchall()
    near = visit.facts.execute(
        "SELECT * FROM home WHERE town = ? AND deal = ? AND kind = ? AND id != ? ORDER BY abs(price - ?) LIMIT 3",
        (row["town"], row["deal"], row["kind"], row["id"], row["price"]),
    )
    return page(
        visit,
        "home.html",
        home=row,
        schools=[(school, miles(row, school)) for school in schools],
        changes=[(each, date.fromisoformat(each["day"])) for each in changes],
        agent=visit.facts.execute("SELECT * FROM agent WHERE id = ?", (row["agent"],)).fetchone(),
        tale=TALES[row["tale"]][0].format(year=row["tale_year"]) if row["tale"] else "",
        is_saved=is_saved(visit, "hearthline_saved", home=row["slug"]),
        near=near.fetchall(),
        days=(visit.today - date.fromisoformat(row["listed"])).days,
        size=SIZE,
    )


def agents(visit: PageVisit) -> Response:
    return page(visit, "agents.html", agents=visit.facts.execute("SELECT * FROM agent ORDER BY name").fetchall())


def agent(visit: PageVisit) -> Response:
    row = visit.facts.execute("SELECT * FROM agent WHERE slug = ?", (visit.part("slug"),)).fetchone()
    if row is None:
        raise visit.missing("agent")
    rows = visit.facts.execute("SELECT * FROM home WHERE agent = ? ORDER BY rank", (row["id"],)).fetchall()
    return page(visit, "agent.html", agent=row, homes=rows)


def town(visit: PageVisit) -> Response:
    name = next((each for each in TOWNS if slug_of(each) == visit.part("town")), None)
    if name is None:
        raise visit.missing("town")
    schools = visit.facts.execute("SELECT * FROM school WHERE town = ? ORDER BY id", (name,)).fetchall()
    return page(visit, "town.html", town=name, schools=schools, zip=TOWNS[name][0], size=SIZE)


def saved(visit: PageVisit) -> Response:
    homes = [find_home(visit, slug) for slug in saved_values(visit, "hearthline_saved", "home")]
    searches = visit.state.execute("SELECT * FROM hearthline_search ORDER BY id").fetchall()
    return page(visit, "saved.html", homes=homes, searches=searches)


def save(visit: PageVisit) -> Response:
    """Keep a home, or no longer."""
    add_or_remove(visit, "hearthline_saved", home=find_home(visit, visit.form.get("home", ""))["slug"])
    return visit.redirect("/saved")


def save_search(visit: PageVisit) -> Response:
    """Keep a question, to hear of homes that come up."""
    if "remove" in visit.form:
        visit.state.execute("DELETE FROM hearthline_search WHERE query = ?", (visit.form["remove"],))
        return visit.redirect("/saved")
    written = listing.read_query(visit.form_items).written
    if written and not is_saved(visit, "hearthline_search", query=written):
        insert(visit.state, "hearthline_search", {"query": written})
    return visit.redirect("/saved")


def start(visit: PageVisit) -> Response:
    row = find_home(visit, visit.part("slug"))
    if row["status"] != "Active":
        return visit.redirect(f"/home/{row['slug']}")
    WIZARD.begin(visit, {"stage": "when", "home": row["slug"]})
    return visit.redirect("/tour/when")


def show_step(visit: PageVisit) -> Response:
    return WIZARD.show(visit, _step)


def save_step(visit: PageVisit) -> Response:
    return WIZARD.save(visit, _step)


def confirm(visit: PageVisit) -> Response:
    draft = WIZARD.draft(visit)
    if draft is None or WIZARD.lacking(visit, draft) != "review":
        return visit.redirect("/tour/review" if draft else "/")
    number = scattered_number("HT", count_rows(visit.state, "hearthline_tour") + 1)
    insert(visit.state, "hearthline_tour", {name: draft[name] for name in KEPT} | {"number": number})
    WIZARD.update(visit, {"stage": "booked"})
    return visit.redirect(f"/requested/{number}")


def requested(visit: PageVisit) -> Response:
    row = find_record(visit, "hearthline_tour", visit.part("number"))
    if row is None:
        raise visit.missing("request")
    return page(visit, "requested.html", tour=row, home=find_home(visit, row["home"]), ways=WAYS)


def picture(visit: PageVisit) -> Response:
    row = find_home(visit, visit.part("slug"))
    view = visit.query.get("view", "0")
    drawn = home_picture(row["slug"], row["kind"], row["garage"], int(view) if view.isdecimal() else 0)
    return visit.drawing(drawn)


def page(visit: PageVisit, template: str, status: int = 200, **values: Any) -> Response:
    """A page with what every page's head shows."""
    count = count_rows(visit.state, "hearthline_saved") + count_rows(visit.state, "hearthline_search")
    given: dict[str, Any] = {"towns": TOWNS, "q": "", "saved_count": count, "slug": slug_of, "acre": listing.ACRE}
    return visit.html(template, status, **(given | values))


def find_home(visit: PageVisit, slug: str) -> sqlite3.Row:
    row = visit.facts.execute("SELECT * FROM home WHERE slug = ?", (slug,)).fetchone()
    if row is None:
        raise visit.missing("home")
    return row  # type: ignore[no-any-return]


def _step(visit: PageVisit, step: str, draft: Any, problems: dict[str, str]) -> Response:
    values: dict[str, Any] = {"step": step, "steps": STEPS, "draft": draft, "problems": problems}
    values |= {"days": [visit.today + timedelta(at) for at in range(1, DAYS + 1)], "times": TIMES, "ways": WAYS}
    return page(visit, "tour.html", home=find_home(visit, draft["home"]), **values)
