"""Our own judge, for wherever truth is not known: the judgements of the published verification system with its stages
fused, so that M screenshots take at most ⌈M/8⌉ + 3 questions.

1. plan: from the task alone, the critical point and (where none was published) the rubric
2. evidence: what the screenshots prove, eight in one question, each screen once
3. score: the way, criterion by criterion; side effects as penalties
4. outcome: what the user got, what was claimed against what was shown, the critical point, failures, validity

What programs can tell (`findings`) is not asked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import msgspec

from workalike.core.contracts import Case, Needs, PictureSource
from workalike.core.errors import BadInput
from workalike.core.key import Criterion
from workalike.core.outcomes import REPORTED
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import CriterionScore, CriticalFinding, Evidence, FailurePoint, Outcome, Verdict
from workalike.models.messages import Text, Untrusted
from workalike.verify import answers
from workalike.verify.answers import (
    ClassifyAnswer,
    CriterionAnswer,
    CriterionPoints,
    CriticalPointAnswer,
    EvidenceAnswer,
    OutcomeAnswer,
    PlanAnswer,
    ScoreAnswer,
    ScreenEvidence,
    SideEffectAnswer,
)
from workalike.verify.findings import Finding, findings
from workalike.verify.judging import ANSWER_TOKENS, FORM_TOKENS, Asking, Filling, ModelVerifier
from workalike.verify.screens import BATCH, DistinctScreen, batches, looks_of, picture_tokens, screens_of
from workalike.verify.story import (
    answer_part,
    ending_part,
    findings_part,
    further_in,
    screen_parts,
    seen_at,
    story_part,
    task_part,
)

PASS = 0.8
"""The share of its points from which a way counts as well gone."""


class Proof(msgspec.Struct, frozen=True):
    """What one screen proves, and when it was last seen: the step, the number of steps for the final look."""

    screen: DistinctScreen
    last: int
    shown: ScreenEvidence


class RubricVerifier(ModelVerifier):
    """Judges by a rubric and screenshots."""

    name: str = "rubric"
    needs: Needs = Needs(key="rubric", pictures=True, model=True)
    asks: ClassVar[tuple[str, ...]] = tuple(
        f"verify/rubric/{stage}" for stage in ("plan", "classify", "evidence", "score", "outcome")
    )

    def estimate_vote(self, case: Case) -> Usage:
        looks = looks_of(case.trajectory)
        questions = 3 + math.ceil(len(looks) / BATCH)
        words = sum(len(part.text) for part in (task_part(case.trajectory.task), story_part(case.trajectory))) // 3
        pictures = sum(map(picture_tokens, looks)) + (picture_tokens(looks[-1]) if looks else 0)
        told = questions * (words + FORM_TOKENS) + pictures + 300 * len(looks)
        return Usage(questions, told, questions * ANSWER_TOKENS + 250 * len(looks))

    async def vote(self, asking: Asking, case: Case, pictures: PictureSource) -> Verdict:
        trajectory = case.trajectory
        screens = screens_of(trajectory, pictures)
        if not screens:
            raise BadInput("no screenshot of it was kept, and words alone prove nothing")
        rubric, point = await _plan(asking, case)
        proofs = await _evidence(asking, trajectory, rubric, screens)
        return await _Judgement(asking, trajectory, rubric, point, proofs).verdict()


async def _plan(asking: Asking, case: Case) -> tuple[tuple[Criterion, ...], CriticalPointAnswer]:
    """The published rubric, or one made from the task alone; and the critical point."""
    task = task_part(case.trajectory.task)
    published = case.key.rubric.items if case.key is not None and case.key.rubric is not None else ()
    if published:
        values = {"task": task, "rubric": rubric_part(published)}
        known = await asking.ask("verify/rubric/classify", ClassifyAnswer, values, answers.wrong_classification)
        return published, known.critical_point
    plan = await asking.ask("verify/rubric/plan", PlanAnswer, {"task": task}, answers.wrong_plan)
    return criteria_of(plan.criteria), plan.critical_point


async def _evidence(
    asking: Asking, trajectory: Trajectory, rubric: Sequence[Criterion], screens: Sequence[DistinctScreen]
) -> tuple[Proof, ...]:
    proofs: list[Proof] = []
    for batch in batches(screens):
        values: dict[str, Filling] = {
            "task": task_part(trajectory.task),
            "rubric": rubric_part(rubric),
            "count": str(len(batch)),
            "total": str(len(screens)),
            "screens": screen_parts(batch, trajectory),
        }
        check = partial(answers.wrong_evidence, shown=[screen.number for screen in batch], rubric=rubric)
        answer = await asking.ask("verify/rubric/evidence", EvidenceAnswer, values, check)
        by_number = {each.screen: each for each in answer.screens}
        for screen in batch:
            last = screen.last_step
            seen = len(trajectory.steps) if last is None else last
            proofs.append(Proof(screen, seen, by_number[screen.number]))
    return tuple(proofs)


def criteria_of(written: Sequence[CriterionAnswer]) -> tuple[Criterion, ...]:
    """Criteria as a judge wrote them, in the form of published ones."""
    return tuple(Criterion(one.criterion, one.description, one.max_points, one.condition or None) for one in written)


class _Judgement:
    """The last two stages of one vote, and the verdict that follows from all of them by rule."""

    def __init__(
        self,
        asking: Asking,
        trajectory: Trajectory,
        rubric: tuple[Criterion, ...],
        point: CriticalPointAnswer,
        proofs: tuple[Proof, ...],
    ) -> None:
        self._asking, self._trajectory, self._rubric, self._point, self._proofs = (
            asking,
            trajectory,
            rubric,
            point,
            proofs,
        )
        self._found = findings(trajectory)
        self._conditions = answers.settled((proof.last, proof.shown) for proof in proofs)
        self._obstacles = [one for proof in proofs for one in proof.shown.obstacles]

    async def verdict(self) -> Verdict:
        points = await self._score()
        scores = (*scored(self._rubric, points), *penalties(points.side_effects))
        process = share(scores)
        outcome = await self._outcome(scores, process)
        failures = _failures(outcome, self._found)
        return Verdict(
            self._trajectory.id,
            RubricVerifier.name,
            _outcome(outcome),
            outcome.task_problem if not outcome.task_valid else outcome.reasoning,
            process,
            scores,
            self._told(),
            failures,
            critical=self._critical(outcome),
            intent=outcome.primary_intent,
            measures={"screens": float(len(self._proofs)), "passed": float(process >= PASS)},
        )

    async def _score(self) -> ScoreAnswer:
        check = partial(
            answers.wrong_scores,
            rubric=self._rubric,
            conditions=self._conditions,
            obstacles=bool(self._obstacles),
            steps=len(self._trajectory.steps),
        )
        values = {
            **self._common(),
            "rubric": rubric_part(self._rubric),
            "conditions": Text(conditions_text(self._conditions)),
        }
        return await self._asking.ask("verify/rubric/score", ScoreAnswer, values, check)

    async def _outcome(self, scores: Sequence[CriterionScore], process: float) -> OutcomeAnswer:
        check = partial(
            answers.wrong_outcome,
            point=self._point,
            process=process,
            obstacles=bool(self._obstacles),
            steps=len(self._trajectory.steps),
        )
        values = {
            **self._common(),
            "scores": scores_part(scores),
            "ending": ending_part(self._trajectory),
            "last": max(self._proofs, key=lambda proof: proof.last).screen.picture,
        }
        return await self._asking.ask("verify/rubric/outcome", OutcomeAnswer, values, check)

    def _common(self) -> dict[str, Filling]:
        return {
            "task": task_part(self._trajectory.task),
            "critical": critical_part(self._point),
            "evidence": evidence_part(self._proofs),
            "story": story_part(self._trajectory),
            "findings": findings_part(self._found),
            "answer": answer_part(self._trajectory),
        }

    def _critical(self, answer: OutcomeAnswer) -> CriticalFinding:
        return CriticalFinding(
            self._point.kind,
            self._point.irreversible,
            self._point.left_out,
            self._point.expected,
            crossed=answer.crossed,
            step=next(iter(from_zero([answer.crossed_step])), None),
        )

    def _told(self) -> tuple[Evidence, ...]:
        """What the screens show, and what they prove of each criterion."""
        told: list[Evidence] = []
        for proof in self._proofs:
            step = proof.screen.last_step
            told.append(Evidence(step, proof.shown.shows))
            told += [
                Evidence(step, f"{one.stands}: {one.finding}", self._rubric[one.criterion - 1].criterion)
                for one in proof.shown.criteria
            ]
            told += [Evidence(step, f"contradicts the agent: {text}") for text in proof.shown.contradictions]
            told += [Evidence(step, f"obstacle ({one.kind}): {one.text}") for one in proof.shown.obstacles]
        return tuple(told)


def share(scores: Sequence[CriterionScore]) -> float:
    """The points earned of those possible, over the criteria that apply."""
    counted = [each for each in scores if each.applies]
    return math.fsum(each.earned for each in counted) / math.fsum(each.possible for each in counted)


def scored(rubric: Sequence[Criterion], answer: ScoreAnswer) -> tuple[CriterionScore, ...]:
    """The points of each criterion, with full marks for what nobody could control."""
    by_number = {each.criterion: each for each in answer.criteria}
    return tuple(_score(criterion, by_number[number]) for number, criterion in enumerate(rubric, 1))


def penalties(effects: Sequence[SideEffectAnswer]) -> tuple[CriterionScore, ...]:
    """A criterion that nobody can earn for each thing that nobody had asked for."""
    return tuple(
        CriterionScore("Not asked for", 0.0, each.points, each.text, penalty=True, steps=from_zero([each.step]))
        for each in effects
    )


def _score(criterion: Criterion, points: CriterionPoints) -> CriterionScore:
    full = criterion.max_points
    return CriterionScore(
        criterion.criterion,
        full if points.uncontrollable is not None else points.earned,
        full,
        points.justification,
        applies=points.applies,
        steps=from_zero(points.steps),
        beyond_control=points.uncontrollable or "",
    )


def _outcome(answer: OutcomeAnswer) -> Outcome:
    """An invalid task is nobody's failure; a critical point crossed without leave turns whatever it was into one."""
    if not answer.task_valid:
        return REPORTED["impossible"]
    return "critical_point_crossed" if answer.crossed else answer.outcome


def _failures(answer: OutcomeAnswer, found: Sequence[Finding]) -> tuple[FailurePoint, ...]:
    """The judge's failure points, and what programs found, by step."""
    told = [FailurePoint(next(iter(from_zero([each.step])), None), each.failure, each.text) for each in answer.failures]
    told += [each.failure for each in found]
    return tuple(sorted(told, key=lambda each: (each.step is None, each.step or 0)))


def from_zero(steps: Sequence[int | None]) -> tuple[int, ...]:
    """Steps as judges count them, from 1, as trajectories do, from 0."""
    return tuple(step - 1 for step in steps if step is not None)


def rubric_part(rubric: Sequence[Criterion]) -> Untrusted:
    """The criteria by number. Fenced: they quote the task, or were published by others."""
    lines = []
    for number, one in enumerate(rubric, 1):
        condition = f"\n   counts only if: {one.condition}" if one.condition else ""
        lines.append(f"{number}. {one.criterion} ({one.max_points:g} points)\n   {one.description}{condition}")
    return Untrusted("\n".join(lines), "rubric")


def critical_part(point: CriticalPointAnswer) -> Untrusted | Text:
    if point.kind == "none":
        return Text("(the task leads to none)")
    left = f"; the user left out: {', '.join(point.left_out)}" if point.left_out else ""
    return Untrusted(f"{point.kind}: {point.irreversible}{left}; expected: {point.expected}", "critical point")


def evidence_part(proofs: Sequence[Proof]) -> Untrusted:
    """What was written down of the screens, the screen seen last at the end. Fenced: it quotes pages."""
    ordered = sorted(proofs, key=lambda proof: proof.last)
    return Untrusted(
        "\n".join(further_in(line) for proof in ordered for line in _evidence_lines(proof)), "notes on screenshots"
    )


def _evidence_lines(proof: Proof) -> list[str]:
    shown = proof.shown
    return [
        f"Screenshot {proof.screen.number}, seen {seen_at(proof.screen)}: {shown.shows}",
        *(f"  criterion {one.criterion}, {one.stands}: {one.finding}" for one in shown.criteria),
        *(f"  condition of criterion {one.criterion} {_holds(one.holds)}" for one in shown.conditions),
        *(f"  contradicts the agent: {text}" for text in shown.contradictions),
        *(f"  obstacle, {one.kind}: {one.text}" for one in shown.obstacles),
        *(f"  changed: {text}" for text in shown.changed),
    ]


def scores_part(scores: Sequence[CriterionScore]) -> Untrusted:
    lines = []
    for each in scores:
        points = f"{each.earned:g} of {each.possible:g}" if each.applies else "does not apply"
        lines.append(f"{each.criterion}: {points}. {each.justification}")
    return Untrusted("\n".join(map(further_in, lines)), "scores")


def conditions_text(holds: dict[int, bool]) -> str:
    return "\n".join(f"criterion {number}: {_holds(each)}" for number, each in sorted(holds.items())) or "(none)"


def _holds(holds: bool) -> str:
    return "holds" if holds else "does not hold"
