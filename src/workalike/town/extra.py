"""`town-extra`: what the 609 tasks and the card they follow leave out. Finding a doctor and other public services,
tasks for people who use a keyboard alone or a screen reader, and tasks in two other languages. They happen in the town
with one more site, so that nothing of `town@1` depends on them."""

from __future__ import annotations

from workalike.town.benchmark import Drawn, draw_tasks, with_benchmark
from workalike.town.sites import load_all
from workalike.town.sites.fernhall.tasks import COUNTS, TRAIN_COUNTS
from workalike.town.town import Town
from workalike.town.world import World

NAME = "town-extra"


def extra_town(world: World) -> Town:
    """The town with the sites that stand outside `town@1`."""
    return Town(world, load_all())


def draw_extra(town: Town) -> tuple[Drawn, ...]:
    """Every task, category by category, of the town's split."""
    drawn = draw_tasks(town, counts=COUNTS if town.world.split == "test" else TRAIN_COUNTS)
    return tuple(with_benchmark(each, NAME) for each in drawn)
