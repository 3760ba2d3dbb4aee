"""The checker passes who keeps the contract and says in words what others break."""

from __future__ import annotations

import time

import pytest

from workalike.core.actions import Action, Click, Terminate, Wait
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.env.browser.environment import BrowserEnvironment
from workalike.env.browser.stage import Stage
from workalike.env.conformance import Check, ConformanceReport, check_agent, is_decision
from workalike.env.conformance_environment import check_environment
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Good:
    """Clicks where it was told the first element is, then stops."""

    name = "good"
    wants = Wants(elements=True)

    def __init__(self) -> None:
        self.seen = 0

    async def begin(self, task: Task) -> None:
        self.seen = 0

    async def decide(self, percept: Percept) -> Decision:
        self.seen += 1
        first = next(iter(percept.observation.elements or ()), None)
        if self.seen > 2 or first is None or first.box is None:
            return Decision((Terminate("failure"),))
        return Decision((Click(first.box.centre), Wait(0)), thought="first things first")

    async def close(self) -> None:
        self.seen = 0


class Bad(Good):
    name = ""

    def decide(self, percept: Percept) -> Decision:  # type: ignore[override]
        return Decision(())


class Careless(Good):
    async def decide(self, percept: Percept) -> Decision:
        self.seen += 1
        if self.seen == 1 and percept.observation.url != "about:blank":
            time.sleep(1.3)
        return Decision((Click(Point(7, 7)),)) if percept.observation.dialog is None else Decision(())[0]  # type: ignore[index]


class Needy(Good):
    def __init__(self, model: str) -> None:
        super().__init__()


def broken(checks: list[Check]) -> list[str]:
    return [check.name for check in checks if not check.passed]


async def test_a_good_agent_keeps_every_promise() -> None:
    checks = await check_agent(Good)
    assert broken(checks) == []
    assert len(checks) > 15


async def test_a_wrong_shape_is_told_before_anything_is_run() -> None:
    checks = await check_agent(Bad)  # type: ignore[arg-type]
    assert broken(checks) == ["has a name", "has decide"]
    assert any("async def decide" in check.text for check in checks)


async def test_what_goes_wrong_while_acting_is_told() -> None:
    checks = {check.name: check.text for check in await check_agent(Careless, steps=1) if not check.passed}
    assert set(checks) == {"lets others work meanwhile", "points at the screen", "copes with an open dialog"}
    assert "test_conformance.py, line" in checks["copes with an open dialog"]


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (Decision(()), "leads nowhere"),
        ("click", "must return a `Decision`, not str"),
        (Decision([Wait()]), "must be a tuple"),  # type: ignore[arg-type]
        (Decision(("click",)), "'click' is no action"),  # type: ignore[arg-type]
    ],
)
async def test_what_is_no_decision_is_told(decision: object, words: str) -> None:
    report = ConformanceReport()
    assert not is_decision(report, decision, 1)
    assert words in report.checks[0].text


async def test_an_agent_that_needs_arguments_is_told_how_to_give_them() -> None:
    (check,) = await check_agent(Needy)  # type: ignore[arg-type]
    assert "--set NAME=VALUE" in check.text


async def test_the_browser_keeps_every_promise(stage: Stage) -> None:
    checks = await check_environment(lambda: stage.environment(Policy()))
    assert broken(checks) == []
    assert len(checks) > 30


async def test_an_environment_that_raises_or_hides_is_told(stage: Stage) -> None:
    class Raises(BrowserEnvironment):
        async def act(self, action: Action) -> ActionResult:
            if isinstance(action, Click):
                raise ValueError("no")
            return ActionResult(action)

    checks = broken(await check_environment(lambda: Raises(stage)))
    assert "survives a click off the screen" in checks
    assert "tells of an action that could not be read" in checks
    assert "keeps one clock" in checks
    assert "says when it is closed" in checks
