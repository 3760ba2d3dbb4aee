"""Serve the town's oracle as a model: a server that speaks the chat-completions, Responses and Anthropic APIs and
answers, in the words of whichever family of agents asks, with what solves the task.

It is for testing harnesses, ours and other people's, with no model. Open an attempt at a task, point a browser at its
start address and an agent at the model's address. A verdict is there for the asking:

  POST /attempts {"task": "shopping_1"}     → token, instruction, start address
  GET  /attempts/TOKEN/verdict?answer=TEXT  → success or what went wrong

Attempts are told apart by the header X-Town-Attempt on requests to the model, or by the token given as the API key; a
single one needs neither. Which family's words are spoken is told by the model's name (fara, qwen, opencua, …), by the
API's computer tool, or by what the prompt teaches."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

EXAMPLE = """
understudy serve-oracle --task shopping_1
understudy serve-oracle --misbehave 429,cut --every 7
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8600, help="the model's port on loopback (8600); 0 takes any")
    parser.add_argument("--town-port", type=int, default=8400, help="the town's port on loopback (8400); 0 takes any")
    parser.add_argument("--task", action="append", metavar="ID", help="open an attempt at this task right away")
    parser.add_argument(
        "--misbehave", metavar="KINDS", help="go wrong now and then: 429,500,hang,cut,malformed,empty,…"
    )
    parser.add_argument("--every", type=int, default=5, metavar="N", help="misbehave on every N-th request (5)")


def run(args: Namespace) -> int:
    import asyncio
    from contextlib import suppress

    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(args))
    return 0


async def _serve(args: Namespace) -> None:
    import asyncio

    from understudy.bench.ground import town_ground
    from understudy.bench.outside import Outside
    from understudy.bench.plan import ORACLE, Plan
    from understudy.bench.venue import open_venue
    from understudy.models.server.misbehaving import Misbehaviour

    how = Misbehaviour(tuple(args.misbehave.split(",")), args.every) if args.misbehave else None
    venue = open_venue(Plan(benchmark="town", agent="som", model=ORACLE))
    assert venue.town is not None
    async with town_ground(venue.town, with_eyes=True, port=args.town_port) as ground:
        outside = Outside(ground, venue.benchmark)
        with ground.oracle_model(how, args.port, outside.routes()) as address:
            print(f"model      {ORACLE}@{address}   (chat completions, Responses and Anthropic messages)")
            print(f"attempts   {address.removesuffix('/v1')}/attempts")
            for task in args.task or ():
                opened = outside.open(task)
                print(f"{task}   {opened.start}\n  {opened.instruction}")
            print("Ctrl-C ends it.")
            sys.stdout.flush()
            await asyncio.Event().wait()
