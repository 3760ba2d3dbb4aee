"""The figures of a report as Vega-Lite specifications, and drawn: as SVG within a page, as SVG and PNG in files. Names
travel as data, never as part of a specification, so that no name can be more than a name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.plain import plain
from workalike.report import breakdowns
from workalike.report.comparing import titles
from workalike.report.published import card, published_for, segment_names
from workalike.report.reading import RunResults
from workalike.report.results import MACRO, MICRO
from workalike.report.table import words
from workalike.report.tables import cost_points, frontier_of
from workalike.store.files import make_folder, write_file

INK, QUIET, LINE, PAPER = "#1d2330", "#667085", "#d7dbe2", "#ffffff"
"""The page turns these four round in the dark; the others are seen on both."""
COLOURS = ("#3b7dd8", "#d9662b", "#2a9d76", "#b65fa8", "#c79a1e", "#4f9fc4", "#d14f5a", "#7d8590")
MOST_RUNS, WIDTH, STEP, PIXELS = len(COLOURS), 520, 26, 2.0
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_OUTCOME_COLOURS = {
    "success": "#2a9d76",
    "failure": "#d14f5a",
    "refused": "#b65fa8",
    "blocked": "#c79a1e",
    "critical_point_crossed": "#d9662b",
    "invalid_task": "#4f9fc4",
    "ungraded": "#a9b0ba",
    breakdowns.NOT_JUDGED: "#a9b0ba",
    breakdowns.NOT_FINISHED: "#7d8590",
    breakdowns.UNREADABLE: "#7d8590",
}
Runs = Sequence[RunResults]


class Figure(msgspec.Struct, frozen=True):
    """One figure: a short plain name, what it shows, and its specification."""

    name: str
    caption: str
    spec: dict[str, Any]


def figures(runs: Runs) -> list[Figure]:
    """Every figure that there are data for."""
    made = [
        accuracy_figure(runs),
        frontier_figure(runs),
        categories_figure(runs),
        outcomes_figure(runs),
        lengths_figure(runs),
        failures_figure(runs),
        times_figure(runs),
    ]
    return [figure for figure in made if figure]


def svg(figure: Figure) -> str:
    """Drawn for a page: on no ground of its own."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg({**figure.spec, "background": None}))


def write(runs: Runs, folder: Path) -> list[Path]:
    """Every figure as SVG and PNG, on white."""
    import vl_convert

    make_folder(folder)
    written = []
    for figure in figures(runs):
        spec = {**figure.spec, "background": PAPER}
        drawn = vl_convert.vegalite_to_svg(spec).encode()
        for path, data in (
            (folder / f"{figure.name}.svg", drawn),
            (folder / f"{figure.name}.png", vl_convert.vegalite_to_png(spec, scale=PIXELS)),
        ):
            write_file(path, data)
            written.append(path)
    return written


def accuracy_figure(runs: Runs) -> Figure | None:
    """Every run's accuracy with its interval; published ones beside it, where they are of the same text."""
    values: list[dict[str, Any]] = []
    for title, run in zip(_named(runs), runs, strict=True):
        found = run.accuracy[-1].interval
        if found.mean is not None:
            values.append({"run": title, "kind": "measured here", **_points(found)})
    published = published_for(list(runs))
    values += [{"run": plain(each.name), "kind": "published", "score": each.scores["micro"]} for each in published]
    if not values:
        return None
    y = _names("run", [value["run"] for value in values])
    kind = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": ["measured here", "published"], "range": [COLOURS[0], QUIET]},
        "legend": _legend() if published else None,
    }
    x = {"field": "score", **_percent("accuracy in %")}
    spec = _spec(
        values,
        [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
            },
            {"mark": {"type": "point", "size": 70, "filled": True, "opacity": 1}, "encoding": {"x": x}},
        ],
        {"y": y, "color": kind},
        {"step": STEP},
    )
    more = f" Published: judged by {card().judge}, without intervals." if published else ""
    return Figure("accuracy", f"Accuracy over all tasks, with 95 % intervals.{more}", spec)


def frontier_figure(runs: Runs) -> Figure | None:
    """Cost against accuracy, and the line of those that nobody beats."""
    points = {plain(name): point for name, point in cost_points(runs).items()}
    theirs = {
        plain(each.name): (each.per_task.dollars, each.per_task.accuracy / 100) for each in published_for(list(runs))
    }
    if len(points) + len(theirs) < 2 or not any(dollars for dollars, _ in [*points.values(), *theirs.values()]):
        return None
    best = [plain(name) for name in frontier_of(runs)]
    values = [
        {"run": name, "dollars": dollars, "score": 100 * score, "kind": kind, "best": name in best}
        for kind, group in (("measured here", points), ("published", theirs))
        for name, (dollars, score) in group.items()
    ]
    x = {"field": "dollars", "type": "quantitative", "title": "dollars a task", "axis": {**_axis(), "tickCount": 6}}
    y = {"field": "score", **_percent("accuracy in %")}
    kind = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": ["measured here", "published"], "range": [COLOURS[0], QUIET]},
        "legend": _legend() if theirs else None,
    }
    along = {"type": "line", "color": LINE, "strokeDash": [4, 3]}
    label = {"type": "text", "align": "left", "dx": 8, "color": INK, "fontSize": 11}
    spec = _spec(
        values,
        [
            {"transform": [{"filter": "datum.best"}], "mark": along, "encoding": {"x": x, "y": y}},
            {
                "mark": {"type": "point", "size": 70, "filled": True, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": kind},
            },
            {"mark": label, "encoding": {"x": x, "y": y, "text": {"field": "run"}}},
        ],
        {},
        260,
    )
    return Figure("frontier", "Cost against accuracy; the dashed line joins the runs that no other beats.", spec)


def categories_figure(runs: Runs) -> Figure | None:
    """Accuracy by category, a colour a run."""
    known, values, order = segment_names(runs[0].benchmark), [], []
    for title, run in zip(_named(runs[:MOST_RUNS]), runs, strict=False):
        for row in run.accuracy:
            if row.name not in (MACRO, MICRO) and row.interval.mean is not None:
                name = plain(known.get(row.name, row.name))
                order.append(name)
                values.append({"category": name, "run": title, **_points(row.interval)})
    if len(set(order)) < 2:
        return None
    ranked = [name for name in known.values() if name in order] or list(dict.fromkeys(order))
    x = {"field": "score", **_percent("accuracy in %")}
    shown = _named(runs[:MOST_RUNS])
    spec = _spec(
        values,
        [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
            },
            {"mark": {"type": "point", "size": 45, "filled": True, "opacity": 1}, "encoding": {"x": x}},
        ],
        {
            "y": _names("category", ranked),
            "yOffset": {"field": "run", "sort": shown},
            "color": _colour("run", shown, COLOURS),
        },
        {"step": 11 if len(shown) > 1 else STEP},
    )
    return Figure("categories", "Accuracy by category, with 95 % intervals over tasks.", spec)


def outcomes_figure(runs: Runs) -> Figure | None:
    """What became of all attempts, nothing folded in."""
    told = [breakdowns.outcomes(each.results) for each in runs]
    present = [name for name in breakdowns.OUTCOMES if any(name in each for each in told)]
    values = [
        {"run": title, "verdict": words(name), "count": each.get(name, 0), "order": present.index(name)}
        for title, each in zip(_named(runs), told, strict=True)
        for name in present
    ]
    colours = [_OUTCOME_COLOURS.get(name, QUIET) for name in present]
    return _bars(values, "verdict", [words(name) for name in present], colours, "attempts", _named(runs), "outcomes",
                 "How attempts were judged.")  # fmt: skip


def lengths_figure(runs: Runs) -> Figure | None:
    """Success against how many steps an attempt took."""
    order = [f"{low}–{high}" if high else f"{low} or more" for low, high in breakdowns.LENGTHS]
    shown = _named(runs[:MOST_RUNS])
    values = [
        {"steps": part.name, "run": title, "attempts": part.attempts, "score": 100 * part.successes / part.attempts}
        for title, run in zip(shown, runs, strict=False)
        for part in breakdowns.by_length(run.results)
    ]
    if len({value["steps"] for value in values}) < 2:
        return None
    x = {
        "field": "steps",
        "type": "ordinal",
        "sort": order,
        "title": "steps taken",
        "axis": {**_axis(), "labelAngle": 0},
    }
    y = {"field": "score", **_percent("successful in %")}
    size = {"field": "attempts", "type": "quantitative", "scale": {"range": [30, 300]}, "legend": None}
    spec = _spec(
        values,
        [
            {"mark": {"type": "line", "strokeWidth": 1.5, "opacity": 0.6}},
            {"mark": {"type": "point", "filled": True, "opacity": 0.9}, "encoding": {"size": size}},
        ],
        {"x": x, "y": y, "color": _colour("run", shown, COLOURS)},
        220,
    )
    return Figure(
        "lengths", "Success by the number of steps taken, finished attempts; larger points stand for more.", spec
    )


def failures_figure(runs: Runs) -> Figure | None:
    """What went wrong first."""
    told = [breakdowns.failure_classes(each.results) for each in runs]
    present = list(dict.fromkeys(name for each in told for name in each))
    if not present:
        return None
    values = [
        {"run": title, "class": words(name), "count": each.get(name, 0), "order": present.index(name)}
        for title, each in zip(_named(runs), told, strict=True)
        if each
        for name in present
    ]
    shown = [title for title, each in zip(_named(runs), told, strict=True) if each]
    return _bars(values, "class", [words(name) for name in present], COLOURS, "failed attempts", shown, "failures",
                 "What went wrong first in attempts that finished and failed.")  # fmt: skip


def times_figure(runs: Runs) -> Figure | None:
    """Who takes the time of a step."""
    parts, values, shown = ("model", "browser", "agent and harness"), [], []
    for title, run in zip(_named(runs), runs, strict=True):
        told = breakdowns.step_times(run.results)
        if told:
            shown.append(title)
            seconds = (told.model, told.browser, told.rest)
            values += [
                {"run": title, "part": part, "count": each, "order": place}
                for place, (part, each) in enumerate(zip(parts, seconds, strict=True))
            ]
    if not values:
        return None
    return _bars(
        values, "part", list(parts), COLOURS, "seconds a step", shown, "times", "Where the time of a step goes."
    )


def _bars(
    values: list[dict[str, Any]],
    field: str,
    domain: list[str],
    colours: Sequence[str],
    title: str,
    shown: list[str],
    name: str,
    caption: str,
) -> Figure:
    """Stacked bars, one a run."""
    encoding = {
        "y": _names("run", shown),
        "x": {"field": "count", "type": "quantitative", "title": title, "axis": _axis()},
        "color": _colour(field, domain, colours),
        "order": {"field": "order", "type": "quantitative"},
    }
    mark = {"type": "bar", "height": {"band": 0.62}}
    return Figure(name, caption, _spec(values, [{"mark": mark}], encoding, {"step": STEP}))


def _points(found: Any) -> dict[str, float]:
    return {name: 100 * getattr(found, field) for name, field in (("score", "mean"), ("low", "low"), ("high", "high"))}


def _named(runs: Runs) -> list[str]:
    return [plain(title) for title in titles(runs)]


def _names(field: str, order: Sequence[str]) -> dict[str, Any]:
    axis = {**_axis(), "labelLimit": 240, "domain": False, "ticks": False, "labelPadding": 8, "grid": False}
    return {"field": field, "type": "nominal", "sort": list(order), "title": None, "axis": axis}


def _percent(title: str) -> dict[str, Any]:
    return {"type": "quantitative", "title": title, "scale": {"domain": [0, 100]}, "axis": {**_axis(), "tickCount": 5}}


def _colour(field: str, domain: Sequence[str], colours: Sequence[str]) -> dict[str, Any]:
    chosen = [colours[place % len(colours)] for place in range(len(domain))]
    scale = {"domain": list(domain), "range": chosen}
    return {
        "field": field,
        "type": "nominal",
        "scale": scale,
        "legend": _legend(len(domain)) if len(domain) > 1 else None,
    }


def _legend(entries: int = 2) -> dict[str, Any]:
    """Below the figure: a few in a row, many in columns."""
    columns = 0 if entries <= 4 else 3
    return {"title": None, "orient": "bottom", "labelLimit": 240, "columns": columns, "labelColor": INK}


def _axis() -> dict[str, Any]:
    return {"labelColor": INK, "titleColor": QUIET, "gridColor": LINE, "domainColor": LINE, "tickColor": LINE}


def _spec(
    values: list[dict[str, Any]], layer: list[dict[str, Any]], encoding: dict[str, Any], height: Any
) -> dict[str, Any]:
    font = "Liberation Sans, Arial, Helvetica, sans-serif"
    return {
        "$schema": _SCHEMA,
        "data": {"values": values},
        "encoding": encoding,
        "layer": layer,
        "width": WIDTH,
        "height": height,
        "config": {
            "font": font,
            "view": {"stroke": None},
            "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titlePadding": 8},
            "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "symbolStrokeWidth": 2},
        },
    }
