"""The portal of homes: the world, filters, lists and searches, tours step by step, and the tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from tests.town.test_oracle import solve_all
from workalike.core.key import Scalar
from workalike.town.benchmark import COUNTS, Drawn, draw_tasks, templates_of
from workalike.town.caller import Caller
from workalike.town.check import check_task
from workalike.town.persona import draw_persona
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.sites.hearthline.listing import ACRE, HomeQuery, read_query, run_query
from workalike.town.sites.hearthline.world import TOWNS, draw_homes, miles
from workalike.town.template import DEMANDS
from workalike.town.town import Town
from workalike.town.world import Split, World
from workalike.verify.state import judge

CATEGORY, SITE = "real-estate", "hearthline"
SKINS = ["porch", "atlas", "clipboard"]
SPLITS: tuple[Split, ...] = ("test", "train")
SAMPLE = ("home-keep-any", "home-yearly-tax")


@pytest.fixture(scope="module")
def estate(town: Town) -> tuple[Drawn, ...]:
    return draw_tasks(town, "test", {CATEGORY: COUNTS[CATEGORY]})


def guest(town: Town, app: App, skin: str = "atlas") -> Caller:
    return Caller(app, town.open(Setting({SITE: skin})).token)


def rows(town: Town, caller: Caller, table: str) -> list[dict[str, Scalar]]:
    return [change.after for change in town.changes(caller.token) if change.table == table and change.after]


def home(town: Town, status: str = "Active") -> str:
    query = "SELECT slug FROM home WHERE status = ? AND kind = 'House' ORDER BY id LIMIT 1"
    return str(town.facts[SITE].execute(query, (status,)).fetchone()["slug"])


def test_there_are_hundreds_of_homes_and_the_city_knows_its_own(town: Town) -> None:
    facts = town.facts[SITE]
    assert facts.execute("SELECT count(*) FROM home").fetchone()[0] > 500
    assert len(TOWNS) == 6
    every = draw_homes(town.world)
    assert len({each["slug"] for each in every}) == len(every)
    inside = {each["slug"]: each["assessed"] for each in every if each["town"] == "Alderbrook"}
    parcels = {row["slug"]: row["assessed"] for row in town.facts["alderbrook"].execute("SELECT * FROM parcel")}
    assert parcels == inside


def test_a_history_ends_at_the_price(town: Town) -> None:
    facts = town.facts[SITE]
    for row in facts.execute("SELECT * FROM home ORDER BY id LIMIT 80").fetchall():
        asked = facts.execute(
            "SELECT price FROM change WHERE home = ? AND what != 'Sold' ORDER BY day DESC, id LIMIT 1", (row["id"],)
        ).fetchone()
        assert asked["price"] == row["price"]
        listed = facts.execute("SELECT * FROM change WHERE home = ? AND what = 'Listed'", (row["id"],)).fetchone()
        assert listed["day"] == row["listed"]
        assert listed["price"] >= row["price"]


def test_filters_narrow_and_orders_hold(town: Town) -> None:
    facts, today = town.facts[SITE], town.world.today

    def found(*given: tuple[str, str], sort: str = "new") -> list[dict[str, object]]:
        return [dict(row) for row in run_query(facts, HomeQuery(tuple(given), sort), today).every]

    here = ("deal", "sale"), ("town", "Fenwick")
    every = found(*here)
    assert 40 < len(every) < 70
    tests: dict[tuple[str, str], Callable[[Any], bool]] = {
        ("beds", "3"): lambda row: row["beds"] >= 3,
        ("lot", "0.5"): lambda row: row["lot"] >= ACRE / 2,
        ("hoa", "0"): lambda row: row["hoa"] == 0,
        ("feature", "Fireplace"): lambda row: "Fireplace" in row["features"],
        ("max", "300000"): lambda row: row["price"] <= 300_000,
        ("age", "7"): lambda row: (today - date.fromisoformat(row["listed"])).days <= 7,
    }
    for given, holds in tests.items():
        assert found(*here, given) == [row for row in every if holds(row)], given
        assert 0 < len(found(*here, given)) < len(every)
    prices = [row["price"] for row in found(*here, sort="low")]
    assert prices == sorted(prices)  # type: ignore[type-var]
    assert {row["kind"] for row in found(*here, ("kind", "Condo"), ("kind", "Land"))} == {"Condo", "Land"}


def test_the_same_question_is_written_alike() -> None:
    one = read_query([("town", "Fenwick"), ("beds", "3"), ("sort", "low"), ("page", "2"), ("min", ""), ("beds", "99")])
    two = read_query([("beds", "3"), ("town", "Fenwick")])
    assert one.written == two.written == "beds=3&town=Fenwick"


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_there(town: Town, app: App, skin: str) -> None:
    caller, slug = guest(town, app, skin), home(town)
    agent = town.facts[SITE].execute("SELECT slug FROM agent").fetchone()["slug"]
    paths = ("/", "/homes", "/homes?deal=rent&town=Westmere&pets=dogs&sort=high", f"/home/{slug}", "/agents")
    for path in (*paths, f"/agent/{agent}", "/town/marrow-bay", "/saved", f"/pic/{slug}.svg?view=3"):
        page = caller.get(SITE, path)
        assert page.status == 200, path
        assert "built-in method" not in page.text
    for path in ("/home/none", "/agent/none", "/town/none", "/requested/none"):
        assert caller.get(SITE, path).status == 404


def test_homes_and_searches_are_kept_once_and_let_go(town: Town, app: App) -> None:
    caller, slug = guest(town, app), home(town)
    for _ in range(2):
        caller.post(SITE, "/saved", {"home": slug})
        caller.post(SITE, "/searches", {"town": "Fenwick", "nonsense": "1"})
    assert [row["home"] for row in rows(town, caller, "hearthline_saved")] == [slug]
    assert [row["query"] for row in rows(town, caller, "hearthline_search")] == ["town=Fenwick"]
    caller.post(SITE, "/saved", {"home": slug, "remove": 1})
    caller.post(SITE, "/searches", {"remove": "town=Fenwick"})
    assert not rows(town, caller, "hearthline_saved") + rows(town, caller, "hearthline_search")


@pytest.mark.parametrize("skin", SKINS)
def test_a_tour_goes_through_every_step(town: Town, app: App, skin: str) -> None:
    caller, slug, who = guest(town, app, skin), home(town), draw_persona(town.world.rng("test"))
    caller.post(SITE, f"/tour/start/{slug}")
    assert "Choose a time." in caller.post(SITE, "/tour/when", {"day": "2026-05-08", "way": "video"}).text
    page = caller.post(SITE, "/tour/when", {"day": "2026-05-08", "way": "video", "time": "3:00 PM"})
    assert page.url.endswith("/tour/contact")
    (draft,) = rows(town, caller, "hearthline_draft")
    assert (draft["stage"], draft["touched"]) == ("contact", 0)
    caller.post(SITE, "/tour/contact", {name: who[name] for name in ("name", "email", "phone")})
    caller.post(SITE, "/tour/confirm")
    (tour,) = rows(town, caller, "hearthline_tour")
    assert (tour["home"], tour["day"], tour["time"], tour["way"]) == (slug, "2026-05-08", "3:00 PM", "video")


def test_a_home_under_offer_gives_no_tours(town: Town, app: App) -> None:
    caller, slug = guest(town, app), home(town, "Pending")
    assert caller.post(SITE, f"/tour/start/{slug}").url.endswith(f"/home/{slug}")
    assert not rows(town, caller, "hearthline_draft")


def test_distances_are_those_of_the_map() -> None:
    here, there = {"x": 0, "y": 0}, {"x": 30, "y": 40}
    assert miles(here, there) == 2.5  # type: ignore[arg-type]


def test_the_tasks_are_as_the_card_wants_them(town: Town, estate: tuple[Drawn, ...]) -> None:
    assert len(estate) == 48
    structures = Counter(str(each.key.extra["structure"]) for each in estate)
    assert max(structures.values()) <= 6
    assert len(templates_of(town, CATEGORY, "test")) >= 14
    assert len(templates_of(town, CATEGORY, "train")) >= 4
    assert {demand for each in estate for demand in each.key.extra["demands"]} == set(DEMANDS)
    hard = [each for each in estate if each.key.extra["level"] == "hard"]
    assert 3 * len(hard) >= len(estate)
    assert all(len(each.key.plan["goals"]) >= 4 for each in hard)


def test_a_task_of_every_template_is_sound(town: Town, app: App, estate: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in estate}
    for each in by_template.values():
        assert check_task(town, app, each.key, judge).wrong == ()


def test_the_train_world_has_other_names() -> None:
    test, train = (Town(World().of(split)) for split in SPLITS)
    agents = [{row["name"] for row in one.facts[SITE].execute("SELECT name FROM agent")} for one in (test, train)]
    assert not agents[0] & agents[1]
    streets = [
        {row["street"].split()[0] for row in one.facts[SITE].execute("SELECT street FROM home")}
        for one in (test, train)
    ]
    assert not streets[0] & streets[1]
    assert len(draw_tasks(train, "train", {CATEGORY: 20})) == 20


async def test_the_oracle_solves_a_sample(town: Town, app: App, estate: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in reversed(estate)}
    assert await solve_all(town, app, [by_template[name] for name in SAMPLE]) == {}
