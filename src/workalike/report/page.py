"""A report as one HTML file that needs no other: style, figures and thumbnails are within it, and it has no script.
Whatever pages and models said is text in it, and its own policy forbids the browser to fetch or run anything."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from workalike import __version__
from workalike.core.plain import plain
from workalike.report.comparing import titles
from workalike.report.plots import Figure, figures, svg
from workalike.report.reading import RunResults
from workalike.report.sample import samples
from workalike.report.table import ReportSection

_HERE = Path(__file__).parent
STYLE = "report.css"


def page(runs: Sequence[RunResults], sections: Sequence[ReportSection], remarks: Sequence[str], most: int) -> str:
    """The whole page, with at most so many trajectories of each run."""
    style = (_HERE / STYLE).read_text(encoding="utf-8")
    names = titles(runs)
    shown = [(name, samples(run, most)) for name, run in zip(names, runs, strict=True)] if most > 0 else []
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: plain(value) if type(value) is str else value,
    )
    return environment.get_template("report.html.j2").render(
        policy=policy(style),
        style=Markup(style),
        title=runs[0].benchmark,
        runs=list(zip(names, runs, strict=True)),
        sections=sections,
        drawn={figure.name: _drawn(figure) for figure in figures(runs)},
        remarks=remarks,
        samples=[(name, each) for name, each in shown if each],
        version=__version__,
    )


def policy(style: str) -> str:
    """What the page may do: show pictures that stand in it, by its one style sheet; nothing else."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _drawn(figure: Figure) -> tuple[str, Markup]:
    """A figure's caption, and the figure; its text was escaped as it was drawn."""
    return figure.caption, Markup(svg(figure))
