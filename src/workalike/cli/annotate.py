"""Write a reflective chain of thought for every step: what is on the screen, why this action, what it did, whether it
was right and needed; and for every trajectory what was really done, and how well.

PATH is what `dataset` takes (AgentNet files and folders, runs, demonstrations, packed files), or a recording, which is
reduced on the way. What is said goes into a layer beside the trajectories, which `dataset export` reads, and with --out
also into a file of AgentNet rows.
Killed and started again it goes on where it was; what is there already is kept unless --redo. --check asks nobody: it
scores the chains of thought that are there. Exit code 1: something is missing or was flagged too often."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import DONE, FOUND_FAILURES, INTERRUPTED, asking, plain, print_json
from workalike.cli.parsing import given_among
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.annotate.demonstrations import AnnotateConfig
    from workalike.annotate.work import AnnotateSummary
    from workalike.models.prompts import Prompts

EXAMPLE = """
workalike annotate demos/rename --model openai/gpt-5 --estimate
workalike annotate demos/rename --model openai/gpt-5 --cap 2 --out annotated.jsonl
workalike annotate runs/oracle --model scripted --method parallel --prior good
workalike annotate AgentNet/agentnet_ubuntu_5k.jsonl --images AgentNet/images.zip --check --html chains.html
workalike annotate runs/flawed --model openai/gpt-5 --against-truth
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", help="AgentNet files or folders, runs, demonstrations")
    parser.add_argument("--metadata", type=Path, action="append", default=[], metavar="FILE", help="metadata to join")
    parser.add_argument(
        "--images", type=Path, action="append", default=[], metavar="PATH", help="where the pictures are, if not beside"
    )
    parser.add_argument(
        "--recordings",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="where the recordings lie that demonstrations were reduced from: leaks are looked for in their trees, too",
    )
    asking.add_arguments(parser, "OUT/questions, or questions", family=False)
    asking.add_service(parser)
    parser.add_argument(
        "--method",
        choices=["reflective", "parallel"],
        default="reflective",
        help="step after step, or all steps of a trajectory at once (reflective)",
    )
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="trajectories at once (4)")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N trajectories")
    parser.add_argument(
        "--prior", choices=["good", "verdicts"], help="the demonstrations are known to be good, or as the verdicts say"
    )
    parser.add_argument(
        "--no-value",
        dest="value",
        action="store_false",
        help="leave out the value of steps: two calls a step, not three",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="add each trajectory that is through as an AgentNet row"
    )
    parser.add_argument(
        "--layers", type=Path, metavar="DIR", help="where the layer goes, if not beside the trajectories"
    )
    parser.add_argument(
        "--redo", type=int, nargs="?", const=1, default=0, metavar="N", help="ask for everything anew, in round N (1)"
    )
    parser.add_argument("--estimate", action="store_true", help="only say how many calls, tokens and dollars it takes")
    parser.add_argument("--dry-run", type=Path, metavar="DIR", help="only write the questions there that come next")
    parser.add_argument("--answers", type=Path, metavar="DIR", help="take the replies from there; write what has none")
    parser.add_argument(
        "--max-flagged", type=float, metavar="SHARE", help="fail when more than this share of steps leaks (0 to 1)"
    )
    asking.add_ray(parser, "annotate on the nodes of a Ray cluster, --jobs on each")
    parser.add_argument("--check", action="store_true", help="score the chains of thought that are there")
    parser.add_argument("--html", type=Path, metavar="FILE", help="with --check: plots")
    parser.add_argument(
        "--against-truth", action="store_true", help="compare the judgements of a run of --agent flawed with its truth"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    import asyncio

    from workalike.models.prompts import Prompts

    if args.check or args.html:
        _need_asking_nobody(args)
        return _check(args)
    if args.against_truth and not (args.model or args.by_hand or args.answers):
        return _compare(args)
    asking.take_by_hand(args)
    _need_sense(args)
    config, prompts = _config(args), Prompts(args.prompts)
    if args.estimate:
        return _estimate(args, config, prompts)
    summary = asyncio.run(_annotate(args, config, prompts))
    _show(args, config, summary)
    if args.against_truth:
        _compare(args)
    if summary.stopped == "interrupted":
        return INTERRUPTED
    share = summary.flagged_share
    flagged = args.max_flagged is not None and share is not None and share > args.max_flagged
    lacking = summary.given_up or summary.stopped or summary.failed or (summary.waiting and args.dry_run is None)
    return FOUND_FAILURES if lacking or flagged or not (summary.whole or args.dry_run) else DONE


def _need_asking_nobody(args: Namespace) -> None:
    """Refuse what is said about asking where the chains that are there are checked."""
    names = ("model", "by_hand", "out", "layers", "redo", "estimate", "dry_run", "answers", "against_truth", "limit")
    useless = given_among(args, names)
    if useless:
        raise BadInput(f"--check and --html score what is there and ask nobody: leave {useless} out")


def _need_sense(args: Namespace) -> None:
    if args.max_flagged is not None and not 0 <= args.max_flagged <= 1:
        raise BadInput(f"--max-flagged is a share from 0 to 1, not {args.max_flagged:g}")
    here = {"--by-hand": args.model == "by-hand", "--cache": args.cache, "--dry-run": args.dry_run}
    for name in (name for name, given in {**here, "--answers": args.answers}.items() if given and args.ray is not None):
        raise BadInput(f"{name} is of this machine, and --ray has the work done on others: leave one of them out")
    if args.dry_run is not None and args.answers is not None:
        raise BadInput("--dry-run and --answers: name one; --answers writes the questions that wait as well")


def _config(args: Namespace) -> AnnotateConfig:
    from workalike.annotate.demonstrations import ANSWERS, AnnotateConfig

    if args.model is None and (args.dry_run or args.answers):
        args.model = ANSWERS
    if args.model is None:
        raise BadInput("name a model with --model, or be it yourself with --by-hand; --model scripted needs no key")
    return AnnotateConfig(
        paths=tuple(args.paths),
        model=args.model,
        sampling=asking.settings(args.sampling),
        metadata=tuple(args.metadata),
        images=tuple(args.images),
        recordings=tuple(args.recordings),
        layers=args.layers,
        out=args.out,
        method=args.method,
        prior=args.prior,
        value=args.value,
        redo=args.redo,
        limit=args.limit,
        jobs=args.jobs,
        requests=args.requests,
        cap=args.cap,
    )


def _estimate(args: Namespace, config: AnnotateConfig, prompts: Prompts) -> int:
    from workalike.annotate.estimate import priced_estimate
    from workalike.models.prices import Prices

    found = priced_estimate(config, prompts, Prices.load(args.prices), _tell)
    if args.json:
        print_json({**{name: getattr(found, name) for name in found.__struct_fields__}, "total": found.total})
    else:
        print(found.told())
    return DONE


async def _annotate(args: Namespace, config: AnnotateConfig, prompts: Prompts) -> AnnotateSummary:
    from workalike.annotate.plan import spent_before
    from workalike.annotate.scripted import scripted_model
    from workalike.annotate.work import Annotating, annotating_kind
    from workalike.cli.progress import watching
    from workalike.models.answers import WrittenModels
    from workalike.models.by_hand import QUESTIONS
    from workalike.runtime.pool import stopping

    folder = args.dry_run or args.answers
    with watching(f"{config.method} · {config.model}") as watch:
        if folder is not None:
            dry = args.dry_run is not None
            return await Annotating(config, WrittenModels(folder, prompts=prompts), prompts, _tell, watch, dry).go()
        beside = config.out.parent / QUESTIONS if config.out else Path(QUESTIONS)
        async with (
            asking.opening(args, beside, spent_before(config, prompts), scripted_model) as models,
            asking.elsewhere(args, models, config.cap, partial(annotating_kind, config), _tell) as workers,
        ):
            work = Annotating(config, models, prompts, _tell, watch, elsewhere=workers)
            with stopping(work.halt):
                return await work.go()


def _show(args: Namespace, config: AnnotateConfig, summary: AnnotateSummary) -> None:
    if args.json:
        print_json(summary)
        return
    if not summary.steps and not summary.stopped and not summary.given_up:
        print(f"no step was found in {', '.join(args.paths)}")
        return
    print(f"{summary.whole:,} of {summary.steps:,} steps have words and a judgement")
    share = summary.flagged_share
    print("no step to look for leaks in" if share is None else f"{summary.flagged:,} of them flagged ({share:.1%})")
    for reason, count in sorted(summary.failed.items(), key=lambda each: -each[1])[:5]:
        print(plain(f"{count:,} steps lack something: {reason}"))
    for key, reason in list(summary.given_up.items())[:5]:
        print(plain(f"given up: {key.rpartition(chr(0))[2]}: {reason}"))
    if summary.waiting:
        folder = args.dry_run or args.answers
        waits = "question waits" if summary.waiting == 1 else "questions wait"
        print(f"{summary.waiting:,} {waits} in {folder}: write each reply into reply.md beside it, ", end="")
        print(f"then go on with --answers {folder}")
    if summary.stopped:
        print(plain(f"stopped: {summary.stopped}; run the same command again to go on"))
    if args.dry_run is None:
        print(asking.bill(summary.usage))
        written = [*summary.layers, *([str(config.out)] if config.out else [])]
        print(f"written to {' and '.join(written)}" if written else "all of it was there already: nothing was asked")


def _compare(args: Namespace) -> int:
    """How the judgements agree with what is known of a run of the flawed oracle."""
    from workalike.bench.flawed import compare, table

    found = compare([Path(path) for path in args.paths])
    if not found.steps and not found.unjudged:
        made = "`workalike run town --agent flawed`"
        raise BadInput(f"nothing is known of any step there: {made} makes a set of which the truth is known")
    if args.json:
        print_json(found)
    else:
        print(table(found))
    return DONE


def _check(args: Namespace) -> int:
    from workalike.annotate.check import check_chains
    from workalike.annotate.check_page import page, table
    from workalike.dataset.sources import trajectories
    from workalike.store.files import write_file

    told: list[str] = []
    found = check_chains(trajectories(args.paths, args.metadata, tell=told.append))
    for text in told[:5]:
        print(plain(text), file=sys.stderr)
    if args.html is not None:
        write_file(args.html, page(found, f"chains of thought in {', '.join(args.paths)}").encode())
    if args.json:
        print_json(found)
    else:
        print(table(found))
    too_many = args.max_flagged is not None and found.told and found.leaking / found.told > args.max_flagged
    return FOUND_FAILURES if too_many or not found.told else DONE


def _tell(sentence: str) -> None:
    print(plain(sentence), file=sys.stderr)
