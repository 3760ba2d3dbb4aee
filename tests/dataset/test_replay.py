"""One family for acting and for training: what is exported of an attempt is what its agent was asked, and said.

Agents of every family act at random through a model that writes down what it is asked; then their trajectory is
exported in the words of the same family, and each example is the very request of its step, with the reply to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from tests.models.conftest import Serve, serve, server
from workalike.agents.agent import ModelAgent, model_agent
from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Click,
    Drag,
    Hotkey,
    Memorize,
    Press,
    Scroll,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.contracts import Decision, Percept
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.observation import Beyond, Dialog, Element, ImageRef, Observation, TabInfo
from workalike.core.provenance import Provenance
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task, TaskFile
from workalike.core.trajectory import ActionResult, Notice, Step, Trajectory, Usage
from workalike.dataset.examples import Example, Recipe
from workalike.dataset.messages import REPLIES, FamilyExamples
from workalike.dataset.sources import SourceChoice, trajectories
from workalike.dialects.reply import ParsedReply
from workalike.families import family, names
from workalike.families.base import Family
from workalike.families.shots import render
from workalike.families.turns import Turn
from workalike.formats.agentnet_tool import import_recording
from workalike.models.keys import Keys
from workalike.models.messages import (
    Message,
    Part,
    Picture,
    PictureRef,
    Reply,
    Request,
    SampleKey,
    Shot,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    pictures,
    shots,
)
from workalike.models.served import Models
from workalike.models.transcript import exchanges
from workalike.pictures.codec import encode
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import reduce_recording
from workalike.store.recordings import Recording
from workalike.store.runs import TRANSCRIPT
from workalike.store.trajectories import FILE, read_trajectory, write_trajectory

__all__ = ["serve", "server"]

SCREEN = Size(300, 200)
ELEMENTS = (
    Element("textbox", "City", Box(0.1, 0.1, 0.2, 0.1), 1, value="Oslo"),
    Element("button", "Go", Box(0.5, 0.5, 0.1, 0.1), 2),
)
TASK = Task("t", "Book a trip.", persona={"first_name": "Ada"}, files=(TaskFile("a.txt", "a.txt"),))
WORDS = ("I look around.", "Two\nlines.", "Déjà vu — “yes”.", "Now the button.")


@cache
def png(shade: int) -> bytes:
    return encode(Image.new("RGB", (SCREEN.width, SCREEN.height), (shade, 200, 90)))


class RecordingModel:
    """A model that writes down what it is asked and says what it is told to, now and then something unreadable
    first."""

    name, usage = "recording", Usage()

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.said: list[list[Reply]] = []
        self.next: list[Reply] = []

    async def reply(self, request: Request, draw: SampleKey = SampleKey()) -> Reply:
        if draw.reask == 0:
            self.asked.append(request)
            self.said.append([])
        self.said[-1].append(self.next.pop(0))
        return self.said[-1][-1]

    def hide(self, words: Mapping[str, str]) -> None: ...

    async def close(self) -> None: ...


class Attempt:
    """An attempt at random: screens, actions, and what becomes of them."""

    def __init__(self, name: str, seed: int, **options: Any) -> None:
        self.name, self.chance, self.model = name, Random(seed), RecordingModel()
        self.agent: ModelAgent = model_agent(name, self.model, options)
        self.family: Family[Any] = family(name, options)
        self.steps: list[Step] = []

    async def go(self, most: int = 14) -> Trajectory:
        await self.agent.begin(TASK)
        before: tuple[ActionResult, ...] = ()
        looping = self.chance.random() < 0.3
        for number in range(self.chance.randint(2, most)):
            percept = self._percept(0 if looping else self.chance.randrange(200), before)
            replies = self._replies(number, percept, Click(Point(0.2, 0.15)) if looping else None)
            self.model.next = list(replies)
            decision = await self.agent.decide(percept)
            before = self._keep(percept, decision)
        made = Provenance("workalike run", settings={"agent": self.name})
        return Trajectory("run/t/1.1", TASK, tuple(self.steps), provenance=made)

    def _percept(self, shade: int, before: tuple[ActionResult, ...]) -> Percept:
        chance, data = self.chance, png(shade)
        seen = Observation(
            ImageRef.of(data),
            SCREEN,
            url=chance.choice((None, "http://shop.example/find?q=lamp&page=2", "http://a.example/" + "b" * 300)),
            tabs=(TabInfo("http://a/", "One", True), TabInfo("http://b/", "Two")) * chance.randrange(2),
            dialog=chance.choice((None, None, Dialog("confirm", "Really?"))),
            pointer=chance.choice((None, Point(0.5, 0.5))),
            elements=ELEMENTS,
            beyond=chance.choice((None, Beyond(below=2.5, left=1.0))),
        )
        notices = (Notice("download", "a file was <saved>"),) * chance.randrange(2)
        return Percept(seen, data, before, notices)

    def _replies(self, number: int, percept: Percept, action: Action | None) -> Iterator[Reply]:
        """What the model says: now and then nonsense first, at last something that the family has words for."""
        for _ in range(self.chance.choice((0, 0, 0, 1, 2))):
            yield self.chance.choice((Reply((Text("Hm."),), "length"), self._nonsense(number)))
        turn = Turn(number, replace(percept, picture=None))
        while True:
            told = self._told(action)
            try:
                reply = self.family.write(told, turn)
                self.family.read(reply, turn)
            except (Inexpressible, Unreadable):
                continue
            break
        if self.family.api:
            named = [replace(p, id=f"{p.id}-{number}") if isinstance(p, ToolCall) else p for p in reply.parts]
            reply = replace(reply, parts=(Thinking("Hm.", {"sealed": number}), *named))
        yield reply

    def _nonsense(self, number: int) -> Reply:
        if not self.family.api:
            return Reply((Text("I would rather not say."),))
        return Reply((ToolCall(f"x{number}", "fly", {"to": "the moon"}),), "calls")

    def _told(self, action: Action | None) -> ParsedReply:
        thought, seen, done = (self.chance.choice(WORDS) for _ in range(3))
        return ParsedReply(self._actions() if action is None else (action,), thought, seen, done)

    def _actions(self) -> tuple[Action, ...]:
        chance = self.chance
        place = Point(chance.random(), chance.random())
        return chance.choice(
            [
                (Click(place),),
                (Click(Point(1.0, 1.0)),),
                (Click(ELEMENTS[0].box.centre if ELEMENTS[0].box else None), Write("Oslo"), Press(("enter",))),
                (Click(ELEMENTS[1].box.centre if ELEMENTS[1].box else None),),
                (Write("Lisbon <b>& co</b>"),),
                (Hotkey(("ctrl", "a")), Press(("delete",))),
                (Scroll(dy=3),),
                (Scroll(dy=250, unit="pixels", at=place),),
                (Drag((place,), Point(0.1, 0.1)),),
                (Wait(2),),
                (Visit("http://b.example/"),),
                (Back(),),
                (Memorize(f"fact {chance.randrange(3)}"),),
                (Ask("Which one?"),),
                (Terminate("success", "42"),),
            ]
        )

    def _keep(self, percept: Percept, decision: Decision) -> tuple[ActionResult, ...]:
        """What became of it, as an attempt writes it down."""
        taken = []
        for number, action in enumerate(decision.actions):
            error = "nothing <there>" if self.chance.random() < 0.1 else None
            result = "This one." if isinstance(action, Ask) else None
            taken.append(ActionResult(action, float(number), number + 0.5, error, result=result))
        said = (decision.reply, decision.observation_text, decision.thought, decision.action_text)
        notices = (*percept.notices, *decision.notices)
        extra = {REPLIES: tuple(self.model.said[-1])} if self.family.api else {}
        self.steps.append(Step(percept.observation, tuple(taken), *said, notices=notices, extra=extra))
        return tuple(taken)


def as_data(messages: tuple[Message, ...]) -> list[object]:
    """Messages with pictures as what they are of and how big they are."""

    def told(part: Part) -> object:
        match part:
            case Picture(size=size, source=source) | Shot(size=size, source=source):
                return ("picture", size, source)
            case ToolResult(parts=inner):
                return (part.id, part.name, part.error, part.acknowledged, [told(each) for each in inner])
            case _:
                return part

    return [(message.role, [told(part) for part in message.parts]) for message in messages]


def compared(attempt: Attempt, made: list[Example]) -> int:
    """How many examples were the agent's own requests and replies, to the word."""
    for example in made:
        asked, said = attempt.model.asked[example.step], attempt.model.said[example.step][-1]
        assert as_data(example.request.messages) == as_data(asked.messages)
        assert (example.request.tools, example.request.sampling) == (asked.tools, asked.sampling)
        assert (example.reply.text, example.reply.calls) == (said.text, said.calls)
    return len(made)


VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "opencua": ({"level": "l1"}, {"level": "l3", "history": "observation"}, {"history": "thought", "steps": 2}),
    "anthropic": ({"chunk": 2, "screenshots": 1},),
    "openai": ({"screenshots": 2},),
    "som": ({"screenshots": 3},),
}


@pytest.mark.parametrize("name", names())
@given(seed=st.integers(0, 2**32), variant=st.integers(0, 3))
@settings(max_examples=12, deadline=None)
def test_an_exported_example_is_the_request_that_was_sent_and_its_reply(name: str, seed: int, variant: int) -> None:
    options = [{}, *VARIANTS.get(name, ())][variant % (1 + len(VARIANTS.get(name, ())))]
    attempt = Attempt(name, seed, **options)
    trajectory = asyncio.run(attempt.go())
    maker = FamilyExamples(Recipe(family=name, options=options))
    count = compared(attempt, list(maker.examples(trajectory)))
    assert count + maker.left_out.total() == len(trajectory.steps)
    assert set(maker.left_out) <= {"its action failed"}


@pytest.mark.parametrize("name", ["som", "fara", "opencua", "anthropic"])
def test_delivered_pictures_are_those_that_were_sent(name: str) -> None:
    attempt = Attempt(name, 7)
    trajectory = asyncio.run(attempt.go())
    data = {ImageRef.of(png(shade)): png(shade) for shade in range(200)}
    shown = 0
    for example in FamilyExamples(Recipe(family=name)).examples(trajectory):
        sent = pictures(attempt.model.asked[example.step].messages)
        delivered = [render(shot, data[shot.source]) for shot in shots(example.request.messages)]
        assert [picture.data for picture in delivered] == [picture.data for picture in sent]
        shown += len(sent)
    assert shown > 2


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_without_a_transcript_a_service_s_replies_are_in_our_words(name: str) -> None:
    attempt = Attempt(name, 3)
    trajectory = asyncio.run(attempt.go())
    bare = replace(trajectory, steps=tuple(replace(step, extra={}) for step in trajectory.steps))
    made = list(FamilyExamples(Recipe(family=name)).examples(bare))
    assert made
    assert not any(isinstance(part, Thinking) for example in made for m in example.messages for part in m.parts)
    other = replace(trajectory, provenance=Provenance("workalike run", settings={"agent": "som"}))
    assert list(FamilyExamples(Recipe(family=name)).examples(other)) == made, "another agent's replies are not its own"


@pytest.mark.parametrize("name", ["openai", "anthropic"])
async def test_what_lies_in_a_transcript_is_exported_as_it_was_sent(serve: Serve, tmp_path: Path, name: str) -> None:
    """Over HTTP and from disk: the requests that were written down, replies to the letter, and what was struck from
    them stays struck."""
    made, secret = family(name), "hunter2-and-more"
    spoken: list[tuple[Action, ...]] = [(Click(Point(0.5, 0.5)),), (Write(secret),), (Terminate("success", "In."),)]
    screens = [Observation(ImageRef.of(png(shade)), SCREEN, url="http://a.example/") for shade in (1, 2, 3)]
    replies = [
        made.write(ParsedReply(actions, "So."), Turn(number, Percept(seen)))
        for number, (actions, seen) in enumerate(zip(spoken, screens, strict=True))
    ]
    nonsense = Reply((ToolCall("x", "fly", {"to": "the moon"}),), "calls")
    service = serve(replies[0], nonsense, *replies[1:])
    steps: list[Step] = []
    async with Models(keys=Keys({})) as models:
        model = models.open(f"m@{service.v1}", api=made.api, transcript=tmp_path / TRANSCRIPT)
        agent = model_agent(name, model)
        await agent.begin(TASK)
        before: tuple[ActionResult, ...] = ()
        for shade, seen in enumerate(screens, 1):
            decision = await agent.decide(Percept(seen, png(shade), before))
            before = tuple(ActionResult(_struck(action, secret)) for action in decision.actions)
            agent.hide({secret: "•••"} if _struck(Write(secret), secret) in [t.action for t in before] else {})
            steps.append(Step(seen, before, thought=decision.thought, notices=decision.notices))
    trajectory = Trajectory("a", TASK, tuple(steps), provenance=Provenance("act", settings={"agent": name}))
    write_trajectory(tmp_path / FILE, trajectory)
    assert secret not in (tmp_path / TRANSCRIPT).read_text()

    (read,) = trajectories([tmp_path], choice=SourceChoice(replies=True))
    examples = list(FamilyExamples(Recipe(family=name)).examples(read))
    first_asked = {each.draw.step: each for each in exchanges(tmp_path / TRANSCRIPT) if each.draw.reask == 0}
    last_said = {each.draw.step: each.reply for each in exchanges(tmp_path / TRANSCRIPT)}
    assert [example.step for example in examples] == [0, 1, 2]
    for example in examples:
        assert _referred(example.request.messages) == _referred(first_asked[example.step].request.messages)
        assert example.request.tools == first_asked[example.step].request.tools
        assert example.reply == last_said[example.step]
    assert secret not in str(examples)
    assert "•••" in str(examples[1].reply)
    assert "the moon" in str(examples[2].request), "what could not be read stays in the conversation"


def _struck(action: Action, secret: str) -> Action:
    return Write("•••") if action == Write(secret) else action


def _referred(messages: tuple[Message, ...]) -> list[object]:
    """Messages with pictures as the clean ones they were made from."""

    def told(part: Part) -> object:
        match part:
            case Shot(source=source) | PictureRef(source=source):
                return source
            case ToolResult(parts=inner):
                return (part.id, part.name, part.error, [told(each) for each in inner])
            case _:
                return part

    return [(message.role, [told(part) for part in message.parts]) for message in messages]


def test_the_shared_recording_teaches_every_step_though_nobody_described_it(fixtures: Path, tmp_path: Path) -> None:
    import_recording(fixtures / "agentnet-recording", tmp_path / "recording")
    recording = Recording(tmp_path / "recording")
    reduce_recording(recording, tmp_path / "reduced", settings_of(recording.header.settings))
    done = read_trajectory(tmp_path / "reduced" / FILE).trajectory
    bare = replace(done, steps=tuple(replace(step, action_text=None, thought=None) for step in done.steps))
    maker = FamilyExamples(Recipe(levels={"l1": 1}))
    assert len(list(maker.examples(done))) == len(done.steps) == 15
    assert 0 < maker.told["actions told by rule"] < 15
    maker = FamilyExamples(Recipe(levels={"l1": 1}))
    assert all(example.by_rule for example in maker.examples(bare))
    assert maker.told["actions told by rule"] == 15
    assert not maker.left_out
