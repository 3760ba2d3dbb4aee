"""The oracle with flaws: it solves tasks of the town as ever, but now and then does something wrong, needless or
harmful on the way, and notes the truth about every step. What it leaves is a set on which a judge of steps is measured:

    workalike run town --agent flawed --repeats 1 --limit 12 --out runs/flawed
    workalike annotate runs/flawed --model openai/gpt-5 --redo
    workalike agreement runs/flawed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
from msgspec.structs import replace

from workalike.bench.oracle import OracleAgent
from workalike.core.actions import Action, Back, Click, Hotkey, Move, Press, Scroll, Terminate, Wait, Write
from workalike.core.contracts import Decision, Percept
from workalike.core.key import Key
from workalike.core.observation import Element
from workalike.core.screen import Point
from workalike.core.trajectory import Notice, Step
from workalike.dataset.sources import trajectories
from workalike.statistics.agreement import Pair, agreement
from workalike.statistics.intervals import Estimate, interval_told

Flaw = Literal["none", "needless", "wrong", "harmful", "unknown"]
_Flawed = tuple[Action | tuple[Action, ...], Flaw]
TRUTH = "truth"
"""The kind of the notice in which a step's truth stands; no annotator is shown it."""
OFTEN = 0.4
"""How often a flaw is put in where one can be."""
MOST = 12
"""How many an attempt has at most: each takes some steps to recover from, and an attempt has a hundred."""


class FlawedOracle(OracleAgent):
    """An oracle that errs by plan. What it puts in is left out of its own past, and every flaw is one that it recovers
    from: the task is solved in the end, in more steps."""

    name = "flawed"

    def __init__(self, key: Key, seed: str) -> None:
        super().__init__(key)
        self._rng, self._queue, self._calm = Random(seed), list[_Flawed](), 0
        self._put = 0

    async def decide(self, percept: Percept) -> Decision:
        if self._queue:
            return _noted(*self._queue.pop(0))
        last = self._past[-1].action if self._past else None
        planned = await super().decide(percept)
        action = planned.actions[0]
        self._calm += 1
        if self._calm < 2 or self._put == MOST or isinstance(action, Terminate) or self._rng.random() > OFTEN:
            return replace(planned, notices=_truth("unknown" if isinstance(action, Wait) else "none"))
        flaws = list(self._flaws(percept, action, last))
        if not flaws:
            return replace(planned, notices=_truth("unknown" if isinstance(action, Wait) else "none"))
        self._calm, self._put = 0, self._put + 1
        kind = self._rng.choice(sorted({each[0][1] for each in flaws}))
        first, *self._queue = self._rng.choice([each for each in flaws if each[0][1] == kind])
        if not isinstance(action, Write):
            self._past.pop()  # not done after all: it is decided on again, by what is seen then
        return _noted(*first)

    def _flaws(self, percept: Percept, action: Action, last: Action | None) -> Iterator[list[_Flawed]]:
        """What can go wrong here; each as the steps it takes, the way back included."""
        if isinstance(action, Write):
            yield [(Write(_other(action.text)), "wrong")]
            return
        if isinstance(last, Write) and isinstance(action, Click | Press):
            yield [((Hotkey(("ctrl", "a")), Press(("backspace",))), "harmful")]
        elements = [each for each in percept.observation.elements or () if each.box and each.box.centre.on_screen]
        if not isinstance(action, Click) or any(each.role == "option" and _is_at(each, action) for each in elements):
            return
        yield [(Move(Point(0.02 + 0.9 * self._rng.random(), 0.97)), "needless")]
        yield [(Press(("shift",)), "needless")]
        yield [(Scroll(dy=3, at=Point(0.5, 0.5)), "needless"), (Scroll(dy=-30, at=Point(0.5, 0.5)), "needless")]
        links = [each.box for each in elements if each.role == "link" and each.name and not _is_at(each, action)]
        if links and "checkout" not in (percept.observation.url or "checkout"):
            there = self._rng.choice(links)
            assert there is not None
            yield [(Click(there.centre), "wrong"), (Back(), "none")]


class TruthPair(msgspec.Struct, frozen=True):
    """What is known of a step, and what a judge said of it."""

    trajectory: str
    step: int
    flaw: Flaw
    correct: bool
    redundant: bool
    said_correct: bool
    said_redundant: bool
    value: float | None = None


class FlawAgreement(msgspec.Struct, frozen=True):
    """How one yes-or-no judgement agrees with the truth: how often both are alike, of what is flawed how much was
    found, and of what is sound how much was called flawed. Intervals know which steps are of one trajectory."""

    steps: int
    same: int
    flawed: int
    sound: int
    alike: Estimate
    found: Estimate
    alarms: Estimate
    kappa: Estimate


class FlawsCompared(msgspec.Struct, frozen=True):
    """A judge against the truth: on whether steps were right, on whether they were needed, and by kind of flaw; the
    mean value given to each kind. `unjudged` steps have no judgement."""

    steps: int
    unjudged: int
    wrong: FlawAgreement
    redundant: FlawAgreement
    found: dict[str, tuple[int, int]]
    values: dict[str, float]


def truth_of(step: Step) -> Flaw | None:
    """What is known of a step; None where nothing was noted."""
    noted = next((notice.text for notice in step.notices if notice.kind == TRUTH), None)
    return None if noted is None else msgspec.convert(noted, Flaw)


def truth_pairs(paths: Sequence[Path]) -> Iterator[TruthPair | None]:
    """Every step whose truth is known with what was said of it, None for one that nobody judged."""
    for trajectory in trajectories(list(paths)):
        for place, step in enumerate(trajectory.steps):
            flaw = truth_of(step)
            if flaw is None or flaw == "unknown":
                continue
            if step.correct is None or step.redundant is None:
                yield None
                continue
            right, needless = flaw in ("none", "needless"), flaw == "needless"
            yield TruthPair(trajectory.id, place, flaw, right, needless, step.correct, step.redundant, step.value)


def compare(paths: Sequence[Path]) -> FlawsCompared:
    """A judge's figures on a set."""
    found = list(truth_pairs(paths))
    pairs = [pair for pair in found if pair is not None]
    noticed: Counter[str] = Counter()
    counted: Counter[str] = Counter(pair.flaw for pair in pairs)
    values: dict[str, list[float]] = {}
    for pair in pairs:
        flagged = pair.said_redundant or not pair.said_correct
        noticed[pair.flaw] += flagged if pair.flaw != "none" else not flagged
        values.setdefault(pair.flaw, []).extend([] if pair.value is None else [pair.value])
    return FlawsCompared(
        len(pairs),
        len(found) - len(pairs),
        _agreement((pair.trajectory, not pair.correct, not pair.said_correct) for pair in pairs),
        _agreement((pair.trajectory, pair.redundant, pair.said_redundant) for pair in pairs),
        {flaw: (noticed[flaw], number) for flaw, number in sorted(counted.items())},
        {flaw: sum(given) / len(given) for flaw, given in sorted(values.items()) if given},
    )


def compare_known(path: Path) -> FlawsCompared | None:
    """The same where truth is noted with the steps, which the first trajectory tells; None where it is not."""
    first = next(iter(trajectories([path])), None)
    if first is None or all(truth_of(step) is None for step in first.steps):
        return None
    return compare([path])


def table(found: FlawsCompared) -> str:
    """The figures in plain lines."""
    lines = [f"{found.steps:,} steps judged, {found.unjudged:,} not (95 % intervals)"]
    for name, one in (("wrong", found.wrong), ("redundant", found.redundant)):
        beyond = interval_told(one.kappa, lambda value: f"{value:.2f}")
        lines.append(
            f"{name:>10}: {_percent(one.alike)} of {one.steps:,} alike (kappa {beyond}), "
            f"found {_percent(one.found)} of {one.flawed:,}, false alarms {_percent(one.alarms)} of {one.sound:,}"
        )
    for flaw, (right, number) in found.found.items():
        value = f", value {found.values[flaw]:.1f}" if flaw in found.values else ""
        lines.append(f"{flaw:>10}: {right:,} of {number:,} told rightly{value}")
    return "\n".join(lines)


def _agreement(told: Iterable[tuple[str, bool, bool]]) -> FlawAgreement:
    """Trajectory, truth and judgement of each step, in which True is what a judge is to find."""
    clusters: dict[str, list[Pair]] = {}
    for trajectory, truth, said in told:
        clusters.setdefault(trajectory, []).append((truth, said))
    pairs = [pair for cluster in clusters.values() for pair in cluster]
    figures, flawed = agreement(clusters), sum(truth for truth, _ in pairs)
    missed = figures.false_negatives
    found = replace(
        missed,
        mean=None if missed.mean is None else 1 - missed.mean,
        low=None if missed.high is None else 1 - missed.high,
        high=None if missed.low is None else 1 - missed.low,
    )
    same = sum(truth == said for truth, said in pairs)
    alarms = figures.false_positives
    return FlawAgreement(len(pairs), same, flawed, len(pairs) - flawed, figures.accuracy, found, alarms, figures.kappa)


def _percent(estimate: Estimate) -> str:
    return interval_told(estimate, lambda value: f"{100 * value:.0f} %")


def _noted(action: Action | tuple[Action, ...], flaw: Flaw) -> Decision:
    return Decision(action if isinstance(action, tuple) else (action,), notices=_truth(flaw))


def _truth(flaw: Flaw) -> tuple[Notice, ...]:
    return (Notice(TRUTH, flaw),)


def _is_at(element: Element, action: Click) -> bool:
    return bool(element.box and action.at and element.box.contains(action.at))


def _other(text: str) -> str:
    """A text that is not the one that was meant."""
    turned = text[::-1]
    return turned if turned != text else f"{text}{text}"
