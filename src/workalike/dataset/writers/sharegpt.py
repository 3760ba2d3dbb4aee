"""ShareGPT for LLaMA-Factory: `conversations` in strict turns with `<image>` where a picture stands, `images`,
`system`.

LLaMA-Factory learns from the last turn alone with `mask_history: true`; `dataset_info.json` registers the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workalike.dataset.delivery import PictureDelivery
from workalike.dataset.examples import Example
from workalike.families.base import merged
from workalike.models.fences import Fence
from workalike.models.messages import Message
from workalike.models.wire import runs

IMAGE = "<image>"
PLACEHOLDERS = (IMAGE, "<video>", "<audio>")
_TAGS = {"user": "human", "assistant": "gpt"}


def record(example: Example, delivery: PictureDelivery, fence: Fence) -> dict[str, Any]:
    """One line of the file."""
    spoken = [message for message in example.messages if message.role != "system"]
    system = "\n".join(message.text for message in example.messages if message.role == "system")
    turns = [{"from": _TAGS[message.role], "value": _value(message, fence)} for message in _in_turns(spoken)]
    return {
        "conversations": turns,
        "system": system,
        "images": [delivery.address(shot) for shot in example.pictures],
    } | ({"canary": example.canary} if example.canary else {})


def placeholder_in(example: Example) -> str | None:
    """The word in an example's own texts that LLaMA-Factory would take for a picture, video or sound and look for in
    vain. To write it otherwise would be to teach another text, so such an example has no such form."""
    texts = (message.text for message in example.messages)
    return next((word for text in texts for word in PLACEHOLDERS if word in text), None)


def registration(file_name: str) -> dict[str, Any]:
    """What LLaMA-Factory's dataset_info.json says of the file."""
    return {
        "workalike": {
            "file_name": file_name,
            "formatting": "sharegpt",
            "columns": {"messages": "conversations", "system": "system", "images": "images"},
            "tags": {"role_tag": "from", "content_tag": "value", "user_tag": "human", "assistant_tag": "gpt"},
        }
    }


def _in_turns(messages: Sequence[Message]) -> Iterator[Message]:
    """The same conversation with user and assistant alternating after the system's word, as the form wants it: what
    one of them says in a row is one turn, and before an assistant that begins stands a user who says nothing."""
    if messages and messages[0].role == "assistant":
        yield Message("user", ())
    yield from merged(messages)


def _value(message: Message, fence: Fence) -> str:
    return "".join(each if isinstance(each, str) else IMAGE for each in runs(message.parts, fence))
