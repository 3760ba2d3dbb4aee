"""Outbound: what can be done in the cities of the world, tickets by age, places that fill up, and the tasks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from workalike.core.key import Scalar
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.bookkit.city import CITIES
from workalike.town.bookkit.slots import Party, slots
from workalike.town.bookkit.tasks.market import SlotMarket
from workalike.town.bookkit.venue import WEEKDAYS
from workalike.town.caller import Caller
from workalike.town.check import check_task, perform
from workalike.town.kit.goal import read_goals
from workalike.town.persona import draw_persona
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.sites.outbound.tasks import TEMPLATES
from workalike.town.sites.outbound.tasks.asking import ticket_of
from workalike.town.sites.outbound.world import KINDS, QUIRKS, activities
from workalike.town.town import Town
from workalike.town.world import World
from workalike.verify.state import judge

SKINS = ("meadow", "atlas", "pinboard")
FAMILY = Party("adults=2,children=1")
SAMPLE = ("activity-then-dinner", "activity-first-day", "activity-join-meetup", "activity-comes-back", "activity-full")


@pytest.fixture(scope="module")
def mine(town: Town) -> dict[str, Drawn]:
    """One task of every template."""
    return {each.key.extra["template"]: each for each in reversed(draw_tasks(town, "test", {"activities": 80}))}


def guest(town: Town, app: App, skin: str = "atlas") -> Caller:
    return Caller(app, town.open(Setting({"outbound": skin})).token)


def rows(town: Town, caller: Caller, table: str) -> list[dict[str, Scalar]]:
    return [change.after for change in town.changes(caller.token) if change.table == table and change.after]


def test_every_city_has_four_of_every_kind_that_guests_tell_apart(town: Town) -> None:
    every = activities(town.world)
    assert len(every) == len({venue.slug for venue in every}) == len(CITIES) * len(KINDS) * 4
    for city in CITIES:
        for kind in KINDS:
            here = [venue for venue in every if (venue.city, venue.kind) == (city, kind)]
            assert len({venue.quirk for venue in here}) == 4
            assert all(QUIRKS[venue.quirk][0] in {said.text for said in venue.remarks} for venue in here)
    train = World().of("train")
    assert not {venue.name for venue in every} & {venue.name for venue in activities(train)}


def test_a_trail_is_as_hard_as_it_is_long_and_steep(town: Town) -> None:
    for trail in (venue for venue in activities(town.world) if venue.kind == "Trail"):
        length, climb = trail.numbers["length"], trail.numbers["climb"]
        assert trail.detail("Length") == f"{length / 10:.1f} km"
        assert (trail.detail("Difficulty") == "Hard") == (climb > 600 or length > 150)


def test_a_museum_is_open_on_the_evening_that_costs_nothing(town: Town) -> None:
    for museum in (venue for venue in activities(town.world) if venue.kind == "Museum"):
        day = museum.numbers["free"]
        assert WEEKDAYS[day] in museum.note("free evening")
        assert museum.hours[day] != "Closed"


def test_tickets_are_sold_by_age(town: Town) -> None:
    venue = next(each for each in activities(town.world) if each.paid)
    adult, child, senior = (fare.cents for fare in venue.fares)
    assert FAMILY.cost(venue.fares) == 2 * adult + child
    ages = venue.numbers
    assert [ticket_of(venue, age) for age in (ages["baby_to"], ages["baby_to"] + 1, ages["child_to"])] == [
        0,
        child,
        child,
    ]
    assert [ticket_of(venue, age) for age in (ages["child_to"] + 1, ages["senior_from"])] == [adult, senior]
    assert f"({ages['child_to'] + 1} to {ages['senior_from'] - 1})" in venue.fares[0].label


def test_what_takes_place_on_some_days_only_says_so(town: Town, app: App) -> None:
    meetup = next(each for each in activities(town.world) if each.kind == "Meetup" and each.books == "online")
    days = [town.world.today + timedelta(ahead) for ahead in range(7)]
    none = next(day for day in days if not slots(town.world, meetup, day))
    caller = guest(town, app)
    assert "Nothing takes place" in caller.get("outbound", f"/at/{meetup.slug}?day={none}&adults=1").text
    assert any(slots(town.world, meetup, day) for day in days)


@pytest.mark.parametrize("skin", SKINS)
def test_places_are_booked_with_what_comes_on_top(town: Town, app: App, skin: str) -> None:
    market = SlotMarket(town, "outbound")
    venue, day, time = next(
        (venue, day, times[0])
        for venue in market.all(test=lambda each: each.books == "online" and bool(each.options))
        for day in market.days_from(town.world.today, 9)
        if (times := market.free(venue, day, FAMILY))
    )
    caller, who = guest(town, app, skin), draw_persona(town.world.rng("tester"))
    start = {"venue": venue.slug, "day": day.isoformat(), "time": time, "adults": "2", "children": "1", "seniors": "0"}
    assert caller.post("outbound", "/book/start", start).url.endswith("/book/options")
    extra = venue.options[0]
    assert caller.post("outbound", "/book/options", {"option": extra.code}).url.endswith("/book/guest")
    caller.post("outbound", "/book/guest", {name: who[name] for name in ("name", "email", "phone")})
    caller.post("outbound", "/book/payment", {"card": "1234"})
    caller.post("outbound", "/book/confirm")
    (row,) = rows(town, caller, "outbound_booking")
    assert row["party"] == "adults=2,children=1"
    assert row["total"] == FAMILY.cost(venue.fares) + 3 * extra.cents


def test_a_meetup_asks_for_no_card(town: Town, app: App, mine: dict[str, Drawn]) -> None:
    key = mine["activity-join-meetup"].key
    left = perform(town, app, key, read_goals(key.plan["goals"]))
    (row,) = (change.after for change in left.changes if change.table == "outbound_booking")
    assert (row["total"], row["card"]) == (0, None)


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_there(town: Town, app: App, skin: str) -> None:
    caller = guest(town, app, skin)
    for kind in KINDS:
        venue = next(each for each in activities(town.world) if each.kind == kind)
        for page in ("", "?day=2026-05-09&adults=2", "/rules", "/reviews"):
            assert caller.get("outbound", f"/at/{venue.slug}{page}").status == 200
        assert caller.get("outbound", f"/at/{venue.slug}/sheet").status == 404, "there is no menu here"
    for page in ("/", "/city/Lisbon?Language=French&Difficulty=Easy", "/map/Lisbon", "/help", "/find", "/saved"):
        assert caller.get("outbound", page).status == 200


def test_templates_are_many_and_say_what_they_demand() -> None:
    test = [each for each in TEMPLATES if each.split == "test"]
    assert len(test) >= 18
    assert all(each.demands for each in test)
    assert all(len(each.voices) >= 4 for each in TEMPLATES)


@pytest.mark.parametrize("template", SAMPLE)
def test_a_sample_of_tasks_is_sound(town: Town, app: App, mine: dict[str, Drawn], template: str) -> None:
    found = check_task(town, app, mine[template].key, judge)
    assert found.wrong == ()
