"""Facts: what a page prints is noted as shown to the attempt, once, on whatever page it stands; nothing else is."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from workalike.core.key import Shown
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.caller import Caller
from workalike.town.check import perform
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.kit.goal import read_goals
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.town import Town
from workalike.verify.state import judge


def shown(town: Town, caller: Caller, site: str, thing: str, field: str) -> list[Shown]:
    return [each for each in town.shown(caller.token) if (each.site, each.thing, each.field) == (site, thing, field)]


def test_a_price_is_shown_by_a_listing_as_by_the_products_page(town: Town, app: App) -> None:
    row = town.facts["marlow"].execute("SELECT * FROM product WHERE category = 'mugs' ORDER BY rank LIMIT 1").fetchone()
    for path in ("/c/mugs", f"/p/{row['slug']}"):
        caller = Caller(app, town.open().token)
        assert shown(town, caller, "marlow", row["slug"], "price") == []
        caller.get("marlow", path)
        caller.get("marlow", path)
        (fact,) = shown(town, caller, "marlow", row["slug"], "price")
        assert fact.value.startswith("$")
    assert shown(town, caller, "kestrel", row["slug"], "price") == []


def test_a_variant_is_only_known_to_be_sold_out_once_it_is_chosen(town: Town, app: App) -> None:
    query = "SELECT sku, first, second, slug FROM variant JOIN product ON product.id = product WHERE variant.stock = 0"
    row = town.facts["marlow"].execute(f"{query} AND product.stock > 0 AND first != '' ORDER BY sku LIMIT 1").fetchone()
    caller = Caller(app, town.open().token)
    page = caller.get("marlow", f"/p/{row['slug']}").text
    assert row["sku"] not in page, "the page itself does not give it away"
    assert shown(town, caller, "marlow", row["sku"], "stock") == []
    asked = {"first": row["first"], "second": row["second"]}
    assert caller.get("marlow", f"/p/{row['slug']}/stock", **asked).text == '{"text":"Sold out","left":0}'
    (fact,) = shown(town, caller, "marlow", row["sku"], "stock")
    assert fact.value == "Sold out"


def test_a_rate_is_shown_for_the_stay_that_was_asked_for(town: Town, app: App) -> None:
    market = Market(town, "stayward")
    row = market.facts.execute("SELECT * FROM hotel ORDER BY id LIMIT 1").fetchone()
    caller = Caller(app, town.open().token)
    caller.get("stayward", f"/hotel/{row['slug']}")
    assert shown(town, caller, "stayward", row["slug"], "total") == []
    caller.get("stayward", f"/hotel/{row['slug']}?in=2026-05-11&out=2026-05-13&adults=2&children=0&rooms=1")
    facts = shown(town, caller, "stayward", row["slug"], "total") or shown(
        town, caller, "stayward", row["slug"], "full"
    )
    assert {(fact.context["in"], fact.context["out"]) for fact in facts} == {("2026-05-11", "2026-05-13")}
    assert room_of("stayward", row).slug == row["slug"]


def test_a_wall_is_met_where_it_stands_and_by_what_one_was_about(town: Town, app: App) -> None:
    caller = Caller(app, town.open(Setting(wall={"marlow": "/p/"})).token)
    caller.get("marlow", "/c/mugs")
    assert shown(town, caller, "marlow", "wall", "wall") == []
    caller.get("marlow", "/p/some-mug?utm=x")
    (fact,) = shown(town, caller, "marlow", "wall", "wall")
    assert fact.context == {"path": "/p/some-mug"}


def test_facts_are_an_attempts_own_and_end_with_it(town: Town, app: App) -> None:
    one, two = town.open(), town.open()
    Caller(app, one.token).get("marlow", "/c/mugs")
    assert town.shown(one.token)
    assert town.shown(two.token) == ()
    town.reset(one.token)
    assert town.shown(one.token) == ()


@pytest.fixture(scope="module")
def trained(town: Town) -> tuple[Drawn, ...]:
    return draw_tasks(town, "train")


@pytest.mark.parametrize(
    ("template", "fields", "seen"),
    [
        ("shop-compare-delivered", ("delivery", "Standard", "Economy"), {"value": "Free"}),
        ("flight-fare-gap", ("fare ",), {"value": "Sold out"}),
        ("flight-family", ("fare ",), {"value": "Sold out"}),
        ("flight-sold-out", ("sold out",), {"context": {"cabin": "Economy", "adults": "6", "children": "0"}}),
    ],
)
def test_what_stands_there_for_another_cart_or_more_people_earns_nothing(
    town: Town, app: App, trained: tuple[Drawn, ...], template: str, fields: tuple[str, ...], seen: dict[str, Any]
) -> None:
    """Free delivery of a fuller cart tells no fee, and a flight without six seats may still have one."""
    keys = [each.key for each in trained if each.key.extra["template"] == template]
    key = next(key for key in keys if "'$" in repr(key.evaluators[0].shown) or template == "flight-sold-out")
    done, line = perform(town, app, key, read_goals(key.plan["goals"])), key.plan["line"]
    other = [replace(fact, **seen) if fact.field.startswith(fields) else fact for fact in done.shown]
    assert judge(key, done.changes, line, done.shown).outcome in ("success", "unavailable")
    (failed,) = judge(key, done.changes, line, other).failures
    assert failed.failure == "unearned_answer"
