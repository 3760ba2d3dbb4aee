"""Programs that some tests drive; where one is not installed the test is skipped, and says which."""

from __future__ import annotations

import shutil

import pytest


def needs(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program}: install the package of that name")
