"""TRL conversational: `prompt` and `completion` as lists of messages, and `images`.

With a prompt and a completion TRL learns from the completion alone. Pictures stand as `{"type": "image"}` in their
places, in the order of `images`.
"""

from __future__ import annotations

from typing import Any

from workalike.dataset.examples import Example, Message, Words


def record(example: Example, images: list[Any], split: bool = True) -> dict[str, Any]:
    """One row. Without `split` the conversation is one list of `messages`, all of whose turns TRL may learn from."""
    spoken = [_message(message) for message in example.messages]
    if not split:
        return {"messages": spoken, "images": images}
    return {"prompt": spoken[:-1], "completion": spoken[-1:], "images": images}


def _message(message: Message) -> dict[str, Any]:
    """Every part has the same two fields, so that a column of them has one type."""
    parts = [
        {"type": "text", "text": part.text} if isinstance(part, Words) else {"type": "image", "text": None}
        for part in message.parts
    ]
    return {"role": message.role, "content": parts}
