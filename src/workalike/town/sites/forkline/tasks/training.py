"""Tasks of the train split: other templates than those of the test split, on another skin."""

from __future__ import annotations

from functools import partial
from random import Random

from workalike.core.key import ExpectedAnswer
from workalike.town.bookkit.tasks.goals import SeeVenue
from workalike.town.bookkit.tasks.outing import about, outing_of
from workalike.town.bookkit.tasks.target import by_trait
from workalike.town.bookkit.tasks.training import book_mine, book_named, cancel, keep
from workalike.town.bookkit.venue import WEEKDAYS
from workalike.town.sites.forkline.tasks.draws import SITE, TRADE, market_of, section, template
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def corkage(town: Town, rng: Random) -> TaskDraft | None:
    """What a bottle of one's own costs, somewhere that is named."""
    venue = market_of(town).one(rng, test=lambda each: each.numbers["corkage"] > 0)
    assert venue is not None
    here, cents = outing_of(SITE, venue), venue.numbers["corkage"]
    return TaskDraft(
        (SeeVenue(here, "rules"),),
        {"site": "Forkline", "name": venue.name, "city": venue.city},
        (ExpectedAnswer("fee", "money", cents),),
        shown=((about(here, "corkage"),),),
        near={"the menu of groups": {"fee": venue.numbers["group"]}},
    )


def dish_price(town: Town, rng: Random) -> TaskDraft | None:
    venue = market_of(town).one(rng)
    assert venue is not None
    here, (dish, other) = outing_of(SITE, venue), rng.sample(section(venue, "Mains"), 2)
    if dish.cents == other.cents:
        return None
    return TaskDraft(
        (SeeVenue(here, "sheet"),),
        {"site": "Forkline", "name": venue.name, "dish": dish.name},
        (ExpectedAnswer("price", "money", dish.cents),),
        shown=((about(here, f"price {dish.name}"),),),
        near={"another dish": {"price": other.cents}},
    )


def closed(town: Town, rng: Random) -> TaskDraft | None:
    """Whether a place is closed on some weekday."""
    venue, day = market_of(town).one(rng), rng.randrange(7)
    assert venue is not None
    here = outing_of(SITE, venue)
    return TaskDraft(
        (SeeVenue(here),),
        {"site": "Forkline", "name": venue.name, "weekday": f"{WEEKDAYS[day]}s"},
        (ExpectedAnswer("open", "yes_no", venue.hours[day] != "Closed"),),
        shown=((about(here, f"hours {WEEKDAYS[day]}"),),),
    )


TEMPLATES = (
    template("train-corkage", "restaurants", "easy", corkage, "train", ("prose",)),
    template("train-dish", "restaurants", "easy", dish_price, "train"),
    template("train-closed", "restaurants", "easy", closed, "train"),
    template("train-keep", "restaurants", "medium", partial(keep, TRADE, by_trait), "train", ("described not named",)),
    template("train-book", "restaurants", "medium", partial(book_named, TRADE), "train"),
    template("train-book-mine", "restaurants", "medium", partial(book_mine, TRADE), "train"),
    template("train-cancel", "restaurants", "easy", partial(cancel, TRADE), "train"),
)
