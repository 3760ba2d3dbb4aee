"""What a stranger found who attacked the town by plain requests: ways to pass without having done it, and ways to be
failed although one did."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from workalike.core.key import Key, OneOf
from workalike.core.verdict import Verdict
from workalike.town.benchmark import Drawn, setting_of
from workalike.town.caller import Caller
from workalike.town.hotelkit.tasks.goals import BookRoom
from workalike.town.kit.goal import Goal, read_goals
from workalike.town.server import App
from workalike.town.shopkit.tasks.goals import FillCart
from workalike.town.shopkit.tasks.items import neighbour
from workalike.town.town import Town
from workalike.verify.state import judge


def of_template(drawn: tuple[Drawn, ...], name: str) -> Drawn:
    return next(each for each in drawn if each.key.extra["template"] == name)


def judged(town: Town, caller: Caller, key: Key) -> Verdict:
    verdict = judge(key, town.changes(caller.token), key.plan["line"], town.shown(caller.token))
    town.close(caller.token)
    return verdict


def performed(town: Town, app: App, key: Key, *goals: Goal) -> Caller:
    caller = Caller(app, town.open(setting_of(key)).token)
    for goal in goals or read_goals(key.plan["goals"]):
        goal.perform(caller)
    return caller


def test_a_wall_is_met_for_the_right_number_of_people(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    key = of_template(drawn, "hotel-walled").key
    assert not judged(town, performed(town, app, key), key).failures
    (goal,) = read_goals(key.plan["goals"])
    assert isinstance(goal, BookRoom)
    more = replace(goal, room=replace(goal.room, adults=goal.room.adults + 1))
    assert judged(town, performed(town, app, key, more), key).failures


def test_a_wall_is_met_with_the_right_number_of_seats(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    key = of_template(drawn, "stage-wall").key
    assert not judged(town, performed(town, app, key), key).failures
    caller = performed(town, app, key, *read_goals(key.plan["goals"])[:1])
    path = next(
        context["path"] for group in key.evaluators[0].shown for context in [group[0].context] if "path" in context
    )
    caller.post("encore", path, [("seat", "A1")])
    assert judged(town, caller, key).failures


def test_a_checkout_that_was_begun_with_another_cart_was_not_reached(
    town: Town, app: App, drawn: tuple[Drawn, ...]
) -> None:
    for each in drawn:
        goals = read_goals(each.key.plan["goals"])
        if len(goals) == 1 and isinstance(goals[0], FillCart) and goals[0].until == "checkout":
            break
    else:
        pytest.fail("no task stops at the checkout")
    goal, key = goals[0], each.key
    wrong = replace(goal, items=(neighbour(town, goal.items[0]),), promo="", gift=False)
    caller = performed(town, app, key, wrong)
    caller.post(goal.site, "/cart/change", {"line": "1", "remove": "1"})
    replace(goal, until="cart").perform(caller)
    assert judge(key, town.changes(caller.token), key.plan["line"], town.shown(caller.token)).failures
    caller.get(goal.site, "/checkout")
    assert not judged(town, caller, key).failures


@pytest.mark.parametrize(
    ("template", "path", "form"),
    [
        ("hotel-any-house", "/book/guest", {"name": "Alex Example", "email": "not-an-email", "phone": "212-555-0100"}),
        ("shop-any", "/checkout/contact", {"email": "not-an-email", "phone": ""}),
    ],
)
def test_personal_data_that_a_form_refuses_stays_known(
    town: Town, app: App, drawn: tuple[Drawn, ...], template: str, path: str, form: dict[str, str]
) -> None:
    key = of_template(drawn, template).key
    caller = performed(town, app, key)
    (goal,) = read_goals(key.plan["goals"])
    caller.get(goal.site, "/checkout")  # type: ignore[attr-defined]
    caller.post(goal.site, path, form)  # type: ignore[attr-defined]
    assert judged(town, caller, key).outcome == "critical_point_crossed"


def test_any_of_several_right_things_may_be_wished_for(drawn: tuple[Drawn, ...]) -> None:
    for template, column in (("shop-any", "product"), ("hotel-any-house", "hotel")):
        way = of_template(drawn, template).key.evaluators[0]
        wished = [row.after[column] for row in way.allowed if column in row.after]
        assert wished
        assert all(isinstance(each, OneOf) and len(each.values) > 1 for each in wished)


@pytest.mark.parametrize(
    ("site", "path"),
    [("stayward", "/search?city=Boston&adults={}"), ("forkline", "/search?guests={}"), ("marlow", "/c/x?page={}")],
)
def test_a_count_of_thousands_of_digits_is_no_accident(town: Town, app: App, site: str, path: str) -> None:
    caller = Caller(app, town.open(setting_of(Key("x"))).token)
    assert caller.get(site, path.format("9" * 5000)).status < 500
    assert caller.post("marlow", "/cart/add", {"product": "x", "quantity": "9" * 5000}).status < 500
    town.close(caller.token)


def test_odd_hosts_and_addresses_lead_nowhere(app: App) -> None:
    client = TestClient(app, base_url="http://marlow.town.localhost", follow_redirects=False)
    assert client.get("/", headers={"host": "marlow.town.localhost:99999"}).status_code == 404
    assert client.get("http://marlow.town.localhost//evil.test/?attempt=x").headers["location"].startswith("/evil.test")
