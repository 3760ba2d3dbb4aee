"""The ticket office and the city: seats, ages and fees of the world, orders step by step, citations, and the tasks."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from tests.town.test_oracle import solve_all
from workalike.core.key import OneOf, Scalar
from workalike.town.benchmark import COUNTS, Drawn, draw_tasks, templates_of
from workalike.town.caller import Caller
from workalike.town.check import check_task
from workalike.town.persona import draw_persona
from workalike.town.render import money
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.sites.alderbrook.world import due, fee
from workalike.town.sites.encore.listing import StageQuery, run_query
from workalike.town.sites.encore.seats import PLANS, bill, blocks, free_seats, price, split_seats
from workalike.town.sites.encore.tables import SHOWS
from workalike.town.template import DEMANDS
from workalike.town.town import Town
from workalike.town.world import Split, World
from workalike.verify.state import judge

CATEGORY = "ticketing"
SKINS = [(site, skin) for site, skins in {
    "encore": ("marquee", "playbill", "backstage"), "alderbrook": ("civic", "quayside", "legacy"),
}.items() for skin in skins]  # fmt: skip
SPLITS: tuple[Split, ...] = ("test", "train")
SAMPLE = ("stage-open-pair", "stage-evening-out", "city-pay-one")


@pytest.fixture(scope="module")
def tickets(town: Town) -> tuple[Drawn, ...]:
    return draw_tasks(town, "test", {CATEGORY: COUNTS[CATEGORY]})


def guest(town: Town, app: App, site: str = "encore", skin: str = "playbill") -> Caller:
    return Caller(app, town.open(Setting({site: skin})).token)


def rows(town: Town, caller: Caller, table: str) -> list[dict[str, Scalar]]:
    return [change.after for change in town.changes(caller.token) if change.table == table and change.after]


def some_seats(town: Town, count: int = 2) -> tuple[str, str, str, list[str]]:
    """A date with so many seats side by side: its code, its kind of house, a section and the seats."""
    query = "SELECT show.*, kind FROM show JOIN venue ON venue.id = venue WHERE status = 'sale' ORDER BY show.id"
    for show in town.facts["encore"].execute(query).fetchall():
        for part in PLANS[show["kind"]]:
            for seats in blocks(town.world, show, part, count):
                return show["code"], show["kind"], *split_seats(seats)
    raise AssertionError("the world is sold out")


def test_the_world_has_tours_sold_out_dates_and_free_seats(town: Town) -> None:
    facts = town.facts["encore"]
    states = Counter(row["status"] for row in facts.execute("SELECT status FROM show"))
    assert states["sale"] > 200
    assert states["sold"] > 20
    assert states["postponed"] > 3
    cities = facts.execute(
        "SELECT count(DISTINCT city) AS many FROM show JOIN venue ON venue.id = venue GROUP BY event ORDER BY many DESC"
    )
    assert cities.fetchone()["many"] >= 4, "some productions tour"
    show = facts.execute(f"{SHOWS} WHERE status = 'sold' LIMIT 1").fetchone()
    assert not any(free_seats(town.world, show, part) == {} for part in PLANS["theatre"])
    assert not any(seats for part in PLANS["theatre"] for seats in free_seats(town.world, show, part).values())


def test_fees_and_ages_add_up(town: Town) -> None:
    facts = town.facts["encore"]
    event = facts.execute("SELECT * FROM event WHERE child_off = 50 LIMIT 1").fetchone()
    venue = facts.execute("SELECT * FROM venue LIMIT 1").fetchone()
    found = bill(event, venue, 4000, ["adult", "child"], "post")
    assert found.tickets == 6000
    assert found.service == round(40 * event["service"]) + round(20 * event["service"])
    assert found.total == 6000 + found.service + 2 * venue["facility"] + 395 + 695


def test_the_search_knows_names_but_not_what_a_piece_is_about(town: Town) -> None:
    facts = town.facts["encore"]
    event = facts.execute("SELECT * FROM event WHERE genre = 'Theatre' LIMIT 1").fetchone()
    assert run_query(facts, StageQuery(event["name"])).hits[0].event["slug"] == event["slug"]
    described = run_query(facts, StageQuery(event["hint"])).hits
    assert not described or described[0].event["slug"] != event["slug"]
    low = run_query(facts, StageQuery(sort="price")).hits
    prices = [hit.lowest for hit in low if hit.lowest is not None]
    assert prices == sorted(prices)
    assert all(hit.event["genre"] == "Dance" for hit in run_query(facts, StageQuery(genres=("Dance",))).hits)


@pytest.mark.parametrize(("site", "skin"), SKINS)
def test_every_page_is_there(town: Town, app: App, site: str, skin: str) -> None:
    caller = guest(town, app, site, skin)
    if site == "encore":
        code, _, section, _ = some_seats(town)
        slug = town.facts[site].execute("SELECT slug FROM event LIMIT 1").fetchone()["slug"]
        venue = town.facts[site].execute("SELECT slug FROM venue LIMIT 1").fetchone()["slug"]
        sold = town.facts[site].execute("SELECT code FROM show WHERE status = 'sold'").fetchone()["code"]
        paths: tuple[str, ...] = (
            "/",
            "/events",
            "/events?genre=Music&city=Alderbrook&sort=price",
            f"/event/{slug}",
            f"/show/{code}",
        )
        paths += (f"/show/{code}/seats/{section}", f"/show/{sold}/waiting", f"/venue/{venue}", "/city/port-merrow")
        paths += ("/help", "/following", "/claim", "/find", f"/pic/{slug}.svg", "/suggest?q=the")
    else:
        row = town.begin_rows("alderbrook_citation")[0]
        parcel = town.facts[site].execute("SELECT number FROM parcel").fetchone()["number"]
        garage = town.facts[site].execute("SELECT slug FROM garage").fetchone()["slug"]
        paths = ("/", "/parking", "/parking/rules", "/parking/garages", f"/garage/{garage}", "/citations", "/property")
        paths += (f"/citations?q={row['plate']}", f"/citation/{row['number']}", f"/parcel/{parcel}")
    for path in paths:
        page = caller.get(site, path)
        assert page.status == 200, path
        assert "built-in method" not in page.text
    for path in ("/event/none", "/show/none", "/citation/none", "/garage/none", "/events?page=99999999999"):
        assert caller.get(site, path).status == 404, path


@pytest.mark.parametrize("skin", ["marquee", "playbill", "backstage"])
def test_an_order_goes_through_every_step_and_fees_come_late(town: Town, app: App, skin: str) -> None:
    caller, who = guest(town, app, "encore", skin), draw_persona(town.world.rng("test"))
    code, kind, section, chosen = some_seats(town)
    steps = town.sites["encore"].skin(skin).steps or ("tickets", "delivery", "buyer", "payment", "review")
    page = caller.post("encore", f"/book/start/{code}/{section}", [("seat", seat) for seat in chosen])
    assert page.url.endswith(f"/book/{steps[0]}")
    assert "Service fee" not in page.text
    given: dict[str, dict[str, str]] = {
        "tickets": {f"age_{seat}": "adult" for seat in chosen},
        "delivery": {"delivery": "post"},
        "buyer": {name: who[name] for name in ("name", "email", "phone")},
        "payment": {"card": "1234"},
    }
    for step in steps[:-1]:
        (draft,) = rows(town, caller, "encore_draft")
        assert draft["stage"] == step
        assert draft["touched"] == int(steps.index("buyer") < steps.index(step))
        page = caller.post("encore", f"/book/{step}", given[step])
    assert "Service fee" in page.text
    caller.post("encore", "/book/confirm")
    (booking,) = rows(town, caller, "encore_booking")
    facts = town.facts["encore"]
    show = facts.execute("SELECT * FROM show WHERE code = ?", (code,)).fetchone()
    event = facts.execute("SELECT * FROM event WHERE id = ?", (show["event"],)).fetchone()
    venue = facts.execute("SELECT * FROM venue WHERE id = ?", (show["venue"],)).fetchone()
    part = next(each for each in PLANS[kind] if each.code == section)
    assert booking["total"] == bill(event, venue, price(show, part), ["adult"] * 2, "post").total
    assert booking["seats"] == f"{section} {','.join(chosen)}"


def test_seats_that_are_taken_or_none_cannot_be_had(town: Town, app: App) -> None:
    caller = guest(town, app)
    code, _, section, _ = some_seats(town)
    for seats in ([], ["Z9"], ["A99"], ["; DROP"], [f"A{n}" for n in range(1, 13)]):
        page = caller.post("encore", f"/book/start/{code}/{section}", [("seat", seat) for seat in seats])
        assert "between one and eight seats" in page.text
    assert not rows(town, caller, "encore_draft")


def test_a_waiting_list_is_only_for_what_is_sold_out(town: Town, app: App) -> None:
    caller = guest(town, app)
    code = some_seats(town)[0]
    form = {"tickets": 2, "name": "Ada Example", "email": "ada@postbox.example"}
    assert caller.post("encore", f"/show/{code}/waiting", form).url.endswith(f"/show/{code}")
    sold = town.facts["encore"].execute("SELECT code FROM show WHERE status = 'sold'").fetchone()["code"]
    caller.post("encore", f"/show/{sold}/waiting", form | {"email": "nonsense"})
    assert not rows(town, caller, "encore_waiting")
    caller.post("encore", f"/show/{sold}/waiting", form)
    assert [row["show"] for row in rows(town, caller, "encore_waiting")] == [sold]


def test_what_is_due_changes_with_time() -> None:
    today = date(2026, 5, 4)
    assert due(5000, 2000, "2026-04-24", today) == 3000, "the tenth day is still early"
    assert due(5000, 2000, "2026-04-23", today) == 5000
    assert due(5000, 2000, "2026-04-04", today) == 5000, "the thirtieth day is not yet late"
    assert due(5000, 2000, "2026-04-03", today) == 7000
    assert (fee("credit", 5000), fee("debit", 5000)) == (120, 125)


def test_a_citation_is_paid_once(town: Town, app: App) -> None:
    caller, who = guest(town, app, "alderbrook", "quayside"), draw_persona(town.world.rng("test"))
    row = next(row for row in town.begin_rows("alderbrook_citation") if row["status"] == "Open")
    caller.post("alderbrook", f"/pay/start/{row['number']}")
    page = caller.post("alderbrook", "/pay/method", {"method": "debit"})
    assert "Total by debit card" in page.text
    assert page.url.endswith("/pay/payer")
    caller.post("alderbrook", "/pay/payer", {"name": who["name"], "email": who["email"]})
    caller.post("alderbrook", "/pay/payment", {"card": "1234"})
    done = caller.post("alderbrook", "/pay/confirm")
    (payment,) = rows(town, caller, "alderbrook_payment")
    assert isinstance(payment["total"], int)
    assert money(payment["total"]) in done.text
    caller.post("alderbrook", f"/pay/start/{row['number']}")
    assert len(rows(town, caller, "alderbrook_draft")) == 1, "what is paid cannot be paid again"


def test_the_tasks_are_as_the_card_wants_them(town: Town, tickets: tuple[Drawn, ...]) -> None:
    assert len(tickets) == 57
    structures = Counter(str(each.key.extra["structure"]) for each in tickets)
    assert max(structures.values()) <= 6
    assert len(templates_of(town, CATEGORY, "test")) >= 14
    assert len(templates_of(town, CATEGORY, "train")) >= 4
    assert {demand for each in tickets for demand in each.key.extra["demands"]} == set(DEMANDS)
    assert all(len(each.voices) >= 4 for each in (*templates_of(town, CATEGORY, "test"),))
    hard = [each for each in tickets if each.key.extra["level"] == "hard"]
    assert 3 * len(hard) >= len(tickets)


def test_many_seats_are_as_right_as_the_oracles(tickets: tuple[Drawn, ...]) -> None:
    (first, *_) = (each for each in tickets if each.key.extra["template"] == "stage-open-pair")
    patterns = first.key.evaluators[0].reached
    assert sum(len(p.after["seats"].values) for p in patterns if isinstance(p.after["seats"], OneOf)) > 10


def test_a_task_of_every_template_is_sound(town: Town, app: App, tickets: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in tickets}
    for each in by_template.values():
        assert check_task(town, app, each.key, judge).wrong == ()


def test_the_train_world_has_other_names() -> None:
    test, train = (Town(World().of(split)) for split in SPLITS)
    for table in ("event", "venue"):
        names = [
            {row["name"] for row in one.facts["encore"].execute(f"SELECT name FROM {table}")} for one in (test, train)
        ]
        assert not names[0] & names[1]
    assert len(draw_tasks(train, "train", {CATEGORY: 20})) == 20


async def test_the_oracle_solves_a_sample(town: Town, app: App, tickets: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in reversed(tickets)}
    assert await solve_all(town, app, [by_template[name] for name in SAMPLE]) == {}
