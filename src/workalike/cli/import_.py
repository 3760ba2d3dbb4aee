"""Bring somebody else's recording or run into our form. Formats:

agentnet-tool    a recording of AgentNetTool (Windows, macOS, Ubuntu): PATH is its folder; a recording comes out"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from workalike.cli import print_json
from workalike.core.errors import BadInput

EXAMPLE = "workalike import agentnet-tool Recordings/4f2a --out recordings/mail"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("format", metavar="FORMAT", help=f"one of {', '.join(FORMATS)}")
    parser.add_argument("path", metavar="PATH", type=Path, help="what to import")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="a new folder for the result")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    if args.format not in FORMATS:
        raise BadInput(f"there is no format {args.format!r} to import; there are {', '.join(FORMATS)}")
    return FORMATS[args.format](args)


def _agentnet_tool(args: Namespace) -> int:
    from workalike.formats.agentnet_tool import import_recording

    done = import_recording(args.path, args.out)
    if args.json:
        print_json(done)
        return 0
    print(f"{done.path}: {done.events} events, {done.frames} frames, {done.trees} trees")
    if done.clock and done.clock.seconds is not None:
        print(
            f"events are stamped {done.clock.seconds:.3f} ± {done.clock.uncertainty:.3f} s later than the frames that "
            f"show them: with that the pointer is where they say in {done.clock.agreement:.0%} of {done.clock.frames} "
            f"frames, without it in {done.clock.uncorrected:.0%} (confidence {done.clock.confidence:.2f})"
        )
    for note in done.notes:
        print(note)
    for what, count in done.skipped.items():
        print(f"{what}: {count} events have no counterpart here and were left out")
    if done.kept is not None:
        print(f"an annotator kept {done.kept} actions; `workalike reduce` applies that unless told otherwise")
    return 0


FORMATS: dict[str, Callable[[Namespace], int]] = {"agentnet-tool": _agentnet_tool}
"""Every format by name: takes the parsed arguments, does the work, says what came of it."""
