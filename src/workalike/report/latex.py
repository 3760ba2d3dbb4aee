"""A report as LaTeX tables for a paper, by `booktabs` alone; they compile with pdflatex, whatever pages and models have
put into a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from workalike.report.table import ReportSection, ReportTable, TableRow

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "-": "{-}",
    "†": r"$\dagger$",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
    "’": "'",
    "“": "``",
    "”": "''",
    "\u00a0": "~",
}
_PREAMBLE = (
    r"""% Needs \usepackage{booktabs}, \usepackage{graphicx}, \usepackage{textcomp} and \usepackage[T1]{fontenc}."""
)
NARROW = 4
"""Up to so many columns a table stands at its own width; wider ones are scaled to the line."""


def render(sections: Sequence[ReportSection], remarks: Sequence[str]) -> str:
    """Every table as a float of its own, and what must be said of them as comments."""
    tables = [_table(table) for section in sections for table in section.tables]
    notes = [f"% {_commented(line)}" for line in remarks]
    return "\n\n".join([_PREAMBLE, *tables, *(["\n".join(notes)] if notes else [])]) + "\n"


def escape(text: str) -> str:
    r"""The text as nothing but text. A letter that pdflatex has none for is told by its number.

    >>> escape("50 % of a_b"), escape("café 中")
    ('50 \\% of a\\_b', 'café [U+4E2D]')
    """
    return "".join(_letter(each) for each in " ".join(text.split()))


def _letter(each: str) -> str:
    if each in _SPECIAL:
        return _SPECIAL[each]
    if " " <= each <= "~" or (each.isalpha() and "\u00c0" <= each <= "\u00ff"):
        return each
    plainer = unicodedata.normalize("NFKD", each).encode("ascii", "ignore").decode()
    if plainer.isprintable() and plainer:
        return "".join(_SPECIAL.get(letter, letter) for letter in plainer)
    return f"[U+{ord(each):04X}]"


def _commented(line: str) -> str:
    """A line that ends where it ends, for a comment."""
    return re.sub(r"[^ -~]", lambda found: _letter(found[0]), " ".join(line.split()))


def _table(table: ReportTable) -> str:
    columns = "l" * table.labels + "r" * (len(table.head) - table.labels)
    body = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line([escape(name) for name in table.head]),
        r"\midrule",
        *_rows(table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if len(table.head) > NARROW:
        body = [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", *body[:-1], body[-1] + "}"]
    note = [rf"\par\smallskip{{\footnotesize {escape(table.note)}}}"] if table.note else []
    return "\n".join(
        [
            r"\begin{table}[htbp]",
            r"\centering",
            rf"\caption{{{escape(table.title)}}}",
            rf"\label{{tab:{table.name}}}",
            *body,
            *note,
            r"\end{table}",
        ]
    )


def _rows(rows: Sequence[TableRow]) -> list[str]:
    lines: list[str] = []
    for place, row in enumerate(rows):
        if place and row.kind != "plain" and rows[place - 1].kind != row.kind:
            lines.append(r"\midrule")
        style = {"plain": "", "total": r"\textbf", "published": r"\textit"}[row.kind]
        lines.append(_line([f"{style}{{{escape(cell)}}}" if style else escape(cell) for cell in row.cells]))
    return lines


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
