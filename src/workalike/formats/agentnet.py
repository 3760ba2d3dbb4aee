"""AgentNet rows: one trajectory a line, as published. Reading and writing loses nothing: what is unknown is kept.

A field that a row lacks is UNSET, which is not the same as null; both come back as they were.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from workalike.core.errors import BadInput
from workalike.core.screen import Size

System = Literal["windows", "macos", "ubuntu"]
Text = str | None | UnsetType
Truth = bool | None | UnsetType
Mark = int | float | None | UnsetType
_SYSTEMS: dict[str, System] = {
    "windows": "windows",
    "win32": "windows",
    "darwin": "macos",
    "macos": "macos",
    "mac": "macos",
    "ubuntu": "ubuntu",
    "linux": "ubuntu",
}


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a step holds besides its picture. Despite their names, `last_step_correct` and `last_step_redundant` judge
    the step they stand on."""

    code: Text = UNSET
    observation: Text = UNSET
    thought: Text = UNSET
    action: Text = UNSET
    last_step_correct: Truth = UNSET
    last_step_redundant: Truth = UNSET
    reflection: Text = UNSET
    rest: dict[str, Any] = {}


class RowStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step: which picture was seen, and what was thought and done."""

    value: Value
    index: int | UnsetType | None = UNSET
    image: Text = UNSET
    rest: dict[str, Any] = {}


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One trajectory as published. `rest` holds the fields that are not among the published ones."""

    task_id: str
    traj: tuple[RowStep, ...]
    instruction: Text = UNSET
    task_completed: Truth = UNSET
    alignment_score: Mark = UNSET
    efficiency_score: Mark = UNSET
    task_difficulty: Mark = UNSET
    reason: Text = UNSET
    natural_language_task: Text = UNSET
    actual_task: Text = UNSET
    domain: Any = UNSET
    rest: dict[str, Any] = {}


class PublishedValue(msgspec.Struct, frozen=True, gc=False):
    """The types of a step's published fields alone, to check them quickly; see `Value`."""

    code: Text = UNSET
    observation: Text = UNSET
    thought: Text = UNSET
    action: Text = UNSET
    last_step_correct: Truth = UNSET
    last_step_redundant: Truth = UNSET
    reflection: Text = UNSET


class PublishedStep(msgspec.Struct, frozen=True, gc=False):
    value: PublishedValue
    index: int | UnsetType | None = UNSET
    image: Text = UNSET


class PublishedRow(msgspec.Struct, frozen=True, gc=False):
    """The types of a row's published fields alone; see `Row`."""

    task_id: str
    traj: list[PublishedStep]
    instruction: Text = UNSET
    task_completed: Truth = UNSET
    alignment_score: Mark = UNSET
    efficiency_score: Mark = UNSET
    task_difficulty: Mark = UNSET
    reason: Text = UNSET
    natural_language_task: Text = UNSET
    actual_task: Text = UNSET


class Meta(msgspec.Struct, frozen=True, omit_defaults=True):
    """What meta_data_merged.jsonl says of a trajectory, in one shape: the published file spells some fields two
    ways."""

    task_id: str
    system: System | None = None
    screen: Size | None = None
    applications: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    quality: str | None = None
    step_num: int | None = None
    rest: dict[str, Any] = {}


def system_of(name: Any) -> System | None:
    """The system that a name stands for. "Darwin" contains "win" and is none.

    >>> system_of("Darwin"), system_of("Windows"), system_of("BeOS")
    ('macos', 'windows', None)
    """
    if not isinstance(name, str):
        return None
    known = _SYSTEMS.get(name.lower())
    words = () if known else name.lower().split()
    return known or next((_SYSTEMS[word] for word in words if word in _SYSTEMS), None)


def decode_row(line: bytes | str) -> Row:
    """A row out of its line. A line that is no row raises BadInput with the field that is wrong."""
    try:
        return from_document(msgspec.json.decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"not an AgentNet row: {error}") from error


def from_document(document: Any) -> Row:
    """A row out of a plain object."""
    try:
        if not isinstance(document, dict):
            raise msgspec.ValidationError("it is no object")
        steps = document.get("traj")
        if not isinstance(steps, list):
            raise msgspec.ValidationError("it has no list of steps in `traj`")
        parts = {**_parts(document, Row), "traj": [_step_parts(step, place) for place, step in enumerate(steps)]}
        return msgspec.convert(parts, Row)
    except msgspec.ValidationError as error:
        raise BadInput(f"not an AgentNet row: {error}") from error


def encode_row(row: Row) -> bytes:
    """A row as one line, without its line end."""
    return msgspec.json.encode(to_document(row))


def to_document(row: Row) -> dict[str, Any]:
    """A row as a plain object with the published names, the steps last but for what is unknown."""
    document = {name: value for name, value in _fields(row).items() if name != "traj"}
    return {**document, "traj": [_encode_step(step) for step in row.traj], **row.rest}


def decode_meta(line: bytes | str) -> Meta:
    """One line of the metadata."""
    try:
        document = msgspec.json.decode(line)
        if not isinstance(document, dict) or not isinstance(document.get("task_id"), str):
            raise msgspec.ValidationError("it has no task_id")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"not a line of AgentNet metadata: {error}") from error
    feedback = document.get("verify_feedback")
    quality = feedback.get("quality") if isinstance(feedback, dict) else document.get("quality")
    known = ("task_id", "system", "screen_width", "screen_height", "applications", "domains", "step_num")
    return Meta(
        document["task_id"],
        system_of(document.get("system")),
        _size(document.get("screen_width"), document.get("screen_height")),
        names_in(document.get("applications")),
        names_in(document.get("domains")),
        quality if isinstance(quality, str) else None,
        document.get("step_num") if isinstance(document.get("step_num"), int) else None,
        {name: value for name, value in document.items() if name not in known},
    )


class _Feedback(msgspec.Struct, frozen=True, gc=False):
    quality: str | None = None


class _PublishedMeta(msgspec.Struct, frozen=True, gc=False):
    """The metadata's fields as nearly every line has them, to read them quickly."""

    task_id: str
    system: str | None = None
    screen_width: int | None = None
    screen_height: int | None = None
    applications: tuple[str, ...] = ()
    domains: str | tuple[str, ...] | None = None
    step_num: int | None = None
    verify_feedback: _Feedback | None = None


_published_meta = msgspec.json.Decoder(_PublishedMeta).decode


def brief_meta(line: bytes) -> Meta:
    """One line of the metadata without its unknown fields, several times as fast as `decode_meta`."""
    try:
        told = _published_meta(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return decode_meta(line)
    return Meta(
        told.task_id,
        system_of(told.system),
        _size(told.screen_width, told.screen_height),
        told.applications,
        names_in(told.domains),
        told.verify_feedback.quality if told.verify_feedback else None,
        told.step_num,
    )


def names_in(value: Any) -> tuple[str, ...]:
    """A list of names that may stand as one text, as a list, or as the keys of an object.

    >>> names_in("Chrome"), names_in(["a", "b"]), names_in(None)
    (('Chrome',), ('a', 'b'), ())
    """
    if isinstance(value, str):
        return (value,) if value else ()
    if isinstance(value, list | tuple | dict):
        return tuple(name for name in value if isinstance(name, str) and name)
    return ()


def _step_parts(step: Any, place: int) -> dict[str, Any]:
    if not isinstance(step, dict) or not isinstance(step.get("value"), dict):
        raise msgspec.ValidationError(f"step {place} has no `value`")
    return {**_parts(step, RowStep), "value": _parts(step["value"], Value)}


def _parts(document: dict[str, Any], shape: type[msgspec.Struct]) -> dict[str, Any]:
    """The published fields of an object, and under `rest` the others."""
    names = shape.__struct_fields__[:-1]
    known = {name: document[name] for name in names if name in document}
    return {**known, "rest": {name: value for name, value in document.items() if name not in names}}


def _encode_step(step: RowStep) -> dict[str, Any]:
    value = {**_fields(step.value), **step.value.rest}
    return {**{name: held for name, held in _fields(step).items() if name != "value"}, "value": value, **step.rest}


def _fields(struct: Any) -> dict[str, Any]:
    values = ((name, getattr(struct, name)) for name in struct.__struct_fields__ if name != "rest")
    return {name: value for name, value in values if value is not UNSET}


def _size(width: Any, height: Any) -> Size | None:
    try:
        return Size(int(width), int(height))
    except (TypeError, ValueError, OverflowError):
        return None
