"""A trajectory of the town done again in a fresh browser reaches the same end; a changed one does not."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from workalike.bench.attempt import SKIPPED
from workalike.bench.replay import ReplayAgent, Replayed, compare
from workalike.bench.run import RunResources, run_async
from workalike.bench.stale import NOT_DONE
from workalike.cli import main
from workalike.core.actions import Click, Terminate, Wait
from workalike.core.contracts import Percept
from workalike.core.observation import Element, Observation
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.store.config import RunConfig
from workalike.store.runs import Run

TASK = Task("t", "do it")


async def _recorded(folder: Path) -> Path:
    # looks of the train split hold still: on others what is seen first depends on the machine
    config = RunConfig(benchmark="town", agent="oracle", split="train", repeats=1, tasks=("train_shopping_3",))
    await run_async(config, folder, resources=RunResources(jobs=1))
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
    steps = (Step(Observation(), (ActionResult(Click(Point(0.1, 0.1))), ActionResult(Wait()))), Step(Observation()))
    agent = ReplayAgent(Trajectory("t", TASK, steps))
    percept = Percept(Observation())
    assert (await agent.decide(percept)).actions == (Click(Point(0.1, 0.1)), Wait())
    assert (await agent.decide(percept)).actions == (Terminate("success"),)


def test_what_went_another_way_is_seen() -> None:
    def walk(*places: str) -> Trajectory:
        steps = tuple(Step(Observation(url=place), (ActionResult(Wait()),)) for place in places)
        return Trajectory("t", TASK, steps, final=Observation(url="http://a/end?x=1"))

    rows = compare(walk("http://a/1", "http://a/2"), walk("http://a/1", "http://b/2"), lambda was, now: None)
    assert [row.same_place for row in rows] == [True, False, True]
    failed = msgspec.structs.replace(
        walk("http://a/1"), steps=(Step(Observation(), (ActionResult(Wait(), error="gone"),)),)
    )
    assert compare(walk("http://a/1"), failed, lambda was, now: None)[0].error == "gone"


def test_a_desktop_is_judged_by_what_it_says() -> None:
    """Not by how it looks: every desktop has a home of its own. Where it says nothing, looks are all there is."""

    def seen(window: str | None, *names: str) -> Observation:
        elements = tuple(Element("push button", name) for name in names) or None
        return Observation(kind="desktop", window=window, elements=elements)

    def same(was: Observation, now: Observation, looks: bool | None = False) -> bool:
        one, two = (Trajectory("t", TASK, final=each) for each in (was, now))
        (row,) = compare(one, two, lambda was, now: looks)
        return Replayed("", (row,)).agrees

    assert same(seen("/home/bob/a.txt - Editor"), seen("/tmp/workalike-desktop-x/work/a.txt - Editor"))
    assert not same(seen("/home/bob/a.txt - Editor"), seen("/home/bob/b.txt - Editor"))
    assert not same(seen("Editor"), seen(None), looks=True)
    assert not same(seen(None), seen(None), looks=None), "an empty desktop is no place"
    assert not same(seen(None), seen(None), looks=False)
    assert same(seen(None), seen(None), looks=True)
    assert same(
        seen("Editor", "Save", "Open", "Close", "Undo", "Redo"), seen("Editor", "Save", "Open", "Close", "Undo", "Redo")
    )
    assert not same(seen("Editor", "Save", "Open"), seen("Editor", "Yes", "No"))


def test_what_was_hit_on_a_desktop_tells_ways_apart() -> None:
    def clicked(name: str) -> Trajectory:
        taken = ActionResult(Click(Point(0.5, 0.5)), hit=Element("menu item", name))
        return Trajectory("t", TASK, (Step(Observation(kind="desktop", window="Editor"), (taken,)),))

    for name, wanted in (("Sort...", True), ("Fill", False), ("", True)):
        (row,) = compare(clicked("Sort..."), clicked(name), lambda was, now: None)
        assert row.same_place is wanted


def test_a_folder_without_a_trajectory_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path)]) == 2
    assert f"there is no trajectory at {tmp_path}" in capsys.readouterr().err


async def test_what_was_not_carried_out_is_not_done_again() -> None:
    stale = ActionResult(Click(Point(0.1, 0.1)), error=f"{NOT_DONE}: another page has come up")
    step = Step(Observation(), (ActionResult(Wait(0)), stale, ActionResult(Terminate(), error=SKIPPED)))
    agent = ReplayAgent(Trajectory("a", Task("t", "go"), (step,)))
    assert (await agent.decide(Percept(Observation()))).actions == (Wait(0),)
