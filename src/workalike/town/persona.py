"""The people on whose behalf tasks may enter data: invented, the same on every site, with cards that no bank issued."""

from __future__ import annotations

from random import Random

from workalike.town.world import Chance

_FIRST = (
    "Nora", "Elias", "Priya", "Marcus", "Ingrid", "Tomas", "Amara", "Felix", "Leila", "Owen", "Sofia", "Hugo", "Maya",
    "Anton", "Clara", "Diego", "Ruth", "Jonas", "Anjali", "Theo", "Signe", "Pavel", "Zuri", "Oscar", "Yara", "Rhys",
    "Elena", "Bruno", "Noor", "Emil", "Greta", "Mateo",
)  # fmt: skip
_LAST = (
    "Whitfield", "Lindqvist", "Raman", "Okafor", "Bergmann", "Castellano", "Novak", "Hartley", "Moreau", "Tanaka",
    "Delgado", "Ashworth", "Pemberton", "Sandoval", "Iyer", "Adeyemi", "Kessler", "Romano", "Dvorak", "Marchetti",
    "Lefevre", "Sato", "Herrera", "Thornbury",
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


STATES = {
    "OR": "Oregon", "WI": "Wisconsin", "NC": "North Carolina", "VT": "Vermont", "ID": "Idaho", "GA": "Georgia",
}  # fmt: skip
"""The states that people live in, as some write them out."""


def draw_persona(rng: Random) -> dict[str, str]:
    """Name, address, contact and card. The card number passes the usual check digit and belongs to nobody. Where chance
    is a world's, the name is one of its split."""
    firsts, lasts = (rng.share(_FIRST), rng.share(_LAST)) if isinstance(rng, Chance) else (_FIRST, _LAST)
    first, last = rng.choice(firsts), rng.choice(lasts)
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
