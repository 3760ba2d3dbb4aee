"""Predictions for offline steps: from a file of JSON lines, or asked of an agent one recorded screenshot at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec

from workalike.core.contracts import Agent, Decision, Sight
from workalike.core.errors import BadInput, DialectError, ServiceDown, WorkalikeError
from workalike.core.observation import ImageRef, Observation
from workalike.core.task import Task
from workalike.core.trajectory import Taken
from workalike.dialects import pyautogui
from workalike.formats.agentnetbench import BenchStep, BenchTask, Monologue
from workalike.pictures.codec import stated_size

Key = tuple[str, int]
Pictures = Callable[[str], bytes]


class Prediction(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was predicted for one step: code in the pyautogui dialect, with coordinates as fractions. `error` says why
    there is none."""

    task_id: str
    step_num: int
    code: str = ""
    error: str = ""
    reply: str | None = None


def read_predictions(file: Path) -> dict[Key, Prediction]:
    """The predictions of a file by task and step; a step predicted twice is refused, for nobody knows which counts."""
    decoder = msgspec.json.Decoder(Prediction)
    found: dict[Key, Prediction] = {}
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"the predictions in {file} cannot be read: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            prediction = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            wanted = '{"task_id": "…", "step_num": 1, "code": "pyautogui.click(x=0.5, y=0.5)"}'
            raise BadInput(f"{file}, line {number}: {error}; a line looks like {wanted}") from error
        key = (prediction.task_id, prediction.step_num)
        if key in found:
            raise BadInput(f"{file}, line {number}: step {key[1]} of {key[0]} is predicted a second time; keep one")
        found[key] = prediction
    return found


@runtime_checkable
class Recalls(Agent, Protocol):
    """An agent that can be told of a past step as if it had decided it itself. Offline it is then given the recorded
    past, as the published evaluation does; an agent without it is only told what was done between two looks."""

    async def recall(self, sight: Sight, decision: Decision) -> None: ...


async def predictions_from(make: Callable[[], Agent], task: BenchTask, pictures: Pictures) -> AsyncIterator[Prediction]:
    """Ask an agent what it would do on every recorded screenshot of a task, in order.

    Whatever it proposes, the next screenshot is the recorded one, and what it learns of the past is what was recorded.
    A step it cannot answer is a prediction without code that says why.
    """
    agent = make()
    try:
        if isinstance(agent, Recalls):
            for index in range(len(task.steps)):
                yield await _with_past(make, task, index, pictures)
            return
        await agent.begin(task_of(task))
        for index, step in enumerate(task.steps):
            yield await _ask(agent, task, step, pictures, _taken(task.steps[index - 1]) if index else ())
    finally:
        await agent.close()


async def _with_past(make: Callable[[], Agent], task: BenchTask, index: int, pictures: Pictures) -> Prediction:
    agent = make()
    try:
        await agent.begin(task_of(task))
        for place, step in enumerate(task.steps[:index]):
            assert isinstance(agent, Recalls)
            before = _taken(task.steps[place - 1]) if place else ()
            await agent.recall(_sight(step, pictures, before), recorded(step))
        return await _ask(agent, task, task.steps[index], pictures, _taken(task.steps[index - 1]) if index else ())
    finally:
        await agent.close()


async def _ask(
    agent: Agent, task: BenchTask, step: BenchStep, pictures: Pictures, done: tuple[Taken, ...]
) -> Prediction:
    try:
        decision = await agent.decide(_sight(step, pictures, done))
        return Prediction(task.task_id, step.step_num, pyautogui.format(decision.actions), reply=decision.reply)
    except ServiceDown:
        raise  # it would be the same with every other step
    except (WorkalikeError, OSError) as error:
        return Prediction(task.task_id, step.step_num, error=f"{type(error).__name__}: {error}")


def recorded(step: BenchStep) -> Decision:
    """What was really decided on a step, with the words that were found for it."""
    said = step.inner_monologue or Monologue()
    return Decision(
        tuple(taken.action for taken in _taken(step)),
        observation_text=said.observation,
        thought=said.thought,
        action_text=said.low_level_instruction,
    )


def task_of(task: BenchTask) -> Task:
    """The task as an agent is told it."""
    return Task(task.task_id, task.instruction, benchmark="agentnetbench")


def _sight(step: BenchStep, pictures: Pictures, done: tuple[Taken, ...]) -> Sight:
    picture = pictures(step.image)
    size = stated_size(picture)
    return Sight(Observation(ImageRef(step.image, size=size), size=size, kind="desktop"), picture, done)


def _taken(step: BenchStep) -> tuple[Taken, ...]:
    try:
        return tuple(Taken(action) for action in pyautogui.parse(step.action or ""))
    except DialectError:
        return ()
