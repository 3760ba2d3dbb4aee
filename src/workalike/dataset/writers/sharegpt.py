"""ShareGPT for LLaMA-Factory: `conversations` in strict turns with `<image>` where a picture stands, `images`,
`system`.

LLaMA-Factory learns from the last turn alone with `mask_history: true`; `dataset_info.json` registers the file.
"""

from __future__ import annotations

from typing import Any

from workalike.dataset.delivery import Delivery
from workalike.dataset.examples import Example, Message, Words
from workalike.dataset.writers.turns import in_turns

IMAGE = "<image>"
_TAGS = {"user": "human", "assistant": "gpt"}


def record(example: Example, delivery: Delivery, filler: str) -> dict[str, Any]:
    """One line of the file."""
    spoken = [message for message in example.messages if message.role != "system"]
    system = "\n".join(message.text for message in example.messages if message.role == "system")
    turns = [{"from": _TAGS[message.role], "value": _value(message)} for message in in_turns(spoken, filler)]
    return {
        "conversations": turns,
        "system": system,
        "images": [delivery.address(seen) for seen in example.pictures],
    }


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


def _value(message: Message) -> str:
    """A turn as one text; a text that speaks of `<image>` itself must not be taken for a picture."""
    texts = [part.text.replace(IMAGE, "< image >") if isinstance(part, Words) else IMAGE for part in message.parts]
    return "\n".join(texts)
