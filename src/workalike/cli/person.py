"""The person at the terminal: sees what an agent thinks and does, answers its questions, and says yes or no to
irreversible steps.

Questions go to standard error, so that what a verb prints stays clean."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import msgspec

from workalike.bench.act import Onlooker
from workalike.bench.attempt import KeepsTranscript, nobody
from workalike.cli import plain
from workalike.cli.asking import bill
from workalike.core.actions import kind
from workalike.core.contracts import Agent, Decision, Percept, Sink, Wants
from workalike.core.errors import Refused
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Usage

LONGEST_NOTICE = 400


class Terminal(Onlooker):
    """Shows each step, unless it is to be `quiet`, and asks the person, if one is there. Without `asks_first`,
    irreversible steps and what the model's service warns of pass unasked."""

    def __init__(self, folder: Path, quiet: bool = False, asks_first: bool = True) -> None:
        super().__init__()
        self._folder, self._quiet = folder, quiet
        self.answer, self.confirm = answer if sys.stdin.isatty() else nobody, confirm
        self.allowed = _allowed if asks_first else None

    def agent(self, agent: Agent) -> Agent:
        return agent if self._quiet else _ShownAgent(agent)

    def sink(self, sink: Sink) -> Sink:
        return sink if self._quiet else _ShownSteps(sink)

    def lost(self, spent: Usage | None) -> None:
        told = f"\n{bill(spent)}" if spent is not None else ""
        print(f"{told}\n{seen_at(self._folder)}", file=sys.stderr)


def seen_at(folder: Path) -> str:
    """Where what was done can be seen."""
    return f"written to {folder}; see `workalike view {folder}`"


class _ShownAgent:
    """An agent that is seen to wait for its model, and to think before anything is done or asked."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.name, self._number = agent, agent.name, 0
        self.wants: Wants = agent.wants
        if isinstance(agent, KeepsTranscript):
            self.hide = agent.hide

    async def begin(self, task: Task) -> None:
        await self._agent.begin(task)

    async def decide(self, percept: Percept) -> Decision:
        line = asyncio.ensure_future(_waiting()) if sys.stderr.isatty() else None
        try:
            decision = await self._agent.decide(percept)
        finally:
            if line is not None:
                line.cancel()
                print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._number += 1
        thought = " ".join((decision.thought or "").split())
        print(f"{self._number:>3}  {plain(thought[:LONGEST_NOTICE]) or '(no thought)'}", flush=True)
        return decision

    async def close(self) -> None:
        await self._agent.close()


async def _waiting() -> None:
    for seconds in count(1):
        await asyncio.sleep(1)
        print(f"\r     … waiting for the model, {seconds} s", end="", file=sys.stderr, flush=True)


class _ShownSteps:
    """Shows what was done at each step, once it is on disk."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    async def step(self, step: Step, picture: bytes | None) -> None:
        await self._sink.step(step, picture)
        if step.reply is None and not step.actions:  # no reply came; the end says why
            return
        for taken in step.actions:
            print(f"     → {plain(_doing(taken))}", flush=True)
        for text in dict.fromkeys(notice.text for notice in step.notices):
            print(f"     · {plain(text[:LONGEST_NOTICE])}", flush=True)


def _doing(taken: ActionResult) -> str:
    """What was done, to what, and what went wrong."""
    fields = {name: value for name, value in msgspec.to_builtins(taken.action).items() if name != "do"}
    given = msgspec.json.encode(fields).decode() if fields else ""
    on = f" on {taken.hit.role} {taken.hit.name!r}" if taken.hit else ""
    return f"{kind(taken.action)} {given[:160]}{on}".rstrip() + (f"  ✗ {taken.error}" if taken.error else "")


def _allowed(warning: str) -> bool:
    """Whether the person says yes to what the model's service warns of; where nobody is there to, it is a no."""
    with suppress(Refused):
        return confirm(warning)
    return False


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
