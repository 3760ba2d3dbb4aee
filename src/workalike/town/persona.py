"""The people on whose behalf tasks may enter data: invented, the same on every site, with cards that no bank issued."""

from __future__ import annotations

from random import Random

_FIRST = (
    "Nora", "Elias", "Priya", "Marcus", "Ingrid", "Tomas", "Amara", "Felix", "Leila", "Owen", "Sofia", "Hugo", "Maya",
    "Anton", "Clara", "Diego",
)  # fmt: skip
_LAST = (
    "Whitfield", "Lindqvist", "Raman", "Okafor", "Bergmann", "Castellano", "Novak", "Hartley", "Moreau", "Tanaka",
    "Delgado", "Ashworth",
)  # fmt: skip
_STREETS = ("Maple Street", "Harbor Road", "Linden Avenue", "Mill Lane", "Chestnut Drive", "Quarry Road", "Orchard Way")
_CITIES = (
    ("Portland", "OR", "97205"),
    ("Madison", "WI", "53703"),
    ("Asheville", "NC", "28801"),
    ("Burlington", "VT", "05401"),
    ("Boise", "ID", "83702"),
    ("Savannah", "GA", "31401"),
)


def draw_persona(rng: Random) -> dict[str, str]:
    """Name, address, contact and card. The card number passes the usual check digit and belongs to nobody."""
    first, last = rng.choice(_FIRST), rng.choice(_LAST)
    city, state, zip_code = rng.choice(_CITIES)
    return {
        "name": f"{first} {last}",
        "first_name": first,
        "last_name": last,
        "email": f"{first}.{last}@postbox.example".lower(),
        "phone": f"503-555-{rng.randint(100, 199):04d}",
        "street": f"{rng.randint(11, 980)} {rng.choice(_STREETS)}",
        "city": city,
        "state": state,
        "zip": zip_code,
        "card_number": _card(rng),
        "card_expiry": f"{rng.randint(1, 12):02d}/{rng.randint(28, 31)}",
        "card_code": f"{rng.randint(100, 999)}",
    }


def _card(rng: Random) -> str:
    digits = [4, 0, 0, 0, 0, 0, *(rng.randint(0, 9) for _ in range(9))]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[::2]) + sum(digits[1::2])
    text = "".join(map(str, [*digits, -doubled % 10]))
    return " ".join(text[at : at + 4] for at in range(0, 16, 4))
