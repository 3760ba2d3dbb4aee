"""Who sells flights: an airline its own ones, an agency those of several, with a fee on top."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from workalike.town.flightkit.places import CARRIERS, CITIES
from workalike.town.flightkit.schedule import schedule
from workalike.town.site import IndexEntry
from workalike.town.world import World


class FlightAgency(msgspec.Struct, frozen=True):
    """One seller: whose flights it sells, and what it takes for each traveller and direction."""

    name: str
    title: str
    prefix: str
    carriers: tuple[str, ...]
    fee: int
    phone: str

    def table(self, name: str) -> str:
        return f"{self.name}_{name}"


GANNET = FlightAgency("gannet", "Gannet", "GN", tuple(CARRIERS), 900, "1-800-555-0118")
SOLENNE = FlightAgency("solenne", "Solenne Air", "SL", ("LN",), 0, "1-800-555-0163")
AGENCIES = {agency.name: agency for agency in (GANNET, SOLENNE)}

ROUTES = """
CREATE TABLE route (
  origin TEXT, destination TEXT, carriers TEXT, flights INTEGER, minutes INTEGER, cents INTEGER,
  PRIMARY KEY (origin, destination)
);
"""


def build(agency: FlightAgency, world: World, facts: sqlite3.Connection) -> None:
    """The nonstop routes that are sold, with what they usually begin at."""
    facts.executescript(ROUTES)
    for (origin, destination), legs in sorted(schedule(world).items()):
        sold = [leg for leg in legs if leg.carrier in agency.carriers]
        if sold:
            carriers = ",".join(sorted({leg.carrier for leg in sold}))
            cents = round(min(leg.base for leg in sold) / 100) * 100 + agency.fee
            row = (origin, destination, carriers, len(sold), min(leg.minutes for leg in sold), cents)
            facts.execute("INSERT INTO route VALUES (?,?,?,?,?,?)", row)


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    """What the search engine knows: a page for every city that is flown to."""
    for row in facts.execute(
        "SELECT destination, count(*) AS ways FROM route GROUP BY destination ORDER BY destination"
    ):
        city = CITIES[row["destination"]]
        text = f"Flights to {city.name}, {city.country}, nonstop from {row['ways']} cities. Fares, bags, seats."
        yield IndexEntry(f"/to/{city.code}", f"Flights to {city.name}", text)
