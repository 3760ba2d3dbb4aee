"""The scripted judge as tests have it: it notes what it was asked, and an answer may be changed on its way; another
knows the evidence alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from workalike.core.trajectory import Trajectory
from workalike.models.asked import Asked
from workalike.models.messages import Picture, Reply, Text
from workalike.models.server.asked import Fault
from workalike.verify.judging import HEADER
from workalike.verify.scripted import ANSWERS, NOTES, ScriptedJudge, Truth, criteria_in, kind_of, outside_in, words_of

Change = Callable[[str, dict[str, Any], Asked], dict[str, Any] | str | Fault | None]
"""What becomes of an answer, by its kind: another, a text as it stands, a fault; None leaves it."""
_STANDS = re.compile(r"criterion (\d+), (\w+): ")


class NotingJudge(ScriptedJudge):
    """Answers by the truth of each case, and keeps what was asked; `otherwise` is the truth of cases whose names nobody
    knows before they are made."""

    def __init__(
        self, truths: Mapping[str, Truth], change: Change | None = None, otherwise: Truth | None = None
    ) -> None:
        super().__init__(truths)
        self._change, self._otherwise = change, otherwise
        self.kinds: list[str] = []
        self.prompts: list[str] = []
        self.pictures: list[int] = []

    async def __call__(self, asked: Asked) -> Reply | Fault:
        text, mark = words_of(asked), asked.headers[HEADER.lower()]
        kind = kind_of(text)
        truth = self._truths.get(mark, self._otherwise) if self._otherwise else self._truths[mark]
        self.kinds.append(kind)
        self.prompts.append(text)
        self.pictures.append(sum(isinstance(part, Picture) for each in asked.request.messages for part in each.parts))
        answer = self.answer(kind, text, truth)
        changed = self._change(kind, answer, asked) if self._change else None
        if changed is not None and not isinstance(changed, dict | str):
            return changed
        told = answer if changed is None else changed
        return Reply((Text(told if isinstance(told, str) else json.dumps(told)),))


class EvidenceJudge(NotingJudge):
    """Knows what the screenshots prove, criterion by criterion (`unmet` are contradicted), and nothing else: it scores
    and decides by the notes on screenshots that it is shown then."""

    def answer(self, kind: str, text: str, truth: Truth) -> dict[str, Any]:
        if kind == "EvidenceAnswer":
            return _proving(text, truth)
        if kind not in ("ScoreAnswer", "OutcomeAnswer"):
            return super().answer(kind, text, Truth())
        stands = dict(_STANDS.findall(outside_in(text, NOTES)))  # the latest note on a criterion counts
        unmet = tuple(int(number) for number, how in stands.items() if how != "supports")
        if kind == "OutcomeAnswer":
            return super().answer(kind, text, Truth("failure") if unmet or not stands else Truth())
        unseen = set(range(1, len(criteria_in(outside_in(text, "rubric"))) + 1)) - set(map(int, stands))
        return super().answer(kind, text, Truth(unmet=(*unmet, *unseen)))


def _proving(text: str, truth: Truth) -> dict[str, Any]:
    told = ANSWERS["EvidenceAnswer"](text, Truth())
    for screen in told["screens"]:
        screen["criteria"] = [
            {"criterion": number, "stands": "contradicts" if number in truth.unmet else "supports", "finding": "seen"}
            for number in range(1, len(criteria_in(outside_in(text, "rubric"))) + 1)
        ]
    return told


def known(trajectory: Trajectory, truth: Truth) -> dict[str, Truth]:
    """The truth of one trajectory, by its id."""
    return {trajectory.id: truth}
