"""An agent that asks a model over HTTP: corrections, loops, refusals, long replies, books, draws."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.families.conftest import ELEMENTS, SCREEN, TASK, percept
from tests.models.conftest import QUICK, Serve, Service
from workalike.agents.agent import LONGEST_KEPT, ModelAgent, model_agent
from workalike.core.actions import Click, Opaque, Terminate, Wait
from workalike.core.contracts import Agent, Decision
from workalike.core.errors import AgentFailed, Infrastructure, ModelFailed
from workalike.core.screen import Point
from workalike.dialects.reply import ParsedReply
from workalike.families import family, names
from workalike.families.speech import speak
from workalike.models.keys import Keys
from workalike.models.messages import Reply, SafetyCheck, SampleKey, Sampling, Text, ToolCall, ToolResult, pictures
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.models.server.asked import Broken
from workalike.models.server.misbehaving import CODE

CLICK = Click(ELEMENTS[1].box.centre)  # type: ignore[union-attr]
SPEECH: dict[str, Any] = {"som-text": "som", "openai-preview": "openai", "anthropic-2025": "anthropic"}


@pytest.fixture
async def models() -> AsyncIterator[Models]:
    async with Models(keys=Keys({}), limits=QUICK) as models:
        yield models


def spoken(name: str, *actions: Any) -> Reply:
    return speak(ParsedReply(actions, "I go on."), SPEECH.get(name, name), SCREEN, ELEMENTS)


async def begun(
    models: Models, service: Service, name: str = "fara", options: dict[str, Any] | None = None, **more: Any
) -> ModelAgent:
    model = models.open(f"m@{service.v1}", api=family(name).api, **more.pop("opening", {}))
    agent = model_agent(name, model, options, **more)
    assert isinstance(agent, Agent)
    await agent.begin(TASK)
    return agent


def said_last(service: Service) -> str:
    """The words of the last message the service was sent, tool results included."""
    parts = service.asked[-1].request.messages[-1].parts
    inner = [each for part in parts for each in (part.parts if isinstance(part, ToolResult) else (part,))]
    return "".join(part.text for part in inner if isinstance(part, Text))


@pytest.mark.parametrize("name", names())
async def test_every_family_decides_over_http(serve: Serve, models: Models, name: str) -> None:
    service = serve(spoken(name, CLICK))
    agent = await begun(models, service, name)
    decision = await agent.decide(percept())
    (click,) = decision.actions
    assert isinstance(click, Click)
    assert click.at is not None
    assert click.at.distance(ELEMENTS[1].box.centre) < 0.001  # type: ignore[union-attr]
    assert decision.thought == "I go on."
    assert decision.reply
    assert decision.usage is not None
    assert decision.usage.input_tokens == service.books.total.tokens.input


@pytest.mark.parametrize("name", names())
async def test_every_family_answers_in_words_alone(serve: Serve, models: Models, name: str) -> None:
    """Asked after its end, it is shown nothing and given nothing to act with; it has the task and its own words."""
    service = serve(spoken(name, CLICK), Reply((Text("ANSWER: total = $21.00"),)))
    agent = await begun(models, service, name)
    await agent.decide(percept())
    said = await agent.say("What is the total?")
    assert said is not None
    assert (said.actions, said.thought) == ((), "ANSWER: total = $21.00")
    assert said.usage is not None
    asked = service.asked[-1].request
    assert asked.tools == ()
    assert [message.role for message in asked.messages] == ["user"]
    assert pictures(asked.messages) == ()
    assert TASK.instruction in said_last(service)
    assert said_last(service).rstrip().endswith("What is the total?")


@pytest.mark.parametrize("name", names())
async def test_a_past_that_others_made_is_told_in_the_familys_words(serve: Serve, models: Models, name: str) -> None:
    """As offline evaluation does: the recorded steps stand in the history as if the model had said them."""
    service = serve(spoken(name, CLICK))
    agent = await begun(models, service, name)
    past = Decision((CLICK,), thought="The button is there.", action_text="Click the button.")
    unsayable = Decision((Opaque("sys.exit()"),), thought="Away.", action_text="Do something strange.")
    for number, decision in enumerate((past, unsayable, past)):
        await agent.recall(percept(number), decision)
    first, _, last = agent.turns
    assert first.reply is not None
    (click,) = agent.family.read(first.reply, first).actions
    assert isinstance(click, Click)
    assert click.at is not None
    assert click.at.distance(ELEMENTS[1].box.centre) < 0.001  # type: ignore[union-attr]
    assert last.reply is not None
    assert not {call.id for call in first.reply.calls} & {call.id for call in last.reply.calls}
    await agent.decide(percept(3))
    told = [message.text for message in service.asked[-1].request.messages]
    assert any("Do something strange." in each for each in told)
    assert any("The button is there." in each or "Click the button." in each for each in told)
    assert len(service.asked) == 1, "the past costs no question"


@pytest.mark.parametrize("name", names())
async def test_an_unreadable_reply_is_corrected_and_counted(serve: Serve, models: Models, name: str) -> None:
    wrong = ToolCall("c", "run_python", {"code": "import os"}) if family(name).api else Text(CODE)
    service = serve(Reply((wrong,), "calls"), Reply(()), spoken(name, CLICK))
    agent = await begun(models, service, name)
    decision = await agent.decide(percept())
    assert [type(action) for action in decision.actions] == [Click]
    assert agent.unreadable == 2
    assert [notice.kind for notice in decision.notices] == ["unreadable", "unreadable"]
    assert "could not be carried out" in said_last(service)
    assert decision.usage is not None
    assert decision.usage.requests == 3
    assert decision.usage.input_tokens == service.books.total.tokens.input
    service.asked.clear()
    await agent.decide(percept(1))
    kept = "could not be carried out" in str([m.text for m in service.asked[-1].request.messages])
    assert kept == (family(name).api is not None), "services that hold a conversation to its word are told all of it"


@pytest.mark.parametrize("corrections", [0, 1, 3])
async def test_corrections_are_bounded_and_never_end_a_run(serve: Serve, models: Models, corrections: int) -> None:
    service = serve("I would rather chat.")
    agent = await begun(models, service, "fara", {"corrections": corrections})
    for step in range(2):
        decision = await agent.decide(percept(step))
        assert decision.actions == ()
        assert decision.reply == "I would rather chat."
    assert len(service.asked) == 2 * (corrections + 1)
    assert agent.unreadable == 2 * (corrections + 1)


async def test_a_reply_cut_short_is_told_so(serve: Serve, models: Models) -> None:
    service = serve(Reply((Text("I think I will"),), "length"), spoken("fara", CLICK))
    agent = await begun(models, service)
    await agent.decide(percept())
    assert "it was cut off at its longest" in said_last(service)


async def test_code_cut_short_is_not_carried_out(serve: Serve, models: Models) -> None:
    half = spoken("opencua", CLICK).text.removesuffix("```")
    service = serve(Reply((Text(half),), "length"), spoken("opencua", CLICK))
    agent = await begun(models, service, "opencua")
    assert [type(action) for action in (await agent.decide(percept())).actions] == [Click]
    assert agent.unreadable == 1


@pytest.mark.parametrize("name", ["anthropic", "openai"])
async def test_half_a_sentence_is_no_conclusion(name: str, serve: Serve, models: Models) -> None:
    service = serve(Reply((Text("The page shows three flights. I will now compare the"),), "length"), "Flight 2.")
    agent = await begun(models, service, name)
    decision = await agent.decide(percept())
    assert decision.actions == (Terminate("success", "Flight 2."),)
    assert "it was cut off at its longest" in said_last(service)
    assert agent.unreadable == 1


async def test_a_services_own_refusal_ends_the_task(serve: Serve, models: Models) -> None:
    service = serve(Reply((Text("I cannot help with that."),), "refused"))
    agent = await begun(models, service)
    decision = await agent.decide(percept())
    assert decision.actions == (Terminate("failure", "I cannot help with that."),)
    assert len(service.asked) == 1


async def test_a_loop_is_told_once_and_can_be_left_untold(serve: Serve, models: Models) -> None:
    service = serve(spoken("fara", CLICK))
    agent = await begun(models, service)
    warned = []
    for _ in range(5):
        decision = await agent.decide(percept(5))
        warned.append("over and over" in said_last(service))
        assert warned[-1] == any(notice.kind == "loop" for notice in decision.notices)
    assert warned == [False, False, False, True, False]
    quiet = await begun(models, service, "fara", {"loops": False})
    assert not any([(await quiet.decide(percept(5))).notices for _ in range(4)])


async def test_a_reply_of_ten_megabytes_is_cut_in_the_step_and_in_the_history(serve: Serve, models: Models) -> None:
    service = serve("and so on " * (1 << 20), spoken("fara", CLICK))
    agent = await begun(models, service)
    decision = await agent.decide(percept())
    assert decision.actions == (Click(decision.actions[0].at),)  # type: ignore[union-attr]
    assert len(service.asked[1].request.messages[-2].text) < 30_000
    service = serve("and so on " * (1 << 20))
    agent = await begun(models, service, "fara", {"corrections": 0})
    decision = await agent.decide(percept())
    assert decision.reply is not None
    assert len(decision.reply) < LONGEST_KEPT + 100
    assert decision.reply.endswith("(10,485,760 characters in all)")


async def test_a_place_off_the_picture_is_sent_back_in_the_models_unit(serve: Serve, models: Models) -> None:
    call = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [%d, 5]}}'
    service = serve(f"<tool_call>{call % 99999}</tool_call>", f"<tool_call>{call % 1428}</tool_call>")
    agent = await begun(models, service)
    decision = await agent.decide(percept())
    assert decision.actions == (Click(Point(1, 5 / 896)),)
    assert [notice.kind for notice in decision.notices] == ["unreadable"]
    assert "x must be from 0 to 1428, y from 0 to 896" in service.asked[1].request.messages[-1].text


async def test_safety_checks_are_noticed(serve: Serve, models: Models) -> None:
    actions = [{"type": "wait"}]
    check = SafetyCheck("s1", "sensitive_domain", "A bank.")
    service = serve(Reply((ToolCall("c", "computer", {"actions": actions}, (check,)),), "calls"))
    agent = await begun(models, service, "openai")
    decision = await agent.decide(percept())
    assert decision.actions == (Wait(),)
    assert [(notice.kind, notice.text) for notice in decision.notices] == [
        ("safety_check", "sensitive_domain: A bank.")
    ]
    await agent.decide(percept(1))
    (result,) = [part for part in service.asked[-1].request.messages[-1].parts if isinstance(part, ToolResult)]
    assert result.acknowledged == (check,)


async def test_every_attempt_and_step_draws_for_itself(serve: Serve, models: Models) -> None:
    service = serve("gibberish", spoken("fara", CLICK))
    seeds = []
    for repeat in (0, 1):
        agent = await begun(
            models, service, "fara", draw=SampleKey(repeat=repeat), opening={"sampling": Sampling(seed=1)}
        )
        for _ in range(2):
            await agent.decide(percept())
    seeds = [asked.request.sampling.seed for asked in service.asked]
    assert len(set(seeds)) == len(seeds) == 5


async def test_the_users_sampling_goes_before_the_familys(serve: Serve, models: Models) -> None:
    service = serve(spoken("fara", CLICK))
    await (await begun(models, service)).decide(percept())
    agent = await begun(models, service, opening={"sampling": Sampling(temperature=0.6)})
    await agent.decide(percept())
    assert [asked.request.sampling.temperature for asked in service.asked] == [0.0, 0.6]


async def test_a_users_own_words_replace_ours_and_are_recorded(serve: Serve, models: Models, tmp_path: Path) -> None:
    (tmp_path / "agents" / "fara").mkdir(parents=True)
    (tmp_path / "agents" / "fara" / "next.md").write_text("Here is the next picture.")
    service = serve(spoken("fara", CLICK))
    prompts = Prompts(tmp_path)
    agent = await begun(models, service, "fara", prompts=prompts)
    for step in range(2):
        await agent.decide(percept(step))
    assert said_last(service).endswith("Here is the next picture.")
    assert prompts.used["agents/fara/next"] != Prompts().get("agents/fara/next").hash


async def test_a_service_that_fails_for_good_fails_the_agent_and_not_the_machine(serve: Serve, models: Models) -> None:
    agent = await begun(models, serve(Broken(400)))
    with pytest.raises(ModelFailed, match="400"):
        await agent.decide(percept())
    with pytest.raises(AgentFailed, match="before it was given a task"):
        await model_agent("fara", models.open("m@http://127.0.0.1:9/v1")).decide(percept())


async def test_a_broken_screenshot_is_the_environments_fault(serve: Serve, models: Models) -> None:
    service = serve(spoken("fara", CLICK))
    agent = await begun(models, service)
    with pytest.raises(Infrastructure, match="the screenshot cannot be read"):
        await agent.decide(msgspec.structs.replace(percept(), picture=b"no picture"))
    assert not service.asked


async def test_old_screenshots_are_let_go(serve: Serve, models: Models) -> None:
    agent = await begun(models, serve(spoken("fara", Click(Point(0.5, 0.5)))))
    for step in range(6):
        await agent.decide(percept(step))
    assert [turn.picture is not None for turn in agent.turns] == [False] * 3 + [True] * 3
    assert all(turn.percept.picture is None for turn in agent.turns)
