"""What people say of trajectories: who labelled how many, how far they agree, and all of it as a table.

People label at the pages of `workalike view`: pass or fail, how good the way was, whether the agent declined, and why,
blind to the verifiers. The table that --out writes is what `workalike agreement --labels` reads."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from workalike.cli import DONE, open_console, plain, print_json
from workalike.core.errors import BadInput

EXAMPLE = """
workalike labels runs/first
workalike labels runs/first --out labels.csv
workalike agreement runs/first --labels labels.csv
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path, help="a run, or a folder or file of trajectories")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the labels to this table (CSV)")
    parser.add_argument("--json", action="store_true", help="print every label as JSON")


def run(args: Namespace) -> int:
    from workalike.store.reading import home_of
    from workalike.verify.labels import people_labels, write_table

    if not args.path.exists():
        raise BadInput(f"{args.path} does not exist; name a run, or a folder or file of trajectories")
    home = home_of(args.path)
    labels = people_labels(home)
    if not labels:
        raise BadInput(f"nobody has labelled anything in {home} yet: `workalike view {args.path}` has the pages for it")
    if args.out is not None:
        write_table(args.out, labels)
    if args.json:
        print_json(labels)
        return DONE
    from rich.table import Table

    from workalike.statistics.agreement import pairwise_kappa

    table = Table("labeller", "labels", "pass", "fail", "could not tell", "declined", "blind", box=None)
    passed: dict[str, dict[str, bool]] = {}
    for name in sorted({label.labeller for label in labels}):
        own = [label for label in labels if label.labeller == name]
        said = [label.success for label in own]
        counts = (len(own), said.count(True), said.count(False), said.count(None))
        more = (sum(label.refused is True for label in own), sum(label.blind is True for label in own))
        table.add_row(plain(name), *map(str, (*counts, *more)))
        passed[name] = {label.trajectory: label.success for label in own if label.success is not None}
    open_console().print(table)
    among = pairwise_kappa(passed)
    if among.mean is not None:
        print(f"among themselves: kappa {among.mean:.2f} over {among.count} shared labels")
    if args.out is not None:
        print(f"{len(labels)} labels in {args.out}; `workalike agreement {args.path} --labels {args.out}` reads them")
    return DONE
