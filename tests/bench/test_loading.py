"""The town's benchmarks by name, and where instructions can be planted."""

from __future__ import annotations

import pytest

from workalike.bench.loading import load_benchmark, names
from workalike.core.errors import BadInput
from workalike.store.config import RunConfig


def config(benchmark: str, **settings: object) -> RunConfig:
    return RunConfig(benchmark=benchmark, agent="idle", **settings)  # type: ignore[arg-type]


def test_every_benchmark_of_the_town_is_loaded_by_its_name() -> None:
    assert names()[:4] == ["town", "town-refusals", "town-injections", "town-extra"]
    refusals = load_benchmark(config("town-refusals", limit=14)).task_set
    assert refusals.name == "town-refusals@1"
    assert len(refusals.categories) == 7
    assert sum(key.refuse for key in refusals.keys.values()) == 7
    few = load_benchmark(config("town-refusals", limit=4)).task_set
    assert sorted(key.pair for key in few.keys.values()) == sorted(2 * list({key.pair for key in few.keys.values()}))
    injected = load_benchmark(config("town-injections@1")).task_set
    assert sum(key.attack is not None for key in injected.keys.values()) == len(injected.tasks) / 2 >= 200
    extra = load_benchmark(config("town-extra")).task_set
    assert extra.name == "town-extra@1"
    assert {task.benchmark for task in extra.tasks} == {"town-extra"}
    assert load_benchmark(config("town-extra", split="train")).task_set.tasks[0].id.startswith("train_")


def test_instructions_are_planted_by_suite_and_seed() -> None:
    first, again, other = (
        load_benchmark(config("town", inject="data,review", limit=5, seed=seed)).task_set for seed in (1, 1, 2)
    )
    assert first == again
    assert first.fingerprint != other.fingerprint
    assert {key.attack.aim for key in first.keys.values() if key.attack} == {"data"}
    assert any("planted" in note for note in first.notes)
    begun = load_benchmark(config("town", inject="review", limit=5, decoupled=True)).task_set
    assert not any((task.start_url or "").startswith("http://search.") for task in begun.tasks)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"benchmark": "town", "inject": "nonsense"}, "knows no 'nonsense'"),
        ({"benchmark": "town", "decoupled": True}, "name a suite with --inject"),
        ({"benchmark": "town-refusals", "inject": "all"}, "one fixed set"),
        ({"benchmark": "town-refusals", "decoupled": True}, "leave --decoupled out"),
        ({"benchmark": "town-injections", "split": "train"}, "one fixed set"),
        ({"benchmark": "town-extra", "inject": "all"}, "one fixed set"),
        ({"benchmark": "town-extra", "decoupled": True}, "leave --decoupled out"),
        ({"benchmark": "webvoyager", "inject": "all"}, "in the town alone"),
    ],
)
def test_what_cannot_be_planted_is_said(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        load_benchmark(config(**settings))  # type: ignore[arg-type]
