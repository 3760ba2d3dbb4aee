"""The one small interface that everything else speaks to models by."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from workalike.core.errors import ModelFailed
from workalike.core.trajectory import Usage
from workalike.models.messages import Draw, Reply, Request, Sampling
from workalike.models.names import Api


class Unanswered(ModelFailed):
    """A question to a model by hand that nobody has answered yet."""


@runtime_checkable
class Model(Protocol):
    """Whoever answers: a service, or a person with a text editor. `usage` adds up what this one took."""

    name: str
    usage: Usage

    async def reply(self, request: Request, draw: Draw = Draw()) -> Reply:
        """One answer. Raises `ModelFailed` when there is none to be had, `Infrastructure` when the service is to
        blame, `OverBudget` when it would cost too much."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class Opens(Protocol):
    """Who opens models by name: `served.Models`, or `by_hand.Hands` for a person in their place. `usage` adds up what
    all of them took."""

    usage: Usage

    def open(
        self,
        spec: str,
        *,
        api: Api | None = None,
        sampling: Sampling = Sampling(),
        transcript: Path | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Model: ...
