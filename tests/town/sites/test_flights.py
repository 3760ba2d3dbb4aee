"""The sites that sell flights: what flies follows from the date, prices add up, the oracle books through the page."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.town.test_oracle import solve_all
from workalike.town.benchmark import draw_tasks
from workalike.town.caller import Caller
from workalike.town.check import check_task
from workalike.town.flightkit.agency import GANNET, SOLENNE
from workalike.town.flightkit.fares import BY_NAME, party
from workalike.town.flightkit.journeys import LONGEST, SHORTEST, Journey, journeys
from workalike.town.flightkit.places import CARRIERS, CITIES
from workalike.town.flightkit.planes import CABINS, LAYOUTS, seats
from workalike.town.flightkit.schedule import schedule
from workalike.town.flightkit.trip import Trip, total
from workalike.town.server import App
from workalike.town.town import Town
from workalike.town.world import World
from workalike.verify.state import judge

WORLD = World()
DAY = WORLD.today + timedelta(17)
SAMPLE = ("flight-any-seat", "flight-move", "flight-four-days", "flight-none-left", "flight-walled")


def some_way(fare: str = "Light") -> Journey:
    """A nonstop flight from New York to Lisbon with seats left."""
    for shift in range(60):
        for way in journeys(WORLD, "JFK", "LIS", DAY + timedelta(shift), ("LN",)):
            if not way.stops and BY_NAME[fare] in way.fares():
                return way
    raise AssertionError("nothing flies from New York to Lisbon")


def test_many_cities_and_airlines_fly_every_day() -> None:
    assert len(CITIES) >= 60
    assert len(CARRIERS) >= 3
    assert all(
        any(str(day) in leg.days for legs in schedule(WORLD).values() for leg in legs if leg.carrier == carrier)
        for day in range(1, 8)
        for carrier in CARRIERS
    )


def test_nearly_every_pair_of_cities_can_be_flown() -> None:
    pairs = [(one, two) for one in list(CITIES)[::5] for two in list(CITIES)[2::7] if one != two]
    found = [pair for pair in pairs if journeys(WORLD, *pair, DAY)]
    assert len(found) > 0.9 * len(pairs)


def test_changes_leave_time_to_change() -> None:
    ways = [way for way in journeys(WORLD, "PDX", "VIE", DAY) if way.stops]
    assert ways
    assert all(SHORTEST <= wait <= LONGEST for way in ways for wait in way.waits)
    assert all(way.flights[0].leg.carrier == way.flights[1].leg.carrier for way in ways)


def test_flight_numbers_are_never_used_twice() -> None:
    numbers = [leg.number for legs in schedule(WORLD).values() for leg in legs]
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("plane", LAYOUTS)
def test_as_many_seats_are_free_as_are_left(plane: str) -> None:
    for cabin in LAYOUTS[plane]:
        chart = seats(WORLD, "LN 1", DAY, plane, cabin, 5)
        assert sum(seat.free for seat in chart) == 5
        assert len({seat.name for seat in chart}) == len(chart)
    assert set(LAYOUTS[plane]) <= set(CABINS)


def test_a_bill_adds_up() -> None:
    way = some_way("Standard")
    trip = Trip("JFK", "LIS", way.day.isoformat(), way.key, fare="Standard", adults=2, children=1, bags=2, lounge=1)
    fare = party(way.cents(BY_NAME["Standard"]), 2, 1)
    assert total(SOLENNE, WORLD, trip) == fare + 2 * CARRIERS["LN"].bag + 3 * 3900
    assert total(GANNET, WORLD, trip) == total(SOLENNE, WORLD, trip) + 3 * GANNET.fee


def test_a_bad_search_is_told(town: Town, app: App) -> None:
    attempt = town.open()
    caller = Caller(app, attempt.token)
    past = caller.get("gannet", "/flights", **{"from": "JFK", "to": "LIS", "depart": "2020-01-01"})
    same = caller.get("gannet", "/flights", **{"from": "JFK", "to": "JFK", "depart": DAY})
    town.close(attempt.token)
    assert "Choose a day of departure" in past.text
    assert "Choose two different cities" in same.text


def test_a_ticket_is_a_document(town: Town, app: App) -> None:
    attempt = town.open()
    number = town.begin_rows("gannet_booking")[0]["number"]
    reply = Caller(app, attempt.token).get("gannet", f"/booking/{number}/ticket.pdf")
    town.close(attempt.token)
    assert reply.body.startswith(b"%PDF")
    assert str(number).encode() in reply.body


def test_a_stop_before_personal_data_leaves_only_a_draft(town: Town, app: App) -> None:
    way, attempt = some_way(), town.open()
    caller = Caller(app, attempt.token)
    form = {"from": "JFK", "to": "LIS", "depart": way.day, "adults": 1, "children": 0, "outbound": way.key}
    caller.post("solenne", "/trip", form)
    caller.post("solenne", "/trip/fare", {"fare": "Light"})
    changes = [change for change in town.changes(attempt.token) if change.table.startswith("solenne")]
    town.close(attempt.token)
    assert [change.table for change in changes] == ["solenne_trip"]
    assert changes[0].after["total"] == way.cents(BY_NAME["Light"])
    assert changes[0].after["touched"] == 0


def test_a_sold_out_fare_cannot_be_taken(town: Town, app: App) -> None:
    ways = (way for shift in range(90) for way in journeys(WORLD, "JFK", "LIS", DAY + timedelta(shift), ("LN",)))
    way = next(way for way in ways if not way.stops and not way.left("Economy"))
    attempt = town.open()
    caller = Caller(app, attempt.token)
    form = {"from": "JFK", "to": "LIS", "depart": way.day, "adults": 1, "children": 0, "outbound": way.key}
    caller.post("solenne", "/trip", form)
    caller.post("solenne", "/trip/fare", {"fare": "Light"})
    changes = [change for change in town.changes(attempt.token) if change.table.startswith("solenne")]
    town.close(attempt.token)
    assert changes[0].after["fare"] == ""


def test_one_task_of_each_template_is_sound(town: Town, app: App) -> None:
    for split in ("test", "train"):
        drawn = draw_tasks(town, split, {"flights": 16})
        assert {each.task.id: check_task(town, app, each.key, judge).wrong for each in drawn} == {
            each.task.id: () for each in drawn
        }


async def test_the_oracle_solves_a_sample(town: Town, app: App) -> None:
    drawn = {each.key.extra["template"]: each for each in draw_tasks(town, "test", {"flights": 16})}
    assert await solve_all(town, app, [drawn[name] for name in SAMPLE]) == {}
