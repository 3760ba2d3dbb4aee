"""The Responses API from the server's side: bodies read into requests, replies written into bodies."""

from __future__ import annotations

from typing import Any

import msgspec

from workalike.core.screen import Size
from workalike.models.messages import (
    ComputerTool,
    Message,
    Part,
    Picture,
    Reply,
    Request,
    Role,
    SafetyCheck,
    Sampling,
    Text,
    Thinking,
    Tokens,
    Tool,
    ToolCall,
    ToolResult,
)
from workalike.models.server.asked import NotUnderstood, need, parts_of, picture_of
from workalike.models.wire import arguments_text, function_call
from workalike.models.wire.responses import PREVIEW

_SOME_SCREEN = Size(1024, 768)
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}


def read(body: dict[str, Any]) -> Request:
    """The request in a body."""
    given = body.get("input")
    items = (
        [{"type": "message", "role": "user", "content": given}] if isinstance(given, str) else need(body, "input", list)
    )
    if body.get("previous_response_id"):
        raise NotUnderstood("nothing is kept here between requests; send the whole input")
    system = (Message("system", (Text(body["instructions"]),)),) if body.get("instructions") else ()
    tools = tuple(_tool(each) for each in body.get("tools") or [])
    shape = (body.get("text") or {}).get("format") or {}
    mode: Any = {"json_object": "object", "json_schema": "schema"}.get(str(shape.get("type")))
    reasoning = body.get("reasoning") or {}
    effort, thoughts = reasoning.get("effort"), True if reasoning.get("summary") else None
    longest = body.get("max_output_tokens")
    sampling = Sampling(body.get("temperature"), body.get("top_p"), None, longest, effort, mode, thoughts)
    return Request((*system, *_gathered([_message(item) for item in items])), tools, sampling, shape.get("schema"))


def _message(item: dict[str, Any]) -> Message:
    match item.get("type", "message"):
        case "message":
            role = _ROLES.get(str(item.get("role")))
            if role is None:
                raise NotUnderstood(f"there is no role {item.get('role')!r}")
            return Message(role, _worded(item))
        case "reasoning":
            words = [piece.get("text", "") for piece in item.get("summary") or []]
            return Message("assistant", (Thinking("\n".join(words), item),))
        case "function_call":
            call = function_call(str(item.get("call_id")), str(item.get("name")), item.get("arguments"))
            return Message("assistant", (call,))
        case "computer_call":
            actions = item.get("actions") or ([item["action"]] if item.get("action") else [])
            checks = tuple(msgspec.convert(each, SafetyCheck) for each in item.get("pending_safety_checks") or [])
            return Message("assistant", (ToolCall(str(item.get("call_id")), "computer", {"actions": actions}, checks),))
        case "function_call_output":
            inner = tuple(part for part in parts_of(item.get("output"), _part) if isinstance(part, Text | Picture))
            return Message("user", (ToolResult(str(item.get("call_id")), parts=inner),))
        case "computer_call_output":
            return Message("user", (_computer_result(item),))
        case other:
            raise NotUnderstood(f"there are no items of type {other!r}")


def _worded(item: dict[str, Any]) -> tuple[Part, ...]:
    """What a message says; words that come with what they are for (`phase`) keep it."""
    parts = parts_of(item.get("content"), _part)
    if not item.get("phase"):
        return parts
    return (Text("".join(part.text for part in parts if isinstance(part, Text)), {"phase": item["phase"]}),)


def _computer_result(item: dict[str, Any]) -> ToolResult:
    output = need(item, "output", dict)
    picture = picture_of(str(output.get("image_url", "")))
    known = tuple(msgspec.convert(each, SafetyCheck) for each in item.get("acknowledged_safety_checks") or [])
    return ToolResult(str(item.get("call_id")), "computer", (picture,), acknowledged=known)


def _part(piece: dict[str, Any]) -> Part:
    match piece.get("type"):
        case "input_text" | "output_text" | "text":
            return Text(str(piece.get("text", "")))
        case "refusal":
            return Text(str(piece.get("refusal", "")))
        case "input_image":
            return picture_of(str(piece.get("image_url", "")))
        case other:
            raise NotUnderstood(f"there are no parts of type {other!r}")


def _gathered(messages: list[Message]) -> tuple[Message, ...]:
    """Items of one turn made one message again."""
    made: list[Message] = []
    for message in messages:
        if made and made[-1].role == message.role and message.role != "system":
            made[-1] = Message(message.role, made[-1].parts + message.parts)
        else:
            made.append(message)
    return tuple(made)


def _tool(tool: dict[str, Any]) -> Tool | ComputerTool:
    match tool.get("type"):
        case "function":
            return Tool(need(tool, "name", str), tool.get("description") or "", tool.get("parameters") or {})
        case "computer_use_preview":
            size = Size(need(tool, "display_width", int), need(tool, "display_height", int))
            return ComputerTool(size, PREVIEW, str(tool.get("environment", "browser")))
        case "computer":
            return ComputerTool(_SOME_SCREEN, "computer")
        case other:
            raise NotUnderstood(f"there are no tools of type {other!r} here")


def write(
    reply: Reply, model: str, tokens: Tokens, reply_id: str, created: int, preview: bool = False
) -> dict[str, Any]:
    """The body that carries a reply."""
    output = [item for number, part in enumerate(reply.parts) for item in _items(part, f"{reply_id}{number}", preview)]
    cut = reply.ending == "length"
    return {
        "id": f"resp_{reply_id}",
        "object": "response",
        "created_at": created,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "instructions": None,
        "metadata": {},
        "model": model,
        "output": output,
        "parallel_tool_calls": True,
        "temperature": None,
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "truncation": "auto",
        "usage": usage(tokens),
    }


def _items(part: Part, item_id: str, preview: bool) -> list[dict[str, Any]]:
    match part:
        case Text(text=text, raw=raw):
            phase = {"phase": raw["phase"]} if raw.get("phase") else {}
            content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
            return [
                {
                    "type": "message",
                    "id": f"msg_{item_id}",
                    "role": "assistant",
                    "status": "completed",
                    "content": content,
                    **phase,
                }
            ]
        case Thinking(text=text):
            summary = [{"type": "summary_text", "text": text}]
            return [
                {
                    "type": "reasoning",
                    "id": f"rs_{item_id}",
                    "summary": summary,
                    "encrypted_content": f"sealed-{item_id}",
                }
            ]
        case ToolCall(name="computer"):
            return [_computer_call(part, item_id, preview)]
        case ToolCall():
            return [
                {
                    "type": "function_call",
                    "id": f"fc_{item_id}",
                    "call_id": part.id,
                    "name": part.name,
                    "arguments": arguments_text(part),
                    "status": "completed",
                }
            ]
        case _:
            return []


def _computer_call(call: ToolCall, item_id: str, preview: bool) -> dict[str, Any]:
    """The preview tool knows one action a call; its successor a list."""
    actions = call.arguments.get("actions") or []
    shown = {"action": actions[0] if actions else None} if preview else {"actions": actions}
    return {
        "type": "computer_call",
        "id": f"cu_{item_id}",
        "call_id": call.id,
        "status": "completed",
        "pending_safety_checks": [msgspec.to_builtins(check) for check in call.checks],
        **shown,
    }


def usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "input_tokens": tokens.input,
        "input_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": tokens.written},
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens.input + tokens.output,
    }
