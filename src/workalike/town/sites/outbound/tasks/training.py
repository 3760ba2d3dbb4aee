"""Tasks of the train split: other templates than those of the test split, on another skin."""

from __future__ import annotations

from functools import partial
from random import Random

from workalike.core.key import ExpectedAnswer
from workalike.town.bookkit.tasks.goals import SeeVenue
from workalike.town.bookkit.tasks.outing import about, outing_of
from workalike.town.bookkit.tasks.target import by_rating
from workalike.town.bookkit.tasks.training import book_mine, book_named, cancel, keep
from workalike.town.sites.outbound.tasks.draws import SITE, TRADE, kind_is, market_of, template
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def length(town: Town, rng: Random) -> TaskDraft | None:
    """How long a trail is that is named."""
    venue = market_of(town).one(rng, test=kind_is("Trail"))
    assert venue is not None
    here = outing_of(SITE, venue)
    return TaskDraft(
        (SeeVenue(here),),
        {"site": "Outbound", "name": venue.name},
        (ExpectedAnswer("length", "number", venue.numbers["length"] / 10), _level(venue.detail("Difficulty"))),
        shown=((about(here, "length"),), (about(here, "difficulty"),)),
        near={"its climb": {"length": venue.numbers["climb"]}},
    )


def _level(text: str) -> ExpectedAnswer:
    return ExpectedAnswer("difficulty", "name", text)


def ticket(town: Town, rng: Random) -> TaskDraft | None:
    """What a child pays."""
    venue = market_of(town).one(rng, test=lambda each: each.paid)
    assert venue is not None
    here, prices = outing_of(SITE, venue), {fare.code: fare.cents for fare in venue.fares}
    return TaskDraft(
        (SeeVenue(here),),
        {"site": "Outbound", "name": venue.name},
        (ExpectedAnswer("price", "money", prices["children"]),),
        shown=((about(here, "fare children"),),),
        near={"what adults pay": {"price": prices["adults"]}},
    )


def refund(town: Town, rng: Random) -> TaskDraft | None:
    """How many hours ahead one must cancel."""
    venue = market_of(town).one(rng)
    assert venue is not None
    here = outing_of(SITE, venue)
    return TaskDraft(
        (SeeVenue(here, "rules"),),
        {"site": "Outbound", "name": venue.name},
        (ExpectedAnswer("hours", "number", venue.numbers["refund"]),),
        shown=((about(here, "refund"),),),
        near={"the part": {"hours": venue.numbers["part"]}},
    )


TEMPLATES = (
    template("train-length", "activities", "easy", length, "train"),
    template("train-ticket", "activities", "easy", ticket, "train"),
    template("train-refund", "activities", "easy", refund, "train", ("prose",)),
    template("train-keep", "activities", "medium", partial(keep, TRADE, by_rating), "train", ("described not named",)),
    template("train-book", "activities", "medium", partial(book_named, TRADE), "train"),
    template("train-book-mine", "activities", "medium", partial(book_mine, TRADE), "train"),
    template("train-cancel", "activities", "easy", partial(cancel, TRADE), "train"),
)
