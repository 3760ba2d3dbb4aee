"""OpenAI's Responses API, with its computer tool. Nothing is left on the service: every request carries its history."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from workalike.models.fences import Fence
from workalike.models.messages import (
    ComputerTool,
    Ending,
    Message,
    Part,
    Picture,
    Reply,
    Request,
    SafetyCheck,
    Text,
    Thinking,
    Tokens,
    Tool,
    ToolCall,
    ToolResult,
)  # fmt: skip
from workalike.models.names import Endpoint
from workalike.models.wire import Unusable, arguments_text, data_url, decode, function_call, runs
from workalike.models.wire.schemas import strict_schema

PATH = "/responses"
LONGEST = 16_000  # reasoning counts against it
NO_THOUGHTS = re.compile(r"reasoning\.summary|reasoning summar|(?:parameter|argument)[^.]*\breasoning\b")
COMPUTER, PREVIEW = "computer", "computer_use_preview"


def body(request: Request, endpoint: Endpoint, fence: Fence) -> dict[str, Any]:
    """The body of a request."""
    system = "\n\n".join(fence.join(message.parts) for message in request.messages if message.role == "system")
    items = [item for message in request.messages if message.role != "system" for item in _items(message, fence)]
    made: dict[str, Any] = {"model": endpoint.name, "input": items, "store": False}
    if system:
        made["instructions"] = system
    if request.tools:
        made["tools"] = [_tool(tool) for tool in request.tools]
    if any(isinstance(tool, ComputerTool) for tool in request.tools):
        made["truncation"] = "auto"
    return made | _sampling(request) | _format(request)


def headers(request: Request) -> dict[str, str]:
    """What a request must say besides its body: nothing here."""
    return {}


def _items(message: Message, fence: Fence) -> list[dict[str, Any]]:
    """A message as items: words stay together, calls and results stand on their own."""
    made: list[dict[str, Any]] = []
    waiting: list[Part] = []
    for part in message.parts:
        item = _own_item(part, fence)
        if item is None:
            waiting.append(part)
        else:
            made += [*_worded(message.role, waiting, fence), *item]
            waiting = []
    return made + _worded(message.role, waiting, fence)


def _worded(role: str, parts: list[Part], fence: Fence) -> list[dict[str, Any]]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [
        {"type": kind, "text": each} if isinstance(each, str) else {"type": "input_image", "image_url": data_url(each)}
        for each in runs(parts, fence)
    ]
    return [{"type": "message", "role": role, "content": content}] if content else []


def _own_item(part: Part, fence: Fence) -> list[dict[str, Any]] | None:
    match part:
        case Text(raw=raw) if raw:
            return [{"type": "message", **raw}]
        case Thinking(raw=raw):
            # A reasoning item that the service has not kept can only be handed back in its sealed form.
            return [raw] if raw.get("encrypted_content") else []
        case ToolCall(name="computer"):
            return [part.raw or _computer_call(part)]
        case ToolCall():
            return [{"type": "function_call", "call_id": part.id, "name": part.name, "arguments": arguments_text(part)}]
        case ToolResult():
            return _result(part, fence)
        case _:
            return None


def _computer_call(call: ToolCall) -> dict[str, Any]:
    checks = [msgspec.to_builtins(check) for check in call.checks]
    return {
        "type": "computer_call", "id": f"cu_{call.id}", "call_id": call.id, "status": "completed",
        "pending_safety_checks": checks, "actions": call.arguments.get("actions", []),
    }  # fmt: skip


def _result(result: ToolResult, fence: Fence) -> list[dict[str, Any]]:
    shown = next((part for part in result.parts if isinstance(part, Picture)), None)
    words = fence.join(result.parts)
    if result.name != "computer" or shown is None:
        return [{"type": "function_call_output", "call_id": result.id, "output": words}]
    item: dict[str, Any] = {
        "type": "computer_call_output",
        "call_id": result.id,
        "output": {"type": "computer_screenshot", "image_url": data_url(shown)},
    }
    if result.acknowledged:
        item["acknowledged_safety_checks"] = [msgspec.to_builtins(check) for check in result.acknowledged]
    # A computer's output is a screenshot and nothing else, so words follow in a message of the user's.
    return [item, *_worded("user", [Text(words)], fence)] if words else [item]


def _tool(tool: Tool | ComputerTool) -> dict[str, Any]:
    if isinstance(tool, Tool):
        given = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        return {"type": "function", **given, "strict": False}
    if tool.version in ("", COMPUTER):
        return {"type": COMPUTER}
    if tool.version != PREVIEW:
        raise Unusable(f"the Responses API has no tool {tool.version!r}; it has {COMPUTER} and {PREVIEW}")
    size = tool.size
    return {
        "type": PREVIEW, "display_width": size.width, "display_height": size.height, "environment": tool.environment,
    }  # fmt: skip


def _sampling(request: Request) -> dict[str, Any]:
    sampling = request.sampling
    reasoning = ({"effort": sampling.effort} if sampling.effort else {}) | (
        {"summary": "auto"} if request.thoughts else {}
    )
    wanted = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_output_tokens": sampling.max_tokens,
        "reasoning": reasoning or None,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _format(request: Request) -> dict[str, Any]:
    if request.schema is None or request.sampling.json in (None, "prompt"):
        return {}
    if request.sampling.json == "object":
        return {"text": {"format": {"type": "json_object"}}}
    narrow = strict_schema(request.schema)
    shape = {"schema": narrow or request.schema, "strict": narrow is not None}
    return {"text": {"format": {"type": "json_schema", "name": "answer", **shape}}}


class _InputDetails(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _Usage(msgspec.Struct):
    input_tokens: int
    output_tokens: int = 0
    input_tokens_details: _InputDetails | None = None


class _Body(msgspec.Struct):
    output: list[dict[str, Any]]
    status: str | None = None
    usage: _Usage | None = None
    id: str | None = None
    model: str | None = None
    error: dict[str, Any] | None = None
    incomplete_details: dict[str, Any] | None = None


def read(data: bytes) -> Reply:
    """The reply in a response's body."""
    got = decode(data, _Body)
    if got.error and not got.output:
        raise Unusable(f"the service reports {got.error.get('message') or got.error}")
    parts = tuple(part for item in got.output for part in _parts(item))
    return Reply(parts, _ending(got, parts), _tokens(got.usage), got.id, got.model)


def _parts(item: dict[str, Any]) -> list[Part]:
    match item.get("type"):
        case "message":
            return _read_message(item)
        case "reasoning":
            words = [piece.get("text", "") for key in ("summary", "content") for piece in item.get(key) or []]
            return [Thinking("\n".join(words), item)]
        case "computer_call":
            return [_read_computer_call(item)]
        case "function_call":
            return [function_call(str(item.get("call_id")), str(item.get("name")), item.get("arguments"))]
        case _:
            return []


def _read_message(item: dict[str, Any]) -> list[Part]:
    """What was said. An item that says what its words are for (`phase`) must be handed back with that; it goes without
    its id, as the service has kept nothing under it."""
    pieces = item.get("content") or []
    said = [words for piece in pieces if (words := piece.get("text") or piece.get("refusal"))]
    if not said or not item.get("phase"):
        return [Text(words) for words in said]
    content = [{"type": "output_text", "text": words} for words in said]
    return [Text("".join(said), {"role": "assistant", "content": content, "phase": item["phase"]})]


def _read_computer_call(item: dict[str, Any]) -> ToolCall:
    """The preview tool sends one action, its successor a list."""
    actions = item.get("actions") or ([item["action"]] if item.get("action") else [])
    checks = tuple(msgspec.convert(check, SafetyCheck) for check in item.get("pending_safety_checks") or [])
    return ToolCall(str(item.get("call_id")), "computer", {"actions": actions}, checks, raw=item)


def _ending(got: _Body, parts: tuple[Part, ...]) -> Ending:
    why = (got.incomplete_details or {}).get("reason")
    if why is not None:
        return "length" if why == "max_output_tokens" else "refused" if why == "content_filter" else "other"
    if any(isinstance(part, ToolCall) for part in parts):
        return "calls"
    refused = any(piece.get("type") == "refusal" for item in got.output for piece in item.get("content") or [])
    return "refused" if refused else "end"


def _tokens(usage: _Usage | None) -> Tokens | None:
    if usage is None:
        return None
    details = usage.input_tokens_details or _InputDetails()
    return Tokens(usage.input_tokens, usage.output_tokens, details.cached_tokens or 0, details.cache_write_tokens or 0)
