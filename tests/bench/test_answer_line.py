"""The answer's line: the same paragraph for all agents, one more question in words where it is missing, both marked."""

from __future__ import annotations

import pytest

from workalike.bench.answer_line import LineAgent, with_paragraph
from workalike.core.actions import Ask, Terminate, Wait
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.observation import Observation
from workalike.core.task import AnswerField, Task
from workalike.core.trajectory import ASKED_AGAIN, ActionResult, Step, Stop, Trajectory, Usage

ASKED = Task("t", "What does it cost?", form=(AnswerField("price", "money"), AnswerField("shop", "name")))
PLAIN = Task("t", "Put it into the cart.", form=())
LINE = "ANSWER: price = $21.00; shop = Kestrel"


class Talker:
    """An agent that ends at once with some words, and says others when it is asked again."""

    name, wants = "talker", Wants()

    def __init__(self, end: Decision, again: str | None = None) -> None:
        self.end, self.again, self.told, self.questions = end, again, "", list[str]()

    async def begin(self, task: Task) -> None:
        self.told = task.instruction

    async def decide(self, percept: Percept) -> Decision:
        return self.end

    async def say(self, question: str) -> Decision | None:
        self.questions.append(question)
        return None if self.again is None else Decision((), thought=self.again, usage=Usage(requests=1))

    async def close(self) -> None:
        pass


class Mute(Talker):
    """One that cannot be asked in words."""

    say = None  # type: ignore[assignment]


async def ended(agent: Talker, task: Task = ASKED, nobody: bool = True) -> Decision:
    line = LineAgent(agent, nobody=nobody)
    await line.begin(task)
    return await line.decide(Percept(Observation()))


def test_the_paragraph_names_the_fields_and_nothing_else() -> None:
    told = with_paragraph(ASKED).instruction
    assert told.startswith("What does it cost?\n\nEnd with one line: `ANSWER: price = …; shop = …`.")
    assert "`ANSWER: unavailable`, `blocked`, `impossible` or `refused`" in told
    assert "`ANSWER: done`" in with_paragraph(PLAIN).instruction
    free = Task("t", "Buy it.")
    assert with_paragraph(free) == free


async def test_an_agent_is_told_of_it_and_not_asked_again_where_it_ends_with_it() -> None:
    agent = Talker(Decision((Terminate("success", f"It is cheap.\n{LINE}"),)))
    assert await ended(agent) == agent.end
    assert "ANSWER: price = …" in agent.told
    assert agent.questions == []


@pytest.mark.parametrize("words", [{"thought": LINE}, {"action_text": LINE}, {"observation_text": LINE}])
async def test_the_thought_before_the_end_counts_where_there_is_no_place_for_an_answer(words: dict[str, str]) -> None:
    agent = Talker(Decision((Terminate("success"),), **words))  # type: ignore[arg-type]
    await ended(agent)
    assert agent.questions == []


async def test_without_a_line_it_is_asked_once_in_words_and_that_is_marked() -> None:
    agent = Talker(Decision((Terminate("success", "It costs $21.00."),), usage=Usage(requests=2)), LINE)
    decision = await ended(agent)
    (end,) = decision.actions
    assert isinstance(end, Terminate)
    assert end.answer == f"It costs $21.00.\n{LINE}"
    assert [notice.kind for notice in decision.notices] == [ASKED_AGAIN]
    assert decision.usage == Usage(requests=3)
    assert len(agent.questions) == 1
    assert "ANSWER: price = …; shop = …" in agent.questions[0]


async def test_one_that_cannot_or_will_not_say_it_ends_as_it_did() -> None:
    for agent in (Mute(Decision((Terminate("success", "Done."),))), Talker(Decision((Terminate("success", "Done."),)))):
        assert await ended(agent) == agent.end


async def test_a_question_is_an_end_where_nobody_answers() -> None:
    agent = Talker(Decision((Ask("Shall I pay?"),)), "ANSWER: done")
    decision = await ended(agent, PLAIN)
    assert decision.actions == (Ask("Shall I pay?\nANSWER: done"),)
    heard = Talker(Decision((Ask("Shall I pay?"),)), "ANSWER: done")
    assert (await ended(heard, PLAIN, nobody=False)).actions == (Ask("Shall I pay?"),)


async def test_nothing_is_asked_on_the_way_or_without_a_form() -> None:
    for agent, task in (
        (Talker(Decision((Wait(1.0),)), LINE), ASKED),
        (Talker(Decision((Terminate(),)), LINE), Task("t", "x")),
    ):
        assert await ended(agent, task) == agent.end
        assert agent.questions == []


def test_all_that_is_said_last_is_read() -> None:
    step = Step(Observation(), (ActionResult(Terminate("success", "b")),), thought="a", action_text="a")
    assert Trajectory("x", ASKED, (step,)).last_words == "a\nb"
    asked = Step(Observation(), (ActionResult(Ask("ANSWER: done")),))
    assert Trajectory("x", ASKED, (asked,), stop=Stop("asked")).last_words == "ANSWER: done"
    bare = Step(Observation(), (ActionResult(Terminate("failure")),))
    assert Trajectory("x", ASKED, (bare,)).last_words == ""
    assert Trajectory("x", ASKED, (Step(Observation(), thought=LINE),), stop=Stop("out_of_steps")).last_words is None
