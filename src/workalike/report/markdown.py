"""A report as Markdown, to be put into a page. What pages and models say is text there: no link, picture or tag."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workalike.core.plain import plain
from workalike.report.table import ReportSection, ReportTable

_SPECIAL = re.compile(r"([\\`|<>\[\]])")


def render(sections: Sequence[ReportSection], remarks: Sequence[str]) -> str:
    tables = [table for section in sections for table in section.tables]
    blocks = ["\n".join(_table(table)) for table in tables]
    if remarks:
        blocks.append("\n".join(f"- {escape(line)}" for line in remarks))
    return "\n\n".join(blocks)


def escape(text: str) -> str:
    r"""The text as nothing but text, in one line.

    >>> escape("a|b ![x](http://t)")
    'a\\|b !\\[x\\](http://t)'
    """
    return _SPECIAL.sub(r"\\\1", " ".join(plain(text).split()))


def _table(table: ReportTable) -> list[str]:
    rule = ["---" if place < table.labels else "--:" for place in range(len(table.head))]
    rows = [[escape(name) for name in table.head], rule]
    for row in table.rows:
        cells = [escape(cell) for cell in row.cells]
        rows.append([f"*{cell}*" for cell in cells] if row.kind == "published" else cells)
    note = ["", escape(table.note)] if table.note else []
    return [f"{escape(table.title)}:", "", *(f"| {' | '.join(row)} |" for row in rows), *note]
