"""Every comparison of the town is judged by what an answer says, in whatever words."""

from __future__ import annotations

from collections.abc import Iterator

from tests.verify.normalise.test_choice import SHAPES
from workalike.core.key import Answer
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.comparing import mistake, prefer
from workalike.town.town import Town
from workalike.verify.normalise import agrees
from workalike.verify.state import judge


def choices(drawn: tuple[Drawn, ...]) -> Iterator[tuple[str, Answer]]:
    for each in drawn:
        assert each.key.evaluator is not None
        yield from ((each.task.id, answer) for answer in each.key.evaluator.answers if answer.kind == "choice")


def test_every_choice_takes_the_right_sentences_and_no_wrong_ones(town: Town, drawn: tuple[Drawn, ...]) -> None:
    found = [*choices(drawn), *choices(draw_tasks(town, "train"))]
    assert len(found) > 70
    for task, answer in found:
        (other,) = (name for name in answer.among if name != answer.value)
        sense = answer.unit[0] if answer.unit else "cheaper"
        for shape in (shape for of, shape in SHAPES if of == sense):
            for right, wrong in zip(str(answer.value).split("|")[:2], str(other).split("|")[:2], strict=False):
                said, turned = shape.format(a=right, b=wrong), shape.format(a=wrong, b=right)
                assert agrees(answer, said), (task, said)
                assert not agrees(answer, turned), (task, turned)


def test_sentences_are_turned_round_one_by_one() -> None:
    right, wrong = prefer("A", "B", "cheaper", "dearer", " by $5"), mistake("A", "B", "cheaper", "dearer", " by $5")
    assert len(set(right)) == len(wrong)
    assert not set(right) & set(wrong.values())


def test_a_breakdown_may_be_quoted(drawn: tuple[Drawn, ...]) -> None:
    """The sums a page shows beside the one that is asked for do not spoil an answer, but are none by themselves."""
    asked = {"shop-code-and-wrapping": 2, "flight-family": 2, "flight-fastest": 1}
    seen = set()
    for each in drawn:
        template = each.key.extra["template"]
        if template not in asked:
            continue
        seen.add(template)
        assert each.key.evaluator is not None
        (answer,) = each.key.evaluator.answers
        assert len(answer.also) >= asked[template]
        assert agrees(answer, each.key.plan["said"][-1]), each.task.id
        for part in answer.also:
            alone = f"{part} minutes" if answer.kind == "duration" else f"${part:.2f}"
            assert not agrees(answer, alone), (each.task.id, alone)
            assert judge(each.key, (), alone).outcome != "success"
    assert seen == set(asked)
