"""What became of every raw event: it belongs to exactly one action, or to a named reason for being left out."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from workalike.core.actions import Action
from workalike.core.errors import DialectError
from workalike.core.observation import Element
from workalike.dialects import pyautogui
from workalike.reduce.settings import ReduceSettings

Kind = Literal["click", "drag", "long_press", "scroll", "write", "press", "hotkey", "wait"]
Flag = Literal["no_release", "masked", "off_screen"]
Reason = Literal[
    "window_changed",
    "page_changed",
    "paused",
    "resumed",
    "moved_without_acting",
    "released_without_press",
    "scrolled_nothing",
    "typed_nothing",
    "stop_keys",
]


class Gesture(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a person did: usually one action; several where only together they say it (a long press is press,
    wait, release). `events` are the raw events it is made of and `approach` the moves that led to it, by number."""

    kind: Kind
    actions: tuple[Action, ...]
    start: float
    end: float
    events: tuple[int, ...] = ()
    approach: tuple[int, ...] = ()
    hit: Element | None = None
    flags: tuple[Flag, ...] = ()

    def told(self) -> str:
        """The actions in a line."""
        try:
            said = pyautogui.format(self.actions)
        except DialectError:
            said = " ".join(str(action) for action in self.actions)
        return said.replace("pyautogui.", "").replace("computer.", "").replace("\n", "; ")


class Dropped(msgspec.Struct, frozen=True):
    """Raw events that are no part of any action, and why."""

    reason: Reason
    events: tuple[int, ...]


class Reduction(msgspec.Struct, frozen=True):
    """All that a stream of events came to."""

    gestures: tuple[Gesture, ...]
    dropped: tuple[Dropped, ...]
    events: int
    settings: ReduceSettings

    @property
    def left_out(self) -> dict[str, int]:
        """How many events each reason left out."""
        counts: Counter[str] = Counter()
        for drop in self.dropped:
            counts[drop.reason] += len(drop.events)
        return dict(sorted(counts.items()))

    @property
    def used(self) -> int:
        """How many events the actions are made of, approaches included."""
        return sum(len(gesture.events) + len(gesture.approach) for gesture in self.gestures)

    def told(self) -> str:
        """The account in a sentence."""
        parts = [f"{self.used} are part of actions"]
        parts += [f"{count} {reason.replace('_', ' ')}" for reason, count in self.left_out.items()]
        return f"Of {self.events} events " + ", ".join(parts) + "."

    def owners(self) -> dict[int, int | str]:
        """For every event the number of its gesture, or the reason it was left out.

        Raises ValueError when an event has no owner or two: that is what "the account adds up" means.
        """
        pairs: list[tuple[int, int | str]] = []
        for number, gesture in enumerate(self.gestures):
            pairs += [(event, number) for event in (*gesture.approach, *gesture.events)]
        for drop in self.dropped:
            pairs += [(event, drop.reason) for event in drop.events]
        owners = dict(pairs)
        if len(owners) != len(pairs) or owners.keys() != set(range(self.events)):
            raise ValueError(f"the account of {self.events} events does not add up")
        return owners
