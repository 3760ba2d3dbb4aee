"""The scripted bot that scores on the town are compared with: it solves easy train tasks, and never sees a key."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from benchmarks.bench_bot import attempt, idle, say_at_random
from benchmarks.scripted_bot import solve
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.town import Town
from workalike.town.world import World

EASY = ("train_shopping_2", "train_shopping_11", "train_shopping_14", "train_flights_1", "train_hotels_1")


@pytest.fixture(scope="module")
def train() -> tuple[Town, tuple[Drawn, ...]]:
    town = Town(World().of("train"))
    drawn = draw_tasks(town, counts={"shopping": 14, "flights": 1, "hotels": 1})
    return town, tuple(each for each in drawn if each.task.id in EASY)


def test_solves_easy_train_tasks_over_http(train: tuple[Town, tuple[Drawn, ...]]) -> None:
    assert asyncio.run(attempt(*train, solve)) == dict.fromkeys(EASY, True)


def test_doing_nothing_solves_none(train: tuple[Town, tuple[Drawn, ...]]) -> None:
    for solver in (idle, say_at_random):
        assert not any(asyncio.run(attempt(*train, solver)).values())


def test_knows_neither_keys_nor_templates() -> None:
    """What it is made of imports nothing that holds goals, templates or a way to keys."""
    told = "import sys, benchmarks.scripted_bot; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout.split()
    assert "benchmarks.scripted_shops" in loaded
    for banned in (
        "workalike.town.benchmark",
        "workalike.town.kit.goal",
        "workalike.town.template",
        "workalike.town.sites",
    ):
        assert not any(name == banned or name.startswith(f"{banned}.") for name in loaded), banned
