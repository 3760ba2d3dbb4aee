"""A hand does again in a recorded browser what the oracle did at the task that the demo shows."""

from __future__ import annotations

from pathlib import Path

from workalike.bench.demonstration import demonstrate
from workalike.bench.run import RunResources, run_async
from workalike.cli.demo import SHOWN_TASKS
from workalike.core.recording import ButtonChanged
from workalike.store.config import RunConfig
from workalike.store.recordings import Recording
from workalike.store.runs import Run
from workalike.town.town import Town
from workalike.town.world import World


async def test_what_the_demo_shows_can_be_done_by_hand(tmp_path: Path) -> None:
    config = RunConfig(benchmark="town", agent="oracle", split="train", repeats=1, tasks=SHOWN_TASKS[:1])
    await run_async(config, tmp_path / "run", resources=RunResources(jobs=1))
    done = await demonstrate(Town(World().of("train")), Run(tmp_path / "run"), tmp_path / "recording")
    assert done == SHOWN_TASKS[0]
    recording = Recording(tmp_path / "recording")
    assert recording.end is not None
    clicked = [each for each in recording.events() if isinstance(each, ButtonChanged) and each.down]
    assert len(clicked) >= 3
