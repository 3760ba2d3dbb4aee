"""Serve the town's oracle as a model: a server that speaks the chat-completions, Responses and Anthropic APIs and
answers, in the words of whichever family of agents asks, with what solves the task.

It is for testing harnesses, ours and other people's, with no model. Open an attempt at a task, point a browser at the
town and an agent at the model's address. A verdict is there for the asking:

  POST   /attempts {"task": "shopping_1", "name": "mine"}   → name, instruction, start address
  GET    /attempts/mine/verdict?answer=TEXT                 → success or what went wrong
  DELETE /attempts/mine                                     ends it; so does opening another under its name

To whom a browser belongs is told by its proxy's user name, by the header X-Town-Attempt, or by the start address, which
sets a cookie; to whom a question to the model belongs, by that header or by the API key. Each is the attempt's name. A
single attempt needs neither. Which family's words are spoken is told by the model's name (fara, qwen, opencua, …), by
the API's computer tool, or by what the prompt teaches. docs/other-harnesses.md has an example that runs as it is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from workalike.cli.parsing import port
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from workalike.town.answering import OracleAnswers

EXAMPLE = """
workalike serve-oracle --task shopping_1
workalike serve-oracle --misbehave 429,cut --every 7
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=port, default=8600, help="the model's port on loopback (8600); 0 takes any")
    parser.add_argument("--town-port", type=port, default=8400, help="the town's port on loopback (8400); 0 takes any")
    parser.add_argument(
        "--proxy-port", type=port, default=8700, help="the proxy's port on loopback (8700); 0 takes any"
    )
    parser.add_argument(
        "--task", action="append", metavar="ID", help="open an attempt at this task right away, called by the task's id"
    )
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
    from contextlib import AsyncExitStack

    from workalike.bench.config import ORACLE
    from workalike.bench.loading import load_benchmark
    from workalike.bench.outside import Outside
    from workalike.bench.sandbox import town_sandbox
    from workalike.models.server.app import application
    from workalike.models.server.misbehaving import Misbehaviour, misbehaving
    from workalike.runtime.serving import interruption
    from workalike.store.config import RunConfig

    ended = interruption()
    how = Misbehaviour(tuple(args.misbehave.split(",")), args.every) if args.misbehave else None

    def served(answers: OracleAnswers) -> Starlette:
        return application(misbehaving(answers, how) if how else answers)

    loaded = load_benchmark(RunConfig(benchmark="town", agent="som", model=ORACLE))
    assert loaded.town is not None
    async with AsyncExitStack() as stack:
        with _port("--town-port", args.town_port) as port:
            sandbox = await stack.enter_async_context(town_sandbox(loaded.town, with_eyes=True, port=port))
        outside = Outside(sandbox, loaded.task_set)
        with _port("--port", args.port) as port:
            address = stack.enter_context(sandbox.oracle_model(served, port, outside.routes()))
        with _port("--proxy-port", args.proxy_port) as port:
            proxy = await stack.enter_async_context(sandbox.entrance(port))
        _introduce(address, proxy)
        for task in args.task or ():
            opened = outside.open(task, task)
            print(f"\n{opened.name}   {opened.start}\n  {opened.instruction}")
        print("\nCtrl-C ends it.", flush=True)
        await ended.wait()


@contextmanager
def _port(option: str, port: int) -> Iterator[int]:
    """A port to be taken in this block; what is said of one that cannot be had names the option."""
    try:
        yield port
    except BadInput as error:
        raise BadInput(f"{option}: {error}") from error


def _introduce(address: str, proxy: str) -> None:
    from workalike.bench.config import ORACLE

    print(f"model      {ORACLE}@{address}   (chat completions, Responses and Anthropic messages)")
    print(f"attempts   {address.removesuffix('/v1')}/attempts")
    print(f"proxy      {proxy}   (for the browser; the user name is the attempt's name)")
