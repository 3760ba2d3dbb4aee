"""The hotel sites: houses and prices of the world, searching, booking step by step, earlier bookings, and the tasks."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from tests.town.test_oracle import solve_all
from workalike.core.key import Scalar
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.caller import Caller
from workalike.town.check import check_task
from workalike.town.hotelkit.agency import STAYWARD
from workalike.town.hotelkit.houses import CITIES, houses
from workalike.town.hotelkit.listing import HotelQuery, run_ask, suggest
from workalike.town.hotelkit.prices import HotelStay, offers, read_stay, rooms_left, rows_of
from workalike.town.hotelkit.tasks import TEMPLATES
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.rooms import Room
from workalike.town.persona import draw_persona
from workalike.town.render import long_date, money
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.town import Town
from workalike.town.world import World
from workalike.verify.state import judge

SKINS = [("stayward", "breeze"), ("stayward", "ink"), ("aldergate", "brass"), ("aldergate", "slate")]
STAY = HotelStay(date(2026, 5, 22), date(2026, 5, 25))
SAMPLE = ("hotel-with-things", "hotel-move", "hotel-cheapest-with", "hotel-full-house", "hotel-any-house")


def guest(town: Town, app: App, site: str = "stayward", skin: str = "ink") -> Caller:
    return Caller(app, town.open(Setting({site: skin})).token)


def rows(town: Town, caller: Caller, table: str) -> list[dict[str, Scalar]]:
    return [change.after for change in town.changes(caller.token) if change.table == table and change.after]


def some_room(town: Town, site: str, rate: str = "flex") -> Room:
    """The first room that can be had on these terms, in a house with parking to pay for."""
    market = Market(town, site)
    for row in market.facts.execute("SELECT * FROM hotel WHERE parking > 0 AND late > 0 ORDER BY id").fetchall():
        for room in market.offers(room_of(site, row, STAY)):
            if room.rate == rate:
                return room
    raise AssertionError("the world has no such room")


def start(caller: Caller, room: Room) -> str:
    chosen = {"hotel": room.slug, "room": room.room, "rate": room.rate, "in": room.arrive, "out": room.depart}
    return caller.post(room.site, "/book/start", chosen | {"adults": room.adults}).url


def test_there_are_hundreds_of_houses_of_several_chains(town: Town) -> None:
    every = houses(town.world)
    assert len(every) > 400
    assert len(CITIES) >= 60
    assert len({house.chain for house in every}) >= 5
    own = town.facts["aldergate"].execute("SELECT count(*), count(DISTINCT city) FROM hotel").fetchone()
    assert own[0] >= 60
    assert own[1] == len(CITIES)


def test_prices_follow_from_the_world_alone(town: Town) -> None:
    hotel = town.facts["stayward"].execute("SELECT * FROM hotel LIMIT 1").fetchone()
    room = rows_of(town.facts["stayward"], hotel["id"])[0]
    free = next(
        stay
        for ahead in range(60)
        if (stay := HotelStay(STAY.arrive + timedelta(ahead), STAY.depart + timedelta(ahead)))
        and offers(STAYWARD, town.world, hotel, room, stay)
    )
    first = offers(STAYWARD, town.world, hotel, room, free)
    anew = Town(World()).facts["stayward"].execute("SELECT * FROM hotel LIMIT 1").fetchone()
    assert first == offers(STAYWARD, World(), anew, room, free), "a world built anew has the same prices"
    others = [offers(STAYWARD, World(seed=seed), hotel, room, free) for seed in range(2, 6)]
    assert all(other != first for other in others), "another world has others"
    by_rate = {offer.rate.code: offer for offer in first}
    meals = hotel["breakfast"] * free.guests * free.nights
    assert by_rate["breakfast"].total == by_rate["flex"].total + meals
    assert by_rate["flex"].until == free.arrive - timedelta(hotel["cancel_days"])
    saver = by_rate.get("saver")
    assert saver is None or (saver.total < by_rate["flex"].total and saver.until is None)


def test_some_houses_are_full_and_say_so(town: Town, app: App) -> None:
    market = Market(town, "stayward")
    full = next(
        room
        for row in market.facts.execute("SELECT * FROM hotel ORDER BY id").fetchall()
        if not market.offers(room := room_of("stayward", row, STAY))
    )
    days = [rooms_left(town.world, full.slug, "std", day) for day in STAY.days]
    assert 0 in days
    page = guest(town, app).get("stayward", f"/hotel/{full.slug}?{STAY.query}").text
    assert f"{full.name} has no rooms left" in page
    assert "/book/start" not in page


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"in": "2026-05-25"}, "both"),
        ({"in": "2026-05-25", "out": "2026-05-25"}, "after check-in"),
        ({"in": "2026-05-01", "out": "2026-05-03"}, "from today"),
        ({"in": "soon", "out": "later"}, "both"),
    ],
)
def test_a_stay_that_makes_no_sense_is_told_why(query: dict[str, str], problem: str) -> None:
    stay, said = read_stay(query, date(2026, 5, 4))
    assert stay is None
    assert problem in said


def test_filters_narrow_and_orders_hold(town: Town) -> None:
    facts = town.facts["stayward"]

    def names(**asked: object) -> list[str]:
        found = run_ask(STAYWARD, town.world, facts, HotelQuery("Lisbon", **asked), STAY)  # type: ignore[arg-type]
        return [hit.hotel["name"] for hit in found.hits]

    every = run_ask(STAYWARD, town.world, facts, HotelQuery("Lisbon"), STAY)
    assert every.total == 14
    assert every.pages == 3
    priced = run_ask(STAYWARD, town.world, facts, HotelQuery("Lisbon", sort="price"), STAY).hits
    totals = [hit.offer.total for hit in priced if hit.offer]
    assert totals == sorted(totals)
    close = run_ask(STAYWARD, town.world, facts, HotelQuery("Lisbon", within="1"), STAY)
    assert 0 < close.total < 14
    assert all(hit.hotel["distance"] <= 10 for hit in close.hits)
    pool = run_ask(STAYWARD, town.world, facts, HotelQuery("Lisbon", amenities=("Swimming pool",)), STAY)
    having = [name for name, held in _amenities(town, "Lisbon").items() if "Swimming pool" in held]
    assert 0 < len(having) < 14
    assert pool.total == len(having)
    assert {hit.hotel["name"] for hit in pool.hits} <= set(having)
    meals = run_ask(STAYWARD, town.world, facts, HotelQuery("Lisbon", board="half"), STAY)
    assert {hit.offer.rate.code for hit in meals.hits if hit.offer} == {"half"}
    assert names(stars=("5",)) != names()
    assert names(most=1) == []


def _amenities(town: Town, city: str) -> dict[str, set[str]]:
    """What the houses of a city have, straight from the rows."""
    query = "SELECT hotel.name, amenity.name FROM hotel JOIN amenity ON amenity.hotel = hotel.id WHERE city = ?"
    held: dict[str, set[str]] = {}
    for house, name in town.facts["stayward"].execute(query, (city,)):
        held.setdefault(house, set()).add(name)
    return held


def test_suggestions_are_cities_first_then_houses(town: Town) -> None:
    found = suggest(town.facts["stayward"], "lisb")
    assert found[0] == {"value": "Lisbon", "name": "Lisbon, Portugal", "kind": "City"}
    assert {each["kind"] for each in found[1:]} == {"Hotel"}
    assert suggest(town.facts["stayward"], "x") == []


@pytest.mark.parametrize(("site", "skin"), SKINS)
def test_every_page_is_there(town: Town, app: App, site: str, skin: str) -> None:
    caller, room = guest(town, app, site, skin), some_room(town, site)
    paths = (
        "/",
        "/destinations",
        "/city/Lisbon",
        f"/search?where=Lisbon&{STAY.query}",
        f"/hotel/{room.slug}",
        "/saved",
    )
    for path in (*paths, "/find", "/help", "/search?where=Atlantis", f"/pic/hotel/{room.slug}.svg?view=3"):
        page = caller.get(site, path)
        assert page.status == 200, path
        assert "built-in method" not in page.text
    assert money(room.total) in caller.get(site, f"/hotel/{room.slug}?{STAY.query}").text
    assert caller.get(site, "/hotel/nowhere").status == 404
    assert caller.get(site, "/city/Atlantis").status == 404
    named = caller.get(site, "/search", where=room.name.lower(), **{"in": room.arrive, "out": room.depart})
    assert f"/hotel/{room.slug}?" in named.url


@pytest.mark.parametrize(("site", "skin"), SKINS)
def test_a_booking_goes_through_every_step(town: Town, app: App, site: str, skin: str) -> None:
    caller, room, who = guest(town, app, site, skin), some_room(town, site), draw_persona(town.world.rng("test"))
    steps = town.sites[site].skin(skin).steps
    assert start(caller, room).endswith(f"/book/{steps[0]}")
    given: dict[str, list[tuple[str, str]]] = {
        "extras": [("extra", "late"), ("extra", "parking"), ("extra", "unicorn")],
        "arrival": [("arrival", "In the evening")],
        "guest": [(name, who[name]) for name in ("name", "email", "phone")],
        "payment": [("card", "1234")],
    }
    for step in steps[:-1]:
        (draft,) = rows(town, caller, f"{site}_draft")
        assert draft["stage"] == step
        after_guest = steps.index("guest") < steps.index(step)
        assert draft["touched"] == int(after_guest)
        assert not rows(town, caller, f"{site}_booking")
        caller.post(site, f"/book/{step}", given[step])
    done = caller.post(site, "/book/confirm")
    (booking,) = rows(town, caller, f"{site}_booking")
    hotel = Market(town, site).row(room.slug)
    assert booking["total"] == room.total + hotel["late"] + 3 * hotel["parking"]
    assert booking["extras"] == "late,parking"
    assert (booking["name"], booking["card"], booking["status"]) == (who["name"], "1234", "Confirmed")
    assert done.url.endswith(f"/booking/{booking['number']}")
    assert caller.get(site, f"/booking/{booking['number']}/confirmation.pdf").body.startswith(b"%PDF")


def test_steps_cannot_be_skipped_and_nothing_is_confirmed_early(town: Town, app: App) -> None:
    caller, room = guest(town, app), some_room(town, "stayward")
    start(caller, room)
    assert caller.get("stayward", "/book/payment").url.endswith("/book/arrival")
    caller.post("stayward", "/book/confirm")
    assert rows(town, caller, "stayward_booking") == []
    page = caller.post("stayward", "/book/guest", {"name": "Nora", "email": "nobody", "phone": "503-555-0101"}).text
    assert "Enter a valid e-mail address." in page
    assert "Enter first and last name." in page
    caller.post("stayward", "/book/touch")
    assert rows(town, caller, "stayward_draft")[0]["touched"] == 1
    assert len(rows(town, caller, "stayward_draft")) == 1


def test_what_is_sold_out_cannot_be_booked(town: Town, app: App) -> None:
    caller, room = guest(town, app), some_room(town, "stayward")
    crowd = {
        "hotel": room.slug,
        "room": room.room,
        "rate": room.rate,
        "in": room.arrive,
        "out": room.depart,
        "adults": 9,
    }
    assert "/hotel/" in caller.post("stayward", "/book/start", crowd).url
    assert rows(town, caller, "stayward_draft") == []


def test_an_earlier_booking_needs_number_and_name(town: Town, app: App) -> None:
    caller, row = guest(town, app), town.begin_rows("stayward_booking")[0]
    number, name = str(row["number"]), str(row["name"]).split()[-1]
    assert caller.get("stayward", f"/booking/{number}").status == 404
    assert caller.post("stayward", "/find", {"number": number, "name": "Nobody"}).status == 404
    assert caller.post("stayward", f"/booking/{number}/cancel").status == 404
    page = caller.post("stayward", "/find", {"number": number.lower(), "name": name.upper()})
    assert number in page.text
    caller.post("stayward", f"/booking/{number}/cancel")
    assert [booking["status"] for booking in rows(town, caller, "stayward_booking")] == ["Cancelled"]


def test_the_calendar_speaks_in_full_dates(town: Town, app: App) -> None:
    """The page gives the script what it needs; dates are worded as everywhere else."""
    page = guest(town, app).get("stayward", f"/hotel/{some_room(town, 'stayward').slug}?{STAY.query}").text
    assert re.search(r'data-today="2026-05-04"', page)
    assert long_date(STAY.arrive) in page
    assert 'type="date"' not in page


def test_every_template_makes_sound_tasks(town: Town, app: App) -> None:
    """One task of each template; `workalike tasks town --check` goes through all of them."""
    for split in ("test", "train"):
        names = {each.name for each in TEMPLATES if each.split == split}
        assert len(names) >= 8
        drawn = draw_tasks(town, split, {"hotels": len(names)})
        assert {each.key.extra["template"] for each in drawn} == names
        for each in drawn:
            assert check_task(town, app, each.key, judge).wrong == (), each.task.instruction


def test_no_slot_is_left_empty(town: Town) -> None:
    for each in draw_tasks(town, "test", {"hotels": 52}):
        assert not re.search(r"[{}]|  | ,", each.task.instruction), each.task.instruction


async def test_the_oracle_solves_a_sample(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in reversed(drawn)}
    assert await solve_all(town, app, [by_template[name] for name in SAMPLE]) == {}


def test_both_sites_sell_the_chains_houses_at_their_own_prices(town: Town) -> None:
    room = some_room(town, "aldergate")
    there = [
        each.total for each in Market(town, "stayward").offers(room) if (each.room, each.rate) == (room.room, room.rate)
    ]
    assert len(there) == 1
    assert abs(there[0] - room.total) < 0.15 * room.total
