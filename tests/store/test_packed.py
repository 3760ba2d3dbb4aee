"""A packed dataset holds one trajectory a line, plain or packed; it is written whole or not at all."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.spoiling import spoilt
from tests.store.test_trajectories import WHOLE
from tests.strategies import trajectories
from workalike.core.errors import BadInput, Damaged
from workalike.core.trajectory import Trajectory
from workalike.store.packed import ENDINGS, is_packed, read_packed, write_packed


@pytest.mark.parametrize("ending", ENDINGS)
@given(some=st.lists(trajectories, max_size=4))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_trajectories_come_back(tmp_path: Path, ending: str, some: list[Trajectory]) -> None:
    path = tmp_path / f"d{ending}"
    assert write_packed(path, some) == len(some)
    stored = list(read_packed(path))
    assert [s.trajectory for s in stored] == some
    assert [s.finished for s in stored] == [t.stop is not None for t in some]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_trajectories_give_the_same_bytes(tmp_path: Path, ending: str) -> None:
    for name in ("one", "two"):
        write_packed(tmp_path / f"{name}{ending}", [WHOLE] * 50)
    assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()


def _failing() -> Iterator[Trajectory]:
    yield WHOLE
    raise Damaged("the second is damaged")


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_fails_half_way_leaves_the_former_dataset(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"d{ending}"
    write_packed(path, [WHOLE])
    with pytest.raises(Damaged, match="the second is damaged"):
        write_packed(path, _failing())
    assert [s.trajectory for s in read_packed(path)] == [WHOLE]
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_the_ending_says_how_it_is_packed(tmp_path: Path) -> None:
    assert is_packed(Path("a.jsonl.zst"))
    assert not is_packed(Path("trajectory.jsonl"))
    assert not is_packed(Path("a.json"))
    with pytest.raises(BadInput, match=r"does not end in one of \.jsonl, \.jsonl\.gz, \.jsonl\.zst"):
        write_packed(tmp_path / "a.parquet", [])
    assert list(tmp_path.iterdir()) == []


def test_bad_lines_are_named_and_need_not_stop_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    write_packed(path, [WHOLE, WHOLE])
    good = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(good[0] + b"{oops}\n\n" + good[1] + good[0][:50])
    with pytest.raises(Damaged, match=f"{path}, line 2: JSON is malformed"):
        list(read_packed(path))
    complaints: list[Damaged] = []
    assert [s.trajectory for s in read_packed(path, complaints.append)] == [WHOLE, WHOLE]
    assert ["line 2" in str(complaints[0]), "line 5" in str(complaints[1])] == [True, True]


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_damage_crashes_the_reader(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"d{ending}"
    write_packed(path, [WHOLE] * 3)
    data, named = path.read_bytes(), 0
    for seed in range(1_500):
        path.write_bytes(data[:seed] if seed < len(data) else spoilt(data, random.Random(seed)))
        try:
            list(read_packed(path))
        except Damaged:
            named += 1
    assert named > 500
