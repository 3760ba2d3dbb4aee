"""Replies as streams of events, for harnesses that ask for them. The whole stream is sent at once: what matters here is
its shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from workalike.models.names import Api

Event = tuple[str, dict[str, Any]]


def stream(api: Api, body: dict[str, Any], with_usage: bool) -> bytes:
    """The body of a reply as server-sent events, in the order each API has them."""
    if api == "chat":
        chunks = [*_chat(body), *([{**_chunk(body), "choices": [], "usage": body["usage"]}] if with_usage else [])]
        return b"".join(b"data: " + msgspec.json.encode(chunk) + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"
    events = _messages(body) if api == "messages" else _numbered(_responses(body))
    return b"".join(f"event: {name}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n" for name, data in events)


def _chunk(body: dict[str, Any]) -> dict[str, Any]:
    return {**{key: body[key] for key in ("id", "created", "model")}, "object": "chat.completion.chunk"}


def _chat(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    choice = body["choices"][0]
    said = choice["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{key: said[key]} for key in ("reasoning_content", "content") if said.get(key)]
    calls = [{"index": number, **call} for number, call in enumerate(said.get("tool_calls") or [])]
    deltas += [{"tool_calls": calls}] if calls else []
    for delta in deltas:
        yield {**_chunk(body), "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**_chunk(body), "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}


def _numbered(events: Iterator[Event]) -> Iterator[Event]:
    for number, (name, data) in enumerate(events):
        yield name, {"type": name, "sequence_number": number, **data}


def _responses(body: dict[str, Any]) -> Iterator[Event]:
    begun = {**body, "status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"response": begun}
    for number, item in enumerate(body["output"]):
        at = {"output_index": number}
        empty = {**item, "content": []} if item["type"] == "message" else item
        yield "response.output_item.added", {**at, "item": {**empty, "status": "in_progress"}}
        if item["type"] == "message":
            yield from _responses_text(item, at)
        yield "response.output_item.done", {**at, "item": item}
    yield "response.completed", {"response": body}


def _responses_text(item: dict[str, Any], at: dict[str, Any]) -> Iterator[Event]:
    for index, part in enumerate(item["content"]):
        where = {**at, "item_id": item["id"], "content_index": index}
        yield "response.content_part.added", {**where, "part": {**part, "text": ""}}
        yield "response.output_text.delta", {**where, "delta": part["text"], "logprobs": []}
        yield "response.output_text.done", {**where, "text": part["text"], "logprobs": []}
        yield "response.content_part.done", {**where, "part": part}


def _messages(body: dict[str, Any]) -> Iterator[Event]:
    begun = {**body, "content": [], "stop_reason": None, "usage": {**body["usage"], "output_tokens": 0}}
    yield "message_start", {"type": "message_start", "message": begun}
    for index, block in enumerate(body["content"]):
        empty, deltas = _block(block)
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": ending, "usage": body["usage"]}
    yield "message_stop", {"type": "message_stop"}


def _block(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and what is added to it."""
    match block["type"]:
        case "text":
            return {**block, "text": ""}, [{"type": "text_delta", "text": block["text"]}]
        case "thinking":
            thought = {"type": "thinking_delta", "thinking": block["thinking"]}
            return {**block, "thinking": "", "signature": ""}, [
                thought,
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        case _:
            written = msgspec.json.encode(block["input"]).decode()
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": written}]
