"""The set that judges are measured on: its plan over all tasks, a slice of it made in the browser, and a scripted judge
who knows the truth and agrees with it wholly."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.models.conftest import Serve
from tests.verify.scripted_judge import EvidenceJudge, NotingJudge
from workalike.bench.agreement_set import build, judge_set, plan
from workalike.cli import main
from workalike.core.label import Label
from workalike.core.verdict import Verdict
from workalike.store.layers import verdicts_of
from workalike.store.reading import read_trajectories
from workalike.town.benchmark import COUNTS, draw_tasks
from workalike.town.town import Town
from workalike.verify.labels import labels_of
from workalike.verify.scripted import Truth


def truths(labels: list[Label]) -> dict[str, Truth]:
    """What a judge who knows would say: an honest report at a wall is a report of a wall."""
    right = {True: Truth("blocked"), False: Truth()}
    return {each.trajectory: right[each.walled] if each.success else Truth("failure", unmet=(1,)) for each in labels}


def all_truths(folder: Path) -> dict[str, Truth]:
    """The same of a whole set: what truth did not confirm has no label, lies there, and is judged as well."""
    return {each.trajectory.id: Truth() for each in read_trajectories(folder)} | truths(labels_of(folder))


def test_the_plan_has_kinds_tasks_and_detours_enough() -> None:
    town = Town()
    tasks = [(each.task, each.key) for each in draw_tasks(town)]
    planned = plan(tasks, town)
    kinds = Counter(way.kind for each in planned for way in each.ways)
    total = sum(kinds.values())
    assert total >= 400
    assert sum(count >= 20 for kind, count in kinds.items() if kind) >= 15
    assert len(planned) >= 120
    assert all(2 <= len(each.ways) <= 4 for each in planned)
    assert all(not each.ways[0].kind and all(way.kind for way in each.ways[1:]) for each in planned)
    assert {each.task.category for each in planned} == set(COUNTS)
    noisy = [way for each in planned for way in each.ways if way.noise]
    assert len(noisy) >= total / 4
    assert any(not way.kind for way in noisy)
    assert planned == plan(tasks, town)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A slice of the set."""
    folder = tmp_path_factory.mktemp("set") / "run"
    summary = asyncio.run(build(folder, limit=2))
    assert summary.kinds[""] == 2
    assert sum(summary.kinds.values()) + sum(summary.left_out.values()) == 8
    assert sum(summary.kinds.values()) >= 6
    return folder


def test_a_judge_who_knows_agrees_wholly(serve: Serve, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = labels_of(made)
    service = serve(answer=NotingJudge(all_truths(made)))
    assert main(["verify", str(made), "--model", f"m@{service.v1}", "--json"]) == 0
    capsys.readouterr()
    assert main(["agreement", str(made), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (row,) = told["verifiers"]
    assert (row["figures"]["kappa"]["mean"], row["ungraded"], row["disagreements"]) == (1.0, 0, [])
    assert row["usage"]["requests"] == service.books.total.requests
    assert {each["name"] for each in row["kinds"]} == {label.kind for label in labels if label.kind}


def test_flipping_the_evidence_flips_exactly_the_verdicts_it_should(serve: Serve, made: Path, tmp_path: Path) -> None:
    """A judge that knows the evidence alone: what its notes say of chosen criteria decides those criteria, those
    cases, and nothing else. It would fail all of them if notes did not come to be seen where it scores and decides."""
    labels = {each.trajectory: each for each in labels_of(made)}
    known = {id: Truth(unmet=() if label.success else (1,)) for id, label in labels.items()}
    right = [id for id, label in labels.items() if label.success]
    wrong = [id for id, label in labels.items() if not label.success]
    chosen = {right[0]: Truth(unmet=(2,)), wrong[0]: Truth(), wrong[1]: Truth(unmet=(1, 2))}
    before = judged_by_evidence(serve, made, tmp_path / "before", known)
    after = judged_by_evidence(serve, made, tmp_path / "after", known | chosen)
    assert {id: before[id].success for id in labels} == {id: label.success for id, label in labels.items()}
    flipped = {id for id in labels if before[id].outcome != after[id].outcome}
    assert flipped == {right[0], wrong[0]}
    differ = {
        id: [
            at for at, pair in enumerate(zip(before[id].scores, after[id].scores, strict=True), 1) if pair[0] != pair[1]
        ]
        for id in labels
    }
    assert {id: numbers for id, numbers in differ.items() if numbers} == {right[0]: [2], wrong[0]: [1], wrong[1]: [2]}


def judged_by_evidence(serve: Serve, made: Path, folder: Path, known: dict[str, Truth]) -> dict[str, Verdict]:
    shutil.copytree(made, folder, ignore=shutil.ignore_patterns("rubric-*"))
    service = serve(answer=EvidenceJudge(known, otherwise=Truth()))
    assert main(["verify", str(folder), "--model", f"m@{service.v1}", "--json"]) == 0
    (layer,) = (each for each in verdicts_of(folder) if each.header.name == "rubric")
    return {id: verdict for (id, _), verdict in layer}


def test_the_judges_own_folder_tells_nothing(made: Path, tmp_path: Path, serve: Serve) -> None:
    count = judge_set(made, tmp_path / "judge", 6)
    found = list(read_trajectories(tmp_path / "judge" / "run"))
    assert len(found) == count
    assert all(not stored.trajectory.extra and not stored.trajectory.provenance for stored in found)
    kept = "".join(path.read_text() for path in (tmp_path / "judge" / "run").rglob("*.jsonl"))
    assert not [label.kind for label in labels_of(made) if label.kind and label.kind in kept]
    table = (tmp_path / "judge" / "truth.csv").read_text()
    assert table.count("\n") == count + 1
    from workalike.verify.labels import read_table

    service = serve(answer=NotingJudge(truths(read_table(tmp_path / "judge" / "truth.csv"))))
    run = tmp_path / "judge" / "run"
    assert main(["verify", str(run), "--model", f"m@{service.v1}"]) == 0
    assert main(["agreement", str(run), "--labels", str(tmp_path / "judge" / "truth.csv")]) == 0


@pytest.mark.sweep
def test_the_whole_set(serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    summary = asyncio.run(build(folder))
    wrong = {kind: count for kind, count in summary.kinds.items() if kind}
    assert sum(summary.kinds.values()) >= 400
    assert sum(count >= 20 for count in wrong.values()) >= 15
    assert summary.tasks >= 120
    assert summary.guessed is not None
    assert summary.guessed < 0.6
    service = serve(answer=NotingJudge(all_truths(folder)))
    assert main(["verify", str(folder), "--model", f"m@{service.v1}", "--json"]) == 0
    capsys.readouterr()
    assert main(["agreement", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verifiers"][0]["figures"]["kappa"]["mean"] == 1.0
    print(summary, told["detectors"])
