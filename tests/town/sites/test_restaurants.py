"""Forkline: restaurants of the world, looking for a table, booking one step by step, waiting lists, and the tasks."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from workalike.core.key import OneOf, Scalar
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.bookkit.city import CITIES, landmarks, metres
from workalike.town.bookkit.listing import VenueQuery, run_query, suggest
from workalike.town.bookkit.slots import Party, fits, full_days, read_day, read_party, slots
from workalike.town.bookkit.tables import slot_key
from workalike.town.bookkit.tasks.goals import BookSlot
from workalike.town.bookkit.tasks.market import SlotMarket
from workalike.town.bookkit.tasks.outing import outing_of
from workalike.town.bookkit.venue import Venue
from workalike.town.caller import Caller
from workalike.town.check import check_task, perform
from workalike.town.kit.goal import read_goals
from workalike.town.persona import draw_persona
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.sites.forkline.tasks import TEMPLATES
from workalike.town.sites.forkline.world import KINDS, QUIRKS, restaurants
from workalike.town.town import Town
from workalike.town.world import World
from workalike.verify.state import judge

SKINS = ("olive", "noir", "crumb")
TWO = Party("guests=2")
SAMPLE = ("table-described", "table-any-for-me", "table-next-free", "table-cancel-unless", "table-wall", "table-quote")


@pytest.fixture(scope="module")
def mine(town: Town) -> dict[str, Drawn]:
    """One task of every template."""
    return {each.key.extra["template"]: each for each in reversed(draw_tasks(town, "test", {"restaurants": 52}))}


def guest(town: Town, app: App, skin: str = "noir") -> Caller:
    return Caller(app, town.open(Setting({"forkline": skin})).token)


def rows(town: Town, caller: Caller, table: str) -> list[dict[str, Scalar]]:
    return [change.after for change in town.changes(caller.token) if change.table == table and change.after]


def some_table(town: Town, deposit: bool) -> tuple[Venue, date, str]:
    """A restaurant with seats to choose from that has a table for two, and when."""
    market = SlotMarket(town, "forkline")
    for venue in market.all(test=lambda each: each.books == "online" and bool(each.seats) and each.paid == deposit):
        for day in market.days_from(town.world.today, 9):
            if times := market.free(venue, day, TWO):
                return venue, day, times[0]
    raise AssertionError("the world has no such table")


def test_every_city_has_every_kitchen_and_no_oddity_twice(town: Town) -> None:
    every = restaurants(town.world)
    assert len(every) == len({venue.name for venue in every}) == len({venue.slug for venue in every}) == 180
    for city in CITIES:
        here = [venue for venue in every if venue.city == city]
        assert {venue.kind for venue in here} == set(KINDS)
        assert len({venue.quirk for venue in here}) == len(here)
        assert all(QUIRKS[venue.quirk][0] in {said.text for said in venue.remarks} for venue in here)
    assert {venue.books for venue in every} == {"online", "walk-in", "phone"}


def test_the_world_is_the_same_again_and_another_seed_is_another_world() -> None:
    assert restaurants(World()) == restaurants(World(today=World().today))
    assert {venue.name for venue in restaurants(World())} != {venue.name for venue in restaurants(World(seed=7))}
    train = World().of("train")
    assert not {venue.name for venue in restaurants(World())} & {venue.name for venue in restaurants(train)}


def test_the_rules_say_the_numbers_that_tasks_are_drawn_by(town: Town) -> None:
    for venue in restaurants(town.world):
        assert f"{venue.numbers['cancel']} hours" in venue.note("cancellation")
        assert f"${venue.numbers['group'] // 100} a head" in venue.note("groups")
        assert (f"${venue.numbers['corkage'] // 100} each" in venue.note("corkage")) == (venue.numbers["corkage"] > 0)
        assert ("everywhere" in venue.note("dogs")) == (venue.numbers["dogs"] == 2)


def test_times_follow_from_the_world_alone_and_fill_up(town: Town) -> None:
    venue = next(each for each in restaurants(town.world) if each.books == "online")
    days = [town.world.today + timedelta(ahead) for ahead in range(60)]
    first = [slots(town.world, venue, day) for day in days]
    assert first == [slots(World(), venue, day) for day in days]
    assert first != [slots(World(seed=2), venue, day) for day in days]
    full = full_days(town.world, venue, days[0], 60)
    assert 0 < len(full) < 30
    assert all(not any(slot.left for slot in slots(town.world, venue, date.fromisoformat(day))) for day in full)
    slot = next(slot for times in first for slot in times if slot.left)
    assert fits(venue, slot, Party("guests=1"))
    assert not fits(venue, slot, Party(f"guests={slot.left + 1}"))
    assert not fits(replace(venue, largest=1), slot, TWO)


def test_what_makes_no_sense_is_no_party_and_no_day() -> None:
    kinds = {"guests": "Guests"}
    assert read_party({"guests": "4"}, kinds) == Party("guests=4")
    assert [read_party({"guests": text}, kinds) for text in ("", "0", "-2", "21", "two", "9" * 30)] == [None] * 6
    today = date(2026, 5, 4)
    assert read_day("2026-05-04", today) == today
    assert [read_day(text, today) for text in ("", "2026-05-03", "2027-05-03", "soon")] == [None] * 4


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_there(town: Town, app: App, skin: str) -> None:
    venue, day, _ = some_table(town, deposit=True)
    caller, when = guest(town, app, skin), f"day={day}&guests=2"
    pages = ["/", "/city/Vienna", f"/search?where=Vienna&{when}", "/map/Vienna?kind=Thai", "/saved", "/help", "/find"]
    pages += [f"/at/{venue.slug}", f"/at/{venue.slug}?{when}", f"/wait/{venue.slug}?{when}", "/search?where=nowhere"]
    pages += [f"/at/{venue.slug}/{page}" for page in ("sheet", "rules", "reviews")]
    for page in pages:
        assert caller.get("forkline", page).status == 200, page
    for page in ("/city/Atlantis", "/at/nobody", f"/at/{venue.slug}/secrets", "/booking/FL1"):
        assert caller.get("forkline", page).status == 404, page
    assert venue.name in caller.get("forkline", f"/search?where={venue.name.replace('&', '%26')}").text


def test_filters_narrow_and_orders_hold(town: Town) -> None:
    facts, day = town.facts["forkline"], town.world.today + timedelta(5)

    def found(**asked: object) -> list[Venue]:
        query = VenueQuery("Vienna", **asked)  # type: ignore[arg-type]
        return [hit.venue for hit in run_query(town.world, facts, query).hits]

    every = run_query(town.world, facts, VenueQuery("Vienna"), day, TWO)
    assert (every.total, every.pages) == (30, 4)
    assert {venue.kind for venue in found(kinds=("Thai",))} == {"Thai"}
    assert all("Terrace" not in venue.seats or "Outdoor seating" in venue.traits for venue in found())
    assert all(venue.rating >= 4.5 for venue in found(rating="4.5"))
    assert all({"Live music", "Open late"} <= set(venue.traits) for venue in found(traits=("Live music", "Open late")))
    ratings = [venue.rating for venue in found(sort="rating")]
    assert ratings == sorted(ratings, reverse=True)
    assert found(areas=("Nowhere",)) == []
    assert suggest(facts, "Vie")[0] == {"value": "Vienna", "kind": "City"}


def test_distances_are_those_of_the_map(town: Town, app: App) -> None:
    venue = restaurants(town.world)[0]
    mark = landmarks(town.world, venue.city)[0]
    far = metres(mark, (venue.x, venue.y))
    told = f"{far} m" if far < 1000 else f"{far / 1000:.2f} km"
    assert f"{told} from the {mark.name}" in guest(town, app).get("forkline", f"/at/{venue.slug}").text


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("deposit", [True, False])
def test_a_table_is_booked_step_by_step_and_a_card_is_asked_for_only_with_a_deposit(
    town: Town, app: App, skin: str, deposit: bool
) -> None:
    venue, day, time = some_table(town, deposit)
    caller, who = guest(town, app, skin), draw_persona(town.world.rng("tester"))
    start = {"venue": venue.slug, "day": day.isoformat(), "time": time, "guests": "2"}
    assert caller.post("forkline", "/book/start", start).url.endswith("/book/options")
    assert "Choose where you would like to sit" in caller.post("forkline", "/book/options", {"option": "quiet"}).text
    assert caller.get("forkline", "/book/review").url.endswith("/book/options"), "nobody gets past what is lacking"
    page = caller.post("forkline", "/book/options", {"seat": venue.seats[0]})
    assert page.url.endswith("/book/guest")
    assert "Enter a valid e-mail" in caller.post("forkline", "/book/guest", {"name": "A B", "email": "x"}).text
    person = {name: who[name] for name in ("name", "email", "phone")}
    page = caller.post("forkline", "/book/guest", person)
    assert page.url.endswith("/book/payment" if deposit else "/book/review")
    if deposit:
        caller.post("forkline", "/book/payment", {"card": "1234"})
    page = caller.post("forkline", "/book/confirm")
    (row,) = rows(town, caller, "forkline_booking")
    assert (row["slot"], row["party"]) == (slot_key(venue.slug, day.isoformat(), time), "guests=2")
    assert row["total"] == 2 * venue.fares[0].cents
    assert f"/booking/{row['number']}" in page.url
    caller.post("forkline", f"/booking/{row['number']}/cancel")
    assert rows(town, caller, "forkline_booking")[0]["status"] == "Cancelled"
    assert caller.get("forkline", f"/booking/{row['number']}/confirmation.pdf").body.startswith(b"%PDF")


def test_a_place_without_reservations_says_so_and_takes_none(town: Town, app: App) -> None:
    venue = next(each for each in restaurants(town.world) if each.books == "walk-in")
    caller = guest(town, app)
    assert "No reservations" in caller.get("forkline", f"/at/{venue.slug}?day=2026-05-09&guests=2").text
    caller.post("forkline", "/book/start", {"venue": venue.slug, "day": "2026-05-09", "time": "19:00", "guests": "2"})
    assert rows(town, caller, "forkline_draft") == []


def test_a_time_that_is_full_cannot_be_booked_but_waited_for(town: Town, app: App) -> None:
    market = SlotMarket(town, "forkline")
    venue, day = next(
        (venue, day)
        for venue in market.all(test=lambda each: each.books == "online")
        for day in market.days_from(town.world.today, 9)
        if market.full(venue, day, TWO)
    )
    caller, asked = guest(town, app), {"day": day.isoformat(), "guests": "2"}
    taken = {"venue": venue.slug, "time": market.full(venue, day, TWO)[0]}
    caller.post("forkline", "/book/start", taken | asked)
    assert rows(town, caller, "forkline_draft") == []
    page = caller.post("forkline", f"/wait/{venue.slug}", asked | {"name": "Jo", "email": "x", "phone": "1"})
    assert "Enter first and last name" in page.text
    person = {"name": "Jo Doe", "email": "jo@post.example", "phone": "503-555-0111"}
    assert "You are on the list" in caller.post("forkline", f"/wait/{venue.slug}", asked | person).text
    (row,) = rows(town, caller, "forkline_waiting")
    assert row["venue"] == venue.slug


def test_templates_are_many_and_say_what_they_demand() -> None:
    test = [each for each in TEMPLATES if each.split == "test"]
    assert len(test) >= 14
    assert all(each.demands for each in test)
    assert all(len(each.voices) >= 4 for each in TEMPLATES)


@pytest.mark.parametrize("template", SAMPLE)
def test_a_sample_of_tasks_is_sound(town: Town, app: App, mine: dict[str, Drawn], template: str) -> None:
    found = check_task(town, app, mine[template].key, judge)
    assert found.wrong == ()


def test_any_of_the_right_tables_will_do_and_no_other(town: Town, app: App, mine: dict[str, Drawn]) -> None:
    key = mine["table-any-that-fits"].key
    *before, goal = read_goals(key.plan["goals"])
    assert isinstance(goal, BookSlot)
    pattern = goal.reached(town)[0].after["slot"]
    assert isinstance(pattern, OneOf)
    market = SlotMarket(town, "forkline")
    for slot in pattern.values[:12:3]:
        slug, day, _ = str(slot).split(" ")
        other = outing_of("forkline", market.venue(slug), date.fromisoformat(day), goal.outing.people)
        left = perform(town, app, key, (*before, replace(goal, outing=other, slots=(str(slot),))))
        assert judge(key, left.changes, "ANSWER: done", left.shown).outcome == "success"
