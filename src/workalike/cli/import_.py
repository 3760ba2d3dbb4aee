"""Bring somebody else's recording or run into our form. Formats:

agentnet-tool       a recording of AgentNetTool (Windows, macOS, Ubuntu): PATH is its folder; a recording comes out
webeval             a run of WebTailBench's harness (traj/TASK/web_surfer.log …); a run comes out, as from the rest
online-mind2web     runs as its leaderboard takes them (TASK/result.json, TASK/trajectory/N_….png)
agentrewardbench    trajectories (cleaned/, screenshots/) with people's labels (annotations.csv)
cua-verifier-bench  its tables (parquet or JSON lines) with people's labels and the published judges' verdicts"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from workalike.cli import print_json
from workalike.core.errors import BadInput

EXAMPLE = """
workalike import agentnet-tool Recordings/4f2a --out recordings/mail
workalike import webeval eval_results/fara --out runs/theirs
workalike verify runs/theirs --verifier rubric --model openai/gpt-5
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("format", metavar="FORMAT", help=f"one of {', '.join(FORMATS)}")
    parser.add_argument("path", metavar="PATH", type=Path, help="what to import")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="a new folder for the result")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    if args.format not in FORMATS:
        raise BadInput(f"there is no format {args.format!r} to import; there are {', '.join(FORMATS)}")
    if not args.path.exists():
        raise BadInput(f"there is no {args.path}; name what is to be imported")
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


def _runs(module: str, read: str = "read") -> Callable[[Namespace], int]:
    """How a format of attempts is imported: as a run, with labels and verdicts beside it."""

    def take(args: Namespace) -> int:
        from importlib import import_module

        from workalike.core.verdict import Verdict
        from workalike.formats.imported import write_run
        from workalike.store.layers import VERDICTS, LayerWriter
        from workalike.verify.labels import write_labels

        attempts = getattr(import_module(f"workalike.formats.{module}"), read)(args.path)
        done = write_run(args.out, args.format, attempts)
        write_labels(args.out, done.labels, f"workalike import {args.format}")
        for name in sorted({verdict.verifier for verdict in done.verdicts}):
            with LayerWriter(args.out, VERDICTS, name, Verdict) as layer:
                for verdict in (each for each in done.verdicts if each.verifier == name):
                    layer.put(verdict.trajectory, verdict, sync=False)
        if args.json:
            print_json(done)
            return 0
        print(f"{done.path}: {done.trajectories} trajectories, {done.steps} steps, {done.pictures} pictures")
        if done.missing:
            print(f"{done.missing} pictures are not there")
        if done.labels or done.verdicts:
            print(f"{len(done.labels)} labels and {len(done.verdicts)} verdicts: see `workalike agreement {done.path}`")
        return 0

    return take


FORMATS: dict[str, Callable[[Namespace], int]] = {
    "agentnet-tool": _agentnet_tool,
    "webeval": _runs("webeval"),
    "online-mind2web": _runs("online_mind2web", "read_runs"),
    "agentrewardbench": _runs("agent_reward_bench"),
    "cua-verifier-bench": _runs("cua_verifier_bench"),
}
"""Every format by name: takes the parsed arguments, does the work, says what came of it."""
