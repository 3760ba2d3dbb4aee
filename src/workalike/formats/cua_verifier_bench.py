"""CUAVerifierBench (microsoft/CUAVerifierBench): trajectories with what published judges said of them, and what people
said, in two tables joined on `task_id`; as parquet, or as JSON lines."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workalike.core.errors import BadInput, MissingExtra
from workalike.core.label import Label
from workalike.core.task import Task
from workalike.core.trajectory import Step, Stop
from workalike.core.verdict import Verdict
from workalike.formats.imported import ImportedAttempt, ended, seen
from workalike.formats.tables import Row, rows
from workalike.formats.webeval import NO_ANSWER, log_steps

PUBLISHED = {
    "uv_outcome_success": "published-uv",
    "mm_is_success": "published-mm",
    "verifier_is_success": "published-verifier",
}
"""The published judges' columns, each as a verifier of its own here."""


def read(path: Path) -> Iterator[ImportedAttempt]:
    """Every trajectory of a split: tables named `trajectories…` and `annotations…` in a folder, whatever its layout."""
    files = (
        sorted(file for file in path.rglob("*") if file.suffix in (".parquet", ".jsonl")) if path.is_dir() else [path]
    )
    tables = {file: list(_rows(file)) for file in files}
    attempts = [row for table in tables.values() for row in table if "web_surfer_log" in row]
    if not attempts:
        raise BadInput(f"{path} holds no table of trajectories (.parquet or .jsonl with a column web_surfer_log)")
    labels: dict[str, list[Label]] = {}
    for table in tables.values():
        for row in table:
            if "annotator" in row:
                labels.setdefault(str(row.get("task_id")), []).append(_label(row))
    return (_attempt(row, labels.get(str(row.get("task_id")), [])) for row in attempts)


def _attempt(row: Row, labels: list[Label]) -> ImportedAttempt:
    shots = {f"{number}.png": shot for number, shot in enumerate(row.get("screenshots") or [])}
    names = list(shots)
    steps: list[Step] = list(log_steps(_text(row.get("web_surfer_log")), names))
    last = seen(names[-1] if names else None)
    said = str(row.get("final_answer") or "")
    answer = None if said in ("", NO_ANSWER) else said
    task = Task(str(row["task_id"]), str(row.get("instruction") or ""), None, "cua-verifier-bench", row.get("init_url"))
    aborted = bool(row.get("is_aborted"))
    return ImportedAttempt(
        task,
        ended(steps, answer, last),
        Stop("agent_error", "aborted") if aborted else Stop("terminated" if answer else "out_of_steps"),
        lambda name: _bytes(shots.get(name)),
        last if len(names) > len(steps) else None,
        labels=tuple(labels) or _settled(row),
        verdicts=tuple(_published(row)),
    )


def _label(row: Row) -> Label:
    return Label(
        "",
        _truth(row.get("human_judgement_outcome")),
        str(row["annotator"]),
        _share(row.get("human_process_score")),
        reason=str(row.get("outcome_comment") or ""),
    )


def _settled(row: Row) -> tuple[Label, ...]:
    """What the people were taken to say together, where the annotations are not there: the final label or else the
    majority's, and the median of their scores."""
    said = (_truth(row.get(column)) for column in ("final_human_outcome_label", "majority_human_outcome_vote"))
    success = next((each for each in said if each is not None), None)
    process = _share(row.get("median_human_rubric_score_agnostic"))
    return () if success is None else (Label("", success, "final", process),)


def _published(row: Row) -> Iterator[Verdict]:
    for column, name in PUBLISHED.items():
        success = _truth(row.get(column))
        if success is not None:
            process = _share(row.get("uv_rubric_score")) if name == "published-uv" else None
            yield Verdict("", name, "success" if success else "failure", "as published", process)


def _share(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


def _truth(value: Any) -> bool | None:
    """Yes or no, however a table writes it.

    >>> _truth("Correct"), _truth(0), _truth(None)
    (True, False, None)
    """
    if isinstance(value, bool | int | float):
        return value >= 0.5
    told = str(value or "").strip().casefold()
    if told in ("true", "yes", "success", "successful", "correct", "pass", "1"):
        return True
    return False if told in ("false", "no", "failure", "unsuccessful", "incorrect", "fail", "0") else None


def _rows(path: Path) -> Iterator[Row]:
    if path.suffix == ".jsonl":
        yield from (row for _, row in rows(path))
        return
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("reading parquet", "pyarrow", "hub") from None
    try:
        yield from (dict(row) for batch in pq.ParquetFile(path).iter_batches(16) for row in batch.to_pylist())
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read as parquet: {error}") from error


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "\n".join(json.dumps(each) for each in value or [])


def _bytes(shot: Any) -> bytes | None:
    """A picture of a table: bytes, an object with bytes in it, or base64 in JSON."""
    data = shot.get("bytes") if isinstance(shot, dict) else shot
    if isinstance(data, str):
        try:
            return base64.b64decode(data.partition(",")[2] or data, validate=True)
        except ValueError:
            return None
    return data if isinstance(data, bytes) else None
