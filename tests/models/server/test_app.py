"""Other people's clients understand the server: the SDKs themselves, held to their own types."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.models.conftest import Serve
from workalike.core.screen import Size
from workalike.models.messages import ComputerTool, Reply, Text, Thinking, ToolCall
from workalike.models.probe import number_picture

PNG = base64.b64encode(number_picture("58")).decode()
CLICK = Reply(
    (Thinking("look"), Text("I click."), ToolCall("c1", "computer", {"actions": [{"type": "wait"}]})), "calls"
)


def post(url: str, body: Any) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


async def test_the_openai_sdk_reads_chat_completions(serve: Serve) -> None:
    import openai

    service = serve(Reply((Text("Hi."), ToolCall("c1", "visit", {"url": "x"})), "calls"))
    client = openai.AsyncOpenAI(api_key="k", base_url=service.v1, _strict_response_validation=True)
    content: Any = [
        {"type": "text", "text": "?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
    ]
    got = await client.chat.completions.create(model="m", messages=[{"role": "user", "content": content}])
    assert got.choices[0].message.content == "Hi."
    assert got.choices[0].finish_reason == "tool_calls"
    assert got.usage is not None
    assert got.usage.prompt_tokens == service.books.total.tokens.input
    assert [model.id async for model in client.models.list()] == ["oracle"]
    await client.close()


@pytest.mark.parametrize("tool", ["computer", "computer_use_preview"])
async def test_the_openai_sdk_reads_responses(serve: Serve, tool: str) -> None:
    import openai

    service = serve(CLICK)
    client = openai.AsyncOpenAI(api_key="k", base_url=service.v1, _strict_response_validation=True)
    size = {"display_width": 800, "display_height": 600, "environment": "browser"} if "preview" in tool else {}
    offered: Any = {"type": tool, **size}
    got = await client.responses.create(model="m", input="go", tools=[offered], truncation="auto")
    assert [item.type for item in got.output] == ["reasoning", "message", "computer_call"]
    assert got.output_text == "I click."
    assert got.usage is not None
    assert got.usage.output_tokens == service.books.total.tokens.output
    await client.close()


@pytest.mark.parametrize("version", ["computer_toolset_20260801", "computer_20250124"])
async def test_the_anthropic_sdk_reads_messages(serve: Serve, version: str) -> None:
    import anthropic

    click = ToolCall("c1", "computer", {"action": "left_click", "coordinate": [3, 4]})
    service = serve(Reply((Thinking("look"), Text("I click."), click), "calls"))
    client = anthropic.AsyncAnthropic(api_key="k", base_url=service.url, _strict_response_validation=True)
    grouped = "toolset" in version
    tool: Any = {"type": version} | (
        {} if grouped else {"name": "computer", "display_width_px": 8, "display_height_px": 6}
    )
    got = await client.beta.messages.create(
        model="m",
        max_tokens=9,
        messages=[{"role": "user", "content": "go"}],
        tools=[tool],
        betas=["computer-use-2025-01-24"],
    )
    assert [block.type for block in got.content] == ["thinking", "text", "tool_use"]
    called: Any = got.content[2]
    assert called.name == ("left_click" if grouped else "computer")
    assert got.stop_reason == "tool_use"
    assert got.usage.input_tokens == service.books.total.tokens.input
    await client.close()


async def test_the_openai_sdk_reads_streams(serve: Serve) -> None:
    import openai

    service = serve(Reply((Text("Hi."), ToolCall("c1", "visit", {"url": "x"})), "calls"))
    client = openai.AsyncOpenAI(api_key="k", base_url=service.v1, _strict_response_validation=True)
    chunks = [
        chunk
        async for chunk in await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "?"}], stream=True, stream_options={"include_usage": True}
        )
    ]
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == "Hi."
    called = [call for delta in deltas for call in delta.tool_calls or []]
    assert called[0].function is not None
    assert called[0].function.arguments == '{"url":"x"}'
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.prompt_tokens == service.books.total.tokens.input
    async with client.responses.stream(model="m", input="go") as events:
        final = await events.get_final_response()
    assert final.output_text == "Hi."
    assert [item.type for item in final.output] == ["message", "function_call"]
    await client.close()


async def test_the_anthropic_sdk_reads_streams(serve: Serve) -> None:
    import anthropic

    service = serve(Reply((Thinking("look"), Text("Hi."), ToolCall("c1", "visit", {"url": "x"})), "calls"))
    client = anthropic.AsyncAnthropic(api_key="k", base_url=service.url)
    async with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "go"}]) as events:
        final = await events.get_final_message()
    assert [block.type for block in final.content] == ["thinking", "text", "tool_use"]
    called: Any = final.content[2]
    assert called.input == {"url": "x"}
    assert final.stop_reason == "tool_use"
    assert final.usage.output_tokens == service.books.total.tokens.output
    await client.close()


def test_the_answering_function_sees_who_asks_and_with_what(serve: Serve) -> None:
    service = serve("ok")
    tool = {"type": "computer_use_preview", "display_width": 800, "display_height": 600, "environment": "browser"}
    post(f"{service.v1}/responses", {"model": "gpt", "input": "hi", "tools": [tool]})
    (asked,) = service.asked
    assert (asked.api, asked.model, asked.number) == ("responses", "gpt", 0)
    assert asked.computer == ComputerTool(Size(800, 600), "computer_use_preview")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("chat/completions", b"{"),
        ("chat/completions", {"model": "m"}),
        ("chat/completions", {"messages": [{"role": "wizard", "content": "x"}]}),
        ("chat/completions", {"messages": ["hello"]}),
        ("responses", {"input": [{"type": "teleport"}]}),
        ("responses", {"input": "x", "previous_response_id": "resp_1"}),
        ("messages", {"messages": []}),
        ("messages", {"max_tokens": 1, "messages": [{"role": "user", "content": [{"type": "image", "source": {}}]}]}),
    ],
)
def test_a_bad_request_is_refused_with_a_sentence(serve: Serve, path: str, body: Any) -> None:
    service = serve("never")
    status, got = post(f"{service.v1}/{path}", body)
    assert status == 400
    assert got["error"]["message"]
    assert not service.asked


def test_the_books_can_be_asked_for_and_know_what_was_sent_before(serve: Serve) -> None:
    service = serve("ok")
    history: list[Any] = [{"role": "user", "content": "a long beginning " * 50}]
    first = post(f"{service.v1}/chat/completions", {"messages": history})[1]["usage"]
    history += [{"role": "assistant", "content": "ok"}, {"role": "user", "content": "more"}]
    second = post(f"{service.v1}/chat/completions", {"messages": history})[1]["usage"]
    assert first["prompt_tokens_details"]["cached_tokens"] == 0
    assert second["prompt_tokens_details"]["cached_tokens"] == first["prompt_tokens"]
    with urllib.request.urlopen(f"{service.url}/books", timeout=60) as response:
        total = json.loads(response.read())
    assert total["replies"] == 2
    assert total["tokens"]["input"] == first["prompt_tokens"] + second["prompt_tokens"]


CALLS = {"chat/completions": "messages", "responses": "input", "messages": "messages"}
STRANGE: dict[str, bytes] = {
    "deep lists": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"messages":' * 50_000,
    "deep in place": b'{"messages": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "no utf-8": b'{"model": "\xff\xfe"}',
    "nothing": b"",
    "a number": b"5",
    "long number": b'{"messages": [], "max_tokens": ' + b"9" * 5000 + b"}",
}
ILL_TYPED: tuple[dict[str, Any], ...] = (
    {"stream_options": 5},
    {"stream_options": "x"},
    {"stream_options": [1]},
    {"messages": 5, "input": 5},
    {"messages": [5], "input": [5]},
    {"messages": [{"role": 5, "content": {"a": []}}], "input": [{"role": 5, "content": {"a": []}}]},
    {"tools": 5},
    {"tools": [5]},
    {"tools": {"a": None}},
    {"tools": [{"type": 5, "function": 7}]},
    {"tools": [{"type": "function", "function": {"name": ["x"], "parameters": 5}}]},
)


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize("body", STRANGE.values(), ids=STRANGE)
def test_strange_bodies_are_bad_requests(serve: Serve, path: str, body: bytes) -> None:
    status, told = post(f"{serve('yes').v1}/{path}", body)
    assert status == 400
    assert told["error"]["message"]


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize("given", ILL_TYPED, ids=range(len(ILL_TYPED)))
def test_ill_typed_fields_are_answered_or_bad_requests(serve: Serve, path: str, given: dict[str, Any]) -> None:
    asked = {"model": "m", "max_tokens": 5, CALLS[path]: [{"role": "user", "content": "hi"}]}
    status, _ = post(f"{serve('yes').v1}/{path}", {**asked, **given})
    assert status == 400 if "stream_options" in given else status in (200, 400)
