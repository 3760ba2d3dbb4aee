"""Sets of tasks: what a benchmark asks, chosen from, rolled forward in time, and read from the published files, with
what is to be said about how complete they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

import msgspec

from workalike.bench.dates import passed, roll
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.provenance import fingerprint
from workalike.core.task import Task
from workalike.formats import online_mind2web, webtailbench, webvoyager

SEARCH_ENGINE = "https://www.bing.com/"
Pair = tuple[Task, Key]


class TaskSet(msgspec.Struct, frozen=True):
    """Tasks with their keys. `live` says that they are for the public web, `notes` what a reader must know."""

    name: str
    tasks: tuple[Task, ...]
    keys: dict[str, Key]
    live: bool
    notes: tuple[str, ...] = ()

    @property
    def categories(self) -> list[str]:
        return list(dict.fromkeys(task.category or "" for task in self.tasks))

    @property
    def fingerprint(self) -> str:
        return fingerprint([(task, self.keys[task.id]) for task in self.tasks])


def build(name: str, pairs: Sequence[Pair], live: bool, notes: Sequence[str] = ()) -> TaskSet:
    """A benchmark of pairs; a live task without a start page begins at a search engine."""
    if live:
        pairs = [(msgspec.structs.replace(task, start_url=task.start_url or SEARCH_ENGINE), key) for task, key in pairs]
    return TaskSet(name, tuple(task for task, _ in pairs), {key.task_id: key for _, key in pairs}, live, tuple(notes))


def select(
    task_set: TaskSet, categories: Sequence[str] = (), tasks: Sequence[str] = (), limit: int | None = None
) -> TaskSet:
    """The part of a benchmark that was asked for; with a limit, that many of each category in turn."""
    known = {task.id: task.category or "" for task in task_set.tasks}
    pairs = {name: key.pair for name, key in task_set.keys.items() if key.pair}
    chosen = choose(task_set.name, known, categories, tasks, limit, pairs)
    kept = tuple(task for task in task_set.tasks if task.id in chosen)
    return msgspec.structs.replace(task_set, tasks=kept, keys={task.id: task_set.keys[task.id] for task in kept})


def choose(
    name: str,
    known: Mapping[str, str],
    categories: Sequence[str] = (),
    tasks: Sequence[str] = (),
    limit: int | None = None,
    pairs: Mapping[str, str] = {},
) -> set[str]:
    """The ids that are asked for, of those of a benchmark with their categories; `pairs` tells which belong together.
    Needs no task yet, so that what is wrong with the question can be said before any is made.

    >>> sorted(choose("town", {"hotels_1": "hotels", "hotels_2": "hotels", "jobs_1": "jobs"}, limit=2))
    ['hotels_1', 'jobs_1']
    """
    wanted = [_category(each, list(dict.fromkeys(known.values()))) for each in categories]
    unknown = [task for task in tasks if task not in known]
    if unknown:
        raise BadInput(f"{name} has no task {unknown[0]!r}; `workalike tasks {name}` lists them")
    kept = [task for task, category in known.items() if not wanted or category in wanted]
    kept = [task for task in kept if not tasks or task in tasks]
    return set(kept if limit is None else _in_turns(kept, known, pairs, limit))


def stale(task_set: TaskSet, today: date) -> list[tuple[Task, list[str]]]:
    """The tasks whose dates have passed, with those dates."""
    found = ((task, [mention.text for mention in passed(task.instruction, today)]) for task in task_set.tasks)
    return [(task, dates) for task, dates in found if dates]


def staleness(task_set: TaskSet, today: date) -> str | None:
    """How many tasks ask for dates that have passed, and the remedy, in one sentence."""
    late = stale(task_set, today)
    if not task_set.live or not late:
        return None
    count = "1 task names a date that has" if len(late) == 1 else f"{len(late)} tasks name dates that have"
    first, dates = late[0]
    return f"{count} passed ({first.id}: {dates[0]}); --refresh-dates rolls those forward that are unambiguous"


def refresh(task_set: TaskSet, today: date) -> TaskSet:
    """The benchmark with its dates rolled forward; what was left alone is in the notes."""
    rolled = [roll(task, task_set.keys[task.id], today) for task in task_set.tasks]
    moved = sum(each.days != 0 for each in rolled)
    notes = (
        *task_set.notes,
        f"the dates of {moved} {'task' if moved == 1 else 'tasks'} were rolled forward from {today.isoformat()}",
        *(reason for each in rolled for reason in each.left),
    )
    return msgspec.structs.replace(
        task_set,
        tasks=tuple(each.task for each in rolled),
        keys={each.key.task_id: each.key for each in rolled},
        notes=notes,
    )


def read_webtailbench(version: str, data: Path) -> TaskSet:
    path = webtailbench.locate(data, version)
    pairs = webtailbench.read(path)
    return build(f"webtailbench@{version}", pairs, True, _completeness(pairs, webtailbench.TASKS, path))


def read_refusals(data: Path) -> TaskSet:
    path = webtailbench.locate(data, "refusals")
    pairs = webtailbench.read(path, webtailbench.REFUSING)
    return build(webtailbench.REFUSING, pairs, True, _completeness(pairs, webtailbench.REFUSALS, path))


def read_online_mind2web(data: Path) -> TaskSet:
    path = _only_file(data, "Online_Mind2Web*.json")
    pairs = online_mind2web.read_tasks(path)
    return build("online-mind2web", pairs, True, _completeness(pairs, online_mind2web.TASKS, path))


def read_webvoyager(data: Path) -> TaskSet:
    path = _only_file(data, "WebVoyager*.jsonl")
    return build("webvoyager", webvoyager.read_tasks(path), True)


LIVE: dict[str, Callable[[Path], TaskSet]] = {
    "webtailbench@v1": lambda data: read_webtailbench("v1", data),
    "webtailbench@v2": lambda data: read_webtailbench("v2", data),
    "webtailbench-refusals": read_refusals,
    "online-mind2web": read_online_mind2web,
    "webvoyager": read_webvoyager,
}


def _category(name: str, known: Sequence[str]) -> str:
    """The category that is meant, by its own name or by the raw one of the published files."""
    plain = name.lower().replace(" ", "_")
    by_name = {category.lower().replace(" ", "_"): category for category in known}
    found = by_name.get(plain) or by_name.get(webtailbench.SEGMENTS.get(plain, ""))
    if found is None:
        raise BadInput(f"there is no category {name!r}; there are {', '.join(known)}")
    return found


def _in_turns(ids: Sequence[str], known: Mapping[str, str], pairs: Mapping[str, str], limit: int) -> list[str]:
    """At most `limit` tasks, taken from the categories in turn. A pair is taken whole, as long as the limit has room
    for both."""
    queues: dict[str, dict[str, list[str]]] = {}
    for task_id in ids:
        queues.setdefault(known[task_id], {}).setdefault(pairs.get(task_id, task_id), []).append(task_id)
    ranked = sorted(
        (rank, at, both) for at, queue in enumerate(queues.values()) for rank, both in enumerate(queue.values())
    )
    return [task_id for _, _, both in ranked for task_id in both][:limit]


def _completeness(pairs: Sequence[Pair], whole: int, path: Path) -> list[str]:
    if len(pairs) == whole:
        return []
    return [f"{path.name} holds {len(pairs)} tasks, {whole} are published: scores do not compare with published ones"]


def _only_file(data: Path, pattern: str) -> Path:
    if data.is_file():
        return data
    found = sorted(data.glob(pattern)) if data.is_dir() else []
    if not found:
        raise BadInput(f"{data} is no file and holds none called {pattern}")
    return found[-1]
