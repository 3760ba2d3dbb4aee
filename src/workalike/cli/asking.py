"""What verbs that ask a model have in common on the command line: which model, how it is asked, what it may cost, and
the model by hand."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workalike.cli import plain
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.core.trajectory import Usage
    from workalike.models.interface import Opens


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--model", metavar="M", help="openai/NAME, anthropic/NAME, or NAME@http://host:port/v1")
    parser.add_argument(
        "--dry-run", type=Path, metavar="DIR", help="ask nobody: write the questions as pages into this folder"
    )
    parser.add_argument(
        "--answers", type=Path, metavar="DIR", help="ask nobody: take answers from files named like the questions"
    )
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
    parser.add_argument("--option", action="append", metavar="NAME=VALUE", dest="options", help="of the agent's family")


@asynccontextmanager
async def opening(args: Namespace) -> AsyncIterator[Opens]:
    """Who opens models: services, within a budget, or the model by hand."""
    from workalike.bench.plan import need_amount
    from workalike.models.budget import Budget, Cap
    from workalike.models.by_hand import Hands
    from workalike.models.line import Limits
    from workalike.models.prices import Prices
    from workalike.models.served import Models

    if args.dry_run or args.answers:
        if args.model is not None:
            raise BadInput("--dry-run and --answers ask no service: leave --model out, or leave them out")
        if args.dry_run and args.dry_run.exists() and not args.dry_run.is_dir():
            raise BadInput(f"--dry-run takes a folder, and {args.dry_run} is a file")
        yield Hands(args.dry_run, args.answers)
        return
    if args.model is None:
        raise BadInput("name a model with --model, or be it yourself with --dry-run DIR and --answers DIR")
    if args.model == "oracle":
        raise BadInput("the oracle knows the town's tasks alone: `workalike run town --model oracle` asks it")
    need_amount("--cap", args.cap)
    need_amount("--request-seconds", args.request_seconds)
    limits = Limits(timeout=args.request_seconds)
    async with Models(prices=Prices.load(args.prices), budget=Budget(Cap(dollars=args.cap)), limits=limits) as models:
        yield models


def _tell(sentence: str) -> None:
    print(f"\r     … {plain(sentence)}", file=sys.stderr, flush=True)


def settings(given: list[str] | None) -> dict[str, Any]:
    """`NAME=VALUE` words as a dictionary."""
    from workalike.cli.run import setting

    return dict(map(setting, given or ()))


def bill(usage: Usage) -> str:
    """What it took, in a line; a price that is unknown is called that.

    >>> from workalike.core.trajectory import Usage
    >>> bill(Usage(2, 1200, 34, cost=None, unaccounted=1))
    '1,200 tokens in, 34 out, an unknown price; at least: 1 request may have been charged without saying so'
    >>> bill(Usage(2, cost=None))
    'an unknown number of tokens, an unknown price'
    """
    told = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    if not usage.input_tokens and (usage.requests or usage.unaccounted):
        told = "an unknown number of tokens"
    unknown = usage.cost is None or (usage.unaccounted and not usage.requests)
    cost = "an unknown price" if unknown else f"${usage.cost:.4f}"
    requests = "request" if usage.unaccounted == 1 else "requests"
    more = f"; at least: {usage.unaccounted} {requests} may have been charged without saying so"
    return f"{told}, {cost}{more if usage.unaccounted else ''}"
