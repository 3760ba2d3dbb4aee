"""Runs become messages in the words of each family, which that family's own reader understands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.dataset.browsing import ELEMENTS, SIZE, trajectory
from workalike.core.actions import Action, Opaque, Visit
from workalike.core.trajectory import Taken
from workalike.dataset.examples import Family, Recipe, Seen
from workalike.dataset.families import InFamily
from workalike.dialects import fara, qwen, som, uitars
from workalike.dialects.gestures import scrolls_by, scrolls_in

READERS: dict[Family, Callable[[str], tuple[Action, ...]]] = {
    "fara": lambda text: fara.parse(text, SIZE, fara.FARA_7B),
    "fara-1.5": lambda text: fara.parse(text, SIZE, fara.FARA_15),
    "qwen": lambda text: qwen.parse(text, SIZE, qwen.QWEN_3),
    "qwen-2.5": lambda text: qwen.parse(text, SIZE, qwen.QWEN_25),
    "uitars": lambda text: uitars.parse(text, SIZE),
    "som": lambda text: som.parse(text, ELEMENTS),
}


def kinds(actions: tuple[Action, ...]) -> list[str]:
    return [type(action).__name__ for action in actions]


@pytest.mark.parametrize("family", list(READERS))
def test_what_is_learned_reads_as_what_was_done(family: Family) -> None:
    done = trajectory()
    maker = InFamily(Recipe(family=family))
    made = list(maker.examples(done))
    assert len(made) >= 1
    assert len(made) + maker.left_out.total() == 4
    for example in made:
        actions = tuple(taken.action for taken in done.steps[example.step].actions)
        wanted = scrolls_in("pixels", actions) if family.startswith(("fara", "qwen")) else actions
        wanted = scrolls_by(uitars.NOTCHES, actions) if family == "uitars" else wanted
        assert kinds(READERS[family](example.messages[-1].text)) == kinds(wanted)
        assert f"Thought {example.step}." in example.messages[-1].text or "Sent." in example.messages[-1].text


def test_the_conversation_takes_turns_and_shows_the_last_pictures() -> None:
    made = list(
        InFamily(Recipe(family="som", pictures=2)).examples(replace(trajectory(), steps=trajectory().steps[:2] * 3))
    )
    last = made[-1]
    assert [message.role for message in last.messages] == ["system", *("user", "assistant") * 6]
    shown = [
        any(isinstance(part, Seen) for part in message.parts) for message in last.messages if message.role == "user"
    ]
    assert shown == [False] * 4 + [True] * 2
    assert last.messages[1].text.startswith("Send a note")
    assert [message.trained for message in last.messages].count(True) == 1
    assert last.messages[-1].trained


def test_only_som_pictures_are_marked() -> None:
    for family in ("som", "qwen"):
        example = next(InFamily(Recipe(family=family)).examples(trajectory()))
        assert bool(example.pictures[0].marked) is (family == "som")


def test_what_has_no_words_is_counted_and_so_is_what_follows_it() -> None:
    done = trajectory()
    first = replace(done.steps[0], actions=(Taken(Opaque("?")),))
    maker = InFamily(Recipe(family="qwen", history=1))
    made = list(maker.examples(replace(done, steps=(first, *done.steps[1:]))))
    assert [example.step for example in made] == [1, 2, 3]
    assert made[0].messages[2].text == "Action 0."
    assert maker.left_out == {"unreadable code": 1}
    mute = replace(first, action_text=None, thought=None)
    maker = InFamily(Recipe(family="qwen", history=1))
    assert [example.step for example in maker.examples(replace(done, steps=(mute, *done.steps[1:])))] == [2, 3]
    assert maker.left_out == {"unreadable code": 1, "its history has no such form": 1}
    visiting = replace(done.steps[0], actions=(Taken(Visit("https://a")),))
    maker = InFamily(Recipe(family="uitars"))
    list(maker.examples(replace(done, steps=(visiting,))))
    assert maker.left_out == {"no words for visit": 1}


def test_places_need_a_size_and_failed_steps_are_not_learned() -> None:
    done = trajectory()
    blind = replace(done.steps[0], observation=replace(done.steps[0].observation, size=None))
    failed = replace(done.steps[0], actions=(replace(done.steps[0].actions[0], error="covered"),))
    unseen = replace(done.steps[0], observation=replace(done.steps[0].observation, picture=None))
    for spoiled, reason in ((blind, "screen size unknown"), (failed, "its action failed"), (unseen, "no picture")):
        maker = InFamily(Recipe(family="qwen"))
        assert not list(maker.examples(replace(done, steps=(spoiled,))))
        assert maker.left_out == {reason: 1}


@pytest.mark.parametrize("family", ["fara", "qwen-2.5"])
def test_an_answer_with_no_place_of_its_own_is_the_last_thought(family: Family) -> None:
    maker = InFamily(Recipe(family=family))
    last = list(maker.examples(trajectory()))[-1]
    assert last.step == 3
    assert last.messages[-1].text.startswith("Sent.")
    assert "no words for terminate" not in maker.left_out
