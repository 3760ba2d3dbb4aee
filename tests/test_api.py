"""What `import workalike as wa` offers: every example of the documentation runs, and truth is the reward."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

import workalike as wa
from workalike.core.errors import BadInput
from workalike.formats.agentnet_tool import import_recording

PAGE = Path(__file__).parents[1] / "docs" / "python.md"


def test_every_example_of_the_page_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    assert len(blocks) >= 6
    (tmp_path / "page.py").write_text("\n".join(blocks), "utf-8")
    done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_is_imported_before_it_is_used() -> None:
    told = "import sys, workalike; print(len([name for name in sys.modules if name.startswith('workalike')]))"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True).stdout.strip() == "1"


def test_a_room_with_a_verbs_name_is_both() -> None:
    import workalike.reduce.trajectory as room

    assert room.reduce_recording.__module__ == "workalike.reduce.trajectory"
    with pytest.raises(BadInput, match="is not a recording"):
        wa.reduce("nowhere", "there")
    assert set(wa.__all__) <= set(dir(wa))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = wa.nonsense  # type: ignore[attr-defined]


def test_what_solves_a_task_is_rewarded_and_what_does_not_is_not(tmp_path: Path) -> None:
    # looks of the train split hold still, so that what was done on them can be done again without looking
    task = "train_shopping_3"
    wa.run("town", "oracle", tasks=(task,), split="train", repeats=1, out=tmp_path / "run")
    (solved,) = wa.load(tmp_path / "run", verdict="success")
    with wa.make(f"town/{task}", split="train") as world:
        for attempt, worth in ((solved.steps, 1.0), (solved.steps[-1:], 0.0)):
            world.reset()
            for step in attempt:
                told = world.step([taken.action for taken in step.actions])
            _, reward, terminated, truncated, info = told
            assert (reward, terminated, truncated) == (worth, True, False)
            assert info["verdict"].outcome == ("success" if worth else "failure"), info["verdict"].reason
        with pytest.raises(BadInput, match="the episode is over"):
            world.step({"do": "wait"})


def test_several_at_once_have_states_of_their_own_and_begin_anew() -> None:
    with wa.make_vec("town", 2, categories=("shopping",), limit=3) as worlds:
        _, infos = worlds.reset()
        first = [task.id for task in infos["task"]]
        _, rewards, over, cut, _ = worlds.step([{"do": "terminate"}, {"do": "wait", "seconds": 0}])
        assert (rewards.tolist(), over.tolist(), cut.tolist()) == ([0.0, 0.0], [True, False], [False, False])
        _, _, over, _, infos = worlds.step([{"do": "terminate"}, {"do": "wait", "seconds": 0}])
        assert over.tolist() == [False, False], "the first has begun anew and ignored what it was given"
        assert infos["task"][0].id not in first
        assert infos["task"][1].id == first[1]
        with pytest.raises(BadInput, match="1 actions were given for 2"):
            worlds.step([{"do": "wait"}])


def test_the_steps_are_bounded() -> None:
    with wa.make("town/shopping_1", most_steps=2) as world:
        world.reset()
        assert [world.step({"do": "wait", "seconds": 0})[3] for _ in range(2)] == [False, True]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: wa.make("village"), "there is no benchmark 'village'"),
        (lambda: wa.make("town/nothing_1"), "nothing_1"),
        (lambda: wa.make("town", speed=3), "'speed' is no setting of a run"),
        (lambda: wa.make_vec("town", 0), "at least 1"),
        (lambda: wa.run("town", "oracle", out="x", repeats="many"), "the settings make no run"),
        (lambda: wa.load("nowhere"), "nowhere does not exist"),
        (lambda: wa.reduce("nowhere", "x", speed=3), "'speed' is no threshold"),
    ],
)
def test_bad_input_is_one_sentence(make: object, told: str) -> None:
    with pytest.raises(BadInput, match=re.escape(told)) as caught:
        make()  # type: ignore[operator]
    assert "\n" not in str(caught.value)


def test_it_works_where_a_loop_is_running(tmp_path: Path) -> None:
    async def notebook() -> int:
        return wa.run("town", "idle", tasks=("shopping_1",), repeats=1, out=tmp_path / "run").summary.finished

    assert asyncio.run(notebook()) == 1


def test_a_file_of_agentnet_and_a_recording_are_loaded_like_a_run(fixtures: Path, tmp_path: Path) -> None:
    rows = wa.load(fixtures / "agentnet-trajectory" / "raw_example.jsonl")
    (row,) = rows
    assert rows.picture(row.steps[0]) == rows.picture(row.steps[0].observation)
    import_recording(fixtures / "agentnet-recording", tmp_path / "recording")
    recorded = wa.load(tmp_path / "recording")
    (once,), (again,) = recorded, recorded
    assert once == again
    assert once.steps
    assert recorded.picture(once.steps[0]).startswith(b"\x89PNG")
    reduced = wa.reduce(tmp_path / "recording", tmp_path / "trajectory")
    assert len(reduced.matched) == len(once.steps)
