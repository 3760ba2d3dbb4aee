"""Runs as numbers that hold up: the card's rows for accuracy and cost, intervals, comparisons, how attempts ended and
where they went wrong; in the terminal, or as Markdown, LaTeX, JSON or one HTML file to send."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import DONE, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.report.build import Report
    from workalike.report.reading import RunResults

EXAMPLE = """workalike report runs/oracle runs/random
workalike report runs
workalike report runs/oracle runs/random --html report.html --plots figures"""
NO_TERMINAL = 200
"""How wide tables are drawn where there is no terminal to keep to."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", type=Path, help="runs, or folders that hold runs")
    parser.add_argument(
        "--verifier", help="whose verdicts count; when left out, the truth where it is known, else the first"
    )
    parser.add_argument("--common", action="store_true", help="only the tasks that all the runs have")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print Markdown tables")
    form.add_argument("--latex", action="store_true", help="print LaTeX tables")
    form.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write one HTML file that needs no other")
    parser.add_argument(
        "--samples", type=int, default=3, metavar="N", help="trajectories of each run in the HTML file (3)"
    )
    parser.add_argument("--plots", type=Path, metavar="DIR", help="write every figure as SVG and PNG")


def run(args: Namespace) -> int:
    from workalike.report.build import report

    if args.samples < 0:
        raise BadInput(f"--samples must be 0 or more, not {args.samples}")
    made = report(args.runs, args.verifier, args.common)
    if args.html:
        print(f"written to {made.html(args.html, args.samples)}", file=sys.stderr)
    if args.plots:
        print(f"{len(made.plots(args.plots))} pictures written to {args.plots}", file=sys.stderr)
    if args.json:
        print_json(made.json())
    elif args.markdown:
        print(made.markdown())
    elif args.latex:
        print(made.latex(), end="")
    elif not args.html and not args.plots:
        _show(made, brief=False)
    return DONE


def show(runs: list[RunResults]) -> None:
    """The card's two tables, with what a reader must know below them."""
    from workalike.report.build import of

    _show(of(runs), brief=True)


def _show(made: Report, brief: bool) -> None:
    import shutil

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else NO_TERMINAL
    print(made.brief(width, terminal) if brief else made.text(width, terminal), end="")
