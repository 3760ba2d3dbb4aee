"""Editions: what is frozen stays, what is private tells nothing of its seed."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from workalike.bench.loading import load_benchmark
from workalike.cli import main
from workalike.core.errors import BadInput
from workalike.store.config import RunConfig
from workalike.town.benchmark import COUNTS, Drawn, draw_tasks
from workalike.town.digest import digests_of, pages_of, static_files
from workalike.town.edition import digest_keys, frozen, read_edition
from workalike.town.render import CANARY, GROUND
from workalike.town.sites import NAMES
from workalike.town.town import Town
from workalike.town.world import World

SECRET = "a long secret that nobody guesses"
FEW = {"counts": {"shopping": 4, "hotels": 3}, "share": 0.4}


def written(folder: Path, **more: object) -> Path:
    path = folder / "autumn.json"
    path.write_text(json.dumps({"name": "autumn", "seed": SECRET, "today": "2026-09-21", **more}))
    return path


def test_the_pinned_edition_is_as_it_was_frozen(town: Town, drawn: tuple[Drawn, ...]) -> None:
    assert digests_of(town, drawn) == frozen("town@1")


def test_digests_are_the_same_again_and_tell_a_change(town: Town, drawn: tuple[Drawn, ...]) -> None:
    few = drawn[:3]
    once = digests_of(town, few)
    assert once == digests_of(Town(), few)
    other = msgspec.structs.replace(few[0], task=msgspec.structs.replace(few[0].task, instruction="Do nothing."))
    changed = digests_of(town, (other, *few[1:]))
    assert changed.tasks != once.tasks
    assert (changed.keys, changed.pages, changed.world) == (once.keys, once.pages, once.world)
    assert digests_of(Town(World(2)), few).world != once.world
    assert any(path.name == "messy.css" for path in static_files(GROUND, NAMES))


def test_the_canary_stands_in_every_page_and_task(town: Town, drawn: tuple[Drawn, ...]) -> None:
    for each in drawn[::20]:
        pages = [page for page in pages_of(town, each) if b"</html>" in page]
        assert pages
        assert all(CANARY.encode() in page for page in pages), each.task.id
    assert all(each.task.extra["canary"] == CANARY for each in drawn)


def test_a_private_edition_is_another_town_of_one_s_own(tmp_path: Path) -> None:
    loaded = load_benchmark(RunConfig(benchmark="town", agent="idle", edition=str(written(tmp_path, **FEW))))
    ids = [task.id for task in loaded.task_set.tasks]
    assert ids == ["shopping_1", "shopping_2", "shopping_3", "shopping_4", "hotels_1", "hotels_2", "hotels_3"]
    assert loaded.task_set.name == "town@autumn"
    assert loaded.town is not None
    assert SECRET not in loaded.town.world.label + " ".join(loaded.task_set.notes)
    pinned = {each.task.instruction for each in draw_tasks(Town(), counts={"shopping": COUNTS["shopping"]})}
    assert not pinned & {task.instruction for task in loaded.task_set.tasks}
    templates = {key.extra["template"] for key in loaded.task_set.keys.values()}
    whole = load_benchmark(
        RunConfig(benchmark="town", agent="idle", edition=str(written(tmp_path, counts={"shopping": 18})))
    )
    assert len(templates) < len({key.extra["template"] for key in whole.task_set.keys.values()})


def test_its_digest_can_be_published_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, **FEW)
    assert main(["tasks", "town", "--edition", str(path), "--digest"]) == 0
    told = capsys.readouterr().out
    assert SECRET not in told
    loaded = load_benchmark(RunConfig(benchmark="town", agent="idle", edition=str(path)))
    keys = [loaded.task_set.keys[task.id] for task in loaded.task_set.tasks]
    assert json.loads(told)["keys"] == digest_keys(keys)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"seed": "short"}, "too easily guessed"),
        ({"share": 0}, "must be above 0"),
        ({"colour": "red"}, "describes no edition"),
    ],
)
def test_what_is_no_edition_is_told(tmp_path: Path, more: dict[str, object], problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        read_edition(written(tmp_path, **more))
    with pytest.raises(BadInput, match="cannot be read"):
        read_edition(tmp_path / "none.json")


def test_editions_are_the_town_s_alone(tmp_path: Path) -> None:
    path = str(written(tmp_path))
    with pytest.raises(BadInput, match="--edition is for the town"):
        load_benchmark(RunConfig(benchmark="online-mind2web", agent="idle", edition=path))
    with pytest.raises(BadInput, match="has a date of its own"):
        load_benchmark(RunConfig(benchmark="town", agent="idle", edition=path, today="2026-06-01"))
