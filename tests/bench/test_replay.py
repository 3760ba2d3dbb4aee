"""A trajectory of the town done again in a fresh browser reaches the same end; a changed one does not."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from workalike.bench.attempt import Limits
from workalike.bench.plan import Plan
from workalike.bench.replay import ReplayAgent, compare
from workalike.bench.run import Means, run_async
from workalike.cli import main
from workalike.core.actions import Click, Terminate, Wait
from workalike.core.contracts import Sight
from workalike.core.observation import Observation
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import Step, Taken, Trajectory
from workalike.store.runs import Run

TASK = Task("t", "do it")


async def _recorded(folder: Path) -> Path:
    plan = Plan(benchmark="town", agent="oracle", repeats=1, limit=1, categories=("shopping",), limits=Limits(steps=60))
    await run_async(plan, folder, means=Means(jobs=1))
    (attempt,) = Run(folder).attempts()
    return attempt.folder


async def test_the_town_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import asyncio

    folder = await _recorded(tmp_path / "run")
    words = ["replay", str(folder), "--on", "browser", "--out", str(tmp_path / "again"), "--json"]
    assert await asyncio.to_thread(main, words) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["agrees"]
    assert shown["same_changes"]
    assert all(row["same_place"] for row in shown["compared"])


async def test_actions_come_back_in_order_and_then_it_stops() -> None:
    steps = (Step(Observation(), (Taken(Click(Point(0.1, 0.1))), Taken(Wait()))), Step(Observation()))
    agent = ReplayAgent(Trajectory("t", TASK, steps))
    sight = Sight(Observation())
    assert (await agent.decide(sight)).actions == (Click(Point(0.1, 0.1)), Wait())
    assert (await agent.decide(sight)).actions == (Terminate("success"),)


def test_what_went_another_way_is_seen() -> None:
    def walk(*places: str) -> Trajectory:
        steps = tuple(Step(Observation(url=place), (Taken(Wait()),)) for place in places)
        return Trajectory("t", TASK, steps, final=Observation(url="http://a/end?x=1"))

    rows = compare(walk("http://a/1", "http://a/2"), walk("http://a/1", "http://b/2"), lambda was, now: None)
    assert [row.same_place for row in rows] == [True, False, True]
    failed = msgspec.structs.replace(walk("http://a/1"), steps=(Step(Observation(), (Taken(Wait(), error="gone"),)),))
    assert compare(walk("http://a/1"), failed, lambda was, now: None)[0].error == "gone"


def test_a_folder_without_a_trajectory_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path)]) == 2
    assert f"there is no trajectory at {tmp_path}" in capsys.readouterr().err
