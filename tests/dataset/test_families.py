"""What is learned is what an agent of the family is asked and should say: the same prompts, in words that its own
reader understands."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.dataset.browsing import ELEMENTS, trajectory
from tests.dataset.rows import row
from workalike.core.actions import Action, Click, KeyDown, KeyUp, Opaque, Scroll, Terminate, Visit, points, with_points
from workalike.core.contracts import Percept
from workalike.core.screen import Point, Size
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.dataset.examples import Example, Recipe
from workalike.dataset.messages import FamilyExamples
from workalike.dialects import uitars
from workalike.dialects.gestures import scrolls_by, scrolls_in
from workalike.families import family, names
from workalike.families.turns import Turn
from workalike.formats.agentnet import from_document
from workalike.formats.agentnet_trajectories import to_trajectory
from workalike.models.messages import shots

_NOWHERE = Point(0, 0)
_IN_PIXELS = ("fara", "fara-1.5", "qwen", "qwen-2.5", "openai", "openai-preview")


def made_of(
    done: Trajectory, name: str = "qwen", recipe: Recipe = Recipe(), **options: object
) -> tuple[list[Example], FamilyExamples]:
    maker = FamilyExamples(replace(recipe, family=name, options=options))
    return list(maker.examples(done)), maker


def read(name: str, example: Example, step: Step) -> tuple[tuple[Action, ...], str | None]:
    """What the family's own reader makes of the reply."""
    said = family(name).read(example.reply, Turn(example.step, Percept(step.observation)))
    return said.actions, said.thought


def wanted(name: str, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    if name == "uitars":
        return scrolls_by(uitars.NOTCHES, actions)
    return scrolls_in("pixels" if name in _IN_PIXELS else "notches", actions)


def even(action: Action) -> Action:
    """A scroll to the pixel: Fara1.5 counts in cells."""
    return replace(action, dy=round(action.dy)) if isinstance(action, Scroll) else action


@pytest.mark.parametrize("name", names())
def test_what_is_learned_reads_as_what_was_done(name: str) -> None:
    """To the place, to the word: places within a pixel or a thousandth, all else the same."""
    done = trajectory()
    made, maker = made_of(done, name)
    assert len(made) + maker.left_out.total() == 4
    assert [example.step for example in made] == ([0, 1, 3] if name.startswith("som") else [0, 1, 2, 3])
    for example in made:
        step = done.steps[example.step]
        actions, thought = read(name, example, step)
        true = wanted(name, tuple(taken.action for taken in step.actions))
        for one, other in zip(actions, true, strict=True):
            assert with_points(even(one), lambda _: _NOWHERE) == with_points(other, lambda _: _NOWHERE)
            assert [here.distance(there) < 0.002 for here, there in zip(points(one), points(other), strict=True)] == [
                True
            ] * len(points(other))
        texts = {"Thought", "Action"} if name.startswith("opencua") else {"Action" if "qwen" in name else "Thought"}
        ended = isinstance(actions[-1], Terminate) and name in ("fara", "qwen-2.5", "openai", "anthropic")
        spoken = example.reply.text
        assert ended or name.endswith(("preview", "2025")) or all(f"{text} {example.step}." in spoken for text in texts)
        assert ended or not thought or str(example.step) in thought


def test_the_conversation_shows_the_last_pictures_and_ends_in_the_reply() -> None:
    done = replace(trajectory(), steps=trajectory().steps[:2] * 3)
    made, _ = made_of(done, "som", screenshots=2)
    last = made[-1]
    assert [message.role for message in last.messages] == ["system", *("user", "assistant") * 6]
    shown = [len(shots([message])) for message in last.messages if message.role == "user"]
    assert shown == [0] * 4 + [1] * 2
    assert "Send a note" in last.messages[1].text
    assert last.messages[:-1] == last.request.messages


def test_pictures_are_told_by_what_they_are_of_and_how_they_are_shown() -> None:
    (first, *_), _ = made_of(trajectory(), "som", picture="png")
    (shot,) = first.pictures
    assert (shot.source.name, shot.size, shot.marked, shot.form) == ("shot0.png", shot.screen, ELEMENTS, "png")
    (first, *_), _ = made_of(trajectory(), "fara")
    (shot,) = first.pictures
    assert (shot.size, shot.marked, shot.form, shot.quality) == (Size(1428, 896), (), "jpeg", 92)
    (first, *_), _ = made_of(trajectory(), "som-text")
    assert first.pictures == ()


def test_the_prompt_is_the_agent_s() -> None:
    for name in names():
        (first, *_), _ = made_of(trajectory(), name)
        made = family(name)
        turn = made.look([], Percept(trajectory().steps[0].observation))
        assert first.request == made.request(trajectory().task, [turn])


def test_what_has_no_words_is_counted_and_told_in_plain_ones_after() -> None:
    done = trajectory()
    first = replace(done.steps[0], actions=(ActionResult(Opaque("?")),))
    made, maker = made_of(replace(done, steps=(first, *done.steps[1:])))
    assert [example.step for example in made] == [1, 2, 3]
    assert made[0].messages[2].text == "Action 0."
    assert maker.left_out == {"unreadable code": 1}
    mute = replace(first, action_text=None, thought=None)
    made, maker = made_of(replace(done, steps=(mute, *done.steps[1:])))
    assert [example.step for example in made] == [1, 2, 3]
    assert made[0].messages[2].text == "Do something that could not be read."
    assert maker.left_out == {"unreadable code": 1}
    visiting = replace(done.steps[0], actions=(ActionResult(Visit("https://a")),))
    _, maker = made_of(replace(done, steps=(visiting,)), "uitars")
    assert maker.left_out == {"no words for visit": 1}


def test_places_need_a_size_and_failed_steps_are_not_learned() -> None:
    done = trajectory()
    blind = replace(done.steps[0], observation=replace(done.steps[0].observation, size=None))
    failed = replace(done.steps[0], actions=(replace(done.steps[0].actions[0], error="covered"),))
    unseen = replace(done.steps[0], observation=replace(done.steps[0].observation, picture=None))
    for spoiled, reason in ((blind, "screen size unknown"), (failed, "its action failed"), (unseen, "no picture")):
        made, maker = made_of(replace(done, steps=(spoiled,)))
        assert not made
        assert maker.left_out == {reason: 1}


@pytest.mark.parametrize("name", ["som", "som-text"])
def test_what_a_family_wants_to_see_must_be_there(name: str) -> None:
    """AgentNet's rows know no elements."""
    made, maker = made_of(to_trajectory(from_document(row()), None), name)
    assert not made
    assert maker.left_out == {"no elements": 3}


@pytest.mark.parametrize("name", ["fara", "qwen-2.5"])
def test_an_answer_with_no_place_of_its_own_is_the_last_thought(name: str) -> None:
    made, maker = made_of(trajectory(), name)
    assert made[-1].step == 3
    assert made[-1].reply.text.removeprefix("Action: ").startswith("Sent.\n")
    assert "no words for terminate" not in maker.left_out


@pytest.mark.parametrize("name", names())
def test_one_step_without_a_form_spoils_none_that_follow(name: str) -> None:
    """A demonstration has no texts: what no family has words for is told as what was done, and what nobody did as
    nothing."""
    done = trajectory()
    steps = [replace(step, thought=None, action_text=None, reply=None) for step in done.steps]
    odd = replace(steps[0], actions=(ActionResult(KeyDown("f13"), hit=ELEMENTS[0]), ActionResult(KeyUp("f13"))))
    empty = replace(steps[0], actions=())
    recipe = Recipe(levels={"l1": 1} if name.startswith("opencua") else {})
    plain, _ = made_of(replace(done, steps=tuple(steps[:3] * 5)), name, recipe)
    made, maker = made_of(replace(done, steps=(odd, empty, *steps[:3] * 5)), name, recipe)
    assert len(made) >= len(plain) > 0
    assert maker.left_out["no action"] == 1
    assert [example.step for example in made if example.step > 1] == [example.step + 2 for example in plain]
    if name == "uitars":
        assert made[0].messages[3].text == "Hold f13. Release f13."
        assert maker.told["examples with a history in plain words"] == len(made)


@pytest.mark.parametrize("name", names())
def test_a_demonstration_that_nobody_described_still_teaches(name: str) -> None:
    """At level 1 an action is told by rule where nobody told it, and that is counted."""
    done = trajectory()
    bare = replace(done, steps=tuple(replace(step, thought=None, action_text=None) for step in done.steps))
    recipe = Recipe(levels={"l1": 1} if name.startswith("opencua") else {})
    made, maker = made_of(bare, name, recipe)
    assert len(made) >= 3
    ruled = name.startswith(("opencua", "qwen"))
    assert all(example.by_rule is ruled for example in made)
    assert maker.told["actions told by rule"] == (len(made) if ruled else 0)
    if ruled:
        assert 'Click the button "Send".' in made[0].reply.text


def test_a_scroll_is_told_in_the_unit_of_the_family() -> None:
    done = trajectory()
    told = {}
    for name in ("fara", "opencua", "uitars", "anthropic"):
        made, _ = made_of(done, name)
        (scroll,) = read(name, made[2], done.steps[2])[0]
        assert isinstance(scroll, Scroll)
        told[name] = (scroll.dy, scroll.unit)
    assert told == {
        "fara": (300, "pixels"),
        "opencua": (3, "notches"),
        "uitars": (uitars.NOTCHES, "notches"),
        "anthropic": (3, "notches"),
    }


@pytest.mark.parametrize("name", ["fara", "opencua", "uitars", "qwen-2.5", "openai", "anthropic"])
def test_nobody_learns_the_pixel_after_the_last(name: str) -> None:
    done = trajectory()
    corner = replace(done.steps[0], actions=(ActionResult(Click(Point(1.0, 0.99999))),))
    (only,), _ = made_of(replace(done, steps=(corner,)), name)
    (click,) = read(name, only, corner)[0]
    assert isinstance(click, Click)
    assert click.at is not None
    assert max(click.at.x, click.at.y) < 1
