"""Print the JSON schema (2020-12) of what Understudy writes: trajectories, actions, tasks, keys, verdicts."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from understudy.core.errors import BadInput
from understudy.core.schema import DOCUMENTS, schema

EXAMPLE = "understudy schema action"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help=f"one of {', '.join(DOCUMENTS)}; all of them when left out")


def run(args: Namespace) -> int:
    import json

    if args.name is not None and args.name not in DOCUMENTS:
        raise BadInput(f"there is no schema {args.name!r}; there are {', '.join(DOCUMENTS)}")
    json.dump(schema(args.name), sys.stdout, indent=2, ensure_ascii=False)
    print()
    return 0
