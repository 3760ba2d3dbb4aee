"""What is known of trajectories, to compare verifiers with: the town's truth, people's labels, tables of others'.

People's labels are layers of the kind `labels`, one by each labeller (the viewer and imports write them). A table has
a row for every trajectory: `trajectory,label`, and `labeller,kind,category,task,walled,process,refused,reason` as far
as known."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.label import TRUTH, Label, truth_label
from workalike.core.provenance import Provenance
from workalike.core.task import Task
from workalike.store.files import write_file
from workalike.store.layers import Layer, LayerWriter, find_layers, verdicts_of
from workalike.store.runs import Run, is_run
from workalike.verify import state

LABELS = "labels"
_YES, _NO = (
    ("success", "successful", "yes", "true", "1", "pass"),
    ("failure", "unsuccessful", "no", "false", "0", "fail"),
)
_COLUMNS = ("trajectory", "label", "labeller", "kind", "category", "task", "walled", "process", "refused", "reason")


def labels_of(path: Path) -> list[Label]:
    """Every label of the trajectories in a run or folder, by whomever: labels kept beside them, and the town's truth
    where no other truth is."""
    found = _kept(path)
    if not any(label.labeller == TRUTH for label in found):
        found += _town_truth(path)
    return _joined(path, found)


def people_labels(path: Path) -> list[Label]:
    """The labels that people gave to the trajectories in a run or folder, each with its task where that is known."""
    return _joined(path, [label for label in _kept(path) if label.labeller != TRUTH])


def _joined(path: Path, labels: Iterable[Label]) -> list[Label]:
    """Labels with what the run knows of their tasks: who labels need not know which were made with a wall."""
    tasks, walled = tasks_of(path), _walled(path)
    placed = (_placed(label, tasks) for label in labels)
    return [replace(label, walled=label.walled or label.task in walled) for label in placed]


def _walled(path: Path) -> frozenset[str]:
    """The tasks of a run that were made so that an honest report solves them."""
    return frozenset(key.task_id for key in Run(path).keys() if key.reports) if is_run(path) else frozenset()  # noqa: SIM118


def _kept(path: Path) -> list[Label]:
    """The labels kept beside the trajectories."""
    return [
        replace(label, trajectory=id, labeller=layer.header.name)
        for layer in (Layer(file, Label) for file in find_layers(path, LABELS))
        for (id, step), label in layer
        if step is None
    ]


def read_table(path: Path, tasks: Mapping[str, Task] | None = None) -> list[Label]:
    """The labels of a table. Rows that say nothing of success (Unsure, empty) are kept as labels of nobody's mind."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""))
        if reader.fieldnames is None or not {"trajectory", "label"} <= set(reader.fieldnames):
            besides = ", ".join(_COLUMNS[2:])
            raise BadInput(f"{path} has no columns `trajectory` and `label`; it may have {besides} besides")
        return [_placed(_row(row, path, reader.line_num), tasks or {}) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"the labels in {path} cannot be read: {error}") from error


def write_table(path: Path, labels: Iterable[Label]) -> None:
    """Write a table that `read_table` reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, table(labels).encode())


def table(labels: Iterable[Label]) -> str:
    """Labels as the text of a table that `read_table` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for each in labels:
        said = "" if each.success is None else _YES[0] if each.success else _NO[0]
        process = "" if each.process is None else f"{each.process:g}"
        told = (each.trajectory, said, each.labeller, each.kind, each.category, each.task)
        refused = "" if each.refused is None else "yes" if each.refused else "no"
        cells = (*told, "yes" if each.walled else "", process, refused, each.reason)
        writer.writerow([cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells])  # \r alone is not quoted
    return out.getvalue()


def write_labels(root: Path, labels: Iterable[Label], by: str) -> None:
    """Labels as layers beside the trajectories, one for each labeller."""
    labellers: dict[str, list[Label]] = {}
    for label in labels:
        labellers.setdefault(label.labeller, []).append(label)
    for name, own in labellers.items():
        with LayerWriter(root, LABELS, name, Label, provenance=Provenance(by)) as layer:
            for label in own:
                layer.put(label.trajectory, label, sync=False)


def agreed(labels: Iterable[Label], people: bool = False) -> tuple[str, dict[str, Label]]:
    """The label that counts for each trajectory, and whose it is: the truth where it is known and not people alone are
    asked for, people's majority where not. Where people are divided none counts."""
    listed = [label for label in labels if not (people and label.labeller == TRUTH)]
    true = {label.trajectory: label for label in listed if label.labeller == TRUTH}
    if true:
        return TRUTH, {id: label for id, label in true.items() if label.success is not None}
    votes: dict[str, list[Label]] = {}
    for label in listed:
        if label.success is not None:
            votes.setdefault(label.trajectory, []).append(label)
    counted: dict[str, Label] = {}
    for id, cast in votes.items():
        (said, most), *rest = Counter(label.success for label in cast).most_common()
        if not rest or rest[0][1] < most:
            counted[id] = replace(next(label for label in cast if label.success == said), labeller="majority")
    return "people", counted


def _town_truth(path: Path) -> list[Label]:
    layers = [layer for layer in verdicts_of(path) if layer.header.name == state.NAME]
    keys: dict[str, Key] = {key.task_id: key for key in Run(path).keys()} if is_run(path) else {}  # noqa: SIM118
    tasks = tasks_of(path)
    found: list[Label] = []
    for layer in layers[:1]:
        for (id, _), verdict in layer:
            found.append(truth_label(id, verdict, keys.get(tasks[id].id) if id in tasks else None))
    return found


def tasks_of(path: Path) -> dict[str, Task]:
    """The task of every trajectory of a run, by the trajectory's id."""
    if not is_run(path):
        return {}
    run = Run(path)
    tasks = {task.id: task for task in run.tasks()}
    return {attempt.id: tasks[attempt.task_id] for attempt in run.attempts() if attempt.task_id in tasks}


def _placed(label: Label, tasks: Mapping[str, Task]) -> Label:
    """A label with its task and category, where it does not say them itself."""
    task = tasks.get(label.trajectory)
    if task is None:
        return label
    return replace(label, task=label.task or task.id, category=label.category or task.category or "")


def _row(row: Mapping[str, str | None], path: Path, line: int) -> Label:
    cells = {name: (row.get(name) or "").strip() for name in _COLUMNS}
    said = cells["label"].casefold()
    if said and said not in (*_YES, *_NO, "unsure", "ungraded"):
        raise BadInput(f"{path}, line {line}: the label {cells['label']!r} is none: write success or failure")
    process: float | None = None
    if cells["process"]:
        try:
            process = float(cells["process"])
        except ValueError:
            process = math.nan
        if not math.isfinite(process):
            raise BadInput(f"{path}, line {line}: the process score {cells['process']!r} is no number")
    return Label(
        cells["trajectory"],
        _answer(said),
        cells["labeller"] or TRUTH,
        process,
        cells["kind"],
        cells["category"],
        cells["task"],
        cells["walled"].casefold() in _YES,
        cells["reason"],
        _answer(cells["refused"].casefold()),
    )


def _answer(word: str) -> bool | None:
    return True if word in _YES else False if word in _NO else None


Group = Literal["category", "kind"]


def groups(labels: Iterable[Label], by: Group) -> Iterator[str]:
    """The names of the groups that labels fall into, sorted."""
    yield from sorted({name for label in labels if (name := getattr(label, by))})
