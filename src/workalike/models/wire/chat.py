"""OpenAI-compatible chat completions, as spoken by OpenAI, vLLM, Ollama, LM Studio and the rest."""

from __future__ import annotations

import re
from collections.abc import Callable
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
from workalike.models.names import OPENAI_URL, Endpoint
from workalike.models.wire import Unusable, arguments_text, data_url, decode, function_call, runs
from workalike.models.wire.schemas import strict_schema

Address = Callable[[Picture | Shot], str]
PATH = "/chat/completions"
LONGEST = 8_192
NO_THOUGHTS = re.compile(r"(?!)")  # thoughts come unasked here, or not at all
_ENDINGS: dict[str, Ending] = {
    "stop": "end", "tool_calls": "calls", "function_call": "calls", "length": "length", "content_filter": "refused",
}  # fmt: skip


def body(request: Request, endpoint: Endpoint, fence: Fence) -> dict[str, Any]:
    """The body of a request."""
    said = [each for message in request.messages for each in written(message, fence)]
    made: dict[str, Any] = {"model": endpoint.name, "messages": said}
    if request.tools:
        made["tools"] = [offered(tool) for tool in request.tools]
    return made | _sampling(request.sampling, endpoint) | _format(request)


def headers(request: Request) -> dict[str, str]:
    """What a request must say besides its body: nothing here."""
    return {}


def written(message: Message, fence: Fence, address: Address = data_url) -> list[dict[str, Any]]:
    """A message in the words of the API, or several where it holds results of tools. `address` says what stands in a
    picture's place."""
    if message.role == "assistant":
        return [_assistant(message, fence)]
    results = [part for part in message.parts if isinstance(part, ToolResult)]
    made: list[dict[str, Any]]
    made = [{"role": "tool", "tool_call_id": part.id, "content": fence.join(part.parts)} for part in results]
    # Only a user may show pictures here, so those of a tool's result follow in a message of the user's.
    shown: list[Part] = [part for result in results for part in result.parts if isinstance(part, Picture | Shot)]
    rest = [*shown, *(part for part in message.parts if not isinstance(part, ToolResult))]
    if rest or not results:
        made.append({"role": message.role, "content": _content(rest, fence, address)})
    return made


def _assistant(message: Message, fence: Fence) -> dict[str, Any]:
    calls = [part for part in message.parts if isinstance(part, ToolCall)]
    made: dict[str, Any] = {"role": "assistant", "content": fence.join(message.parts)}
    if calls:
        made["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments_text(call)}}
            for call in calls
        ]
    return made


def _content(parts: list[Part], fence: Fence, address: Address) -> str | list[dict[str, Any]]:
    found = runs(parts, fence)
    if all(isinstance(each, str) for each in found):
        return "".join(each for each in found if isinstance(each, str))
    return [
        {"type": "text", "text": each}
        if isinstance(each, str)
        else {"type": "image_url", "image_url": {"url": address(each)}}
        for each in found
    ]


def offered(tool: Tool | ComputerTool) -> dict[str, Any]:
    """A tool in the words of the API."""
    if isinstance(tool, ComputerTool):
        raise Unusable("chat completions offer no computer tool: use the Responses or the Anthropic API")
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _sampling(sampling: Sampling, endpoint: Endpoint) -> dict[str, Any]:
    longest = "max_completion_tokens" if endpoint.url == OPENAI_URL else "max_tokens"
    wanted = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "seed": sampling.seed,
        longest: sampling.max_tokens,
        "reasoning_effort": sampling.effort,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _format(request: Request) -> dict[str, Any]:
    if request.schema is None or request.sampling.json in (None, "prompt"):
        return {}
    if request.sampling.json == "object":
        return {"response_format": {"type": "json_object"}}
    narrow = strict_schema(request.schema)
    shape = {"name": "answer", "schema": narrow or request.schema, "strict": narrow is not None}
    return {"response_format": {"type": "json_schema", "json_schema": shape}}


class _Function(msgspec.Struct):
    name: str
    arguments: Any = "{}"


class _Call(msgspec.Struct):
    function: _Function
    id: str | None = None


class _Said(msgspec.Struct):
    content: Any = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: Any = None
    tool_calls: list[_Call] | None = None


class _Choice(msgspec.Struct):
    message: _Said
    error: Any = None
    finish_reason: str | None = None


class _Details(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None


class _Body(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None
    id: str | None = None
    model: str | None = None


def read(data: bytes) -> Reply:
    """The reply in a response's body."""
    got = decode(data, _Body)
    if not got.choices:
        raise Unusable("the reply holds no choices")
    choice = got.choices[0]
    if choice.error:
        raise Unusable("the reply ends in an error")
    ending: Ending = "refused" if choice.message.refusal else _ENDINGS.get(choice.finish_reason or "stop", "other")
    return Reply(_parts(choice.message), ending, _tokens(got.usage), got.id, got.model)


def _parts(said: _Said) -> tuple[Part, ...]:
    thought = said.reasoning_content or (said.reasoning if isinstance(said.reasoning, str) else None)
    parts: list[Part] = [Thinking(thought)] if thought else []
    words = _words(said.content) or said.refusal
    parts += [Text(words)] if words else []
    for number, call in enumerate(said.tool_calls or []):
        parts.append(function_call(call.id or f"call_{number}", call.function.name, call.function.arguments))
    return tuple(parts)


def _words(content: Any) -> str:
    """The text of a reply; some servers send it in pieces."""
    if isinstance(content, list):
        return "".join(str(piece.get("text", "")) for piece in content if isinstance(piece, dict))
    return content if isinstance(content, str) else ""


def _tokens(usage: _Usage | None) -> Tokens | None:
    if usage is None:
        return None
    details = usage.prompt_tokens_details or _Details()
    return Tokens(
        usage.prompt_tokens, usage.completion_tokens or 0, details.cached_tokens or 0, details.cache_write_tokens or 0
    )
