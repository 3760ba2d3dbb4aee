"""How much one action may do, in a browser as on a desktop. What goes beyond is told to the agent before any of it is
done."""

from __future__ import annotations

import math

from workalike.core.actions import Action, Drag, Hotkey, Press, Scroll, Wait, Write
from workalike.core.errors import ActionFailed

PIXELS_PER_NOTCH = 100
MOST_NOTCHES = 1_000
MOST_TEXT = 50_000
MOST_KEYS = 1_000
MOST_PLACES = 1_000
MOST_SECONDS = 60.0
_KEYS_A_SECOND = 100


def check(action: Action, most_wait: float = MOST_SECONDS) -> None:
    """Refuse what would take for ever, or what no hand could do."""
    match action:
        case Write(text=text):
            _check_text(text)
        case Scroll(dx=dx, dy=dy, unit=unit):
            _check_wheel(dx, unit)
            _check_wheel(dy, unit)
        case Press(keys=keys) | Hotkey(keys=keys) if len(keys) > MOST_KEYS:
            raise ActionFailed(f"{len(keys):,} keys are more than the {MOST_KEYS:,} that are pressed at once")
        case Drag(path=path) if len(path) > MOST_PLACES:
            raise ActionFailed(
                f"a path of {len(path):,} places is longer than the {MOST_PLACES:,} that are dragged along"
            )
        case Wait(seconds=seconds) if seconds is not None and not 0 <= seconds <= most_wait:
            raise ActionFailed(f"a wait of {seconds:g} s is not possible: choose one from 0 to {most_wait:g} s")


def length(action: Action) -> float:
    """How many seconds an action that passed takes by itself, at most."""
    match action:
        case Wait(seconds=seconds):
            return seconds if seconds is not None and math.isfinite(seconds) else 0.0
        case Write(text=text):
            return min(len(text), MOST_TEXT) / _KEYS_A_SECOND
        case Press(keys=keys):
            return min(len(keys), MOST_KEYS) / _KEYS_A_SECOND
        case _:
            return 0.0


def notches(amount: float, unit: str) -> float:
    """An amount of the wheel in notches."""
    return amount if unit == "notches" else amount / PIXELS_PER_NOTCH


def _check_text(text: str) -> None:
    if len(text) > MOST_TEXT:
        raise ActionFailed(f"the text has {len(text):,} characters, more than the {MOST_TEXT:,} that are typed at once")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ActionFailed("the text holds half a character (a lone surrogate), which cannot be typed") from error


def _check_wheel(amount: float, unit: str) -> None:
    if not math.isfinite(amount) or abs(notches(amount, unit)) > MOST_NOTCHES:
        raise ActionFailed(
            f"a scroll of {amount:g} {unit} is not possible: at most {MOST_NOTCHES:,} notches, or "
            f"{MOST_NOTCHES * PIXELS_PER_NOTCH:,} pixels, at once"
        )
