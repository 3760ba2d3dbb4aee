"""The one small interface that everything else speaks to models by."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from workalike.core.trajectory import Usage
from workalike.models.messages import Reply, Request, SampleKey, Sampling
from workalike.models.names import Api


@runtime_checkable
class Model(Protocol):
    """Whoever answers: a service, or a person with a text editor. `usage` adds up what this one took."""

    name: str
    usage: Usage

    async def reply(self, request: Request, draw: SampleKey = SampleKey()) -> Reply:
        """One answer. Raises `ModelFailed` when there is none to be had, `Infrastructure` when the service is to
        blame, `OverBudget` when it would cost too much."""
        ...

    def hide(self, words: Mapping[str, str]) -> None:
        """Keep words (what was typed where it is not shown) out of all that is written down of this conversation, each
        with what stands in its place."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class ModelProvider(Protocol):
    """Who opens models by name: `served.Models`, or `by_hand.ManualModels` for a person in their place. `usage` adds
    up what all of them took. `topic` says what a conversation is about, as a path: a person has to be told."""

    usage: Usage

    def open(
        self,
        spec: str,
        *,
        api: Api | None = None,
        sampling: Sampling = Sampling(),
        transcript: Path | None = None,
        headers: Mapping[str, str] | None = None,
        topic: str = "",
    ) -> Model: ...
