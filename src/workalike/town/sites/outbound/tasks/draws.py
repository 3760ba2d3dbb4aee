"""What tasks about things to do are drawn from."""

from __future__ import annotations

from pathlib import Path
from random import Random

from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tasks.market import SlotMarket
from workalike.town.bookkit.tasks.target import Test, Trade
from workalike.town.bookkit.venue import Venue
from workalike.town.kit.make import templates_from
from workalike.town.sites.outbound.world import QUIRKS
from workalike.town.town import Town

SITE = "outbound"
template = templates_from(Path(__file__).parent / "voices.json", "activity")
_PARTIES = ("adults=2", "adults=1", "adults=2,children=1", "adults=2,children=2", "adults=1,seniors=1", "adults=3")


def draw_party(rng: Random, venue: Venue) -> Party:
    """A few people of different ages."""
    return Party(rng.choice(_PARTIES))


TRADE = Trade(
    site=SITE,
    title="Outbound",
    noun=lambda kind: kind.lower(),
    quirks=QUIRKS,
    traits={
        "Good in the rain": "that is said to be fine on a wet day",
        "Stroller friendly": "you can push a pram through",
        "Step-free access": "without any steps",
        "Dogs welcome": "that welcomes dogs",
        "Small groups": "that promises small groups",
        "Snack included": "with something to eat included",
    },
    wishes={
        "poles": "walking poles for all of us", "map": "a printed map", "audio": "audio guides",
        "special": "the special exhibition included", "apron": "aprons to take home", "drinks": "drinks included",
        "extra": "a second piece each", "frame": "gift boxes", "radio": "headsets", "pickup": "pick-up at our hotel",
        "upper": "places on the upper deck", "helmet": "helmets", "ebike": "electric bicycles",
    },
    seats={},
    party=draw_party,
    hours=("09:00", "19:00"),
    windows=(("09:00", "10:30"), ("10:00", "12:00"), ("13:00", "15:00"), ("14:00", "17:00"), ("16:00", "18:30")),
)  # fmt: skip


def market_of(town: Town) -> SlotMarket:
    return SlotMarket(town, SITE)


def kind_is(*kinds: str) -> Test:
    return lambda venue: venue.kind in kinds
