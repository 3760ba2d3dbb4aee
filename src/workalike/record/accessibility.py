"""Accessibility while recording: a process of its own, so that no slow program and no big tree ever slows the person or
the frames down. Questions go in, answers come back when they come; an answer that comes too late is counted."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping

import msgspec

from workalike.core.errors import Infrastructure
from workalike.core.recording import TreeNode
from workalike.env.desktop.accessibility import Accessibility, Focus, Walked, WalkLimits
from workalike.env.desktop.atspi import NoAnswer
from workalike.env.desktop.windows import Window


class AskHit(msgspec.Struct, frozen=True, tag_field="ask", tag="hit"):
    """Which element lies at a place, in the window that is topmost there?"""

    id: int
    window: Window | None
    x: int
    y: int


class AskTree(msgspec.Struct, frozen=True, tag_field="ask", tag="tree"):
    """What does a window show?"""

    id: int
    pid: int | None
    title: str


class Ready(msgspec.Struct, frozen=True, tag_field="tell", tag="ready"):
    """The bus is there, or why it isn't."""

    problem: str | None = None


class HitSeen(msgspec.Struct, frozen=True, tag_field="tell", tag="hit"):
    """The element that was asked for; None when nobody knows one."""

    id: int
    node: TreeNode | None


class TreeSeen(msgspec.Struct, frozen=True, tag_field="tell", tag="tree"):
    """The tree that was asked for, as it was at `time` on the monotonic clock; None when the program kept silent."""

    id: int
    time: float
    walked: Walked | None


class FocusSeen(msgspec.Struct, frozen=True, tag_field="tell", tag="focus"):
    """Something got the keyboard."""

    focus: Focus


Question = AskHit | AskTree
Answer = Ready | HitSeen | TreeSeen | FocusSeen


class AccessibilityProcess:
    """The other process, from this side. `tell` is called with every answer, on a thread of its own."""

    def __init__(self, tell: Callable[[Answer], None], environ: Mapping[str, str] | None = None) -> None:
        self._tell = tell
        self._process = subprocess.Popen(
            [sys.executable, "-m", "workalike.record.accessibility"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environ or {}), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # the ctrl+c that stops a recording is not meant for it
        )
        self._writing = threading.Lock()
        self._closing = False
        self._reader = threading.Thread(target=self._read, name="accessibility", daemon=True)
        self._reader.start()

    def ask(self, question: Question) -> bool:
        """Send a question; False when nobody is there any more."""
        assert self._process.stdin
        try:
            with self._writing:
                self._process.stdin.write(msgspec.json.encode(question) + b"\n")
                self._process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def close(self) -> None:
        assert self._process.stdin
        self._closing = True
        try:
            self._process.stdin.close()
            self._process.wait(2)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._reader.join(2)

    def _read(self) -> None:
        assert self._process.stdout
        decoder = msgspec.json.Decoder(Answer)
        for line in self._process.stdout:
            self._tell(decoder.decode(line))
        if not self._closing:
            self._tell(Ready("the process that asks ended early"))


async def serve() -> None:
    """The other side: answer the questions on standard input until it closes."""
    try:
        accessibility = await Accessibility.connect(limits=WalkLimits())
        await accessibility.watch_focus(lambda focus: _say(FocusSeen(focus)))
    except (Infrastructure, NoAnswer) as problem:
        _say(Ready(str(problem)))
        return
    _say(Ready())
    questions = asyncio.StreamReader(limit=2**20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(questions), sys.stdin)
    one_tree = asyncio.Lock()
    decoder = msgspec.json.Decoder(Question)
    async with asyncio.TaskGroup() as group:
        while line := await questions.readline():
            group.create_task(_answer(accessibility, decoder.decode(line), one_tree))
    await accessibility.close()


async def _answer(accessibility: Accessibility, question: Question, one_tree: asyncio.Lock) -> None:
    if isinstance(question, AskHit):
        _say(HitSeen(question.id, await accessibility.hit(question.window, question.x, question.y)))
        return
    async with one_tree:
        when = time.monotonic()
        _say(TreeSeen(question.id, when, await _tree(accessibility, question)))


async def _tree(accessibility: Accessibility, question: AskTree) -> Walked | None:
    try:
        window = await accessibility.window(question.pid, question.title)
        return await accessibility.tree(window) if window else None
    except NoAnswer:
        return None


def _say(answer: Answer) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    os.nice(5)
    asyncio.run(serve())
