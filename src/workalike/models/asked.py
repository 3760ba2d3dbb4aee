"""A request as it reaches whoever plays the model: the town's oracle, a test behind a real server."""

from __future__ import annotations

import msgspec

from workalike.models.messages import ComputerTool, Request
from workalike.models.names import Api


class Asked(msgspec.Struct, frozen=True):
    """One request as it came in. `number` counts from 0 over the server's life; header names are in lower case;
    `stream` and `stream_usage` say in which form the reply is wanted."""

    api: Api
    model: str
    request: Request
    headers: dict[str, str] = {}
    number: int = 0
    stream: bool = False
    stream_usage: bool = False

    @property
    def computer(self) -> ComputerTool | None:
        """The computer tool that was offered, if one was."""
        return next((tool for tool in self.request.tools if isinstance(tool, ComputerTool)), None)
