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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workalike.cli import DONE, FOUND_FAILURES, INTERRUPTED, asking, plain, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.cluster.executor import RemoteExecutor
    from workalike.core.contracts import VerifierSpec
    from workalike.core.verdict import Verdict
    from workalike.models.interface import ModelProvider
    from workalike.models.prompts import Prompts
    from workalike.models.served import Models
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

    given = {name: getattr(args, name) for name in ("sampling", "cache", "prices", "max_cost")}
    useless = " ".join(f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None)
    if useless and not asks_model(args.verifier):
        raise BadInput(f"the verifier {args.verifier} asks no model: leave {useless} out")


async def _run(args: Namespace, spec: VerifierSpec, prompts: Prompts) -> int:
    from workalike.models.budget import Budget, Cap
    from workalike.models.served import Models
    from workalike.verify.running import Verification
    from workalike.verify.verifiers import make_verifier

    async with _judges(args, spec, prompts) as models:
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
        async with _elsewhere(args, verification, spec, models) as workers:
            summary = await _judge(args, verification, workers)
    if args.json:
        print_json(summary)
    else:
        _show(summary, verification)
    if summary.stopped == "interrupted":
        return INTERRUPTED
    return FOUND_FAILURES if summary.stopped or summary.given_up else DONE


@asynccontextmanager
async def _elsewhere(
    args: Namespace, verification: Verification, spec: VerifierSpec, models: ModelProvider | None
) -> AsyncIterator[RemoteExecutor[Verdict] | None]:
    """The workers of a Ray cluster, where that was asked for."""
    choice = asking.ray_choice(args)
    if choice is None:
        yield None
        return
    from msgspec.structs import replace

    from workalike.cluster.ray_cluster import on_ray
    from workalike.cluster.services import travelling_services
    from workalike.models.by_hand import BY_HAND
    from workalike.models.keys import Keys
    from workalike.models.served import Models
    from workalike.verify.remote import JudgingKind, JudgingSettings

    if spec.model == BY_HAND or args.cache:
        raise BadInput(
            "--by-hand and --cache are of this machine, and --ray has the work done on others: leave one out"
        )
    Keys.load().need_none(spec.options)
    limits = Models().limits
    services = travelling_services(
        args.prompts, args.prices, args.max_cost is not None, limits.concurrency, args.request_seconds
    )
    settings = JudgingSettings(replace(spec, options=Keys.load().without_secrets(spec.options)), services)
    kind = JudgingKind(settings, args.jobs, verification.travelling)
    money = models.budget if isinstance(models, Models) else None
    async with on_ray(choice, kind, asking.tell, money=money) as workers:
        yield workers


async def _judge(
    args: Namespace, verification: Verification, workers: RemoteExecutor[Verdict] | None = None
) -> VerifySummary:
    from contextlib import suppress
    from signal import SIGINT, SIGTERM

    from workalike.cli.progress import watching
    from workalike.cluster.nodes import MOST_AT_ONCE
    from workalike.runtime.pool import PoolLimits

    with watching(f"{args.path.name} · {verification.verifier.name}") as watch:
        import asyncio

        with suppress(NotImplementedError, ValueError, RuntimeError):  # not the main thread: Ctrl-C raises as usual
            for number in (SIGINT, SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, verification.halt, "interrupted")
        width = MOST_AT_ONCE if workers else args.jobs
        return await verification.go(PoolLimits(width, cap=args.max_cost), watch, workers)


@asynccontextmanager
async def _judges(args: Namespace, spec: VerifierSpec, prompts: Prompts) -> AsyncIterator[ModelProvider | None]:
    """Who opens the judge's model: a service, within what is left of its budget, or a person at a page."""
    from workalike.models.budget import Budget, Cap
    from workalike.models.by_hand import BY_HAND, QUESTIONS, ManualModels
    from workalike.models.client import ServiceLimits
    from workalike.models.prices import Prices
    from workalike.models.served import Models
    from workalike.store.reading import home_of

    if spec.model is None:
        yield None
    elif spec.model == BY_HAND:
        folder = args.questions or home_of(args.path) / QUESTIONS
        async with ManualModels(folder, prompts=prompts, tell=asking.tell) as person:
            with asking.page_by_hand(folder, args.port):
                yield person
    else:
        limits = ServiceLimits(timeout=args.request_seconds)
        budget = Budget(Cap(dollars=args.max_cost))
        prices = Prices.load(args.prices)
        async with Models(prices=prices, budget=budget, limits=limits, cache=args.cache, tell=asking.tell) as models:
            with _playing(args, spec, models):
                yield models


@contextmanager
def _playing(args: Namespace, spec: VerifierSpec, models: Models) -> Iterator[None]:
    """The scripted judge, where that is the model that was asked for."""
    from workalike.models.names import SCRIPTED
    from workalike.verify.scripted import SAYS, scripted_judge

    if spec.model != SCRIPTED:
        yield
        return
    if args.ray is not None:
        raise BadInput(f"--model {SCRIPTED} is of this machine, and --ray has the work done on others: leave one out")
    with scripted_judge(args.path, spec) as server:
        models.play(SCRIPTED, server)
        print(SAYS, file=sys.stderr, flush=True)
        yield


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
