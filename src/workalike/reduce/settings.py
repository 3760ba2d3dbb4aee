"""The thresholds of the reducer. They are recorded with every result, so that it can be made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from workalike.core.errors import BadInput


class ReduceSettings(msgspec.Struct, frozen=True):
    """Times are seconds, distances screen pixels.

    click_interval      presses closer together than this are one double or triple click
    click_distance      … if they also lie closer together than this
    drag_distance       a release further than this from its press makes a drag
    loop_distance       so does a path that leaves its press by more than this and comes back
    straight            a drag that stays this near to the straight way is straight
    path_tolerance      how far any other drag's path may be from the points that are kept of it
    long_press          a button held in place for this long is a long press
    scroll_distance     scrolls further apart than this are different scrolls
    scroll_pause        … and so are scrolls with this long a silence between them
    press_interval      one key pressed again within this is the same press of several keys
    wait                this long without any input between two actions is a wait; 0 finds none
    repeat_gap          a key that goes down again within this, no other key between, repeats itself
    unreleased_span     a modifier whose release never came is taken to have been held this long
    lost_after          a press with no sign of life for this long has lost its release
    names_tell_ctrl     under ctrl a letter has another name, as on Windows: a plain one shows that ctrl is up
    stop_keys           chords that end a recording and are no part of it
    """

    click_interval: float = 0.5
    click_distance: float = 4.0
    drag_distance: float = 6.0
    loop_distance: float = 24.0
    straight: float = 6.0
    path_tolerance: float = 1.0
    long_press: float = 1.0
    scroll_distance: float = 64.0
    scroll_pause: float = 3.0
    press_interval: float = 0.5
    wait: float = 3.0
    repeat_gap: float = 1.0
    unreleased_span: float = 2.0
    lost_after: float = 60.0
    names_tell_ctrl: bool = False
    stop_keys: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, float | int) and not 0 <= value < float("inf"):
                raise ValueError(f"{name} must be a number of 0 or more, got {value}")


NOT_THRESHOLDS = ("names_tell_ctrl", "stop_keys")
"""What a recording knows of itself, and no user sets."""


def thresholds(words: Sequence[str]) -> dict[str, float]:
    """Thresholds as `--set` takes them.

    >>> thresholds(["wait=0", "click_interval=0.3"])
    {'wait': 0.0, 'click_interval': 0.3}
    """
    known = [name for name in ReduceSettings.__struct_fields__ if name not in NOT_THRESHOLDS]
    chosen: dict[str, float] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in known:
            raise BadInput(f"--set {word} names no threshold; they are {', '.join(known)}")
        chosen[name] = _number(word, name, value)
    return chosen


def _number(word: str, name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise BadInput(f"--set {word}: {name} takes a number of 0 or more, such as {name}=0.5")
    return number


def settings_of(recorded: Mapping[str, Any], **overrides: Any) -> ReduceSettings:
    """The settings for a recording: what its system said (`click_interval`, `click_distance`, …), then what the
    user says. Names that are no thresholds of the reducer are somebody else's business."""
    names = ReduceSettings.__struct_fields__
    known = {name: value for name, value in recorded.items() if name in names}
    chosen = {name: value for name, value in overrides.items() if value is not None}
    try:
        return msgspec.convert({**known, **chosen}, ReduceSettings, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"the reducer's settings are not usable: {error}; correct them or leave them out") from error
