"""Rows as they should be, recognised quickly.

Nearly every row of a good set is sound. This module decodes a row straight into types that only sound values fit,
checks all its code with one regular expression, and answers None at the first doubt; `defects.py` then says in words
what is wrong. The two agree: what passes here has no defect there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from workalike.core.keyboard import spellings

_Mark = Annotated[float, msgspec.Meta(ge=0, le=10)] | None | UnsetType


class SoundValue(msgspec.Struct, frozen=True, gc=False):
    code: str
    observation: str = ""
    thought: str = ""
    action: str = ""
    reflection: str = ""
    last_step_correct: bool | UnsetType = UNSET
    last_step_redundant: bool | UnsetType = UNSET


class SoundStep(msgspec.Struct, frozen=True, gc=False):
    index: int
    image: Annotated[str, msgspec.Meta(min_length=1)]
    value: SoundValue


class SoundRow(msgspec.Struct, frozen=True, gc=False):
    """A row without a defect in its steps. Judgements may be null here: that is told and counted by whoever reads
    it."""

    task_id: Annotated[str, msgspec.Meta(min_length=1)]
    traj: Annotated[list[SoundStep], msgspec.Meta(min_length=1)]
    instruction: str = ""
    reason: str = ""
    natural_language_task: str = ""
    actual_task: str = ""
    task_completed: bool | UnsetType | None = UNSET
    alignment_score: _Mark = UNSET
    efficiency_score: _Mark = UNSET
    task_difficulty: _Mark = UNSET
    domain: Any = None


MARKS = ("alignment_score", "efficiency_score", "task_difficulty")
_TERMINATE = "\ncomputer.terminate("


def _any_of(words: Iterable[str]) -> str:
    """A pattern for any of some words, tried by their first letters."""
    by_letter: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        by_letter.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in sorted(by_letter.items()))


_FRACTION = r"(?:0(?:\.[0-9]{1,20})?|1(?:\.0{1,20})?)"
_AT = rf"x={_FRACTION}, y={_FRACTION}"
_KEY = rf"'(?:[!-&(-\[\]-~]|{_any_of(spellings())})'"
_CALL = rf"""(?>pyautogui\.(?>
    (?:click|doubleClick|rightClick|middleClick|moveTo)\({_AT}\)
  | dragTo\({_AT},\ button='(?:left|right|middle)'\)
  | h?scroll\(-?[0-9]{{1,7}}\)
  | write\(message=(?:'[^'\\\r\n\0]*'|"[^"\\\r\n\0]*")\)
  | (?:press|hotkey)\((?:keys=)?\[{_KEY}(?:,\ {_KEY})*\]\)
) | computer\.(?>
    tripleClick\({_AT}\) | wait\(\) | terminate\(status='(?:success|failure)'\)
))""".replace(", y=", r",\ y=")
# no possessive repeats: before Python 3.11.5 they may take a part that does not match for one that does
_ALL = re.compile(rf"(?:\n{_CALL})*", re.VERBOSE)
_decode = msgspec.json.Decoder(SoundRow).decode


def sound_row(line: bytes | memoryview) -> SoundRow | None:
    """The row of a line in which every field is there and of its type, or None."""
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def code_of(row: SoundRow) -> str:
    """All code of a row, a call a line, each after a line end."""
    return "\n" + "\n".join([step.value.code for step in row.traj])


def is_sound(row: SoundRow, code: str) -> bool:
    """Whether every call is as published, in range and with known keys, nothing follows a terminate, and steps are
    counted from 0."""
    steps = row.traj
    if _ALL.fullmatch(code) is None or [step.index for step in steps] != list(range(len(steps))):
        return False
    ended = code.find(_TERMINATE)
    return ended < 0 or code.find("\n", ended + 1) < 0


def is_sound_call(code: str) -> bool:
    """Whether one step's code is as published throughout."""
    ended = code.find("computer.terminate(")
    return _ALL.fullmatch("\n" + code) is not None and (ended < 0 or "\n" not in code[ended:])
