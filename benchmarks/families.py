"""The table of docs/families.md: every agent family on the town, its model played by the oracle behind a real server.

    python -m benchmarks.families --out docs/families.md

Runs lie in `--runs`; started again, it goes on with what is missing there.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from workalike.bench.config import ORACLE
from workalike.bench.run import RunResources, run
from workalike.families import names
from workalike.report.reading import RunResults, read_results
from workalike.report.results import Result
from workalike.store.config import AttemptLimits, RunConfig
from workalike.store.files import write_file

STEPS = 150
PAGE = """\
# Agent families on the town
What every family of [agents](agents.md) solves when the model behind it is the town's oracle: solved of tried.
No model is asked, so this says nothing about models. It shows that the whole path works for each family: its prompt,
HTTP in its API, its own words parsed, its coordinates scaled, the actions carried out in a real browser, and the
outcome judged from the town's database.

Made by `python -m benchmarks.families --out docs/families.md`{options}. It covers {cover}.

{table}

The last columns are means per task.
"""


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the page to write")
    parser.add_argument("--runs", type=Path, default=Path("runs/families"), metavar="DIR", help="where the runs lie")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N tasks, from the categories in turn (all)")
    parser.add_argument("--jobs", type=int, default=2, help="attempts at once (2)")
    args = parser.parse_args()
    results = [solved(name, args.runs / name, args.limit, args.jobs) for name in names()]
    write_file(args.out, page(results, args.limit).encode())


def solved(family: str, folder: Path, limit: int | None, jobs: int) -> RunResults:
    """A family's results, run now as far as they are not there yet."""
    config = RunConfig(
        benchmark="town", agent=family, model=ORACLE, repeats=1, limit=limit, limits=AttemptLimits(steps=STEPS)
    )
    run(config, folder, resources=RunResources(jobs=jobs))
    found = read_results(folder)
    print(f"{family}: {_score(found.results)}", flush=True)
    return found


def page(runs: Sequence[RunResults], limit: int | None) -> str:
    """The page with the table of families and categories."""
    categories = list(dict.fromkeys(each.category for each in runs[0].results))
    tasks = len({each.task for each in runs[0].results})
    cover = f"{tasks} tasks of `{runs[0].benchmark}` in {len(categories)} categories: {', '.join(categories)}"
    head = ["family", *categories, "all", "actions", "tokens in", "tokens out"]
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *(_row(each, categories) for each in runs)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return PAGE.format(options=f" with `--limit {limit}`" if limit else "", cover=cover, table=table)


def _row(run: RunResults, categories: Sequence[str]) -> list[str]:
    own = [_score([each for each in run.results if each.category == category]) for category in categories]
    count = len(run.results)
    sums = (
        sum(each.actions for each in run.results),
        sum(each.usage.input_tokens for each in run.results),
        sum(each.usage.output_tokens for each in run.results),
    )
    return [f"`{run.agent}`", *own, _score(run.results), *(f"{total / count:,.0f}" for total in sums)]


def _score(results: Sequence[Result]) -> str:
    return f"{sum(each.success is True for each in results)}/{len(results)}"


if __name__ == "__main__":
    main()
