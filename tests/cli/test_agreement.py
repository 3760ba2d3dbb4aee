"""`workalike agreement`: the figures of verifiers against labels, as printed and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.verify.cases import made
from workalike.cli import main
from workalike.core.label import Label
from workalike.core.trajectory import Usage
from workalike.core.verdict import Outcome, Verdict, Vote
from workalike.store.layers import VERDICTS, LayerWriter
from workalike.store.trajectories import write_trajectory
from workalike.verify.labels import write_labels, write_table

LABELS = [
    Label("right-1", True, category="shopping", task="1"),
    Label("right-2", True, category="hotels", task="2"),
    Label("wall", True, category="hotels", task="3", walled=True),
    Label("variant", False, kind="wrong variant", category="shopping", task="1"),
    Label("price", False, kind="neighbour's price", category="hotels", task="2"),
    Label("unsure", None, task="4"),
]
SAID: dict[str, Outcome] = {
    "right-1": "success",
    "right-2": "failure",
    "wall": "blocked",
    "variant": "critical_point_crossed",
    "price": "ungraded",
    "elsewhere": "success",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for label in LABELS:
        write_trajectory(tmp_path / label.trajectory / "trajectory.jsonl", made(tmp_path, id=label.trajectory)[0])
    with LayerWriter(tmp_path, VERDICTS, "rubric", Verdict, {"model": "m", "votes": 3}) as layer:
        for id, outcome in SAID.items():
            votes = (Vote(outcome), Vote(outcome), Vote("success")) if outcome != "ungraded" else ()
            reason = "so it seemed"
            layer.put(id, Verdict(id, "rubric", outcome, reason, votes=votes, usage=Usage(4, 1000, 100, cost=0.01)))
    return tmp_path


def report(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["agreement", str(folder), "--json", *words]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_a_table_of_labels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_table(folder / "labels.csv", LABELS)
    told = report(folder, capsys, "--labels", str(folder / "labels.csv"))
    (row,) = told["verifiers"]
    assert told["labels"] == 5
    assert (row["figures"]["cases"], row["ungraded"], row["unlabelled"], row["missing"]) == (4, 1, 1, 0)
    assert row["figures"]["accuracy"]["mean"] == pytest.approx(3 / 4)
    assert row["figures"]["kappa"]["mean"] == pytest.approx(0.5)
    assert [one["trajectory"] for one in row["disagreements"]] == ["right-2"]
    assert {each["name"]: each["cases"] for each in row["kinds"]} == {"wrong variant": 1}
    assert {each["name"]: each["cases"] for each in row["categories"]} == {"hotels": 2, "shopping": 2}
    assert row["stability"]["mean"] == pytest.approx((1 + 1 / 3 + 1 + 1 / 3) / 4)
    assert (row["calls"], row["cost"]) == (4, pytest.approx(0.01))


def test_labels_kept_beside_trajectories_and_people_among_themselves(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = [Label(each.trajectory, each.success, who) for each in LABELS for who in ("ann", "bob")]
    people.append(Label("variant", True, "cid"))
    people.append(Label("unsure", True, "cid"))
    write_labels(folder, people, "a test")
    told = report(folder, capsys)
    assert told["labelled_by"] == "people"
    assert told["labels"] == 6
    assert told["people"]["mean"] == pytest.approx(1 / 3)


def test_it_prints_tables_and_where_to_look(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_labels(folder, LABELS, "a test")
    assert main(["agreement", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "rubric (m, 3 votes)" in out
    assert "wrong variant" in out
    assert "right-2: right, judged failure. so it seemed  http://127.0.0.1:8500/#" in out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id,label\n", "no columns"),
        ("trajectory,label\na,maybe\n", "line 2: the label 'maybe'"),
        ("trajectory,label,process\na,yes,much\n", "no number"),
        ("trajectory,label\n", "no labels to compare"),
    ],
)
def test_bad_tables_are_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    (folder / "labels.csv").write_text(text)
    assert main(["agreement", str(folder), "--labels", str(folder / "labels.csv")]) == 2
    assert says in capsys.readouterr().err
