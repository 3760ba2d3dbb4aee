"""Check a verifier of your own against the contract, on attempts of every shape, whole and broken.

The class is named MODULE:CLASS and looked for here and where Python looks. It is made without arguments, or with those
given by --set. One that asks a model is given it with --judge, and asks it for each attempt. Exit code 1 when a promise
is broken."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from workalike.cli import DONE, FOUND_FAILURES
from workalike.core.errors import BadInput

EXAMPLE = """workalike check-verifier my_judge:Polite
workalike check-verifier my_judge:Asking --judge openai/gpt-5 --set votes=3 --json"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("place", metavar="MODULE:CLASS", help="the class of a verifier")
    parser.add_argument("--set", action="append", metavar="NAME=VALUE", help="an argument to make it with")
    parser.add_argument("--judge", metavar="MODEL", help="the model that it asks, if it asks one")
    parser.add_argument("--json", action="store_true", help="print the checks as JSON")


def run(args: Namespace) -> int:
    import asyncio

    from workalike.cli.check_agent import show

    checks = asyncio.run(_checked(args))
    show(checks, args.place, args.json)
    return DONE if all(check.passed for check in checks) else FOUND_FAILURES


async def _checked(args: Namespace) -> list[Any]:
    from workalike.cli import asking
    from workalike.models.served import Models
    from workalike.runtime.own import check_arguments, load_class
    from workalike.verify.conformance import check_verifier
    from workalike.verify.verifiers import asks_model

    made, given = load_class(args.place), asking.settings(args.set)
    if not hasattr(made, "judge"):
        raise BadInput(f"{args.place} has no `judge`, so it is no verifier")
    async with Models() as models:
        if asks_model(args.place):
            if args.judge is None:
                raise BadInput(f"{args.place} asks a model: name it with --judge MODEL")
            models.open(args.judge)  # a key or a price that is missing is said now
            given |= {"models": models, "model": args.judge}
        elif args.judge is not None:
            raise BadInput(f"{args.place} says in its `needs` that it asks no model: leave --judge out")
        check_arguments(args.place, made, given, "--set NAME=VALUE")
        return await check_verifier(lambda: made(**given))
