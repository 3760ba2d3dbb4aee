"""Score an agent on recorded steps (AgentNetBench): what it would do on a screenshot, against what should be done.

Predictions come from a file of JSON lines ({"task_id", "step_num", "code"}), or from an agent that is asked now. The
scorers 2025-08 and 2026 follow the published rules exactly; `strict` is without their holes. Exit code 1: a task's
file has a defect or a step has no prediction."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import DONE, FOUND_FAILURES, asking, open_console, print_json
from workalike.cli.parsing import given_among
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

    from workalike.bench.steps.evaluation import StepResult, StepSummary
    from workalike.bench.steps.predictions import Key, Prediction
    from workalike.formats.agentnetbench import BenchTask
    from workalike.statistics.intervals import Estimate

EXAMPLE = """
workalike step-eval AgentNetBench/test_data --predictions mine.jsonl
workalike step-eval AgentNetBench/test_data --predictions mine.jsonl --scorer strict --json
workalike step-eval AgentNetBench/test_data --agent idle --save idle.jsonl
workalike step-eval AgentNetBench/test_data --agent opencua --by-hand --save mine.jsonl
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "data", metavar="DATA", type=Path, help="the folder of task files, with the screenshots in images/"
    )
    parser.add_argument(
        "--predictions",
        type=Path,
        metavar="FILE",
        help="JSON lines: task_id, step_num (or the step's place, from 0), code; or the published runner's folder",
    )
    parser.add_argument("--agent", metavar="A", help="ask this agent instead")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep what the agent predicted, to score it again")
    parser.add_argument("--images", type=Path, metavar="DIR", help="where the screenshots are, if not in DATA/images")
    parser.add_argument("--scorer", action="append", help="2025-08 (default), 2026 or strict; may be repeated")
    parser.add_argument("--json", action="store_true", help="print JSON, with every step's score")
    asking.add_arguments(parser, "questions")


def run(args: Namespace) -> int:
    from workalike.bench.steps.evaluation import evaluate, scorer, summarize
    from workalike.bench.steps.predictions import predictions_at
    from workalike.formats.agentnetbench import read_folder

    asking.take_by_hand(args)
    if (args.predictions is None) == (args.agent is None):
        raise BadInput("name either --predictions FILE or --agent A, not both and not neither")
    if args.predictions is not None:
        _need_no_agent(args)
    names = list(dict.fromkeys(args.scorer or ["2025-08"]))
    for name in names:
        scorer(name)
    tasks, faults = read_folder(args.data)
    predictions, by_place = predictions_at(args.predictions, tasks) if args.predictions else (_ask(args, tasks), False)
    found = {name: evaluate(tasks, predictions, name) for name in names}
    summaries = [summarize(found[name], name, predictions, faults, by_place) for name in names]
    if args.json:
        _print_json(summaries, found)
    else:
        _show(summaries)
    return FOUND_FAILURES if faults or summaries[0].unpredicted else DONE


def _need_no_agent(args: Namespace) -> None:
    """Refuse what is said about asking where what was said already is scored."""
    names = ("model", "save", "questions", "cap", "prompts", "prices", "sampling", "options")
    useless = given_among(args, names)
    if useless:
        raise BadInput(f"--predictions asks nobody: leave {useless} out, or ask an agent with --agent A")


def _ask(args: Namespace, tasks: tuple[BenchTask, ...]) -> dict[Key, Prediction]:
    """Ask an agent for every step, and keep what it says where that was asked for."""
    import asyncio

    from workalike.store.lines import encode
    from workalike.store.packed import writing

    asked = asyncio.run(_asked(args, tasks))
    if args.save is not None:
        with writing(args.save) as file:
            file.writelines(encode(given) for given in asked)
    return {(given.task_id, given.step_num): given for given in asked}


async def _asked(args: Namespace, tasks: tuple[BenchTask, ...]) -> list[Prediction]:
    """What the agent predicts. What was asked counts when a service breaks down, and after Ctrl-C."""
    import asyncio
    from tempfile import TemporaryDirectory

    from workalike.bench.agent_factory import WITHOUT_MODEL, check_name, need_use
    from workalike.bench.steps.predictions import agents_for_steps, predictions_from
    from workalike.cli.progress import watching
    from workalike.core.contracts import AgentSpec
    from workalike.core.errors import ServiceDown
    from workalike.core.observation import ImageRef
    from workalike.core.progress import Progress
    from workalike.models.by_hand import QUESTIONS
    from workalike.models.prompts import Prompts
    from workalike.models.served import Models
    from workalike.runtime.own import is_own
    from workalike.store.pictures import open_pictures

    check_name(args.agent)
    need_use(args.agent, {"questions": args.questions})
    spec = AgentSpec(args.agent, args.model, asking.settings(args.sampling), asking.settings(args.options))
    asks = args.agent not in WITHOUT_MODEL and not is_own(args.agent)
    folder = args.images or (args.data if args.data.is_dir() else args.data.parent) / "images"
    source = open_pictures(folder)
    asked: list[Prediction] = []
    total = sum(len(task.steps) for task in tasks)
    with TemporaryDirectory() as scratch, watching(f"{args.agent} on {len(tasks)} tasks") as watch:
        async with asking.opening(args, Path(QUESTIONS)) if asks else Models() as models:
            if asks and isinstance(models, Models):
                await models.need_model(args.model)
            try:
                make = agents_for_steps(spec, models, Prompts(args.prompts), Path(scratch))
                for task in tasks:
                    async for given in predictions_from(make(task), task, lambda name: source.read(ImageRef(name))):
                        asked.append(given)
                        watch(Progress(len(asked), 1, total))
            except (ServiceDown, asyncio.CancelledError) as error:
                if not asked:
                    raise
                print(
                    f"{str(error) or 'stopped'}; {len(asked)} of {total} steps were asked, the others count as wrong",
                    file=sys.stderr,
                )
            if asks:
                print(asking.bill(models.usage), file=sys.stderr)
    return asked


def _print_json(summaries: list[StepSummary], found: dict[str, list[StepResult]]) -> None:
    document = [{"summary": summary, "steps": found[summary.scorer]} for summary in summaries]
    print_json(document)


def _show(summaries: list[StepSummary]) -> None:
    from workalike.bench.steps.evaluation import remarks

    console = open_console()
    console.print(_table(summaries))
    if any(summary.scorer == "2025-08" for summary in summaries):
        console.print(_published_table())
    for remark in remarks(summaries):
        console.print(remark, style="dim", highlight=False)


def _table(summaries: list[StepSummary]) -> Table:
    from rich.table import Table

    first = summaries[0]
    table = Table(title=f"{first.steps} steps of {first.tasks} tasks, mean in % ± half of the 95 % interval (number)")
    table.add_column("")
    for summary in summaries:
        table.add_column(f"scorer {summary.scorer}", justify="right")
    for name in ("coordinate", "content", "function"):
        table.add_row(f"{name} actions", *(_percent(summary.groups[name]) for summary in summaries))
    table.add_row("[b]average", *(_percent(summary.average) for summary in summaries))
    table.add_row("steps wholly right", *(_percent(summary.success) for summary in summaries))
    table.add_row("milestones", *(_percent(summary.milestones) for summary in summaries))
    table.add_section()
    for kind in dict.fromkeys(kind for summary in summaries for kind in summary.kinds):
        table.add_row(kind, *(_percent(summary.kinds.get(kind)) for summary in summaries))
    return table


def _published_table() -> Table:
    from rich.table import Table

    from workalike.bench.steps.published import published_rows

    published = published_rows()
    table = Table("published rows", title=None, style="dim", header_style="dim")
    for column in published["columns"]:
        table.add_column(column, justify="right")
    for name, values in published["rows"].items():
        table.add_row(name, *(f"{value:.1f}" for value in values), style="dim")
    return table


def _percent(estimate: Estimate | None) -> str:
    if estimate is None or estimate.mean is None:
        return "—"
    half = "" if estimate.low is None or estimate.high is None else f" ±{50 * (estimate.high - estimate.low):.1f}"
    return f"{100 * estimate.mean:.1f}[dim]{half} ({estimate.count})[/]"
