"""OpenAI chat JSON lines: `{"messages": [...]}`, each message with a list of text and image_url parts.

What is learned is told by `weight` (1 or 0 on assistant turns, as OpenAI's fine-tuning reads it), or by the role of
the turns that are not; see `Loss`.
"""

from __future__ import annotations

from typing import Any, Literal

from workalike.dataset.delivery import Delivery
from workalike.dataset.examples import Example, Message, Words
from workalike.store.lines import encode

Loss = Literal["mask", "role", "all"]
HISTORY_ROLE = "assistant_history"
_REMEMBERED = 512


class ChatLines:
    """Examples as lines. A turn that stands in several examples, as most do, is encoded once."""

    def __init__(self, delivery: Delivery, loss: Loss = "mask") -> None:
        self.delivery, self.loss = delivery, loss
        self._encoded: dict[int, bytes] = {}
        self._held: list[Message] = []  # whose turns are encoded: no other message can have their place in memory

    def line(self, example: Example) -> bytes:
        """One line of the file."""
        if len(self._held) > _REMEMBERED:
            self._encoded.clear()
            self._held.clear()
        known = self._encoded.get
        turns = [known(id(message)) or self._encode(message) for message in example.messages]
        return b'{"messages":[' + b",".join(turns) + b"]}\n"

    def _encode(self, message: Message) -> bytes:
        encoded = encode(_message(message, self.delivery, self.loss))[:-1]
        self._encoded[id(message)] = encoded
        self._held.append(message)
        return encoded


def _message(message: Message, delivery: Delivery, loss: Loss) -> dict[str, Any]:
    content = _content(message, delivery)
    if message.role != "assistant" or loss == "all":
        return {"role": message.role, "content": content}
    if loss == "role":
        return {"role": "assistant" if message.trained else HISTORY_ROLE, "content": content}
    return {"role": "assistant", "content": content, "weight": int(message.trained)}


def _content(message: Message, delivery: Delivery) -> str | list[dict[str, Any]]:
    """Plain text where there is nothing else, which every reader understands."""
    parts = message.parts
    if len(parts) == 1 and isinstance(parts[0], Words):
        return parts[0].text
    return [
        {"type": "text", "text": part.text}
        if isinstance(part, Words)
        else {"type": "image_url", "image_url": {"url": delivery.address(part)}}
        for part in parts
    ]
