"""Chains of the train split: shorter ones, and other ones."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from workalike.core.key import ExpectedAnswer
from workalike.town.flightkit.places import CITIES
from workalike.town.hotelkit.tasks.goals import SeeHouse
from workalike.town.hotelkit.tasks.rooms import lowest_of
from workalike.town.refkit.goals import KeepArticle, fact_in, reading
from workalike.town.refkit.stories import of_kind as stories_of
from workalike.town.refkit.stories import story, tested
from workalike.town.refkit.tasks.parts import (
    BOOK,
    PAPER,
    a_stay,
    draw_page,
    find_flight,
    find_hotel,
    find_place,
    in_stock,
    page_of,
    say,
    slots,
    some_zip,
    template,
)
from workalike.town.shopkit.kinds import KINDS
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.goals import FillCart
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def birthplace(town: Town, rng: Random) -> TaskDraft | None:
    """Where the founder of a chain was born, and the river there."""
    chain = draw_page(town, rng, rng.choice(("Hotel chain", "Airline", "Brand", "Brand")))
    person = page_of(town, chain.told()["founder"])
    city = page_of(town, person.told()["birthplace"])
    answers = (ExpectedAnswer("city", "name", city.title), ExpectedAnswer("river", "name", city.told()["river"]))
    near: dict[str, dict[str, Any]] = {"another river": {"river": "Thames"}, "another city": {"city": "Atlantis"}}
    shown = (fact_in(BOOK, person, "birthplace"), fact_in(BOOK, city, "river"))
    goals = (reading(BOOK, chain), reading(BOOK, person), reading(BOOK, city))
    return TaskDraft(goals, slots(firm=chain.title), answers, shown=shown, near=near)


def base_hotel(town: Town, rng: Random) -> TaskDraft | None:
    """A hotel where an airline thinks about a base."""
    page, stay = rng.choice(stories_of(town.world, "Travel")), a_stay(town, rng)
    city = page.told()["new base"]
    found = find_hotel(town, city, stay)
    if found is None:
        return None
    answers = (ExpectedAnswer("city", "name", city), ExpectedAnswer("total", "money", found.room.total))
    near: dict[str, dict[str, Any]] = {"the second": {"total": found.second_total}}
    shown = (fact_in(PAPER, page, "new base"), lowest_of(found.room))
    said = slots(story=page.title, dates=f"{say(stay.arrive)} to {say(stay.depart)}")
    return TaskDraft((reading(PAPER, page), SeeHouse(found.room)), said, answers, shown=shown, near=near)


def runner_up(town: Town, rng: Random) -> TaskDraft | None:
    """The runner-up of a test goes into a cart."""
    kind, site = rng.choice(KINDS), rng.choice(("marlow", "kestrel"))
    item = in_stock(town, site, tested(town.world, kind)[1].name)
    if item is None:
        return None
    page = story(town.world, f"test-{kind.slug}")
    goals = (reading(PAPER, page), FillCart(site, (item,)))
    said = slots(kind=kind.title.lower(), shop=SHOPS[site].title)
    return TaskDraft(goals, said, shown=(fact_in(PAPER, page, "runner-up"),))


def origin_flight(town: Town, rng: Random) -> TaskDraft | None:
    """What a flight costs to where a brand began."""
    brand, day = draw_page(town, rng, "Brand"), town.world.today + timedelta(rng.randint(8, 70))
    found = find_flight(town, "BOS", brand.told()["place of origin"], day)
    if found is None:
        return None
    answers = (ExpectedAnswer("price", "money", found.price),)
    shown = (fact_in(BOOK, brand, "place of origin"), found.shown)
    said = slots(brand=brand.title, origin=CITIES["BOS"].name, day=say(day))
    near = {"the next price": {"price": found.next_price}}
    return TaskDraft((reading(BOOK, brand), found.goal), said, answers, shown=shown, near=near)


def owner_kept(town: Town, rng: Random) -> TaskDraft | None:
    """The page of a brand's owner is kept, and the nearest bookshop is told."""
    brand, start = draw_page(town, rng, "Brand"), some_zip(town, rng)
    found, owner = find_place(town, "Bookshop", start), page_of(town, brand.told()["owner"])
    if found is None:
        return None
    answers = (ExpectedAnswer("bookshop", "name", found.row["name"]),)
    goals = (reading(BOOK, brand), KeepArticle(BOOK, owner.slug, owner.title), found.goal)
    shown = (fact_in(BOOK, brand, "owner"), found.shown("address"))
    near = {"the second nearest": {"bookshop": found.second["name"]}}
    return TaskDraft(goals, slots(brand=brand.title, zip=start.zip), answers, shown=shown, near=near)


_CATEGORY = "compositional_tasks"
TEMPLATES = (
    template("train-birthplace", _CATEGORY, "easy", birthplace, "train", ("prose",)),
    template("train-base-hotel", _CATEGORY, "medium", base_hotel, "train", ("chain over sites", "prose")),
    template("train-runner-up", _CATEGORY, "easy", runner_up, "train", ("chain over sites", "prose")),
    template("train-origin-flight", _CATEGORY, "medium", origin_flight, "train", ("chain over sites", "prose")),
    template("train-owner-kept", _CATEGORY, "medium", owner_kept, "train", ("chain over sites", "map and distance")),
)
