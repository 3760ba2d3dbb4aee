"""How far verifiers agree with labels: the town's truth, people's labels, tables of labels.

Cohen's kappa, accuracy, precision, false positives (wrong ones passed) and false negatives (right ones failed), each
with its 95 % interval; by category and by kind of mistake; stability of votes; person against person; what a verdict
costs; every disagreement with where to look at it. Ungraded cases are in no figure, and counted.

Where the truth of every step is known (a run of `--agent flawed`), also how far the judgements of `workalike annotate`
agree with it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import DONE, open_console, plain, print_json
from workalike.core.errors import BadInput
from workalike.statistics.intervals import interval_told

if TYPE_CHECKING:
    from rich.console import Console

    from workalike.verify.agreement import AgreementReport, GroupRow, VerifierAgreement

EXAMPLE = """
workalike agreement runs/agreement-set
workalike agreement judge-set/run --labels judge-set/truth.csv
workalike agreement runs/first --people
workalike agreement runs/first --verifier rubric --labels mine.csv --json
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="RUN", type=Path, help="a run or folder with verdicts, or an imported set")
    parser.add_argument("--labels", type=Path, metavar="FILE", help="a table: trajectory,label,kind,labeller,…")
    parser.add_argument("--verifier", metavar="V", help="only this one's verdicts")
    parser.add_argument("--people", action="store_true", help="people's labels count, also where the truth is known")
    parser.add_argument("--most", type=int, default=20, metavar="N", help="list at most N disagreements of each (20)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def run(args: Namespace) -> int:
    from msgspec.structs import asdict

    from workalike.bench.flawed import compare_known, table
    from workalike.store.reading import home_of
    from workalike.verify.agreement import compare_at
    from workalike.verify.labels import labels_of, read_table, tasks_of

    if not args.path.is_dir():
        raise BadInput(f"{args.path} is no folder; name a run or a folder of trajectories that has verdicts")
    home = home_of(args.path)
    labels = read_table(args.labels, tasks_of(home)) if args.labels else labels_of(home)
    report = compare_at(home, labels, args.verifier, args.people)
    steps = compare_known(home)
    if args.json:
        print_json({**asdict(report), "steps": steps})
        return DONE
    _show(report, home, max(0, args.most))
    if steps is not None:
        print(f"\nAnnotated steps against what is known of them\n{table(steps)}")
        if not steps.steps:
            print(f"nobody has judged them yet: `workalike annotate {home} --model M --redo`")
    return DONE


def _show(report: AgreementReport, home: Path, most: int) -> None:
    from workalike.models.names import SCRIPTED

    console = open_console()
    whose = "known truth" if report.labelled_by == "truth" else "people's labels, the majority's"
    print(f"{report.labels} labelled trajectories ({whose})")
    if report.people.mean is not None:
        print(f"labellers among themselves: kappa {report.people.mean:.2f} over {report.people.count} shared labels")
    if not report.verifiers:
        print("no verifier has judged them yet: `workalike verify RUN --verifier rubric --model M`")
    _overall(console, report)
    if any(each.settings.get("model") == SCRIPTED for each in report.verifiers):
        from workalike.verify.scripted import SAYS  # with the server that it answers behind

        print(SAYS)
    _besides(report)
    for each in report.verifiers:
        _groups(console, f"{_name(each)}, by category", each.categories)
        _groups(console, f"{_name(each)}, by kind (the share judged as labelled)", each.kinds)
    _detectors(console, report)
    for each in report.verifiers:
        _disagreements(each, home, most)


def _overall(console: Console, report: AgreementReport) -> None:
    from rich.table import Table

    if not report.verifiers:
        return
    table = Table(title="Verifiers against labels (95 % intervals)")
    heads = ("verifier", "cases", "ungraded", "kappa", "accuracy", "precision", "false pos.", "false neg.")
    for head in (*heads, "stability", "calls", "$ a verdict"):
        table.add_column(head, justify="left" if head == "verifier" else "right")
    for each in report.verifiers:
        figures = each.figures
        rates = (figures.accuracy, figures.precision, figures.false_positives, figures.false_negatives)
        table.add_row(
            _name(each),
            str(figures.cases),
            str(each.ungraded),
            interval_told(figures.kappa, lambda value: f"{value:.2f}"),
            *(interval_told(rate, _percent) for rate in rates),
            "–" if each.stability.mean is None else _percent(each.stability.mean),
            "–" if each.calls is None else f"{each.calls:.1f}",
            "–" if each.cost is None else f"{each.cost:.4f}",
        )
    console.print(table)


def _besides(report: AgreementReport) -> None:
    """What labels say besides success: how good the way was, and whether the agent declined."""
    for each in report.verifiers:
        if each.process.mean is not None:
            told = f"{each.process.mean:.2f} apart on average over {each.process.count}"
            print(plain(f"{_name(each)}: process scores lie {told} cases"))
        if each.refusals.cases and (each.refusals.right or each.refusals.kappa.mean is not None):
            seen = interval_told(each.refusals.accuracy, _percent)
            print(plain(f"{_name(each)}: refusals told as labelled {seen} of {each.refusals.cases} cases"))


def _groups(console: Console, title: str, rows: tuple[GroupRow, ...]) -> None:
    from rich.table import Table

    if not rows:
        return
    table = Table(title=plain(title))
    for head in ("", "cases", "judged as labelled", "kappa"):
        table.add_column(head, justify="left" if not head else "right")
    for row in rows:
        known = interval_told(row.figures.kappa, lambda value: f"{value:.2f}")
        table.add_row(plain(row.name), str(row.cases), interval_told(row.seen, _percent), known)
    console.print(table)


def _detectors(console: Console, report: AgreementReport) -> None:
    from rich.table import Table

    if not report.detectors:
        return
    table = Table(title="What programs find, with no model (a flag says: something went wrong)")
    for head in ("detector", "flagged", "precision", "recall"):
        table.add_column(head, justify="left" if head == "detector" else "right")
    for row in report.detectors:
        name = row.detector.replace("_", " ")
        table.add_row(
            name, str(row.flagged), interval_told(row.precision, _percent), interval_told(row.recall, _percent)
        )
    console.print(table)


def _disagreements(each: VerifierAgreement, home: Path, most: int) -> None:
    from workalike.viewer.library import Library

    if not each.disagreements or not most:
        return
    places = Library(home).addresses(one.trajectory for one in each.disagreements[:most])
    print(
        f"\n{_name(each)} disagrees on {len(each.disagreements)} (`workalike view {home}` shows them at these places):"
    )
    for one in each.disagreements[:most]:
        kind = f" ({one.kind})" if one.kind else ""
        label = "right" if one.label else f"wrong{kind}"
        where = f"  http://127.0.0.1:8500/{places[one.trajectory]}" if one.trajectory in places else ""
        print(plain(f"  {one.trajectory}: {label}, judged {one.outcome.replace('_', ' ')}. {one.reason[:160]}{where}"))
    if len(each.disagreements) > most:
        print(f"  … and {len(each.disagreements) - most} more; --most N lists them, --json has all")


def _name(each: VerifierAgreement) -> str:
    model, votes = each.settings.get("model"), each.settings.get("votes", 1)
    told = [str(model)] if model else []
    told += [f"{votes} votes"] if votes != 1 else []
    return f"{each.verifier} ({', '.join(told)})" if told else each.verifier


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
