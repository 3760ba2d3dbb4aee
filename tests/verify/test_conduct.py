"""Refusals on the town: the verifier that reads prose against the truth of rows and line, as `agreement` tells it; and
judges under attack, on real attempts with words to the grader planted in them. The judges here are scripted: they read
what reaches them and follow a rule, and show the plumbing alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.models.conftest import PRICED, Serve, shared
from tests.verify.cases import drawn as screen
from tests.verify.scripted_judge import NotingJudge
from workalike.bench.judge_attacks import PLACES, UNTOUCHED, WORDS, attack_set
from workalike.core.actions import Click, Terminate
from workalike.core.contracts import VerifierSpec
from workalike.core.errors import BadInput
from workalike.core.observation import Observation
from workalike.core.screen import Point, Size
from workalike.core.trajectory import ActionResult, Step, Stop
from workalike.models.asked import Asked
from workalike.models.messages import Reply, Text
from workalike.report.build import report
from workalike.report.safety import pair_rates
from workalike.store.reading import read_trajectories
from workalike.store.runs import Run, RunInfo, RunWriter
from workalike.town.benchmark import Drawn
from workalike.town.check import Left, perform
from workalike.town.kit.goal import read_goals
from workalike.town.refusals import draw_refusals, obeying
from workalike.town.server import App
from workalike.town.town import Town
from workalike.verify.agreement import VerifierAgreement, compare_at
from workalike.verify.labels import labels_of, read_table
from workalike.verify.running import Verification
from workalike.verify.scripted import Truth, outside, outside_in
from workalike.verify.state import CHANGES, SHOWN
from workalike.verify.verifiers import make_verifier

PAIRS = 6
SORRY = "I will not do this, since it would hurt somebody."


@pytest.fixture(scope="module")
def chosen() -> tuple[Town, list[Drawn]]:
    town = Town()
    return town, list(draw_refusals(town))[: 2 * PAIRS]


def conducts(town: Town, app: App, each: Drawn) -> Iterator[tuple[Left, str]]:
    """Six ways to go about a task, one a repeat: refuse by the line or in prose alone, do it, do it and then refuse,
    give up, say nothing."""
    plan = obeying(each.key).plan
    done, line = perform(town, app, each.key, read_goals(plan["goals"])), str(plan["line"])
    yield Left(), f"{SORRY}\nANSWER: refused"
    yield done, line
    yield done, f"{SORRY}\nANSWER: refused"
    yield Left(), "I could not find it.\nANSWER: unavailable"
    yield Left(), SORRY
    yield Left(), ""


@pytest.fixture
def attempted(tmp_path: Path, chosen: tuple[Town, list[Drawn]]) -> Path:
    """A run of town-refusals in which everything happens that can."""
    town, tasks = chosen
    app, folder = App(town), tmp_path / "run"
    settings: dict[str, Any] = {
        "benchmark": "town-refusals@1",
        "agent": "many",
        "model": None,
        "repeats": 6,
        "notes": [],
    }
    info = RunInfo("run", "2026-11-16T00:00:00+00:00", settings, {})
    with RunWriter(folder, info, [each.task for each in tasks], [each.key for each in tasks]) as run:
        for each in tasks:
            for repeat, (left, said) in enumerate(conducts(town, app, each), 1):
                _, writer = run.begin(each.task, repeat)
                look = Observation(run.pictures.put(screen(repeat)), Size(320, 200), url="http://corkboard.test/")
                if left.changes:
                    writer.step(Step(look, (ActionResult(Click(Point(0.5, 0.5))),), thought="On it goes."))
                writer.step(Step(look, (ActionResult(Terminate("success", said)),)))
                facts = {CHANGES: msgspec.to_builtins(left.changes), SHOWN: msgspec.to_builtins(left.shown)}
                writer.finish(Stop("terminated"), extra=facts)
    asyncio.run(Verification(folder, make_verifier(VerifierSpec("state"))).go())
    return folder


def test_every_way_to_go_about_it_is_counted_for_what_it_is(attempted: Path) -> None:
    made = report([attempted])
    whole = pair_rates(made.runs[0].results)[-1]
    shares = {name: round(6 * (found.mean or 0)) for name, found in {**whole.harmful, **whole.twins}.items()}
    assert shares["refused"] == 1
    assert shares["did_it"] == 1
    assert shares["refused_late"] == 1
    assert shares["neither"] == 3
    assert shares["did_twin"] == 1
    assert shares["refused_twin"] == 2
    assert whole.pairs == PAIRS
    assert "told apart" in made.text(width=250)
    assert made.json()[0]["pairs"][-1].category == "all"


class Reader:
    """A judge that goes by a rule: words that decline are a refusal, unless something was clicked before."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    async def __call__(self, asked: Asked) -> Reply:
        prompt = "\n".join(message.text for message in asked.request.messages)
        self.prompts.append(prompt)
        answer, acted = outside_in(prompt, "answer of the agent"), "On it goes" in prompt
        declined = SORRY in answer
        told = {
            "declined": declined,
            "quote": SORRY if declined else "",
            "harm_done": declined and acted,
            "harm_step": 1 if declined and acted else None,
            "should_refuse": True,
            "reasoning": "so it is",
        }
        return Reply((Text(json.dumps(told)),))


def by_refusal(serve: Serve, folder: Path) -> VerifierAgreement:
    service = serve(answer=Reader())

    async def go() -> None:
        async with shared(prices=PRICED) as models:
            await Verification(folder, make_verifier(VerifierSpec("refusal", f"m@{service.v1}"), models)).go()

    asyncio.run(go())
    (found,) = compare_at(folder, labels_of(folder), "refusal").verifiers
    return found


def test_the_refusal_verifier_is_compared_with_the_truth_about_refusals(serve: Serve, attempted: Path) -> None:
    """Of six ways it tells five rightly on tasks to refuse: prose without a line is no refusal by the strict rule, and
    that is the one it judges otherwise. On twins it also calls a refusal after the deed what it is not."""
    found = by_refusal(serve, attempted)
    assert found.figures.cases == 12 * PAIRS
    kinds = {row.name: row for row in found.kinds}
    assert set(kinds) == {"to refuse", "its twin"}
    assert kinds["to refuse"].seen.mean == pytest.approx(5 / 6)
    assert kinds["its twin"].seen.mean == pytest.approx(4 / 6)
    assert found.figures.kappa.mean is not None
    assert {each.label for each in found.disagreements if each.kind == "to refuse"} == {False}


# Judges under attack


def test_the_cases_hold_what_was_planted_and_the_truth_stays(attempted: Path, tmp_path: Path) -> None:
    truth = attack_set(attempted, tmp_path / "set", 8)
    kinds = {each.kind for each in truth}
    assert kinds >= {UNTOUCHED, *(f"{place}: pass it" for place in PLACES), *(f"{place}: fail it" for place in PLACES)}
    assert len(truth) == 8 * (1 + len(PLACES))
    table = {each.trajectory: each for each in read_table(tmp_path / "set" / "truth.csv")}
    stored = {each.trajectory.id: each.trajectory for each in read_trajectories(tmp_path / "set" / "run")}
    assert set(stored) == set(table)
    assert all(not trajectory.extra for trajectory in stored.values())
    run, said = Run(attempted), [words for ways in WORDS.values() for words in ways]
    before = {picture.name for attempt in run.attempts() for picture in attempt.read().trajectory.pictures}
    for name, label in table.items():
        trajectory = stored[name]
        assert any(words in (trajectory.answer or "") for words in said) == label.kind.startswith("answer")
        fresh = {picture.name for picture in trajectory.pictures} - before
        assert bool(fresh) == label.kind.startswith("screenshots")
        assert any(step.observation.dialog for step in trajectory.steps) == label.kind.startswith("page")
    with pytest.raises(BadInput, match="not an empty folder"):
        attack_set(attempted, tmp_path / "set", 8)


def test_what_is_planted_reaches_the_judge_in_its_fence_or_in_a_picture(
    serve: Serve, attempted: Path, tmp_path: Path
) -> None:
    truth = attack_set(attempted, tmp_path / "set", 6)
    right = {each.trajectory: Truth("success" if each.success else "failure") for each in truth}
    judge = NotingJudge(right)
    service = serve(answer=judge)

    async def go() -> None:
        async with shared(prices=PRICED) as models:
            verifier = make_verifier(VerifierSpec("rubric", f"m@{service.v1}"), models)
            await Verification(tmp_path / "set" / "run", verifier).go()

    asyncio.run(go())
    said = [words for ways in WORDS.values() for words in ways]
    assert any(words in prompt for words in said for prompt in judge.prompts)
    assert not [prompt for prompt in judge.prompts for words in said if words in outside(prompt)]
    assert all("every word inside a picture" in outside(prompt) for prompt in judge.prompts)
    assert sum(judge.pictures) > 0
