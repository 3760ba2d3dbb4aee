"""Chains that end in something done: a cart, a shelf of kept things, an application; with places around the corner."""

from __future__ import annotations

from random import Random
from typing import Any

from workalike.core.key import ExpectedAnswer
from workalike.town.hotelkit.tasks.goals import SeeHouse
from workalike.town.hotelkit.tasks.rooms import lowest_of
from workalike.town.refkit.goals import KeepPlace, fact_in, reading
from workalike.town.refkit.knowledge import of_kind
from workalike.town.refkit.places import DAYS
from workalike.town.refkit.stories import of_kind as stories_of
from workalike.town.refkit.stories import story, tested
from workalike.town.refkit.tasks.parts import (
    BOOK,
    PAPER,
    a_stay,
    cheapest_of_brand,
    draw_page,
    find_hotel,
    find_place,
    in_stock,
    page_of,
    say,
    slots,
    some_zip,
    template,
    told_day,
    zip_of,
)
from workalike.town.render import money
from workalike.town.shopkit.kinds import BY_SLUG, KINDS
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.goals import FillCart, SeeProduct
from workalike.town.shopkit.tasks.items import Item, price_of
from workalike.town.sites.fairlead.goals import Apply, SaveJob, SeeEmployer, posting_of
from workalike.town.sites.fairlead.tasks.draws import WORK, rows, told
from workalike.town.template import TaskDraft
from workalike.town.town import Town

SHOP_NAMES = ("marlow", "kestrel")


def winner(town: Town, rng: Random) -> TaskDraft | None:
    """The winner of a test goes into a cart, or the runner-up where the winner is too dear."""
    kind, site = rng.choice(KINDS), rng.choice(SHOP_NAMES)
    first, second = tested(town.world, kind)[:2]
    best, other = in_stock(town, site, first.name), in_stock(town, site, second.name)
    if best is None or other is None or abs(best.price - other.price) < 200:
        return None
    page = story(town.world, f"test-{kind.slug}")
    limit = (best.price + other.price) // 2 if best.price > other.price else best.price + rng.randint(1, 20) * 100
    limit = round(limit / 100) * 100
    bought = best if best.price <= limit else other
    shown = (fact_in(PAPER, page, "winner"), (price_of(best),))
    goals = (reading(PAPER, page), SeeProduct(_bare(best)), FillCart(site, (bought,)))
    said = slots(kind=kind.title.lower(), shop=SHOPS[site].title, limit=money(limit))
    return TaskDraft(goals, said, shown=shown)


def two_winners(town: Town, rng: Random) -> TaskDraft | None:
    """The winners of two tests, and where to send one of them."""
    site, kinds = rng.choice(SHOP_NAMES), rng.sample(KINDS, 2)
    items = [in_stock(town, site, tested(town.world, kind)[0].name) for kind in kinds]
    start = some_zip(town, rng)
    found = find_place(town, "Post office", start)
    if None in items or found is None or found.hours[5] is None:
        return None
    pages = [story(town.world, f"test-{kind.slug}") for kind in kinds]
    closes = found.hours[5][1]
    answers = (
        ExpectedAnswer("post office", "name", found.row["name"]),
        ExpectedAnswer("closing time", "time", f"{closes // 60:02d}:{closes % 60:02d}"),
    )
    near: dict[str, dict[str, Any]] = {"the second nearest": {"post office": found.second["name"]}}
    shown = (*(fact_in(PAPER, page, "winner") for page in pages), found.shown("Saturday"))
    bought = tuple(item for item in items if item)
    goals = (*(reading(PAPER, page) for page in pages), FillCart(site, bought), found.goal)
    said = slots(one=kinds[0].title.lower(), two=kinds[1].title.lower(), shop=SHOPS[site].title, zip=start.zip)
    return TaskDraft(goals, said, answers, shown=shown, near=near)


def recall(town: Town, rng: Random) -> TaskDraft | None:
    """A recalled product is sent back from the nearest post office."""
    page = rng.choice([each for each in stories_of(town.world, "Consumers") if "recalled" in each.told()])
    start, weekday = some_zip(town, rng), rng.randint(0, 5)
    found = find_place(town, "Post office", start)
    if found is None:
        return None
    span = found.hours[weekday]
    if span is None:
        return None
    closes, until = span[1], told_day(page.told()["refund until"])
    answers = (
        ExpectedAnswer("lot", "name", page.told()["lot"]),
        ExpectedAnswer("last day", "date", until.isoformat()),
        ExpectedAnswer("closing time", "time", f"{closes // 60:02d}:{closes % 60:02d}"),
    )
    near: dict[str, dict[str, Any]] = {"opening instead": {"closing time": f"{span[0] // 60:02d}:{span[0] % 60:02d}"}}
    shown = (fact_in(PAPER, page, "lot"), fact_in(PAPER, page, "refund until"), found.shown(DAYS[weekday]))
    said = slots(product=page.told()["recalled"], zip=start.zip, weekday=DAYS[weekday])
    return TaskDraft((reading(PAPER, page), found.goal), said, answers, shown=shown, near=near)


def refund(town: Town, rng: Random) -> TaskDraft | None:
    """How much comes back for a recalled product at a shop's price."""
    page = rng.choice([each for each in stories_of(town.world, "Consumers") if "recalled" in each.told()])
    site = rng.choice(SHOP_NAMES)
    item = in_stock(town, site, page.told()["recalled"])
    share = int(page.told()["refund"])
    if item is None or share == 100 or item.price * share % 100:
        return None
    answers = (ExpectedAnswer("refund", "money", item.price * share // 100),)
    near = {"the whole price": {"refund": item.price}, "the rest": {"refund": item.price * (100 - share) // 100}}
    shown = (fact_in(PAPER, page, "refund"), (price_of(item),))
    goals = (reading(PAPER, page), SeeProduct(_bare(item)))
    brand = page.title.partition(" recalls")[0]
    said = slots(brand=brand, shop=SHOPS[site].title)
    return TaskDraft(goals, said, answers, shown=shown, near=near)


def founder_basket(town: Town, rng: Random) -> TaskDraft | None:
    """From a founder to the brand, its city's hotel, and its cheapest product in a cart."""
    person = draw_page(town, rng, "Person")
    brands = [each for each in of_kind(town.world, "Brand") if each.told()["founder"] == person.title]
    if not brands or person.told()["known for"] != brands[0].title:
        return None
    brand, stay, site = brands[0], a_stay(town, rng), rng.choice(SHOP_NAMES)
    kind = rng.choice([each for each in KINDS if brand.title in each.brands])
    item = cheapest_of_brand(town, site, brand.title, kind.slug)
    found = find_hotel(town, person.told()["birthplace"], stay)
    if item is None or found is None:
        return None
    answers = (ExpectedAnswer("hotel", "name", found.room.name), ExpectedAnswer("total", "money", found.room.total))
    near: dict[str, dict[str, Any]] = {"the second": {"hotel": found.second, "total": found.second_total}}
    shown = (fact_in(BOOK, person, "birthplace"), lowest_of(found.room))
    goals = (reading(BOOK, brand), reading(BOOK, person), SeeHouse(found.room), FillCart(site, (item,)))
    said = slots(motto=brand.told()["motto"], brand=brand.title, kind=kind.title, shop=SHOPS[site].title)
    said |= {"dates": f"{say(stay.arrive)} to {say(stay.depart)}", "trade": BY_SLUG[kind.slug].department.lower()}
    return TaskDraft(goals, said, answers, shown=shown, near=near)


def founders_job(town: Town, rng: Random) -> TaskDraft | None:
    """The best paid opening of the firm that somebody founded is kept, and so is the nearest library."""
    person = draw_page(town, rng, "Person")
    firms = [each for each in of_kind(town.world, "Employer") if each.told()["founder"] == person.title]
    if not firms or person.told()["known for"] != firms[0].title:
        return None
    firm = firms[0]
    jobs = sorted(rows(town, "closed = 0 AND employer = ?", firm.slug), key=lambda row: -row["yearly"])
    jobs = [row for row in jobs if row["unit"] == "year"] if all(row["unit"] == "year" for row in jobs[:2]) else []
    if len(jobs) < 2 or jobs[0]["low"] == jobs[1]["low"]:
        return None
    best = jobs[0]
    found = find_place(town, "Library", zip_of(town, best["zip"]))
    if found is None:
        return None
    place = found.goal
    goals = (
        reading(BOOK, person),
        SeeEmployer(firm.slug, firm.title),
        SaveJob(posting_of(best)),
        KeepPlace(place.near, place.id, place.name),
    )
    shown = (told(best["req"], "zip"),)
    return TaskDraft(goals, slots(founder=person.title, board="Fairlead Jobs"), shown=shown)


def founders_opening(town: Town, rng: Random) -> TaskDraft | None:
    """An application is begun at the firm that somebody founded, for the role it seeks once."""
    person = draw_page(town, rng, "Person")
    firms = [each for each in of_kind(town.world, "Employer") if each.told()["founder"] == person.title]
    if not firms or person.told()["known for"] != firms[0].title:
        return None
    jobs = rows(town, "closed = 0 AND employer = ?", firms[0].slug)
    lone = [row for row in jobs if sum(each["role"] == row["role"] for each in jobs) == 1]
    mine = {row["job"] for row in town.begin_rows("fairlead_application")}
    lone = [row for row in lone if row["id"] not in mine]
    if not lone:
        return None
    row = rng.choice(lone)
    goals = (reading(BOOK, person), Apply(posting_of(row)))
    said = slots(founder=person.title, role=row["role"].lower(), board="Fairlead Jobs", work=WORK)
    return TaskDraft(goals, said, shown=(fact_in(BOOK, page_of(town, person.title), "known for"),))


def _bare(item: Item) -> Item:
    """A product to be looked at, without any choice of options."""
    return Item(item.site, item.slug, item.name, "", item.price)


_CATEGORY = "compositional_tasks"
TEMPLATES = (
    template("winner", _CATEGORY, "medium", winner, demands=("chain over sites", "budget and fallback", "prose")),
    template("two-winners", _CATEGORY, "hard", two_winners, demands=("chain over sites", "map and distance", "prose")),
    template(
        "recall", _CATEGORY, "medium", recall, demands=("chain over sites", "map and distance", "evidence", "prose")
    ),
    template("refund", _CATEGORY, "medium", refund, demands=("chain over sites", "arithmetic", "described not named")),
    template(
        "founder-basket",
        _CATEGORY,
        "hard",
        founder_basket,
        demands=("chain over sites", "described not named", "prose"),
    ),
    template(
        "founders-job", _CATEGORY, "hard", founders_job, demands=("chain over sites", "map and distance", "prose")
    ),
    template(
        "founders-opening", _CATEGORY, "medium", founders_opening, demands=("chain over sites", "described not named")
    ),
)
