"""Tool calls as a person writes them: what the page of a question says of them, and how a reply is read."""

from __future__ import annotations

import json
import re
from typing import Any

from workalike.core.errors import Unreadable
from workalike.models.ask import json_values
from workalike.models.messages import ComputerTool, Part, Reply, Request, Text, Tool, ToolCall
from workalike.models.prompts import Prompts
from workalike.models.wire.anthropic import BETAS, TOOLSET

_ACTION = {"action": "left_click", "coordinate": [640, 400]}
_ACTIONS = {"actions": [{"type": "click", "x": 640, "y": 400, "button": "left"}]}
_ANTHROPIC = (
    "left_click, right_click, double_click, mouse_move (coordinate), left_click_drag (start_coordinate, coordinate), "
    "type (text), key (text), scroll (coordinate, scroll_direction, scroll_amount), wait (duration)"
)
_OPENAI = (
    "click (x, y, button), double_click, move (x, y), drag (path), type (text), keypress (keys), "
    "scroll (x, y, scroll_x, scroll_y), wait"
)
_NAMED = re.compile(r'"name"\s*:')


def described(request: Request, prompts: Prompts) -> str:
    """The tools of a request for the page of a question, with an example of a call; nothing where there are none."""
    if not request.tools:
        return ""
    example = json.dumps([_example(request.tools[0])], ensure_ascii=False)
    tools = "\n\n".join(map(_line, request.tools))
    return prompts.get("models/by_hand_calls").fill(tools=tools, example=example)


def read_reply(answer: str, request: Request, name: str) -> Reply:
    """What a person wrote, as a model would have said it: the calls in it where the request offers tools, its words
    otherwise. `name` tells its calls from those of other replies. Raises `Unreadable` for calls in no form to be
    read."""
    if not request.tools:
        return Reply((Text(answer),))
    start, given = _written_calls(answer)
    if not given:
        return Reply((Text(answer),))
    words = answer[:start].rstrip().removesuffix("```json").removesuffix("```").strip()
    said: tuple[Part, ...] = (Text(words),) if words else ()
    calls = tuple(_call(each, request, f"{name}-call-{number}") for number, each in enumerate(given, 1))
    return Reply((*said, *calls), "calls")


def _written_calls(answer: str) -> tuple[int, list[dict[str, Any]]]:
    """The calls in an answer, and where they begin. What looks like calls and cannot be read is not taken for words:
    words would end the task. Nor is a part of what was called carried out."""
    values = [
        (at, each) for at, value in json_values(answer) for each in (value if isinstance(value, list) else [value])
    ]
    calls = [(at, each) for at, each in values if isinstance(each, dict) and isinstance(each.get("name"), str)]
    broken = not values and answer.removeprefix("```json").lstrip().startswith(("{", "["))
    lost = sum(_names(each) for _, each in values) < len(_NAMED.findall(answer))
    if broken or lost or (calls and len(calls) < len(values)):
        form = '{"name": …, "arguments": {…}}'
        raise Unreadable(f"it looks like calls but cannot be read as such: write {form}, or a list of them")
    return (calls[0][0] if calls else 0), [each for _, each in calls]


def _names(value: Any) -> int:
    """How many things in a JSON value have a name."""
    if isinstance(value, list):
        return sum(map(_names, value))
    return ("name" in value) + sum(map(_names, value.values())) if isinstance(value, dict) else 0


def _call(given: dict[str, Any], request: Request, call_id: str) -> ToolCall:
    """A call; an action of the computer's may be written without naming the computer."""
    name, arguments = given["name"], given.get("arguments", given.get("input", {}))
    if not isinstance(arguments, dict):
        raise Unreadable(f"it calls {name} with {arguments!r}: the arguments must be an object")
    computer = next((tool for tool in request.tools if isinstance(tool, ComputerTool)), None)
    own = {tool.name for tool in request.tools if isinstance(tool, Tool)}
    if computer is None or name == "computer" or name in own:
        return ToolCall(call_id, name, arguments)
    if _one_action(computer):
        return ToolCall(call_id, "computer", {"action": name, **arguments})
    return ToolCall(call_id, "computer", {"actions": [{"type": name, **arguments}]})


def _one_action(tool: ComputerTool) -> bool:
    """Whether a call of this computer tool says one action (Anthropic's) or a list of them (OpenAI's)."""
    return tool.version in (TOOLSET, *BETAS)


def _example(tool: Tool | ComputerTool) -> dict[str, Any]:
    if isinstance(tool, ComputerTool):
        return {"name": "computer", "arguments": _ACTION if _one_action(tool) else _ACTIONS}
    fields = tool.parameters.get("properties") or {}
    return {"name": tool.name, "arguments": dict.fromkeys(fields, "…")}


def _line(tool: Tool | ComputerTool) -> str:
    if isinstance(tool, Tool):
        return f"(tool {tool.name}) {tool.description}\n\n    {json.dumps(tool.parameters, ensure_ascii=False)}"
    holds = f"an `action`: {_ANTHROPIC}" if _one_action(tool) else f"a list of `actions`, each with a `type`: {_OPENAI}"
    return f"(tool computer) The screen, {tool.size.width}×{tool.size.height} pixels. A call holds {holds}."
