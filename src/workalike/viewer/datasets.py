"""A dataset: searched, filtered, its distributions, and what was found as a command line for the `dataset` tools."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from workalike.core.errors import BadInput
from workalike.dataset.expressions import Expression
from workalike.viewer.collection import Entry
from workalike.viewer.dataset_collection import DatasetCollection, Rows
from workalike.viewer.facets import quoted
from workalike.viewer.library import Library
from workalike.viewer.replies import body_of, json_reply
from workalike.viewer.run_collection import RunCollection
from workalike.viewer.search import Term, as_filter, snippets, terms

PAGE_ROWS = 50
SHOWN_VALUES, EXACT = 30, 100
"""How many values of a field are shown, and how many rows a command line names one by one."""


class Choice(msgspec.Struct, frozen=True):
    """Which rows a command line is to keep: those found, only the flagged ones (by id), or those found without them."""

    q: str = ""
    where: str = ""
    flagged: tuple[str, ...] = ()
    keep: Literal["found", "flagged", "unflagged"] = "found"


def routes(library: Library) -> list[BaseRoute]:
    def dataset_of(request: Request) -> DatasetCollection:
        found = library.collection(request.path_params["key"])
        if isinstance(found, RunCollection):
            return found.dataset
        if not isinstance(found, DatasetCollection):
            raise BadInput(f"{found.place} is no dataset")
        return found

    def about(request: Request) -> Response:
        """What it is, once its index is there; how far that has come until then."""
        dataset = dataset_of(request)
        progress = dataset.prepare()
        told: dict[str, Any] = {"name": dataset.name, "place": dataset.place, "index": progress}
        if progress.ready:
            known = dataset.about
            told |= {"rows": known.rows, "unread": known.unread, "examples": known.examples}
            told["sortable"] = dataset.sortable()
        return json_reply(told)

    def chosen(request: Request) -> Response:
        """A page of what was searched for and passes the filter."""
        dataset, asked = dataset_of(request), request.query_params
        search = asked.get("q", "")
        rows, undecided = dataset.choose(search, asked.get("where", ""))
        if asked.get("sort"):
            rows = dataset.in_order(rows, asked["sort"], asked.get("down") == "1")
        first = _number(asked.get("from", "0"))
        entries = dataset.listed(rows[first : first + PAGE_ROWS])
        wanted, outcomes = terms(search), dataset.layers.outcomes()
        listed = [_listed(dataset, each, wanted, outcomes) for each in entries]
        return json_reply({"total": len(rows), "undecided": undecided, "first": first, "rows": listed})

    def facets(request: Request) -> Response:
        dataset, asked = dataset_of(request), request.query_params
        rows, _ = dataset.choose(asked.get("q", ""), asked.get("where", ""))
        return json_reply(_distributions(dataset, rows))

    async def command(request: Request) -> Response:
        dataset, choice = dataset_of(request), await body_of(request, Choice)
        return json_reply({"command": command_line(dataset, choice)})

    return [
        Route("/api/dataset/{key}", about),
        Route("/api/rows/{key}", chosen),
        Route("/api/facets/{key}", facets),
        Route("/api/command/{key}", command, methods=["POST"]),
    ]


def command_line(dataset: DatasetCollection, choice: Choice) -> str:
    """The command that writes the rows that were chosen."""
    flagged = f"task_id in [{', '.join(map(quoted, choice.flagged))}]"
    if choice.keep == "flagged":
        asked = [flagged]
    else:
        asked = [*_found(dataset, choice), *([f"not ({flagged})"] if choice.keep == "unflagged" else [])]
    where = asked[0] if len(asked) == 1 else " and ".join(f"({each})" for each in asked)
    Expression(where or "true")  # what no command would take is refused here
    words = ["workalike", "dataset", "filter", str(dataset.path), "--where", where, "--out", "chosen.jsonl"]
    return shlex.join(words if where else ["workalike", "dataset", "merge", str(dataset.path), "--out", "chosen.jsonl"])


def _found(dataset: DatasetCollection, choice: Choice) -> list[str]:
    """What was searched for and filtered by; few rows that were found by their words are named, for a pattern finds
    words a little differently."""
    wanted = terms(choice.q)
    if not wanted:
        return [choice.where] if choice.where.strip() else []
    rows, _ = dataset.choose(choice.q, choice.where)
    if len(rows) <= EXACT:
        return [f"task_id in [{', '.join(quoted(each.id) for each in dataset.listed(rows))}]"]
    return [*([choice.where] if choice.where.strip() else []), as_filter(wanted)]


def _distributions(dataset: DatasetCollection, rows: Rows) -> list[dict[str, Any]]:
    """For every field its values, how many of the chosen rows have each, and how many of all."""
    inside = np.zeros(dataset.about.rows + 1, dtype=bool)
    inside[rows] = True
    fields: dict[str, list[dict[str, Any]]] = {}
    for facet in dataset.facets:
        values = fields.setdefault(facet.field, [])
        if len(values) < SHOWN_VALUES:
            count = int(inside[np.frombuffer(facet.rows, np.uint32)].sum())
            values.append({"name": facet.name, "where": facet.where, "count": count, "of": len(facet.rows)})
    return [{"field": field, "values": values} for field, values in fields.items()]


def _listed(
    dataset: DatasetCollection, entry: Entry, wanted: Sequence[Term], outcomes: Mapping[str, str]
) -> dict[str, Any]:
    found = snippets(dataset.document(entry.ref), wanted) if wanted else []
    told = {"ref": entry.ref, "id": entry.id, "instruction": entry.instruction, "steps": entry.steps}
    return {**told, "outcome": outcomes.get(entry.id), "snippets": found}


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadInput("a place in the list is a number from 0")
    return int(text)
