"""What tests of several folders share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast a machine draws examples says nothing about what they show.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
SHARED = Path(__file__).resolve().parents[2] / "shared" / "fixtures"


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """Real data from outside, beside the project; a test that needs it is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared fixtures are not at {SHARED}")
    return SHARED
