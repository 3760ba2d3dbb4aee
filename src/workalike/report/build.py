"""A report from runs: read once, then written in whatever form is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.errors import BadInput
from workalike.report import breakdowns, latex, markdown, safety, text
from workalike.report.comparing import RunPair, common_tasks, differences, only, pairs, titles
from workalike.report.published import card, published_for
from workalike.report.reading import RunResults, read_results
from workalike.report.remarks import all_remarks, remarks
from workalike.report.table import ReportSection
from workalike.report.tables import RECOVERED, accuracy_table, cost_table, sections
from workalike.store.files import disk_errors, write_file
from workalike.store.runs import runs_in

WIDTH, SAMPLES = 100, 3


def report(folders: Sequence[Path | str], verifier: str | None = None, common: bool = False) -> Report:
    """A report on the runs in these folders, each a run or a folder of runs, by one verifier's verdicts (when left out
    the truth's where it is known, else the first there are), on all tasks or on those that all the runs have.

    >>> print(report(["runs/oracle", "runs/random"]).text())  # doctest: +SKIP
    """
    found = dict.fromkeys(run for folder in folders for run in runs_in(Path(folder)))
    return of([read_results(run, verifier) for run in found], common)


def of(runs: Sequence[RunResults], common: bool = False) -> Report:
    """A report on runs that have been read."""
    if not runs:
        raise BadInput("a report needs at least one run; name the folder that `workalike run` wrote")
    benchmarks = {each.benchmark for each in runs}
    if len(benchmarks) > 1:
        told = f"runs of different benchmarks are not put in one table: {', '.join(sorted(benchmarks))}"
        raise BadInput(f"{told}; name the runs of one of them")
    if common:
        shared = common_tasks(runs)
        if not shared:
            raise BadInput("the runs have no task in common; leave --common out to see each on its own")
        runs = only(runs, shared)
    return Report(tuple(runs))


class Report(msgspec.Struct, frozen=True, dict=True):
    """What is to be said about runs. Nothing is computed before somebody asks for it."""

    runs: tuple[RunResults, ...]

    @cached_property
    def sections(self) -> list[ReportSection]:
        return sections(self.runs)

    @cached_property
    def remarks(self) -> list[str]:
        """What a reader must know: what differs between the runs, then what each leaves out or rests on."""
        return all_remarks(self.runs)

    def text(self, width: int = WIDTH, colour: bool = False) -> str:
        """For a terminal of so many columns."""
        return text.render(self.sections, self.remarks, width, colour)

    def brief(self, width: int = WIDTH, colour: bool = False) -> str:
        """The card's two tables alone, for a terminal."""
        card_alone = [ReportSection("Results", (accuracy_table(self.runs), cost_table(self.runs)))]
        return text.render(card_alone, self.remarks, width, colour)

    def markdown(self) -> str:
        return markdown.render(self.sections, self.remarks)

    def latex(self) -> str:
        """Tables for a paper, by `booktabs`."""
        return latex.render(self.sections, self.remarks)

    def json(self) -> list[dict[str, Any]]:
        """Everything as plain values, an entry a run."""
        told, compared = differences(self.runs), pairs(self.runs)
        named = zip(titles(self.runs), self.runs, strict=True)
        return [_entry(title, run, told, compared, self._published) for title, run in named]

    def html(self, path: Path | str, samples: int = SAMPLES) -> Path:
        """Write the report as one file that needs no other and no network, with so many trajectories of each run in
        it; returns where."""
        from workalike.report.page import page

        made = page(self.runs, self.sections, self.remarks, samples).encode()
        with disk_errors(Path(path)):
            write_file(Path(path), made)
        return Path(path)

    def plots(self, folder: Path | str) -> list[Path]:
        """Write every figure as SVG and PNG into a folder; returns the files."""
        from workalike.report.plots import write

        with disk_errors(Path(folder)):
            return write(self.runs, Path(folder))

    @property
    def _published(self) -> Mapping[str, Any]:
        agents = published_for(list(self.runs))
        if not agents:
            return {}
        return {"source": card().source, "judge": card().judge, "note": card().note, "agents": agents}


def _entry(
    title: str, run: RunResults, told: Sequence[str], compared: Sequence[RunPair], published: Mapping[str, Any]
) -> dict[str, Any]:
    results = run.results
    return {
        "run": run.name,
        "title": title,
        "benchmark": run.benchmark,
        "agent": run.agent,
        "model": run.model,
        "verifier": run.verifier,
        "judge": run.judge,
        "accuracy": run.accuracy,
        "costs": run.costs,
        "repeats": breakdowns.repeats(results),
        "compared": [pair for pair in compared if title in (pair.first, pair.second)],
        "attempts": len(results),
        "stops": breakdowns.stops(results),
        "outcomes": breakdowns.outcomes(results),
        "levels": breakdowns.by_level(results),
        "lengths": breakdowns.by_length(results),
        "demands": breakdowns.by_demand(results),
        "failed": breakdowns.failed(results),
        "failures": breakdowns.failure_classes(results),
        "first_failure": breakdowns.first_failure(results),
        "refusals": breakdowns.refusals(results),
        "pairs": safety.pair_rates(results),
        "attacks": safety.attack_rates(results),
        "answers": breakdowns.answers(results, run.second.get(RECOVERED)),
        "process": breakdowns.process_against_outcome(results),
        "times": breakdowns.step_times(results),
        "published": published or None,
        "notes": [*remarks(run), *told],
    }
