"""One clock: server stamps land on the machine's monotonic clock."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from tests.record.conftest import Desktops
from workalike.env.desktop.display import connect
from workalike.record.clock import Clock, ServerTime


def test_a_clock_counts_from_its_beginning() -> None:
    clock = Clock()
    assert 0 <= clock.now() < 1
    assert clock.at(clock.origin + 2.5) == 2.5


@given(st.floats(-1000, 1000), st.floats(0, 5e6))
def test_stamps_start_over_and_still_mean_their_instant(ago: float, offset: float) -> None:
    instant = time.monotonic() - ago
    stamp = round((instant - offset) * 1000) % 2**32
    assert abs(ServerTime(offset).monotonic(stamp) - instant) < 0.002


def test_a_display_of_this_machine_has_this_machines_clock(desktops: Desktops) -> None:
    assert ServerTime.measured(connect(desktops(bare=True).name)).offset == 0.0
