"""AgentNet rows: one trajectory a line, as published. Reading and writing loses nothing: what is unknown is kept.

A field that a row lacks is UNSET, which is not the same as null; both come back as they were.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

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
    the step they stand on. `step_value` is ours: what a judge expected of the step, from 0 to 10."""

    code: Text = UNSET
    observation: Text = UNSET
    thought: Text = UNSET
    action: Text = UNSET
    last_step_correct: Truth = UNSET
    last_step_redundant: Truth = UNSET
    reflection: Text = UNSET
    step_value: Mark = UNSET
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
    """The types of a step's fields alone, to check them quickly; see `Value`."""

    code: Text = UNSET
    observation: Text = UNSET
    thought: Text = UNSET
    action: Text = UNSET
    last_step_correct: Truth = UNSET
    last_step_redundant: Truth = UNSET
    reflection: Text = UNSET
    step_value: Mark = UNSET


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
    return to_meta(meta_document(line))


def meta_document(line: bytes | str) -> dict[str, Any]:
    """One line of the metadata as a plain object with a task_id."""
    try:
        document = _any_value(line)
        if not isinstance(document, dict) or not isinstance(document.get("task_id"), str):
            raise msgspec.ValidationError("it has no task_id")
        return document
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"not a line of AgentNet metadata: {error}") from error


def to_meta(document: dict[str, Any], whole: bool = True) -> Meta:
    """What an object of the metadata says; its unknown fields come along when the `whole` is asked for."""
    told = document.get
    feedback, steps = told("verify_feedback"), told("step_num")
    quality = feedback.get("quality") if isinstance(feedback, dict) else told("quality")
    return Meta(
        document["task_id"],
        system_of(told("system")),
        _size(told("screen_width"), told("screen_height")),
        names_in(told("applications")),
        names_in(told("domains")),
        quality if isinstance(quality, str) else None,
        steps if isinstance(steps, int) else None,
        {name: value for name, value in document.items() if name not in _KNOWN_META} if whole else {},
    )


_Count = Annotated[int, msgspec.Meta(ge=0)]


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
    action_frequency: dict[str, _Count] | None = None


_any_value: Callable[[bytes | str], Any] = msgspec.json.Decoder().decode
_KNOWN_META = frozenset({"task_id", "system", "screen_width", "screen_height", "applications", "domains", "step_num"})
_SIDES = range(100, 32_768)
_META_TYPES: dict[str, tuple[type, ...]] = {
    "system": (str,),
    "screen_width": (int,),
    "screen_height": (int,),
    "applications": (list,),
    "domains": (str, list),
    "step_num": (int,),
    "action_frequency": (dict,),
    "verify_feedback": (dict,),
}


def meta_faults(document: dict[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with the values of an object of the metadata, each as a kind of defect and its words."""
    try:
        told = msgspec.convert(document, _PublishedMeta)
    except msgspec.ValidationError:
        return _faults_closely(document)
    return _impossible(told.screen_width, told.screen_height, told.step_num)


def _faults_closely(document: dict[str, Any]) -> list[tuple[str, str]]:
    """The same for a line that does not have the published types throughout."""
    odd = [
        name
        for name, types in _META_TYPES.items()
        if document.get(name) is not None and (type(document[name]) not in types or document[name] is True)
    ]
    words = [("metadata type", f"`{name}` is {document[name]!r:.60}") for name in odd]
    listed = [name for name in ("applications", "domains") if isinstance(document.get(name), list)]
    words += [
        ("metadata type", f"`{name}` holds what is no name")
        for name in listed
        if not all(isinstance(each, str) for each in document[name])
    ]
    counted = document.get("action_frequency")
    if isinstance(counted, dict) and not all(type(count) is int and count >= 0 for count in counted.values()):
        words.append(("metadata type", "`action_frequency` holds what is no count"))
    feedback = document.get("verify_feedback")
    if isinstance(feedback, dict) and not isinstance(feedback.get("quality"), str | None):
        words.append(("metadata type", "`quality` is no word"))
    width, height, steps = (
        None if name in odd else document.get(name) for name in ("screen_width", "screen_height", "step_num")
    )
    return words + _impossible(width, height, steps)


def _impossible(width: int | None, height: int | None, steps: int | None) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if (width is not None and width not in _SIDES) or (height is not None and height not in _SIDES):
        found.append(("metadata screen", f"{_brief(width)} × {_brief(height)}"))
    if steps is not None and steps < 0:
        found.append(("metadata step count", f"`step_num` is {_brief(steps)}"))
    return found


def _brief(number: int | None) -> str:
    return "unknown" if number is None else str(number)[:24]


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
        size = Size(int(width), int(height))
        return size if max(size.width, size.height) < _SIDES.stop else None  # a wider one cannot be
    except (TypeError, ValueError, OverflowError):
        return None
