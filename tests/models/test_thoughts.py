"""Summaries of what a model thinks: asked for where agents act by calls, done without where a service refuses."""

from __future__ import annotations

import pytest

from tests.models.conftest import HELLO, Serve, opened, shared
from workalike.core.errors import ModelFailed
from workalike.core.screen import Size
from workalike.models.asked import Asked
from workalike.models.client import ServiceLimits
from workalike.models.messages import ComputerTool, Reply, Request, Sampling, Text, said
from workalike.models.names import Api
from workalike.models.server.asked import Broken, Fault

REFUSALS: dict[Api, list[str]] = {
    "messages": [
        "adaptive thinking is not supported on this model",
        "thinking.display: Extra inputs are not permitted",
    ],
    "responses": [
        "Unsupported parameter: 'reasoning.summary' is not supported with the 'gpt-4o' model.",
        "Your organization must be verified to generate reasoning summaries.",
    ],
}
LOOK = Request((said("user", "Click."),), (ComputerTool(Size(100, 100), ""),))


@pytest.mark.parametrize(("api", "sentence"), [(api, each) for api, said_so in REFUSALS.items() for each in said_so])
async def test_thoughts_are_asked_for_until_a_service_refuses(serve: Serve, api: Api, sentence: str) -> None:
    async def answer(asked: Asked) -> Reply | Fault:
        return Broken(400, sentence) if asked.request.sampling.thoughts else Reply((Text("ok"),))

    service = serve(answer=answer)
    async with shared(ServiceLimits(retries=0)) as models:
        for _ in range(2):
            assert (await opened(models, service, api).reply(LOOK)).text == "ok"
    assert [each.request.sampling.thoughts for each in service.asked] == [True, None, None]


@pytest.mark.parametrize(
    ("api", "sentence"),
    [
        ("messages", "messages.1.content.0.thinking: Invalid signature in thinking block"),
        ("responses", "Item 'rs_1' of type 'reasoning' was provided without its required following item."),
    ],
)
async def test_other_refusals_are_no_reason_to_do_without_thoughts(serve: Serve, api: Api, sentence: str) -> None:
    service = serve(Broken(400, sentence))
    async with shared() as models:
        with pytest.raises(ModelFailed, match="400"):
            await opened(models, service, api).reply(LOOK)
    assert len(service.asked) == 1


async def test_where_a_temperature_is_set_anthropic_is_not_asked_for_thoughts_on_top(serve: Serve) -> None:
    service = serve("ok")
    async with shared() as models:
        for wanted in (None, True):
            sampling = Sampling(temperature=0.0, thoughts=wanted)
            await opened(models, service, "messages", sampling=sampling).reply(LOOK)
    assert [each.request.sampling.thoughts for each in service.asked] == [None, True]


@pytest.mark.parametrize("api", ["messages", "responses"])
async def test_thoughts_can_be_asked_for_or_done_without(serve: Serve, api: Api) -> None:
    service = serve("ok")
    async with shared() as models:
        for request, wanted in ((LOOK, None), (LOOK, False), (HELLO, None), (HELLO, True)):
            await opened(models, service, api, sampling=Sampling(thoughts=wanted)).reply(request)
    assert [each.request.sampling.thoughts for each in service.asked] == [True, None, None, True]
