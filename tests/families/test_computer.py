"""The conversation with a service's own computer tool: it only grows, and every call is told what became of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from tests.families.conftest import TASK, percept, png
from tests.models.conftest import Serve
from workalike.agents.agent import model_agent
from workalike.bench.attempt import ANSWERED, SKIPPED
from workalike.core.actions import Action, Click, Terminate, Wait
from workalike.core.errors import Unreadable
from workalike.core.screen import Point
from workalike.core.trajectory import ActionResult
from workalike.families import family
from workalike.families.computer import ComputerFamily
from workalike.families.turns import Turn
from workalike.models.fences import Fence
from workalike.models.messages import (
    Message,
    Picture,
    Reply,
    SafetyCheck,
    Shot,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    rendered,
    shots,
    text_of,
)
from workalike.models.names import Endpoint
from workalike.models.served import Models
from workalike.models.wire import responses

COMPUTER = ("openai", "openai-preview", "anthropic", "anthropic-2025")
ANTHROPIC = ("anthropic", "anthropic-2025")
OPENAI = ("openai", "openai-preview")
CLICK = {"anthropic": {"action": "left_click", "coordinate": [100, 100]}}
CLICK["openai"] = {"actions": [{"type": "click", "x": 100, "y": 100, "button": "left"}]}


def click(name: str, number: int | str = 0) -> ToolCall:
    return ToolCall(f"c{number}", "computer", CLICK[name.partition("-")[0]])


def act(number: int, action: str, **more: Any) -> ToolCall:
    return ToolCall(f"c{number}", "computer", {"action": action, **more})


def turn_of(made: ComputerFamily[Any], number: int, taken: tuple[ActionResult, ...] = ()) -> Turn:
    look = percept(number % 7, taken)
    return Turn(number, look, made.shot(look))


def decided(made: ComputerFamily[Any], turn: Turn, *parts: Any) -> None:
    turn.reply = Reply(tuple(parts), "calls")
    turn.said = made.read(turn.reply, turn)


def results(message: Message) -> list[ToolResult]:
    return [part for part in message.parts if isinstance(part, ToolResult)]


@pytest.mark.parametrize("screenshots", [1, 3])
@pytest.mark.parametrize("chunk", [1, 4, 10])
def test_no_thought_is_handed_back_under_another_past(screenshots: int, chunk: int) -> None:
    """Services refuse a thought before which anything has changed, or that misses one before it."""
    made = family("anthropic", {"screenshots": screenshots, "chunk": chunk})
    assert isinstance(made, ComputerFamily)
    turns: list[Turn] = []
    before: dict[str, tuple[Message, ...]] = {}
    most = with_thoughts = 0
    for number in range(32):
        turn = turn_of(made, number, (ActionResult(Click(Point(0.1, 0.1))),))
        turns.append(turn)
        if number % 5 == 2:  # one reply that nobody can read first
            bad = Reply(
                (Thinking(f"bad {number}", {"t": number}), ToolCall(f"b{number}", "computer", {"action": "fly"}))
            )
            before[f"bad {number}"] = made.messages(TASK, turns)
            turn.corrected += made.correction(bad, "it cannot fly", turn)
        sent = made.messages(TASK, turns)
        before[f"good {number}"] = sent
        if number and made.first_shown(turns) == made.first_shown(turns[:-1]):
            then = before[f"good {number - 1}"]
            assert sent[: len(then)] == then, "but for screenshots that go, it only grows"
        most = max(most, len(shots(sent)))
        told = [(at, part) for at, message in enumerate(sent) for part in message.parts if isinstance(part, Thinking)]
        assert all(sent[:at] == before[thought.text] for at, thought in told)
        with_thoughts += bool(told)
        decided(
            made,
            turn,
            Thinking(f"good {number}", {"t": number}),
            Text("On."),
            Text("And on."),
            click("anthropic", number),
        )
    assert most <= screenshots + chunk - 1
    assert with_thoughts >= 32 * (1 - 1 / chunk) - 1, "they are lost only where screenshots go"


@pytest.mark.parametrize("name", COMPUTER)
def test_a_reply_is_handed_back_as_it_came(name: str) -> None:
    made = family(name)
    assert isinstance(made, ComputerFamily)
    turn = turn_of(made, 0)
    parts = (Thinking("a", {"n": 1}), Text("One."), Thinking("b", {"n": 2}), Text("Two."), click(name))
    decided(made, turn, *parts)
    messages = made.messages(TASK, [turn, turn_of(made, 1)])
    assert [message.parts for message in messages if message.role == "assistant"] == [parts]


@pytest.mark.parametrize("name", ANTHROPIC)
def test_every_call_is_told_what_became_of_it(name: str) -> None:
    made = family(name)
    assert isinstance(made, ComputerFamily)
    turn = turn_of(made, 0)
    calls = (
        act(1, "left_click", coordinate=[5, 5]),
        act(2, "screenshot"),
        act(3, "type", text="Lisbon"),
        act(4, "key", text="Return"),
    )
    decided(made, turn, *calls)
    done = turn.said.actions if turn.said else ()
    assert len(done) == 4
    taken = (
        ActionResult(done[0]),
        ActionResult(done[1]),
        ActionResult(done[2], error="nothing has the focus"),
        ActionResult(done[3], error=SKIPPED),
    )
    message = made.messages(TASK, [turn, turn_of(made, 1, taken)])[-1]
    told = results(message)
    assert list(message.parts) == told, "nothing stands after the results"
    assert [result.error for result in told] == [False, False, True, False]
    assert text_of(told[0].parts) == "done"
    assert "comes with the last" in text_of(told[1].parts)
    assert "nothing has the focus" in text_of(told[2].parts)
    assert SKIPPED in text_of(told[3].parts)
    assert [len([part for part in result.parts if isinstance(part, Shot)]) for result in told] == [0, 0, 0, 1]
    assert "web.localhost/trips" in text_of(told[3].parts), "the words of the turn are in it"


@pytest.mark.parametrize("name", COMPUTER)
def test_the_users_answer_is_the_result_of_the_question(name: str) -> None:
    made = family(name, {"asking": True})
    assert isinstance(made, ComputerFamily)
    turn = turn_of(made, 0)
    decided(made, turn, ToolCall("q", "ask_user", {"question": "For 300 EUR?"}), click(name))
    asked, clicked = turn.said.actions if turn.said else ()
    taken = (ActionResult(asked, result="No!"), ActionResult(clicked, error=ANSWERED))
    first, second = results(made.messages(TASK, [turn, turn_of(made, 1, taken)])[-1])
    assert "The user answers: No!" in text_of(first.parts)
    assert not first.error
    assert ANSWERED in text_of(second.parts)
    assert any(isinstance(part, Shot) for part in second.parts)


def test_the_pointer_is_told_in_pixels_of_the_picture() -> None:
    made = family("anthropic")
    assert isinstance(made, ComputerFamily)
    turn, now = turn_of(made, 0), turn_of(made, 1, (ActionResult(Wait(0)), ActionResult(Wait(0))))
    decided(made, turn, act(1, "cursor_position"), act(2, "screenshot"))
    seen = replace(now.percept.observation, pointer=Point(0.5, 0.25))
    now.percept = replace(now.percept, observation=seen)
    assert text_of(results(made.messages(TASK, [turn, now])[-1])[0].parts) == "X=640,Y=200"


@pytest.mark.parametrize("name", COMPUTER)
def test_calls_that_nobody_could_read_are_told_so(name: str) -> None:
    made = family(name)
    assert isinstance(made, ComputerFamily)
    turn = turn_of(made, 0)
    turn.reply = Reply((ToolCall("x", "computer", {"action": "fly"}), click(name)), "calls")
    told = results(made.messages(TASK, [turn, turn_of(made, 1)])[-1])
    assert all("could not be read" in text_of(result.parts) for result in told)


@pytest.mark.parametrize("name", OPENAI)
def test_openai_gets_a_picture_for_every_computer_call(name: str) -> None:
    """Its service takes no words in answer to one, of a correction neither."""
    made = family(name)
    assert isinstance(made, ComputerFamily)
    turn = turn_of(made, 0)
    bad = Reply((ToolCall("bad", "computer", {"actions": [{"type": "fly"}]}, (SafetyCheck("s"),)),), "calls")
    turn.corrected = made.correction(bad, "it cannot fly", turn)
    decided(made, turn, click(name, 1), click(name, 2), ToolCall("v", "visit_url", {"url": "http://x/"}))
    request = made.request(TASK, [turn, turn_of(made, 1)])
    sent = replace(request, messages=rendered(request.messages, lambda shot: Picture(png(0), shot.size, shot.source)))
    items = responses.body(sent, Endpoint("m", "m", "responses", "http://x/v1", ""), Fence())["input"]
    calls = {item["call_id"]: item["type"] for item in items if item["type"] in ("computer_call", "function_call")}
    outputs = {item["call_id"]: item for item in items if item["type"].endswith("_output")}
    assert {key: item["type"] for key, item in outputs.items()} == {
        key: f"{kind}_output" for key, kind in calls.items()
    }
    assert outputs["bad"]["acknowledged_safety_checks"][0]["id"] == "s"
    assert "it cannot fly" in json.dumps(items)


@pytest.mark.parametrize("name", COMPUTER)
def test_a_call_cut_off_at_the_longest_is_not_carried_out(name: str) -> None:
    made = family(name)
    assert isinstance(made, ComputerFamily)
    with pytest.raises(Unreadable, match="ends before"):
        made.read(Reply((click(name),), "length"), turn_of(made, 0))


@pytest.mark.parametrize(("name", "wide"), [("openai", 1440), ("anthropic", 1280)])
def test_a_place_off_the_screenshot_is_corrected_in_its_own_pixels(name: str, wide: int) -> None:
    made = family(name)
    assert isinstance(made, ComputerFamily)
    far = {"anthropic": {"action": "left_click", "coordinate": [wide + 100, 10]}}
    far["openai"] = {"actions": [{"type": "click", "x": wide + 100, "y": 10, "button": "left"}]}
    with pytest.raises(Unreadable, match=f"x must be from 0 to {wide}"):
        made.read(Reply((ToolCall("c", "computer", far[name]),), "calls"), turn_of(made, 0))


@pytest.mark.parametrize(
    ("options", "confirm", "asks", "goes_on"),
    [
        ({}, None, 0, True),
        ({"acknowledge": True}, lambda _: False, 0, True),
        ({"acknowledge": False}, None, 0, False),
        ({}, lambda _: False, 1, False),
        ({}, lambda _: True, 1, True),
    ],
)
async def test_what_the_service_warns_of_waits_for_a_yes(
    options: dict[str, Any], confirm: Callable[[str], bool] | None, asks: int, goes_on: bool, serve: Serve
) -> None:
    check = SafetyCheck("s1", "malicious_instructions", "Somebody else gives the orders.")
    service = serve(Reply((ToolCall("c", "computer", CLICK["openai"], (check,)),), "calls"))
    asked: list[str] = []

    def person(question: str) -> bool:
        asked.append(question)
        assert confirm is not None
        return confirm(question)

    async with Models() as models:
        model = models.open(f"m@{service.v1}", api="responses")
        agent = model_agent("openai", model, options, confirm=None if confirm is None else person)
        await agent.begin(TASK)
        (action,) = (await agent.decide(percept())).actions
    assert len(asked) == asks
    assert all("Somebody else gives the orders." in question for question in asked)
    kind: type[Action] = Click if goes_on else Terminate
    assert isinstance(action, kind)
