"""The town's benchmarks by name, and where instructions can be planted."""

from __future__ import annotations

from typing import Any

import pytest

from workalike.bench.benchmarks import TaskSet, select
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


@pytest.fixture(scope="module")
def whole() -> dict[str, TaskSet]:
    """Everything that two of the town's benchmarks hold."""
    return {name: load_benchmark(config(name)).task_set for name in ("town", "town-refusals")}


@pytest.mark.parametrize(
    ("benchmark", "choice"),
    [
        ("town", {"limit": 3}),
        ("town", {"limit": 13}),
        ("town", {"categories": ("Hotels", "jobs"), "limit": 5}),
        ("town", {"categories": ("ticketing",)}),
        ("town", {"tasks": ("shopping_list_9", "flights_2")}),
        ("town", {"tasks": ("shopping_list_9", "flights_2"), "limit": 1}),
        ("town", {"tasks": ("jobs_2",), "categories": ("hotels",)}),
        ("town-refusals", {"limit": 5}),
        ("town-refusals", {"tasks": ("illegal_activities_1a",)}),
    ],
)
def test_what_is_drawn_for_a_part_is_what_the_whole_holds(
    whole: dict[str, TaskSet], benchmark: str, choice: dict[str, Any]
) -> None:
    assert load_benchmark(config(benchmark, **choice)).task_set == select(whole[benchmark], **choice)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"benchmark": "town", "categories": ("hotel",)}, "no category 'hotel'; there are shopping, .*hotels"),
        ({"benchmark": "town", "tasks": ("hotels_53",)}, "town@1 has no task 'hotels_53'; `workalike tasks town@1`"),
        ({"benchmark": "town", "tasks": ("train_hotels_3",)}, "town@1 has no task 'train_hotels_3'"),
        ({"benchmark": "town-refusals", "tasks": ("hotels_3",)}, "town-refusals@1 has no task 'hotels_3'"),
        ({"benchmark": "town@9"}, "no edition 'town@9'"),
    ],
)
def test_what_the_town_does_not_have_is_said_before_it_is_built(
    settings: dict[str, Any], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workalike.bench.loading.Town", None)
    with pytest.raises(BadInput, match=complaint):
        load_benchmark(config(**settings))


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
