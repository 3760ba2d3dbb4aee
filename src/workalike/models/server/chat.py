"""Chat completions from the server's side: bodies read into requests, replies written into bodies."""

from __future__ import annotations

from typing import Any

from workalike.models.messages import Message, Part, Reply, Request, Sampling, Text, Thinking, Tokens, Tool, ToolResult
from workalike.models.server.asked import NotUnderstood, need, parts_of, picture_of
from workalike.models.wire import arguments_text, function_call

_FINISH = {"end": "stop", "calls": "tool_calls", "length": "length", "refused": "content_filter", "other": "stop"}


def read(body: dict[str, Any]) -> Request:
    """The request in a body."""
    messages = tuple(_message(each) for each in need(body, "messages", list))
    tools = tuple(_tool(each) for each in body.get("tools") or [])
    sampling = Sampling(
        body.get("temperature"),
        body.get("top_p"),
        body.get("seed"),
        body.get("max_completion_tokens") or body.get("max_tokens"),
        body.get("reasoning_effort"),
        _json_mode(body.get("response_format") or {}),
    )
    schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
    return Request(_gathered(messages), tools, sampling, schema)


def _message(message: dict[str, Any]) -> Message:
    role, content = need(message, "role", str), parts_of(message.get("content"), _part)
    if role == "tool":
        inner = tuple(part for part in content if isinstance(part, Text))
        return Message("user", (ToolResult(str(message.get("tool_call_id")), parts=inner),))
    if role == "assistant":
        calls = [
            function_call(each.get("id", ""), each["function"]["name"], each["function"].get("arguments"))
            for each in message.get("tool_calls") or []
        ]
        return Message("assistant", (*content, *calls))
    if role not in ("system", "developer", "user"):
        raise NotUnderstood(f"there is no role {role!r}")
    return Message("user" if role == "user" else "system", content)


def _part(piece: dict[str, Any]) -> Part:
    match piece.get("type"):
        case "text":
            return Text(str(piece.get("text", "")))
        case "image_url":
            image = piece.get("image_url")
            return picture_of(str(image.get("url", "") if isinstance(image, dict) else image))
        case other:
            raise NotUnderstood(f"there are no parts of type {other!r}")


def _gathered(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Results of several calls made one message again, together with what the user showed right after."""
    made: list[Message] = []
    for message in messages:
        last = made[-1] if made else None
        if last and last.role == message.role == "user" and isinstance(last.parts[-1], ToolResult):
            made[-1] = Message("user", last.parts + message.parts)
        else:
            made.append(message)
    return tuple(made)


def _tool(tool: dict[str, Any]) -> Tool:
    function = need(tool, "function", dict)
    return Tool(need(function, "name", str), function.get("description") or "", function.get("parameters") or {})


def _json_mode(wanted: dict[str, Any]) -> Any:
    return {"json_object": "object", "json_schema": "schema"}.get(str(wanted.get("type")))


def write(reply: Reply, model: str, tokens: Tokens, reply_id: str, created: int) -> dict[str, Any]:
    """The body that carries a reply."""
    said: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": None}
    if reply.thinking:
        said["reasoning_content"] = "\n".join(part.text for part in reply.parts if isinstance(part, Thinking))
    if reply.calls:
        said["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments_text(call)}}
            for call in reply.calls
        ]
    finish = _FINISH["calls" if reply.calls else reply.ending]
    return {
        "id": f"chatcmpl-{reply_id}",
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{"index": 0, "message": said, "finish_reason": finish, "logprobs": None}],
        "usage": usage(tokens),
    }


def usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": tokens.written},
    }
