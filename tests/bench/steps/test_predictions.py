"""Predictions come from a file, or from any agent that keeps the contract, shown the recorded screens one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from workalike.bench.steps.predictions import Prediction, predictions_from, read_predictions
from workalike.core.actions import Action, Click, Visit
from workalike.core.contracts import Agent, Decision, Percept, Wants
from workalike.core.errors import AgentFailed, BadInput, Damaged
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.formats.agentnetbench import BenchStep, BenchTask, Monologue, TrueAction
from workalike.pictures.codec import encode

CLICK = TrueAction("click", {"position": {"x": 0.1, "y": 0.2}})
TASK = BenchTask(
    "t",
    tuple(
        BenchStep(
            number, f"{number}.png", (CLICK,), f"pyautogui.click(x=0.{number}, y=0.2)", False, Monologue("O", "T", "A")
        )
        for number in (1, 2, 4)
    ),
    "Do it",
)


def picture(name: str) -> bytes:
    return encode(Image.new("RGB", (64, 48)))


class Watcher:
    """Clicks where its count of looks says, and remembers all it is told."""

    name = "watcher"
    wants = Wants()

    def __init__(self) -> None:
        self.percepts: list[Percept] = []
        self.task: Task | None = None
        self.closed = 0

    async def begin(self, task: Task) -> None:
        self.task = task

    async def decide(self, percept: Percept) -> Decision:
        self.percepts.append(percept)
        return Decision((self.action(),), reply="words")

    def action(self) -> Action:
        return Click(Point(len(self.percepts) / 10, 0.5))

    async def close(self) -> None:
        self.closed += 1


class Rememberer(Watcher):
    """One that can be told of the past as its own."""

    def __init__(self) -> None:
        super().__init__()
        self.past: list[Decision] = []

    async def recall(self, percept: Percept, decision: Decision) -> None:
        self.past.append(decision)

    def action(self) -> Action:
        return Click(Point(len(self.past) / 10, 0.5))


class Failing(Watcher):
    def action(self) -> Action:
        if len(self.percepts) == 2:
            raise AgentFailed("the model said nothing")
        return Visit("https://a") if len(self.percepts) == 3 else super().action()


async def ask(agent: Agent) -> list[Prediction]:
    return [given async for given in predictions_from(lambda: agent, TASK, picture)]


async def test_an_agent_sees_the_recorded_screens_and_what_was_done() -> None:
    agent = Watcher()
    given = await ask(agent)
    assert [(each.step_num, each.code) for each in given] == [
        (1, "pyautogui.click(x=0.1, y=0.5)"),
        (2, "pyautogui.click(x=0.2, y=0.5)"),
        (4, "pyautogui.click(x=0.3, y=0.5)"),
    ]
    assert agent.task is not None
    assert agent.task.instruction == "Do it"
    assert [percept.observation.size for percept in agent.percepts] == [Size(64, 48)] * 3
    assert [[taken.action for taken in percept.taken] for percept in agent.percepts] == [
        [],
        [Click(Point(0.1, 0.2))],
        [Click(Point(0.2, 0.2))],
    ]
    assert agent.closed == 1
    assert given[0].reply == "words"


async def test_an_agent_that_recalls_is_given_the_recorded_past_anew_for_every_step() -> None:
    made: list[Rememberer] = []

    def make() -> Rememberer:
        made.append(Rememberer())
        return made[-1]

    given = [each async for each in predictions_from(make, TASK, picture)]
    assert [each.code for each in given] == [f"pyautogui.click(x={x}, y=0.5)" for x in (0.0, 0.1, 0.2)]
    assert [len(agent.past) for agent in made[1:]] == [0, 1, 2]
    assert made[-1].past[0] == Decision((Click(Point(0.1, 0.2)),), observation_text="O", thought="T", action_text="A")
    assert all(agent.closed == 1 for agent in made)


async def test_what_an_agent_cannot_answer_is_a_prediction_that_says_why() -> None:
    given = await ask(Failing())
    assert [bool(each.code) for each in given] == [True, False, False]
    assert "said nothing" in given[1].error
    assert "visit" in given[2].error


async def test_a_missing_picture_costs_its_step() -> None:
    def gone(name: str) -> bytes:
        if name == "2.png":
            raise Damaged("the picture 2.png is missing")
        return picture(name)

    given = [each async for each in predictions_from(Watcher, TASK, gone)]
    assert [bool(each.error) for each in given] == [False, True, False]


def test_predictions_are_read_by_task_and_step(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text('{"task_id": "t", "step_num": 2, "code": "computer.wait()", "model": "x"}\n\n')
    assert read_predictions(file) == {("t", 2): Prediction("t", 2, "computer.wait()")}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "line 1"),
        ('{"task_id": "t"}', "step_num"),
        ('{"task_id": "t", "step_num": "2", "code": ""}', "a line looks like"),
        ('{"task_id": "t", "step_num": 1}\n{"task_id": "t", "step_num": 1}', "a second time"),
    ],
)
def test_a_bad_file_of_predictions_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text(text)
    with pytest.raises(BadInput, match=complaint):
        read_predictions(file)
    with pytest.raises(BadInput, match="cannot be read"):
        read_predictions(tmp_path / "none")


def test_a_prediction_nested_too_deep_is_named(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text('{"task_id": "t", "step_num": 1, "x": ' + "[" * 100_000 + "\n")
    with pytest.raises(BadInput, match="line 1"):
        read_predictions(file)
