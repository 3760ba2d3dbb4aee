"""Print the card's rows for runs: accuracy by category, macro and micro, and what a task took."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import open_console, plain, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

    from workalike.report.reading import RunResults
    from workalike.report.results import Accuracy, Spread

EXAMPLE = "workalike report runs/oracle runs/random"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", type=Path, help="folders that `workalike run` wrote")
    parser.add_argument("--verifier", help="whose verdicts count; the first there are when left out")
    parser.add_argument("--common", action="store_true", help="only the tasks that all the runs have")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    from workalike.report.reading import read_results

    runs = [read_results(folder, args.verifier) for folder in args.runs]
    benchmarks = {each.benchmark for each in runs}
    if len(benchmarks) > 1:
        raise BadInput(f"runs of different benchmarks are not put in one table: {', '.join(sorted(benchmarks))}")
    if args.common:
        runs = _common(runs)
    if args.json:
        _print_json(runs)
    elif args.markdown:
        print(_markdown(runs))
    else:
        show(runs)
    return 0


def _common(runs: list[RunResults]) -> list[RunResults]:
    from workalike.report.comparing import common_tasks, only

    common = common_tasks(runs)
    if not common:
        raise BadInput("the runs have no task in common; leave --common out to see each on its own")
    return only(runs, common)


def show(runs: list[RunResults]) -> None:
    """Both tables, with what a reader must know below them."""
    from rich.text import Text

    console = open_console()
    console.print(_accuracy_table(runs))
    console.print(_cost_table(runs))
    for line in _lines(runs):
        console.print(Text(plain(line), style="dim"))


def _lines(runs: list[RunResults]) -> list[str]:
    """What must be said of all runs together, then of each."""
    from workalike.report.comparing import titles, warning

    told = warning(runs)
    each = [f"{title}: {note}" for title, run in zip(titles(runs), runs, strict=True) for note in _remarks(run)]
    return [*([told] if told else []), *each]


def _accuracy_table(runs: list[RunResults]) -> Table:
    from rich.table import Table

    head, *rows = _accuracy_rows(runs)
    table = Table(title=_accuracy_title(runs))
    for number, name in enumerate(head):
        table.add_column(name, justify="left" if number == 0 else "right")
    for row in rows:
        table.add_row(*row, style="bold" if row[0].endswith("avg.") else None)
    return table


def _accuracy_title(runs: list[RunResults]) -> str:
    return f"{runs[0].benchmark}: accuracy, mean over independent runs in %, ± from run to run"


def _accuracy_rows(runs: list[RunResults]) -> list[list[str]]:
    """The head, then a row for each category, macro and micro."""
    from workalike.report.comparing import same_tasks, titles
    from workalike.report.results import accuracy

    columns = [{row.name: row for row in accuracy(each.results)} for each in runs]
    same = same_tasks(runs)
    rows = [["category", "tasks", *titles(runs)]]
    names = dict.fromkeys(name for column in columns for name in column)
    for name in sorted(names, key=lambda name: name.endswith("avg.")):
        cells = [_score(column[name]) if name in column else "–" for column in columns]
        tasks = [str(column[name].tasks) if name in column else "–" for column in columns]
        rows.append([name, tasks[0] if same else " / ".join(tasks), *cells])
    return rows


def _cost_table(runs: list[RunResults]) -> Table:
    from rich.table import Table

    head, *rows = _cost_rows(runs)
    table = Table(*head, title="per task, mean ± deviation")
    for row in rows:
        table.add_row(*row)
    return table


def _cost_rows(runs: list[RunResults]) -> list[list[str]]:
    """The head, then a row for each run."""
    from workalike.report.comparing import titles
    from workalike.report.results import costs

    rows = [["run", "$ per task", "actions", "tokens in", "tokens out", "seconds"]]
    for title, each in zip(titles(runs), runs, strict=True):
        cost = costs(each.results)
        dollars = "unknown" if cost.unknown_cost else _spread(cost.dollars, 4)
        tokens = (_spread(cost.input_tokens, 0), _spread(cost.output_tokens, 0))
        rows.append([title, dollars, _spread(cost.actions, 1), *tokens, _spread(cost.seconds, 1)])
    return rows


def _markdown(runs: list[RunResults]) -> str:
    """Both tables and the remarks, to be put into a page."""

    def table(rows: list[list[str]]) -> list[str]:
        rule = ["---", *("--:" for _ in rows[0][1:])]
        return [f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:])]

    remarks = [f"- {line}" for line in _lines(runs)]
    accuracy = [f"{_accuracy_title(runs)}:", "", *table(_accuracy_rows(runs))]
    return "\n".join(
        [*accuracy, "", "Per task, mean ± deviation:", "", *table(_cost_rows(runs)), "", *remarks]
    ).rstrip()


def _remarks(each: RunResults) -> list[str]:
    from workalike.bench.endings import reasons, sentences, tally
    from workalike.cli.asking import bill
    from workalike.report.results import costs

    unfinished = sum(not result.finished for result in each.results)
    ended = [result.ending for result in each.results if result.ending and result.finished]
    lost = tally(result.ending for result in each.results if result.ending and not result.finished)
    ungraded = sum(result.success is None for result in each.results)
    remarks = list(each.notes)
    if unfinished:
        remarks.append(
            f"{unfinished} of {len(each.results)} attempts did not finish; they count as failures{reasons(lost)}"
        )
    remarks += sentences(ended, len(each.results))
    if ungraded:
        remarks.append(f"{ungraded} of {len(each.results)} attempts are ungraded; they are in no mean")
    if not_begun := sum(not result.begun for result in each.results):
        remarks.append(f"{not_begun} of {len(each.results)} attempts were not begun; they are in no mean of costs")
    if repeated := sum(max(0, result.tries - 1) for result in each.results):
        remarks.append(f"{repeated} tries were lost and repeated; what they took is counted")
    if (total := costs(each.results).total).requests or total.unaccounted:
        remarks.append(f"in all {bill(total)}")
    if cached := sum(result.cached for result in each.results):
        replies = sum(result.replies for result in each.results)
        remarks.append(f"{cached} of {replies} replies came from the cache, and count as no tokens and no dollars")
    return remarks


def _score(row: Accuracy) -> str:
    if row.score.mean is None:
        return "–"
    spread = f" ± {100 * row.score.deviation:.1f}" if row.score.deviation is not None else ""
    return f"{100 * row.score.mean:.1f}{spread}"


def _spread(spread: Spread, digits: int) -> str:
    if spread.mean is None:
        return "–"
    deviation = f" ± {spread.deviation:,.{digits}f}" if spread.deviation is not None else ""
    return f"{spread.mean:,.{digits}f}{deviation}"


def _print_json(runs: list[RunResults]) -> None:
    from workalike.report.comparing import titles, warning
    from workalike.report.results import accuracy, costs

    told = warning(runs)
    rows = [
        {
            "run": each.name,
            "title": title,
            "benchmark": each.benchmark,
            "agent": each.agent,
            "model": each.model,
            "verifier": each.verifier,
            "accuracy": accuracy(each.results),
            "costs": costs(each.results),
            "notes": [*_remarks(each), *([told] if told else [])],
        }
        for title, each in zip(titles(runs), runs, strict=True)
    ]
    print_json(rows)
