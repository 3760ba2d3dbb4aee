"""TRL conversational: `prompt` and `completion` as lists of messages, and `images`.

With a prompt and a completion TRL learns from the completion alone. Pictures stand as `{"type": "image"}` in their
places, in the order of `images`.
"""

from __future__ import annotations

from typing import Any

from workalike.dataset.examples import Example
from workalike.models.fences import Fence
from workalike.models.messages import Message
from workalike.models.wire import runs


def record(example: Example, images: list[Any], fence: Fence, split: bool = True) -> dict[str, Any]:
    """One row. Without `split` the conversation is one list of `messages`, all of whose turns TRL may learn from."""
    spoken = [_message(message, fence) for message in example.messages]
    canary = {"canary": example.canary} if example.canary else {}
    if not split:
        return {"messages": spoken, "images": images} | canary
    return {"prompt": spoken[:-1], "completion": spoken[-1:], "images": images} | canary


def _message(message: Message, fence: Fence) -> dict[str, Any]:
    """Every part has the same two fields, so that a column of them has one type."""
    parts = [
        {"type": "text", "text": each} if isinstance(each, str) else {"type": "image", "text": None}
        for each in runs(message.parts, fence)
    ]
    return {"role": message.role, "content": parts}
