"""Turn raw events and frames into actions and states.

RECORDING is a recording's folder, a folder that holds recordings, or an event file alone (ours, or AgentNetTool's
events.jsonl). With --out the trajectory is written there: every action with the screen it was decided on. With
--actions (or for an event file) only the actions are printed, with an account of what became of every raw event.

What reviewers trimmed, deleted, relabelled or hid (at the pages of `workalike view`) is applied; what they rejected is
left out and counted."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workalike.cli import open_console, plain, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.reduce.account import Reduction
    from workalike.reduce.sources import EventSource
    from workalike.reduce.trajectory import Matched, ReduceOptions, ReduceOutcome
    from workalike.store.recordings import Recording

EXAMPLE = """
workalike reduce recordings/mail --out trajectories/mail
workalike reduce recordings --out trajectories
workalike reduce events.jsonl --actions --json
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("recording", metavar="RECORDING", type=Path, help="a recording's folder, or an event file")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the trajectory into this new folder")
    parser.add_argument("--actions", action="store_true", help="only the actions; no video is needed")
    parser.add_argument("--ignore-edits", action="store_true", help="apply no annotator's edits and no review")
    ending = "what the trajectory ends with where the person ended the recording (default: success)"
    parser.add_argument("--ending", choices=["success", "failure", "none"], default="success", help=ending)
    parser.add_argument("--screen", metavar="WxH", help="the screen's size, for an event file that has none beside it")
    systems = ("windows", "macos", "linux")
    of_keys = "where an event file of AgentNetTool's comes from, if no metadata.json says (default: as its keys tell)"
    parser.add_argument("--system", choices=systems, help=of_keys)
    told = "change a threshold, such as click_interval=0.3 or wait=0 (may be given again)"
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=told)
    parser.add_argument("--explain", action="store_true", help="show how each state was found")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    from workalike.reduce.sources import source_at
    from workalike.store.recordings import is_recording, recordings_in

    if not args.recording.exists():
        raise BadInput(f"{args.recording} does not exist; name a recording's folder, or an event file")
    if args.recording.is_dir() and not args.actions and is_recording(args.recording):
        return _trajectory(args)
    if args.recording.is_dir() and not args.actions and recordings_in(args.recording):
        return _trajectories(args)
    if args.out is not None and (args.recording / "metadata.json").is_file():
        first = f"workalike import agentnet-tool {args.recording} --out RECORDING"
        raise BadInput(f"{args.recording} is a recording of AgentNetTool's: bring it in first with `{first}`")
    if args.out is not None:
        source_at(args.recording, args.screen, args.system)  # what is no recording at all is told as that
        raise BadInput(f"{args.recording} has no frames to make a trajectory of; leave out --out to see its actions")
    return _actions(args)


def _trajectory(args: Namespace) -> int:
    from workalike.reduce.settings import settings_of, thresholds
    from workalike.reduce.trajectory import reduce_recording
    from workalike.store.recordings import Recording

    if args.out is None:
        raise BadInput("say where the trajectory goes with --out DIR, or ask for --actions alone")
    recording = Recording(args.recording)
    settings = settings_of(recording.header.settings, **thresholds(args.set))
    outcome = reduce_recording(recording, args.out, settings, _options(args))
    _show_outcome(args, outcome, recording)
    return 0


def _trajectories(args: Namespace) -> int:
    from workalike.reduce.folder import reduce_folder
    from workalike.reduce.settings import thresholds

    if args.out is None:
        raise BadInput("say where the trajectories go with --out DIR")
    found = reduce_folder(args.recording, args.out, thresholds(args.set), _options(args))
    if args.json:
        made = [outcome.document() for outcome, _ in found.made]
        print_json({"made": made, "left_out": found.left_out, "there": found.there})
    else:
        for outcome, recording in found.made:
            _show_outcome(args, outcome, recording)
        for each in found.left_out:
            print(plain(f"left out: {each.recording} {each.why}"))
        print(f"{len(found.made)} reduced, {len(found.left_out)} left out, {found.there} were there already")
    return 0 if found.made or found.there else 1


def _options(args: Namespace) -> ReduceOptions:
    from workalike.reduce.trajectory import ReduceOptions

    return ReduceOptions(edits=not args.ignore_edits, ending=args.ending)


def _actions(args: Namespace) -> int:
    from workalike.reduce.reducer import reduction
    from workalike.reduce.settings import settings_of, thresholds
    from workalike.reduce.sources import source_at

    source = source_at(args.recording, args.screen, args.system)
    settings = settings_of(source.settings, **thresholds(args.set))
    reduced = reduction(source.events, source.shown, settings)
    reduced.owners()
    if args.json:
        print_json(_actions_document(reduced, source))
    else:
        _print_actions(reduced, source)
    return 0


def _actions_document(reduced: Reduction, source: EventSource) -> dict[str, Any]:
    return {
        "actions": reduced.gestures,
        "account": {
            "events": reduced.events,
            "used": reduced.used,
            "left_out": reduced.left_out,
            "not_understood": source.skipped,
        },
        "dropped": reduced.dropped,
        "shown": {"sizes": source.shown, "told_by": source.told_by},
        "assumed": source.assumed,
        "settings": reduced.settings,
    }


def _print_actions(reduced: Reduction, source: EventSource) -> None:
    from rich.table import Table

    table = Table("", "start", "end", "events", "approach", "action", "hit", "flags", box=None)
    for number, gesture in enumerate(reduced.gestures):
        hit = f"{gesture.hit.role} {gesture.hit.name!r}" if gesture.hit else ""
        counts = (str(len(gesture.events)), str(len(gesture.approach)))
        times = (f"{gesture.start:.2f}", f"{gesture.end:.2f}")
        table.add_row(str(number), *times, *counts, gesture.told(), hit, ", ".join(gesture.flags))
    console = open_console()
    console.print(table)
    console.print(f"\n{len(reduced.gestures)} actions. {reduced.told()}")
    size = source.shown[0].size
    console.print(f"Places are fractions of {size.width}×{size.height}, told by {source.told_by}.")
    if source.assumed:
        console.print(source.assumed, markup=False)
    if source.skipped:
        console.print("Not understood: " + ", ".join(f"{what} {n}×" for what, n in source.skipped.items()))


def _show_outcome(args: Namespace, outcome: ReduceOutcome, recording: Recording) -> None:
    if args.json:
        print_json(outcome.document())
        return
    from rich.table import Table

    console = open_console()
    if args.explain:
        table = Table("", "action", "act at", "frame at", "approach", "arrival", "screen", "pointer", box=None)
        for number, each in enumerate(outcome.matched):
            table.add_row(str(number), *_explained(each))
        console.print(table)
    console.print(f"{len(outcome.matched)} steps in {outcome.path}. {outcome.reduction.told()}")
    for count, what in (
        (outcome.deleted, "events belong to actions that were deleted"),
        (outcome.trimmed, "events belong to what was trimmed off"),
        (outcome.lost, "edits of the review speak of no step that these thresholds find"),
        (outcome.idle, "waits left out, since nothing changed on the screen"),
        (outcome.blind, "steps without a picture: the video has no frame of them"),
    ):
        if count:
            console.print(f"{count} {what}.")
    if recording.end is None:
        console.print("The recording was cut off; the trajectory ends as interrupted.")


def _explained(each: Matched) -> tuple[str, ...]:
    """One line about how a state was found."""
    gesture, state = each.gesture, each.state
    said = gesture.told() if gesture else "the ending"
    if state is None:
        return said, f"{gesture.start:.2f}" if gesture else "", "no frame", "", "", "", ""
    window = state.window
    when = f"{gesture.start:.2f}" if gesture else ""
    began = f"{window.began:.2f}" if window.role == "before" else ""
    arrival = f"{window.arrival:.2f}" if window.role == "before" else ""
    screen = "settled" if state.settled else "still changing"
    pointer = "on target all along" if state.on_target else "away" if gesture else ""
    late = "" if state.before_approach else ", changed during the approach"
    return said, when, f"{state.mark.time:.2f}", began, arrival, screen + late, pointer
