"""Predictions for offline steps: from a file of JSON lines, or asked of an agent one recorded screenshot at a time."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec

from workalike.bench.agent_factory import AttemptSpec, agent_factory
from workalike.core.contracts import Agent, AgentSpec, Decision, Percept
from workalike.core.errors import BadInput, DialectError, ServiceDown, WorkalikeError
from workalike.core.observation import ImageRef, Observation
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.dialects import pyautogui
from workalike.formats.agentnetbench import BenchStep, BenchTask, Monologue
from workalike.models.interface import ModelProvider
from workalike.models.prompts import Prompts
from workalike.pictures.codec import stated_size

Key = tuple[str, int]
Pictures = Callable[[str], bytes]
_NOT_RESULTS = ("metric.json", "hyperparams.json")


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


class _RunnerResult(msgspec.Struct, frozen=True):
    """What the published runner keeps of a step, as far as it matters here. Its number is the step's place."""

    task_id: str
    step_num: int
    parsed_action: str | None = None
    error_message: str | None = None
    raw_response: str | None = None


def read_runner_folder(folder: Path) -> dict[Key, Prediction]:
    """The predictions that the published runner left in its folder of results: a file a task, keyed by place."""
    decoder = msgspec.json.Decoder(list[_RunnerResult])
    found: dict[Key, Prediction] = {}
    for file in sorted(folder.glob("*.json")):
        if file.name in _NOT_RESULTS:
            continue
        try:
            results = decoder.decode(file.read_bytes())
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadInput(f"{file} is no file of results of the published runner: {error}") from error
        for each in results:
            code, why = each.parsed_action or "", each.error_message or ""
            given = Prediction(each.task_id, each.step_num, code, why, each.raw_response)
            found[each.task_id, each.step_num] = given
    if not found:
        raise BadInput(f"{folder} holds no results of the published runner (*.json); name a file of JSON lines instead")
    return found


def predictions_at(path: Path, tasks: Sequence[BenchTask]) -> tuple[dict[Key, Prediction], bool]:
    """The predictions of a file, or of the published runner's folder, and whether they were keyed by place."""
    predictions = read_runner_folder(path) if path.is_dir() else read_predictions(path)
    by_place = path.is_dir() or keyed_by_place(predictions, tasks)
    return (by_number(predictions, tasks) if by_place else predictions), by_place


def by_number(predictions: Mapping[Key, Prediction], tasks: Sequence[BenchTask]) -> dict[Key, Prediction]:
    """Predictions that are keyed by a step's place in its file (from 0), under the step's own number."""
    numbers = {(task.task_id, _place(step, index)): step.step_num for task, index, step in _steps(tasks)}
    unplaced = -1 - max((abs(number) for _, number in predictions), default=0)  # a number that no step has
    renumbered: dict[Key, Prediction] = {}
    for (task_id, place), given in predictions.items():
        key = (task_id, numbers.get((task_id, place), unplaced - place))
        renumbered[key] = msgspec.structs.replace(given, step_num=key[1])
    return renumbered


def keyed_by_place(predictions: Mapping[Key, Prediction], tasks: Sequence[BenchTask]) -> bool:
    """Whether predictions count the steps of a file from 0, as the published runner does, instead of calling them by
    their own `step_num`, which starts at 0, 1 or 2 and has gaps: taken so where more of them are for a step then."""
    known = {task.task_id for task in tasks}
    keys = {key for key in predictions if key[0] in known}
    own = {(task.task_id, step.step_num) for task, _, step in _steps(tasks)}
    places = {(task.task_id, _place(step, index)) for task, index, step in _steps(tasks)}
    return len(keys & places) > len(keys & own)


def _steps(tasks: Sequence[BenchTask]) -> list[tuple[BenchTask, int, BenchStep]]:
    return [(task, index, step) for task in tasks for index, step in enumerate(task.steps)]


def _place(step: BenchStep, index: int) -> int:
    return index if step.place is None else step.place


@runtime_checkable
class Recalls(Agent, Protocol):
    """An agent that can be told of a past step as if it had decided it itself. Offline it is then given the recorded
    past, as the published evaluation does; an agent without it is only told what was done between two looks."""

    async def recall(self, percept: Percept, decision: Decision) -> None: ...


def agents_for_steps(
    spec: AgentSpec, models: ModelProvider, prompts: Prompts, scratch: Path
) -> Callable[[BenchTask], Callable[[], Agent]]:
    """Who makes the agents for a task, as in a run; what is said with models goes into a folder, a file an agent."""
    make = agent_factory(spec, models, prompts)
    transcripts = (scratch / f"{number}.jsonl" for number in itertools.count())
    return lambda task: lambda: make(AttemptSpec(task_of(task), transcript=str(next(transcripts))))


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
            await agent.recall(_percept(step, pictures, before), recorded(step))
        return await _ask(agent, task, task.steps[index], pictures, _taken(task.steps[index - 1]) if index else ())
    finally:
        await agent.close()


async def _ask(
    agent: Agent, task: BenchTask, step: BenchStep, pictures: Pictures, done: tuple[ActionResult, ...]
) -> Prediction:
    try:
        decision = await agent.decide(_percept(step, pictures, done))
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


def _percept(step: BenchStep, pictures: Pictures, done: tuple[ActionResult, ...]) -> Percept:
    picture = pictures(step.image)
    size = stated_size(picture)
    return Percept(Observation(ImageRef(step.image, size=size), size=size, kind="desktop"), picture, done)


def _taken(step: BenchStep) -> tuple[ActionResult, ...]:
    try:
        return tuple(ActionResult(action) for action in pyautogui.parse(step.action or ""))
    except DialectError:
        return ()
