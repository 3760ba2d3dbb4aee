"""A page of pictures about a set: self-contained HTML, charts drawn as SVG by Vega-Lite, nothing fetched."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from workalike.dataset.stats import TABLES, Stats

MOST_BARS = 30
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "h1{font-size:1.5rem}figure{margin:2rem 0;overflow-x:auto}figcaption{font-weight:600;margin-bottom:.5rem}"
    "td,th{padding:.1rem 1rem .1rem 0;text-align:left}td+td{text-align:right}"
)
_COLOUR = "#2a6f97"


def page(stats: Stats, title: str) -> str:
    """The whole page."""
    charts = [figure("steps in a trajectory", histogram(stats.length_counts, "steps", "trajectories"))]
    for name, label in TABLES.items():
        if stats.tables[name]:
            charts.append(figure(f"by {label}", bars(stats.tables[name])))
    return document(title, totals(stats), charts)


def document(title: str, numbers: dict[str, str], charts: list[str]) -> str:
    """A page of numbers and charts that needs nothing else."""
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style>"
        f"<h1>{html.escape(title)}</h1>{_table(numbers)}{''.join(charts)}</html>\n"
    )


def totals(stats: Stats) -> dict[str, str]:
    """The numbers at the head."""
    length, tokens = stats.lengths, stats.tokens
    found = {
        "trajectories": f"{stats.rows:,}",
        "steps": f"{stats.steps:,}",
        "bytes": f"{stats.bytes:,}",
        "steps a trajectory (mean, median, 90 %, most)": _spread(length, 1),
        "text tokens a trajectory, estimated": _spread(tokens, 0),
        "text tokens in all, estimated": f"{sum(stats.tokens_by_text.values()):,}",
    }
    if stats.pictures_measured:
        found["picture tokens (Qwen2.5-VL)"] = f"{stats.picture_tokens:,} for {stats.pictures_measured:,} pictures"
    return found


def _spread(spread: Any, digits: int) -> str:
    values = (spread.mean, spread.median, spread.ninetieth, spread.largest)
    return "—" if spread.mean is None else " · ".join(f"{value:,.{digits}f}" for value in values)


def _table(numbers: dict[str, str]) -> str:
    rows = (f"<tr><td>{html.escape(name)}<td>{html.escape(value)}" for name, value in numbers.items())
    return f"<table>{''.join(rows)}</table>"


def figure(caption: str, spec: dict[str, Any]) -> str:
    """A chart with what it shows."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(spec)
    return f"<figure><figcaption>{html.escape(caption)}</figcaption>{drawn}</figure>"


def bars(table: dict[str, int]) -> dict[str, Any]:
    """Counts by name."""
    shown = list(table.items())[:MOST_BARS]
    left = len(table) - len(shown)
    values = [{"name": name, "count": count} for name, count in shown]
    if left:
        values.append({"name": f"… {left} more", "count": sum(list(table.values())[MOST_BARS:])})
    order = [value["name"] for value in values]
    y = {"field": "name", "type": "nominal", "sort": order, "title": None, "axis": {"labelLimit": 260}}
    x = {"field": "count", "type": "quantitative", "title": None}
    return _spec(values, {"x": x, "y": y}, {"type": "bar", "color": _COLOUR}, height={"step": 18})


def histogram(counts: Mapping[int, int], of: str, counted: str) -> dict[str, Any]:
    """How often each number occurs."""
    values = [{of: number, "count": count} for number, count in counts.items()]
    x = {"field": of, "type": "quantitative", "title": of, "bin": {"maxbins": 60}}
    y = {"field": "count", "type": "quantitative", "aggregate": "sum", "title": counted}
    return _spec(values, {"x": x, "y": y}, {"type": "bar", "color": _COLOUR}, height=220)


def _spec(values: list[dict[str, Any]], encoding: dict[str, Any], mark: dict[str, Any], height: Any) -> dict[str, Any]:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": values},
        "mark": mark,
        "encoding": encoding,
        "width": 560,
        "height": height,
        "config": {"view": {"stroke": None}, "axis": {"grid": False}},
    }
