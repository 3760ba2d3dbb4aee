"""`workalike replay` of a recording as a user meets it: refused, at its own size, numbered, with nothing to do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.env.web import Web
from workalike.cli import main
from workalike.core.actions import Action, Click, Terminate
from workalike.core.observation import Kind, Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import Step, Stop, Taken
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
            writer.step(Step(seen, (Taken(action),)))
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
        ([str(desk)], "was recorded on a desktop, not in a browser; replay it with --on desktop"),
        ([str(desk), "--on", "desktop", "--reach", "a=127.0.0.1:1"], "--reach cannot be had with --on desktop"),
    ):
        assert main(["replay", *words, "--out", str(tmp_path / "out")]) == 2
        assert sentence in capsys.readouterr().err
        assert not (tmp_path / "out").exists()
    assert main(["replay", str(desk), "--on", "desktop", "--out", str(tmp_path / "empty")]) == 2
    assert "exists already" in capsys.readouterr().err
