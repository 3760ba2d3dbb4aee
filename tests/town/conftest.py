"""The town, its server and a browser, once for all tests of this folder."""

from __future__ import annotations

import pytest

from understudy.town.server import App
from understudy.town.town import Town


@pytest.fixture(scope="session")
def town() -> Town:
    return Town()


@pytest.fixture(scope="session")
def app(town: Town) -> App:
    return App(town)
