"""A model behind a real server: replies, retries, books, budget, cache, transcript, keys."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path

import pytest
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from tests.models.conftest import APIS, HELLO, PRICED, QUICK, SECRET, Serve, opened, shared
from workalike.core.errors import BadInput, Infrastructure, ModelFailed, ServiceDown
from workalike.core.trajectory import Usage
from workalike.models.budget import Budget, Cap
from workalike.models.client import ServiceLimits, reported
from workalike.models.keys import Keys
from workalike.models.messages import Picture, Reply, Request, SampleKey, Sampling, Text, said
from workalike.models.names import Api
from workalike.models.served import Models
from workalike.models.server.asked import Broken, CutOff, Hanging, Malformed, RateLimited, Reported
from workalike.models.transcript import exchanges
from workalike.runtime.serving import serving_apart
from workalike.store.transcripts import read_books


@pytest.mark.parametrize("api", APIS)
async def test_a_reply_comes_with_its_usage(serve: Serve, api: Api) -> None:
    service = serve("Good day.")
    async with shared(prices=PRICED) as models:
        reply = await opened(models, service, api).reply(HELLO)
    assert reply.text == "Good day."
    counted = service.books.total.tokens
    assert reply.usage.requests == 1
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (counted.input, counted.output)
    assert reply.usage.cost == pytest.approx((counted.input * 2 + counted.output * 8) / 1e6)
    assert [message.text for message in service.asked[0].request.messages] == ["Be brief.", "Hello?"]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("fault", "unaccounted"),
    [
        (RateLimited(0.02), 0),
        (RateLimited(), 0),
        (Broken(500), 0),
        (Broken(529), 0),
        (CutOff(Reply((Text("half"),))), 1),
        (Malformed(Reply((Text("half"),))), 1),
    ],
)
async def test_a_passing_fault_is_tried_again_and_the_books_are_right(
    serve: Serve, api: Api, fault: object, unaccounted: int
) -> None:
    service = serve(fault, fault, "At last.")
    async with shared(prices=PRICED) as models:
        model = opened(models, service, api)
        reply = await model.reply(HELLO)
    assert reply.text == "At last."
    counted = service.books.total
    assert counted.requests == 3
    assert (model.usage.input_tokens, model.usage.output_tokens) == (counted.tokens.input, counted.tokens.output)
    assert model.usage.requests == counted.replies == 1
    assert model.usage.unaccounted == counted.lost == 2 * unaccounted
    assert reply.usage == model.usage == models.usage


async def test_a_hanging_service_is_given_up_on_and_asked_again(serve: Serve) -> None:
    service = serve(Hanging(60.0), "Here.")
    async with shared(ServiceLimits(timeout=1.0, first_wait=0.01)) as models:
        reply = await opened(models, service).reply(HELLO)
    assert reply.text == "Here."
    assert reply.usage.unaccounted >= 1


async def test_retry_after_is_kept_to_and_holds_for_everybody(serve: Serve) -> None:
    service = serve(RateLimited(0.4), "a", "b")
    async with shared() as models:
        model = opened(models, service)
        started = time.monotonic()
        first = asyncio.create_task(model.reply(HELLO))
        while not service.asked:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        await asyncio.gather(first, model.reply(HELLO))
        assert time.monotonic() - started >= 0.4
    assert service.books.total.replies == 2


async def test_a_wait_longer_than_our_patience_ends_it(serve: Serve) -> None:
    service = serve(RateLimited(3600.0), "never")
    async with shared() as models:
        with pytest.raises(Infrastructure, match=r"429.*left alone for 3,600 s"):
            await opened(models, service).reply(HELLO)
    assert len(service.asked) == 1


async def test_whoever_watches_hears_of_every_wait(serve: Serve) -> None:
    service, heard = serve(Broken(503), RateLimited(0.02), "At last."), list[str]()
    async with shared(tell=heard.append) as models:
        await opened(models, service).reply(HELLO)
    assert [sentence[:3] for sentence in heard] == ["503", "429"]
    assert all("trying again in" in sentence for sentence in heard)


async def test_whoever_watches_hears_once_that_a_server_cannot_be_reached_and_for_how_long_it_is_tried() -> None:
    heard, limits = list[str](), ServiceLimits(retries=3, first_wait=0.5)
    async with shared(limits, tell=heard.append) as models:
        model = models.open("m@http://127.0.0.1:9/v1")
        await asyncio.gather(*(model.reply(HELLO) for _ in range(3)), return_exceptions=True)
    where = "model server at http://127.0.0.1:9/v1 does not answer (connection refused)"
    assert heard in ([f"{where}; trying again for {seconds} s"] for seconds in (3, 4))


async def test_a_server_that_is_just_starting_is_waited_for(tmp_path: Path) -> None:
    heard = list[str]()
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        spec = f"m@http://127.0.0.1:{place.getsockname()[1]}/v1"
        async with shared(ServiceLimits(startup=30.0), tell=heard.append) as models:
            waiting = asyncio.create_task(models.need_model(spec))
            while not heard:
                await asyncio.sleep(0.01)
            place.listen()
            await waiting
        async with shared(ServiceLimits(startup=0.1)) as models:
            await models.need_model("m@http://models.test/v1")  # what is elsewhere is not looked for
            await models.need_model(None)
    with pytest.raises(BadInput, match=r"no model server answers at http://127.0.0.1:9/v1 \(connection refused\)"):
        await shared(ServiceLimits(startup=0.1)).need_model("m@http://127.0.0.1:9/v1")
    cached = shared(ServiceLimits(startup=0.1), cache=tmp_path / "cache.sqlite")
    await cached.need_model("m@http://127.0.0.1:9/v1")
    await cached.close()


async def test_a_model_of_ours_is_played_under_its_plain_name_and_costs_nothing(serve: Serve, tmp_path: Path) -> None:
    service = serve("Good day.")
    async with shared(budget=Budget(Cap(dollars=1.0))) as models:
        models.play("scripted", f"scripted@{service.v1}")
        await models.need_model("scripted")
        model = models.open("scripted", transcript=tmp_path / "transcript.jsonl")
        reply = await model.reply(HELLO)
        await model.close()
    assert (model.name, reply.usage.cost) == ("scripted", 0.0)
    assert [exchange.model for exchange in exchanges(tmp_path / "transcript.jsonl")] == ["scripted"]


async def test_tries_are_bounded_and_the_sentence_says_how_it_ended(serve: Serve) -> None:
    service = serve(Broken(503))
    async with shared() as models:
        with pytest.raises(Infrastructure, match="after 5 tries: 503") as failure:
            await opened(models, service).reply(HELLO)
    assert len(service.asked) == 5
    assert not isinstance(failure.value, ServiceDown), "another request may fare better"


@pytest.mark.parametrize(
    ("status", "error", "nobody"),
    [
        (404, {"message": "The model `nope` does not exist", "code": "model_not_found"}, True),
        (404, {"message": "model: claude-nope", "type": "not_found_error"}, True),
        (404, {"message": "File Not Found", "type": "not_found_error"}, True),
        (404, {"message": "Item with id 'rs_1' not found."}, False),
        (400, {"message": "No.", "code": "model_not_found"}, True),
        (400, {"message": "nope is not a valid model ID"}, True),
        (400, {"message": "The provided model identifier is invalid."}, True),
        (400, {"message": "The model does not take pictures."}, False),
        (400, {"message": "This model's maximum context length is 4096 tokens."}, False),
    ],
)
async def test_a_model_that_is_not_there_answers_nobody(status: int, error: dict[str, str], nobody: bool) -> None:
    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        await JSONResponse({"error": error}, status)(scope, receive, send)

    with serving_apart(refuse) as url:
        async with Models(limits=QUICK) as models:
            with pytest.raises(ServiceDown if nobody else ModelFailed, match=f"no usable answer: {status}") as caught:
                await models.open(f"nope@{url}/v1").reply(HELLO)
    assert ("lists the models it has" in str(caught.value)) is (nobody or status == 404)


@pytest.mark.parametrize("status", [401, 402, 403])
async def test_a_service_that_turns_us_away_is_down_for_everything(serve: Serve, status: int) -> None:
    service = serve(Broken(status))
    async with shared() as models:
        with pytest.raises(ServiceDown, match=f"no usable answer: {status}"):
            await opened(models, service).reply(HELLO)
    assert len(service.asked) == 1


async def test_a_refused_request_is_not_tried_again(serve: Serve) -> None:
    service = serve(Broken(400))
    async with shared() as models:
        with pytest.raises(ModelFailed, match="no usable answer: 400"):
            await opened(models, service).reply(HELLO)
    assert len(service.asked) == 1


async def test_nobody_there_is_a_service_that_is_down_not_a_crash() -> None:
    async with shared(ServiceLimits(retries=1, first_wait=0.01)) as models:
        with pytest.raises(ServiceDown, match="no connection"):
            await models.open("m@http://127.0.0.1:9/v1").reply(HELLO)
        assert models.usage == Usage()


@pytest.mark.parametrize("api", APIS)
async def test_a_reply_of_ten_megabytes_is_read_and_a_longer_one_than_allowed_is_not(serve: Serve, api: Api) -> None:
    service = serve("x" * 10 * 1024 * 1024)
    async with shared() as models:
        assert len((await opened(models, service, api).reply(HELLO)).text) == 10 * 1024 * 1024
    async with shared(ServiceLimits(most_bytes=1 << 20)) as models:
        with pytest.raises(ModelFailed, match="longer than"):
            await opened(models, service, api).reply(HELLO)


STRANGE: dict[Api, list[object]] = {
    "chat": [{"choices": [{"message": {"content": {"a": 1}}}]}, {"choices": [{"message": {"tool_calls": [{}]}}]}],
    "responses": [
        {"output": [{"type": "message", "content": "hello"}]},
        {"output": [{"type": "message", "content": ["hello"]}]},
        {"output": [{"type": "reasoning", "summary": "x"}]},
        {"output": [{"type": "computer_call", "pending_safety_checks": [{"code": "x"}]}]},
        {"output": [], "incomplete_details": {"reason": ["x"]}},
    ],
    "messages": [{"content": [{"type": "text", "text": ["a"]}]}, {"content": [{"type": "tool_use", "input": "x"}]}],
}


@pytest.mark.parametrize("api", APIS)
async def test_a_reply_of_a_strange_shape_is_no_crash(api: Api, tmp_path: Path) -> None:
    given = list(STRANGE[api])

    async def odd(scope: Scope, receive: Receive, send: Send) -> None:
        await JSONResponse(given[0])(scope, receive, send)

    with serving_apart(odd) as address:
        async with shared(ServiceLimits(retries=1, first_wait=0.01)) as models:
            while given:
                path = tmp_path / f"{len(given)}.jsonl"
                model = models.open(f"m@{address}/v1", api=api, transcript=path)
                try:
                    assert isinstance((await model.reply(HELLO)).text, str)
                except ModelFailed as error:
                    assert "no usable answer" in str(error)
                    assert read_books(path).usage.unaccounted == 2
                await model.close()
                given.pop(0)


async def test_no_more_requests_at_once_than_allowed(serve: Serve) -> None:
    running = most = 0

    async def answer(_: object) -> Reply:
        nonlocal running, most
        running, most = running + 1, max(most, running + 1)
        await asyncio.sleep(0.03)
        running -= 1
        return Reply((Text("ok"),))

    service = serve(answer=answer)
    async with shared(ServiceLimits(concurrency=3)) as models:
        model = opened(models, service)
        await asyncio.gather(*(model.reply(HELLO) for _ in range(10)))
    assert most == 3


async def test_sampling_the_user_set_goes_before_the_callers(serve: Serve) -> None:
    service = serve("ok")
    asked = Request(HELLO.messages, sampling=Sampling(temperature=0.0, max_tokens=50))
    async with shared() as models:
        await opened(models, service, sampling=Sampling(temperature=0.7, top_p=0.9)).reply(asked)
    got = service.asked[0].request.sampling
    assert (got.temperature, got.top_p, got.max_tokens) == (0.7, 0.9, 50)


async def test_anthropics_older_version_is_asked_for_where_a_temperature_is_set(serve: Serve) -> None:
    service = serve("ok")
    async with shared() as models:
        for temperature in (None, 0.0):
            await opened(models, service, "messages", sampling=Sampling(temperature=temperature)).reply(HELLO)
    usual, older = (asked.headers["anthropic-version"] for asked in service.asked)
    assert (usual != older, older) == (True, "2023-06-01")


async def test_every_draw_has_a_seed_of_its_own(serve: Serve) -> None:
    service = serve("ok")
    draws = [SampleKey(), SampleKey(repeat=1), SampleKey(vote=1), SampleKey(attempt=1), SampleKey().again()]
    async with shared() as models:
        model = opened(models, service, sampling=Sampling(seed=7))
        for draw in draws:
            await model.reply(HELLO, draw)
    assert len({asked.request.sampling.seed for asked in service.asked}) == len(draws)


async def test_the_cache_answers_the_same_draw_only(serve: Serve, tmp_path: Path) -> None:
    service = serve("one", "two", "three")
    for _ in range(2):
        async with shared(cache=tmp_path / "cache.sqlite", prices=PRICED) as models:
            model = opened(models, service)
            got = [(await model.reply(HELLO, SampleKey(vote=vote))).text for vote in (0, 1, 0)]
            assert got == ["one", "two", "one"]
    assert model.usage == Usage()
    assert len(service.asked) == 2


async def test_an_unknown_price_is_unknown_and_not_nothing(serve: Serve) -> None:
    service = serve("ok")
    async with shared() as models:
        reply = await opened(models, service).reply(HELLO)
    assert reply.usage.cost is None
    assert reply.usage.input_tokens > 0


async def test_the_transcript_tells_the_whole_story_and_holds_each_message_once(serve: Serve, tmp_path: Path) -> None:
    service = serve(RateLimited(0.01), "first", Malformed(), "second")
    path = tmp_path / "transcript.jsonl"
    shot = Picture(b"\x89PNG" + b"pixels" * 1000)
    async with shared(prices=PRICED) as models:
        model = opened(models, service, transcript=path)
        first = Request((said("system", "Rules."), said("user", "Look.", shot)))
        reply = await model.reply(first)
        await model.reply(
            Request((*first.messages, said("assistant", *reply.parts), said("user", "On."))), SampleKey(2)
        )
        await model.close()
    text = path.read_text()
    assert text.count("Rules.") == 1
    assert "pixels" not in text
    one, two = exchanges(path)
    assert [message.text for message in two.request.messages] == ["Rules.", "Look.", "first", "On."]
    assert (one.reply, two.reply) == (one.reply, two.reply)
    assert one.reply is not None
    assert one.reply.text == "first"
    assert one.troubles[0].startswith("429")
    assert two.draw == SampleKey(2)
    assert read_books(path).usage == model.usage
    assert model.usage.unaccounted == 1


async def test_a_transcript_cut_short_by_a_crash_still_counts(serve: Serve, tmp_path: Path) -> None:
    service = serve("ok")
    path = tmp_path / "transcript.jsonl"
    async with shared() as models:
        model = opened(models, service, transcript=path)
        await model.reply(HELLO)
        await model.reply(HELLO)
        await model.close()
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:3]) + lines[3][:40])  # killed while the second reply was being written
        again = opened(models, service, transcript=path)
        await again.reply(HELLO)
        await again.close()
    total = read_books(path).usage
    assert total.requests == 2
    assert total.unaccounted == 1
    assert [exchange.number for exchange in exchanges(path)] == [0, 1, 2]


@pytest.mark.parametrize("api", APIS)
async def test_keys_go_to_the_service_and_nowhere_else(serve: Serve, tmp_path: Path, api: Api) -> None:
    service = serve(f"Your key is {SECRET}, isn't it?", Broken(400))
    path = tmp_path / "transcript.jsonl"
    async with shared(cache=tmp_path / "cache.sqlite") as models:
        model = opened(models, service, api, transcript=path)
        reply = await model.reply(Request((said("user", f"my key: {SECRET}"),)))
        assert reply.text == "Your key is [redacted], isn't it?"
        with pytest.raises(ModelFailed) as failure:
            await model.reply(Request((said("user", "again"),)))
        await model.close()
        assert SECRET not in f"{failure.value} {models.keys!r} {model.endpoint!r}"
    sent = service.asked[0].headers
    assert SECRET in (sent.get("authorization", "") + sent.get("x-api-key", ""))
    assert all(SECRET.encode() not in file.read_bytes() for file in tmp_path.iterdir())
    assert "[redacted]" in path.read_text()


async def test_a_services_own_key_is_not_sent_elsewhere(serve: Serve) -> None:
    service = serve("ok")
    keys = Keys({"OPENAI_API_KEY": "sk-openaisownkey0123456789abcdef", "ANTHROPIC_API_KEY": "anthropics-own"})
    async with Models(keys=keys, limits=QUICK) as models:
        for api in APIS:
            await models.open(f"m@{service.v1}", api=api).reply(HELLO)
    for asked in service.asked:
        assert not any("own" in value for value in asked.headers.values())


async def test_headers_tell_attempts_apart(serve: Serve) -> None:
    service = serve("ok")
    async with shared() as models:
        await opened(models, service, headers={"X-Workalike-Attempt": "t1/0.0"}).reply(HELLO)
    assert service.asked[0].headers["x-workalike-attempt"] == "t1/0.0"


async def test_a_request_given_up_on_is_written_down(serve: Serve, tmp_path: Path) -> None:
    service = serve(Hanging(60.0))
    path = tmp_path / "transcript.jsonl"
    async with shared() as models:
        model = opened(models, service, transcript=path)
        task = asyncio.create_task(model.reply(HELLO))
        while not service.asked:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await model.close()
    assert model.usage == Usage(unaccounted=1)
    assert read_books(path).usage == model.usage


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("code", [429, "502", "rate_limit_exceeded", None])
async def test_an_error_in_a_body_of_200_is_tried_again_and_not_paid_for(
    serve: Serve, api: Api, code: int | str | None
) -> None:
    service = serve(Reported(code, "busy: free models, per minute"), "At last.")
    async with shared(prices=PRICED) as models:
        reply = await opened(models, service, api).reply(HELLO)
    assert (reply.text, reply.usage.requests, reply.usage.unaccounted) == ("At last.", 1, 0)


@pytest.mark.parametrize("api", APIS)
async def test_an_error_in_a_body_of_200_is_told_in_the_services_own_words(serve: Serve, api: Api) -> None:
    service = serve(Reported(400, "no such picture here"))
    async with shared() as models:
        with pytest.raises(ModelFailed, match="no usable answer: 400 no such picture here"):
            await opened(models, service, api).reply(HELLO)
        assert models.usage == Usage()
    assert len(service.asked) == 1
    assert reported(b'{"choices": [{"error": {"code": 503, "message": "gone"}}]}').sentence == "503 gone"  # type: ignore[union-attr]
