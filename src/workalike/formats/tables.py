"""Read others' tables (tab-separated, JSON lines, JSON arrays) as rows, with errors that name the file and line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from workalike.core.errors import BadInput

Row = dict[str, Any]
# A rubric is a long cell; csv's own bound is 128 KiB.
csv.field_size_limit(16 * 1024 * 1024)


def rows(path: Path) -> list[tuple[int, Row]]:
    """Every row of a table with the number it is found by (a line, or an index of an array)."""
    text = _text(path)
    if path.suffix == ".tsv":
        return list(_tsv(path, text))
    if path.suffix == ".jsonl":
        return list(_json_lines(path, text))
    if path.suffix == ".json":
        return list(_json_array(path, text))
    raise BadInput(f"{path} is no table that can be read: it must end in .tsv, .jsonl or .json")


def need(row: Row, columns: Iterable[str], path: Path, number: int) -> list[str]:
    """The texts of columns that must be there, cleaned of stray white space and carriage returns."""
    found = []
    for column in columns:
        value = row.get(column)
        if not isinstance(value, str) or not value.strip():
            raise BadInput(f"{path}, row {number}: column {column!r} is missing or empty")
        found.append(clean(value))
    return found


def clean(text: str) -> str:
    """A text without the stray carriage returns and outer white space that published files carry.

    >>> clean("Find a room\\r")
    'Find a room'
    """
    return text.replace("\r\n", "\n").replace("\r", "").strip()


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read as UTF-8 text: {error}") from error


def _tsv(path: Path, text: str) -> Iterator[tuple[int, Row]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
    try:
        for row in reader:
            if None in row:
                raise BadInput(f"{path}, line {reader.line_num}: more cells than the head has columns")
            yield reader.line_num, {(name or "").strip(): value for name, value in row.items()}
    except csv.Error as error:
        raise BadInput(f"{path}, line {reader.line_num}: {error}") from error


def _json_lines(path: Path, text: str) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _object(path, f"line {number}", _decode(path, f"line {number}", line))


def _json_array(path: Path, text: str) -> Iterator[tuple[int, Row]]:
    whole = _decode(path, "the file", text)
    if not isinstance(whole, list):
        raise BadInput(f"{path} must hold a JSON array of objects")
    for number, item in enumerate(whole):
        yield number, _object(path, f"item {number}", item)


def _decode(path: Path, where: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}, {where} is not valid JSON: {error}") from error


def _object(path: Path, where: str, value: Any) -> Row:
    if not isinstance(value, dict):
        raise BadInput(f"{path}, {where} must be a JSON object")
    return value
