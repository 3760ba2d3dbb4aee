"""Our own scorer, without the holes of the published ones.

Predictions are read by the pyautogui dialect, never by patterns. Truth and prediction are brought into one normal form
of small acts, aligned in order, and what either has too much costs: the total is what the aligned acts earned over the
longer of the two lists. Scrolls must go the right way and about as far, keys must come in order and number, texts are
compared whole, triple and middle clicks and horizontal scrolls count, and a prediction that cannot be read earns
nothing anywhere.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec
from rapidfuzz.distance import Levenshtein

from workalike.bench.steps.published import ALIKE, NEAR, STEEPNESS, direction
from workalike.bench.steps.scores import StepScore
from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    Move,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
    kind,
)
from workalike.core.errors import Unreadable
from workalike.core.keyboard import canonical, modifier
from workalike.core.screen import Point
from workalike.dialects import pyautogui
from workalike.formats.agentnetbench import BenchStep, TrueAction, place_of

_CLICKS = {
    ("left", 1): "click",
    ("left", 2): "doubleclick",
    ("left", 3): "tripleclick",
    ("right", 1): "rightclick",
    ("middle", 1): "middleclick",
}
_ACCELERATORS = {"command": "ctrl", "win": "ctrl"}  # the set writes a Mac's command key as ctrl
_MOST = 64  # acts of one prediction that are aligned; no true step comes near


class Act(msgspec.Struct, frozen=True):
    """One small thing done: its kind in AgentNetBench's words, and what is compared. `boxes` are left, top, right,
    bottom."""

    kind: str
    place: Point | None = None
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    text: str = ""
    keys: tuple[str, ...] = ()
    amount: float | None = None
    way: int = 0
    held: frozenset[str] = frozenset()


def compile_step(step: BenchStep) -> tuple[tuple[Act, ...], ...]:
    """The true acts first, then the alternatives."""
    texts = _whole_texts(step.action)
    ways = (step.ground_truth_actions, *step.alternative_options)
    return tuple(_normal([_true_act(action, texts) for action in actions]) for actions in ways)


def score_step(options: Sequence[Sequence[Act]], reply: str) -> tuple[StepScore, int]:
    """The best score over all options, and which one gave it (0 is the ground truth)."""
    try:
        acts = _normal([act for action in pyautogui.parse(reply) for act in _acts(action)])
    except Unreadable as error:
        return StepScore(0.0, {act.kind: 0.0 for act in options[0]}, str(error)), 0
    return score_acts(options, acts)


def score_acts(options: Sequence[Sequence[Act]], acts: Sequence[Act]) -> tuple[StepScore, int]:
    scored = [_score(option, acts) for option in options]
    best = max(range(len(scored)), key=lambda index: scored[index].total)
    return scored[best], best


def _score(truth: Sequence[Act], acts: Sequence[Act]) -> StepScore:
    earned = _aligned(truth, acts[:_MOST])
    share = len(truth) / max(len(truth), len(acts))
    by_kind: dict[str, list[float]] = defaultdict(list)
    for act, points in zip(truth, earned, strict=True):
        by_kind[act.kind].append(points)
    kinds = {name: math.fsum(points) / len(points) * share for name, points in by_kind.items()}
    return StepScore(math.fsum(earned) / len(truth) * share, kinds)


def _aligned(truth: Sequence[Act], acts: Sequence[Act]) -> list[float]:
    """What each true act earns under the best alignment that keeps both orders."""
    table = [[0.0] * (len(acts) + 1) for _ in range(len(truth) + 1)]
    points = [[_compare(wanted, given) for given in acts] for wanted in truth]
    for row in range(len(truth) - 1, -1, -1):
        for column in range(len(acts) - 1, -1, -1):
            together = points[row][column] + table[row + 1][column + 1]
            table[row][column] = max(together, table[row + 1][column], table[row][column + 1])
    earned = [0.0] * len(truth)
    row = column = 0
    while row < len(truth) and column < len(acts):
        if table[row][column] == table[row + 1][column]:
            row += 1
        elif table[row][column] == table[row][column + 1]:
            column += 1
        else:
            earned[row] = points[row][column]
            row, column = row + 1, column + 1
    return earned


def _compare(wanted: Act, given: Act) -> float:
    if wanted.kind != given.kind or wanted.held != given.held:
        return 0.0
    if wanted.place is not None:
        return 0.0 if given.place is None else _closeness(wanted, given.place)
    if wanted.kind == "write":
        return _similarity(wanted.text, given.text)
    if wanted.kind in ("press", "hotkey"):
        return float(wanted.keys == given.keys)
    if wanted.kind in ("scroll", "hscroll"):
        return _scrolled(wanted, given)
    return float(wanted.text == given.text)


def _closeness(wanted: Act, given: Point) -> float:
    """1 inside a box; outside, less with the distance from it. Where no box is known, the published rule of a
    distance."""
    if not wanted.boxes:
        assert wanted.place is not None
        away = wanted.place.distance(given)
        return 1.0 if away <= NEAR else math.exp(-STEEPNESS * (away - NEAR))
    away = min(
        math.hypot(max(left - given.x, 0.0, given.x - right), max(top - given.y, 0.0, given.y - bottom))
        for left, top, right, bottom in wanted.boxes
    )
    return math.exp(-STEEPNESS * away)


def _similarity(wanted: str, given: str) -> float:
    wanted, given = wanted.lower().strip(), given.lower().strip()
    longer = max(len(wanted), len(given))
    similarity = 1.0 if longer == 0 else 1.0 - Levenshtein.distance(given, wanted) / longer
    return 1.0 if similarity >= ALIKE else similarity / ALIKE


def _scrolled(wanted: Act, given: Act) -> float:
    if wanted.way and wanted.way != given.way:
        return 0.0
    if wanted.amount is None or given.amount is None:
        return 1.0
    less, more = sorted((abs(wanted.amount), abs(given.amount)))
    return 1.0 if more == 0 else less / more


def _true_act(action: TrueAction, texts: Sequence[str]) -> Act:
    name, params = action.type.lower(), action.params
    if name in ("write", "press", "hotkey", "terminate"):
        return _true_words(name, params, texts)
    if name in ("scroll", "hscroll"):
        amount = params.get("amount", params.get("pixels"))
        measured = float(amount) if isinstance(amount, int | float) else None
        return Act(name, amount=measured, way=direction(amount if amount is not None else params.get("direction")))
    at = place_of(params)
    place = None if at is None else Point(*at)
    boxes = action.metadata.bboxes if action.metadata else ()
    corners = tuple((x, y, x + width, y + height) for x, y, width, height in (box.rel_bbox for box in boxes))
    return Act(name.replace("_", ""), place, corners)


def _true_words(name: str, params: dict[str, Any], texts: Sequence[str]) -> Act:
    if name == "write":
        return Act(name, text=_uncut(params.get("content", "") or params.get("text", ""), texts))
    if name == "terminate":
        return Act(name, text=params["status"])
    keys = params["keys"]
    return _keyed(name, tuple(keys) if isinstance(keys, list) else (keys,))


def _whole_texts(code: str | None) -> list[str]:
    """The texts that the step's own code writes; the true actions hold them cut short at a quote."""
    try:
        return [action.text for action in pyautogui.parse(code or "") if isinstance(action, Write)]
    except Unreadable:
        return []


def _uncut(text: str, texts: Sequence[str]) -> str:
    for whole in texts:
        if len(whole) > len(text) and whole.startswith(text) and whole[len(text)] in "'\"":
            return whole
    return text


def _acts(action: Action) -> list[Act]:
    match action:
        case Click(at=at, button=button, count=count, modifiers=held):
            return [Act(_CLICKS.get((button, count), f"{button} {count}"), at, held=_held(held))]
        case Move(to=to):
            return [Act("moveto", to)]
        case Drag(start=start, button=button, modifiers=held):
            move = [] if start is None else [Act("moveto", start)]
            name = "dragto" if button == "left" else f"{button} dragto"
            return [*move, Act(name, action.end, held=_held(held))]
        case Scroll():
            return _scrolls(action)
        case Write(text=text):
            return [Act("write", text=text)]
        case Press(keys=keys) | Hotkey(keys=keys):
            return [_keyed(kind(action), keys)]
        case Wait():
            return [Act("wait")]
        case Terminate(status=status):
            return [Act("terminate", text=status)]
        case _:
            return [Act(kind(action))]


def _scrolls(scroll: Scroll) -> list[Act]:
    acts = [] if scroll.at is None else [Act("moveto", scroll.at)]
    held = _held(scroll.modifiers)
    if scroll.dy or not scroll.dx:
        acts.append(Act("scroll", amount=-scroll.dy, way=direction(-scroll.dy), held=held))
    if scroll.dx:
        acts.append(Act("hscroll", amount=scroll.dx, way=direction(scroll.dx), held=held))
    return acts


def _held(keys: Sequence[str]) -> frozenset[str]:
    return frozenset(map(_key, keys))


def _keyed(name: str, keys: tuple[str, ...]) -> Act:
    """A hotkey's modifiers may come in any order before its other keys; a hotkey of one key is a press."""
    named = tuple(map(_key, keys))
    if name == "press" or len(named) == 1:
        return Act("press", keys=named)
    front = next((index for index, key in enumerate(named) if modifier(key) is None), len(named))
    return Act("hotkey", keys=(*sorted(named[:front]), *named[front:]))


def _key(name: str) -> str:
    found = (canonical(name) or name).lower()
    acting = modifier(found) or found
    return _ACCELERATORS.get(acting, acting)


def _normal(acts: Sequence[Act]) -> tuple[Act, ...]:
    """Texts without their final newlines, which are presses of enter; presses in a row as one; no idle moves."""
    done: list[Act] = []
    for act in acts:
        for part in _without_newline(act):
            if done and done[-1].kind == "moveto" and part.place is not None and part.kind != "dragto":
                done.pop()  # the pointer goes somewhere else before anything happens there
            if done and done[-1].kind == part.kind == "press":
                done[-1] = Act("press", keys=done[-1].keys + part.keys)
            else:
                done.append(part)
    return tuple(done)


def _without_newline(act: Act) -> list[Act]:
    if act.kind != "write" or not act.text.endswith("\n"):
        return [act]
    text = act.text.rstrip("\n")
    enters = Act("press", keys=("enter",) * (len(act.text) - len(text)))
    return [msgspec.structs.replace(act, text=text), enters] if text else [enters]
