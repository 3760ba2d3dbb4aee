"""OpenAI chat JSON lines: `{"messages": [...]}` as they stand in a request's body, with `tools` where there are some.

What is learned is told by `weight` (1 or 0 on assistant turns, as OpenAI's fine-tuning reads it), or by the role of
the turns that are not; see `Loss`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from workalike.dataset.delivery import PictureDelivery
from workalike.dataset.examples import Example
from workalike.models.fences import Fence
from workalike.models.messages import ComputerTool, Message, Picture, Shot, Thinking, Tool
from workalike.models.wire.chat import offered, written
from workalike.store.lines import encode

Loss = Literal["mask", "role", "all"]
HISTORY_ROLE = "assistant_history"
_REMEMBERED = 512


class ChatLines:
    """Examples as lines. A turn that stands in several examples, as most do, is encoded once."""

    def __init__(self, delivery: PictureDelivery, fence: Fence, loss: Loss = "mask") -> None:
        self.delivery, self.fence, self.loss = delivery, fence, loss
        self._encoded: dict[int, bytes] = {}
        self._held: list[Message] = []  # whose turns are encoded: no other message can have their place in memory

    def line(self, example: Example) -> bytes:
        """One line of the file."""
        if len(self._held) > _REMEMBERED:
            self._encoded.clear()
            self._held.clear()
        known = self._encoded.get
        turns = [known(id(message)) or self._encode(message) for message in example.request.messages]
        turns.append(self._written(Message("assistant", example.reply.parts), learned=True))
        tools = b""
        if example.request.tools:
            tools = b',"tools":' + encode([_offered(tool) for tool in example.request.tools])[:-1]
        canary = b',"canary":' + encode(example.canary)[:-1] if example.canary else b""
        return b'{"messages":[' + b",".join(turns) + b"]" + tools + canary + b"}\n"

    def _encode(self, message: Message) -> bytes:
        encoded = self._encoded[id(message)] = self._written(message, learned=False)
        self._held.append(message)
        return encoded

    def _written(self, message: Message, learned: bool) -> bytes:
        made = written(message, self.fence, self._address)
        if message.role == "assistant":
            self._weigh(made[0], message, learned)
        return b",".join([encode(each)[:-1] for each in made])

    def _weigh(self, turn: dict[str, Any], message: Message, learned: bool) -> None:
        thoughts = [part.text for part in message.parts if isinstance(part, Thinking) and part.text]
        if thoughts:
            turn["reasoning_content"] = "\n".join(thoughts)
        if self.loss == "mask":
            turn["weight"] = int(learned)
        elif self.loss == "role" and not learned:
            turn["role"] = HISTORY_ROLE

    def _address(self, picture: Picture | Shot) -> str:
        assert isinstance(picture, Shot)
        return self.delivery.address(picture)


def _offered(tool: Tool | ComputerTool) -> dict[str, Any]:
    """A tool as it is offered; a computer is none of this API's, and told as it is."""
    return offered(tool) if isinstance(tool, Tool) else msgspec.to_builtins(tool)
