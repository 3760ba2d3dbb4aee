"""A run: its tasks and attempts with all that can be sorted and filtered by, told anew as it goes on."""

from __future__ import annotations

from collections import Counter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from workalike.core.errors import BadInput
from workalike.core.provenance import fingerprint
from workalike.core.task import Task
from workalike.core.verdict import Verdict
from workalike.store.index import AttemptSummary
from workalike.viewer.library import Library
from workalike.viewer.replies import done_reply, json_reply
from workalike.viewer.run_collection import RunCollection, ref_of

_MOST_WORDS = 300


def routes(library: Library) -> list[BaseRoute]:
    def run(request: Request) -> Response:
        """The run; nothing, where it is still as in the `version` that was seen."""
        told = _told(run_of(library, request.path_params["key"]))
        if request.query_params.get("version") == told["version"]:
            return done_reply()
        return json_reply(told)

    def score(request: Request) -> Response:
        """How it came out at a glance."""
        collection = run_of(library, request.path_params["key"])
        entries = list(collection.entries())
        outcomes = Counter(entry.outcome for entry in entries if entry.outcome)
        return json_reply({"attempts": len(entries), "tasks": len(collection.tasks()), "outcomes": outcomes})

    return [Route("/api/run/{key}", run), Route("/api/score/{key}", score)]


def run_of(library: Library, key: str) -> RunCollection:
    found = library.collection(key)
    if not isinstance(found, RunCollection):
        raise BadInput(f"{found.place} is no run")
    return found


def _told(collection: RunCollection) -> dict[str, Any]:
    run = collection.run
    attempts, verdicts = collection.attempts(), collection.layers.by_verifier()
    numbers = {task.id: number for number, task in enumerate(run.tasks())}
    told = {
        "key": collection.key,
        "name": collection.name,
        "place": collection.place,
        "id": run.info.id,
        "created": run.info.created,
        "settings": run.info.settings,
        "live": run.writer is not None,
        "verifiers": list(verdicts),
        "tasks": [_task(task) for task in run.tasks()],
        "attempts": [_attempt(each, numbers[each.task], verdicts) for each in attempts if not each.damaged],
        "damaged": [each.damaged for each in attempts if each.damaged],
    }
    return {**told, "version": fingerprint(told)[:16]}


def _task(task: Task) -> dict[str, Any]:
    level = task.extra.get("level")
    return {
        "id": task.id,
        "instruction": task.instruction[:_MOST_WORDS],
        "category": task.category,
        "level": level if isinstance(level, str | int) else None,
    }


def _attempt(each: AttemptSummary, task: int, verdicts: dict[str, dict[str, Verdict]]) -> dict[str, Any]:
    said = {name: layer[each.id] for name, layer in verdicts.items() if each.id in layer}
    return {
        "ref": ref_of(each),
        "task": task,
        "repeat": each.repeat,
        "try": each.try_,
        "stop": each.stop.reason if each.stop else None,
        "steps": each.steps,
        "actions": each.actions,
        "seconds": round(each.seconds, 2),
        "cost": each.usage.cost,
        "tokens": each.usage.input_tokens + each.usage.output_tokens,
        "verdicts": {name: verdict.outcome for name, verdict in said.items()},
        "process": {name: verdict.process for name, verdict in said.items() if verdict.process is not None},
    }
