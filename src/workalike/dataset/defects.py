"""Everything that is wrong with a row, in words. Each kind was found in published files or made by tools in use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from workalike.core.actions import Action, Hotkey, Move, Scroll, Write, points
from workalike.core.errors import DialectError
from workalike.dataset.leaks import leaks
from workalike.dataset.suspicions import SUSPICIONS, TOLD, suspicions
from workalike.dataset.wellformed import CONTROL, MARKS, has_fence, is_sound_call, plain_code, says_nothing
from workalike.dialects import pyautogui
from workalike.formats.agentnet_trajectories import OURS, OURS_BEFORE

TEXTS = ("observation", "thought", "action", "reflection")
JUDGED = ("last_step_correct", "last_step_redundant")
_ROW_TEXTS = ("instruction", "natural_language_task", "actual_task", "reason")

KINDS = {
    "unreadable row": "not JSON, not UTF-8, or no object with steps",
    "unreadable file": "a file that ends in the middle, or cannot be unpacked",
    "no steps": "a trajectory without a step",
    "missing field": "a field is missing that every reader needs",
    "null": "a published field is null",
    "missing text": "no instruction, or a step without an observation, thought or action where others have one",
    "empty text": "an instruction, observation, thought or action that says nothing",
    "control character": "a text, or what is typed, with a character that no keyboard makes and no screen shows",
    "duplicate key": "a name that stands twice in one object: readers differ in which they take",
    "unsafe name": "an id or a picture's name that is blank, leads out of its folder, or is or holds an address",
    "wrong type": "a text where a number or a truth belongs, or the like",
    "score out of range": "a score below 0 or above 10",
    "duplicate id": "another row has this id and says something else",
    "duplicate row": "the same row again",
    "unreadable code": "code that is no PyAutoGUI call of the published kinds",
    "code form": "code within a fence, or with carriage returns",
    "does nothing": "a call without effect: no text, no turn of the wheel, one key held with itself",
    "place off the screen": "a coordinate below 0 or above 1",
    "unknown key": "a key that no keyboard has",
    "triple-click spelling": "a triple click in another spelling than computer.tripleClick",
    "terminate status": "a status other than success or failure",
    "index not contiguous": "a step's index is not its place",
    "steps after terminate": "something happens after the end",
    "no terminate": "the last step does not end it",
    "completed as a failure": "called completed, and ended as a failure",
    "picture used twice": "two steps with one picture",
    "another task's picture": "a picture that belongs to another task, too",
    "system unknown": "the metadata does not say on which system it was",
    "unreadable metadata": "a line of metadata that is not JSON or has no task_id",
    "metadata type": "a text where metadata has a list or a number, or the like",
    "metadata screen": "a screen that cannot be",
    "metadata step count": "another number of steps than the row has",
    "metadata contradicts": "a second entry for an id that says something else",
    "mentions the marker": "a text tells of the mark or crop that only the annotator saw",
    "mentions coordinates": "a text tells a place in numbers",
    "mentions code": "a text speaks of the code",
    "line form": "a byte order mark, a carriage return, or an empty line",
    "missing picture": "a picture that is in none of the sources",
    "unreadable picture": "a picture that cannot be decoded",
    "only a move": "the pointer is moved and nothing is done there",
    **SUSPICIONS,
}
WARNINGS = frozenset({"only a move", *SUSPICIONS})
FIXABLE = frozenset(
    {"duplicate row", "triple-click spelling", "terminate status", "index not contiguous", "wrong type", "line form"}
    | {"unknown key", "code form"}
)
UNUSABLE = frozenset({"unreadable row", "no steps", "missing field"})
_CONTENT = re.compile(r"[0-9a-f]{40,64}(?:\.\w+)?")  # a name made of what a picture shows: alike pictures share it
_NUMBER = re.compile(r"(?:step|screenshot|image|img)?[_-]?\d{1,4}(?:\.\w+)?")
_FAILURE = re.compile(r"\ncomputer\.terminate\((?:status=)?['\"]failure['\"]")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|(?:data|file|blob|javascript):", re.IGNORECASE)
_OUTSIDE = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\~]|^\w:[/\\]|[\0-\x1f\x7f]")
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
    found = list(_own(document, texts))
    if not steps:
        found.append(Defect("no steps", "`traj` is empty"))
    ours = OURS in document or OURS_BEFORE in document
    codes = [value.get("code") if isinstance(value := _value(step), dict) else None for step in steps]
    found += _ending(codes, document.get("task_completed"), ours)
    found += () if ours else (*_shared_pictures(steps), *_missing_texts(steps))
    for place, step in enumerate(steps):
        found += _at(place, _step_defects(step, place, texts))
    if texts:
        found += (Defect(kind, words, place) for kind, words, place in suspicions(document))
    return found


def _ending(codes: list[Any], completed: Any, ours: bool) -> Iterator[Defect]:
    """What is wrong with how it ends. An attempt of ours may end otherwise than by its own word, and says how."""
    lines = [f"\n{plain_code(code)}" if isinstance(code, str) else "" for code in codes]
    ends = [place for place, code in enumerate(lines) if "\ncomputer.terminate(" in code]
    if ends and ends[0] < len(codes) - 1:
        yield Defect("steps after terminate", f"{len(codes) - 1 - ends[0]} after step {ends[0]}", ends[0] + 1)
    if codes and not ends and not ours:
        yield Defect("no terminate", "no step says how it ended")
    if ends and completed is True and _FAILURE.search(lines[ends[-1]]):
        yield Defect("completed as a failure", "`task_completed` is true", ends[-1])


def _missing_texts(steps: list[Any]) -> Iterator[Defect]:
    """The steps that lack a text which others of the row have. Rows as recorded have none at all, and are sound; those
    that have some are warned of where one is nowhere. Attempts of ours may lack what their agent did not say."""
    values = [value if isinstance(value := _value(step), dict) else None for step in steps]
    there = {name: [value is None or name in value for value in values] for name in TOLD}
    told = [name for name in TOLD if any(value is not None and name in value for value in values)]
    for name in TOLD:
        if name in told:
            for place in (place for place, has in enumerate(there[name]) if not has):
                yield Defect("missing text", f"the step has no `{name}`", place)
        elif told:
            yield Defect("texts missing throughout", f"no step has `{name}`")


def _shared_pictures(steps: list[Any]) -> Iterator[Defect]:
    seen: dict[str, int] = {}
    for place, name in enumerate(step.get("image") if isinstance(step, dict) else None for step in steps):
        if isinstance(name, str) and name and not _CONTENT.fullmatch(name):
            before = seen.setdefault(name, place)
            if before != place:
                yield Defect("picture used twice", f"{name[:80]}, as in step {before}", place)


def names_its_task(image: str) -> bool:
    """Whether a picture's name may belong to one task alone: numbers of steps and hashes of what is shown do not."""
    return _CONTENT.fullmatch(image) is None and _NUMBER.fullmatch(image) is None


def _at(place: int, found: Iterable[Defect]) -> Iterator[Defect]:
    return (msgspec.structs.replace(defect, step=place) for defect in found)


def _value(step: Any) -> Any:
    return step.get("value") if isinstance(step, dict) else None


def code_defects(code: str) -> Iterator[Defect]:
    """What is wrong with one step's code."""
    if is_sound_call(code):
        return
    plain = plain_code(code)
    if plain != code:
        yield Defect("code form", "a fence around it" if has_fence(code) else "carriage returns")
        code = plain
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
        yield from without_effect(actions)
    calls = [line.split("(")[0] for line in code.splitlines()]
    last = next((place for place, call in enumerate(calls) if call == "computer.terminate"), None)
    if last is not None and any(line.strip() for line in calls[last + 1 :]):
        yield Defect("steps after terminate", "more calls in the same step")


def without_effect(actions: Iterable[Action]) -> Iterator[Defect]:
    """The actions that do nothing, or type what nobody can."""
    done = list(actions)
    for action in done:
        match action:
            case Write(text=""):
                yield Defect("does nothing", "an empty text is typed")
            case Write(text=text) if CONTROL.search(text):
                yield Defect("control character", f"{_control(text)} is typed")
            case Scroll(dx=0, dy=0):
                yield Defect("does nothing", "the wheel is turned by 0")
            case Hotkey(keys=keys) if len(set(keys)) < len(keys):
                yield Defect("does nothing", f"{'+'.join(keys)} holds one key with itself")
    if done and all(isinstance(action, Move) for action in done):
        yield Defect("only a move", "nothing is done where the pointer goes")


def _unreadable_code(code: str, error: DialectError) -> Iterator[Defect]:
    """What is wrong with code that cannot be read as a whole: one bad line must not hide what else there is."""
    lines = [line for line in code.splitlines() if line.strip()]
    each = (code_defects(line) for line in lines) if len(lines) > 1 else ()
    found = [defect for line in each for defect in line if defect.kind != "only a move"]  # a move before a bad line
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


def _own(document: dict[str, Any], texts: bool) -> Iterator[Defect]:
    task_id = document.get("task_id")
    if not isinstance(task_id, str) or not task_id:
        yield Defect("missing field", f"`task_id` is {_type(task_id)}")
    else:
        yield from _unsafe("task_id", task_id)
    instruction = document.get("instruction")
    if "instruction" not in document:
        yield Defect("missing text", "there is no `instruction`")
    elif texts and isinstance(instruction, str) and says_nothing(instruction):
        yield Defect("empty text", "`instruction` says nothing")
    for name in _ROW_TEXTS if texts else ():
        yield from _controls(name, document.get(name))
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


def _unsafe(name: str, value: str) -> Iterator[Defect]:
    """What makes a name one that no file should be called by, or nobody should read."""
    if says_nothing(value):
        yield Defect("unsafe name", f"`{name}` is blank")
    elif _OUTSIDE.search(value):
        yield Defect("unsafe name", f"`{name}` leads out of its folder: {value[:60]!r}")
    elif name == "image" and _ADDRESS.match(value):
        yield Defect("unsafe name", f"`{name}` is an address: {value[:60]!r}")
    elif _EMAIL.search(value):
        yield Defect("unsafe name", f"`{name}` holds an e-mail address")


def is_plain_name(value: str) -> bool:
    """Whether a picture's name is one that a folder of pictures can have: not blank, no address, and not leading
    out."""
    return not (says_nothing(value) or _OUTSIDE.search(value) or _ADDRESS.match(value))


def _controls(name: str, text: Any) -> Iterator[Defect]:
    if isinstance(text, str) and CONTROL.search(text):
        yield Defect("control character", f"`{name}` holds {_control(text)}")


def _control(text: str) -> str:
    found = CONTROL.search(text)
    return "" if found is None else f"U+{ord(found[0]):04X}"


def _mark(name: str, value: Any) -> Iterator[Defect]:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield Defect("wrong type", f"`{name}` is {_type(value)}")
    elif not 0 <= value <= 10:
        yield Defect("score out of range", f"`{name}` is {_number(value)}")


def _step_defects(step: Any, place: int, texts: bool) -> Iterator[Defect]:
    value = _value(step)
    if not isinstance(value, dict):
        yield Defect("missing field", "the step has no `value`")
        return
    index = step.get("index")
    if index != place or isinstance(index, bool):
        yield Defect("index not contiguous", f"index {_shown(index)} at place {place}")
    image = step.get("image")
    yield from _needed("image", image, "image" in step)
    if isinstance(image, str) and image:
        yield from _unsafe("image", image)
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
        elif texts and name in TOLD and says_nothing(value.get(name, "-")):
            yield Defect("empty text", f"`{name}` says nothing")
        elif texts:
            yield from _controls(name, value.get(name))
    if texts:
        yield from text_defects(value)


def text_defects(value: dict[str, Any]) -> Iterator[Defect]:
    """What the texts of a step give away, at most once a kind and text."""
    for name in TOLD:  # written by who saw the mark; whoever reflects sees the bare screen
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


def _number(value: float) -> str:
    try:
        return f"{value:g}"
    except OverflowError:
        return "a number farther out than any"


def _shown(value: Any) -> str:
    return "missing" if value is None else repr(value)[:40]
