"""Who sells rooms: a portal with houses of every chain, and one chain that sells its own."""

from __future__ import annotations

import msgspec


class Chain(msgspec.Struct, frozen=True):
    """A chain of hotels: how many stars its houses have, how dear they are, what they tend to offer."""

    slug: str
    title: str
    stars: tuple[int, ...]
    level: float
    comfort: float
    """How likely a house of it has an amenity."""


class HotelAgency(msgspec.Struct, frozen=True):
    """One site that sells rooms. `chain` is the only chain it sells, or nothing for all of them."""

    name: str
    title: str
    prefix: str
    phone: str
    chain: str = ""

    def table(self, name: str) -> str:
        return f"{self.name}_{name}"


CHAINS = (
    Chain("aldergate", "Aldergate", (4, 4, 5), 1.35, 0.62),
    Chain("lumen", "Lumen Stay", (3, 3, 4), 0.9, 0.45),
    Chain("northway", "Northway Inn", (2, 3), 0.62, 0.28),
    Chain("ferrand", "Maison Ferrand", (4, 5, 5), 1.75, 0.68),
    Chain("tidewater", "Tidewater Suites", (3, 4), 1.1, 0.5),
    Chain("copperfield", "The Copperfield", (3, 4, 4), 1.05, 0.48),
)
CHAIN = {chain.slug: chain for chain in CHAINS}

STAYWARD = HotelAgency("stayward", "Stayward", "SW", "1-800-555-0119")
ALDERGATE = HotelAgency("aldergate", "Aldergate Hotels", "AG", "1-800-555-0164", "aldergate")
AGENCIES = {agency.name: agency for agency in (STAYWARD, ALDERGATE)}
