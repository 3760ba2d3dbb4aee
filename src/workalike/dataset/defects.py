"""Everything that is wrong with a row, in words. Each kind was found in published files or made by tools in use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from workalike.core.actions import points
from workalike.core.errors import DialectError
from workalike.dataset.leaks import leaks
from workalike.dataset.wellformed import MARKS, SoundRow, is_sound_call
from workalike.dialects import pyautogui

TEXTS = ("observation", "thought", "action", "reflection")
OF_THE_MARKED = (
    "observation",
    "thought",
    "action",
)  # written by who saw the mark; whoever reflects sees the bare screen
JUDGED = ("last_step_correct", "last_step_redundant")
_ROW_TEXTS = ("instruction", "natural_language_task", "actual_task", "reason")

KINDS = {
    "unreadable row": "not JSON, not UTF-8, or no object with steps",
    "no steps": "a trajectory without a step",
    "missing field": "a field is missing that every reader needs",
    "null": "a published field is null",
    "wrong type": "a text where a number or a truth belongs, or the like",
    "score out of range": "a score below 0 or above 10",
    "duplicate id": "another row has this id and says something else",
    "duplicate row": "the same row again",
    "unreadable code": "code that is no PyAutoGUI call of the published kinds",
    "place off the screen": "a coordinate below 0 or above 1",
    "unknown key": "a key that no keyboard has",
    "triple-click spelling": "a triple click in another spelling than computer.tripleClick",
    "terminate status": "a status other than success or failure",
    "index not contiguous": "a step's index is not its place",
    "steps after terminate": "something happens after the end",
    "system unknown": "the metadata does not say on which system it was",
    "mentions the marker": "a text tells of the mark or crop that only the annotator saw",
    "mentions coordinates": "a text tells a place in numbers",
    "mentions code": "a text speaks of the code",
    "line form": "a byte order mark, a carriage return, or an empty line",
    "missing picture": "a picture that is in none of the sources",
    "unreadable picture": "a picture that cannot be decoded",
}
FIXABLE = frozenset(
    {"duplicate row", "triple-click spelling", "terminate status", "index not contiguous", "wrong type", "line form"}
    | {"unknown key"}
)
UNUSABLE = frozenset({"unreadable row", "no steps", "missing field"})
_ONCE = ("unreadable code", "triple-click spelling")  # told once for a step, however many of its lines have it


class Defect(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing wrong: what kind, in words, and where."""

    kind: str
    text: str
    step: int | None = None
    task_id: str | None = None
    line: int = 0
    file: str = ""


def row_defects(document: Any, texts: bool = True) -> list[Defect]:
    """What is wrong with a decoded row by itself; `texts` also looks for what the texts give away."""
    if not isinstance(document, dict):
        return [Defect("unreadable row", f"a {_type(document)} where an object belongs")]
    steps = document.get("traj")
    if not isinstance(steps, list):
        return [Defect("unreadable row", f"`traj` is {_type(steps)}, not a list of steps")]
    found = list(_own(document))
    if not steps:
        found.append(Defect("no steps", "`traj` is empty"))
    codes = [value.get("code") if isinstance(value := _value(step), dict) else None for step in steps]
    found += _after_end(codes)
    for place, step in enumerate(steps):
        found += _at(place, _step_defects(step, place, texts))
    return found


def typed_defects(row: SoundRow, texts: bool = True) -> Iterator[Defect]:
    """What is wrong with a row in which every field is there and of its type: its code, its order, its texts."""
    yield from _after_end([step.value.code for step in row.traj])
    for place, step in enumerate(row.traj):
        if texts or step.index != place or not is_sound_call(step.value.code):
            yield from _at(place, _step_defects(msgspec.to_builtins(step), place, texts))


def _after_end(codes: list[Any]) -> Iterator[Defect]:
    """What happens after the step that ends it all."""
    ends = (
        place for place, code in enumerate(codes) if isinstance(code, str) and "\ncomputer.terminate(" in f"\n{code}"
    )
    ended = next(ends, None)
    if ended is not None and ended < len(codes) - 1:
        yield Defect("steps after terminate", f"{len(codes) - 1 - ended} after step {ended}", ended + 1)


def _at(place: int, found: Iterable[Defect]) -> Iterator[Defect]:
    return (msgspec.structs.replace(defect, step=place) for defect in found)


def _value(step: Any) -> Any:
    return step.get("value") if isinstance(step, dict) else None


def code_defects(code: str) -> Iterator[Defect]:
    """What is wrong with one step's code."""
    if is_sound_call(code):
        return
    try:
        actions = pyautogui.parse(code)
    except DialectError as error:
        yield from _unreadable_code(code, error)
    else:
        spelled = [name for name in ("computer.triple_click(", "pyautogui.tripleClick(") if name in code]
        if spelled:
            yield Defect("triple-click spelling", f"{spelled[0][:-1]} for computer.tripleClick")
        for point in (point for action in actions for point in points(action) if not point.on_screen):
            yield Defect("place off the screen", f"({point.x:g}, {point.y:g})")
    calls = [line.split("(")[0] for line in code.splitlines()]
    last = next((place for place, call in enumerate(calls) if call == "computer.terminate"), None)
    if last is not None and any(line.strip() for line in calls[last + 1 :]):
        yield Defect("steps after terminate", "more calls in the same step")


def _unreadable_code(code: str, error: DialectError) -> Iterator[Defect]:
    """What is wrong with code that cannot be read as a whole: one bad line must not hide what else there is."""
    lines = [line for line in code.splitlines() if line.strip()]
    found = [defect for line in lines for defect in code_defects(line)] if len(lines) > 1 else []
    whole = Defect(_code_kind(error), str(error)[:200])
    told: set[str] = set()
    for defect in found if any(defect.kind == whole.kind for defect in found) else [whole, *found]:
        if defect.kind not in _ONCE or defect.kind not in told:
            told.add(defect.kind)
            yield defect


def _code_kind(error: DialectError) -> str:
    reason = getattr(error, "reason", "")
    if reason.startswith("there is no key"):
        return "unknown key"
    return "terminate status" if reason.startswith("status must be") else "unreadable code"


def _own(document: dict[str, Any]) -> Iterator[Defect]:
    task_id = document.get("task_id")
    if not isinstance(task_id, str) or not task_id:
        yield Defect("missing field", f"`task_id` is {_type(task_id)}")
    for name in (*_ROW_TEXTS, "task_completed", *MARKS):
        if name in document and document[name] is None:
            yield Defect("null", f"`{name}` is null")
    for name in _ROW_TEXTS:
        if name in document and not isinstance(document[name], str | None):
            yield Defect("wrong type", f"`{name}` is {_type(document[name])}")
    if not isinstance(document.get("task_completed"), bool | None):
        yield Defect("wrong type", f"`task_completed` is {_type(document['task_completed'])}")
    for name in MARKS:
        yield from _mark(name, document.get(name))


def _mark(name: str, value: Any) -> Iterator[Defect]:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield Defect("wrong type", f"`{name}` is {_type(value)}")
    elif not 0 <= value <= 10:
        yield Defect("score out of range", f"`{name}` is {value:g}")


def _step_defects(step: Any, place: int, texts: bool) -> Iterator[Defect]:
    value = _value(step)
    if not isinstance(value, dict):
        yield Defect("missing field", "the step has no `value`")
        return
    index = step.get("index")
    if index != place or isinstance(index, bool):
        yield Defect("index not contiguous", f"index {_shown(index)} at place {place}")
    yield from _needed("image", step.get("image"), "image" in step)
    code = value.get("code")
    yield from _needed("code", code, "code" in value)
    if isinstance(code, str) and code:
        yield from code_defects(code)
    for name in (*TEXTS, *JUDGED):
        wanted: type = str if name in TEXTS else bool
        if name in value and value[name] is None:
            yield Defect("null", f"`{name}` is null")
        elif name in value and not isinstance(value[name], wanted):
            yield Defect("wrong type", f"`{name}` is {_type(value[name])}")
    if texts:
        yield from text_defects(value)


def text_defects(value: dict[str, Any]) -> Iterator[Defect]:
    """What the texts of a step give away, at most once a kind and text."""
    for name in OF_THE_MARKED:
        text = value.get(name)
        if isinstance(text, str):
            for kind, words in leaks(text):
                yield Defect(kind, f"{name}: {words}")


def _needed(name: str, value: Any, there: bool) -> Iterator[Defect]:
    if not there or value == "":
        yield Defect("missing field", f"the step has no `{name}`")
    elif value is None:
        yield Defect("null", f"`{name}` is null")
    elif not isinstance(value, str):
        yield Defect("wrong type", f"`{name}` is {_type(value)}")


def _type(value: Any) -> str:
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return "missing or null" if value is None else names.get(type(value), type(value).__name__)


def _shown(value: Any) -> str:
    return "missing" if value is None else repr(value)[:40]
