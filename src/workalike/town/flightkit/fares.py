"""Fares and what is sold besides: prices are whole cents and follow from what was chosen."""

from __future__ import annotations

import msgspec

CHILD = 0.75
MEALS = ("Vegetarian", "Vegan", "Gluten-free", "Halal", "Kosher", "Low-lactose")
PRIORITY, LOUNGE, INSURANCE = 1500, 3900, 2400
"""Each for one traveller and the whole trip."""
SEAT, ROOMY = 1200, 3500
MOST_BAGS = 5


class Fare(msgspec.Struct, frozen=True):
    """A fare of a cabin: how much dearer than the cheapest, and what it holds."""

    name: str
    cabin: str
    times: float
    plus: int
    bags: int
    seats_free: bool
    promises: tuple[str, ...]


FARES = (
    Fare("Light", "Economy", 1.0, 0, 0, False, ("Personal item and cabin bag", "No changes", "No refund")),
    Fare("Standard", "Economy", 1.08, 2900, 1, False, ("1 checked bag, 23 kg", "Changes for $60", "No refund")),
    Fare(
        "Flex", "Economy", 1.3, 5900, 1, True, ("1 checked bag, 23 kg", "Free changes and seat choice", "Full refund")
    ),
    Fare("Premium", "Premium", 1.85, 8000, 2, True, ("2 checked bags", "Wider seat, more legroom", "Free changes")),
    Fare(
        "Business",
        "Business",
        3.1,
        15000,
        2,
        True,
        ("2 checked bags, 32 kg", "Lie-flat or blocked seat", "Full refund"),
    ),
)
BY_NAME = {fare.name: fare for fare in FARES}


def party(cents: int, adults: int, children: int) -> int:
    """What all pay together; a child pays three quarters, on the dollar.

    >>> party(20000, 2, 1)
    55000
    """
    return cents * adults + round(cents * CHILD / 100) * 100 * children


def seat_price(fare: Fare, roomy: bool) -> int:
    return 0 if fare.seats_free else ROOMY if roomy else SEAT
