"""Rows that are there twice: the same content, the same id, or nearly the same words.

Near duplicates are found by MinHash signatures in bands, and each pair so found is then compared exactly: the share of
three-word runs that two rows have in common. Memory is one signature a row.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from workalike.core.errors import BadInput
from workalike.dataset.choosing import Chosen, Read, content_hash, rows
from workalike.dataset.files import RowFiles
from workalike.store.packed import writing

Keep = Literal["first", "last", "longest", "best"]
HASHES = 96
RUN = 3
_PRIME = np.uint64((1 << 61) - 1)
_WORD = re.compile(r"\w+")
_BANDS = (1, 2, 3, 4, 6, 8, 12, 16)
_CERTAINTY = 0.999
_FEW = 300
_MOST_IN_A_BUCKET = 16  # of many that are all alike, a few suffice to gather the rest


class Contender(msgspec.Struct, frozen=True):
    """What decides which of several rows stays."""

    place: int
    steps: int
    quality: float
    where: str


def dedupe_rows(
    found: RowFiles, out: Path, near: float | None = None, same_id: bool = False, keep: Keep = "first"
) -> Chosen:
    """The rows without those that another stands for. `near` is the share of words in common from which on two rows
    count as one; `same_id` makes one of all rows under an id."""
    if near is not None and not 0 < near <= 1:
        raise BadInput(f"rows are near from a share above 0 and at most 1 on, not from {near:g}")
    groups, standings, reasons = _groups(found, near, same_id)
    losers = {
        place: winner for group in groups if (winner := _winner(group, standings, keep)) is not None for place in group
    }
    chosen = Chosen()
    with writing(out) as file:
        for place, row in enumerate(rows(found, chosen)):
            winner = losers.get(place, place)
            if winner == place:
                file.write(row.line + b"\n")
                chosen.keep(out)
            else:
                chosen.dropped += 1
                stands = standings[winner].where
                chosen.note(f"{row.file}, line {row.number} ({reasons.get(place, 'the same')}): {stands} stands for it")
    return chosen


def runs_of(document: Mapping[str, Any]) -> set[int]:
    """The three-word runs of a row's task, actions and code, hashed."""
    words: list[str] = []
    for name in ("instruction", "natural_language_task"):
        words += _words(document.get(name))
    steps = document.get("traj")
    for step in steps if isinstance(steps, list) else []:
        value = step.get("value") if isinstance(step, dict) else None
        if isinstance(value, dict):
            words += _words(value.get("action") or value.get("code"))
    return {zlib.crc32(" ".join(words[at : at + RUN]).encode()) for at in range(max(1, len(words) - RUN + 1))}


def likeness(one: npt.NDArray[np.uint32], other: npt.NDArray[np.uint32]) -> float:
    """The share of runs in common."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared)


def _groups(
    found: RowFiles, near: float | None, same_id: bool
) -> tuple[list[list[int]], list[Contender], dict[int, str]]:
    together = _Union()
    standings: list[Contender] = []
    signatures: list[npt.NDArray[np.uint64]] = []
    by_key: dict[object, int] = {}
    reasons: dict[int, str] = {}
    sign = _signer()
    for place, row in enumerate(rows(found, Chosen())):
        standings.append(_standing(place, row))
        keys = [("content", content_hash(row.document))] + ([("id", row.task_id.encode())] if same_id else [])
        for kind, key in keys:
            before = by_key.setdefault((kind, key), place)
            if before != place:
                together.join(before, place)
                reasons.setdefault(place, f"same {kind}")
        if near is not None:
            signatures.append(sign(runs_of(row.document)))
    if near is not None and signatures:
        for one, other, share in _near_pairs(found, np.stack(signatures), near):
            together.join(one, other)
            reasons.setdefault(other, f"{share:.0%} alike")
    return together.groups(), standings, reasons


def _near_pairs(found: RowFiles, signatures: npt.NDArray[np.uint64], near: float) -> Iterator[tuple[int, int, float]]:
    pairs = sorted(_candidates(signatures, near))
    wanted = {place for pair in pairs for place in pair}
    runs = {
        place: np.fromiter(runs_of(row.document), dtype=np.uint32)
        for place, row in enumerate(rows(found, Chosen()))
        if place in wanted
    }
    for one, other in pairs:
        share = likeness(runs[one], runs[other])
        if share >= near:
            yield one, other, share


def _candidates(signatures: npt.NDArray[np.uint64], near: float) -> set[tuple[int, int]]:
    """Pairs that agree in a whole band of their signatures. Bands are as long as they can be with hardly a pair
    missed; few rows are all compared, and none is."""
    if len(signatures) <= _FEW:
        return set(itertools.combinations(range(len(signatures)), 2))
    length = max((n for n in _BANDS if 1 - (1 - near**n) ** (HASHES // n) >= _CERTAINTY), default=1)
    pairs: set[tuple[int, int]] = set()
    for start in range(0, HASHES, length):
        buckets: dict[bytes, list[int]] = {}
        band = np.ascontiguousarray(signatures[:, start : start + length])
        for place in range(len(band)):
            bucket = buckets.setdefault(band[place].tobytes(), [])
            pairs.update((before, place) for before in bucket)
            if len(bucket) < _MOST_IN_A_BUCKET:
                bucket.append(place)
    return pairs


def _signer() -> Callable[[set[int]], npt.NDArray[np.uint64]]:
    """Signatures under fixed random functions, so that the same rows give the same groups every time."""
    numbers = np.random.default_rng(20250813).integers(1, 1 << 31, size=(2, HASHES), dtype=np.uint64)
    factors, offsets = numbers[0][:, None], numbers[1][:, None]

    def sign(runs: set[int]) -> npt.NDArray[np.uint64]:
        values = np.fromiter(runs, dtype=np.uint64, count=len(runs))[None, :]
        signed: npt.NDArray[np.uint64] = ((factors * values + offsets) % _PRIME).min(axis=1)
        return signed

    return sign


def _standing(place: int, row: Read) -> Contender:
    steps = row.document.get("traj")
    marks = [row.document.get(name) for name in ("alignment_score", "efficiency_score")]
    told = [mark for mark in marks if isinstance(mark, int | float) and not isinstance(mark, bool) and 0 <= mark <= 10]
    where = f"{row.file}, line {row.number}"
    return Contender(place, len(steps) if isinstance(steps, list) else 0, float(sum(told)), where)


def _winner(group: list[int], standings: list[Contender], keep: Keep) -> int | None:
    members = [standings[place] for place in group]
    if keep == "last":
        return max(member.place for member in members)
    if keep == "longest":
        return max(members, key=lambda member: (member.steps, -member.place)).place
    if keep == "best":
        return max(members, key=lambda member: (member.quality, member.steps, -member.place)).place
    return min(group)


def _words(text: Any) -> list[str]:
    return _WORD.findall(text.lower()) if isinstance(text, str) else []


class _Union:
    """Which rows belong together."""

    def __init__(self) -> None:
        self.parent: dict[int, int] = {}

    def find(self, place: int) -> int:
        root = place
        while self.parent.setdefault(root, root) != root:
            root = self.parent[root]
        while self.parent[place] != root:
            self.parent[place], place = root, self.parent[place]
        return root

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self.parent[second] = first

    def groups(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for place in sorted(self.parent):
            found.setdefault(self.find(place), []).append(place)
        return [group for group in found.values() if len(group) > 1]
