"""Venues that a task describes and does not name: by what guests tell of them, by how near they are, by their rating,
by something that only they have. Each comes with the goals that find it and the facts that prove it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import msgspec

from workalike.core.key import FactPattern
from workalike.town.bookkit.city import CITIES
from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tasks.goals import SeeResults, SeeVenue
from workalike.town.bookkit.tasks.market import SlotMarket
from workalike.town.bookkit.tasks.outing import about, outing_of
from workalike.town.bookkit.venue import Venue
from workalike.town.kit.goal import Goal

Test = Callable[[Venue], bool]


class Trade(msgspec.Struct, frozen=True):
    """What tasks of a site know of it: its name, how it calls a venue of a kind, what guests tell of venues with the
    words that tasks describe it in, how traits, wishes and seats are put, who may come to a venue, within which hours
    tasks look for times, and shorter spans of them."""

    site: str
    title: str
    noun: Callable[[str], str]
    quirks: Sequence[Sequence[str]]
    traits: dict[str, str]
    wishes: dict[str, str]
    seats: dict[str, str]
    party: Callable[[Random, Venue], Party]
    hours: tuple[str, str]
    windows: tuple[tuple[str, str], ...]


class DescribedVenue(msgspec.Struct, frozen=True):
    """A venue with the words that describe it, the goals that find it, and the facts that must have been shown."""

    venue: Venue
    phrase: str
    goals: tuple[Goal, ...]
    shown: tuple[tuple[FactPattern, ...], ...]
    rivals: tuple[Venue, ...]
    """The others that it could be taken for."""


def by_quirk(trade: Trade, market: SlotMarket, rng: Random, test: Test = lambda venue: True) -> DescribedVenue | None:
    """What guests tell of it: all of its kind are looked at until it is found."""
    venue = market.one(rng, rng.choice(CITIES), test)
    if venue is None:
        return None
    rivals = _of_kind(market, venue)
    told = outing_of(trade.site, venue)
    goals = tuple(SeeVenue(outing_of(trade.site, each), "reviews") for each in rivals[: rivals.index(venue) + 1])
    text, hint = trade.quirks[venue.quirk]
    phrase = f"the {trade.noun(venue.kind)} in {venue.city} where {hint}"
    return DescribedVenue(venue, phrase, goals, ((about(told, "remark", text),),), _but(rivals, venue))


def by_distance(
    trade: Trade, market: SlotMarket, rng: Random, test: Test = lambda venue: True
) -> DescribedVenue | None:
    """The nearest of its kind to a landmark."""
    some = market.one(rng, rng.choice(CITIES), test)
    if some is None:
        return None
    mark = rng.choice(market.landmarks(some.city))
    rivals = sorted(_of_kind(market, some), key=lambda venue: market.metres(venue, mark))
    if len(rivals) < 3 or market.metres(rivals[1], mark) - market.metres(rivals[0], mark) < 60 or not test(rivals[0]):
        return None
    seen = [outing_of(trade.site, each) for each in rivals]
    shown = tuple((about(each, f"distance {mark.name}"),) for each in seen)
    phrase = f"the {trade.noun(some.kind)} in {some.city} that is closest to the {mark.name}"
    return DescribedVenue(rivals[0], phrase, tuple(map(SeeVenue, reversed(seen))), shown, tuple(rivals[1:]))


def by_rating(
    trade: Trade, market: SlotMarket, rng: Random, test: Test = lambda venue: True, city: str = ""
) -> DescribedVenue | None:
    """The best rated of its kind."""
    some = market.one(rng, city or rng.choice(CITIES), test)
    if some is None:
        return None
    rivals = sorted(_of_kind(market, some), key=lambda venue: -venue.rating)
    if len(rivals) < 3 or rivals[0].rating == rivals[1].rating or not test(rivals[0]):
        return None
    shown = tuple((about(outing_of(trade.site, each), "rating"),) for each in rivals)
    phrase = f"the {trade.noun(some.kind)} in {some.city} that guests rate highest"
    return DescribedVenue(rivals[0], phrase, (_kind_results(trade, some),), shown, tuple(rivals[1:]))


def by_trait(trade: Trade, market: SlotMarket, rng: Random, test: Test = lambda venue: True) -> DescribedVenue | None:
    """The only one of its kind that has something."""
    venue = market.one(rng, rng.choice(CITIES), test)
    rivals = _of_kind(market, venue) if venue else []
    if venue is None:
        return None
    own = [trait for trait in venue.traits if sum(trait in each.traits for each in rivals) == 1]
    if not own:
        return None
    trait = rng.choice(own)
    told = outing_of(trade.site, venue)
    goal = _kind_results(trade, venue, (("trait", trait, trait),))
    phrase = f"the only {trade.noun(venue.kind)} in {venue.city} {trade.traits[trait]}"
    return DescribedVenue(venue, phrase, (goal,), ((about(told, "trait", trait),),), _but(rivals, venue))


def _of_kind(market: SlotMarket, venue: Venue) -> list[Venue]:
    """The city's venues of one kind, as results list them."""
    return sorted(market.all(venue.city, lambda each: each.kind == venue.kind), key=lambda each: each.rank)


def _but(venues: list[Venue], venue: Venue) -> tuple[Venue, ...]:
    return tuple(each for each in venues if each.slug != venue.slug)


def _kind_results(trade: Trade, venue: Venue, more: tuple[tuple[str, str, str], ...] = ()) -> SeeResults:
    return SeeResults(trade.site, venue.city, (("kind", venue.kind, venue.kind), *more))
