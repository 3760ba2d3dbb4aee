"""What an agent that acts at random would pass: it says some words of the task and changes nothing on purpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workalike.core.key import Key, RowChange
from workalike.core.task import Task
from workalike.core.verdict import Verdict

Judge = Callable[[Key, Sequence[RowChange], str | None], Verdict]
LONGEST = 3
"""How many words in a row the random agent says at most."""


def chance_of(task: Task, key: Key, judge: Judge) -> float:
    """The probability that one to three words of the instruction, taken at random, are the right answer. A task that
    wants rows to change, or a critical point to be reached, leaves nothing to chance: the rows are too many."""
    if changes_state(key):
        return 0.0
    words = task.instruction.split()
    said = [" ".join(words[at : at + count]) for at in range(len(words)) for count in range(1, LONGEST + 1)]
    return sum(judge(key, (), text).outcome == "success" for text in said) / len(said)


def changes_state(key: Key) -> bool:
    """Whether a task wants something to be done, not only said."""
    wanted = key.evaluator.changes if key.evaluator else ()
    return bool(wanted) or bool(key.critical_point and key.critical_point.reached)
