"""Scores for chains of thought that are there already: how long the words are, what they give away, how much they
repeat, and whether what is said to be done is what is done. One pass, in memory that does not grow with the set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from workalike.annotate.chain import TEXTS
from workalike.core.actions import Click, Drag, Hotkey, Move, Press, Scroll, Terminate, Wait, Write
from workalike.core.trajectory import Step, Trajectory
from workalike.dataset.leaks import leaks, may_leak

FIELDS = (*TEXTS, "reflection")
BIN = 10
"""Lengths are counted in bins of so many words."""
_MOST = 400
_TELLING = 12
_WORD = re.compile(r"\w+")
_DIRECTIONS = {"down": "down", "up": "up", "left": "left", "right": "right"}
_SAYINGS: dict[type, re.Pattern[str]] = {
    Click: re.compile(r"click|press|select|choose|tap|open|toggle|check|tick|activate|expand|close|focus|switch|hit"),
    Drag: re.compile(r"drag|slid|mov|select|highlight|adjust|resiz|swip|draw|pull|extend"),
    Move: re.compile(r"mov|hover|point"),
    Scroll: re.compile(r"scroll|swip|down|up|zoom|reveal"),
    Wait: re.compile(r"wait|paus|load|moment|let "),
    Terminate: re.compile(r"complet|finish|done|terminat|end|success|fail|accomplish|conclu|stop"),
}
_KEYS = {
    "return": "enter",
    "esc": "escape",
    "del": "delete",
    "control": "ctrl",
    "cmd": "command",
    "pgdn": "pagedown",
    "pgup": "pageup",
    "win": "windows",
}


class Spread(msgspec.Struct, frozen=True):
    """How many words a text has: the mean, and counts by bins of ten."""

    count: int
    mean: float | None
    bins: dict[int, int]


class ChainScores(msgspec.Struct, frozen=True):
    """What was found. `told` steps have words at all; of those, `leaking` give something away (by kind in `leaks`),
    `repeating` say what the step before says; of those whose
    action can be compared with its words, `agreeing` say what is done. `score` is the mean over steps of what is right,
    from 0 to 1; `by_trajectory` counts trajectories by it."""

    trajectories: int
    steps: int
    told: int
    whole: int
    lengths: dict[str, Spread]
    leaking: int
    leaks: dict[str, int]
    repeating: int
    comparable: int
    agreeing: int
    by_action: dict[str, tuple[int, int]]
    score: float | None
    by_trajectory: dict[int, int]
    examples: dict[str, list[str]]


def check_chains(found: Iterable[Trajectory]) -> ChainScores:
    """Score every chain of thought in a set."""
    tally = _Tally()
    for trajectory in found:
        tally.add(trajectory)
    return tally.scores()


def agrees(step: Step) -> bool | None:
    """Whether the words of an action say what its code does; None where there is nothing to compare.

    >>> from workalike.core.observation import Observation
    >>> from workalike.core.trajectory import ActionResult
    >>> step = Step(Observation(), (ActionResult(Write("Lisbon")),), action_text='Type "Lisbon" into the field')
    >>> agrees(step), agrees(msgspec.structs.replace(step, action_text="Type Porto"))
    (True, False)
    """
    if not step.action_text or not step.actions:
        return None
    said = step.action_text.lower()
    found = [_agrees(done.action, said) for done in step.actions]
    known = [each for each in found if each is not None]
    return all(known) if known else None


def repeats(one: str, other: str) -> bool:
    """Whether two texts say the same but for a few words: nine in ten of their three-word runs."""
    if one == other:
        return True
    short, long = sorted((len(one), len(other)))
    if not short or short < 0.8 * long:
        return False
    words, others = set(one.split()), set(other.split())
    if len(words & others) < 0.8 * max(len(words), len(others)):  # told at a fraction of the time
        return False
    first, second = _runs(one), _runs(other)
    return bool(first and second) and len(first & second) >= 0.9 * len(first | second)


class _Tally:
    """Counts of everything, which take the same room for ten steps and for a million."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.leaks: Counter[str] = Counter()
        self.words: dict[str, Counter[int]] = {name: Counter() for name in FIELDS}
        self.total: Counter[str] = Counter()
        self.actions: dict[str, list[int]] = {}
        self.score = 0.0
        self.by_trajectory: Counter[int] = Counter()
        self.examples: dict[str, list[str]] = {}

    def add(self, trajectory: Trajectory) -> None:
        self.count["trajectories"] += 1
        scores = []
        for place, step in enumerate(trajectory.steps):
            self.count["steps"] += 1
            texts = {name: getattr(step, name) for name in FIELDS if getattr(step, name)}
            if texts:
                before = trajectory.steps[place - 1] if place else None
                scores.append(self._step(f"{trajectory.id}, step {place + 1}", step, texts, before))
        if scores:
            self.score += sum(scores)
            self.by_trajectory[int(10 * sum(scores) / len(scores))] += 1

    def _step(self, where: str, step: Step, texts: dict[str, str], before: Step | None) -> float:
        """Count one step; which share of what can be right about it is."""
        self.count["told"] += 1
        self.count["whole"] += len(texts) == len(FIELDS)
        for name, text in texts.items():
            words = text.count(" ") + 1
            self.words[name][min(words // BIN * BIN, _MOST)] += 1
            self.total[name] += words
        good = [self._leaks(where, texts), self._repeats(where, step, before)]
        agreeing = self._agrees(where, step)
        good += [] if agreeing is None else [agreeing]
        return sum(good) / len(good)

    def _leaks(self, where: str, texts: dict[str, str]) -> bool:
        found = [
            each for name, text in texts.items() if name != "reflection" and may_leak(text) for each in leaks(text)
        ]
        self.count["leaking"] += bool(found)
        for kind in dict(found):
            self.leaks[kind] += 1
            self._example(kind, f"{where}: {dict(found)[kind]}")
        return not found

    def _repeats(self, where: str, step: Step, before: Step | None) -> bool:
        if before is None or not step.thought or not before.thought or not repeats(step.thought, before.thought):
            return True
        self.count["repeating"] += 1
        self._example("repeats the thought before", where)
        return False

    def _agrees(self, where: str, step: Step) -> bool | None:
        agreeing = agrees(step)
        if agreeing is None:
            return None
        kind = type(step.actions[-1].action).__name__.lower()
        counted = self.actions.setdefault(kind, [0, 0])
        counted[0] += agreeing
        counted[1] += 1
        if not agreeing:
            self._example("says another action than its code", f"{where}: {(step.action_text or '')[:100]}")
        return agreeing

    def _example(self, kind: str, words: str) -> None:
        kept = self.examples.setdefault(kind, [])
        if len(kept) < _TELLING:
            kept.append(" ".join(words.split()))

    def scores(self) -> ChainScores:
        count, told = self.count, self.count["told"]
        return ChainScores(
            count["trajectories"],
            count["steps"],
            told,
            count["whole"],
            {name: self._spread(name) for name in FIELDS},
            count["leaking"],
            dict(self.leaks.most_common()),
            count["repeating"],
            sum(compared for _, compared in self.actions.values()),
            sum(good for good, _ in self.actions.values()),
            {kind: (good, compared) for kind, (good, compared) in sorted(self.actions.items())},
            self.score / told if told else None,
            dict(sorted(self.by_trajectory.items())),
            self.examples,
        )

    def _spread(self, name: str) -> Spread:
        number = sum(self.words[name].values())
        return Spread(number, self.total[name] / number if number else None, dict(sorted(self.words[name].items())))


def _agrees(action: object, said: str) -> bool | None:
    match action:
        case Write(text=text):
            return _says(text.lower(), said)
        case Press(keys=keys) | Hotkey(keys=keys):
            return all(_names_key(key.lower(), said) for key in dict.fromkeys(keys))
        case Click(button=button, count=count):
            named = button == "left" or button in said or "context" in said
            return (
                named
                and (count == 1 or re.search(r"doubl|tripl|twice|open|select", said) is not None)
                and _known(action, said)
            )
        case Scroll(dx=dx, dy=dy):
            ways = [way for way, turned in zip(_DIRECTIONS, (dy > 0, dy < 0, dx < 0, dx > 0), strict=True) if turned]
            other = [way for way in _DIRECTIONS if way not in ways and re.search(rf"\bscroll(?:ing)? {way}", said)]
            return _known(action, said) and not other
        case _:
            return _known(action, said) if type(action) in _SAYINGS else None


def _known(action: object, said: str) -> bool:
    return _SAYINGS[type(action)].search(said) is not None


def _says(text: str, said: str) -> bool:
    """Whether a typed text is told; of a long one that its beginning is."""
    wanted = " ".join(_WORD.findall(text))[:40]
    return not wanted or wanted in " ".join(_WORD.findall(said)) or "•" in text


def _names_key(key: str, said: str) -> bool:
    names = {key, _KEYS.get(key, key), *(long for long, short in _KEYS.items() if short == key)}
    if key in ("ctrl", "control", "command", "cmd", "win", "alt", "option", "shift"):
        return any(name in said for name in names) or "shortcut" in said
    if key in ("c", "v", "x", "a", "z", "s"):
        doing = {"c": "cop", "v": "past", "x": "cut", "a": "select", "z": "undo", "s": "sav"}[key]
        return doing in said or re.search(rf"\b{key}\b", said) is not None
    return any(name in said.replace(" ", "") or name in said for name in names)


def _runs(text: str) -> set[tuple[str, ...]]:
    words: Sequence[str] = text.split()
    return {tuple(words[at : at + 3]) for at in range(len(words) - 2)}
