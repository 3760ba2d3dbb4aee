"""Chains of facts: what one page says leads to the next, and something is worked out in the end."""

from __future__ import annotations

from random import Random
from typing import Any

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.refkit.geography import metro_of
from workalike.town.refkit.goals import FindPlaces, KeepArticle, fact_in, reading
from workalike.town.refkit.knowledge import REACHED, of_kind, owners
from workalike.town.refkit.stories import of_kind as stories_of
from workalike.town.refkit.tasks.parts import (
    BOOK,
    PAPER,
    draw_page,
    find_place,
    number_in,
    page_of,
    slots,
    template,
    told_day,
    zip_of,
)
from workalike.town.sites.fairlead.goals import SITE as BOARD
from workalike.town.sites.fairlead.goals import SeeEmployer, SeeJob
from workalike.town.sites.fairlead.tasks.draws import draw_sought, employer, told
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def older(town: Town, rng: Random) -> TaskDraft | None:
    """Which of an airline and a hotel chain is older, and by how much."""
    pair = [draw_page(town, rng, "Airline"), draw_page(town, rng, "Hotel chain")]
    rng.shuffle(pair)
    years = {page.title: int(page.told()["founded"]) for page in pair}
    (first, one), (second, two) = sorted(years.items(), key=lambda each: each[1])
    if one == two:
        return None
    answers = (ExpectedAnswer("older one", "name", first), ExpectedAnswer("years", "number", two - one))
    near: dict[str, dict[str, Any]] = {"the younger": {"older one": second}, "one off": {"years": two - one + 1}}
    people = [page_of(town, page.told()["founder"]) for page in pair]
    goals = (
        *(reading(BOOK, each) for each in (people[0], pair[0])),
        *(reading(BOOK, each) for each in (people[1], pair[1])),
    )
    told_ = slots(one=people[0].title, two=people[1].title)
    return TaskDraft(goals, told_, answers, shown=tuple(fact_in(BOOK, page, "founded") for page in pair), near=near)


def founder_age(town: Town, rng: Random) -> TaskDraft | None:
    """How old a brand's founder was in the year of the founding, and where from."""
    brand = draw_page(town, rng, "Brand")
    person = page_of(town, brand.told()["founder"])
    if brand.told()["founder"] in {each.told().get("founder") for each in of_kind(town.world, "Employer")}:
        return None
    age = int(brand.told()["founded"]) - told_day(person.told()["born"]).year
    answers = (
        ExpectedAnswer("years", "number", age),
        ExpectedAnswer("birthplace", "name", person.told()["birthplace"]),
    )
    origin = brand.told()["place of origin"]
    near: dict[str, dict[str, Any]] = {"one off": {"years": age - 1}}
    near |= {"the brand's place": {"birthplace": origin}} if origin != person.told()["birthplace"] else {}
    shown = (fact_in(BOOK, brand, "founded"), fact_in(BOOK, person, "born"), fact_in(BOOK, person, "birthplace"))
    goals = (reading(BOOK, brand), reading(BOOK, person))
    return TaskDraft(goals, slots(brand=brand.title), answers, shown=shown, near=near)


def fleet_to_be(town: Town, rng: Random) -> TaskDraft | None:
    """Who predicted something about an airline, and how many planes it will have with those it adds."""
    story = rng.choice(stories_of(town.world, "Travel"))
    airline = next(page for page in of_kind(town.world, "Airline") if story.title.find(page.title) >= 0)
    planes = number_in(airline.told()["fleet"]) + int(story.told()["new planes"])
    answers = (
        ExpectedAnswer("speaker", "name", story.told()["speaker"]),
        ExpectedAnswer("planes", "number", planes),
    )
    near: dict[str, dict[str, Any]] = {"only today's": {"planes": number_in(airline.told()["fleet"])}}
    shown = (fact_in(PAPER, story, "speaker"), fact_in(PAPER, story, "new planes"), fact_in(BOOK, airline, "fleet"))
    share, until = story.told()["predicted share"], story.told()["predicted year"]
    goals = (reading(PAPER, story), reading(BOOK, airline))
    told_ = slots(airline=airline.title, share=share, until=until)
    alike = [each for each in stories_of(town.world, "Travel") if each.told()["predicted share"] == share]
    return TaskDraft(goals, told_, answers, shown=shown, near=near) if len(alike) == 1 else None


def in_time(town: Town, rng: Random) -> TaskDraft | None:
    """Whether something happens while an exhibition is on."""
    every = stories_of(town.world, "Culture")
    show = rng.choice([each for each in every if "opens" in each.told()])
    event = rng.choice([each for each in every if "day" in each.told()])
    first, last = told_day(show.told()["opens"]), told_day(show.told()["closes"])
    day = told_day(event.told()["day"])
    answers = (
        ExpectedAnswer("during the show", "yes_no", first <= day <= last),
        ExpectedAnswer("last day", "date", last.isoformat()),
    )
    near: dict[str, dict[str, Any]] = {"the first day": {"last day": first.isoformat()}}
    shown = (fact_in(PAPER, show, "closes"), fact_in(PAPER, show, "opens"), fact_in(PAPER, event, "day"))
    what = event.title.partition(": ")[2]
    told_ = slots(show=show.told()["show"], city=show.told()["city"], event=what)
    return TaskDraft((reading(PAPER, show), reading(PAPER, event)), told_, answers, shown=shown, near=near)


def three_owners(town: Town, rng: Random) -> TaskDraft | None:
    """Three owners, how many brands each has, and which of them owns the brand that somebody founded."""
    brand = draw_page(town, rng, "Brand")
    groups = [page_of(town, name) for name in owners(town.world)]
    owner = brand.told()["owner"]
    counts = {page.title: number_in(page.told()["brands"]) for page in groups}
    most = max(counts, key=lambda name: counts[name])
    if sum(count == counts[most] for count in counts.values()) > 1:
        return None
    answers = (
        ExpectedAnswer("owner", "name", owner),
        ExpectedAnswer("most brands", "name", most),
        ExpectedAnswer("all brands", "number", sum(counts.values())),
    )
    near: dict[str, dict[str, Any]] = {"only the most": {"all brands": counts[most]}}
    shown = (*(fact_in(BOOK, page, "brands") for page in groups), fact_in(BOOK, brand, "owner"))
    goals = (
        *(reading(BOOK, page) for page in groups),
        reading(BOOK, brand),
        KeepArticle(BOOK, page_of(town, owner).slug, owner),
    )
    return TaskDraft(goals, slots(founder=brand.told()["founder"], brand=brand.title), answers, shown=shown, near=near)


def after_tax(town: Town, rng: Random) -> TaskDraft | None:
    """What is left of a job's pay after the city's own wage tax."""
    sought = draw_sought(town, rng, f"closed = 0 AND unit = 'year' AND metro IN {tuple(REACHED)!r}")
    if sought is None:
        return None
    row, city = sought.row, page_of(town, sought.row["metro"])
    tax = float(city.told()["wage tax"])
    left, odd = divmod(round(row["low"] * (1000 - tax * 10)), 1000)
    answers = (ExpectedAnswer("pay after tax", "money", left),)
    near = {"before tax": {"pay after tax": row["low"]}, "at the upper end": {"pay after tax": row["high"]}}
    shown = (told(row["req"], "pay"), fact_in(BOOK, city, "wage tax"))
    goals = (SeeJob(sought.job), reading(BOOK, city))
    told_ = slots(job=sought.words, board="Fairlead Jobs")
    return None if odd else TaskDraft(goals, told_, answers, shown=shown, near=near)


def near_work(town: Town, rng: Random) -> TaskDraft | None:
    """The nearest place of a kind to a job, and its telephone."""
    sought, kind = draw_sought(town, rng), rng.choice(("Pharmacy", "Grocery", "Bookshop", "Hardware store", "Library"))
    found = find_place(town, kind, zip_of(town, sought.row["zip"])) if sought else None
    if sought is None or found is None:
        return None
    row = found.row
    answers = (ExpectedAnswer("place", "name", row["name"]), ExpectedAnswer("phone", "name", row["phone"]))
    near: dict[str, dict[str, Any]] = {
        "the second nearest": {"place": found.second["name"], "phone": found.second["phone"]},
        "the second's phone": {"phone": found.second["phone"]},
    }
    shown = (told(sought.row["req"], "zip"), found.shown("phone"))
    told_ = slots(job=sought.words, board="Fairlead Jobs", kind=kind.lower())
    return TaskDraft((SeeJob(sought.job), found.goal), told_, answers, shown=shown, near=near)


def head_office(town: Town, rng: Random) -> TaskDraft | None:
    """From a founder to the firm, its board's page, and a count in its city."""
    person = draw_page(town, rng, "Person")
    firms = [each for each in of_kind(town.world, "Employer") if each.told()["founder"] == person.title]
    if not firms or person.told()["known for"] != firms[0].title:
        return None
    firm = firms[0]
    row = employer(town, firm.slug)
    count = town.facts[BOARD].execute(
        "SELECT count(*) FROM job WHERE closed = 0 AND employer = ?", (firm.slug,)
    ).fetchone()[0]  # fmt: skip
    metro = row["metro"]
    centre = metro_of(town.world, metro).districts[0]
    kind = rng.choice(("Museum", "Library", "Post office"))
    rated = town.facts["waymark"].execute(
        "SELECT * FROM place WHERE metro = ? AND kind = ? ORDER BY rating DESC", (metro, kind)
    ).fetchall()  # fmt: skip
    if len(rated) < 2 or rated[0]["rating"] == rated[1]["rating"]:
        return None
    answers = (
        ExpectedAnswer("employer", "name", firm.title),
        ExpectedAnswer("open positions", "number", count),
        ExpectedAnswer("place", "name", rated[0]["name"]),
    )
    near: dict[str, dict[str, Any]] = {
        "the second best": {"place": rated[1]["name"]},
        "one off": {"open positions": count + 1},
    }
    goals = (
        reading(BOOK, person),
        reading(BOOK, firm),
        SeeEmployer(firm.slug, firm.title),
        FindPlaces(kind, centre.zip, "rating"),
    )
    listed = (FactPattern("waymark", str(rated[0]["id"]), "rating"),)
    shown = (fact_in(BOOK, firm, "head office"), told(firm.slug, "openings"), listed)
    told_ = slots(founder=person.title, board="Fairlead Jobs", kind=kind.lower(), zip=centre.zip)
    return TaskDraft(goals, told_, answers, shown=shown, near=near)


TEMPLATES = (
    template("older", "compositional_tasks", "hard", older, demands=("arithmetic", "prose", "described not named")),
    template("founder-age", "compositional_tasks", "medium", founder_age, demands=("arithmetic", "prose")),
    template(
        "fleet-to-be",
        "compositional_tasks",
        "medium",
        fleet_to_be,
        demands=("chain over sites", "arithmetic", "evidence"),
    ),
    template("in-time", "compositional_tasks", "easy", in_time, demands=("prose",)),
    template(
        "owners", "compositional_tasks", "hard", three_owners, demands=("described not named", "arithmetic", "prose")
    ),
    template(
        "after-tax", "compositional_tasks", "medium", after_tax, demands=("chain over sites", "arithmetic", "prose")
    ),
    template("near-work", "compositional_tasks", "medium", near_work, demands=("chain over sites", "map and distance")),
    template(
        "head-office", "compositional_tasks", "hard", head_office, demands=("chain over sites", "described not named")
    ),
)
