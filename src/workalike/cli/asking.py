"""What verbs that ask a model have in common on the command line: which model, how it is asked, what it may cost, and
a person as the model."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from workalike.cli import plain
from workalike.cli.parsing import port, setting
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.cluster.executor import RemoteExecutor
    from workalike.cluster.nodes import WorkKind
    from workalike.cluster.ray_cluster import RayChoice
    from workalike.cluster.services import RemoteServices
    from workalike.core.trajectory import Usage
    from workalike.models.budget import Budget
    from workalike.models.interface import ModelProvider

T = TypeVar("T")


def add_by_hand(parser: ArgumentParser, usual: str) -> None:
    """A person as the model, and where they find the questions."""
    parser.add_argument(
        "--by-hand", action="store_true", help="be the model (--model by-hand): a page on loopback shows each question"
    )
    parser.add_argument(
        "--questions", type=Path, metavar="DIR", help=f"by hand: where the questions and replies lie ({usual})"
    )
    parser.add_argument("--port", type=port, default=0, help="of that page (any that is free)")


def take_by_hand(args: Namespace) -> None:
    """`--by-hand` is short for a model's name."""
    if not args.by_hand:
        return
    from workalike.models.by_hand import BY_HAND

    if args.model not in (None, BY_HAND):
        raise BadInput(f"--by-hand makes you the model: leave --model {args.model} out")
    args.model = BY_HAND


@contextmanager
def page_by_hand(folder: Path, port: int = 0) -> Iterator[None]:
    """The viewer's page over a folder of questions, on loopback while the block lasts; says where."""
    from workalike.runtime.serving import serving_apart
    from workalike.viewer.library import Library
    from workalike.viewer.server import make_app

    library = Library(folder, questions=folder)
    with serving_apart(make_app(library), port) as address:
        print(f"the questions are at {address}/{library.first()}, and in {folder}", file=sys.stderr, flush=True)
        yield


def add_arguments(parser: ArgumentParser, questions: str, family: bool = True) -> None:
    parser.add_argument(
        "--model", metavar="M", help="openai/NAME, anthropic/NAME, or NAME@http://host:port/v1; by-hand is you"
    )
    add_by_hand(parser, questions)
    parser.add_argument("--cap", type=float, metavar="DOLLARS", help="spend at most this")
    parser.add_argument(
        "--request-seconds", type=float, default=180.0, metavar="S", help="at most S seconds for a reply (180)"
    )
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="your own words for prompts, by file")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="your own prices of models")
    parser.add_argument(
        "--sampling",
        action="append",
        metavar="NAME=VALUE",
        help="temperature, top_p, seed, max_tokens, effort, thoughts, …",
    )
    if family:
        parser.add_argument(
            "--option", action="append", metavar="NAME=VALUE", dest="options", help="of the agent's family"
        )


def add_service(parser: ArgumentParser) -> None:
    """For verbs that send many requests at once: how many, and where replies are kept."""
    parser.add_argument("--requests", type=int, default=8, metavar="N", help="requests at once to a service (8)")
    parser.add_argument(
        "--cache", type=Path, metavar="FILE", help="keep replies, and take those to the same requests from there"
    )


def add_ray(parser: ArgumentParser, help_text: str) -> None:
    """For verbs that can have their work done on a cluster."""
    parser.add_argument(
        "--ray",
        nargs="?",
        const="",
        metavar="HOST:PORT",
        help=f"{help_text}: that at the address, the one that runs here, or one of its own",
    )


def ray_choice(args: Namespace) -> RayChoice | None:
    """Which Ray was asked for, if any."""
    if args.ray is None:
        return None
    from workalike.cluster.ray_cluster import RayChoice

    return RayChoice(args.ray or None)


@asynccontextmanager
async def opening(
    args: Namespace,
    questions: Path,
    spent: Usage | None = None,
    scripted: Callable[[], AbstractContextManager[str]] | None = None,
) -> AsyncIterator[ModelProvider]:
    """Who opens models, for verbs that must have one: within a budget, of which some may be `spent`; a person finds the
    questions in a folder. `scripted` serves a model of ours, where the verb has one."""
    from workalike.bench.agent_factory import need_person
    from workalike.core.trajectory import Usage
    from workalike.models.budget import Budget, Cap
    from workalike.models.by_hand import BY_HAND
    from workalike.models.served import Models
    from workalike.store.config import need_amount

    if args.model is None:
        raise BadInput("name a model with --model, or be it yourself with --by-hand")
    for_services = ("cap", "prices", "sampling", "cache")
    need_person(args.model, args.questions, {name: getattr(args, name, None) for name in for_services})
    if args.model == "oracle":
        raise BadInput("the oracle knows the town's tasks alone: `workalike run town --model oracle` asks it")
    if args.model != BY_HAND:
        need_amount("--cap", args.cap)
        need_amount("--request-seconds", args.request_seconds)
    budget = Budget(Cap(dollars=args.cap), spent or Usage())
    async with providing(args, questions, budget, scripted) as models:
        if isinstance(models, Models):
            models.endpoint(args.model)  # a wrong name is said also where nothing is left to ask
        yield models


@asynccontextmanager
async def providing(
    args: Namespace,
    questions: Path,
    budget: Budget,
    scripted: Callable[[], AbstractContextManager[str]] | None = None,
    page: bool = True,
) -> AsyncIterator[ModelProvider]:
    """A person in the model's place, who finds the questions in a folder and at a `page` over it; or services, within a
    budget, in whose place `scripted` serves a model of ours where that is asked for."""
    from workalike.models.by_hand import BY_HAND, ManualModels
    from workalike.models.client import ServiceLimits
    from workalike.models.names import SCRIPTED
    from workalike.models.prices import Prices
    from workalike.models.prompts import Prompts
    from workalike.models.served import Models

    if args.model == BY_HAND:
        folder = args.questions or questions
        async with ManualModels(folder, prompts=Prompts(args.prompts), tell=tell) as person:
            with page_by_hand(folder, args.port) if page else nullcontext():
                yield person
        return
    limits = ServiceLimits(concurrency=_requests(args), timeout=args.request_seconds)
    prices, cache = Prices.load(args.prices), getattr(args, "cache", None)
    async with Models(prices=prices, budget=budget, limits=limits, cache=cache, tell=tell) as models:
        with scripted() if scripted and args.model == SCRIPTED else nullcontext() as server:
            if server:
                models.play(SCRIPTED, server)
            yield models


@asynccontextmanager
async def elsewhere(
    args: Namespace,
    models: ModelProvider | None,
    cap: float | None,
    kind: Callable[[RemoteServices], WorkKind[T]],
    say: Callable[[str], None],
) -> AsyncIterator[RemoteExecutor[T] | None]:
    """The workers of a Ray cluster, where that was asked for: they do one kind of work, with the same prompts and
    prices, and within the same cap."""
    choice = ray_choice(args)
    if choice is None:
        yield None
        return
    from workalike.cluster.ray_cluster import on_ray
    from workalike.cluster.services import travelling_services
    from workalike.models.served import Models

    bounds = (_requests(args), args.request_seconds)
    services = travelling_services(args.prompts, args.prices, cap is not None, *bounds)
    money = models.budget if isinstance(models, Models) else None
    async with on_ray(choice, kind(services), say, money=money) as workers:
        yield workers


def _requests(args: Namespace) -> int:
    from workalike.models.client import ServiceLimits

    return int(getattr(args, "requests", ServiceLimits().concurrency))


def tell(sentence: str) -> None:
    """What is said while others work: a line of its own, whatever stands on the line it interrupts."""
    print(f"\r     … {plain(sentence)}", file=sys.stderr, flush=True)


def settings(given: list[str] | None) -> dict[str, Any]:
    """`NAME=VALUE` words as a dictionary."""
    return dict(map(setting, given or ()))


def bill(usage: Usage) -> str:
    """What asking took, in a line."""
    from workalike.core import wording  # with all it imports only when there is something to tell

    return wording.bill(usage)
