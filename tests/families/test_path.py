"""The full path, for every family: prompt, HTTP, parsing, scaling, a real browser, and back. The model is played by a
function that knows the page and speaks the words of whoever asks."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.env.web import HOST, Web
from tests.families.conftest import SCREEN
from tests.families.listing import listed
from tests.models.conftest import Serve
from workalike.agents.agent import model_agent
from workalike.bench.attempt import attempt
from workalike.core.actions import Action, Click, Terminate, Write
from workalike.core.observation import Element
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import Step, Stop, Usage
from workalike.dialects.reply import ParsedReply
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy
from workalike.families import family, names
from workalike.families.speech import speak, speech_of
from workalike.models.asked import Asked
from workalike.models.client import ServiceLimits
from workalike.models.keys import Keys
from workalike.models.messages import Reply
from workalike.models.served import Models
from workalike.models.server.asked import Answerer, Fault
from workalike.models.server.misbehaving import KINDS, Misbehaviour, misbehaving
from workalike.store.config import AttemptLimits

TASK = Task("trip", "Book a trip to Lisbon.", start_url=f"http://{HOST}/trip")
FIELD, BUTTON = Point(0.3, 0.4), Point(0.75, 0.8)
PAGE = """<!doctype html><title>Trips</title><body style="margin:0;height:100vh;position:relative">
<input aria-label="City" style="position:absolute;left:28%;top:38%;width:4%;height:4%">
<button style="position:absolute;left:74%;top:79%;width:2%;height:2%;padding:0">Go</button>
<script>
const field = document.querySelector("input"), go = document.querySelector("button");
const tell = (what) => { const r = new XMLHttpRequest(); r.open("POST", "/tell", false); r.send(what); };
field.onfocus = () => tell("focus"); field.oninput = () => tell("text:" + field.value);
go.onclick = () => { tell("go:" + field.value); document.body.textContent = "Booked."; };
</script>"""


def next_actions(web: Web) -> tuple[Action, ...]:
    """What is to be done next, from what the page has told."""
    told = web.posts
    if any(each == "go:Lisbon" for each in told):
        return (Terminate("success", "Booked."),)
    last = next((each for each in reversed(told) if each.startswith("text:")), "")
    if last == "text:Lisbon":
        return (Click(BUTTON),)
    return (Write("Lisbon"),) if "focus" in told else (Click(FIELD),)


def playing(web: Web, screen: Size = SCREEN) -> Answerer:
    """A model that knows the page."""

    async def answer(asked: Asked) -> Reply | Fault:
        speech = speech_of(asked)
        assert speech is not None
        shown = asked.request.messages[-1].text
        boxes = {"City": Box(0.28, 0.38, 0.04, 0.04), "Go": Box(0.74, 0.79, 0.02, 0.02)}
        marked: list[Element] = [msgspec.structs.replace(e, box=boxes.get(e.name)) for e in listed(shown)]
        return speak(ParsedReply(next_actions(web), "On we go."), speech, screen, marked, asked)

    return answer


class Steps:
    """A sink that keeps steps in a list."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    async def step(self, step: Step, picture: bytes | None) -> None:
        self.steps.append(step)

    @property
    def usage(self) -> Usage:
        total = Usage()
        for step in self.steps:
            total = total + (step.usage or Usage())
        return total


async def run(
    name: str,
    web: Web,
    stage: Stage,
    url: str,
    limits: ServiceLimits = ServiceLimits(),
    options: dict[str, Any] | None = None,
) -> tuple[Stop, Steps]:
    web.pages["/trip"] = PAGE
    web.pages["/tell"] = "ok"
    web.posts.clear()
    sink = Steps()
    async with Models(keys=Keys({}), limits=limits) as models:
        agent = model_agent(name, models.open(f"some-model@{url}", api=family(name).api), options)
        environment = stage.environment(Policy(hosts={HOST: web.place}))
        try:
            end = await attempt(agent, environment, TASK, sink, AttemptLimits(steps=40))
        finally:
            await environment.close()
    return end.stop, sink


@pytest.mark.parametrize("name", names())
@pytest.mark.asyncio(loop_scope="session")
async def test_every_family_does_the_task(name: str, serve: Serve, web: Web, stage: Stage) -> None:
    service = serve(answer=playing(web))
    stop, sink = await run(name, web, stage, service.v1)
    assert stop.reason == "terminated"
    assert "go:Lisbon" in web.posts
    assert [type(taken.action).__name__ for step in sink.steps for taken in step.actions] == [
        "Click",
        "Write",
        "Click",
        "Terminate",
    ]
    ending = sink.steps[-1].actions[-1].action
    assert isinstance(ending, Terminate)
    assert ending.answer == "Booked."
    counted = service.books.total.tokens
    assert (sink.usage.input_tokens, sink.usage.output_tokens) == (counted.input, counted.output)
    assert sink.usage.cached_tokens == counted.cached


@pytest.mark.parametrize("name", ["som", "openai"])
@pytest.mark.asyncio(loop_scope="session")
async def test_the_run_goes_on_through_every_misbehaviour(name: str, serve: Serve, web: Web, stage: Stage) -> None:
    how = Misbehaviour(tuple(kind for kind in KINDS if kind != "hang"), every=2, retry_after=0.01)
    service = serve(answer=misbehaving(playing(web), how))
    limits = ServiceLimits(timeout=60.0, retries=8, first_wait=0.01, longest_wait=0.02)
    stop, sink = await run(name, web, stage, service.v1, limits)
    assert stop.reason == "terminated"
    assert "go:Lisbon" in web.posts
    counted = service.books.total
    assert (sink.usage.input_tokens, sink.usage.output_tokens) == (counted.tokens.input, counted.tokens.output)
    assert (sink.usage.requests, sink.usage.unaccounted) == (counted.replies, counted.lost)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_run_goes_on_through_a_service_that_hangs(serve: Serve, web: Web, stage: Stage) -> None:
    service = serve(answer=misbehaving(playing(web), Misbehaviour(("hang",), every=3, hang=60.0)))
    limits = ServiceLimits(timeout=2.0, retries=8, first_wait=0.01, longest_wait=0.02)
    stop, sink = await run("fara", web, stage, service.v1, limits)
    assert stop.reason == "terminated"
    assert "go:Lisbon" in web.posts
    assert sink.usage.unaccounted >= 1


@pytest.mark.sweep
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("viewport", [Size(1440, 900), Size(1280, 720), Size(1024, 1366)], ids=str)
async def test_every_family_at_every_size(scale: float, viewport: Size, serve: Serve, web: Web) -> None:
    async with Stage(BrowserSettings(viewport=viewport, scale=scale)) as stage:
        for name in names():
            service = serve(answer=playing(web, viewport))
            stop, _ = await run(name, web, stage, service.v1)
            assert (name, stop.reason, "go:Lisbon" in web.posts) == (name, "terminated", True)
