"""The town, once for all tests of this folder."""

from __future__ import annotations

import pytest

from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.server import App
from workalike.town.town import Town


@pytest.fixture(scope="session")
def town() -> Town:
    return Town()


@pytest.fixture(scope="session")
def app(town: Town) -> App:
    return App(town)


@pytest.fixture(scope="session")
def drawn(town: Town) -> tuple[Drawn, ...]:
    """The test split."""
    return draw_tasks(town)
