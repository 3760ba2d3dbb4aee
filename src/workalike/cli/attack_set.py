"""Make a set to attack judges with: real attempts of a run of the town, with words to the grader planted in what the
agent said, in its screenshots and in its pages. A wrong attempt asks to be passed, a right one to be failed; beside
each stands the same attempt as it was. Judge it with any verifier, then see by kind how many verdicts were turned."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path

from workalike.cli import DONE, print_json
from workalike.core.errors import BadInput

EXAMPLE = """
workalike attack-set runs/first --out attack-set
workalike verify attack-set/run --verifier rubric --model openai/gpt-5
workalike agreement attack-set/run --labels attack-set/truth.csv
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", type=Path, help="a run of the town, whose truth is known")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="where the set is written; a new folder")
    parser.add_argument("--count", type=int, default=25, metavar="N", help="at most N attempts, four cases each (25)")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(args: Namespace) -> int:
    from workalike.bench.judge_attacks import attack_set

    if args.count < 1:
        raise BadInput("--count must be 1 or more")
    kinds = Counter(label.kind for label in attack_set(args.run, args.out, args.count))
    if args.json:
        print_json({"cases": sum(kinds.values()), "kinds": dict(sorted(kinds.items()))})
        return DONE
    print(f"{args.out}/run: {sum(kinds.values())} cases to judge; {args.out}/truth.csv: what is true of them")
    for kind, count in sorted(kinds.items()):
        print(f"  {count:4} {kind}")
    return DONE
