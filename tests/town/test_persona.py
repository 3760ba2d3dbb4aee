"""The people whose data may be entered."""

from __future__ import annotations

from random import Random

from workalike.town.persona import draw_persona


def test_cards_pass_the_check_digit_and_addresses_are_whole() -> None:
    for seed in range(50):
        who = draw_persona(Random(seed))
        digits = [int(char) for char in who["card_number"] if char.isdigit()]
        doubled = [digit if place % 2 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(digits)]
        assert len(digits) == 16
        assert sum(doubled) % 10 == 0
        assert who["email"].endswith(".example")
        assert who["name"] == f"{who['first_name']} {who['last_name']}"
        assert all(who.values())
