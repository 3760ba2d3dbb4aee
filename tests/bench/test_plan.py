"""A plan that no browser can follow is refused before anything starts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from understudy.bench.plan import Plan
from understudy.cli import main
from understudy.core.errors import BadInput


def test_a_time_zone_must_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "town", "--agent", "oracle", "--timezone", "Mars/Base", "--out", str(tmp_path / "run")]
    assert main(words) == 2
    assert "there is no time zone 'Mars/Base'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    plan = Plan(benchmark="town", agent="oracle", timezone="Europe/Paris")
    for zone in ("Mars/Base", "Europe", "../x", ""):
        with pytest.raises(BadInput, match="no time zone"):
            msgspec.structs.replace(plan, timezone=zone)
