"""Probing an endpoint: plain findings, whatever it can or cannot do."""

from __future__ import annotations

import pytest

from tests.models.conftest import QUICK, Serve
from workalike.models.asked import Asked
from workalike.models.client import ServiceLimits
from workalike.models.keys import Keys
from workalike.models.messages import Reply, Text, ToolCall, pictures
from workalike.models.probe import ProbeResult, probe
from workalike.models.served import Models
from workalike.models.server.asked import Broken, Fault


async def found(serve: Serve, answer: object) -> dict[str, ProbeResult]:
    service = serve(answer=answer)
    async with Models(keys=Keys({}), limits=QUICK) as models:
        return {finding.what: finding for finding in await probe(models.open(f"m@{service.v1}"))}


async def capable(asked: Asked) -> Reply | Fault:
    request = asked.request
    if request.tools:
        return Reply((ToolCall("c", "weather", {"city": "Paris"}),), "calls")
    if pictures(request.messages):
        return Reply((Text("It shows 58."),))
    return Reply((Text('{"city": "Paris"}' if "Eiffel" in request.messages[-1].text else "Hello"),))


async def blind(asked: Asked) -> Reply | Fault:
    request = asked.request
    if pictures(request.messages) or request.schema:
        return Broken(400)
    return Reply((Text("Hello! I cannot see, and I use no tools."),))


async def test_a_capable_model(serve: Serve) -> None:
    got = await found(serve, capable)
    assert {what: finding.outcome for what, finding in got.items()} == dict.fromkeys(
        ("answers", "usage", "pictures", "tools", "json"), "works"
    )
    assert "can be held to a schema" in got["json"].sentence
    assert "price is unknown" in got["usage"].sentence


async def test_a_blind_one(serve: Serve) -> None:
    got = await found(serve, blind)
    assert got["answers"].outcome == "works"
    assert got["pictures"].outcome == "missing"
    assert "turned down" in got["pictures"].sentence
    assert (got["tools"].outcome, got["json"].outcome) == ("unsure", "unsure")


@pytest.mark.parametrize(
    ("reply", "says"), [(Reply(()), "with nothing"), (Reply((Text("No."),), "refused"), "refused to say hello: No.")]
)
async def test_one_that_says_nothing_is_not_praised(serve: Serve, reply: Reply, says: str) -> None:
    service = serve(reply)
    async with Models() as models:
        first, *_ = await probe(models.open(f"m@{service.v1}"))
    assert first.outcome == "unsure"
    assert says in first.sentence


VLLM = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'


async def test_a_server_that_takes_no_tools_is_in_order(serve: Serve) -> None:
    async def toolless(asked: Asked) -> Reply | Fault:
        return Broken(400, VLLM) if asked.request.tools else await capable(asked)

    got = await found(serve, toolless)
    assert {what: finding.outcome for what, finding in got.items() if finding.outcome != "works"} == {"tools": "unsure"}
    assert got["tools"].sentence.startswith("only the agents openai and anthropic need tools")
    assert VLLM in got["tools"].sentence


async def test_tools_that_break_a_server_are_missing(serve: Serve) -> None:
    async def fragile(asked: Asked) -> Reply | Fault:
        return Broken(500) if asked.request.tools else await capable(asked)

    assert (await found(serve, fragile))["tools"].outcome == "missing"


async def test_nobody_there() -> None:
    async with Models(keys=Keys({}), limits=ServiceLimits(retries=0)) as models:
        (finding,) = await probe(models.open("m@http://127.0.0.1:9/v1"))
    assert (finding.what, finding.outcome) == ("answers", "missing")
    assert "no connection" in finding.sentence
    assert finding.sentence.endswith("is a server running at http://127.0.0.1:9/v1?")


async def test_an_address_that_lacks_its_version_is_guessed(serve: Serve) -> None:
    service = serve("Hello")
    async with Models(keys=Keys({}), limits=QUICK) as models:
        (finding,) = await probe(models.open(f"m@{service.url}"))
    assert finding.sentence.endswith(f"m@{service.url}/v1")


async def test_a_service_says_which_models_it_has(serve: Serve) -> None:
    service = serve("Hello")
    async with Models(keys=Keys({}), limits=QUICK) as models:
        assert await models.open(f"m@{service.v1}").offered() == ("oracle",)
        assert await models.open(f"m@{service.v1}", api="messages").offered() == ("oracle",)
        assert await models.open(f"m@{service.url}/nowhere").offered() == ()


@pytest.mark.parametrize(("status", "hint"), [(401, "WORKALIKE_API_KEY"), (404, "lists the models")])
async def test_what_can_be_done_about_it_is_said(serve: Serve, status: int, hint: str) -> None:
    got = await found(serve, lambda asked: _broken(status))
    assert hint in got["answers"].sentence


async def _broken(status: int) -> Fault:
    return Broken(status)
