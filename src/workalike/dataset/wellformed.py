"""Rows as they should be, recognised quickly.

Nearly every row of a good set is sound. This module decodes a row straight into types that only sound values fit,
checks all its code with one regular expression, and answers None at the first doubt; `defects.py` then says in words
what is wrong. The two agree: what passes here has no defect there but what its texts say.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from workalike.core.keyboard import spellings

_Mark = Annotated[float, msgspec.Meta(ge=0, le=10)] | None
_Text = Annotated[str, msgspec.Meta(min_length=1)]


class SoundValue(msgspec.Struct, frozen=True, gc=False):
    """All that a published step holds besides its picture: with every field there, the number of names in a line is
    known, and a name that stands twice shows. They stand in the published order, which is the fastest to read."""

    code: str
    observation: str
    thought: str
    action: str
    last_step_correct: bool
    last_step_redundant: bool
    reflection: str


class SoundStep(msgspec.Struct, frozen=True, gc=False):
    index: int
    image: _Text
    value: SoundValue


class SoundRow(msgspec.Struct, frozen=True, gc=False):
    """A row without a defect in its steps. Judgements may be null here: that is told and counted by whoever reads
    it."""

    task_id: _Text
    traj: Annotated[list[SoundStep], msgspec.Meta(min_length=1)]
    instruction: str
    reason: str
    natural_language_task: str
    actual_task: str
    task_completed: bool | None
    alignment_score: _Mark
    efficiency_score: _Mark
    task_difficulty: _Mark
    domain: Any | UnsetType = UNSET


MARKS = ("alignment_score", "efficiency_score", "task_difficulty")
_TERMINATE = "\ncomputer.terminate("
_ROW_NAMES = len(SoundRow.__struct_fields__) - 1
_STEP_NAMES = len(SoundStep.__struct_fields__) + len(SoundValue.__struct_fields__)
_ODD_IN_IMAGES = re.compile(rb"\.\.|[@\\:\0-\x09\x0b-\x1f\x7f]|\n[/~\n ]")
_PLAIN_IN_IMAGES = (string.ascii_letters + string.digits + "_-\n").encode()
_QUOTE, _COLON, _BACKSLASH = b'":\\'
_PLAIN_ID = re.compile(r"(?!\.)(?!.*\.\.)[\w.:+=~#-]+", re.ASCII)


def _any_of(words: Iterable[str]) -> str:
    """A pattern for any of some words, tried by their first letters."""
    by_letter: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        by_letter.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in sorted(by_letter.items()))


_FRACTION = r"(?:0\.[0-9]{1,20}|0|1\.0{1,20}|1)"
_AT = rf"x={_FRACTION}, y={_FRACTION}"
_KEY = rf"'(?:[!-&(-\[\]-~]|{_any_of(spellings())})'"
_CALL = rf"""(?>pyautogui\.(?>
    (?:click|doubleClick|rightClick|middleClick|moveTo)\({_AT}\)
  | dragTo\({_AT},\ button='(?:left|right|middle)'\)
  | h?scroll\(-?[1-9][0-9]{{0,6}}\)
  | write\(message=(?:'[^'\\\0-\x1f\x7f]+'|"[^"\\\0-\x1f\x7f]+")\)
  | (?:press|hotkey)\((?:keys=)?\[{_KEY}(?:,\ {_KEY})*\]\)
) | computer\.(?>
    tripleClick\({_AT}\) | wait\(\) | terminate\(status='(?:success|failure)'\)
))""".replace(", y=", r",\ y=")
# no possessive repeats: before Python 3.11.5 they may take a part that does not match for one that does
_ALL = re.compile(rf"(?:\n{_CALL})*", re.VERBOSE)
_KEY_TWICE = re.compile(r"hotkey\([^\n]*'([^'\n]+)'[^\n]*'\1'")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*")
_INVISIBLE = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063"
_INVISIBLE += "\u2064\u2800\u3164\ufe0f\ufeff\uffa0"
_NOTHING = re.compile(rf"[\s{_INVISIBLE}]*")
_NOTHING_HEADS = frozenset({"", *_INVISIBLE, *filter(str.isspace, map(chr, range(0x3001)))})
CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FIRST_PLAIN, _LINE_END = 0x20, 0x0A
_MOVE = "pyautogui.moveTo("
_decode = msgspec.json.Decoder(SoundRow).decode


def sound_row(line: bytes | memoryview) -> SoundRow | None:
    """The row of a line in which every field is there and of its type, or None."""
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class RowColumns(NamedTuple):
    """The steps of a row by what they hold: a list is looked through many times as fast as the steps one by one."""

    observations: list[str]
    thoughts: list[str]
    actions: list[str]
    codes: list[str]
    images: list[str]
    reflections: list[str]
    code: str  # all of it, a call a line, each after a line end
    names: bytes  # of all images, each after a line end


def columns_of(row: SoundRow) -> RowColumns:
    """The steps of a row by what they hold."""
    values = [step.value for step in row.traj]
    codes = [value.code for value in values]
    images = [step.image for step in row.traj]
    return RowColumns(
        [value.observation for value in values],
        [value.thought for value in values],
        [value.action for value in values],
        codes,
        images,
        [value.reflection for value in values],
        "\n" + "\n".join(codes),
        image_names(images),
    )


def image_names(images: list[str]) -> bytes:
    """The names of images, each after a line end."""
    return "\n".join(["", *images]).encode("utf-8", "replace")


def has_plain_names(line: bytes | memoryview, row: SoundRow) -> bool:
    """Whether a line has as many names as the published fields, so that none can stand in it twice or be unknown."""
    return names_in_line(line) == _ROW_NAMES + (row.domain is not UNSET) + _STEP_NAMES * len(row.traj)


def names_in_line(line: bytes | memoryview) -> int:
    """How many names of fields a line of JSON has, where each is followed by its colon at once: the colons after a
    quote that ends something."""
    data = np.frombuffer(line, np.uint8)
    colons = np.flatnonzero(data == _COLON)
    ends = colons[data[colons - 1] == _QUOTE]
    return len(ends) - int(np.count_nonzero(data[ends - 2] == _BACKSLASH))


def doubled_names(line: bytes, document: Any) -> list[str]:
    """The names that stand twice in one object of a line. Only where there are more or less of them than were read is
    the line read again, the slow way."""
    if names_in_line(line) == _names_in(document):
        return []
    found: dict[str, None] = {}

    def note_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(name for name, _ in pairs)
        found.update(dict.fromkeys(name for name, count in counts.items() if count > 1))
        return dict(pairs)

    try:
        json.loads(line, object_pairs_hook=note_twice)
    except (ValueError, RecursionError):
        return []
    return list(found)


def _names_in(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_names_in, value.values()))
    return sum(map(_names_in, value)) if isinstance(value, list) else 0


def is_sound(row: SoundRow, held: RowColumns) -> bool:
    """Whether every call is as published, in range, with known keys and of some effect; the last step and no other
    ends it, and not as a failure of what was completed; steps are counted from 0, each with its own picture; and
    names are plain. What texts say is asked elsewhere."""
    code, images = held.code, held.images
    if _ALL.fullmatch(code) is None or [step.index for step in row.traj] != list(range(len(images))):
        return False
    ended = code.find(_TERMINATE)
    if ended < 0 or code.find("\n", ended + 1) >= 0 or (row.task_completed is True and code.endswith("'failure')")):
        return False
    if len(set(images)) < len(images) or _PLAIN_ID.fullmatch(row.task_id) is None:
        return False
    if not _has_plain_images(held):
        return False
    if "hotkey(" in code and _KEY_TWICE.search(code) is not None:
        return False
    moved = [each for each in held.codes if each.startswith(_MOVE) and each.startswith(_MOVE, each.rfind("\n") + 1)]
    return not any(map(is_only_a_move, moved))


def _has_plain_images(held: RowColumns) -> bool:
    """Whether all images have names that a file can have: at once where each is letters, digits and one dot."""
    names = held.names
    if names.count(b"\n") != len(held.images):
        return False
    if names.translate(None, _PLAIN_IN_IMAGES) == b"." * len(held.images) and b".." not in names:
        return True
    return _ODD_IN_IMAGES.search(names) is None and not has_blank(held.images)


def says_nothing(text: str) -> bool:
    """Whether a text is empty, or nothing but white space and characters that nobody sees."""
    return text[:1] in _NOTHING_HEADS and _NOTHING.fullmatch(text) is not None


def has_blank(texts: Collection[str]) -> bool:
    """Whether one of some texts says nothing; the first characters tell of nearly all that they do."""
    return not _NOTHING_HEADS.isdisjoint([text[:1] for text in texts]) and any(map(says_nothing, texts))


def has_control(text: str) -> bool:
    """Whether a long text has a control character; counted by bytes, many times as fast as a search."""
    data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    odd = np.count_nonzero(data < _FIRST_PLAIN) != np.count_nonzero(data == _LINE_END)
    return "\x7f" in text or (odd and CONTROL.search(text) is not None)


def has_fence(text: str) -> bool:
    """Whether a text opens or closes a block of code; single characters are found at many times the speed."""
    return ("`" in text and "```" in text) or ("~" in text and "~~~" in text)


def is_only_a_move(code: str) -> bool:
    """Whether code that is as published does nothing but move the pointer."""
    return code.startswith(_MOVE) and all(line.startswith(_MOVE) for line in code.split("\n"))


def plain_code(code: str) -> str:
    """Code without the fence around it and without carriage returns, which say nothing about what is done."""
    if "\r" not in code and not has_fence(code):
        return code
    lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line for line in lines if not _FENCE.fullmatch(line)).strip("\n")


def is_sound_call(code: str) -> bool:
    """Whether one step's code is as published throughout, and does something."""
    ended = code.find("computer.terminate(")
    if _ALL.fullmatch("\n" + code) is None or (ended >= 0 and "\n" in code[ended:]):
        return False
    return not is_only_a_move(code) and ("hotkey(" not in code or _KEY_TWICE.search(code) is None)
