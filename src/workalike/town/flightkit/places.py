"""The cities that are flown to, and the airlines that fly: all the airlines are invented."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt
from pathlib import Path

import msgspec


class AirportCity(msgspec.Struct, frozen=True, array_like=True):
    """A city with its one airport; `utc` is its clock in summer."""

    code: str
    name: str
    country: str
    latitude: float
    longitude: float
    utc: int

    @property
    def label(self) -> str:
        return f"{self.name} ({self.code})"


class Carrier(msgspec.Struct, frozen=True):
    """An airline: where its planes meet, how far they go, how dear it is, and what it charges for besides."""

    code: str
    name: str
    hubs: tuple[str, ...]
    reach: int
    level: float
    share: float
    economy_only: bool
    bag: int
    meal: int
    tone: str


CITIES = {
    city.code: city
    for city in msgspec.json.decode((Path(__file__).parent / "cities.json").read_bytes(), type=list[AirportCity])
}
BY_NAME = {city.name.casefold(): city for city in CITIES.values()}

CARRIERS = {
    carrier.code: carrier
    for carrier in (
        Carrier("LN", "Solenne Air", ("JFK", "LIS", "ATL"), 13_000, 1.06, 0.9, False, 3500, 900, "#b5552b"),
        Carrier("NR", "Norrwind", ("ORD", "CPH", "SEA"), 12_000, 1.0, 0.85, False, 4000, 1100, "#1f5673"),
        Carrier("MZ", "Meridia Airways", ("DFW", "MIA", "LHR"), 13_000, 1.12, 0.85, False, 4500, 1000, "#5b3a8c"),
        Carrier("BQ", "Bluebarrow", ("DEN", "BOS", "DUB"), 6_500, 0.72, 0.75, True, 2900, 1200, "#2472c8"),
    )
}


def city_of(text: str) -> AirportCity | None:
    """A city by what somebody typed: its name, its code, or both as they are suggested.

    >>> city_of("lisbon").code, city_of("Lisbon (LIS)").name, city_of("LIS").name
    ('LIS', 'Lisbon', 'Lisbon')
    """
    plain = text.strip()
    code = plain[-4:-1] if plain.endswith(")") else plain
    return CITIES.get(code.upper()) or BY_NAME.get(plain.casefold())


def suggest(text: str, most: int = 6) -> list[AirportCity]:
    """Cities that begin as typed, by name or code, then those of the country."""
    typed = text.strip().casefold()
    by_name = [city for city in CITIES.values() if city.name.casefold().startswith(typed)]
    by_code = [city for city in CITIES.values() if city.code.casefold().startswith(typed)]
    by_land = [city for city in CITIES.values() if city.country.casefold().startswith(typed)]
    return list({city.code: city for city in (*by_name, *by_code, *by_land)}.values())[:most]


def distance(one: AirportCity, other: AirportCity) -> int:
    """Kilometres along the great circle."""
    north, south = radians(one.latitude), radians(other.latitude)
    across = radians(one.longitude - other.longitude)
    chord = sin((north - south) / 2) ** 2 + cos(north) * cos(south) * sin(across / 2) ** 2
    return round(12_742 * asin(sqrt(chord)))
