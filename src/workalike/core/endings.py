"""How attempts ended that no agent ended itself, and why: counted, and put into sentences for a run's closing lines and
for reports. A score says nothing where most attempts broke."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from workalike.core.trajectory import StopReason, Trajectory

Kind = StopReason | Literal["unread"]
OWN: tuple[StopReason, ...] = ("terminated", "asked")
"""Ends that an agent chose."""
LONGEST, MOST, LINES = 240, 3, 5
_WORDS: dict[Kind, str] = {
    "agent_error": "ended by an error",
    "unread": "had no reply that could be read",
    "timed_out": "ran out of time",
    "out_of_steps": "ran out of steps",
    "stopped_by_policy": "ended by the policy",
    "out_of_budget": "ran out of budget",
    "infrastructure_error": "lost to the browser, the machine or the model's service",
    "interrupted": "interrupted",
}


class Ending(msgspec.Struct, frozen=True):
    """One way to end with one reason, and how many attempts ended so."""

    kind: Kind
    detail: str = ""
    count: int = 1


def ending_of(trajectory: Trajectory) -> Ending | None:
    """How it ended; None where the agent chose to, or where it never ended. `unread` is one whose agent did nothing at
    all, because no reply could be read."""
    stop = trajectory.stop
    if stop is None or stop.reason in OWN:
        return None
    if stop.reason in ("out_of_steps", "timed_out") and (unread := _unread(trajectory)):
        return Ending("unread", in_a_line(unread))
    return Ending(stop.reason, in_a_line(stop.detail))


def tally(endings: Iterable[Ending]) -> tuple[Ending, ...]:
    """Those alike counted together, the commonest first."""
    counts: Counter[tuple[Kind, str]] = Counter()
    for each in endings:
        counts[each.kind, each.detail] += each.count
    return tuple(Ending(kind, detail, count) for (kind, detail), count in counts.most_common())


def sentences(endings: Iterable[Ending], of: int | None = None) -> list[str]:
    """A sentence for each way to end, with its commonest reasons. `of` is how many attempts there are in all.

    >>> sentences([Ending("agent_error", "404 no such model", 2), Ending("out_of_steps", "100 steps")], of=5)
    ['2 of 5 attempts ended by an error: 404 no such model', '1 of 5 attempts ran out of steps: 100 steps']
    """
    counted = tally(endings)
    return [
        f"{_attempts(sum(each.count for each in alike), of)} {words}{reasons(alike)}"
        for kind, words in _WORDS.items()
        if (alike := [each for each in counted if each.kind == kind])
    ]


def reasons(endings: Sequence[Ending]) -> str:
    """The commonest reasons, to be put after a statement; how often each was met, where they are several.

    >>> reasons([Ending("agent_error", "it broke", 3), Ending("agent_error", "it fell", 1)])
    ': it broke (3); it fell (1)'
    """
    told = [each for each in endings if each.detail]
    if not told:
        return ""
    if len(endings) == 1:
        return f": {told[0].detail}"
    shown = [f"{each.detail} ({each.count})" for each in told[:MOST]]
    left = sum(each.count for each in told[MOST:])
    return f": {'; '.join([*shown, *([f'others ({left})'] if left else [])])}"


def first_few(lines: Sequence[str], rest: str, most: int = LINES) -> list[str]:
    """A list that is meant for a person: short, and where the rest of it is.

    >>> first_few(["a", "b", "c", "d"], "--all shows them", most=2)
    ['a', 'b', '… and 2 more: --all shows them']
    """
    if len(lines) <= most + 1:  # the line that tells of one more would be no shorter
        return list(lines)
    return [*lines[:most], f"… and {len(lines) - most:,} more: {rest}"]


def in_a_line(text: str) -> str:
    """Words of a service, a page or somebody's code, in one line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _unread(trajectory: Trajectory) -> str:
    """What was said last, if none of it could be read; nothing otherwise."""
    kinds = [{notice.kind for notice in step.notices} for step in trajectory.steps]
    if not kinds or trajectory.actions or not all("unreadable" in each for each in kinds):
        return ""
    last = trajectory.steps[-1]
    return last.reply or next(notice.text for notice in last.notices if notice.kind == "unreadable")


def _attempts(count: int, of: int | None) -> str:
    if of is not None:
        return f"{count} of {of} {'attempt' if of == 1 else 'attempts'}"
    return f"{count} {'attempt' if count == 1 else 'attempts'}"
