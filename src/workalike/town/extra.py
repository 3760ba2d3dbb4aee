"""`town-extra`: what the 609 tasks and the card they follow leave out. Finding a doctor and other public services,
tasks for people who use a keyboard alone or a screen reader, and tasks in two other languages. They happen in the town
with one more site, so that nothing of `town@1` depends on them."""

from __future__ import annotations

from collections.abc import Collection

from workalike.town import benchmark
from workalike.town.benchmark import Drawn, with_benchmark
from workalike.town.site import Split
from workalike.town.sites import load_all
from workalike.town.sites.fernhall.tasks import COUNTS, TRAIN_COUNTS
from workalike.town.town import Town
from workalike.town.world import World

NAME = "town-extra"


def extra_town(world: World) -> Town:
    """The town with the sites that stand outside `town@1`."""
    return Town(world, load_all())


def task_ids(split: Split) -> dict[str, str]:
    """The ids of a split's tasks, each with its category."""
    return benchmark.task_ids(split, _counts(split))


def draw_extra(town: Town, only: Collection[str] | None = None) -> tuple[Drawn, ...]:
    """The tasks of the town's split, category by category: all of them, or `only` some."""
    drawn = benchmark.draw_tasks(town, counts=_counts(town.world.split))
    return tuple(with_benchmark(each, NAME) for each in drawn if only is None or each.task.id in only)


def _counts(split: Split) -> dict[str, int]:
    return COUNTS if split == "test" else TRAIN_COUNTS
