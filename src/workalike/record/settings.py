"""How a recording is made: what the user can choose, kept in the recording's header."""

from __future__ import annotations

from typing import Literal

import msgspec

from workalike.core.errors import BadInput
from workalike.record.chords import PAUSE, STOP, chord

Reason = Literal["stopped", "interrupted", "time is up", "display lost", "browser closed", "disk failed"]

# How long events and frames wait before they are written, so that what programs say about them has come.
HOLD = 0.4
# How long presses wait for what they hit, when programs are slow; what waits is lost with a kill.
LONGEST_HOLD = 0.8


class RecordSettings(msgspec.Struct, frozen=True):
    """rate          looks at the screen a second
    monitor       one monitor by number, from 1; None takes all of them as one screen
    cursor        paint the pointer into the frames
    accessibility ask programs for their trees and for the element under each press
    mask_unknown  mask typing also where nobody can tell whether the field is secret
    leave_out     windows that are not recorded, by patterns of title or program
    stop, pause   chords of keys that command the recording and are no part of it"""

    rate: float = 15.0
    monitor: int | None = None
    cursor: bool = False
    accessibility: bool = True
    mask_unknown: bool = False
    leave_out: tuple[str, ...] = ()
    stop: str = STOP
    pause: str = PAUSE

    def __post_init__(self) -> None:
        if not 0.1 <= self.rate <= 60:
            raise BadInput(f"a rate of {self.rate:g} frames a second is not possible: choose one from 0.1 to 60")
        if chord(self.stop) == chord(self.pause):
            raise BadInput(f"stop and pause cannot both be {self.stop}")
