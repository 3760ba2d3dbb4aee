"""Raw events → strokes: a press with its release, in the order of the presses.

Presses and releases overlap freely: fast typing rolls over keys, modifiers span whole passages, releases get lost. A
stroke waits in the queue until it and everything pressed before it is complete, so that what follows may rely on
order, and on knowing which modifiers were held over what.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator

from workalike.core.keyboard import modifier
from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    PageChanged,
    Paused,
    PointerMoved,
    Resumed,
    WheelTurned,
    WindowChanged,
)
from workalike.reduce.account import Dropped, Reason
from workalike.reduce.settings import ReduceSettings

LEVEL_SHIFT = "altgr"
"""Held like a modifier, but it chooses characters instead of commanding."""

_CONTEXT: dict[type, Reason] = {WindowChanged: "window_changed", PageChanged: "page_changed", Resumed: "resumed"}


class Stroke:
    """One press with its release, one turn of the wheel, or a pause. `held` are the modifiers it happened under,
    `moves` the pointer's way while a button was down, `repeats` what a key that was kept down typed besides."""

    def __init__(self, event: ButtonChanged | KeyChanged | WheelTurned | Paused, index: int) -> None:
        self.event = event
        self.events = [index]
        self.approach: list[tuple[int, PointerMoved]] = []
        self.moves: list[tuple[int, PointerMoved]] = []
        self.repeats: list[KeyChanged] = []
        self.held: list[Stroke] = []
        self.released: ButtonChanged | KeyChanged | None = None
        self.alive = event.time
        self.lost = False
        self.open = isinstance(event, ButtonChanged | KeyChanged)

    @property
    def modifier(self) -> str | None:
        """The modifier this stroke holds down, if it is one."""
        return held_name(self.event.key) if isinstance(self.event, KeyChanged) else None

    @property
    def end(self) -> float:
        return self.released.time if self.released else self.alive


Item = Stroke | Dropped


class Strokes:
    """Pairs presses with releases as the events come in."""

    def __init__(self, settings: ReduceSettings) -> None:
        self._settings = settings
        self._queue: deque[Item] = deque()
        self._open: list[Stroke] = []
        self._moves: list[tuple[int, PointerMoved]] = []
        self._last_key: Stroke | None = None
        self._reports = False
        self._names_tell = settings.names_tell_ctrl

    def feed(self, index: int, event: Event) -> Iterator[Item]:
        """Take one event; yields the strokes that are now complete, in the order of their presses."""
        for stroke in [s for s in self._open if event.time - s.alive > self._settings.lost_after]:
            if not _goes_on(stroke, event):
                self._lose(stroke)
        match event:
            case PointerMoved():
                self._moved(index, event)
            case ButtonChanged(down=True):
                self._button_down(index, event)
            case KeyChanged(down=True):
                self._key_down(index, event)
            case ButtonChanged() | KeyChanged():
                self._up(index, event)
            case WheelTurned(dx=dx, dy=dy):
                self._begin(index, event) if dx or dy else self._drop("scrolled_nothing", index)
            case Paused():
                self._lose_all()
                self._drop("moved_without_acting", *self._take_moves())
                self._begin(index, event)
            case _:
                self._drop(_CONTEXT[type(event)], index)
        yield from self._ready()

    def finish(self) -> Iterator[Item]:
        """What is left when no more events come."""
        self._lose_all()
        self._drop("moved_without_acting", *self._take_moves())
        yield from self._ready()

    def _moved(self, index: int, event: PointerMoved) -> None:
        button = next((s for s in self._open if isinstance(s.event, ButtonChanged)), None)
        if button is None:
            self._moves.append((index, event))
        else:
            button.moves.append((index, event))
            button.alive = event.time

    def _button_down(self, index: int, event: ButtonChanged) -> None:
        for stroke in [s for s in self._open if _same_button(s, event)]:
            self._lose(stroke)
        self._begin(index, event)

    def _key_down(self, index: int, event: KeyChanged) -> None:
        for stroke in [s for s in self._open if _same_key(s, event)]:
            if self._repeats_itself(stroke, event):
                stroke.repeats.append(event)
                stroke.events.append(index)
                stroke.alive = event.time
                return
            if not event.masked:
                self._lose(stroke)
        self._trust_name(event)
        self._last_key = self._begin(index, event)

    def _repeats_itself(self, stroke: Stroke, event: KeyChanged) -> bool:
        near = event.time - stroke.alive <= self._settings.repeat_gap
        return not event.masked and (event.repeat or (near and self._last_key is stroke))

    def _begin(self, index: int, event: ButtonChanged | KeyChanged | WheelTurned | Paused) -> Stroke:
        stroke = Stroke(event, index)
        self._trust_reported(event)
        stroke.held = [s for s in self._open if s.modifier]
        if not stroke.modifier:
            stroke.approach, self._moves = self._moves, []
        if stroke.open:
            self._open.append(stroke)
        self._queue.append(stroke)
        return stroke

    def _trust_reported(self, event: ButtonChanged | KeyChanged | WheelTurned | Paused) -> None:
        """A system that reports which modifiers are down knows better than we do: what it no longer reports was let
        go unseen, what it reports is alive."""
        if isinstance(event, Paused) or (isinstance(event, KeyChanged) and held_name(event.key)):
            return
        self._reports = self._reports or bool(event.modifiers)
        reported = {held_name(name) for name in event.modifiers}
        for stroke in [s for s in self._open if s.modifier]:
            if stroke.modifier in reported:
                stroke.alive = event.time
            elif self._reports and stroke.modifier != LEVEL_SHIFT:
                self._lose(stroke, span=math.inf)

    def _trust_name(self, event: KeyChanged) -> None:
        """A letter under ctrl writes nothing where the system names it by the command it stands for. Once that was
        seen, or is known, a letter that writes shows that ctrl was let go unseen."""
        held = [s for s in self._open if s.modifier]
        ctrl = [s for s in held if s.modifier == "ctrl"]
        if not ctrl or event.masked or any(s.modifier in ("alt", LEVEL_SHIFT) for s in held):
            return
        if len(event.key) == 1 and event.key.isalpha() and not event.text:
            self._names_tell = True
        elif self._names_tell and event.text.isalpha() and "ctrl" not in event.modifiers:
            for stroke in ctrl:
                self._lose(stroke, span=math.inf)

    def _up(self, index: int, event: ButtonChanged | KeyChanged) -> None:
        if isinstance(event, ButtonChanged):
            stroke = next((s for s in self._open if _same_button(s, event)), None)
        else:
            stroke = next((s for s in self._open if _same_key(s, event)), None) or self._renamed(event)
        if stroke is None:
            self._drop("released_without_press", index)
            return
        stroke.events.append(index)
        stroke.released = event
        if isinstance(event, ButtonChanged) and isinstance(stroke.event, ButtonChanged):
            self._hold_at_drop(stroke, math.dist((event.x, event.y), (stroke.event.x, stroke.event.y)))
        self._close(stroke)

    def _hold_at_drop(self, stroke: Stroke, distance: float) -> None:
        """A modifier pressed in the middle of a drag and held when the button comes up (copy instead of move) is the
        drag's own: it takes its place before it."""
        if distance <= self._settings.drag_distance:
            return
        for held in [s for s in self._open if s.modifier and s not in stroke.held and s.events[0] > stroke.events[0]]:
            stroke.held.append(held)
            self._queue.remove(held)
            self._queue.insert(self._queue.index(stroke), held)

    def _renamed(self, event: KeyChanged) -> Stroke | None:
        """The open stroke of a key that is called otherwise now than when it went down, because shift was pressed or
        let go between: `A` comes up as `a`, `!` as `1`."""
        if len(event.key) != 1:
            return None
        letters = [s for s in self._open if isinstance(s.event, KeyChanged) and len(s.event.key) == 1]
        same = [s for s in letters if isinstance(s.event, KeyChanged) and s.event.key.lower() == event.key.lower()]
        now = {s for s in self._open if s.modifier}
        other = [s for s in letters if set(s.held) != now]
        return next(iter((*same, *other)), None)

    def _close(self, stroke: Stroke) -> None:
        stroke.open = False
        self._open.remove(stroke)
        if self._last_key is stroke:
            self._last_key = None

    def _lose(self, stroke: Stroke, span: float | None = None) -> None:
        """Give up on a release. A button is taken to have clicked; a modifier to have been held for a short span,
        so that what comes long after is not read as a chord."""
        stroke.lost = True
        self._close(stroke)
        self._moves = sorted([*stroke.moves, *self._moves], key=lambda move: move[0])
        stroke.moves = []
        limit = stroke.event.time + (self._settings.unreleased_span if span is None else span)
        for other in self._queue:
            if isinstance(other, Stroke) and stroke in other.held and other.event.time > limit:
                other.held.remove(stroke)

    def _lose_all(self) -> None:
        for stroke in tuple(self._open):
            self._lose(stroke)

    def _take_moves(self) -> list[int]:
        taken, self._moves = [index for index, _ in self._moves], []
        return taken

    def _drop(self, reason: Reason, *indices: int) -> None:
        if indices:
            self._queue.append(Dropped(reason, indices))

    def _ready(self) -> Iterator[Item]:
        while self._queue:
            head = self._queue[0]
            if isinstance(head, Stroke) and head.open:
                return
            self._queue.popleft()
            if not (isinstance(head, Stroke) and head.modifier and self._hand_over(head)):
                yield head

    def _hand_over(self, held: Stroke) -> bool:
        """Give the events of a modifier to the first stroke it was held over. One that was held over nothing but
        another modifier goes to that; one held over nothing at all stands for itself."""
        under = [s for s in self._queue if isinstance(s, Stroke) and held in s.held]
        first = next((s for s in under if not s.modifier), next(iter(under), None))
        if first is None:
            return False
        first.events += held.events
        first.lost = first.lost or held.lost
        return True


def _goes_on(stroke: Stroke, event: Event) -> bool:
    """Whether an event after a long silence still belongs to a button that is held: it moves what it holds, or lets
    go."""
    if not isinstance(stroke.event, ButtonChanged):
        return False
    return isinstance(event, PointerMoved) or (isinstance(event, ButtonChanged) and _lets_go(stroke.event, event))


def _lets_go(pressed: ButtonChanged, event: ButtonChanged) -> bool:
    return not event.down and event.button == pressed.button


def held_name(key: str) -> str | None:
    """What a key is called when it is held over others, or None for one that isn't."""
    return modifier(key) or (LEVEL_SHIFT if key == LEVEL_SHIFT else None)


def _same_button(stroke: Stroke, event: ButtonChanged) -> bool:
    return isinstance(stroke.event, ButtonChanged) and stroke.event.button == event.button


def _same_key(stroke: Stroke, event: KeyChanged) -> bool:
    pressed = stroke.event
    return isinstance(pressed, KeyChanged) and pressed.key == event.key and pressed.masked == event.masked
