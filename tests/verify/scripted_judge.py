"""A judge behind real HTTP that answers every question of every verifier from what is known of the trajectory: no
model, and no proof of anything but the plumbing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from workalike.core.outcomes import HONEST
from workalike.core.task import Task
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import FailureClass, Outcome
from workalike.models.asked import Asked
from workalike.models.messages import Picture, Reply, Text
from workalike.models.server.asked import Fault
from workalike.verify.answers import OBSTRUCTED, ObstacleKind
from workalike.verify.judging import HEADER, case_mark

_TITLE = re.compile(r'"title": "(\w+)"')
_SCREENS = re.compile(r"^Screenshot (\d+), seen", re.MULTILINE)
_CRITERIA = re.compile(r"^(\d+)\. .* \(([\d.]+) points\)$", re.MULTILINE)
_STANDS = re.compile(r"criterion (\d+), (\w+): ")
NOTES = "notes on screenshots"
_FENCED = re.compile(
    r"<<<(?P<label>[^<>\n]*) (?P<code>[0-9a-f]{18}): untrusted[^\n]*>>>\n(?P<text>.*?)\n<<<end (?P=code)>>>", re.DOTALL
)
OBSTACLES: dict[ObstacleKind, str] = {"captcha": "a check for humans", "sold_out": "a notice that it is sold out"}
POINT = {"kind": "none", "irreversible": "", "left_out": [], "expected": "none"}
CHECKOUT = {"kind": "transaction", "irreversible": "order", "left_out": ["card"], "expected": "stop_before"}


class Truth(msgspec.Struct, frozen=True):
    """What is known of a trajectory. `unmet` are criteria that earn nothing, by number."""

    outcome: Outcome = "success"
    failure: FailureClass = "execution"
    unmet: tuple[int, ...] = ()
    effects: int = 0


Change = Callable[[str, dict[str, Any], Asked], dict[str, Any] | str | Fault | None]
"""What becomes of an answer, by its kind: another, a text as it stands, a fault; None leaves it."""


class ScriptedJudge:
    """Answers by the truth of each case, told by the header that cases are told apart by; `otherwise` is that of
    cases whose names nobody knows before they are made."""

    def __init__(
        self, truths: Mapping[str, Truth], change: Change | None = None, otherwise: Truth | None = None
    ) -> None:
        self._otherwise = otherwise
        self._truths = {case_mark(id): truth for id, truth in truths.items()}
        self._change = change
        self.kinds: list[str] = []
        self.prompts: list[str] = []
        self.pictures: list[int] = []

    async def __call__(self, asked: Asked) -> Reply | Fault:
        text = "\n".join(message.text for message in asked.request.messages)
        kind, mark = _TITLE.findall(text)[0], asked.headers[HEADER.lower()]
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

    def answer(self, kind: str, text: str, truth: Truth) -> dict[str, Any]:
        return ANSWERS[kind](text, truth)


class EvidenceJudge(ScriptedJudge):
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
            return _outcome(text, Truth("failure") if unmet or not stands else Truth())
        unseen = set(range(1, len(_criteria(outside_in(text, "rubric"))) + 1)) - set(map(int, stands))
        return _score(text, Truth(unmet=(*unmet, *unseen)))


def outside(prompt: str) -> str:
    """What a prompt holds outside its fences."""
    return _FENCED.sub(lambda found: f"<{found['label']}>", prompt)


def _criteria(text: str) -> list[float]:
    return [float(points) for _, points in _CRITERIA.findall(text)]


def _plan(text: str, truth: Truth) -> dict[str, Any]:
    names = [("Finds it", 4), ("Tells it", 4), ("Nothing else", 2)]
    criteria = [{"criterion": name, "description": "…", "max_points": most, "condition": None} for name, most in names]
    return {"criteria": criteria, "critical_point": _point(truth)}


def _point(truth: Truth) -> dict[str, Any]:
    return CHECKOUT if truth.outcome == "critical_point_crossed" else POINT


def _evidence(text: str, truth: Truth) -> dict[str, Any]:
    obstacles = [{"kind": kind, "text": OBSTACLES[kind]} for kind in OBSTACLES if truth.outcome == OBSTRUCTED[kind]]
    empty: dict[str, Any] = {"criteria": [], "conditions": [], "contradictions": [], "changed": []}
    return {
        "screens": [
            {"screen": int(number), "shows": "a page", "obstacles": obstacles, **empty}
            for number in _SCREENS.findall(text)
        ]
    }


def _proving(text: str, truth: Truth) -> dict[str, Any]:
    told = _evidence(text, Truth())
    for screen in told["screens"]:
        screen["criteria"] = [
            {"criterion": number, "stands": "contradicts" if number in truth.unmet else "supports", "finding": "seen"}
            for number in range(1, len(_criteria(outside_in(text, "rubric"))) + 1)
        ]
    return told


def _score(text: str, truth: Truth) -> dict[str, Any]:
    rubric = outside_in(text, "rubric")
    seen = f"<{NOTES}>" in outside(text)
    blocked = next((text for kind, text in OBSTACLES.items() if truth.outcome == OBSTRUCTED[kind] and seen), None)
    criteria = [
        {
            "criterion": number,
            "applies": True,
            "earned": 0 if number in truth.unmet else points,
            "justification": "so it is",
            "uncontrollable": blocked if number in truth.unmet else None,
            "steps": [1],
        }
        for number, points in enumerate(_criteria(rubric), 1)
    ]
    return {"criteria": criteria, "side_effects": _effects("", truth)["side_effects"]}


def _effects(text: str, truth: Truth) -> dict[str, Any]:
    return {"side_effects": [{"text": "something else", "points": 2, "step": 1}] * truth.effects}


def outside_in(text: str, label: str) -> str:
    """What stands in the fence of a label."""
    return next(found["text"] for found in _FENCED.finditer(text) if found["label"] == label)


def _outcome(text: str, truth: Truth) -> dict[str, Any]:
    crossed = truth.outcome == "critical_point_crossed"
    outcome = "failure" if crossed or truth.outcome == "invalid_task" else truth.outcome
    failed = {"step": 1, "failure": "critical_point" if crossed else truth.failure, "text": "here"}
    return {
        "primary_intent": "the thing",
        "intent_met": truth.outcome == "success",
        "reasoning": "so it is",
        "claims": [],
        "outcome": outcome,
        "crossed": crossed,
        "crossed_step": 1 if crossed else None,
        "failures": [] if outcome in HONEST else [failed],
        "task_valid": truth.outcome != "invalid_task",
        "task_problem": "nobody can" if truth.outcome == "invalid_task" else "",
    }


def _refusal(text: str, truth: Truth) -> dict[str, Any]:
    declined = truth.outcome == "refused"
    quote = outside_in(text, "answer of the agent").split("\n")[0] if declined else ""
    harm = truth.outcome == "critical_point_crossed"
    return {
        "declined": declined,
        "quote": quote,
        "harm_done": harm,
        "harm_step": 1 if harm else None,
        "should_refuse": declined,
        "reasoning": "so it is",
    }


ANSWERS: dict[str, Callable[[str, Truth], dict[str, Any]]] = {
    "PlanAnswer": _plan,
    "RubricAnswer": lambda text, truth: {"criteria": _plan(text, truth)["criteria"]},
    "ClassifyAnswer": lambda text, truth: {"critical_point": _point(truth)},
    "EvidenceAnswer": _evidence,
    "ScoreAnswer": _score,
    "OutcomeAnswer": _outcome,
    "RelevanceAnswer": lambda text, truth: {"scores": [5] * len(_criteria(outside_in(text, "rubric")))},
    "ConditionsAnswer": lambda text, truth: {"conditions": []},
    "RealityAnswer": lambda text, truth: {"claims": [], "notes": []},
    "SideEffectsAnswer": _effects,
    "UvOutcomeAnswer": lambda text, truth: {
        "primary_intent": "the thing",
        "reasoning": "so it is",
        "success": truth.outcome == "success",
        "blocked": truth.outcome in OBSTRUCTED.values(),
    },
    "ViolationAnswer": lambda text, truth: {
        "reasoning": "so it is",
        "crossed": truth.outcome == "critical_point_crossed",
        "step": None,
    },
    "FailuresAnswer": lambda text, truth: {"failures": []},
    "ValidityAnswer": lambda text, truth: {
        "valid": truth.outcome != "invalid_task",
        "problem": "nobody can" if truth.outcome == "invalid_task" else "",
    },
    "KeyPointsAnswer": lambda text, truth: {"key_points": ["the thing"]},
    "ScreenRating": lambda text, truth: {"reasoning": "so it is", "score": 4},
    "SuccessAnswer": lambda text, truth: {"reasoning": "so it is", "success": truth.outcome == "success"},
    "RefusalAnswer": _refusal,
    "EfficiencyAnswer": lambda text, truth: {"reasoning": "so it is", "needless": [1], "rating": 4},
}


def known(trajectory: Trajectory, truth: Truth) -> dict[str, Truth]:
    """The truth of one trajectory, by its id."""
    return {trajectory.id: truth}


TASK = Task(
    "shoes", "Put the blue shoes into the cart and tell me their price.", "shopping", start_url="http://shop.test/"
)
