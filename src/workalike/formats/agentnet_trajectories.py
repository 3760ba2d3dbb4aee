"""AgentNet rows ↔ trajectories. Both ways lose nothing: what one side has no place for travels along under a name of
its own.

A trajectory that came from a row keeps what was published and has no place in ours in `extra["agentnet"]`, of itself
and of its steps; a row made from a trajectory of ours keeps what AgentNet has no field for in `workalike`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action, Opaque, Terminate
from workalike.core.errors import BadInput, DialectError
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.dialects import pyautogui
from workalike.dialects.gestures import scrolls_in
from workalike.formats.agentnet import Meta, PublishedRow, Row, decode_row, from_document, names_in, to_document
from workalike.store.layers import SUMMARY

THEIRS, OURS = "agentnet", "workalike"
OURS_BEFORE = "understudy"  # the name this package had when it wrote the earliest rows
_NO_INDEX, _NO_INDEX_BEFORE = "workalike: no index", "understudy: no index"
_TEXTS = {  # ours: theirs
    "observation_text": "observation",
    "thought": "thought",
    "action_text": "action",
    "reflection": "reflection",
    "correct": "last_step_correct",
    "redundant": "last_step_redundant",
    "value": "step_value",
}
_check = msgspec.json.Decoder(PublishedRow).decode
_decode = msgspec.json.Decoder(dict[str, Any]).decode
_WORDS = ("instruction", "natural_language_task", "actual_task")


def to_trajectory(row: Row, meta: Meta | None = None) -> Trajectory:
    """A row as a trajectory. Code that cannot be read becomes an `Opaque` action with the reason, and is kept."""
    ours = next((name for name in (OURS, OURS_BEFORE) if name in row.rest), None)
    return _restored(row, ours) if ours else _made(to_document(row), meta)


def decode_trajectory(line: bytes, metadata: Mapping[str, Meta]) -> Trajectory:
    """The trajectory of a row's line with its metadata: `to_trajectory(decode_row(line), …)`, several times as fast."""
    try:
        _check(line)
        document = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        document = {OURS: None}  # the slow way says in words what is wrong
    if OURS not in document and OURS_BEFORE not in document:
        return _made(document, metadata.get(document["task_id"]))
    row = decode_row(line)
    return to_trajectory(row, metadata.get(row.task_id))


def _made(document: dict[str, Any], meta: Meta | None) -> Trajectory:
    places = enumerate(document.pop("traj"))
    steps = tuple(_step(step, place, meta.screen if meta else None) for place, step in places)
    ended = bool(steps) and any(isinstance(taken.action, Terminate) for taken in steps[-1].actions)
    published = {name: value for name, value in document.items() if name != "task_id"}
    return Trajectory(
        document["task_id"],
        _task(document, meta),
        steps,
        stop=Stop("terminated") if ended else None,
        extra={THEIRS: published},
    )


def from_trajectory(trajectory: Trajectory, plain: bool = False) -> Row:
    """A trajectory as a row; `plain` leaves out what only we would read. An action that the published code has no words
    for raises Inexpressible."""
    published = trajectory.extra.get(THEIRS)
    theirs = isinstance(published, dict)
    if isinstance(published, dict):
        document = dict(published)
        if document.get("instruction"):
            document["instruction"] = trajectory.task.instruction
    else:
        document = {"instruction": trajectory.task.instruction}
        if trajectory.task.category is not None:
            document["domain"] = trajectory.task.category
        if not plain:
            document[OURS] = msgspec.to_builtins(_bones(trajectory))
    summary = trajectory.extra.get(SUMMARY)
    document.update(summary if isinstance(summary, dict) else {})
    document["task_id"] = trajectory.id
    document["traj"] = [_row_step(step, place, theirs) for place, step in enumerate(trajectory.steps)]
    return from_document(document)


def read_code(code: str | None) -> tuple[Action, ...]:
    """The actions of a step's code; what cannot be read is one opaque action."""
    if not code:
        return ()
    try:
        return pyautogui.parse(code)
    except DialectError as error:
        return (Opaque(code, str(error)),)


def write_code(actions: tuple[Action, ...]) -> str:
    """The code of a step's actions, scrolls in notches; an opaque one as it came."""
    turned = scrolls_in("notches", actions)
    texts = [action.text if isinstance(action, Opaque) else pyautogui.format([action]) for action in turned]
    return "\n".join(texts)


def _task(document: dict[str, Any], meta: Meta | None) -> Task:
    domains = names_in(document.get("domain")) or (meta.domains if meta else ())
    extra: dict[str, Any] = {} if meta is None else {"system": meta.system, "applications": list(meta.applications)}
    said = (document.get(name) for name in _WORDS)
    instruction = next((text for text in said if isinstance(text, str) and text), "")
    return Task(document["task_id"], instruction, domains[0] if domains else None, THEIRS, extra=extra)


def _step(document: dict[str, Any], place: int, size: Size | None) -> Step:
    """A step of a decoded row, whose parts are taken out of it; what has no place in ours is left and kept. The code,
    which is what the actions were read from, is the reply."""
    value = document["value"]
    code = value.pop("code") if isinstance(value.get("code"), str) else None
    texts: dict[str, Any] = {ours: value.pop(name) for ours, name in _TEXTS.items() if value.get(name) is not None}
    if not value:
        del document["value"]
    image = document.pop("image") if isinstance(document.get("image"), str) else None
    if document.get("index") == place:
        del document["index"]
    elif "index" not in document:
        document[_NO_INDEX] = True
    return Step(
        Observation(ImageRef(image) if image is not None else None, size=size, kind="desktop"),
        tuple([ActionResult(action) for action in read_code(code)]),
        code,
        **texts,
        extra={THEIRS: document} if document else {},
    )


def _row_step(step: Step, place: int, theirs: bool) -> dict[str, Any]:
    odd = dict(step.extra.get(THEIRS, {}))
    texts = {theirs: getattr(step, ours) for ours, theirs in _TEXTS.items()}
    value = {**odd.pop("value", {}), **{name: held for name, held in texts.items() if held is not None}}
    code = step.reply if theirs else write_code(tuple(taken.action for taken in step.actions)) or None
    if code is not None:
        value["code"] = code
    unnamed = [odd.pop(name, False) for name in (_NO_INDEX, _NO_INDEX_BEFORE)]
    named: dict[str, Any] = {} if any(unnamed) else {"index": place}
    if step.observation.picture is not None:
        named["image"] = step.observation.picture.name
    return {**named, "value": value, **odd}


def _bones(trajectory: Trajectory) -> Trajectory:
    """A trajectory without the texts that the row says already."""
    nothing = dict.fromkeys(_TEXTS)
    return replace(trajectory, steps=tuple(replace(step, **nothing) for step in trajectory.steps))


def _restored(row: Row, ours: str) -> Trajectory:
    try:
        bones = msgspec.convert(row.rest[ours], Trajectory)
    except msgspec.ValidationError as error:
        raise BadInput(f"the row {row.task_id} has a field `{ours}` that is not ours: {error}") from error
    if len(bones.steps) != len(row.traj):
        counts = f"{len(row.traj)} steps, and {len(bones.steps)} in `{ours}`"
        raise BadInput(f"the row {row.task_id} has {counts}; drop that field to read the row alone")
    steps = []
    for step, said in zip(bones.steps, row.traj, strict=True):
        values = {ours: getattr(said.value, theirs) for ours, theirs in _TEXTS.items()}
        steps.append(
            replace(step, **{name: None if value is msgspec.UNSET else value for name, value in values.items()})
        )
    return replace(bones, steps=tuple(steps))
