"""Recording a desktop: input, screen, windows and accessibility are watched on threads of their own; one loop takes
what they bring, in order of time and a moment late, and has it written."""

from __future__ import annotations

import platform
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from uuid import uuid4

import msgspec

from understudy.core.errors import Infrastructure
from understudy.core.provenance import Provenance
from understudy.core.recording import Event, RecordingEnd, RecordingHeader, SegmentHeader, Tree, WindowChanged
from understudy.core.task import Task
from understudy.env.desktop_atspi import Rectangle
from understudy.env.desktop_display import connect
from understudy.env.desktop_windows import Window, window_at_pointer, windows
from understudy.record.chords import Command, chord
from understudy.record.clock import Clock
from understudy.record.desk import desk
from understudy.record.elsewhere import OtherInput
from understudy.record.inlet import Held, Inlet
from understudy.record.input_x11 import XInput
from understudy.record.privacy import Secrets
from understudy.record.screen import ScreenWatch, Shot
from understudy.record.scribe import Scribe
from understudy.record.settings import HOLD, RecordSettings
from understudy.record.windows import LeftOut, WindowWatch
from understudy.record.witness import Witness
from understudy.store.recordings import RecordingWriter

Reason = Literal["stopped", "interrupted", "time is up", "display lost", "disk failed"]

_TICK = 0.05
_SYNC_EVERY = 1.0
_SETTLED_AFTER = 0.35  # shorter than a caret stays lit
_LOOK_EVERY = 1.0
_REPEAT_AFTER = 0.4
_MOST_HELD_BYTES = 256 * 2**20
_LEFT_OUT = "(left out)"
_ALWAYS_SHOWN = {"events", "events_late", "frames", "frames_dropped", "hits", "hits_failed", "trees", "trees_failed"}


class DesktopRecorder:
    """Records a display until it is stopped.

    `display` None is the user's own; `environ` is the environment of the programs on it where that is not this
    process's (it names their session bus)."""

    def __init__(
        self,
        out: Path,
        task: Task,
        settings: RecordSettings = RecordSettings(),
        display: str | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.settings, self._display, self._environ = settings, display, environ
        self._desk = desk(display)
        self.clock = Clock()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.started = threading.Event()
        self._end: tuple[Reason, str] | None = None
        self._shots: deque[tuple[Shot, tuple[Rectangle, ...]]] = deque()
        self._headers: deque[SegmentHeader] = deque()
        self._trees: deque[Tree] = deque()
        self._window: Window | None = None
        self._paused = False
        self._overflowed = 0
        self._looked_at = 0.0
        self._secrets = Secrets(settings.mask_unknown)
        self._left_out = LeftOut(settings.leave_out, display)
        self._pointing = connect(display) if sys.platform == "linux" else None
        self._listing = connect(display) if sys.platform == "linux" else None
        self.witness = Witness(self.clock, self._secrets, self._trees.append, self._pid_under_pointer)
        chords: dict[Command, frozenset[str]] = {"stop": chord(settings.stop), "pause": chord(settings.pause)}
        self._inlet = Inlet(chords, self.witness.ask, self._commanded)
        self._screen = ScreenWatch(
            display,
            self._desk,
            self.clock,
            changed=self._changed,
            resized=self._headers.append,
            lost=lambda why: self.stop("display lost", why),
            rate=settings.rate,
            monitor=settings.monitor,
            cursor=settings.cursor,
        )
        self._input = self._input_source()
        self._windows = WindowWatch(display, self._activated) if sys.platform == "linux" else None
        self._writer = RecordingWriter(out, self._header(task))
        self._scribe = Scribe(self._writer, self._secrets, self.witness, self._left_out)

    def prepare(self) -> str | None:
        """Start asking programs about themselves; answers why that cannot be done, if it can't."""
        if self.settings.accessibility and sys.platform == "linux":
            self.witness.start(self._environ)
        return self.witness.problem

    def run(self, seconds: float | None = None) -> RecordingEnd:
        """Record until stopped, or for some seconds."""
        self.clock.begin()
        synced = time.monotonic()
        ends = None if seconds is None else time.monotonic() + seconds
        self._input.start()
        self._screen.start()
        if self._windows is not None:
            self._windows.start()
        self.started.set()
        try:
            while not self._ended.wait(_TICK):
                self._write_until(self.clock.now() - HOLD)
                self._follow_stillness()
                if time.monotonic() - synced > _SYNC_EVERY:
                    self._scribe.sync()
                    synced = time.monotonic()
                if ends is not None and time.monotonic() >= ends:
                    self.stop("time is up")
        except Infrastructure as error:
            self.stop("disk failed", str(error))
        return self._finish()

    def stop(self, reason: Reason = "stopped", detail: str = "") -> None:
        """End the recording, from any thread; the first reason counts."""
        with self._lock:
            self._end = self._end or (reason, detail)
        self._ended.set()

    def pause(self, when: float | None = None) -> None:
        """Pause, or go on after a pause."""
        moment = self.clock.now() if when is None else when
        if self._paused:
            self._inlet.resume(moment)
        else:
            self._inlet.pause(moment)
        self._paused = not self._paused
        self._screen.paused = self._paused

    def _input_source(self) -> XInput | OtherInput:
        if sys.platform == "linux":
            return XInput(self._display, self.clock, self._fed, lambda why: self.stop("display lost", why))
        return OtherInput(self.clock, self._fed)

    def _fed(self, event: Event) -> None:
        self._secrets.cause(event)
        self._inlet.feed(event)

    def _commanded(self, command: Command, when: float) -> None:
        if command == "stop":
            self.stop()
        else:
            self.pause(when)

    def _changed(self, shot: Shot) -> None:
        size = len(shot.raw)
        if len(self._shots) * size > _MOST_HELD_BYTES:
            self._overflowed += 1
            return
        self._shots.append((shot, self._left_out.boxes()))

    def _activated(self, window: Window | None) -> None:
        now = self.clock.now()
        since = self._secrets.window(now, window.pid if window else None)
        out = self._left_out.activated(window, since if self._left_out.matches(window) else now)
        self._window = None if out else window
        title, program = (_LEFT_OUT, "") if out else (window.title, window.program) if window else ("", "")
        self._inlet.feed(WindowChanged(now, title, program))
        self.witness.look(self._window, "focus")

    def _pid_under_pointer(self) -> int | None:
        found = window_at_pointer(self._pointing) if self._pointing is not None else None
        return found.pid if found else None

    def _write_until(self, moment: float) -> None:
        """Have everything written that happened up to a moment, in order."""
        waiting = self._inlet.waiting_since()
        until = moment if waiting is None else min(moment, waiting)
        self._write(self._inlet.take(until), until)
        self._secrets.forget(until)

    def _write(self, held: list[Held], until: float) -> None:
        items: list[tuple[float, int, SegmentHeader | Held | tuple[Shot, tuple[Rectangle, ...]]]] = []
        items += [(each.event.time, 1, each) for each in held]
        while self._headers and self._headers[0].start <= until:
            header = self._headers.popleft()
            items.append((header.start, 0, header))
        while self._shots and self._shots[0][0].time <= until:
            shot = self._shots.popleft()
            items.append((shot[0].time, 2, shot))
        batch: list[Held] = []
        for _, _, item in sorted(items, key=lambda item: item[:2]):
            if isinstance(item, Held):
                batch.append(item)
                continue
            self._scribe.events(batch)
            batch = []
            if isinstance(item, SegmentHeader):
                self._scribe.segment(item)
            else:
                self._scribe.frame(*item)
        self._scribe.events(batch)
        while self._trees and self._trees[0].time <= until:
            self._scribe.tree(self._trees.popleft())

    def _follow_stillness(self) -> None:
        """When the screen has come to rest, bring its last frame to the disk and look at the window's tree."""
        until = self._screen.unchanged_until
        if self._shots or self._paused:
            return
        if until - self._scribe.last_frame > _REPEAT_AFTER:
            self._scribe.repeat(until)
        changed = self._scribe.last_change
        if until - changed > _SETTLED_AFTER and changed > self._looked_at + _LOOK_EVERY:
            self._looked_at = changed
            self._note_programs()
            self.witness.look(self._window, "settled")

    def _note_programs(self) -> None:
        if self._listing is None:
            return
        alive = {window.pid for window in windows(self._listing) if window.pid is not None}
        self._secrets.gone(self.clock.now(), alive)

    def _finish(self) -> RecordingEnd:
        """Let what was asked be answered, write the rest, and say how it ended."""
        reason, detail = self._end or ("stopped", "")
        ended = self.clock.now()
        self._input.stop()
        self._screen.stop()
        if self._windows is not None:
            self._windows.stop()
        if reason != "display lost":
            self.witness.settle(HOLD)
        try:
            self._write(self._inlet.finish(reason == "interrupted", ended), float("inf"))
            self._scribe.repeat(self._screen.unchanged_until)
        except Infrastructure as error:
            reason, detail = "disk failed", str(error)
        self._scribe.close()
        self.witness.stop()
        end = RecordingEnd(ended, reason, detail, self._counts())
        self._writer.end(end)
        return end

    def _counts(self) -> dict[str, int]:
        found = dict(self._scribe.counts) | self.witness.counts
        found["looks"] = self._screen.looked
        found["frames_dropped"] = self._screen.missed + self._overflowed
        found["moves_thinned"] = self._inlet.moves - self._inlet.kept_moves
        found["events_before_start"] = self._input.before_start
        return {name: count for name, count in sorted(found.items()) if count or name in _ALWAYS_SHOWN}

    def _header(self, task: Task) -> RecordingHeader:
        chosen = msgspec.to_builtins(self.settings)
        return RecordingHeader(
            id=f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{uuid4().hex[:8]}",
            task=task,
            system=platform.system().lower(),
            started=datetime.now(UTC).isoformat(timespec="milliseconds"),
            settings=chosen | self._desk.settings(),
            provenance=Provenance(by="record", settings=chosen),
        )
