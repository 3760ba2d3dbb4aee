"""Predictions for offline steps: from a file of JSON lines, or asked of an agent one recorded screenshot at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec

from understudy.core.contracts import Agent, Decision, Sight
from understudy.core.errors import BadInput, DialectError, UnderstudyError
from understudy.core.observation import ImageRef, Observation
from understudy.core.screen import Size
from understudy.core.task import Task
from understudy.core.trajectory import Taken
from understudy.dialects import pyautogui
from understudy.formats.agentnetbench import BenchStep, BenchTask

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
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            wanted = '{"task_id": "…", "step_num": 1, "code": "pyautogui.click(x=0.5, y=0.5)"}'
            raise BadInput(f"{file}, line {number}: {error}; a line looks like {wanted}") from error
        key = (prediction.task_id, prediction.step_num)
        if key in found:
            raise BadInput(f"{file}, line {number}: step {key[1]} of {key[0]} is predicted a second time; keep one")
        found[key] = prediction
    return found


async def predictions_from(
    agent: Callable[[], Agent], task: BenchTask, pictures: Pictures, size: Callable[[bytes], Size | None]
) -> AsyncIterator[Prediction]:
    """Ask an agent for every step of a task. Each step shows the recorded screenshot, as if all before had been done
    the way it was recorded: a fresh agent from the factory serves the whole task and is told after each step what was
    really done, never what it proposed. What an agent cannot answer is a prediction without code, with the reason."""
    asked = agent()
    try:
        await asked.begin(Task(task.task_id, task.instruction, benchmark="agentnetbench"))
        done: tuple[Taken, ...] = ()
        for step in task.steps:
            yield await _ask(asked, task, step, pictures, size, done)
            done = _recorded(step)
    finally:
        await asked.close()


async def _ask(
    agent: Agent,
    task: BenchTask,
    step: BenchStep,
    pictures: Pictures,
    size: Callable[[bytes], Size | None],
    done: tuple[Taken, ...],
) -> Prediction:
    try:
        picture = pictures(step.image)
        seen = Observation(ImageRef(step.image, size=size(picture)), size=size(picture), kind="desktop")
        decision = await agent.decide(Sight(seen, picture, done))
        return Prediction(task.task_id, step.step_num, code_of(decision), reply=decision.reply)
    except (UnderstudyError, OSError) as error:
        return Prediction(task.task_id, step.step_num, error=f"{type(error).__name__}: {error}")


def code_of(decision: Decision) -> str:
    """An agent's decision in the words that steps are scored in."""
    return pyautogui.format(decision.actions)


def _recorded(step: BenchStep) -> tuple[Taken, ...]:
    """What was really done on a step, for the agent's history."""
    try:
        return tuple(Taken(action) for action in pyautogui.parse(step.action or ""))
    except DialectError:
        return ()
