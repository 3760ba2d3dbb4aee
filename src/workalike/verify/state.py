"""Truth from the database: the intended row changes and nothing else, and the expected answer. A pure function of key,
row difference and answer, so that judging needs neither server nor browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from workalike.core.key import Evaluator, Key, RowChange, RowPattern, Scalar
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import FailureClass, FailurePoint, Outcome, Verdict
from workalike.verify.normalise import agrees

NAME = "state"
CHANGES = "changes"
"""Where an attempt's row difference stands in `Trajectory.extra`."""


def judge_trajectory(trajectory: Trajectory, key: Key) -> Verdict:
    """Judge an attempt by the row difference that was stored with it."""
    if CHANGES not in trajectory.extra:
        reason = "no row difference was stored with this attempt, so the database cannot tell"
        return Verdict(trajectory.id, NAME, "ungraded", reason)
    changes = msgspec.convert(trajectory.extra[CHANGES], tuple[RowChange, ...])
    return judge(key, changes, trajectory.answer, trajectory.id)


def judge(key: Key, changes: Sequence[RowChange], answer: str | None, trajectory: str = "") -> Verdict:
    """Success if and only if every intended change happened, nothing else did, every expected answer was given, and
    the critical point was not crossed without leave."""
    if key.evaluator is None:
        return Verdict(trajectory, NAME, "ungraded", "this task's key has no evaluator")
    crossed = _crossed(key, changes)
    if crossed is not None:
        text = f"went past the critical point: {_show(crossed)}"
        return _failed(trajectory, "critical_point_crossed", "critical_point", text)
    wrong = _wrong_rows(key.evaluator, changes) or _not_reached(key, changes) or _wrong_answer(key.evaluator, answer)
    if wrong is not None:
        return _failed(trajectory, "failure", *wrong)
    return Verdict(trajectory, NAME, "success", _praise(key))


def match_rows(
    patterns: Sequence[RowPattern], changes: Sequence[RowChange]
) -> tuple[list[RowPattern], list[RowChange]]:
    """Pair intended with real changes, each used once; returns the patterns and the changes left over.

    A pattern without `before` wants an inserted row, one without `after` a deleted one, with neither any change."""
    wanted = [pattern for pattern in patterns for _ in range(pattern.times)]
    holder: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for spot, change in enumerate(changes):
            if spot in tried or not fits(wanted[index], change):
                continue
            tried.add(spot)
            if spot not in holder or place(holder[spot], tried):
                holder[spot] = index
                return True
        return False

    missing = [wanted[index] for index in range(len(wanted)) if not place(index, set())]
    return missing, [change for spot, change in enumerate(changes) if spot not in holder]


def fits(pattern: RowPattern, change: RowChange) -> bool:
    """Whether a change is of a pattern's kind and has the values it names."""
    if pattern.table != change.table:
        return False
    if not pattern.before and not pattern.after:
        return True
    same_kind = bool(pattern.before) == bool(change.before) and bool(pattern.after) == bool(change.after)
    return same_kind and _has(change.before, pattern.before) and _has(change.after, pattern.after)


def _has(row: Mapping[str, Scalar], wanted: Mapping[str, Scalar]) -> bool:
    return all(column in row and row[column] == value for column, value in wanted.items())


def _crossed(key: Key, changes: Sequence[RowChange]) -> RowChange | None:
    point = key.critical_point
    if point is None or point.allowed:
        return None
    return next((change for change in changes for pattern in point.crossed if fits(pattern, change)), None)


def _wrong_rows(evaluator: Evaluator, changes: Sequence[RowChange]) -> tuple[FailureClass, str] | None:
    counted = [change for change in changes if change.table not in evaluator.free]
    missing, extra = match_rows(evaluator.changes, counted)
    if missing:
        near = next((change for change in extra if change.table == missing[0].table), None)
        instead = f"; instead: {_show(near)}" if near else ""
        return "execution", f"missing: {_show(missing[0])}{instead}"
    if extra:
        return "side_effect", f"changed besides: {_show(extra[0])}"
    return None


def _not_reached(key: Key, changes: Sequence[RowChange]) -> tuple[FailureClass, str] | None:
    point = key.critical_point
    if point is None or not point.reached:
        return None
    if any(fits(pattern, change) for pattern in point.reached for change in changes):
        return None
    return "execution", f"stopped before the critical point: {point.description}"


def _wrong_answer(evaluator: Evaluator, answer: str | None) -> tuple[FailureClass, str] | None:
    for expected in evaluator.answers:
        if not agrees(expected, answer or ""):
            given = f"{answer!r}" if answer else "no answer"
            return (
                "hallucination" if answer else "execution",
                f"expected {expected.kind} {expected.value!r}, got {given}",
            )
    return None


def _failed(trajectory: str, outcome: Outcome, failure: FailureClass, text: str) -> Verdict:
    return Verdict(trajectory, NAME, outcome, text, failures=(FailurePoint(None, failure, text),))


def _praise(key: Key) -> str:
    if key.blocked:
        return "reported what blocked the way, and changed nothing"
    assert key.evaluator is not None
    parts = []
    if key.evaluator.changes:
        parts.append("the intended rows changed and nothing else")
    if key.evaluator.answers:
        parts.append("the answer agrees")
    return " and ".join(parts) or "nothing changed, as intended"


def _show(rows: RowChange | RowPattern) -> str:
    """One short line about a change or a pattern."""
    if rows.before and rows.after:
        changed = {name: value for name, value in rows.after.items() if rows.before.get(name) != value}
        return f"{rows.table} updated to {changed}"
    return f"{rows.table} row {'deleted' if rows.before else 'added'} {rows.before or rows.after}"
