"""Where in time the state of each action is to be looked for, told from the events alone.

The state is what a person saw when they made up their mind: the last settled screen before the approach began. Until
the pointer arrives, the screen may be looked at; once it is on its target, it gives the answer away.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

import msgspec

from workalike.core.actions import points
from workalike.core.recording import ButtonChanged, Event, PointerMoved, WheelTurned
from workalike.core.screen import Point, Size
from workalike.reduce.account import Gesture

Role = Literal["before", "waiting", "after"]
_LARGE = 0.05


class MatchSettings(msgspec.Struct, frozen=True):
    """Times are seconds, distances screen pixels.

    settled         a screen that stayed the same for this long has settled
    lookback        how far before the approach the screen is watched
    rest            a pointer that stays put for this long has stopped; what follows is a new movement
    target          how near, across and down, the pointer is on its target where the element isn't known
    glance          a wait shows what was seen this long after it began
    aftermath       the ending shows the screen at most this long after the last action
    noise           how much of 255 a cell of the picture may differ and count as the same
    cells           how many cells may differ in a settled screen: a caret, the digits of a clock
    hover           how many may differ for the passing pointer's sake, as a share of all
    effect          what an action brings up is on the screen after this long, as a rule
    pointer         half the width of the square around the pointer that is not compared
    """

    settled: float = 0.2
    lookback: float = 0.6
    rest: float = 0.2
    target: tuple[float, float] = (80.0, 20.0)
    glance: float = 0.5
    aftermath: float = 5.0
    noise: int = 6
    cells: int = 12
    hover: float = 0.03
    effect: float = 0.4
    pointer: float = 40.0


class SearchWindow(msgspec.Struct, frozen=True):
    """Where to look for one state. `floor` is when the action before had ended, `began` when the approach did,
    `arrival` when the pointer came onto its target; frames up to `arrival` may be taken, and none that was gone by
    `since`."""

    gesture: int
    role: Role
    floor: float
    began: float
    arrival: float
    since: float | None = None

    def stretches(self, settings: MatchSettings) -> list[tuple[float, float]]:
        """The times between which frames are needed: up to the approach, and up to the arrival."""
        if self.role == "after":
            return [(self.floor, self.arrival)]
        since = -math.inf if self.since is None else self.since
        return [(max(since, end - settings.lookback), end) for end in dict.fromkeys((self.began, self.arrival))]

    def cut(self, since: float) -> SearchWindow:
        """The same, where nothing from before a time may be seen."""
        began, arrival = max(self.began, since), max(self.arrival, since)
        return msgspec.structs.replace(self, began=began, arrival=arrival, since=since)


class Track:
    """Where the pointer was at any time, from all the events that say so."""

    def __init__(self, events: Sequence[Event]) -> None:
        told = [e for e in events if isinstance(e, PointerMoved | ButtonChanged | WheelTurned)]
        self.times = [event.time for event in told]
        self.places = [(event.x, event.y) for event in told]

    def at(self, time: float) -> tuple[float, float] | None:
        index = bisect_right(self.times, time) - 1
        return self.places[index] if index >= 0 else None


def windows(
    gestures: Sequence[Gesture],
    kept: Sequence[int],
    track: Track,
    shown: Sequence[Size],
    end: float,
    settings: MatchSettings = MatchSettings(),
    slack: float = 0.0,
) -> list[SearchWindow]:
    """Where to look for the state of each kept gesture, and for the ending.

    `shown` is the size of what the pictures show at each gesture, `end` when the recording ended, `slack` how far
    frames and events may disagree on the time. Deleted gestures have changed the screen too, so they bound windows.
    """
    found = []
    for number in kept:
        gesture = gestures[number]
        floor = max((g.end for g in gestures[:number][-2:] if g.kind != "wait"), default=-math.inf)
        if gesture.kind == "wait":
            glance = min(gesture.start + settings.glance, gesture.end)
            found.append(SearchWindow(number, "waiting", floor, glance, glance))
        else:
            found.append(_before(number, gesture, floor, track, shown[number], settings, slack))
    if kept:
        found.append(_after(kept[-1], gestures, end, settings, slack))
    return found


def _before(
    number: int, gesture: Gesture, floor: float, track: Track, shown: Size, settings: MatchSettings, slack: float
) -> SearchWindow:
    press = gesture.start - slack
    target = next((point for action in gesture.actions for point in points(action)), None)
    if target is None:
        return SearchWindow(number, "before", floor, press, press)
    here = bisect_right(track.times, gesture.start) - 1
    while here > 0 and on_target(track.places[here - 1], gesture, target, shown, settings):
        here -= 1
    if here <= 0 or track.times[here] <= floor:
        return SearchWindow(number, "before", floor, press, press)
    arrival = min(press, track.times[here] - slack)
    began = here
    while began > 0 and track.times[began] - track.times[began - 1] < settings.rest and track.times[began - 1] > floor:
        began -= 1
    return SearchWindow(number, "before", floor, min(arrival, track.times[began] - slack), arrival)


def _after(number: int, gestures: Sequence[Gesture], end: float, settings: MatchSettings, slack: float) -> SearchWindow:
    done = gestures[number].end
    following = [g.start for g in gestures[number + 1 :] if g.kind != "wait"]
    limit = min([end, done + settings.aftermath, *(start - slack for start in following[:1])])
    return SearchWindow(number, "after", done, max(done, limit), max(done, limit))


def on_target(
    place: tuple[float, float], gesture: Gesture, target: Point, shown: Size, settings: MatchSettings
) -> bool:
    """Whether a pointer at this place stands on what the gesture went for."""
    at = shown.point(*place)
    box = gesture.hit.box if gesture.hit else None
    # An element as large as a window says nothing about where in it the person was going.
    if box is not None and box.contains(target) and box.width * box.height < _LARGE:
        return box.contains(at)
    across, down = settings.target
    return abs(at.x - target.x) * shown.width <= across and abs(at.y - target.y) * shown.height <= down
