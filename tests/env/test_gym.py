"""The Gymnasium-style adapter drives a real browser from ordinary code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tests.env.web import HOST, Web
from workalike.core.actions import Click, Terminate, Wait, Write
from workalike.core.contracts import Percept, Wants
from workalike.core.errors import BadInput
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.env.gym import GymEnvironment, browser_world, read_actions
from workalike.env.policy.reach import Policy


def judge(task: Task, taken: Sequence[ActionResult], percept: Percept) -> float:
    return 1.0 if percept.observation.title == "yes" else 0.0


@pytest.fixture(scope="module")
def world() -> Iterator[GymEnvironment]:
    with Web() as web:
        web.pages["/"] = "<title>no</title><input aria-label=Field oninput='document.title=this.value' autofocus>"
        task = Task("t", "say yes", start_url=f"http://{HOST}/")
        policy = Policy(hosts={HOST: web.place})
        world = GymEnvironment(browser_world(task, policy, judge=judge), Wants(elements=True), most_steps=3)
        yield world
        world.close()
        world.close()


def test_an_episode(world: GymEnvironment) -> None:
    observation, info = world.reset(seed=1)
    assert observation["picture"].shape == (900, 1440, 3)
    assert (observation["title"], observation["elements"][0]["name"]) == ("no", "Field")
    assert info["task"].id == "t"
    box = observation["elements"][0]["box"]
    centre = [box[0] + box[2] / 2, box[1] + box[3] / 2]
    observation, reward, terminated, truncated, info = world.step({"do": "click", "at": centre})
    assert (reward, terminated, truncated, info["errors"]) == (0.0, False, False, [])
    observation, reward, *_ = world.step([Write("ye"), '{"do": "write", "text": "s"}'])
    assert (reward, observation["title"]) == (1.0, "yes")
    _, _, terminated, truncated, _ = world.step(Terminate())
    assert (terminated, truncated) == (True, False)
    rendered = world.render()
    assert rendered is not None
    assert rendered.shape == (900, 1440, 3)


def test_it_ends_when_the_steps_are_used_up(world: GymEnvironment) -> None:
    world.reset(options={"task": Task("other", "wait", start_url=f"http://{HOST}/")})
    assert [world.step(Wait(0))[3] for _ in range(3)] == [False, False, True]


def test_mistakes_are_told(world: GymEnvironment) -> None:
    world.reset()
    assert "off the screen" in world.step(Click(Point(2, 2)))[4]["errors"][0]
    with pytest.raises(BadInput, match="is no action"):
        world.step({"do": "fly"})


def test_a_step_before_the_first_reset() -> None:
    world = GymEnvironment(browser_world(Task("t", "x"), Policy()))
    with pytest.raises(BadInput, match="call reset"):
        world.step(Wait(0))
    world.close()


def test_actions_in_any_form() -> None:
    assert read_actions(Wait(1)) == (Wait(1),)
    assert read_actions([{"do": "wait"}, '{"do":"write","text":"x"}']) == (Wait(), Write("x"))


@pytest.mark.parametrize("given", ["click", b"\xff", "", {"do": "jump"}, 7, None])
def test_what_is_no_action_is_said_in_a_sentence(given: object) -> None:
    with pytest.raises(BadInput, match=r"is no action: .*; `workalike schema action` shows what one looks like"):
        read_actions(given)
