"""The verbs that judge, annotate, look at rows and export do the same on workers as here: over plain lines, no Ray."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.cluster.plain import PlainCluster
from tests.dataset.rows import put, row
from tests.models.conftest import Serve, serve, server
from tests.verify.cases import made
from tests.verify.scripted_judge import NotingJudge
from workalike.cli import main
from workalike.cluster import ray_cluster
from workalike.cluster.ray_cluster import RayChoice
from workalike.store.layers import verdicts_of
from workalike.store.trajectories import write_trajectory
from workalike.verify.scripted import Truth

__all__ = ["serve", "server"]
TRUTHS = {"a": Truth(), "b": Truth("failure", unmet=(1,)), "c": Truth("blocked", unmet=(2,))}


@pytest.fixture(autouse=True)
def nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two nodes of this process in the place of Ray's, each time that a verb asks for some."""

    @asynccontextmanager
    async def joined(choice: RayChoice, say: Callable[[str], None]) -> AsyncIterator[PlainCluster]:
        cluster = PlainCluster("a", "b")
        try:
            yield cluster
        finally:
            await cluster.close()

    monkeypatch.setattr(ray_cluster, "ray_cluster", joined)


def _trajectories(folder: Path, apart: bool = False) -> Path:
    """Three trajectories, and their pictures, together or with each."""
    for id in TRUTHS:
        trajectory, _ = made(folder / id if apart else folder, id=id)
        write_trajectory(folder / id / "trajectory.jsonl", trajectory)
    (folder / "prices.json").write_text('{"m": {"input": 2, "output": 8}}')
    return folder


def test_a_judge_elsewhere_says_the_same_within_the_same_cap(
    tmp_path: Path, serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = []
    for name, more in (("here", []), ("there", ["--ray"])):
        folder = _trajectories(tmp_path / name)
        model = f"m@{serve(answer=NotingJudge(TRUTHS)).v1}"
        given = ["--verifier", "rubric", "--model", model, "--prices", str(folder / "prices.json"), "--max-cost", "5"]
        assert main(["verify", str(folder), *given, "--json", *more]) == 0
        summary = json.loads(capsys.readouterr().out)
        said = {id: verdict.outcome for (id, _), verdict in verdicts_of(folder)[0]}
        outcomes.append((said, summary["usage"]["requests"], summary["spent"]))
    assert outcomes[0] == outcomes[1]
    assert outcomes[1][2] > 0


def test_annotations_made_elsewhere_are_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for name, more in (("here", []), ("there", ["--ray"])):
        folder = _trajectories(tmp_path / name, apart=True)
        paths, rows = [str(folder / id) for id in TRUTHS], folder / "rows.jsonl"
        assert main(["annotate", *paths, "--model", "scripted", "--out", str(rows), *more]) == 0
        layers = sorted(folder.glob("*/layers/annotations/*.jsonl"))
        said = [json.loads(line) for layer in layers for line in layer.read_text().splitlines()[1:]]
        for line in said:
            line["value"]["usage"].pop("cached_tokens", None)  # which depends on who asks first
        last = {(line["trajectory"], line.get("step")): line for line in said}  # who judges and who values may be first
        lines = sorted(json.dumps(line) for line in last.values())
        found.append(([layer.name for layer in layers], lines, sorted(rows.read_text().splitlines())))
    assert found[0] == found[1]
    assert len(found[1][2]) == len(TRUTHS)


@pytest.mark.parametrize("verb", ["validate", "stats"])
def test_rows_looked_at_elsewhere_give_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    for name in ("one", "two", "three"):
        put(tmp_path / f"{name}.jsonl", row(name), row(f"{name}b", 5), "{broken\n", row(name))
    told = []
    for more in ([], ["--ray"]):
        code = main(["dataset", verb, str(tmp_path), "--json", *more])
        told.append((code, json.loads(capsys.readouterr().out)))
    assert told[0] == told[1]


def test_every_file_is_exported_into_a_folder_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows").mkdir()
    for name in ("one", "two"):
        put(tmp_path / "rows" / f"{name}.jsonl", row(name), row(f"{name}b", 5))
        assert main(["dataset", "export", str(tmp_path / "rows" / f"{name}.jsonl"), "--out", str(tmp_path / name)]) == 0
    there = tmp_path / "there"
    assert main(["dataset", "export", str(tmp_path / "rows"), "--out", str(there), "--ray"]) == 0
    for name in ("one", "two"):
        assert (there / name / "chat.jsonl").read_bytes() == (tmp_path / name / "chat.jsonl").read_bytes()
        assert (there / name / "manifest.json").is_file()
    assert main(["dataset", "export", str(tmp_path / "rows"), "--out", str(there), "--ray"]) == 0, "all of it is there"
