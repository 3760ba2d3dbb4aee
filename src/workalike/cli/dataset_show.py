"""What `workalike dataset` prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workalike.cli import open_console, print_json
from workalike.dataset.defects import FIXABLE, KINDS, WARNINGS

if TYPE_CHECKING:
    from rich.table import Table

    from workalike.dataset.choosing import Chosen
    from workalike.dataset.cleaning import Cleaned
    from workalike.dataset.stats import Stats
    from workalike.dataset.survey import Survey
    from workalike.dataset.validating import ValidateOptions, Validation

MOST_ROWS, MOST_TOLD = 12, 5


def show_survey(result: Survey) -> None:
    """The defects by kind, with an example of each."""
    from rich.markup import escape

    console = open_console()
    tally = result.tally
    console.print(
        f"{result.lines:,} lines, {tally.rows:,} trajectories, {tally.steps:,} steps, {tally.size:,} bytes",
        highlight=False,
    )
    if not tally.rows:
        console.print("there is no trajectory in it", style="red")
    elif not result.defects:
        console.print("no defect found", style="green")
    if result.defects:
        console.print(_defect_table(result))
        for kind in _in_order(result):
            first = result.examples[kind][0]
            where = f"{Path(first.file).name}:{first.line}" + ("" if first.step is None else f" step {first.step}")
            console.print(f"[b]{kind}[/b], first in {escape(where)}: {escape(first.text)}", highlight=False)
    if not result.metadata:
        console.print("no metadata was joined: systems, applications and screen sizes are not known", style="dim")
    if not result.texts_checked:
        console.print("what texts give away was not looked for (--no-texts)", style="dim")


def show_validation(done: Validation, options: ValidateOptions, stats: bool, json: bool) -> None:
    """The defects, then what was written where, and with `stats` what the set is like."""
    from workalike.dataset.stats import describe

    if json:
        document = {"survey": done.survey, "cleaned": done.cleaned}
        print_json({**document, "stats": describe(done.survey.tally)} if stats else document)
        return
    show_survey(done.survey)
    if stats:
        show_stats(describe(done.survey.tally))
    if done.cleaned is not None:
        show_cleaned(done.cleaned, options.out, options.reject)
    if options.defects is not None:
        print(f"every defect is in {options.defects}")


def show_unread(texts: Sequence[str], what: str = "that could not be read") -> None:
    """What was left aside, beside what was made of the rest: the first few, and how many more."""
    from workalike.dataset.sources import summed_up

    told = summed_up(texts)
    for text in told[:MOST_TOLD]:
        print(text, file=sys.stderr)
    if len(told) > MOST_TOLD:
        print(f"… and {len(told) - MOST_TOLD:,} more {what}", file=sys.stderr)


def _defect_table(result: Survey) -> Table:
    from rich.table import Table

    table = Table("", "defect")
    for column in ("count", "rows"):
        table.add_column(column, justify="right")
    table.add_column("what it is")
    table.add_column("--fix")
    for kind in _in_order(result):
        counts = (f"{result.defects[kind]:,}", f"{result.rows_with[kind]:,}")
        table.add_row(
            "warning" if kind in WARNINGS else "error",
            kind,
            *counts,
            KINDS[kind],
            "mends it" if kind in FIXABLE else "",
        )
    return table


def _in_order(result: Survey) -> list[str]:
    return [kind for kind in KINDS if kind in result.defects]


def show_cleaned(cleaned: Cleaned, out: Path | None, reject: Path | None) -> None:
    if out is not None:
        print(f"{_rows(cleaned.written)} written to {out}" if cleaned.written else f"no row was left for {out}")
    for kind, count in sorted(cleaned.mended.items()):
        print(f"  mended: {kind}, {count:,} times")
    if cleaned.rejected:
        print(
            f"{_rows(cleaned.rejected)} cannot be used" + (f" and are in {reject}" if reject else " and were left out")
        )


def show_stats(stats: Stats) -> None:
    """The totals, then a table for every field."""
    from rich.columns import Columns
    from rich.table import Table

    from workalike.dataset.stats import TABLES
    from workalike.dataset.stats_page import totals

    console = open_console()
    head = Table(show_header=False, box=None)
    for name, value in totals(stats).items():
        head.add_row(name, value)
    console.print(head)
    tables = [_counts(stats.tables[name], label) for name, label in TABLES.items() if stats.tables[name]]
    tables.append(_counts(stats.tokens_by_text, "tokens of (estimated)"))
    console.print(Columns(tables, padding=(0, 2)))


def _counts(counts: dict[str, int], label: str) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    table = Table(label, box=SIMPLE_HEAD)
    table.add_column("count", justify="right")
    table.add_column("%", justify="right")
    total = sum(counts.values())
    for name, count in list(counts.items())[:MOST_ROWS]:
        table.add_row(escape(name), f"{count:,}", f"{100 * count / total:.1f}" if total else "—")
    rest = list(counts.values())[MOST_ROWS:]
    if rest:
        table.add_row(f"… {len(rest)} more", f"{sum(rest):,}", f"{100 * sum(rest) / total:.1f}", style="dim")
    return table


def show_chosen(chosen: Chosen) -> None:
    print(f"{_rows(chosen.read)} read")
    for path, count in chosen.kept.items():
        print(f"{_rows(count)} in {path}")
    if not chosen.kept:
        print("0 rows kept")
    for name, count in (
        ("left out", chosen.dropped),
        ("not decided", chosen.undecided),
        ("unreadable", chosen.unreadable),
    ):
        if count:
            print(f"{_rows(count)} {name}")
    for note in chosen.notes:
        if note not in chosen.unread:
            print(f"  {note}")


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"
