"""The table of what the town's categories demand."""

from __future__ import annotations

from workalike.bench.town_table import markdown, rows
from workalike.core.key import Key
from workalike.core.task import Task

TASKS = [Task("a_1", "Do it", "a"), Task("a_2", "Do it", "a"), Task("b_1", "Do it", "b")]
KEYS = {
    "a_1": Key("a_1", extra={"level": "easy", "demands": ["prose"], "structure": "X -> done"}),
    "a_2": Key("a_2", extra={"level": "hard", "demands": ["prose", "per unit"], "structure": "X -> done"}),
    "b_1": Key("b_1", extra={"level": "hard", "demands": ["evidence"], "structure": "Y -> money"}),
}


def test_categories_are_counted_and_summed() -> None:
    first, second, whole = rows(TASKS, KEYS)
    assert (first.category, first.tasks, first.levels, first.structures) == ("a", 2, (1, 0, 1), 1)
    assert first.demands == ("per unit", "prose")
    assert (second.structures, whole.tasks, whole.structures, len(whole.demands)) == (1, 3, 2, 3)


def test_what_the_oracle_took_is_left_out_where_nobody_knows() -> None:
    table = markdown(rows(TASKS, KEYS)).splitlines()
    assert len({line.count("|") for line in table}) == 1
    assert "oracle" not in table[0]
    assert table[2] == "| a | 2 | 1 | 0 | 1 | 2: per unit, prose | 1 |"
