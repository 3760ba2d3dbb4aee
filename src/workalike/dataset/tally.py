"""Counts of everything in a set: by system, domain, application, length, call, score, tokens. Tallies of parts add
up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from workalike.core.screen import Size
from workalike.core.spaces import QWEN_FACTOR, smart_resize
from workalike.dataset.wellformed import MARKS, RowColumns, SoundRow
from workalike.formats.agentnet import Meta, names_in

CHARACTERS_A_TOKEN = 4  # of English under the tokenizers in use; a count to plan by, not to pay by
TOKEN_BIN = 256
TEXTS = ("observation", "thought", "action", "reflection", "code")
UNKNOWN = "unknown"
_FARTHEST = 1e300  # a mark beyond that is none, and no fraction can hold it
_CLICK = "\npyautogui.click("
_OTHER_CALL = re.compile(r"\n(?!pyautogui\.click\()(\w+\.\w+)\(")

SoundCounts = tuple[int, int, Any, Any, Any, Any, Any, Meta | None, tuple[int, ...], tuple[int, int, int], str]


class Tally(msgspec.Struct):
    """What was counted. Every table is of rows, but for `calls` (calls), `steps_judged` (steps), `characters` and
    tokens."""

    rows: int = 0
    steps: int = 0
    size: int = 0
    systems: dict[str, int] = msgspec.field(default_factory=dict)
    domains: dict[str, int] = msgspec.field(default_factory=dict)
    applications: dict[str, int] = msgspec.field(default_factory=dict)
    qualities: dict[str, int] = msgspec.field(default_factory=dict)
    completed: dict[str, int] = msgspec.field(default_factory=dict)
    alignment_score: dict[str, int] = msgspec.field(default_factory=dict)
    efficiency_score: dict[str, int] = msgspec.field(default_factory=dict)
    task_difficulty: dict[str, int] = msgspec.field(default_factory=dict)
    lengths: dict[int, int] = msgspec.field(default_factory=dict)
    token_bins: dict[int, int] = msgspec.field(default_factory=dict)
    calls: dict[str, int] = msgspec.field(default_factory=dict)
    steps_judged: dict[str, int] = msgspec.field(default_factory=dict)
    characters: dict[str, int] = msgspec.field(default_factory=dict)
    picture_tokens: int = 0
    pictures_measured: int = 0

    def add_sound(self, rows: list[SoundCounts]) -> None:
        """Count many rows that have passed the quick check, column by column, which is several times as fast."""
        if not rows:
            return
        columns = list(zip(*rows, strict=True))
        steps, sizes, completed, domains, metas, texts, judged = (columns[at] for at in (0, 1, 2, 6, 7, 8, 9))
        self.rows += len(rows)
        self.steps += sum(steps)
        self.size += sum(sizes)
        _more(self.lengths, Counter(steps))
        _more(self.completed, _named(Counter(completed), _yes_no))
        for name, column in zip(MARKS, columns[3:6], strict=True):
            _more(getattr(self, name), _named(Counter(column), _mark_name))
        for name, column in zip(TEXTS, zip(*texts, strict=True), strict=True):
            _more(self.characters, {name: sum(column)})
        _more(self.token_bins, Counter(sum(row) // CHARACTERS_A_TOKEN // TOKEN_BIN for row in texts))
        for name, column in zip(("right", "wrong", "redundant"), zip(*judged, strict=True), strict=True):
            _more(self.steps_judged, {name: sum(column)})
        for row_steps, domain, meta in zip(steps, domains, metas, strict=True):
            self._add_meta(row_steps, domain, meta)
        _more(self.calls, call_counts(columns[10]))

    def add_document(self, document: Any, size: int, meta: Meta | None) -> None:
        """Count a row that has not, as far as it can be read."""
        if not isinstance(document, dict) or not isinstance(document.get("traj"), list):
            return
        steps = [step for step in document["traj"] if isinstance(step, dict)]
        values = [step["value"] for step in steps if isinstance(step.get("value"), dict)]
        texts = [[text for value in values if isinstance(text := value.get(name), str)] for name in TEXTS]
        sizes = [sum(map(len, column)) for column in texts]
        self.rows += 1
        self.steps += len(steps)
        self.size += size
        _one(self.lengths, len(steps))
        _one(self.completed, _yes_no(document.get("task_completed")))
        for name in MARKS:
            _one(getattr(self, name), _mark_name(document.get(name)))
        _more(self.characters, dict(zip(TEXTS, sizes, strict=True)))
        _one(self.token_bins, sum(sizes) // CHARACTERS_A_TOKEN // TOKEN_BIN)
        right = [value.get("last_step_correct") for value in values]
        redundant = [value.get("last_step_redundant") for value in values]
        _more(self.steps_judged, {"right": right.count(True), "wrong": right.count(False)})
        _more(self.steps_judged, {"redundant": redundant.count(True)})
        _more(self.calls, call_counts(f"\n{code}" for code in texts[-1]))
        self._add_meta(len(steps), document.get("domain"), meta)

    def add(self, other: Tally) -> None:
        """Add another part of the set."""
        for name in self.__struct_fields__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(theirs, dict):
                _more(mine, theirs)
            else:
                setattr(self, name, mine + theirs)

    def _add_meta(self, steps: int, domain: Any, meta: Meta | None) -> None:
        for name in names_in(domain) or (meta.domains if meta else ()) or (UNKNOWN,):
            _one(self.domains, name)
        _one(self.systems, (meta.system if meta else None) or UNKNOWN)
        if meta is None:
            return
        _one(self.qualities, meta.quality or UNKNOWN)
        for name in meta.applications or (UNKNOWN,):
            _one(self.applications, name)
        if meta.screen is not None:
            self.pictures_measured += steps
            self.picture_tokens += steps * picture_tokens(meta.screen)


def sound_counts(row: SoundRow, held: RowColumns, size: int, meta: Meta | None) -> SoundCounts:
    """What a sound row adds to a tally."""
    steps = len(row.traj)
    texts = (
        sum(map(len, held.observations)),
        sum(map(len, held.thoughts)),
        sum(map(len, held.actions)),
        sum(map(len, held.reflections)),
        len(held.code) - steps,  # without the line end before each
    )
    right = [step.value.last_step_correct for step in row.traj].count(True)
    redundant = [step.value.last_step_redundant for step in row.traj].count(True)
    marks = (row.alignment_score, row.efficiency_score, row.task_difficulty)
    judged = (right, steps - right, redundant)
    return (steps, size, row.task_completed, *marks, row.domain, meta, texts, judged, held.code)


def call_counts(codes: Iterable[str]) -> dict[str, int]:
    """How often each call stands at the head of a line of code, given with a line end before every line."""
    code = "".join(codes)
    counts = Counter(_OTHER_CALL.findall(code))
    clicks = code.count(_CLICK)
    return {**counts, "pyautogui.click": clicks} if clicks else dict(counts)


@lru_cache(maxsize=512)
def picture_tokens(size: Size) -> int:
    """How many tokens a screenshot takes in a Qwen2.5-VL model."""
    try:
        seen = smart_resize(size)
    except ValueError:
        return 0
    return (seen.width // QWEN_FACTOR) * (seen.height // QWEN_FACTOR)


def _mark_name(mark: Any) -> str:
    known = isinstance(mark, int | float) and not isinstance(mark, bool) and abs(mark) < _FARTHEST
    return f"{mark:g}" if known else UNKNOWN


def _yes_no(value: Any) -> str:
    return "yes" if value is True else "no" if value is False else UNKNOWN


def _named(counts: Mapping[Any, int], name: Callable[[Any], str]) -> dict[str, int]:
    named: dict[str, int] = {}
    for key, count in counts.items():
        named[name(key)] = named.get(name(key), 0) + count
    return named


def _one(table: dict[Any, int], key: Any) -> None:
    table[key] = table.get(key, 0) + 1


def _more(table: dict[Any, int], counts: Mapping[Any, int]) -> None:
    for key, count in counts.items():
        table[key] = table.get(key, 0) + count
