"""The card's rows stand only beside runs of the card's text, and say who judged them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from workalike.formats import webtailbench
from workalike.report.build import of
from workalike.report.published import card, published_for, why_not
from workalike.report.reading import RunResults, wording
from workalike.report.results import Result

FIXTURES = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "webtailbench"


def _run(benchmark: str = "webtailbench@v1", leave: int = 0) -> RunResults:
    """A run on all 609 tasks, which have the published words."""
    known = iter(sorted(card().known_words))
    results, words = [], {}
    for segment in card().segments:
        for number in range(segment.tasks):
            task = f"{segment.category}_{number}"
            results.append(Result(task, segment.category, 1, "terminated", "success" if number % 2 else "failure"))
            words[task] = next(known, "another")
    kept = results[leave:]
    asked = {result.task: result.task for result in kept}
    return RunResults("mine", benchmark, "fara", "m", "rubric", tuple(kept), tasks=asked, words=words)


def test_the_card_is_as_published() -> None:
    """Every macro average is the mean of the eleven segments, every micro average that over the 609 tasks."""
    assert [segment.tasks for segment in card().segments] == list(webtailbench.CATEGORIES.values())
    assert [segment.category for segment in card().segments] == list(webtailbench.CATEGORIES)
    for agent in card().agents:
        scores = [agent.scores[segment.category] for segment in card().segments]
        assert sum(scores) / 11 == pytest.approx(agent.scores["macro"], abs=0.1)
        weighted = sum(score * segment.tasks for score, segment in zip(scores, card().segments, strict=True))
        assert weighted / 609 == pytest.approx(agent.scores["micro"], abs=0.1)
        assert agent.per_task.accuracy == pytest.approx(agent.scores["micro"], abs=0.85)


def test_published_rows_stand_beside_a_run_of_the_same_text() -> None:
    made = of([_run()])
    accuracy, cost = made.sections[0].tables
    assert accuracy.head[2:4] == ("fara m", "SoM 4.5 †")
    assert accuracy.head[-1] == "Fara 7B †"
    assert [row.cells[0] for row in accuracy.rows] == [
        *(segment.name for segment in card().segments),
        "Macro avg.",
        "Micro avg.",
    ]
    assert accuracy.rows[0].cells[-1] == "52.4"
    assert accuracy.rows[-2].cells[-1] == "38.4"
    assert accuracy.note == cost.note
    assert accuracy.note.startswith("† published, not measured here: the dataset card of microsoft/WebTailBench")
    assert "judged by Microsoft's task verification system; the others are judged by rubric." in accuracy.note
    published = [row for row in cost.rows if row.kind == "published"]
    assert published[-1].cells[:4] == ("Fara 7B †", "0.069", "38.4", "41.1 ± 33.1")
    assert made.json()[0]["published"]["judge"] == "Microsoft's task verification system"


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (_run("webtailbench@v2"), "they are on the text of webtailbench@v1, and this is webtailbench@v2"),
        (_run(leave=1), "they are over all 609 tasks, and mine has 608"),
        (msgspec.structs.replace(_run(), words={}), "have other words than the published ones"),
    ],
)
def test_beside_other_text_they_are_left_out_and_that_is_said(run: RunResults, reason: str) -> None:
    assert published_for([run]) == published_for([_run(), run]) == ()
    made = of([run])
    assert any(reason in line for line in made.remarks)
    assert "†" not in made.text(200)
    assert made.json()[0]["published"] is None


def test_other_benchmarks_are_not_told_about_it() -> None:
    assert why_not(_run("town@1")) is None
    assert published_for([_run("town@1")]) == ()


@pytest.mark.skipif(not FIXTURES.is_dir(), reason="the published files are not here")
@pytest.mark.parametrize("name", ["WebTailBench-v1-rubrics.tsv", "WebTailBench.tsv", "WebTailBench_data.jsonl"])
def test_published_tasks_are_known_by_their_words_in_every_layout(name: str) -> None:
    assert {wording(task) for task, _ in webtailbench.read(FIXTURES / name)} == card().known_words
