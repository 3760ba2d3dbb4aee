"""One attempt: every way it can end, each step written before the next begins."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import msgspec
import pytest

from workalike.bench.attempt import ANSWERED, NO_FACTS, SKIPPED, AttemptEnd, User, attempt, nobody
from workalike.core.actions import Action, Ask, Click, Terminate, Wait, Write
from workalike.core.contracts import Decision, Percept, ScreenAccess, Wants
from workalike.core.errors import ActionFailed, AgentFailed, Infrastructure, ModelFailed, OverBudget, Refused
from workalike.core.observation import Observation
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Stop, Usage
from workalike.runtime.sandbox import PlainSession
from workalike.store.config import AttemptLimits

TASK = Task("t", "do it")
CLICK = Click(Point(0.5, 0.5))


class Room:
    """An environment that counts, and fails as told."""

    def __init__(self, act: Callable[[Action], ActionResult] = ActionResult) -> None:
        self._act, self.looks, self.begun_as = act, 0, ""

    async def reset(self, task: Task, wants: Wants = Wants()) -> Percept:
        self.begun_as = task.start_url or ""
        return await self.observe(wants)

    async def act(self, action: Action) -> ActionResult:
        return self._act(action)

    async def observe(self, wants: Wants = Wants(), taken: tuple[ActionResult, ...] = ()) -> Percept:
        self.looks += 1
        return Percept(Observation(title=str(self.looks)), b"png", taken, (Notice("look", str(self.looks)),))

    async def close(self) -> None:
        pass


class Player:
    """An agent that plays decisions, and then the last one again and again."""

    name = "player"
    wants = Wants()

    def __init__(self, *decisions: Decision | Exception) -> None:
        self._decisions, self.percepts, self.closed = list(decisions), list[Percept](), False

    async def begin(self, task: Task) -> None:
        pass

    async def decide(self, percept: Percept) -> Decision:
        self.percepts.append(percept)
        decision = self._decisions.pop(0) if len(self._decisions) > 1 else self._decisions[0]
        if isinstance(decision, Exception):
            raise decision
        return decision

    async def close(self) -> None:
        self.closed = True


class Book:
    """A sink that keeps steps in a list."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    async def step(self, step: Step, picture: bytes | None) -> None:
        self.steps.append(step)


async def _play(
    *decisions: Decision | Exception,
    room: Room | None = None,
    limits: AttemptLimits = AttemptLimits(),
    user: User = nobody,
) -> tuple[Stop, Book, Player]:
    book, player = Book(), Player(*decisions)
    end = await attempt(player, room or Room(), TASK, book, limits, user)
    assert player.closed
    assert end.observation is not None
    return end.stop, book, player


async def test_terminating_ends_it_and_is_a_step() -> None:
    stop, book, _ = await _play(Decision((CLICK,)), Decision((Terminate("success", "42"),), thought="done"))
    assert stop == Stop("terminated")
    assert [taken.action for step in book.steps for taken in step.actions] == [CLICK, Terminate("success", "42")]
    assert book.steps[1].thought == "done"


async def test_each_step_has_the_sight_it_was_decided_on() -> None:
    _, book, player = await _play(Decision((CLICK,)), Decision((CLICK,)), Decision((Terminate(),)))
    assert [step.observation.title for step in book.steps] == ["1", "2", "3"]
    assert [notice.text for step in book.steps for notice in step.notices] == ["1", "2", "3"]
    assert player.percepts[1].taken[0].action == CLICK


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (AgentFailed("broke"), "agent_error"),
        (ModelFailed("503 for ever"), "agent_error"),
        (OverBudget("$5 spent"), "out_of_budget"),
    ],
)
async def test_an_agents_trouble_is_its_own_and_what_it_saw_is_kept(error: Exception, reason: str) -> None:
    stop, book, _ = await _play(Decision((CLICK,)), error)
    assert (stop.reason, stop.detail) == (reason, str(error))
    assert [len(step.actions) for step in book.steps] == [1, 0]


async def test_out_of_steps() -> None:
    stop, book, _ = await _play(Decision((CLICK,)), limits=AttemptLimits(steps=4))
    assert stop.reason == "out_of_steps"
    assert len(book.steps) == 4


async def test_what_follows_a_question_waits_for_the_answer_to_be_read() -> None:
    """Whatever the user says, nothing that was decided before the answer is done after it."""
    asking = Decision((Ask("Shall I pay?"), Click(Point(0.5, 0.5)), Terminate("success", "Paid.")))
    stop, book, _ = await _play(asking, Decision((Terminate("failure", "I did not."),)), user=lambda question: "No!")
    assert stop.reason == "terminated"
    assert [taken.error for taken in book.steps[0].actions] == [None, ANSWERED, ANSWERED]
    assert book.steps[0].actions[0].result == "No!"
    assert len(book.steps) == 2


async def test_a_question_nobody_answers_ends_it() -> None:
    stop, book, _ = await _play(Decision((Ask("which one?"),)))
    assert stop.reason == "asked"
    assert book.steps[0].actions[0].action == Ask("which one?")


async def test_a_question_somebody_answers_does_not() -> None:
    stop, book, _ = await _play(
        Decision((Ask("which?"),)), Decision((Terminate(),)), user=lambda question: "the red one"
    )
    assert stop.reason == "terminated"
    assert book.steps[0].actions[0].result == "the red one"


async def test_what_follows_a_failed_action_is_not_carried_out() -> None:
    room = Room(lambda action: ActionResult(action, error="missed" if action == CLICK else None))
    stop, book, _ = await _play(Decision((CLICK, Wait(), Terminate())), Decision((Terminate(),)), room=room)
    assert [taken.error for taken in book.steps[0].actions] == ["missed", SKIPPED, SKIPPED]
    assert stop.reason == "terminated"


async def test_a_policy_may_stop_it() -> None:
    def refuse(action: Action) -> ActionResult:
        raise Refused("payment is not allowed")

    stop, _, _ = await _play(Decision((CLICK,)), room=Room(refuse))
    assert (stop.reason, stop.detail) == ("stopped_by_policy", "payment is not allowed")


async def test_infrastructure_is_raised_never_booked() -> None:
    def die(action: Action) -> ActionResult:
        raise Infrastructure("the browser is gone")

    player = Player(Decision((CLICK,)))
    with pytest.raises(Infrastructure):
        await attempt(player, Room(die), TASK, Book())
    assert player.closed


class Halting(Room):
    """A place where waiting never ends."""

    async def act(self, action: Action) -> ActionResult:
        if isinstance(action, Wait):
            await asyncio.Event().wait()
        return ActionResult(action)


async def test_what_was_done_before_time_ran_out_is_kept() -> None:
    decision = Decision((CLICK, Wait(), Terminate()), reply="click, then wait", usage=Usage(1, 10, 5, 0, 0.5))
    stop, book, _ = await _play(decision, room=Halting(), limits=AttemptLimits(task_seconds=0.05))
    assert stop.reason == "timed_out"
    (step,) = book.steps
    assert [taken.action for taken in step.actions] == [CLICK]
    assert (step.reply, step.usage) == ("click, then wait", Usage(1, 10, 5, 0, 0.5))


async def test_what_was_done_before_the_page_broke_is_kept() -> None:
    def die(action: Action) -> ActionResult:
        if isinstance(action, Wait):
            raise Infrastructure("the browser is gone")
        return ActionResult(action)

    book = Book()
    with pytest.raises(Infrastructure):
        await attempt(Player(Decision((CLICK, Wait()))), Room(die), TASK, book)
    assert [[taken.action for taken in step.actions] for step in book.steps] == [[CLICK]]


async def test_what_is_typed_into_a_field_that_hides_it_is_in_no_words() -> None:
    secret = 'hunt"er2'
    said = f"I type {secret} now."
    room = Room(lambda action: ActionResult(Write("••••") if isinstance(action, Write) else action))
    decision = Decision((Write(secret + "\n"), Terminate()), reply=json.dumps({"text": secret}), thought=said)
    _, book, _ = await _play(decision, room=room)
    assert (book.steps[0].thought, book.steps[0].reply) == ("I type •••• now.", '{"text": "••••"}')


class Keeping(Player):
    """An agent that writes down what it hears."""

    hidden: dict[str, str] | None = None

    def hide(self, words: Mapping[str, str]) -> None:
        self.hidden = dict(words)


@pytest.mark.parametrize("dies", [False, True])
async def test_an_agent_with_a_transcript_is_told_what_to_strike_from_it(dies: bool) -> None:
    def typed(action: Action) -> ActionResult:
        if dies and isinstance(action, Wait):
            raise Infrastructure("the browser is gone")
        return ActionResult(Write("••••") if isinstance(action, Write) else action)

    agent = Keeping(Decision((Write("hunter2\n"), Wait(), Terminate())))
    with pytest.raises(Infrastructure) if dies else nullcontext():
        await attempt(agent, Room(typed), TASK, Book())
    assert agent.hidden == {"hunter2": "••••"}


class Slow(Player):
    """An agent that thinks for ever."""

    async def decide(self, percept: Percept) -> Decision:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("limits", [AttemptLimits(step_seconds=0.02), AttemptLimits(task_seconds=0.02)])
async def test_time_runs_out(limits: AttemptLimits) -> None:
    end = await attempt(Slow(Decision(())), Room(), TASK, Book(), limits)
    assert end.stop.reason == "timed_out"
    assert end.observation is not None


async def test_the_environment_may_begin_elsewhere_than_the_agent_is_told() -> None:
    room = Room()
    session = PlainSession(Task("t", "do it", start_url="http://x/?token"))
    await attempt(Player(Decision((Terminate(),))), room, TASK, Book(), session=session)
    assert room.begun_as == "http://x/?token"


class Prepared(PlainSession):
    """A session that starts its page, and tells what it saw."""

    def __init__(self, breaks: Exception | None = None, facts: object = "seen") -> None:
        super().__init__(TASK)
        self._breaks, self._facts = breaks, facts

    async def prepare(self, screen: ScreenAccess) -> bool:
        if self._breaks:
            raise self._breaks
        return True

    async def facts(self, screen: ScreenAccess) -> dict[str, Any]:
        with pytest.raises(ActionFailed):  # a room has no page
            await screen.evaluate("1")
        return {"facts": self._facts}


async def test_a_page_that_was_prepared_is_looked_at_anew() -> None:
    player = Player(Decision((Terminate(),)))
    end = await attempt(player, Room(), TASK, Book(), session=Prepared())
    assert player.percepts[0].observation.title == "2"
    assert [notice.text for notice in player.percepts[0].notices] == ["1", "2"]
    assert end.facts == {"facts": "seen"}


async def test_a_page_that_cannot_be_prepared_is_no_failure_of_the_agent() -> None:
    with pytest.raises(Infrastructure, match="could not be prepared for t: KeyError"):
        await attempt(Player(Decision((Terminate(),))), Room(), TASK, Book(), session=Prepared(KeyError("start")))


async def test_facts_that_cannot_be_written_are_told_as_that() -> None:
    end = await attempt(Player(Decision((Terminate(),))), Room(), TASK, Book(), session=Prepared(facts=object()))
    assert list(end.facts) == [NO_FACTS]
    assert end.stop == Stop("terminated")


def test_an_end_can_travel() -> None:
    end = AttemptEnd(Stop("terminated"), Observation(title="x"), b"png", (Notice("a", "b"),), {"reward": 1.0})
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(end), type=AttemptEnd) == end
