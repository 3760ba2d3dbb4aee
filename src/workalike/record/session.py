"""Recording a desktop: input, screen, windows and accessibility are watched on threads of their own; one loop takes
what they bring, in order of time and a moment late, and has it written."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from workalike.core.errors import Infrastructure
from workalike.core.program import Program
from workalike.core.recording import Event, PointerMoved, RecordingEnd, Tree, WindowChanged
from workalike.core.task import Task
from workalike.env.desktop.display import SessionBus, connect
from workalike.env.desktop.windows import Window, program_of, standing, window_at_pointer
from workalike.record.chords import Command, chord
from workalike.record.clock import Clock
from workalike.record.desk import desk
from workalike.record.elsewhere import OtherInput
from workalike.record.header import header_of
from workalike.record.hover import Hover
from workalike.record.inlet import Inlet
from workalike.record.input_x11 import XListener
from workalike.record.left_out import LEFT_OUT
from workalike.record.pending import Pending
from workalike.record.privacy import Secrets
from workalike.record.screen import CapturedScreen, ScreenWatch
from workalike.record.scribe import Scribe
from workalike.record.settings import HOLD, Reason, RecordSettings
from workalike.record.windows import WindowsLeftOut, WindowWatch
from workalike.record.witness import Witness
from workalike.store.recordings import RecordingWriter

_BUS = "DBUS_SESSION_BUS_ADDRESS"
_TICK = 0.05
_SYNC_EVERY = 1.0
_SETTLED_AFTER = 0.35  # shorter than a caret stays lit
_LOOK_EVERY = 1.0
_REPEAT_AFTER = 0.2
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
        self._window: Window | None = None
        self._paused = False
        self._looked_at = 0.0
        self._secrets = Secrets(settings.mask_unknown)
        self._left_out = WindowsLeftOut(settings.leave_out, display)
        self._pointing = connect(display) if sys.platform == "linux" else None
        self._listing = connect(display) if sys.platform == "linux" else None
        self.witness = Witness(self.clock, self._secrets, self._keep, self._under_pointer)
        chords: dict[Command, frozenset[str]] = {"stop": chord(settings.stop), "pause": chord(settings.pause)}
        self._hover = Hover(self.witness.ask_ahead)
        self._inlet = Inlet(chords, self.witness.ask, self._commanded)
        self._screen = ScreenWatch(
            display,
            self._desk,
            self.clock,
            changed=self._changed,
            resized=lambda screen: self._pending.screen(screen),
            lost=self._lost,
            rate=settings.rate,
            monitor=settings.monitor,
            cursor=settings.cursor,
        )
        self._input = self._input_source()
        self._windows = (
            WindowWatch(display, self._activated, self._lost, self._listed) if sys.platform == "linux" else None
        )
        header = header_of(task, settings, "desktop", self._desk.settings(), self._programs())
        self._writer = RecordingWriter(out, header)
        self._scribe = Scribe(self._writer, self._secrets, self.witness.hit, self._left_out.at)
        self.own_bus: SessionBus | None = None
        self._pending = Pending(self._inlet, self._scribe, self.witness.waiting_since)

    def prepare(self) -> str | None:
        """Start asking programs about themselves; answers why that cannot be done, if it can't. A display without a
        session bus gets one."""
        if self.settings.accessibility and self._listing is not None:
            environ = {**os.environ} if self._environ is None else {**self._environ}
            address = _session_bus(standing(self._listing), environ)
            if address is None:
                try:
                    self.own_bus = SessionBus(self._listing.get_display_name())
                except Infrastructure as problem:
                    return str(problem)
                address = self.own_bus.address
            self.witness.start({**environ, _BUS: address})
        return self.witness.problem

    def run(self, seconds: float | None = None) -> RecordingEnd:
        """Record until stopped, or for some seconds."""
        self.clock.begin()
        synced = time.monotonic()
        ends = None if seconds is None else time.monotonic() + seconds
        self._hover.start()
        self._input.start()
        self._screen.start()
        if self._windows is not None:
            self._windows.start()
        self.started.set()
        try:
            while not self._ended.wait(_TICK):
                self._secrets.forget(self._pending.write_until(self.clock.now() - HOLD))
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
        if not self._paused:
            self.witness.resume(self._window)

    def _input_source(self) -> XListener | OtherInput:
        if sys.platform == "linux":
            return XListener(self._display, self.clock, self._fed, self._lost)
        return OtherInput(self.clock, self._fed)

    def _programs(self) -> tuple[Program, ...]:
        """The programs that have windows now, in the order these came, but for those that are left out."""
        there = standing(self._listing) if self._listing is not None else []
        pids = dict.fromkeys(window.pid for window in there if not self._left_out.matches(window))
        return tuple(program for pid in pids if pid is not None and (program := program_of(pid)) is not None)

    def _lost(self, why: str) -> None:
        self.stop("display lost", why)

    def _fed(self, event: Event) -> None:
        self._secrets.cause(event)
        if isinstance(event, PointerMoved):
            self._hover.moved(event.x, event.y)
        self._inlet.feed(event)

    def _commanded(self, command: Command, when: float) -> None:
        if command == "stop":
            self.stop()
        else:
            self.pause(when)

    def _changed(self, shot: CapturedScreen) -> None:
        self._hover.seen(shot)
        self._pending.shot(shot, self._left_out.boxes())

    def _keep(self, tree: Tree) -> None:
        self._pending.tree(tree)

    def _activated(self, window: Window | None) -> None:
        now = self.clock.now()
        since = self._secrets.window(now, window.pid if window else None)
        out = self._left_out.matches(window)
        self._left_out.note(since if out else now, out)
        self._window = None if out else window
        title, program = (LEFT_OUT, "") if out else (window.title, window.program) if window else ("", "")
        self._inlet.feed(WindowChanged(now, title, program))
        self.witness.look(self._window, "focus")

    def _under_pointer(self) -> Window | None:
        from Xlib.error import ConnectionClosedError

        try:
            return window_at_pointer(self._pointing) if self._pointing is not None else None
        except ConnectionClosedError:
            return None

    def _follow_stillness(self) -> None:
        """When the screen has come to rest, bring its last frame to the disk and look at the window's tree."""
        until = self._screen.unchanged_until
        if self._pending.has_shots or self._paused:
            return
        if until - self._scribe.last_frame > _REPEAT_AFTER:
            self._scribe.repeat(until)
        changed = self._scribe.last_change
        if until - changed > _SETTLED_AFTER and changed > self._looked_at + _LOOK_EVERY:
            self._looked_at = changed
            self.witness.look(self._window, "settled")

    def _listed(self, there: list[Window]) -> None:
        if self._secrets.there(self.clock.now(), there):
            self._screen.again = True  # the last look may have come before this news, and be the last for long

    def _finish(self) -> RecordingEnd:
        """Let what was asked be answered, write the rest, and say how it ended."""
        reason, detail = self._end or ("stopped", "")
        ended = self.clock.now()
        self._hover.stop()
        self._input.stop()
        self._screen.stop()
        if self._windows is not None:
            self._windows.stop()
        if reason != "display lost":
            self.witness.settle(HOLD)
        try:
            self._pending.write_all(ended, interrupted=reason == "interrupted")
            self._scribe.repeat(self._screen.unchanged_until)
        except Infrastructure as error:
            reason, detail = "disk failed", str(error)
        self._scribe.close()
        self.witness.stop()
        if self.own_bus is not None:
            self.own_bus.close()
        end = RecordingEnd(ended, reason, detail, self._counts())
        self._writer.end(end)
        return end

    def _counts(self) -> dict[str, int]:
        found = dict(self._scribe.counts) | self.witness.counts
        found["looks"] = self._screen.looked
        found["frames_dropped"] = found.get("frames_dropped", 0) + self._screen.missed + self._pending.overflowed
        found["moves_thinned"] = self._inlet.moves - self._inlet.kept_moves
        found["events_before_start"] = self._input.before_start
        return {name: count for name, count in sorted(found.items()) if count or name in _ALWAYS_SHOWN}


def _session_bus(windows: Iterable[Window], environ: Mapping[str, str]) -> str | None:
    """The address of the bus that the programs of some windows use, else of the one that an environment names or has at
    its usual place; None when there is none."""
    told = (_environ_of(window.pid).get(_BUS) for window in windows if window.pid is not None)
    usual = Path(environ.get("XDG_RUNTIME_DIR") or "/nowhere", "bus")
    return next(filter(None, told), None) or environ.get(_BUS) or (f"unix:path={usual}" if usual.exists() else None)


def _environ_of(pid: int) -> dict[str, str]:
    """What a process was started with; nothing where it is gone or somebody else's."""
    try:
        pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return dict(os.fsdecode(pair).split("=", 1) for pair in pairs if b"=" in pair)
