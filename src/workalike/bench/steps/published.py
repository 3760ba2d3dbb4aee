"""The two published scorers of AgentNetBench: that of 2025-08, on which the published numbers rest, and the later one.

Every rule is kept as published, down to the order of floating-point operations; `strict.py` is where the holes are
closed. Truth is compiled once into checks, so that scoring a prediction allocates little and mutates nothing.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

import msgspec
from rapidfuzz.distance import Levenshtein

from workalike.bench.steps.claims import Claim
from workalike.bench.steps.scores import NOTHING, StepScore
from workalike.formats.agentnetbench import PLACED, BenchStep, TrueAction

NEAR = 0.01 * 2**0.5
STEEPNESS = 120
ALIKE = 0.8
_ENTER = ("enter", "return")

Check = Callable[[Any], float]


class Rules(msgspec.Struct, frozen=True):
    """What the later scorer changed."""

    name: str
    keys_in_order: bool
    scroll_measured: bool
    extras_cost: bool


AUGUST_2025 = Rules("2025-08", keys_in_order=False, scroll_measured=False, extras_cost=False)
LATER_2026 = Rules("2026", keys_in_order=True, scroll_measured=True, extras_cost=True)


class Option(msgspec.Struct, frozen=True):
    """One way to do a step, ready to score: a check for each true action, None where the rules know none."""

    kinds: tuple[str, ...]
    checks: tuple[Check | None, ...]
    counts: dict[str, int]
    status: str | None
    extras_cost: bool


def compile_step(step: BenchStep, rules: Rules) -> tuple[Option, ...]:
    """The true actions first, then the alternatives."""
    return tuple(_compile(actions, rules) for actions in (step.ground_truth_actions, *step.alternative_options))


def score_step(options: Sequence[Option], claims: Sequence[Claim]) -> tuple[StepScore, int]:
    """The best score over all options, and which one gave it (0 is the ground truth)."""
    merged = _merge_claims(claims)
    best, chosen = _score(options[0], merged), 0
    if best.total < 1.0 and merged:
        for index in range(1, len(options)):
            found = _score(options[index], merged)
            if found.total > best.total:
                best, chosen = found, index
    return best, chosen


def _compile(actions: Sequence[TrueAction], rules: Rules) -> Option:
    merged = _merge_truth(actions)
    kinds = tuple(action.type.lower() for action in merged)
    first = merged[0]
    return Option(
        kinds,
        tuple(_check(kind, action, rules) for kind, action in zip(kinds, merged, strict=True)),
        dict(Counter(kinds)),
        first.params.get("status") if first.type == "terminate" else None,
        rules.extras_cost,
    )


def _score(option: Option, claims: Sequence[Claim]) -> StepScore:
    if not claims:
        return NOTHING
    share = 1.0
    if option.extras_cost and len(claims) > len(option.kinds):
        share = len(option.kinds) / len(claims)
    if option.status is not None:
        earned = 1.0 * share if claims[0] == ("terminate", option.status) else 0.0
        return StepScore(earned, {"terminate": earned})
    if claims[0][0].lower() not in option.counts:
        return StepScore(0.0, dict.fromkeys(option.kinds, 0.0))
    return _score_in_order(option, claims, share)


def _score_in_order(option: Option, claims: Sequence[Claim], share: float) -> StepScore:
    earned: dict[str, float] = {}
    for kind, check, claim in zip(option.kinds, option.checks, claims, strict=False):
        if claim[0].lower() != kind:
            earned[kind] = earned.get(kind, 0.0)
        elif check is not None:
            earned[kind] = earned.get(kind, 0.0) + check(claim[1])
    for kind in option.kinds[len(claims) :]:
        earned.setdefault(kind, 0.0)
    for kind in earned:
        earned[kind] = earned[kind] / option.counts[kind] * share
    return StepScore(sum(earned.values()) / len(earned) if earned else 0.0, earned)


def _merge_truth(actions: Sequence[TrueAction]) -> list[TrueAction]:
    """A write followed by a lone enter is one action. The newline it gains there is stripped before comparing, so that
    whether enter is pressed never counts; the published rules are that way."""
    kept = _without_enters(
        [action.type.lower() == "write" for action in actions],
        [action.type.lower() in ("press", "hotkey") and _is_enter(action.params.get("keys")) for action in actions],
    )
    return [actions[index] for index in kept]


def _merge_claims(claims: Sequence[Claim]) -> Sequence[Claim]:
    writes = [kind == "write" for kind, _ in claims]
    if not any(writes[:-1]):
        return claims
    kept = _without_enters(writes, [kind == "press" and _is_enter(value) for kind, value in claims])
    return [claims[index] for index in kept]


def _without_enters(writes: list[bool], enters: list[bool]) -> list[int]:
    """The places that stay when every enter right after a write is taken away."""
    kept: list[int] = []
    index = 0
    while index < len(writes):
        kept.append(index)
        index += 2 if writes[index] and enters[index + 1 : index + 2] == [True] else 1
    return kept


def _is_enter(keys: object) -> bool:
    return isinstance(keys, list) and len(keys) == 1 and keys[0].lower() in _ENTER


def _check(kind: str, action: TrueAction, rules: Rules) -> Check | None:
    if kind in PLACED and kind != "middleclick":
        return _place_check(action)
    if kind == "write":
        return _text_check(action.params.get("content", "") or action.params.get("text", ""))
    if kind in ("press", "hotkey"):
        return _keys_check(action.params.get("keys", []), rules.keys_in_order)
    if kind == "scroll":
        return _scroll_check(action.params) if rules.scroll_measured else _any_scroll
    return None


def _place_check(action: TrueAction) -> Check:
    position = action.params["position"]
    true_x, true_y = position["x"], position["y"]
    boxes = action.metadata.bboxes if action.metadata else ()
    corners = [(x, y, x + width, y + height) for x, y, width, height in (box.rel_bbox for box in boxes)]

    def check(place: tuple[float, float]) -> float:
        x, y = place
        for left, top, right, bottom in corners:
            if left <= x <= right and top <= y <= bottom:
                return 1.0
        try:
            distance: float = ((x - true_x) ** 2 + (y - true_y) ** 2) ** 0.5
        except OverflowError:  # farther away than numbers go
            return 0.0
        return 1.0 if distance <= NEAR else math.exp(-STEEPNESS * (distance - NEAR))

    return check


def _text_check(text: str) -> Check:
    wanted = text.lower().strip()

    def check(written: str) -> float:
        given = written.lower().strip()
        longer = max(len(given), len(wanted))
        if longer == 0:
            return 1.0
        similarity = 1.0 - (Levenshtein.distance(given, wanted) / longer)
        return 1.0 if similarity >= ALIKE else similarity / ALIKE

    return check


def _keys_check(keys: object, in_order: bool) -> Check:
    if not isinstance(keys, list):
        return lambda given: 0.0  # a key that is no list equals no claim
    wanted = [str(key).lower() for key in keys]
    if in_order:
        return lambda given: 1.0 if [key.lower() for key in given] == wanted else 0.0
    wanted_set = set(wanted)
    return lambda given: 1.0 if {key.lower() for key in given} == wanted_set else 0.0


def _any_scroll(_: object) -> float:
    return 1.0


def _scroll_check(params: dict[str, Any]) -> Check:
    amount = params.get("amount", params.get("pixels"))
    wanted = direction(amount if amount is not None else params.get("direction"))
    measured = abs(float(amount)) if isinstance(amount, int | float) else None

    def check(given: int) -> float:
        turned = direction(given)
        if wanted and turned != wanted:
            return 0.0
        if measured is None:
            return 1.0 if wanted == turned else 0.0
        try:
            less, more = sorted((abs(float(given)), measured))
        except OverflowError:  # farther than numbers go
            return 0.0
        if more == 0:
            return 1.0
        return less / more

    return check


def direction(value: object) -> int:
    """1 for up, -1 for down, 0 where a value tells neither; positive numbers scroll up."""
    if isinstance(value, str):
        word = value.strip().lower()
        if word in ("up", "positive"):
            return 1
        if word in ("down", "negative"):
            return -1
        try:
            return direction(float(word))
        except ValueError:
            return 0
    if isinstance(value, int | float):
        return (value > 0) - (value < 0)
    return 0


def published_rows() -> dict[str, Any]:
    """The table that was published with the first of these rules: its columns, rows and source."""
    found: dict[str, Any] = json.loads((files("workalike.bench.steps") / "published_rows.json").read_text("utf-8"))
    return found
