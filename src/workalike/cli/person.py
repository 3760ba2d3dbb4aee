"""The person at the terminal: answers an agent's questions, and says yes or no to irreversible steps.

Questions go to standard error, so that what a verb prints stays clean."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from workalike.cli import plain
from workalike.core.errors import Refused


def answer(question: str) -> str | None:
    """What the person says to a question; an empty line or Ctrl-D is no answer, and Ctrl-C stops the whole task."""
    try:
        return _line(f"\n  ? {plain(question)}\n  > ").strip() or None
    except EOFError:
        return None


def confirm(question: str) -> bool:
    """Whether the person says yes; anything else is a no. Raises `Refused` where nobody is at a terminal."""
    if not sys.stdin.isatty():
        raise Refused(f"{question}. Nobody is at a terminal to be asked; run it in one, or pass --irreversible")
    try:
        return _line(f"\n  ! {plain(question)}\n  ! Do it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _line(prompt: str) -> str:
    """What the person types. Ctrl-C counts from the moment the question is seen, and one just before it, too."""
    with _interruptible():
        if _stopped():
            raise KeyboardInterrupt
        print(prompt, end="", file=sys.stderr, flush=True)
        return input()


def _stopped() -> bool:
    """Whether asyncio has taken a Ctrl-C and not yet come round to it."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no loop is running
        return False
    return task is not None and task.cancelling() > 0


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C ends the waiting at once: asyncio's own handling of it would wait for the line to end."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
