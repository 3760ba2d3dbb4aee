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
    known = task_set.categories
    wanted = [_category(name, known) for name in categories]
    ids = {task.id for task in task_set.tasks}
    unknown = [task for task in tasks if task not in ids]
    if unknown:
        raise BadInput(f"{task_set.name} has no task {unknown[0]!r}; `workalike tasks {task_set.name}` lists them")
    kept = [task for task in task_set.tasks if not wanted or task.category in wanted]
    kept = [task for task in kept if not tasks or task.id in tasks]
    if limit is not None:
        kept = _in_turns(kept, task_set.keys, limit)
    return msgspec.structs.replace(task_set, tasks=tuple(kept), keys={task.id: task_set.keys[task.id] for task in kept})


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
    pairs = webtailbench.read(path, "webtailbench-refusals")
    return build("webtailbench-refusals", pairs, True, _completeness(pairs, webtailbench.REFUSALS, path))


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


def _in_turns(tasks: Sequence[Task], keys: Mapping[str, Key], limit: int) -> list[Task]:
    """At most `limit` tasks, taken from the categories in turn and kept in their order. A pair is taken whole, as long
    as the limit has room for both."""
    queues: dict[str, dict[str, list[str]]] = {}
    for task in tasks:
        together = keys[task.id].pair or task.id
        queues.setdefault(task.category or "", {}).setdefault(together, []).append(task.id)
    ranked = sorted(
        (rank, at, ids) for at, queue in enumerate(queues.values()) for rank, ids in enumerate(queue.values())
    )
    kept = [task_id for _, _, ids in ranked for task_id in ids][:limit]
    return [task for task in tasks if task.id in set(kept)]


def _completeness(pairs: Sequence[Pair], whole: int, path: Path) -> list[str]:
    if len(pairs) == whole:
        return []
    return [f"{path.name} holds {len(pairs)} of the {whole} published tasks: scores do not compare with published ones"]


def _only_file(data: Path, pattern: str) -> Path:
    if data.is_file():
        return data
    found = sorted(data.glob(pattern)) if data.is_dir() else []
    if not found:
        raise BadInput(f"{data} is no file and holds none called {pattern}")
    return found[-1]
