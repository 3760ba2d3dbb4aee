"""Whether right and wrong could be told without looking."""

from __future__ import annotations

from random import Random

from workalike.verify.guessing import Clues, guessable


def clues(telling: bool) -> list[Clues]:
    rng = Random(3)
    made = []
    for number in range(240):
        right = number % 3 == 0
        steps = rng.randint(4, 20) + (12 if telling and right else 0)
        page = rng.choice(("http://a.test/cart", "http://b.test/search"))
        made.append(Clues(f"task {number // 3}", steps, page, rng.randint(5, 80), "success", right))
    return made


def test_what_tells_is_found_and_chance_is_called_chance() -> None:
    told, chance = guessable(clues(telling=True)), guessable(clues(telling=False))
    assert told is not None
    assert chance is not None
    assert told > 0.75
    assert 0.4 < chance < 0.6


def test_there_must_be_something_to_learn_from() -> None:
    assert guessable([]) is None
    assert guessable([Clues("a", 1, "", 1, "success", True)] * 9) is None
