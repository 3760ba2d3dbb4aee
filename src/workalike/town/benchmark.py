"""The tasks of the town with their keys, drawn from the world: the same for everybody who takes the same edition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from workalike.core.errors import BadInput
from workalike.core.key import Key, Rubric
from workalike.core.provenance import fingerprint
from workalike.core.task import Task
from workalike.town.kit.goal import write_goals
from workalike.town.kit.lines import write_line
from workalike.town.kit.structure import structure_of
from workalike.town.kit.truth import counted, critical_point, evaluators_of, form_of, rubric_of
from workalike.town.render import CANARY
from workalike.town.session import OBSTACLES, Setting
from workalike.town.site import Split
from workalike.town.template import TaskDraft, Template
from workalike.town.town import Town

COUNTS = {
    "shopping": 56,
    "flights": 51,
    "hotels": 52,
    "restaurants": 52,
    "activities": 80,
    "ticketing": 57,
    "real-estate": 48,
    "jobs": 50,
    "shopping_list": 51,
    "comparison_shopping": 57,
    "compositional_tasks": 55,
}
"""How many tasks of a category the test split has, as on WebTailBench's card."""

TRIES = 3000
MOST_ALIKE = 6
"""How many tasks of the test split share their goal structure at most."""


class Drawn(msgspec.Struct, frozen=True):
    """A task beside its key."""

    task: Task
    key: Key


def draw_tasks(
    town: Town,
    split: Split | None = None,
    counts: Mapping[str, int] = COUNTS,
    share: float = 1.0,
    only: Collection[str] | None = None,
) -> tuple[Drawn, ...]:
    """Every task of a split, the town's own where none is named, category by category; no two share their truth. Of
    every category's templates a `share` is used; which ones, the world's chance decides. `only` names the tasks that
    are asked for."""
    split = split or town.world.split
    if only is not None:
        needed = _needed(counts, split, only) if town.world.pinned else counts
        return tuple(each for each in draw_tasks(town, split, needed, share) if each.task.id in only)
    drawn: list[Drawn] = []
    seen: set[str] = set()
    for category, wanted in counts.items():
        templates = _shared(town, templates_of(town, category, split), share)
        if templates:
            drawn.extend(_draw_category(town, templates, category, split, wanted, seen))
    return tuple(drawn)


def find_task(
    town: Town, task_id: str, draw: Callable[..., tuple[Drawn, ...]] | None = None, benchmark: str = "town"
) -> Drawn:
    """One of a benchmark's tasks by its id."""
    for each in (draw or draw_tasks)(town, only={task_id}):
        return each
    raise BadInput(f"{benchmark} has no task {task_id!r}; `workalike tasks {benchmark}` lists them")


def task_ids(split: Split, counts: Mapping[str, int] = COUNTS) -> dict[str, str]:
    """The ids of a split's tasks in their order, each with its category; nothing is drawn to tell them.

    >>> list(task_ids("train", {"hotels": 2, "jobs": 1}))
    ['train_hotels_1', 'train_hotels_2', 'train_jobs_1']
    """
    return {
        _task_id(category, number, split): category for category, wanted in counts.items() for number in range(wanted)
    }


def split_of(task_id: str) -> Split:
    """The split that a task's id tells.

    >>> split_of("train_hotels_3"), split_of("hotels_3")
    ('train', 'test')
    """
    return "train" if task_id.startswith("train_") else "test"


def templates_of(town: Town, category: str, split: Split) -> tuple[Template, ...]:
    """The templates of a category, by site and as declared."""
    return tuple(
        template
        for site in town.sites.values()
        for template in site.templates
        if template.category == category and template.split == split
    )


def setting_of(key: Key) -> Setting:
    """How the town is to be set up for a task: `town.open(setting_of(key))`."""
    try:
        return msgspec.convert(key.setting, Setting)
    except msgspec.ValidationError as error:
        raise BadInput(f"the key of {key.task_id!r} holds no setting of the town: {error}") from None


def with_later_looks(town: Town, setting: Setting, split: Split, *names: object) -> Setting:
    """A setting that may have looks which came after its edition was pinned, by chance of their own: what the pinned
    tasks meet is not redrawn by a look more."""
    later = {
        name: town.world.rng("look", name, *names).choice(site.skins_of(split)).name
        for name, site in town.sites.items()
        if not all(skin.pinned for skin in site.skins_of(split))
    }
    return msgspec.structs.replace(setting, skins=setting.skins | later)


def write_setting(setting: Setting) -> dict[str, Any]:
    """A setting as a key holds it."""
    return msgspec.json.decode(msgspec.json.encode(setting), type=dict[str, Any])


def _shared(town: Town, templates: tuple[Template, ...], share: float) -> tuple[Template, ...]:
    if share >= 1 or not templates:
        return templates
    names = sorted(each.name for each in templates)
    kept = town.world.rng("templates", *names).sample(names, max(1, round(share * len(names))))
    return tuple(each for each in templates if each.name in kept)


def _needed(counts: Mapping[str, int], split: Split, only: Collection[str]) -> dict[str, int]:
    """How many tasks of each category must be drawn to have some of them. A task depends on those of its category that
    come before it, whose truth it must not share; that the categories of a pinned edition never meet is tested."""
    needed = {
        category: max((number + 1 for number in range(wanted) if _task_id(category, number, split) in only), default=0)
        for category, wanted in counts.items()
    }
    return {category: number for category, number in needed.items() if number}


def _task_id(category: str, number: int, split: Split) -> str:
    return f"{category}_{number + 1}" if split == "test" else f"train_{category}_{number + 1}"


def _draw_category(
    town: Town, templates: tuple[Template, ...], category: str, split: Split, wanted: int, seen: set[str]
) -> Iterator[Drawn]:
    """Templates take turns; in a world in which one finds nothing more, the next takes its turn, too."""
    for number in range(wanted):
        task_id, turn = _task_id(category, number, split), number % len(templates)
        drawn = (_draw(town, template, task_id, seen) for template in (*templates[turn:], *templates[:turn]))
        first = next((each for each in drawn if each), None)
        if first is None:
            raise BadInput(
                f"this world has no more than {number} tasks of {category}; ask for fewer, or take another seed"
            )
        yield first


def _draw(town: Town, template: Template, task_id: str, seen: set[str]) -> Drawn | None:
    """One task: chance is asked until it is one that nobody has seen yet, or often enough."""
    for go in range(TRIES + 2):
        rng = town.world.rng("task", task_id, template.name, go)
        sketch = template.draw(town, rng)
        truth = fingerprint(evaluators_of(town, sketch)) if sketch else ""
        if sketch and truth not in seen:
            seen.add(truth)
            return word_task(town, template, task_id, sketch, rng)
    return None


def word_task(town: Town, template: Template, task_id: str, sketch: TaskDraft, rng: Random) -> Drawn:
    """A drawn task in one of its template's voices, with its key and a setting."""
    voice, ways = rng.choice(template.voices), evaluators_of(town, sketch)
    task = Task(
        id=task_id,
        instruction=voice.format_map(sketch.slots),
        category=template.category,
        benchmark="town",
        start_url=town.sites[sketch.start].url() if sketch.start in town.sites else None,
        persona=sketch.persona,
        files=sketch.files,
        form=form_of(sketch.answers),
        extra={"level": template.level, "canary": CANARY},
    )
    key = Key(
        task_id=task_id,
        rubric=Rubric(rubric_of(sketch)),
        evaluators=ways,
        critical_point=critical_point(town, sketch),
        setting=write_setting(_setting(town, template, sketch, rng)),
        plan={
            "goals": write_goals(sketch.goals),
            "counted": write_goals(counted(sketch)),
            "line": write_line(ways[0]),
            "near": {label: write_line(ways[0], instead) for label, instead in sketch.near.items()},
        },
        extra={
            "template": template.name,
            "level": template.level,
            "split": template.split,
            "demands": list(template.demands),
            "structure": structure_of(sketch),
        },
    )
    return Drawn(task, key)


def with_benchmark(drawn: Drawn, name: str) -> Drawn:
    """The same as a task of another of the town's benchmarks."""
    return Drawn(replace(drawn.task, benchmark=name), drawn.key)


def _setting(town: Town, template: Template, sketch: TaskDraft, rng: Random) -> Setting:
    skins = {
        name: rng.choice([skin for skin in site.skins_of(template.split) or site.skins if skin.pinned]).name
        for name, site in sorted(town.sites.items())
    }
    most = {"easy": 1, "medium": 2, "hard": 3}[template.level]
    obstacles = tuple(sorted(rng.sample(OBSTACLES, rng.randint(0, most))))
    return Setting(skins | sketch.skins, obstacles, sketch.wall)
