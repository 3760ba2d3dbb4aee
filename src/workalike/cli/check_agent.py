"""Check an agent or an environment of your own against the contract, on a practice page in a real browser.

The class is named MODULE:CLASS and looked for here and where Python looks. It is made without arguments, or with those
given by --set. Exit code 1 when a promise is broken."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from workalike.cli import DONE, FOUND_FAILURES, print_json

EXAMPLE = """workalike check-agent my_agent:MyAgent
workalike check-agent my_agent:MyAgent --set model=gpt-4o --json
workalike check-agent my_world:MyEnvironment"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("place", metavar="MODULE:CLASS", help="the class of an agent or of an environment")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an argument to make it with")
    parser.add_argument("--steps", type=int, default=3, help="how many steps an agent takes on the practice page (3)")
    parser.add_argument("--json", action="store_true", help="print the checks as JSON")


def run(args: Namespace) -> int:
    import asyncio

    from workalike.core.errors import BadInput
    from workalike.env.conformance import check_agent
    from workalike.env.conformance_environment import check_environment
    from workalike.runtime.own import check_arguments, load_class

    made, given = load_class(args.place), arguments(args.set)
    if given:
        check_arguments(args.place, made, given, "--set NAME=VALUE")

    def make() -> Any:
        return made(**given)

    if hasattr(made, "decide"):
        checks = asyncio.run(check_agent(make, max(1, args.steps)))
    elif hasattr(made, "observe"):
        checks = asyncio.run(check_environment(make))
    else:
        raise BadInput(f"{args.place} has neither `decide` (an agent) nor `observe` (an environment)")
    show(checks, args.place, args.json)
    return DONE if all(check.passed for check in checks) else FOUND_FAILURES


def arguments(pairs: list[str]) -> dict[str, str]:
    from workalike.core.errors import BadInput

    split = [pair.partition("=") for pair in pairs]
    for name, equals, _ in split:
        if not equals or not name.isidentifier():
            raise BadInput(f"--set {name!r} is not understood: write --set NAME=VALUE")
    return {name: value for name, _, value in split}


def show(checks: list[Any], place: str, as_json: bool) -> None:
    if as_json:
        print_json(checks)
        return
    for check in checks:
        print(f"  {'ok' if check.passed else 'NO':4}{check.name}" + (f": {check.text}" if check.text else ""))
    broken = sum(not check.passed for check in checks)
    print(f"{place}: {f'{broken} of {len(checks)} promises broken' if broken else f'all {len(checks)} promises kept'}")
