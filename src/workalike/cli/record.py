"""Record a person at work: the screen, every press and key, and what programs say about their windows.

A desktop is recorded unless --browser names an address to open and record through. What is typed into password fields
is masked as it is captured. Nothing leaves this machine. Stop with the stop chord, or with ctrl+c where this runs;
neither is part of the recording.

With --on, a task of the town is opened in a window and set before you: what you do is recorded, judged by the same
truth as any agent's attempt, and kept in --out as an attempt of a run, which `workalike report` shows beside others."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workalike.cli import print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.core.recording import RecordingEnd
    from workalike.core.task import Task
    from workalike.record.settings import RecordSettings

EXAMPLE = """
workalike record --task "Sort the sheet by date" --out recordings/sort
workalike record --task "Find a desk lamp" --out recordings/lamp --browser https://example.org
workalike record --on town/shopping_1 --out runs/people
"""
_BROKE_OFF = ("display lost", "disk failed")
_DESKTOP_ONLY = ("display", "monitor", "cursor", "mask_unknown")


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--task", metavar="TEXT", help="what is going to be done")
    what.add_argument("--on", metavar="TOWN/TASK", help="do this task of the town, as town/shopping_1, and be judged")
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="a new folder for the recording; with --on a run's"
    )
    parser.add_argument("--answer", metavar="TEXT", help="with --on: your answer, if you will not be asked for it")
    parser.add_argument("--browser", metavar="URL", help="open this address in Chromium and record through it")
    parser.add_argument("--headless", action="store_true", help="with --browser: show no window")
    parser.add_argument("--display", metavar=":N", help="an X display other than your own")
    parser.add_argument("--monitor", type=int, metavar="N", help="one monitor, from 1; default: all as one screen")
    parser.add_argument("--rate", type=float, default=15.0, metavar="FPS", help="looks a second (default 15)")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after this long")
    parser.add_argument("--cursor", action="store_true", help="paint the pointer into the frames")
    parser.add_argument("--mask-unknown", action="store_true", help="mask typing where a field's kind is not known")
    parser.add_argument(
        "--leave-out",
        action="append",
        default=[],
        metavar="PATTERN",
        help="a window not to record, by title or program; with --browser a page, by title, address or host",
    )
    parser.add_argument("--no-accessibility", action="store_true", help="do not ask programs about their windows")
    parser.add_argument("--stop", metavar="KEYS", help="the chord that stops (default ctrl+shift+f12)")
    parser.add_argument("--pause", metavar="KEYS", help="the chord that pauses and resumes (default ctrl+shift+f11)")
    parser.add_argument("--json", action="store_true", help="print how it ended as JSON")


def run(args: Namespace) -> int:
    from workalike.core.task import Task

    if args.seconds is not None and not 0 < args.seconds < float("inf"):
        raise BadInput(f"--seconds must be more than 0, not {args.seconds:g}")
    _refuse_what_has_no_meaning(args)
    if args.on:
        return _on(args)
    settings, task = _settings(args), Task(args.out.name, args.task, start_url=args.browser)
    end = _browser(args, task, settings) if args.browser else _desktop(args, task, settings)
    _print(end, args)
    return 1 if end.reason in _BROKE_OFF else 0


def _refuse_what_has_no_meaning(args: Namespace) -> None:
    """Nobody should believe that something is hidden or shown which isn't."""
    if args.answer is not None and not args.on:
        raise BadInput("--answer goes with --on only: nobody asks for one otherwise")
    if args.on and args.browser:
        raise BadInput("--on opens the town by itself: leave --browser out")
    if args.headless and not (args.browser or args.on):
        raise BadInput("--headless goes with --browser only: a desktop is recorded as it is")
    meant = [f"--{name.replace('_', '-')}" for name in _DESKTOP_ONLY if getattr(args, name) not in (None, False)]
    if (args.browser or args.on) and meant:
        with_what = "--on" if args.on else "--browser"
        raise BadInput(f"{', '.join(meant)} cannot be used with {with_what}: only a desktop is recorded that way")


def _settings(args: Namespace) -> RecordSettings:
    from workalike.record.chords import PAUSE, STOP
    from workalike.record.settings import RecordSettings

    return RecordSettings(
        rate=args.rate,
        monitor=args.monitor,
        cursor=args.cursor,
        accessibility=not args.no_accessibility,
        mask_unknown=args.mask_unknown,
        leave_out=tuple(args.leave_out),
        stop=args.stop or STOP,
        pause=args.pause or PAUSE,
    )


def _desktop(args: Namespace, task: Task, settings: RecordSettings) -> RecordingEnd:
    import signal

    from workalike.record.session import DesktopRecorder

    recorder = DesktopRecorder(args.out, task, settings, args.display)
    signal.signal(signal.SIGINT, lambda *_: recorder.stop("interrupted", "ctrl+c"))
    signal.signal(signal.SIGTERM, lambda *_: recorder.stop("stopped", "asked to terminate"))
    _say_desktop(recorder.prepare(), settings, started=recorder.own_bus is not None)
    return recorder.run(args.seconds)


def _browser(args: Namespace, task: Task, settings: RecordSettings) -> RecordingEnd:
    import asyncio
    import signal

    from workalike.record.browser import BrowserRecorder

    async def record() -> RecordingEnd:
        async with BrowserRecorder(args.out, task, args.browser, settings, headless=args.headless) as recorder:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGINT, lambda: recorder.stop("interrupted", "ctrl+c"))
            loop.add_signal_handler(signal.SIGTERM, lambda: recorder.stop("stopped", "asked to terminate"))
            _say(f"Recording what you do in the browser. Stop: {settings.stop}, or close it. Pause: {settings.pause}.")
            return await recorder.run(args.seconds)

    return asyncio.run(record())


def _on(args: Namespace) -> int:
    """A person at a task of the town."""
    import asyncio
    import signal

    from workalike.bench.person import attempt_by_person, find
    from workalike.record.browser import BrowserRecorder

    found, settings = find(args.on), _settings(args)

    async def work(recorder: BrowserRecorder) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, lambda: recorder.stop("interrupted", "ctrl+c"))
        loop.add_signal_handler(signal.SIGTERM, lambda: recorder.stop("stopped", "asked to terminate"))
        _say(f"{found.task.id}: {found.task.instruction}")
        for name, value in found.task.persona.items():
            _say(f"  {name.replace('_', ' ')}: {value}")
        _say(f"Do it in the window. When you are through: {settings.stop}, or close it. Pause: {settings.pause}.")
        await recorder.run(args.seconds)

    def ask(task: Task) -> str:
        return f"ANSWER: {args.answer}" if args.answer is not None else _ask(task)

    came = asyncio.run(attempt_by_person(found, args.out, ask, work, settings, args.headless))
    if args.json:
        print_json(came)
    else:
        print(f"{came.folder}: {came.steps} steps, {came.verdict.outcome}: {came.verdict.reason}")
    return 0


def _ask(task: Task) -> str:
    """The answer's line, asked for field by field where there are fields."""
    if task.form:
        given = {field.name: input(f"{field.name}: ").strip() for field in task.form}
        return "ANSWER: " + "; ".join(f"{name} = {value}" for name, value in given.items() if value)
    said = input("How did it end: done, unavailable, blocked, impossible or refused? [done] ").strip()
    return f"ANSWER: {said or 'done'}"


def _say_desktop(problem: str | None, settings: RecordSettings, started: bool) -> None:
    _say(f"Recording. Stop: {settings.stop}, or ctrl+c here. Pause and resume: {settings.pause}.")
    if problem is not None:
        _say(f"Programs are not asked about their windows: {problem}.")
    elif started:
        _say("There was no session bus, so one was started: programs tell of themselves if you start them from now on.")
    unknown = "a program that says nothing of its fields, a terminal for one"
    if settings.mask_unknown:
        _say(f"What you type into password fields is masked, and so is all you type into {unknown}.")
    elif problem is not None:
        _say("Password fields cannot be told from others, so typing is NOT masked; --mask-unknown masks all of it.")
    else:
        _say(f"What you type into password fields is masked. In {unknown}, typing is kept; --mask-unknown masks it.")


def _print(end: RecordingEnd, args: Namespace) -> None:
    """How it ended, and what was kept and lost. There is no running display: it would be recorded along."""
    if args.json:
        print_json(end)
        return
    detail = f" ({end.detail})" if end.detail else ""
    print(f"{args.out}: {end.time:.1f} s, ended because: {end.reason}{detail}")
    for name, count in end.counts.items():
        print(f"  {name.replace('_', ' '):<22}{count:>8}")
    if end.reason in _BROKE_OFF:
        print("  what was captured until then is intact")


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
