"""The table of what the town's categories demand."""

from __future__ import annotations

import pytest

from workalike.bench.town_table import markdown, needs_eyes, rows
from workalike.core.actions import Terminate
from workalike.core.key import Evaluator, FactPattern, Key
from workalike.core.observation import Element, Observation
from workalike.core.screen import Box, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Trajectory

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


@pytest.mark.parametrize(
    ("listed", "ways", "expected"),
    [
        ("Red mug $12.00", [["price"]], False),
        ("Red mug", [["price"]], True),
        ("Red mug $112.00", [["price"]], True),  # that is another price
        ("Red mug  $12.00 in stock", [["price", "stock"]], False),
        ("Red mug $12.00", [["price", "stock"]], True),
        ("Red mug $12.00", [["price", "stock"], ["price"]], False),  # one way can do without the other fact
        ("Red mug", [[]], False),
    ],
)
def test_what_no_listed_element_says_must_be_looked_at(listed: str, ways: list[list[str]], expected: bool) -> None:
    element = Element("link", listed, Box(0, 0, 0.1, 0.1), mark=1)
    step = Step(Observation(None, Size(100, 100), elements=(element,)), (ActionResult(Terminate("success", "")),))
    shown = [["shop", "mug", "price", "$12.00", {}], ["shop", "mug", "stock", "In stock", {}]]
    found = Trajectory("t", TASKS[0], (step,), extra={"shown": shown})
    asked = [Evaluator(shown=tuple((FactPattern("shop", "mug", field),) for field in fields)) for fields in ways]
    assert needs_eyes(asked, found) is expected
