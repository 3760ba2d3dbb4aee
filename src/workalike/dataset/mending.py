"""Defects that have one right answer, and that answer. Whatever would need a choice is left alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from workalike.core.errors import DialectError
from workalike.core.keyboard import canonical
from workalike.dataset.defects import JUDGED
from workalike.dataset.wellformed import MARKS, is_sound_call, plain_code
from workalike.dialects import pyautogui

_TRIPLE = re.compile(r"^(?:computer\.triple_click|pyautogui\.tripleClick)\(")
_STATUS = re.compile(r"^(computer\.terminate\(status=)(['\"])(\w+)\2\)$")
_STATUSES = {"fail": "failure", "failed": "failure", "failure": "failure", "succeed": "success", "succeeded": "success"}
_STATUSES |= {"successful": "success", "success": "success"}
_KEYED = re.compile(r"^pyautogui\.(?:press|hotkey)\(.*\)$")
_QUOTED = re.compile(r"'([^'\\]*)'|\"([^\"\\]*)\"")
_SPELLING = "triple-click spelling"
_TRUTHS = {"true": True, "false": False}


def mend(document: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A decoded row without the defects that can be mended, and which those were. The given one is left as it is."""
    mended: list[str] = []
    fixed = {name: _value(name, value, mended) for name, value in document.items()}
    if isinstance(document.get("traj"), list):
        renumber = not _is_shuffled(document["traj"])
        fixed["traj"] = [_step(step, place, renumber, mended) for place, step in enumerate(document["traj"])]
    return fixed, mended


def mend_code(code: str) -> tuple[str, list[str]]:
    """A step's code without what can be mended in it, and which defects those were. Where something else is wrong, it
    stays as it is."""
    if is_sound_call(code):
        return code, []
    plain = plain_code(code)
    lines = [_mend_line(line) for line in plain.split("\n")]
    kinds = ["code form"] * (plain != code) + [kind for _, kind in lines if kind]
    fixed = "\n".join(line for line, _ in lines)
    if not kinds or not _readable(fixed):
        return code, []
    spelled = kinds.count(_SPELLING)  # told once for a step, as it is found
    return fixed, [_SPELLING] * (spelled > 0) + [kind for kind in kinds if kind != _SPELLING]


def _mend_line(line: str) -> tuple[str, str | None]:
    """A line as it should be, and what was wrong with it; a status or key that can be read is left as it is."""
    for kind, change in _CHANGES:
        changed = change(line)
        if changed != line and (kind == _SPELLING or not _readable(line)):
            return changed, kind
    return line, None


def _is_shuffled(steps: list[Any]) -> bool:
    """Whether the indexes are those of the places in another order: then nobody knows which of the two is right."""
    indexes = [step.get("index") if isinstance(step, dict) else None for step in steps]
    known = [index for index in indexes if type(index) is int]
    return indexes != list(range(len(steps))) and sorted(known) == list(range(len(steps)))


def _step(step: Any, place: int, renumber: bool, mended: list[str]) -> Any:
    if not isinstance(step, dict) or not isinstance(step.get("value"), dict):
        return step
    value = {name: _value(name, held, mended) for name, held in step["value"].items()}
    if isinstance(value.get("code"), str):
        value["code"], fixes = mend_code(value["code"])
        mended += fixes
    fixed = {**step, "value": value}
    if renumber and (step.get("index") != place or isinstance(step.get("index"), bool)):
        fixed = {"index": place, **fixed} | {"index": place}
        mended.append("index not contiguous")
    return fixed


def _value(name: str, value: Any, mended: list[str]) -> Any:
    """A number or truth that was written as a text."""
    if not isinstance(value, str) or name not in (*MARKS, *JUDGED, "task_completed"):
        return value
    word = value.strip().lower()
    fixed = _number(word) if name in MARKS else _TRUTHS.get(word)
    if fixed is None:
        return value
    mended.append("wrong type")
    return fixed


def _number(word: str) -> int | float | None:
    if not re.fullmatch(r"-?\d{1,6}(?:\.\d{1,6})?", word):
        return None
    return float(word) if "." in word else int(word)


def _one_status(found: re.Match[str]) -> str:
    status = _STATUSES.get(found[3].lower())
    return found[0] if status is None else f"{found[1]}'{status}')"


def _known_keys(code: str) -> str:
    return _KEYED.sub(lambda line: _QUOTED.sub(_one_key, line[0]), code)


def _one_key(found: re.Match[str]) -> str:
    name = found[1] if found[1] is not None else found[2]
    return next((repr(key) for spelling in _guises(name) if (key := canonical(spelling))), found[0])


def _guises(name: str) -> Iterator[str]:
    """A key as it stands, without white space around it, and without the prefix that pynput prints."""
    yield name
    yield name.strip()
    yield name.strip().lower().removeprefix("key.")
    yield re.sub(r"[\s_-]", "", name.strip())


def _readable(code: str) -> bool:
    try:
        return bool(pyautogui.parse(code))
    except DialectError:
        return False


_CHANGES: tuple[tuple[str, Callable[[str], str]], ...] = (
    (_SPELLING, lambda line: _TRIPLE.sub("computer.tripleClick(", line)),
    ("terminate status", lambda line: _STATUS.sub(_one_status, line)),
    ("unknown key", _known_keys),
)
