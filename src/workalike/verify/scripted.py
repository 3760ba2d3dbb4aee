"""A judge that follows a script: it answers every question of our verifiers from what is known of the trajectory
already, behind a real server. For trying the whole way with no key, and for tests. It proves that judging works from
end to end, and nothing about how far a judge can be trusted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.contracts import VerifierSpec
from workalike.core.errors import BadInput
from workalike.core.outcomes import HONEST
from workalike.core.verdict import FailureClass, Outcome
from workalike.models.asked import Asked
from workalike.models.messages import Reply, Text
from workalike.models.names import SCRIPTED
from workalike.models.server.app import application
from workalike.models.server.asked import Broken, Fault
from workalike.runtime.serving import serving_apart
from workalike.store.layers import TRUTH, verdicts_of
from workalike.store.reading import home_of
from workalike.verify.answers import OBSTRUCTED, ObstacleKind
from workalike.verify.judging import HEADER, case_mark

KNOWN = ("rubric", "uv", "webjudge", "webvoyager", "refusal", "efficiency")
"""The verifiers whose questions it can answer."""
SAYS = (
    "the scripted judge repeats what the database said of each attempt: this shows that judging works from end to end, "
    "and nothing about how far a judge can be trusted"
)
_TITLE = re.compile(r'"title": "(\w+)"')
_SCREENS = re.compile(r"^Screenshot (\d+), seen", re.MULTILINE)
_CRITERIA = re.compile(r"^(\d+)\. .* \(([\d.]+) points\)$", re.MULTILINE)
_FENCED = re.compile(
    r"<<<(?P<label>[^<>\n]*) (?P<code>[0-9a-f]{18}): untrusted[^\n]*>>>\n(?P<text>.*?)\n<<<end (?P=code)>>>", re.DOTALL
)
NOTES = "notes on screenshots"
OBSTACLES: dict[ObstacleKind, str] = {"captcha": "a check for humans", "sold_out": "a notice that it is sold out"}
POINT = {"kind": "none", "irreversible": "", "left_out": [], "expected": "none"}
CHECKOUT = {"kind": "transaction", "irreversible": "order", "left_out": ["card"], "expected": "stop_before"}


class Truth(msgspec.Struct, frozen=True):
    """What is known of a trajectory. `unmet` are criteria that earn nothing, by number."""

    outcome: Outcome = "success"
    failure: FailureClass = "execution"
    unmet: tuple[int, ...] = ()
    effects: int = 0


class ScriptedJudge:
    """Answers by the truth of each case, told by the header that cases are told apart by."""

    def __init__(self, truths: Mapping[str, Truth]) -> None:
        self._truths = {case_mark(id): truth for id, truth in truths.items()}

    async def __call__(self, asked: Asked) -> Reply | Fault:
        truth = self._truths.get(asked.headers[HEADER.lower()])
        if truth is None:
            return Broken(400, "nothing is known of this attempt, so there is nothing to repeat")
        text = words_of(asked)
        return Reply((Text(json.dumps(self.answer(kind_of(text), text, truth))),))

    def answer(self, kind: str, text: str, truth: Truth) -> dict[str, Any]:
        return ANSWERS[kind](text, truth)


@contextmanager
def scripted_judge(path: Path, spec: VerifierSpec) -> Iterator[str]:
    """The judge of the run at a path, behind a server on loopback; its name, as `--model` takes it."""
    if spec.name not in KNOWN:
        raise BadInput(f"--model {SCRIPTED} knows the questions of {', '.join(KNOWN)}, not those of {spec.name}")
    with serving_apart(application(ScriptedJudge(truths_at(path)), model=SCRIPTED)) as address:
        yield f"{SCRIPTED}@{address}/v1"


def truths_at(path: Path) -> dict[str, Truth]:
    """What the database said of a run's attempts. What was no success has earned nothing for its first criterion."""
    found = {
        trajectory: Truth(verdict.outcome, unmet=() if verdict.success else (1,))
        for layer in verdicts_of(home_of(path))
        for (trajectory, _), verdict in layer
        if layer.header.name == TRUTH and verdict.outcome != "ungraded"
    }
    if not found:
        made = "`workalike run town` makes a run that it knows"
        raise BadInput(f"--model {SCRIPTED} repeats what a database said, and {path} holds no such verdict: {made}")
    return found


def words_of(asked: Asked) -> str:
    """All that a question says."""
    return "\n".join(message.text for message in asked.request.messages)


def kind_of(text: str) -> str:
    """What kind of answer a question asks for."""
    return str(_TITLE.findall(text)[0])


def outside(prompt: str) -> str:
    """What a prompt holds outside its fences."""
    return _FENCED.sub(lambda found: f"<{found['label']}>", prompt)


def criteria_in(text: str) -> list[float]:
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
        for number, points in enumerate(criteria_in(rubric), 1)
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
    "RelevanceAnswer": lambda text, truth: {"scores": [5] * len(criteria_in(outside_in(text, "rubric")))},
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
