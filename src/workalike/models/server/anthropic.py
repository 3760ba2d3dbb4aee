"""Anthropic's Messages API from the server's side: bodies read into requests, replies written into bodies."""

from __future__ import annotations

from typing import Any

from workalike.core.screen import Size
from workalike.models.messages import (
    ComputerTool,
    Message,
    Part,
    Picture,
    Reply,
    Request,
    Sampling,
    Text,
    Thinking,
    Tokens,
    Tool,
    ToolCall,
    ToolResult,
)
from workalike.models.server.asked import NotUnderstood, need, parts_of, picture_from
from workalike.models.wire.anthropic import BETAS, TOOLSET

_STOP = {"end": "end_turn", "calls": "tool_use", "length": "max_tokens", "refused": "refusal", "other": "end_turn"}
_SOME_SCREEN = Size(1024, 768)


def read(body: dict[str, Any]) -> Request:
    """The request in a body."""
    longest = need(body, "max_tokens", int)
    system = parts_of(body.get("system"), _part)
    start = (Message("system", system),) if system else ()
    messages = tuple(_message(each) for each in need(body, "messages", list))
    tools = tuple(_tool(each) for each in body.get("tools") or [])
    config = body.get("output_config") or {}
    shape = config.get("format") or {}
    mode: Any = "schema" if shape else None
    thoughts = True if (body.get("thinking") or {}).get("display") == "summarized" else None
    sampling = Sampling(body.get("temperature"), body.get("top_p"), None, longest, config.get("effort"), mode, thoughts)
    return Request((*start, *messages), tools, sampling, shape.get("schema"))


def _message(message: dict[str, Any]) -> Message:
    role = message.get("role")
    if role not in ("user", "assistant"):
        raise NotUnderstood(f"there is no role {role!r}")
    return Message("user" if role == "user" else "assistant", parts_of(message.get("content"), _part))


def _part(block: dict[str, Any]) -> Part:
    match block.get("type"):
        case "text":
            return Text(str(block.get("text", "")))
        case "image":
            return _picture(block)
        case "thinking" | "redacted_thinking":
            return Thinking(str(block.get("thinking", "")), block)
        case "tool_use":
            return _call(block)
        case "tool_result":
            inner = tuple(part for part in parts_of(block.get("content"), _part) if isinstance(part, Text | Picture))
            name = "computer" if block.get("toolset_name") == "computer" else ""
            return ToolResult(str(block.get("tool_use_id")), name, inner, bool(block.get("is_error")))
        case other:
            raise NotUnderstood(f"there are no blocks of type {other!r}")


def _picture(block: dict[str, Any]) -> Picture:
    source = need(block, "source", dict)
    if source.get("type") != "base64":
        raise NotUnderstood("only pictures in base64 are taken here")
    return picture_from(need(source, "data", str))


def _call(block: dict[str, Any]) -> ToolCall:
    given = need(block, "input", dict)
    if block.get("toolset_name") == "computer":
        return ToolCall(str(block.get("id")), "computer", {"action": block.get("name"), **given})
    return ToolCall(str(block.get("id")), str(block.get("name")), given)


def _tool(tool: dict[str, Any]) -> Tool | ComputerTool:
    kind = tool.get("type")
    if kind == TOOLSET:
        return ComputerTool(_SOME_SCREEN, TOOLSET)
    if kind in BETAS:
        return ComputerTool(Size(need(tool, "display_width_px", int), need(tool, "display_height_px", int)), str(kind))
    if kind not in (None, "custom"):
        raise NotUnderstood(f"there are no tools of type {kind!r} here")
    return Tool(need(tool, "name", str), tool.get("description") or "", tool.get("input_schema") or {})


def write(reply: Reply, model: str, tokens: Tokens, reply_id: str, grouped: bool = False) -> dict[str, Any]:
    """The body that carries a reply."""
    content = [
        block for number, part in enumerate(reply.parts) for block in _blocks(part, f"{reply_id}{number}", grouped)
    ]
    return {
        "id": f"msg_{reply_id}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": _STOP["calls" if reply.calls else reply.ending],
        "stop_sequence": None,
        "usage": usage(tokens),
    }


def _blocks(part: Part, block_id: str, grouped: bool) -> list[dict[str, Any]]:
    match part:
        case Text(text=text):
            return [{"type": "text", "text": text, "citations": None}]
        case Thinking(text=text):
            return [{"type": "thinking", "thinking": text, "signature": f"sealed-{block_id}"}]
        case ToolCall():
            caller = {"type": "direct"}
            if part.name == "computer" and grouped:
                given = dict(part.arguments)
                name = given.pop("action", "screenshot")
                shown = {"name": name, "toolset_name": "computer", "input": given}
            else:
                shown = {"name": part.name, "input": part.arguments}
            return [{"type": "tool_use", "id": part.id, "caller": caller, **shown}]
        case _:
            return []


def usage(tokens: Tokens) -> dict[str, Any]:
    """Here the input is only what was neither read from a cache nor written to one."""
    return {
        "input_tokens": tokens.input - tokens.cached - tokens.written,
        "output_tokens": tokens.output,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": tokens.written,
    }
