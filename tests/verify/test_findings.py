"""What programs tell of a trajectory, each with its opposite."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.verify.cases import made
from workalike.core.actions import Action, Click, Opaque, Scroll, Wait
from workalike.core.observation import Element
from workalike.core.screen import Point
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.verify.findings import findings, needless, unjudgeable


def kinds(trajectory: Trajectory) -> list[str]:
    return [found.kind for found in findings(trajectory)]


def taking(folder: Path, *actions: Action, same: bool = False) -> Trajectory:
    """A trajectory that takes these actions, each on a screen of its own, or all on one."""
    base, _ = made(folder, len(actions) + 2, same=same)
    looks = [base.steps[0].observation] * len(actions) if same else [step.observation for step in base.steps]
    steps = [Step(look, (ActionResult(action),)) for look, action in zip(looks, actions, strict=False)]
    final = base.steps[0].observation if same else base.final
    return replace(base, steps=(*steps, base.steps[-1]), final=final)


def test_a_sound_trajectory_has_none(tmp_path: Path) -> None:
    assert kinds(made(tmp_path, 8)[0]) == []


def test_loops_are_told_once_and_where_they_begin(tmp_path: Path) -> None:
    click = Click(Point(0.5, 0.5))
    stuck = taking(tmp_path, *[click] * 6, same=True)
    loops = [found for found in findings(stuck) if found.kind == "loop"]
    assert [found.step for found in loops] == [2]
    assert "no_effect" in kinds(stuck)
    assert "loop" not in kinds(taking(tmp_path, *[Scroll(dy=3)] * 8))
    assert "loop" not in kinds(taking(tmp_path, click, click, same=True))


def test_actions_that_failed_missed_or_cannot_be_read(tmp_path: Path) -> None:
    base = taking(tmp_path, Click(Point(0.5, 0.5)), Click(Point(1.4, 0.5)), Opaque("??"))
    first = replace(base.steps[0], actions=(ActionResult(Click(Point(0.5, 0.5)), error="nothing there"),))
    wrong = replace(base, steps=(first, *base.steps[1:]))
    assert kinds(wrong) == ["failed", "off_page", "unreadable"]
    assert needless(wrong) == (0, 1, 2)
    assert [found.failure.found_by for found in findings(wrong)] == ["findings"] * 3


def test_endings(tmp_path: Path) -> None:
    assert kinds(made(tmp_path, answer="")[0]) == ["empty_ending"]
    stopped = replace(made(tmp_path)[0], stop=Stop("stopped_by_policy", "an order"))
    assert "policy_stop" in kinds(stopped)
    assert unjudgeable(replace(stopped, stop=Stop("interrupted")))
    assert not unjudgeable(replace(stopped, stop=Stop("out_of_steps")))


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("It costs $40.", False),
        ("It costs $41.50.", True),
        ("Together they are $65.", False),
        ("The blue ones, 1,200 reviews.", False),
        ("No number at all.", False),
    ],
)
def test_numbers_that_nothing_shows(tmp_path: Path, answer: str, found: bool) -> None:
    shown = (Element("link", "Blue shoes $40.00"), Element("text", "Socks 25 dollars, 1200 reviews"))
    base, _ = made(tmp_path, 3, answer=answer)
    seen = tuple(replace(step, observation=replace(step.observation, elements=shown)) for step in base.steps)
    assert ("unseen_number" in kinds(replace(base, steps=seen))) is found
    assert "unseen_number" not in kinds(base)
    acted_on = tuple(replace(step, observation=replace(step.observation, elements=shown[:1])) for step in base.steps)
    assert "unseen_number" not in kinds(replace(base, steps=acted_on))


def test_waiting_once_is_patience_and_twice_is_needless(tmp_path: Path) -> None:
    waits = taking(tmp_path, Wait(1.0), Click(Point(0.5, 0.5)), Wait(1.0), Wait(1.0))
    assert needless(waits) == (3,)
