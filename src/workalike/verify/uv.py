"""The published task verification system of Microsoft's Fara, stage by stage and one question each, so that cost and
agreement of others can be compared with it: about two questions a screenshot and ten more.

The stages and their order are the published ones; the words are our own. Where ours differ in substance: a judge that
fails leaves a case ungraded, where the published one books the agent's failure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, TypeVar

import msgspec

from workalike.core.contracts import Case, Needs, PictureSource
from workalike.core.errors import BadInput
from workalike.core.key import Criterion
from workalike.core.outcomes import REPORTED
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import CriterionScore, CriticalFinding, FailurePoint, Outcome, Verdict
from workalike.models.messages import Text, Untrusted
from workalike.verify import answers
from workalike.verify.answers import (
    ClaimAnswer,
    ClassifyAnswer,
    ConditionEvidence,
    CriterionAnswer,
    CriticalPointAnswer,
    EvidenceAnswer,
    FailureAnswer,
    ObstacleKind,
    PlanAnswer,
    ScoreAnswer,
    SideEffectAnswer,
)
from workalike.verify.findings import findings
from workalike.verify.judging import ANSWER_TOKENS, FORM_TOKENS, Asking, Filling, ModelVerifier
from workalike.verify.rubric import (
    PASS,
    Proof,
    conditions_text,
    criteria_of,
    critical_part,
    evidence_part,
    from_zero,
    penalties,
    rubric_part,
    scored,
    scores_part,
    share,
)
from workalike.verify.screens import DistinctScreen, looks_of, picture_tokens, screens_of
from workalike.verify.story import answer_part, ending_part, findings_part, screen_parts, story_part, task_part

TOP = 5
"""How many screenshots are looked at closely for each criterion."""
STAGES = 12
T = TypeVar("T")


class RubricAnswer(msgspec.Struct, frozen=True):
    """A rubric."""

    criteria: tuple[CriterionAnswer, ...]


class RelevanceAnswer(msgspec.Struct, frozen=True):
    """How much a screenshot tells about each criterion."""

    scores: tuple[int, ...]


class ConditionsAnswer(msgspec.Struct, frozen=True):
    """Which conditional criteria count."""

    conditions: tuple[ConditionEvidence, ...]


class RealityAnswer(msgspec.Struct, frozen=True):
    """What the agent said against what was shown."""

    claims: tuple[ClaimAnswer, ...]
    notes: tuple[str, ...]


class SideEffectsAnswer(msgspec.Struct, frozen=True):
    """What nobody had asked for."""

    side_effects: tuple[SideEffectAnswer, ...]


class UvOutcomeAnswer(msgspec.Struct, frozen=True):
    """Whether the user got what they asked for."""

    primary_intent: str
    reasoning: str
    success: bool
    blocked: bool


class ViolationAnswer(msgspec.Struct, frozen=True):
    """Whether the critical point was crossed."""

    reasoning: str
    crossed: bool
    step: int | None


class FailuresAnswer(msgspec.Struct, frozen=True):
    """Where it went wrong."""

    failures: tuple[FailureAnswer, ...]


class ValidityAnswer(msgspec.Struct, frozen=True):
    """Whether the task could be done."""

    valid: bool
    problem: str


_PROMPTS = (
    *("critical", "rubric", "dependencies", "actions", "relevance", "evidence", "conditions"),
    *("reality", "rescore", "side_effects", "outcome", "violation", "failures", "validity"),
)


class UniversalVerifier(ModelVerifier):
    """The published method, for comparison."""

    name: str = "uv"
    needs: Needs = Needs(key="rubric", pictures=True, model=True)
    asks: ClassVar[tuple[str, ...]] = tuple(f"verify/uv/{stage}" for stage in _PROMPTS)

    def estimate_vote(self, case: Case) -> Usage:
        looks = looks_of(case.trajectory)
        questions = 2 * len(looks) + STAGES
        words = sum(len(part.text) for part in (task_part(case.trajectory.task), story_part(case.trajectory))) // 3
        told = questions * FORM_TOKENS + STAGES * (words + 300 * len(looks)) + 2 * sum(map(picture_tokens, looks))
        return Usage(questions, told, questions * ANSWER_TOKENS // 2)

    async def vote(self, asking: Asking, case: Case, pictures: PictureSource) -> Verdict:
        screens = screens_of(case.trajectory, pictures)
        if not screens:
            raise BadInput("no screenshot of it was kept, and this method needs them")
        return await _Stages(asking, case, screens).verdict()


class _Stages:
    """One vote, stage by stage; `_values` are what has been found out so far."""

    def __init__(self, asking: Asking, case: Case, screens: Sequence[DistinctScreen]) -> None:
        self._asking, self._case, self._screens = asking, case, screens
        self._trajectory: Trajectory = case.trajectory
        self._steps = len(case.trajectory.steps)
        self._found = findings(case.trajectory)
        self._values: dict[str, Filling] = {
            "task": task_part(case.trajectory.task),
            "story": story_part(case.trajectory),
            "answer": answer_part(case.trajectory),
            "ending": ending_part(case.trajectory),
            "findings": findings_part(self._found),
        }

    async def verdict(self) -> Verdict:
        point = await self._critical_point()
        rubric = await self._rubric()
        await self._score_actions(rubric)
        proofs = await self._evidence(rubric)
        conditions = await self._conditions(rubric, proofs)
        obstacles = [one.kind for proof in proofs for one in proof.shown.obstacles]
        scores = await self._rescore(rubric, conditions, bool(obstacles))
        process = share(scores)
        outcome = await self._ask(
            "outcome", UvOutcomeAnswer, partial(_wrong_outcome, process=process, obstacles=bool(obstacles))
        )
        crossed = await self._ask(
            "violation", ViolationAnswer, partial(_wrong_violation, point=point, steps=self._steps)
        )
        failed = await self._ask("failures", FailuresAnswer, partial(_wrong_failures, steps=self._steps))
        valid = await self._ask("validity", ValidityAnswer, partial(_wrong_validity, success=outcome.success))
        return Verdict(
            self._case.id,
            UniversalVerifier.name,
            _result(outcome, crossed, valid, obstacles),
            valid.problem if not valid.valid else outcome.reasoning,
            process,
            scores,
            failures=(*_points(failed), *(each.failure for each in self._found)),
            critical=CriticalFinding(
                point.kind,
                point.irreversible,
                point.left_out,
                point.expected,
                crossed=crossed.crossed,
                step=next(iter(from_zero([crossed.step])), None),
            ),
            intent=outcome.primary_intent,
            measures={"screens": float(len(self._screens)), "passed": float(process >= PASS)},
        )

    async def _ask(self, stage: str, kind: type[T], check: answers.Check[T] | None = None) -> T:
        return await self._asking.ask(f"verify/uv/{stage}", kind, self._values, check)

    async def _critical_point(self) -> CriticalPointAnswer:
        point = (await self._ask("critical", ClassifyAnswer, answers.wrong_classification)).critical_point
        self._values["critical"] = critical_part(point)
        return point

    async def _rubric(self) -> tuple[Criterion, ...]:
        """The published rubric, or one written and checked for criteria that depend on each other."""
        key = self._case.key
        rubric = key.rubric.items if key is not None and key.rubric is not None else ()
        for stage in () if rubric else ("rubric", "dependencies"):
            rubric = criteria_of((await self._ask(stage, RubricAnswer, _wrong_rubric)).criteria)
            self._values["rubric"] = rubric_part(rubric)
        self._values["rubric"] = rubric_part(rubric)
        return rubric

    async def _score_actions(self, rubric: tuple[Criterion, ...]) -> None:
        check = partial(answers.wrong_scores, rubric=rubric, conditions={}, obstacles=False, steps=self._steps)
        first = await self._ask("actions", ScoreAnswer, check)
        self._values["scores"] = scores_part(scored(rubric, first))

    async def _evidence(self, rubric: tuple[Criterion, ...]) -> tuple[Proof, ...]:
        """Every screenshot is weighed for every criterion; the best of each criterion are looked at closely."""
        weights: dict[int, tuple[int, ...]] = {}
        for screen in self._screens:
            self._values["screens"] = screen_parts([screen], self._trajectory)
            check = partial(_wrong_relevance, criteria=len(rubric))
            weights[screen.number] = (await self._ask("relevance", RelevanceAnswer, check)).scores
        chosen = _chosen(weights, len(rubric))
        proofs: list[Proof] = []
        for screen in self._screens:
            if screen.number in chosen:
                self._values["screens"] = screen_parts([screen], self._trajectory)
                check_one = partial(answers.wrong_evidence, shown=[screen.number], rubric=rubric)
                shown = (await self._ask("evidence", EvidenceAnswer, check_one)).screens[0]
                proofs.append(Proof(screen, self._steps if screen.last_step is None else screen.last_step, shown))
        self._values["evidence"] = evidence_part(proofs)
        return tuple(proofs)

    async def _conditions(self, rubric: tuple[Criterion, ...], proofs: Sequence[Proof]) -> dict[int, bool]:
        """Settled in a stage of their own where there are several, by the latest screenshot otherwise."""
        holds = answers.settled((proof.last, proof.shown) for proof in proofs)
        conditional = [number for number, one in enumerate(rubric, 1) if one.condition]
        if len(conditional) > 1:
            check = partial(_wrong_conditions, conditional=conditional)
            settled = await self._ask("conditions", ConditionsAnswer, check)
            holds = {one.criterion: one.holds for one in settled.conditions}
        self._values["conditions"] = Text(conditions_text(holds))
        return holds

    async def _rescore(
        self, rubric: tuple[Criterion, ...], conditions: dict[int, bool], obstacles: bool
    ) -> tuple[CriterionScore, ...]:
        reality = await self._ask("reality", RealityAnswer)
        notes = [*(f"{one.stands}: {one.claim}" for one in reality.claims), *reality.notes]
        self._values["reality"] = Untrusted("\n".join(notes) or "(nothing)", "comparison with reality")
        check = partial(
            answers.wrong_scores, rubric=rubric, conditions=conditions, obstacles=obstacles, steps=self._steps
        )
        again = await self._ask("rescore", ScoreAnswer, check)
        wrong = partial(answers.wrong_side_effects, steps=self._steps)
        effects = await self._ask("side_effects", SideEffectsAnswer, lambda answer: wrong(answer.side_effects))
        scores = (*scored(rubric, again), *penalties(effects.side_effects))
        self._values["scores"] = scores_part(scores)
        return scores


def _chosen(weights: dict[int, tuple[int, ...]], criteria: int) -> set[int]:
    """The screenshots that tell most about some criterion; of equals the later ones."""
    best: set[int] = set()
    for criterion in range(criteria):
        ranked = sorted(weights, key=lambda number: (weights[number][criterion], number), reverse=True)
        best |= {number for number in ranked[:TOP] if weights[number][criterion] > 0}
    return best or {max(weights)}


def _result(
    outcome: UvOutcomeAnswer, crossed: ViolationAnswer, valid: ValidityAnswer, obstacles: Sequence[ObstacleKind]
) -> Outcome:
    if not valid.valid:
        return REPORTED["impossible"]
    if crossed.crossed:
        return "critical_point_crossed"
    return "success" if outcome.success else answers.obstructed(obstacles) if outcome.blocked else "failure"


def _points(answer: FailuresAnswer) -> tuple[FailurePoint, ...]:
    return tuple(
        FailurePoint(next(iter(from_zero([each.step])), None), each.failure, each.text) for each in answer.failures
    )


def _wrong_rubric(answer: RubricAnswer) -> str | None:
    return answers.wrong_plan(PlanAnswer(answer.criteria, CriticalPointAnswer("none", "", (), "none")))


def _wrong_relevance(answer: RelevanceAnswer, criteria: int) -> str | None:
    if len(answer.scores) != criteria or any(not 0 <= score <= 10 for score in answer.scores):
        return f"there must be {criteria} scores from 0 to 10, one for each criterion"
    return None


def _wrong_conditions(answer: ConditionsAnswer, conditional: Sequence[int]) -> str | None:
    named = sorted(one.criterion for one in answer.conditions)
    return None if named == list(conditional) else f"the conditions of the criteria {list(conditional)} are wanted"


def _wrong_outcome(answer: UvOutcomeAnswer, process: float, obstacles: bool) -> str | None:
    if answer.success and answer.blocked:
        return "what is blocked is no success"
    if answer.success and process == 0:
        return "no criterion earned a point, yet it is a success"
    return "it is blocked, yet no screenshot shows an obstacle" if answer.blocked and not obstacles else None


def _wrong_validity(answer: ValidityAnswer, success: bool) -> str | None:
    if answer.valid:
        return None
    if success:
        return "nobody could do this task, yet it is a success"
    return None if answer.problem.strip() else "an invalid task needs its problem told"


def _wrong_violation(answer: ViolationAnswer, point: CriticalPointAnswer, steps: int) -> str | None:
    if answer.crossed and point.expected == "complete":
        return "the critical point was to be crossed: no violation"
    return None if answers.is_step(answer.step, steps) else f"there is no step {answer.step}"


def _wrong_failures(answer: FailuresAnswer, steps: int) -> str | None:
    bad = next((each.step for each in answer.failures if not answers.is_step(each.step, steps)), None)
    return f"there is no step {bad}" if bad is not None else None
