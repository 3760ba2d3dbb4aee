"""Write a run in somebody else's layout, with the verdicts there are. Formats:

webeval    WebTailBench's harness: traj/TASK/web_surfer.log, TASK_final_answer.json, screenshotN.png, scores/
           a folder for each repeat where there are several"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from workalike.cli import DONE, print_json
from workalike.core.errors import BadInput

EXAMPLE = "workalike export webeval runs/first --out theirs"
FORMATS = ("webeval",)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("format", metavar="FORMAT", help=f"one of {', '.join(FORMATS)}")
    parser.add_argument("path", metavar="RUN", type=Path, help="the run to write")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="a new folder for the result")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    from workalike.formats.webeval import write
    from workalike.store.files import need_new
    from workalike.store.layers import verdicts_of
    from workalike.store.runs import Run

    if args.format not in FORMATS:
        raise BadInput(f"there is no format {args.format!r} to export; there are {', '.join(FORMATS)}")
    need_new(args.out)
    source = Run(args.path)
    layers = verdicts_of(args.path)
    last = {(each.task_id, each.repeat): each for each in source.attempts() if each.state == "finished"}
    if not last:
        raise BadInput(f"{args.path} has no finished attempt to export")
    several = len({repeat for _, repeat in last}) > 1
    for (_, repeat), attempt in last.items():
        out = args.out / f"repeat-{repeat}" if several else args.out
        told = {layer.header.name: verdict for layer in layers if (verdict := layer.get(attempt.id)) is not None}
        write(out, attempt.read().trajectory, source.pictures, told)
    if args.json:
        print_json({"path": str(args.out), "attempts": len(last)})
    else:
        print(f"{args.out}: {len(last)} attempts")
    return DONE
