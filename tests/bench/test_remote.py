"""Attempts made by workers come out as those made here: over plain lines, which need no Ray."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec
import pytest

from tests.bench.alike import attempts_of, pictures_alike, verdicts_of
from tests.cluster.plain import PlainCluster, in_place_of_ray
from workalike.bench.run import RunResources, run_async
from workalike.cli import main
from workalike.cluster.ray_cluster import RayChoice
from workalike.core.errors import BadInput
from workalike.core.progress import Progress
from workalike.report.reading import read_results
from workalike.store.config import AttemptLimits, RunConfig
from workalike.store.index import summaries
from workalike.store.runs import Run

# Looks of the train split hold still: where a strip comes in late, what is seen first depends on the machine.
PLAN = RunConfig(benchmark="town", agent="oracle", split="train", repeats=1, limit=3, limits=AttemptLimits(steps=60))
MEANS = RunResources(jobs=2, ray=RayChoice())


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> PlainCluster:
    """Two nodes of this process in the place of Ray's."""
    nodes = PlainCluster("a", "b")
    in_place_of_ray(monkeypatch, lambda: nodes)
    return nodes


@pytest.mark.parametrize("shared", [False, pytest.param(True, marks=pytest.mark.sweep)])
async def test_the_oracle_does_the_same_there_as_here(tmp_path: Path, cluster: PlainCluster, shared: bool) -> None:
    await run_async(PLAN, tmp_path / "here", resources=RunResources(jobs=2))
    told: list[Progress] = []
    means = msgspec.structs.replace(MEANS, shared=shared)
    summary = await run_async(PLAN, tmp_path / "there", resources=means, watch=told.append)
    assert (summary.finished, summary.given_up) == (3, {})
    assert attempts_of(tmp_path / "there") == attempts_of(tmp_path / "here")
    assert pictures_alike(tmp_path / "there", tmp_path / "here") >= 0.9
    assert verdicts_of(tmp_path / "there") == verdicts_of(tmp_path / "here")
    run = Run(tmp_path / "there")
    assert all(run.pictures.has(ref) for stored in run.trajectories() for ref in stored.trajectory.pictures)
    assert "node" in told[-1].note
    again = await run_async(PLAN, tmp_path / "there", resources=RunResources(jobs=2))
    assert (again.finished, again.skipped) == (0, 3)


async def test_what_a_model_said_and_took_is_in_the_driver_s_books(tmp_path: Path, cluster: PlainCluster) -> None:
    plan = msgspec.structs.replace(PLAN, agent="som", model="oracle", limit=1)
    await run_async(plan, tmp_path / "here", resources=RunResources(jobs=1))
    await run_async(plan, tmp_path / "there", resources=MEANS)
    (here,), (there,) = summaries(Run(tmp_path / "here")), summaries(Run(tmp_path / "there"))
    assert there.transcribed
    assert there.replies == here.replies > 0
    assert there.usage == here.usage


@pytest.mark.sweep
async def test_a_worker_cut_off_in_the_middle_costs_a_try_and_nothing_else(
    tmp_path: Path, cluster: PlainCluster
) -> None:
    folder = tmp_path / "run"
    task = asyncio.create_task(run_async(PLAN, folder, resources=MEANS))
    while not any(path.read_bytes().count(b"\n") > 2 for path in folder.rglob("trajectory.jsonl")):
        assert not task.done()
        await asyncio.sleep(0.02)
    for lines in list(cluster.lines.values()):
        lines[0].cut.set()
    summary = await task
    assert summary.finished == 3
    assert summary.retried >= 1
    assert all(each.success for each in read_results(folder).results)
    stops = [each.stop for each in summaries(Run(folder)) if each.stop]
    assert sum(stop.reason == "infrastructure_error" for stop in stops) == summary.retried


@pytest.mark.parametrize(
    ("means", "why"),
    [
        ({"cache": Path("x")}, "--cache is of this machine"),
        ({"headed": True}, "--headed is of this machine"),
        ({"ray": None, "shared": True}, "--shared is for nodes"),
    ],
)
async def test_what_makes_no_sense_on_a_cluster_is_refused(tmp_path: Path, means: dict[str, object], why: str) -> None:
    plan = msgspec.structs.replace(PLAN, agent="som", model="openai/gpt-5")
    with pytest.raises(BadInput, match=why):
        await run_async(plan, tmp_path / "run", resources=msgspec.structs.replace(MEANS, **means))
    assert not (tmp_path / "run").exists()


async def test_a_secret_option_must_be_the_nodes_own(tmp_path: Path) -> None:
    plan = msgspec.structs.replace(PLAN, agent="my:Agent", options={"api_key": "abcdefgh12345"})
    with pytest.raises(BadInput, match=r"api_key is a secret, and a cluster shows .* set API_KEY in the environment"):
        await run_async(plan, tmp_path / "run", resources=MEANS)


async def test_a_module_that_no_node_has_is_said_before_anything_is_written(
    tmp_path: Path, cluster: PlainCluster
) -> None:
    plan = msgspec.structs.replace(PLAN, agent="nowhere_at_all:Agent")
    with pytest.raises(BadInput, match=r"node a is set aside: the module 'nowhere_at_all' cannot be imported"):
        await run_async(plan, tmp_path / "run", resources=MEANS)
    assert not (tmp_path / "run").exists()


def test_without_ray_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    code = main(["run", "town", "--agent", "idle", "--ray", "--out", str(tmp_path / "run")])
    assert code == 2
    assert "--ray needs ray: run `pip install '.[ray]'`" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
