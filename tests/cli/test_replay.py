"""`workalike replay` of a recording as a user meets it: refused, at its own size, numbered, with nothing to do."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.env.web import Web
from tests.programs import needs
from workalike.cli import main
from workalike.core.actions import Action, Click, Hotkey, Press, Terminate, Write
from workalike.core.observation import Kind, Observation
from workalike.core.program import Program, programs_of, stored
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop
from workalike.env.desktop.environment import DesktopEnvironment
from workalike.store.pictures import PictureStore
from workalike.store.trajectories import FILE, TrajectoryWriter, read_trajectory

SIZE = Size(1050, 693)
PAGE = "<!doctype html><title>Page</title><button>Go</button>"


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as web:
        web.pages["/page"] = PAGE
        yield web


def recorded(folder: Path, url: str | None, *actions: Action, kind: Kind = "viewport") -> Path:
    """A demonstration as `reduce` writes one, its pictures left out."""
    seen = Observation(size=SIZE, kind=kind, url=url)
    with TrajectoryWriter.create(folder / FILE, "demo", Task("demo", "go", start_url=url)) as writer:
        for action in actions:
            writer.step(Step(seen, (ActionResult(action),)))
        writer.finish(Stop("terminated"), seen)
    return folder


def test_a_page_of_ones_own_is_refused_aloud_and_reached_with_leave(
    web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    demo = recorded(tmp_path / "demo", f"{web.address()}/page", Click(Point(0.9, 0.9)), Terminate("success"))
    assert main(["replay", str(demo)]) == 1
    shown = capsys.readouterr().out
    assert "same place" not in shown
    assert "not on the public internet" in shown
    assert f"--reach {web.place}={web.place}" in shown
    assert "went another way" in shown
    assert main(["replay", str(demo), "--reach", f"{web.place}={web.place}", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert all(row["same_place"] for row in told["compared"])
    first, second = sorted(Path("replays").iterdir(), key=lambda each: len(each.name))
    assert second.name == f"{first.name}-2"
    again = read_trajectory(second / FILE).trajectory
    assert {step.observation.size for step in again.steps} == {SIZE}


def test_what_cannot_be_replayed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = recorded(tmp_path / "empty", "http://web.localhost/", Terminate("success"))
    desk = recorded(tmp_path / "desk", None, Click(Point(0.5, 0.5)), kind="desktop")
    for words, sentence in (
        ([str(empty)], "holds no actions: there is nothing to do again"),
        ([str(desk), "--on", "browser"], "was recorded on a desktop, not in a browser; leave --on browser out"),
        ([str(desk), "--on", "desktop", "--reach", "a=127.0.0.1:1"], "--reach cannot be had with --on desktop"),
    ):
        assert main(["replay", *words, "--out", str(tmp_path / "out")]) == 2
        assert sentence in capsys.readouterr().err
        assert not (tmp_path / "out").exists()
    assert main(["replay", str(desk), "--on", "desktop", "--out", str(tmp_path / "empty")]) == 2
    assert "exists already" in capsys.readouterr().err


async def worked(folder: Path) -> Path:
    """An attempt on a desktop: a text is written and saved."""
    environment, program = DesktopEnvironment(programs=[["mousepad"]]), Program(("mousepad",))
    actions = (Write("hi"), Hotkey(("ctrl", "shift", "s")), Hotkey(("ctrl", "a")), Write("note.txt"), Press(("enter",)))
    task = Task("desk", "save a note")
    pictures = PictureStore(folder / "pictures")
    try:
        percept = await environment.reset(task)
        with TrajectoryWriter.create(folder / FILE, "desk", task, extra=stored([program])) as writer:
            for action in actions:
                assert percept.picture
                pictures.put(percept.picture)
                writer.step(Step(percept.observation, (await environment.act(action),)))
                percept = await environment.observe()
            assert percept.picture
            pictures.put(percept.picture)
            writer.finish(Stop("terminated"), percept.observation)
    finally:
        await environment.close()
    return folder


async def test_a_desktop_is_replayed_with_what_it_began_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where, and which programs, is known; a home of another name is the same place, and an empty desktop is not."""
    needs("Xvfb", "mousepad")
    demo = await worked(tmp_path / "demo")
    read = read_trajectory(demo / FILE).trajectory
    assert read.final is not None
    assert "note.txt" in (read.final.window or "")
    words = ["replay", str(demo), "--out", str(tmp_path / "again"), "--json"]
    assert await asyncio.to_thread(main, words) == 0
    told = json.loads(capsys.readouterr().out)
    assert all(row["same_place"] for row in told["compared"])
    again = read_trajectory(tmp_path / "again" / FILE).trajectory
    assert programs_of(again.extra) == (Program(("mousepad",)),)
    assert again.final is not None
    assert again.final.window != read.final.window, "the home is another, and its name is part of the title"
    bare = tmp_path / "bare"
    shutil.copytree(demo, bare)
    (bare / FILE).write_text((demo / FILE).read_text().replace('"programs":[{"command":["mousepad"]}]', ""))
    assert programs_of(read_trajectory(bare / FILE).trajectory.extra) == ()
    assert await asyncio.to_thread(main, ["replay", str(bare), "--out", str(tmp_path / "empty"), "--json"]) == 1
    shown = capsys.readouterr()
    assert not any(row["same_place"] for row in json.loads(shown.out)["compared"])
    assert "does not say which programs it began with" in shown.err


def test_a_program_that_is_not_here_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = recorded(tmp_path / "desk", None, Click(Point(0.5, 0.5)), kind="desktop")
    assert main(["replay", str(desk), "--program", "no-such-program x", "--out", str(tmp_path / "out")]) == 2
    assert "there is no program 'no-such-program'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
