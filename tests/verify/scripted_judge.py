"""The scripted judge as tests have it: it notes what it was asked, and an answer may be changed on its way."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from workalike.core.trajectory import Trajectory
from workalike.models.asked import Asked
from workalike.models.messages import Picture, Reply, Text
from workalike.models.server.asked import Fault
from workalike.verify.judging import HEADER
from workalike.verify.scripted import ScriptedJudge, Truth, words_of

Change = Callable[[str, dict[str, Any], Asked], dict[str, Any] | str | Fault | None]
"""What becomes of an answer, by its kind: another, a text as it stands, a fault; None leaves it."""


class NotingJudge(ScriptedJudge):
    """Answers by the truth of each case, and keeps what was asked."""

    def __init__(self, truths: Mapping[str, Truth], change: Change | None = None) -> None:
        super().__init__(truths)
        self._change = change
        self.kinds: list[str] = []
        self.prompts: list[str] = []
        self.pictures: list[int] = []

    async def __call__(self, asked: Asked) -> Reply | Fault:
        kind, answer = self.answer(asked, self._truths[asked.headers[HEADER.lower()]])
        self.kinds.append(kind)
        self.prompts.append(words_of(asked))
        self.pictures.append(sum(isinstance(part, Picture) for each in asked.request.messages for part in each.parts))
        changed = self._change(kind, answer, asked) if self._change else None
        if changed is not None and not isinstance(changed, dict | str):
            return changed
        told = answer if changed is None else changed
        return Reply((Text(told if isinstance(told, str) else json.dumps(told)),))


def known(trajectory: Trajectory, truth: Truth) -> dict[str, Truth]:
    """The truth of one trajectory, by its id."""
    return {trajectory.id: truth}
