"""The tasks of the town with their keys, drawn from the world: the same for everybody who takes the same edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from random import Random

import msgspec

from workalike.core.errors import BadInput, Infrastructure
from workalike.core.key import Key, Rubric
from workalike.core.provenance import fingerprint
from workalike.core.task import Task
from workalike.town.attempt import OBSTACLES, Setting
from workalike.town.site import Split
from workalike.town.template import Sketch, Template
from workalike.town.town import Town

COUNTS = {
    "shopping": 56,
    "shopping_list": 51,
    "comparison_shopping": 57,
    "flights": 51,
    "hotels": 52,
}
"""How many tasks of a category the test split has, as on WebTailBench's card."""

TRIES = 200


class Drawn(msgspec.Struct, frozen=True):
    """A task beside its key."""

    task: Task
    key: Key


def draw_tasks(town: Town, split: Split = "test", counts: Mapping[str, int] = COUNTS) -> tuple[Drawn, ...]:
    """Every task of a split, category by category; no two are alike."""
    drawn: list[Drawn] = []
    for category, wanted in counts.items():
        templates = templates_of(town, category, split)
        if templates:
            drawn.extend(_draw_category(town, templates, category, split, wanted))
    return tuple(drawn)


def find_task(town: Town, task_id: str) -> Drawn:
    """One task of either split by its id."""
    split: Split = "train" if task_id.startswith("train_") else "test"
    drawn = {each.task.id: each for each in draw_tasks(town, split)}
    if task_id not in drawn:
        raise BadInput(f"the town has no task {task_id!r}; `workalike tasks town` lists them")
    return drawn[task_id]


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


def _draw_category(
    town: Town, templates: tuple[Template, ...], category: str, split: Split, wanted: int
) -> Iterator[Drawn]:
    seen: set[str] = set()
    for number in range(wanted):
        template = templates[number % len(templates)]
        task_id = f"{category}_{number + 1}" if split == "test" else f"train_{category}_{number + 1}"
        yield _draw(town, template, task_id, seen)


def _draw(town: Town, template: Template, task_id: str, seen: set[str]) -> Drawn:
    """One task: chance is asked until it is one that nobody has seen yet."""
    for go in count():
        rng = town.world.rng("task", task_id, template.name, go)
        sketch = template.draw(town, rng)
        mark = fingerprint(sketch.evaluator) + fingerprint(sketch.slots) if sketch else ""
        if sketch and mark not in seen:
            seen.add(mark)
            return _word(town, template, task_id, sketch, rng)
        if go > TRIES:
            raise Infrastructure(f"the template {template.name!r} finds no further task; widen what it draws from")
    raise AssertionError


def _word(town: Town, template: Template, task_id: str, sketch: Sketch, rng: Random) -> Drawn:
    voice = rng.choice(template.voices)
    task = Task(
        id=task_id,
        instruction=voice.format_map(sketch.slots),
        category=template.category,
        benchmark="town",
        start_url=town.sites[sketch.start].url() if sketch.start in town.sites else None,
        persona=sketch.persona,
        extra={"level": template.level},
    )
    key = Key(
        task_id=task_id,
        rubric=Rubric(sketch.rubric),
        evaluator=sketch.evaluator,
        critical_point=sketch.critical_point,
        blocked=bool(sketch.wall),
        setting=msgspec.json.decode(msgspec.json.encode(_setting(town, template, sketch, rng))),
        plan=sketch.plan,
        extra={"template": template.name, "level": template.level, "split": template.split},
    )
    return Drawn(task, key)


def _setting(town: Town, template: Template, sketch: Sketch, rng: Random) -> Setting:
    skins = {
        name: rng.choice(site.skins_of(template.split) or site.skins).name for name, site in sorted(town.sites.items())
    }
    most = {"easy": 1, "medium": 2, "hard": 3}[template.level]
    obstacles = tuple(sorted(rng.sample(OBSTACLES, rng.randint(0, most))))
    return Setting(skins, obstacles, sketch.wall)
