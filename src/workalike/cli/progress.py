"""Draws progress: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from workalike.core.progress import Progress, Watch

EVERY_SECONDS = 5.0


@contextmanager
def watching(label: str) -> Iterator[Watch]:
    """A watch to hand to a long job; what it draws goes to standard error, so that output stays clean."""
    if sys.stderr.isatty():
        with _bar(label) as watch:
            yield watch
    else:
        yield _lines(label)


def describe(progress: Progress) -> str:
    """One line: done, running, success so far, cost so far, time left.

    >>> describe(Progress(done=12, running=4, total=60, good=9, judged=12, spent=0.5, left=75, costs=2.5))
    '12/60 done, 4 running, 75 % success, $0.50 of about $2.50, 1:15 left'
    """
    parts = [f"{progress.done}/{progress.total} done", f"{progress.running} running"]
    if progress.given_up:
        parts.append(f"{progress.given_up} given up")
    if progress.good is not None and progress.judged:  # as in a report: what was given up has failed
        parts.append(f"{100 * progress.good / (progress.judged + progress.given_up):.0f} % success")
    if progress.spent is None:
        parts.append("cost unknown")
    elif progress.spent:
        whole = f" of about ${progress.costs:.2f}" if progress.costs and _to_go(progress) else ""
        parts.append(f"${progress.spent:.2f}{whole}")
    if progress.left is not None and _to_go(progress):
        parts.append(f"{_clock(progress.left)} left")
    return ", ".join(parts) + (f" — {progress.note}" if progress.note else "")


def _to_go(progress: Progress) -> int:
    return progress.total - progress.done - progress.given_up


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _lines(label: str) -> Watch:
    last = 0.0

    def watch(progress: Progress) -> None:
        nonlocal last
        over = not _to_go(progress) and not progress.running
        if over or time.monotonic() - last >= EVERY_SECONDS:
            last = time.monotonic()
            print(f"{label}: {describe(progress)}", file=sys.stderr, flush=True)

    return watch


@contextmanager
def _bar(label: str) -> Iterator[Watch]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), TextColumn("{task.fields[text]}"))
    with Bar(*columns, console=Console(stderr=True), transient=False) as bar:
        shown = bar.add_task(label, total=None, text="")

        def watch(progress: Progress) -> None:
            bar.update(
                shown, total=progress.total, completed=progress.done + progress.given_up, text=describe(progress)
            )

        yield watch
