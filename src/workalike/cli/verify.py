"""Judge what agents did: a verifier over a run, a folder of trajectories or a packed dataset.

state        the town's truth, from the database: no model
rubric       rubric, evidence from screenshots, process and outcome: the default where truth is not known
uv           the published verification system of WebTailBench, stage by stage (about ten times the questions)
webjudge     Online-Mind2Web's judge; webvoyager: WebVoyager's
refusal      was this a refusal, and was it right? efficiency: needless actions, 1 to 5
recovered    answers without a readable line, read by a model that does not know the key

The verdicts are a layer beside the trajectories. Started again it goes on where it stopped, and what was judged costs
nothing; another model, prompt or number of votes judges afresh, and both stay. `workalike agreement` compares them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workalike.cli import DONE, FOUND_FAILURES, INTERRUPTED, asking, plain, print_json
from workalike.cli.parsing import given_among
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.cluster.executor import RemoteExecutor
    from workalike.cluster.services import RemoteServices
    from workalike.core.contracts import VerifierSpec
    from workalike.core.verdict import Verdict
    from workalike.models.interface import ModelProvider
    from workalike.models.prompts import Prompts
    from workalike.verify.remote import JudgingKind
    from workalike.verify.running import Verification, VerifySummary

EXAMPLE = """
workalike verify runs/first --verifier state
workalike verify runs/first --verifier rubric --model scripted
workalike verify runs/first --verifier rubric --model openai/gpt-5 --estimate
workalike verify runs/first --verifier rubric --model openai/gpt-5 --votes 3 --max-cost 5
workalike verify runs/first --verifier rubric --by-hand
workalike verify runs/first --verifier my_judge:Polite --option word=thanks
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="RUN", type=Path, help="a run, a folder of trajectories, a packed dataset")
    parser.add_argument("--verifier", metavar="V", default="rubric", help="who judges (rubric), or MODULE:CLASS")
    parser.add_argument(
        "--model",
        metavar="M",
        help="the judge's: openai/NAME, anthropic/NAME, NAME@http://host:port/v1; on the town also scripted, no key",
    )
    asking.add_by_hand(parser, "RUN/questions")
    parser.add_argument("--votes", type=int, metavar="N", help="judge N times, an odd number, and count (1)")
    parser.add_argument("--estimate", action="store_true", help="say what it would take at most, and ask nobody")
    parser.add_argument("--max-cost", type=float, metavar="DOLLARS", help="spend at most this in all")
    parser.add_argument("--jobs", type=int, default=4, help="cases at once (4)")
    parser.add_argument("--again", action="store_true", help="judge once more what was ungraded")
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="your own words for prompts, by file")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="your own prices of models")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep replies, and take those to the same requests")
    parser.add_argument(
        "--request-seconds", type=float, default=180.0, metavar="S", help="at most S seconds for a reply (180)"
    )
    parser.add_argument(
        "--sampling", action="append", metavar="NAME=VALUE", help="temperature, top_p, seed, max_tokens, effort"
    )
    parser.add_argument("--option", action="append", metavar="NAME=VALUE", dest="options", help="of the verifier")
    asking.add_ray(parser, "judge on the nodes of a Ray cluster, --jobs on each")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(args: Namespace) -> int:
    import asyncio

    from workalike.models.prompts import Prompts

    return asyncio.run(_run(args, _spec(args), Prompts(args.prompts)))


def _spec(args: Namespace) -> VerifierSpec:
    from workalike.core.contracts import VerifierSpec
    from workalike.store.config import need_amount

    asking.take_by_hand(args)
    if args.jobs < 1:
        raise BadInput(f"--jobs must be 1 or more, not {args.jobs}")
    if args.max_cost is not None and not args.max_cost > 0:
        raise BadInput(f"--max-cost must be more than 0, not {args.max_cost:g}")
    need_amount("--request-seconds", args.request_seconds)
    if args.questions is not None and not args.by_hand:
        raise BadInput("--questions is for a person as the judge: name --by-hand, or leave it out")
    if args.model is None and not args.by_hand:
        _need_use(args)
    options: dict[str, Any] = asking.settings(args.options)
    if args.votes is not None:
        options["votes"] = args.votes
    return VerifierSpec(args.verifier, args.model, asking.settings(args.sampling), options)


def _need_use(args: Namespace) -> None:
    """Refuse what is said about a model where the verifier asks none; one that does asks for its model's name first."""
    from workalike.verify.verifiers import asks_model

    useless = given_among(args, ("sampling", "cache", "prices", "max_cost"))
    if useless and not asks_model(args.verifier):
        raise BadInput(f"the verifier {args.verifier} asks no model: leave {useless} out")


async def _run(args: Namespace, spec: VerifierSpec, prompts: Prompts) -> int:
    from workalike.models.budget import Budget, Cap
    from workalike.models.served import Models
    from workalike.verify.running import Verification
    from workalike.verify.verifiers import make_verifier

    async with _judges(args, spec) as models:
        verification = Verification(args.path, make_verifier(spec, models, prompts), args.again, asking.tell)
        if not verification.cases:
            raise BadInput(f"{args.path} holds no finished trajectory to judge")
        if isinstance(models, Models):
            models.budget = Budget(Cap(dollars=args.max_cost), verification.spent)
        _tell_estimate(verification, models, spec, args)
        if args.estimate:
            return DONE
        if isinstance(models, Models) and verification.waiting and args.ray is None:
            await models.need_model(spec.model)
        kind = partial(_kind, args, verification, spec)
        async with asking.elsewhere(args, models, args.max_cost, kind, asking.tell) as workers:
            summary = await _judge(args, verification, workers)
    if args.json:
        print_json(summary)
    else:
        _show(summary, verification)
    if summary.stopped == "interrupted":
        return INTERRUPTED
    return FOUND_FAILURES if summary.stopped or summary.given_up else DONE


def _kind(args: Namespace, verification: Verification, spec: VerifierSpec, services: RemoteServices) -> JudgingKind:
    """The work of judges on a cluster."""
    from workalike.models.by_hand import BY_HAND
    from workalike.verify.remote import JudgingKind, judging_settings

    if spec.model == BY_HAND or args.cache:
        raise BadInput(
            "--by-hand and --cache are of this machine, and --ray has the work done on others: leave one out"
        )
    return JudgingKind(judging_settings(spec, services), args.jobs, verification.travelling)


async def _judge(
    args: Namespace, verification: Verification, workers: RemoteExecutor[Verdict] | None = None
) -> VerifySummary:
    from workalike.cli.progress import watching
    from workalike.cluster.nodes import MOST_AT_ONCE
    from workalike.runtime.pool import PoolLimits, stopping

    width = MOST_AT_ONCE if workers else args.jobs
    with watching(f"{args.path.name} · {verification.verifier.name}") as watch, stopping(verification.halt):
        return await verification.go(PoolLimits(width, cap=args.max_cost), watch, workers)


@asynccontextmanager
async def _judges(args: Namespace, spec: VerifierSpec) -> AsyncIterator[ModelProvider | None]:
    """Who opens the judge's model, where there is one. Nobody is asked for an estimate, so that no page is there."""
    from workalike.models.budget import Budget, Cap
    from workalike.models.by_hand import QUESTIONS
    from workalike.store.reading import home_of

    if spec.model is None:
        yield None
        return
    folder, budget = home_of(args.path) / QUESTIONS, Budget(Cap(dollars=args.max_cost))
    async with asking.providing(args, folder, budget, partial(_scripted, args, spec), not args.estimate) as models:
        yield models


@contextmanager
def _scripted(args: Namespace, spec: VerifierSpec) -> Iterator[str]:
    """The scripted judge, where that is the model that was asked for."""
    from workalike.verify.scripted import SAYS, scripted_judge

    if args.ray is not None:
        raise BadInput(f"--model {spec.model} is of this machine, and --ray has the work done on others: leave one out")
    with scripted_judge(args.path, spec) as server:
        print(SAYS, file=sys.stderr, flush=True)
        yield server


def _tell_estimate(
    verification: Verification, models: ModelProvider | None, spec: VerifierSpec, args: Namespace
) -> None:
    from workalike.verify.running import estimate_told, price_of

    usage = verification.estimate()
    waiting, done = len(verification.waiting), len(verification.done)
    cost = price_of(models, spec.model, usage)
    if args.estimate and args.json:
        print_json({"cases": waiting, "judged": done, "calls": usage.requests, "usage": usage, "cost": cost})
        return
    before = f" ({done} judged before)" if done else ""
    takes = f": at most {estimate_told(usage, cost)}" if usage.requests else ""
    told = f"{waiting} to judge{before}{takes}"
    print(told, file=sys.stdout if args.estimate else sys.stderr, flush=True)


def _show(summary: VerifySummary, verification: Verification) -> None:
    from workalike.verify.running import outcomes_told

    print(f"{sum(summary.outcomes.values())} judged: {outcomes_told(list(summary.outcomes.items()))}")
    if summary.usage.requests or summary.usage.unaccounted:
        print(f"{summary.usage.requests:,} calls, {asking.bill(summary.usage)}")
    if summary.unfinished:
        print(f"{summary.unfinished} attempts have not ended, and were left out")
    for key, problem in summary.given_up.items():
        print(plain(f"not judged: {key}: {problem}"))
    if summary.not_started:
        print(plain(f"{summary.not_started} are left ({summary.stopped}); start it again to go on"))
    print(f"verdicts: {summary.layer}")
