"""What tasks about restaurants are drawn from."""

from __future__ import annotations

from pathlib import Path
from random import Random

from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tasks.market import SlotMarket
from workalike.town.bookkit.tasks.target import Trade
from workalike.town.bookkit.venue import PricedLine, Venue
from workalike.town.kit.make import templates_from
from workalike.town.sites.forkline.world import QUIRKS
from workalike.town.town import Town

SITE = "forkline"
template = templates_from(Path(__file__).parent / "voices.json", "table")


def draw_party(rng: Random, venue: Venue) -> Party:
    """Few enough to book online."""
    return Party(f"guests={rng.randint(2, min(6, venue.largest))}")


TRADE = Trade(
    site=SITE,
    title="Forkline",
    noun=lambda kind: f"{kind} restaurant" if kind != "Steakhouse" else "steakhouse",
    quirks=QUIRKS,
    traits={
        "Outdoor seating": "where you can sit outside",
        "Private room": "with a room you can have to yourselves",
        "Live music": "where musicians play",
        "Step-free access": "you can get into without a step",
        "Family friendly": "that calls itself good for families",
        "Open late": "that cooks until late",
    },
    wishes={
        "highchair": "a high chair",
        "birthday": "the note that it is a birthday",
        "allergy": "the note that somebody has a nut allergy",
        "quiet": "a quiet corner asked for",
        "stepfree": "a table without steps asked for",
    },
    seats={"Main room": "in the main room", "Terrace": "on the terrace", "Counter": "at the counter"},
    party=draw_party,
    hours=("18:30", "20:30"),
    windows=(("18:30", "19:30"), ("19:00", "20:00"), ("19:30", "20:30"), ("20:00", "21:00")),
)


def market_of(town: Town) -> SlotMarket:
    return SlotMarket(town, SITE)


def section(venue: Venue, name: str) -> list[PricedLine]:
    return [line for line in venue.lines if line.section == name]
