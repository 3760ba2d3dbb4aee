"""The pages' own files read like the Python: lines within their length, one declaration a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[1] / "src"
LONGEST = 120


@pytest.mark.parametrize("ending", ["css", "html", "html.j2", "js"])
def test_lines_are_within_their_length_and_tidy(ending: str) -> None:
    """What no formatter can do for templates without changing the pages; `make lint` has prettier check the others."""
    files = sorted(SOURCES.rglob(f"*.{ending}"))
    assert files
    untidy = [
        f"{file.relative_to(SOURCES)}:{number}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > LONGEST or "\t" in line or line != line.rstrip()
    ]
    assert untidy == []
    assert [file.name for file in files if not re.search(r"\S\n\Z", file.read_text(encoding="utf-8"))] == []


def test_style_sheets_have_one_declaration_a_line() -> None:
    crowded = [
        f"{file.relative_to(SOURCES)}:{number}"
        for file in sorted(SOURCES.rglob("*.css"))
        for number, line in enumerate(_without_strings(file.read_text(encoding="utf-8")).splitlines(), 1)
        if len(re.findall(r";(?=\s*\S)|\{(?=\s*\S)", line)) > 0
    ]
    assert crowded == []


def test_no_class_name_stands_twice() -> None:
    places: dict[str, list[str]] = {}
    for file in sorted(SOURCES.rglob("*.py")):
        for name in re.findall(r"^class ([A-Z]\w*)", file.read_text(encoding="utf-8"), re.MULTILINE):
            places.setdefault(name, []).append(str(file.relative_to(SOURCES)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def _without_strings(text: str) -> str:
    """A style sheet without what may hold any sign: strings, addresses and comments."""
    return re.sub(r"""/\*.*?\*/|"[^"]*"|'[^']*'|url\([^)]*\)""", "", text, flags=re.DOTALL)
