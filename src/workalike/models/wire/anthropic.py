"""Anthropic's Messages API, with its computer tool in the versions that models in use know."""

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
    Sampling,
    Shot,
    Text,
    Thinking,
    Tokens,
    Tool,
    ToolCall,
    ToolResult,
)  # fmt: skip
from workalike.models.names import Endpoint
from workalike.models.wire import Unusable, data_url, decode, function_call, runs
from workalike.models.wire.schemas import strict_schema

PATH = "/v1/messages"
TOOLSET = "computer_toolset_20260801"
BETAS = {"computer_20250124": "computer-use-2025-01-24", "computer_20251124": "computer-use-2025-11-24"}
OLDER_VERSION = "2023-06-01"
LONGEST = 16_000  # thinking counts against it
NO_THOUGHTS = re.compile(r"adaptive thinking|(?<![\w.])thinking(\.\w+)*: ")
_BREAKPOINT = {"cache_control": {"type": "ephemeral"}}
_ENDINGS: dict[str, Ending] = {
    "end_turn": "end", "stop_sequence": "end", "pause_turn": "other", "tool_use": "calls", "max_tokens": "length",
    "model_context_window_exceeded": "length", "refusal": "refused",
}  # fmt: skip


def body(request: Request, endpoint: Endpoint, fence: Fence) -> dict[str, Any]:
    """The body of a request."""
    system = "\n\n".join(fence.join(message.parts) for message in request.messages if message.role == "system")
    made: dict[str, Any] = {
        "model": endpoint.name,
        "max_tokens": request.sampling.max_tokens or LONGEST,
        "messages": _messages(request, fence),
    }
    if request.tools:
        made["tools"] = [_tool(tool) for tool in request.tools]
    if system:
        made["system"] = [{"type": "text", "text": system}]
    # A temperature and thinking exclude each other; what somebody set goes before what is only nice to have.
    if request.sampling.thoughts or (request.thoughts and not _sampling(request.sampling)):
        made["thinking"] = {"type": "adaptive", "display": "summarized"}
    _mark_stable(made)
    return made | _sampling(request.sampling) | _output(request)


def _mark_stable(made: dict[str, Any]) -> None:
    """Say up to where the service should keep a prompt: what is the same in every request; and, where tools are called
    and so a conversation only grows, where the last request ended and where this one does. Others' last messages
    change with every step, and keeping them would be paid for and never used."""
    fixed = made.get("system") or made.get("tools")
    if fixed:
        fixed[-1] |= _BREAKPOINT
    if "tools" not in made:
        return
    made |= _BREAKPOINT
    asked = [message for message in made["messages"] if message["role"] == "user"]
    if len(asked) > 1:
        asked[-2]["content"][-1] |= _BREAKPOINT


def headers(request: Request) -> dict[str, str]:
    """What a request must say besides its body: the older computer tools are still called a beta, and only the older
    version of the API lets one set how replies are drawn."""
    betas = [BETAS[tool.version] for tool in request.tools if isinstance(tool, ComputerTool) and tool.version in BETAS]
    older = {"anthropic-version": OLDER_VERSION} if _sampling(request.sampling) else {}
    return older | ({"anthropic-beta": ",".join(betas)} if betas else {})


def _messages(request: Request, fence: Fence) -> list[dict[str, Any]]:
    grouped = any(isinstance(tool, ComputerTool) and tool.version in ("", TOOLSET) for tool in request.tools)
    made = []
    for message in request.messages:
        if message.role != "system":
            content = _blocks(message, fence, grouped)
            made.append({"role": message.role, "content": content or [{"type": "text", "text": "(nothing)"}]})
    return made


def _blocks(message: Message, fence: Fence, grouped: bool) -> list[dict[str, Any]]:
    """A message's content; results go first, as the service wants them right after their calls."""
    if message.role == "assistant":
        return [block for part in message.parts for block in _said(part, fence, grouped)]
    results = [_result(part, fence, grouped) for part in message.parts if isinstance(part, ToolResult)]
    return results + _worded(list(message.parts), fence)


def _said(part: Part, fence: Fence, grouped: bool) -> list[dict[str, Any]]:
    """What the model said, as it came, block by block; only blank words are refused by the service that sent them."""
    if isinstance(part, Text):
        return _worded([part], fence) if part.text.strip() else []
    return _worded([part], fence) or _block(part, grouped)


def _worded(parts: list[Part], fence: Fence) -> list[dict[str, Any]]:
    found = runs(parts, fence)
    return [{"type": "text", "text": each} if isinstance(each, str) else _image(each) for each in found]


def _image(picture: Picture | Shot) -> dict[str, Any]:
    media, _, data = data_url(picture).removeprefix("data:").partition(";base64,")
    return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}


def _block(part: Part, grouped: bool) -> list[dict[str, Any]]:
    if isinstance(part, Thinking):
        return [part.raw] if part.raw else []
    if not isinstance(part, ToolCall):
        return []
    if part.raw:
        return [part.raw]
    if part.name == "computer" and grouped:
        given = dict(part.arguments)
        name = given.pop("action", "screenshot")
        return [{"type": "tool_use", "id": part.id, "name": name, "toolset_name": "computer", "input": given}]
    return [{"type": "tool_use", "id": part.id, "name": part.name, "input": part.arguments}]


def _result(result: ToolResult, fence: Fence, grouped: bool) -> dict[str, Any]:
    made: dict[str, Any] = {
        "type": "tool_result",
        "tool_use_id": result.id,
        "content": _worded(list(result.parts), fence),
    }
    if result.error:
        made["is_error"] = True
    if grouped and result.name == "computer":
        made["toolset_name"] = "computer"
    return made


def _tool(tool: Tool | ComputerTool) -> dict[str, Any]:
    if isinstance(tool, Tool):
        return {
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.parameters or {"type": "object"},
        }
    if tool.version in ("", TOOLSET):
        # Looking closer is asked of the environment by nobody else, so it is not offered here either.
        return {"type": TOOLSET, "configs": {"zoom": {"enabled": False}}}
    if tool.version not in BETAS:
        raise Unusable(f"the Messages API has no tool {tool.version!r}; it has {', '.join((TOOLSET, *BETAS))}")
    return {
        "type": tool.version, "name": "computer",
        "display_width_px": tool.size.width, "display_height_px": tool.size.height,
    }  # fmt: skip


def _sampling(sampling: Sampling) -> dict[str, Any]:
    wanted = {"temperature": sampling.temperature, "top_p": sampling.top_p}
    return {name: value for name, value in wanted.items() if value is not None}


def _output(request: Request) -> dict[str, Any]:
    config: dict[str, Any] = {}
    if request.sampling.effort:
        config["effort"] = request.sampling.effort
    if request.schema is not None and request.sampling.json == "schema":
        # What cannot be said in the service's narrow form is asked for in words, which stand in the question anyway.
        narrow = strict_schema(request.schema)
        config |= {"format": {"type": "json_schema", "schema": narrow}} if narrow else {}
    return {"output_config": config} if config else {}


class _Usage(msgspec.Struct):
    input_tokens: int
    output_tokens: int = 0
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Body(msgspec.Struct):
    content: list[dict[str, Any]]
    stop_reason: str | None = None
    usage: _Usage | None = None
    id: str | None = None
    model: str | None = None


def read(data: bytes) -> Reply:
    """The reply in a response's body."""
    got = decode(data, _Body)
    parts = tuple(part for block in got.content for part in _parts(block))
    return Reply(parts, _ENDINGS.get(got.stop_reason or "end_turn", "other"), _tokens(got.usage), got.id, got.model)


def _parts(block: dict[str, Any]) -> list[Part]:
    match block.get("type"):
        case "text":
            return [Text(str(block["text"]))] if block.get("text") else []
        case "thinking" | "redacted_thinking":
            return [Thinking(str(block.get("thinking", "")), block)]
        case "tool_use":
            return [_call(block)]
        case _:
            return []


def _call(block: dict[str, Any]) -> ToolCall:
    """A member of the computer toolset is read as the one computer tool it came from."""
    name, given = str(block.get("name")), block.get("input")
    if block.get("toolset_name") == "computer" and isinstance(given, dict):
        return ToolCall(str(block.get("id")), "computer", {"action": name, **given}, raw=block)
    return function_call(str(block.get("id")), name, given, block)


def _tokens(usage: _Usage | None) -> Tokens | None:
    """All of the prompt counts as input here, as it does with the other services."""
    if usage is None:
        return None
    cached, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    return Tokens(usage.input_tokens + cached + written, usage.output_tokens, cached, written)
