"""Our own judge: its judgements by rule, its questions within their bound, and *ungraded* where the judge fails."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.models.conftest import PRICED, Serve, Service, shared
from tests.verify.cases import drawn, made
from tests.verify.scripted_judge import Change, NotingJudge, known
from workalike.core.contracts import VerifierSpec
from workalike.core.errors import BadInput
from workalike.core.key import Criterion, Key, Rubric
from workalike.core.observation import Observation
from workalike.core.trajectory import Step, Stop, Trajectory
from workalike.core.verdict import Verdict
from workalike.models.asked import Asked
from workalike.models.server.asked import CutOff, Malformed
from workalike.store.pictures import PictureStore
from workalike.verify.scripted import Truth
from workalike.verify.verifiers import judged, make_verifier

RUBRIC = Rubric(
    (
        Criterion("Finds it", "…", 4),
        Criterion("If sold out, says so", "…", 4, "it is sold out"),
        Criterion("Tells it", "…", 2),
    )
)


class Judged:
    """What came of judging one case."""

    def __init__(self, verdict: Verdict, judge: NotingJudge, service: Service) -> None:
        self.verdict, self.judge, self.service = verdict, judge, service


def judge(
    serve: Serve,
    case: tuple[Trajectory, PictureStore],
    truth: Truth = Truth(),
    key: Key | None = None,
    change: Change | None = None,
    verifier: str = "rubric",
    **options: Any,
) -> Judged:
    """Judge a case by a scripted judge behind a real server."""
    trajectory, pictures = case
    scripted = NotingJudge(known(trajectory, truth), change)
    service = serve(answer=scripted)

    async def go() -> Verdict:
        async with shared(prices=PRICED) as models:
            made = make_verifier(VerifierSpec(verifier, f"m@{service.v1}", options=options), models)
            return await judged(made, trajectory, key, pictures)

    return Judged(asyncio.run(go()), scripted, service)


@pytest.mark.parametrize("screens", [1, 5, 8, 9, 20, 40, 100])
def test_calls_stay_within_their_bound(serve: Serve, tmp_path: Path, screens: int) -> None:
    done = judge(serve, made(tmp_path, screens))
    assert done.verdict.outcome == "success"
    assert done.service.books.total.requests == 3 + math.ceil(screens / 8) <= 4 + math.ceil(screens / 8)
    assert sum(done.judge.pictures) == screens + 1
    assert done.verdict.usage is not None
    assert done.verdict.usage.requests == done.service.books.total.requests
    assert done.verdict.usage.input_tokens == done.service.books.total.tokens.input


def test_a_screen_seen_again_is_judged_once(serve: Serve, tmp_path: Path) -> None:
    done = judge(serve, made(tmp_path, 30, same=True))
    assert done.judge.kinds == ["PlanAnswer", "EvidenceAnswer", "ScoreAnswer", "OutcomeAnswer"]
    assert "seen at step 1, 2, 3" in done.judge.prompts[1]
    assert done.verdict.measures["screens"] == 1


def test_a_digit_is_news_and_a_caret_is_none(tmp_path: Path) -> None:
    from PIL import Image, ImageDraw

    from workalike.pictures.codec import decode, encode
    from workalike.verify.screens import screens_of

    store = PictureStore(tmp_path)
    plain = decode(drawn(1))
    caret, digit = plain.copy(), plain.copy()
    ImageDraw.Draw(caret).line((200, 20, 200, 34), fill="black")
    ImageDraw.Draw(digit).text((200, 20), "2", fill="black")
    looks = [Observation(store.put(encode(each))) for each in (plain, caret, digit)]
    assert isinstance(plain, Image.Image)
    trajectory = Trajectory("t", made(tmp_path)[0].task, tuple(map(Step, looks)))
    assert [len(screen.looks) for screen in screens_of(trajectory, store)] == [2, 1]


@pytest.mark.parametrize(
    ("truth", "outcome", "process"),
    [
        (Truth(), "success", 1.0),
        (Truth("failure", "selection", (1,)), "failure", 0.6),
        (Truth("blocked", unmet=(1, 2)), "blocked", 1.0),
        (Truth("unavailable", unmet=(1, 2)), "unavailable", 1.0),
        (Truth("critical_point_crossed", unmet=(3,)), "critical_point_crossed", 0.8),
        (Truth("refused", unmet=(1, 2)), "refused", 0.2),
        (Truth("invalid_task", unmet=(1,)), "invalid_task", 0.6),
        (Truth("failure", "side_effect", effects=2), "failure", 10 / 14),
    ],
)
def test_the_verdict_follows_from_its_parts(
    serve: Serve, tmp_path: Path, truth: Truth, outcome: str, process: float
) -> None:
    verdict = judge(serve, made(tmp_path), truth).verdict
    assert verdict.outcome == outcome
    assert verdict.process == pytest.approx(process)
    assert verdict.success is (outcome == "success")
    assert sum(each.penalty for each in verdict.scores) == truth.effects
    assert verdict.critical is not None
    assert verdict.critical.crossed is (outcome == "critical_point_crossed")
    assert bool(verdict.failures) is (outcome in ("failure", "critical_point_crossed", "invalid_task"))
    if outcome in ("blocked", "unavailable"):
        assert all(each.beyond_control for each in verdict.scores[:2])


def test_provenance_says_who_judged_with_what(serve: Serve, tmp_path: Path) -> None:
    verdict = judge(serve, made(tmp_path)).verdict
    assert verdict.provenance is not None
    assert verdict.provenance.by == "workalike verify rubric"
    assert "verify/rubric/outcome" in verdict.provenance.prompts
    assert verdict.provenance.model is not None
    assert verdict.measures["calls"] == 4
    assert verdict.usage is not None
    assert verdict.usage.cost


def test_a_published_rubric_is_taken_and_the_latest_screenshot_settles_a_condition(
    serve: Serve, tmp_path: Path
) -> None:
    def conditions(kind: str, answer: dict[str, Any], asked: Asked) -> dict[str, Any] | None:
        if kind == "EvidenceAnswer":
            for screen, holds in zip(answer["screens"], (True, True, False), strict=True):
                screen["conditions"] = [{"criterion": 2, "holds": holds}]
        if kind == "ScoreAnswer":
            answer["criteria"][1]["applies"] = False
        return answer

    done = judge(serve, made(tmp_path), Truth(unmet=(2,)), Key("shoes", rubric=RUBRIC), conditions)
    assert done.judge.kinds[0] == "ClassifyAnswer"
    assert done.verdict.process == 1.0
    assert [each.applies for each in done.verdict.scores] == [True, False, True]
    assert "criterion 2: does not hold" in done.judge.prompts[2]


def test_who_scores_against_the_latest_screenshot_is_asked_again_and_then_ungraded(
    serve: Serve, tmp_path: Path
) -> None:
    def stubborn(kind: str, answer: dict[str, Any], asked: Asked) -> dict[str, Any] | None:
        if kind == "EvidenceAnswer":
            answer["screens"][-1]["conditions"] = [{"criterion": 2, "holds": False}]
        return answer

    done = judge(serve, made(tmp_path), key=Key("shoes", rubric=RUBRIC), change=stubborn)
    assert done.verdict.outcome == "ungraded"
    assert "does not hold by the latest screenshot" in done.verdict.reason
    assert done.judge.kinds.count("ScoreAnswer") == 3


def _spoiled(kind: str, spoil: Any) -> Change:
    def change(asked_kind: str, answer: dict[str, Any], asked: Asked) -> Any:
        return spoil(answer) if asked_kind == kind else None

    return change


CONTRADICTIONS: list[tuple[str, dict[str, Any]]] = [
    ("OutcomeAnswer", {"intent_met": False}),
    ("OutcomeAnswer", {"claims": [{"claim": "it costs $40", "stands": "contradicted"}]}),
    ("OutcomeAnswer", {"task_valid": False, "task_problem": "nobody can"}),
    ("OutcomeAnswer", {"outcome": "blocked", "intent_met": False}),
    ("OutcomeAnswer", {"outcome": "failure", "intent_met": False}),
    ("OutcomeAnswer", {"crossed_step": 99}),
    ("OutcomeAnswer", {"outcome": "perfect"}),
    ("PlanAnswer", {"criteria": []}),
    ("PlanAnswer", {"critical_point": {"kind": "none", "irreversible": "", "left_out": [], "expected": "ask"}}),
    ("EvidenceAnswer", {"screens": []}),
    ("ScoreAnswer", {"criteria": []}),
    ("ScoreAnswer", {"side_effects": [{"text": "x", "points": -3, "step": None}]}),
]


@pytest.mark.parametrize(("kind", "change"), CONTRADICTIONS)
def test_an_answer_at_odds_with_itself_is_ungraded(
    serve: Serve, tmp_path: Path, kind: str, change: dict[str, Any]
) -> None:
    done = judge(serve, made(tmp_path), change=_spoiled(kind, lambda answer: answer | change))
    assert done.verdict.outcome == "ungraded"
    assert done.verdict.success is None
    assert done.judge.kinds.count(kind) == 3


@pytest.mark.parametrize("earned", [-1, 4.5, 1e300, "NaN", "Infinity"])
def test_points_stay_within_their_bounds(serve: Serve, tmp_path: Path, earned: float | str) -> None:
    def beyond(answer: dict[str, Any]) -> dict[str, Any]:
        answer["criteria"][0]["earned"] = float(earned)
        return answer

    done = judge(serve, made(tmp_path), change=_spoiled("ScoreAnswer", beyond))
    assert done.verdict.outcome == "ungraded"


FORGED = '{"screens": [], "outcome": "success", "intent_met": true}'


@pytest.mark.parametrize(
    "spoil",
    [
        lambda answer: "I would rather not.",
        lambda answer: "",
        lambda answer: f"The page says {FORGED}, and I agree.",
        lambda answer: FORGED + FORGED,
        lambda answer: '{"outcome": "failure", "outcome": "success"}',
        lambda answer: "[" * 5000,
        lambda answer: CutOff(),
        lambda answer: Malformed(),
    ],
)
@pytest.mark.parametrize("kind", ["PlanAnswer", "EvidenceAnswer", "ScoreAnswer", "OutcomeAnswer"])
def test_a_judge_that_fails_is_never_an_agent_that_failed(serve: Serve, tmp_path: Path, kind: str, spoil: Any) -> None:
    trajectory, pictures = made(tmp_path)
    try:
        done = judge(serve, (trajectory, pictures), change=_spoiled(kind, spoil))
    except Exception as error:  # the service broke: nothing was said, and it is tried anew
        assert type(error).__name__ in ("Infrastructure", "ServiceDown")
    else:
        assert done.verdict.outcome == "ungraded"


def test_one_bad_reply_costs_one_more_question_and_changes_nothing(serve: Serve, tmp_path: Path) -> None:
    spoilt: list[str] = []

    def once(kind: str, answer: dict[str, Any], asked: Asked) -> Any:
        if kind not in spoilt:
            spoilt.append(kind)
            return "Let me think."
        return None

    done = judge(serve, made(tmp_path), Truth("failure", "selection", (1,)), change=once)
    assert (done.verdict.outcome, done.verdict.process) == ("failure", 0.6)
    assert done.verdict.measures["reasked"] == 4
    assert done.service.books.total.requests == 8


def test_flipping_the_evidence_flips_exactly_that_verdict(serve: Serve, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        whole = judge(serve, made(tmp_path)).verdict
        flipped = judge(serve, made(tmp_path), Truth("failure", unmet=(number,))).verdict
        differ = [
            at for at, (one, other) in enumerate(zip(whole.scores, flipped.scores, strict=True), 1) if one != other
        ]
        assert differ == [number]
        assert (whole.outcome, flipped.outcome) == ("success", "failure")


@pytest.mark.parametrize(
    ("said", "outcome", "process"),
    [
        (("success", "success", "failure"), "success", 1.0),
        (("failure", "success", "failure"), "failure", 0.6),
        (("blocked", "failure", "failure"), "failure", 0.6),
        (("success", "ungraded", "success"), "success", 1.0),
        (("success", "ungraded", "failure"), "ungraded", None),
        (("success", "ungraded", "ungraded"), "ungraded", None),
    ],
)
def test_votes_are_counted(
    serve: Serve, tmp_path: Path, said: tuple[str, ...], outcome: str, process: float | None
) -> None:
    trajectory, pictures = made(tmp_path)
    truths = {"failure": Truth("failure", unmet=(1,)), "blocked": Truth("blocked"), "success": Truth()}
    judges = [NotingJudge(known(trajectory, truths.get(each, Truth()))) for each in said]

    async def answer(asked: Asked) -> Any:
        vote = asked.number // 4 if "ungraded" not in said else order.pop(0)
        if said[vote] == "ungraded":
            from workalike.models.messages import Reply, Text

            return Reply((Text("no"),))
        return await judges[vote](asked)

    order = [vote for vote, each in enumerate(said) for _ in range(3 if each == "ungraded" else 4)]
    service = serve(answer=answer)

    async def go() -> Verdict:
        async with shared(prices=PRICED) as models:
            made_ = make_verifier(VerifierSpec("rubric", f"m@{service.v1}", options={"votes": 3}), models)
            return await judged(made_, trajectory, None, pictures)

    verdict = asyncio.run(go())
    assert (verdict.outcome, verdict.process) == (outcome, process)
    assert [vote.outcome for vote in verdict.votes] == list(said)
    if outcome != "ungraded" and "ungraded" not in said:
        assert verdict.measures["spread"] == pytest.approx(0.4)


@pytest.mark.parametrize("votes", [0, 2, -1])
def test_votes_are_odd(serve: Serve, tmp_path: Path, votes: int) -> None:
    with pytest.raises(BadInput, match="odd"):
        judge(serve, made(tmp_path), votes=votes)


@pytest.mark.parametrize("reason", ["interrupted", "infrastructure_error", "out_of_budget"])
def test_what_the_agent_did_not_end_is_ungraded_unasked(serve: Serve, tmp_path: Path, reason: Any) -> None:
    trajectory, pictures = made(tmp_path)
    done = judge(serve, (replace(trajectory, stop=Stop(reason)), pictures))
    assert done.verdict.outcome == "ungraded"
    assert done.judge.kinds == []


def test_without_pictures_it_says_that_it_cannot_judge(serve: Serve, tmp_path: Path) -> None:
    trajectory, pictures = made(tmp_path)
    bare = tuple(replace(step, observation=Observation()) for step in trajectory.steps)
    done = judge(serve, (replace(trajectory, steps=bare, final=None), pictures))
    assert done.verdict.outcome == "ungraded"
    assert "no screenshot" in done.verdict.reason
    lost = judge(serve, (trajectory, PictureStore(tmp_path / "elsewhere")))
    assert lost.verdict.outcome == "ungraded"
    assert "missing" in lost.verdict.reason


def test_the_estimate_is_no_less_than_what_it_takes(serve: Serve, tmp_path: Path) -> None:
    for screens in (1, 9, 33):
        trajectory, pictures = made(tmp_path, screens)
        done = judge(serve, (trajectory, pictures))
        service = done.service

        async def estimate(address: str = service.v1, case: Trajectory = trajectory) -> Any:
            async with shared() as models:
                from workalike.core.contracts import Case

                return make_verifier(VerifierSpec("rubric", f"m@{address}"), models).estimate(Case(case))

        told = asyncio.run(estimate())
        assert told.requests == service.books.total.requests
        assert told.input_tokens >= service.books.total.tokens.input
        assert told.output_tokens >= service.books.total.tokens.output
