"""Tasks of the train split: other templates than those of the test split, on another skin."""

from __future__ import annotations

from random import Random

from workalike.core.key import ExpectedAnswer
from workalike.town.persona import draw_persona
from workalike.town.sites.encore.draws import (
    C,
    about,
    choices,
    events,
    section_with,
    showing,
    shows,
    slots,
    template,
    venue,
)
from workalike.town.sites.encore.goals import FollowEvent, Pick, TakeSeats, see_event, see_show, see_venue
from workalike.town.sites.encore.seats import PLANS, price
from workalike.town.sites.encore.tasks_taking import book_named
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def running_time(town: Town, rng: Random) -> TaskDraft | None:
    event = rng.choice(events(town))
    return TaskDraft(
        (see_event(event["name"], event["slug"]),),
        {"name": event["name"]},
        (ExpectedAnswer("running time", "duration", event["minutes"]),),
        shown=((about(event["slug"], "minutes"),),),
        near={"with a break": {"running time": event["minutes"] + 20}},
    )


def section_price(town: Town, rng: Random) -> TaskDraft | None:
    event = rng.choice(events(town))
    dates = shows(town, event, "status = 'sale'")
    if not dates:
        return None
    show, part = rng.choice(dates), rng.choice(PLANS[dates[0]["kind"]])
    others = [price(show, each) for each in PLANS[show["kind"]] if price(show, each) != price(show, part)]
    return TaskDraft(
        (see_show(showing(event, show)),),
        slots(town, event, show) | {"name": event["name"], "section": part.name},
        (ExpectedAnswer("price", "money", price(show, part)),),
        shown=((about(show["code"], "price", section=part.code),),),
        near={"another section's": {"price": others[0]}},
    )


def box_office(town: Town, rng: Random) -> TaskDraft | None:
    """How long before the show the doors open."""
    event = rng.choice(events(town))
    show = rng.choice(shows(town, event))
    house = venue(town, show)
    return TaskDraft(
        (see_venue(showing(event, show), house["slug"]),),
        {"venue": house["name"], "city": house["city"]},
        (ExpectedAnswer("time before the show", "duration", house["doors"]),),
        shown=((about(house["slug"], "doors"),),),
        near={"twice as long": {"time before the show": 2 * house["doors"]}},
    )


def follow_one(town: Town, rng: Random) -> TaskDraft | None:
    event = rng.choice(events(town))
    return TaskDraft((FollowEvent(event["name"], event["slug"]),), {"name": event["name"]})


def book_own(town: Town, rng: Random) -> TaskDraft | None:
    """With leave."""
    event, who = rng.choice(events(town)), draw_persona(rng)
    dates = shows(town, event, "status = 'sale'")
    show = rng.choice(dates) if dates else None
    part = section_with(town, rng, show, 1) if show else None
    if show is None or part is None:
        return None
    seats = choices(town, show, part, 1)
    goal = TakeSeats((Pick(showing(event, show), seats),), ("adult",), "mobile", False, who)
    told = slots(town, event, show) | {"name": event["name"], "section": part.name}
    return TaskDraft((goal,), told, persona=who)


TEMPLATES = (
    template("train-minutes", C, "easy", running_time, "train"),
    template("train-price", C, "easy", section_price, "train"),
    template("train-doors", C, "easy", box_office, "train"),
    template("train-follow", C, "easy", follow_one, "train"),
    template("train-book", C, "medium", book_named, "train"),
    template("train-book-own", C, "hard", book_own, "train"),
)
