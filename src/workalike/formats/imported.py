"""Others' attempts as a run of ours: trajectories that can be verified, labelled and viewed like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Terminate
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.label import Label
from workalike.core.observation import ImageRef, Kind, Observation
from workalike.core.provenance import Provenance
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop
from workalike.core.verdict import Verdict
from workalike.pictures.codec import stated_size
from workalike.store.runs import RunInfo, RunWriter, is_run


class ImportedAttempt(msgspec.Struct, frozen=True):
    """An attempt as somebody else kept it. Its observations name pictures; `picture` reads one by name. Labels and
    verdicts speak of it whatever their trajectory says."""

    task: Task
    steps: tuple[Step, ...]
    stop: Stop
    picture: Callable[[str], bytes | None]
    final: Observation | None = None
    key: Key | None = None
    labels: tuple[Label, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    extra: dict[str, Any] = {}


class ImportSummary(msgspec.Struct):
    """What was imported, and what was not there."""

    path: str
    trajectories: int = 0
    steps: int = 0
    pictures: int = 0
    missing: int = 0
    labels: list[Label] = msgspec.field(default_factory=list)
    verdicts: list[Verdict] = msgspec.field(default_factory=list)


def write_run(folder: Path, source: str, attempts: Iterable[ImportedAttempt]) -> ImportSummary:
    """A new run of attempts; several at one task are repeats of it."""
    if is_run(folder):
        raise BadInput(f"{folder} is a run already; choose a new folder")
    listed = list(attempts)
    if not listed:
        raise BadInput(f"there is no attempt to import: {source} expects another layout, see `workalike import --help`")
    tasks = {each.task.id: each.task for each in listed}
    keys = {each.task.id: each.key for each in listed if each.key is not None}
    now = datetime.now(UTC)
    most = max(sum(each.task.id == id for each in listed) for id in tasks)
    settings = {"benchmark": source, "agent": "imported", "repeats": most}
    info = RunInfo(f"{now:%Y%m%d-%H%M%S}-{source}", now.isoformat(timespec="seconds"), settings)
    summary, repeats = ImportSummary(str(folder)), dict.fromkeys(tasks, 0)
    with RunWriter(folder, info, tasks.values(), keys.values()) as run:
        for each in listed:
            repeats[each.task.id] += 1
            _write(run, each, repeats[each.task.id], summary, Provenance(f"workalike import {source}"))
    return summary


def _write(
    run: RunWriter, attempt: ImportedAttempt, repeat: int, summary: ImportSummary, provenance: Provenance
) -> None:
    place, writer = run.begin(attempt.task, repeat, provenance, attempt.extra)
    with writer:
        for step in attempt.steps:
            writer.step(replace(step, observation=_stored(step.observation, run, attempt, summary)))
        final = _stored(attempt.final, run, attempt, summary) if attempt.final else None
        writer.finish(attempt.stop, final)
    summary.trajectories += 1
    summary.steps += len(attempt.steps)
    summary.labels += [replace(label, trajectory=place.id) for label in attempt.labels]
    summary.verdicts += [replace(verdict, trajectory=place.id) for verdict in attempt.verdicts]


def _stored(look: Observation, run: RunWriter, attempt: ImportedAttempt, summary: ImportSummary) -> Observation:
    """An observation whose picture is in the run; one whose picture is not there has none."""
    if look.picture is None:
        return look
    data = attempt.picture(look.picture.name)
    if data is None:
        summary.missing += 1
        return replace(look, picture=None)
    summary.pictures += 1
    size = stated_size(data)
    return replace(look, picture=run.pictures.put(data, size), size=look.size or size)


def seen(picture: str | None, url: str | None = None, kind: Kind = "viewport") -> Observation:
    """A look at a screen by the name of its picture."""
    return Observation(ImageRef(picture) if picture else None, url=url or None, kind=kind)


def ended(steps: list[Step], answer: str | None, last: Observation) -> tuple[Step, ...]:
    """The steps with an end that says the answer: in the last action, where that ended it, or in a step of its own."""
    taken = steps[-1].actions[-1] if steps and steps[-1].actions else None
    if taken is not None and isinstance(taken.action, Terminate):
        told = replace(taken, action=Terminate(taken.action.status, answer or taken.action.answer))
        return (*steps[:-1], replace(steps[-1], actions=(*steps[-1].actions[:-1], told)))
    if not answer:
        return tuple(steps)
    return (*steps, Step(last, (ActionResult(Terminate("success", answer)),)))


def file_picture(folder: Path) -> Callable[[str], bytes | None]:
    """Pictures by their names within a folder; nothing outside it is ever read."""

    def read(name: str) -> bytes | None:
        path = (folder / name).resolve()
        inside = path.is_relative_to(folder.resolve())
        return path.read_bytes() if inside and path.is_file() else None

    return read
