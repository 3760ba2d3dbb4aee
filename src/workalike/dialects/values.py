"""Numbers, places and keys as the dialects read and write them, with errors that name what is wrong."""

from __future__ import annotations

import math
import re

from workalike.core.actions import Action, Hotkey, Press, Status, kind
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.keyboard import canonical, modifier
from workalike.core.screen import Point, Size
from workalike.core.spaces import Space

DEFAULT_SCREEN = Size(1920, 1080)
LARGEST = 1e9  # no coordinate, amount or time of any family comes near; beyond it integers stop being JSON-safe
_NUMBER = re.compile(r"[-+]?[0-9]{1,12}(?:\.[0-9]{1,12})?")
LONGEST = 200_000  # characters of one reply; far above what any model writes in a turn


def readable(reply: str) -> str:
    """A reply of bearable length that can be kept."""
    if len(reply) > LONGEST:
        raise Unreadable(f"a text of {len(reply):,} characters is too long, at most {LONGEST:,} are read")
    return reply if reply.isascii() else text(reply, "the reply")


def number(value: object, name: str) -> int | float:
    """A finite number of sensible size; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable(f"{name} must be a number, not {shown(value)}")
    if not abs(value) <= LARGEST:
        raise Unreadable(f"{name} is too large or not a number: {shown(value)}")
    return value


def unquoted(value: object) -> object:
    """A number, true or false out of the quotes that some models put around every value; anything else as it is."""
    if not isinstance(value, str):
        return value
    bare = value.strip()
    if _NUMBER.fullmatch(bare):
        return float(bare) if "." in bare else int(bare)
    return {"true": True, "false": False}.get(bare.lower(), value)


def whole(value: object, name: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Unreadable(f"{name} must be a whole number from {least} to {most}, not {shown(value)}")
    return value


def seconds(value: object, name: str) -> int | float:
    """A length of time."""
    if number(value, name) < 0:
        raise Unreadable(f"{name} cannot be negative, got {shown(value)}")
    return number(value, name)


def text(value: object, name: str) -> str:
    """A text that can be kept: half a character (a lone surrogate) has no form on disk."""
    if not isinstance(value, str):
        raise Unreadable(f"{name} must be a text, not {shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise Unreadable(f"{name} holds half a character at {error.start}", value) from error
    return value


def status(value: object) -> Status:
    if value == "success":
        return "success"
    if value == "failure":
        return "failure"
    raise Unreadable(f"status must be 'success' or 'failure', not {shown(value)}")


def key(value: object) -> str:
    """The canonical name of a key."""
    found = canonical(value) if isinstance(value, str) else None
    if found is None:
        raise Unreadable(f"there is no key {shown(value)}")
    return found


def keys(value: object) -> tuple[str, ...]:
    """The canonical names of keys given as a list, as one name, or joined with a plus as in `ctrl+shift+t`."""
    names = value if isinstance(value, list) else [value]
    found = tuple(key(part) for name in names for part in _parts(name))
    if not found:
        raise Unreadable("at least one key is needed")
    return found


def chord(names: object) -> Press | Hotkey:
    """One key pressed, or several together. A shortcut names keys, not characters: `Control+A` is ctrl and a."""
    found = keys(names)
    if len(found) == 1:
        return Press(found)
    if any(modifier(name) for name in found):
        found = tuple(lowered(name) for name in found)
    return Hotkey(found)


def lowered(name: str) -> str:
    """The key that types a capital letter; beyond ASCII, capitals need not have one."""
    return name.lower() if name.isascii() else name


def modifiers(value: object) -> tuple[str, ...]:
    """The modifier keys held during a pointer action."""
    found = () if value in (None, "", []) else keys(value)
    for name in found:
        if modifier(name) is None:
            raise Unreadable(f"{shown(name)} is not a modifier key")
    return found


def _parts(name: object) -> list[object]:
    if not isinstance(name, str) or "+" not in name or canonical(name) is not None:
        return [name]
    return [*name[:-2].split("+"), "+"] if name.endswith("++") else [*name.split("+")]


def place(x: object, y: object, screen: Size, space: Space) -> Point:
    """The point that two numbers of a family's space stand for."""
    across, down = float(number(x, "x")), float(number(y, "y"))
    try:
        return space.read(across, down, screen)
    except (ValueError, OverflowError) as error:
        raise Unreadable(f"no place on the screen: {error}") from error


def placed(point: Point, screen: Size, space: Space, dialect: str, action: Action) -> tuple[float, float]:
    """The two numbers a family writes for a point."""
    try:
        x, y = space.write(point, screen)
    except (ValueError, OverflowError) as error:
        raise Inexpressible(dialect, kind(action), str(error)) from error
    if not (abs(x) <= LARGEST and abs(y) <= LARGEST):
        raise Inexpressible(dialect, kind(action), f"({x}, {y}) is too far off the screen")
    return x, y


def plain(value: float) -> int | float:
    """A number as it is best written: 3 rather than 3.0."""
    return int(value) if value == math.trunc(value) else value


def amount(value: float, dialect: str, action: Action) -> int | float:
    """A scroll amount about to be written, checked so that it can be read again."""
    if not abs(value) <= LARGEST:
        raise Inexpressible(dialect, kind(action), f"{value} is too large or not a number")
    return plain(value)


def duration(value: float, dialect: str, action: Action) -> int | float:
    """A length of time about to be written."""
    if value < 0:
        raise Inexpressible(dialect, kind(action), f"{value} seconds are less than none")
    return amount(value, dialect, action)


def check_keys(keys: tuple[str, ...], dialect: str, action: Action) -> tuple[str, ...]:
    """Keys about to be written, each in its canonical name."""
    for name in keys:
        if canonical(name) != name:
            raise Inexpressible(dialect, kind(action), f"there is no key {name!r}")
    return keys


def check_chord(keys: tuple[str, ...], dialect: str, action: Action) -> tuple[str, ...]:
    """Keys about to be written as one chord, see `chord`."""
    shortcut = len(keys) > 1 and any(modifier(name) for name in keys)
    for name in check_keys(keys, dialect, action):
        if shortcut and name != lowered(name):
            raise Inexpressible(dialect, kind(action), f"a shortcut names its keys in lower case, not {name!r}")
    return keys


def check_modifiers(keys: tuple[str, ...], dialect: str, action: Action) -> tuple[str, ...]:
    """Keys held during a pointer action, which must be modifiers."""
    for name in check_keys(keys, dialect, action):
        if modifier(name) is None:
            raise Inexpressible(dialect, kind(action), f"{name!r} is not a modifier key")
    return keys


def shown(value: object) -> str:
    """A value for an error message, never longer than a line."""
    if isinstance(value, int) and abs(value) > LARGEST:
        return "an enormous number"
    written = repr(value) if isinstance(value, str | int | float | bool | None) else f"a {type(value).__name__}"
    return written if len(written) <= 60 else written[:59] + "…"
