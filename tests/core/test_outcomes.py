"""One table for walls and lacks: what a report comes to, and where it counts."""

from __future__ import annotations

from typing import get_args

from workalike.core.key import AnswerStatus
from workalike.core.outcomes import REPORTED, SOLVED, solved
from workalike.core.verdict import Outcome


def test_every_status_has_an_outcome() -> None:
    assert set(REPORTED) == set(get_args(AnswerStatus))
    assert set(REPORTED.values()) <= set(get_args(Outcome))


def test_on_the_town_honest_reports_count_and_on_the_live_web_they_do_not() -> None:
    for outcome in ("blocked", "unavailable"):
        assert solved(outcome, "town@1") is True
        assert solved(outcome, "town@1, 2026-11-15") is True
        assert solved(outcome, "webtailbench@v2") is False
        assert solved(outcome, "somebodys:Own") is False
    assert solved("refused", "webtailbench-refusals") is True


def test_failures_never_count_and_the_ungraded_are_unknown() -> None:
    for name in SOLVED:
        assert solved("failure", name) is False
        assert solved("critical_point_crossed", name) is False
        assert solved("ungraded", name) is None
        assert solved(None, name) is None
