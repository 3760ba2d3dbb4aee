"""The one action space. An `Action` is one typed thing done to a screen or to the conversation.

People's demonstrations, every agent family and every imported file end up in these types; the dialects turn them
into and out of the words of each family. As JSON an action is an object whose `do` names it:

    {"do": "click", "at": [0.5, 0.25], "count": 2}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec.structs import replace

from workalike.core.keyboard import canonical, modifier, types_character
from workalike.core.screen import Point

Button = Literal["left", "right", "middle"]
Unit = Literal["notches", "pixels"]
Status = Literal["success", "failure"]


class _Action(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do"):
    """Common ground of all actions; never met itself."""


class Click(_Action, frozen=True, tag="click"):
    """Click `count` times (1 to 3) at a place, or where the pointer is when `at` is None."""

    at: Point | None = None
    button: Button = "left"
    count: int = 1
    modifiers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.count <= 3:
            raise ValueError(f"a click is single, double or triple, got count {self.count}")


class Move(_Action, frozen=True, tag="move"):
    """Move the pointer."""

    to: Point


class Drag(_Action, frozen=True, tag="drag"):
    """Press at `start` (None: where the pointer is), move along `path`, release at its last point."""

    path: tuple[Point, ...]
    start: Point | None = None
    button: Button = "left"
    modifiers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.path:
            raise ValueError("a drag needs at least the point where it ends")

    @property
    def end(self) -> Point:
        return self.path[-1]


class Scroll(_Action, frozen=True, tag="scroll"):
    """Turn the wheel at a place (None: where the pointer is). Positive `dy` shows what is further down,
    positive `dx` what is further right. `unit` says whether the amounts are wheel notches or pixels."""

    dx: float = 0
    dy: float = 0
    unit: Unit = "notches"
    at: Point | None = None
    modifiers: tuple[str, ...] = ()


class Write(_Action, frozen=True, tag="write"):
    """Type a text into whatever has the focus."""

    text: str


class Press(_Action, frozen=True, tag="press"):
    """Press and release keys one after the other."""

    keys: tuple[str, ...]

    def __post_init__(self) -> None:
        _need_keys(self.keys)


class Hotkey(_Action, frozen=True, tag="hotkey"):
    """Press keys together and release them in reverse."""

    keys: tuple[str, ...]

    def __post_init__(self) -> None:
        _need_keys(self.keys)


class KeyDown(_Action, frozen=True, tag="key_down"):
    """Press a key and keep it down."""

    key: str


class KeyUp(_Action, frozen=True, tag="key_up"):
    """Let a key go."""

    key: str


class MouseDown(_Action, frozen=True, tag="mouse_down"):
    """Press a button and keep it down, at a place or where the pointer is."""

    at: Point | None = None
    button: Button = "left"


class MouseUp(_Action, frozen=True, tag="mouse_up"):
    """Let a button go, at a place or where the pointer is."""

    at: Point | None = None
    button: Button = "left"


class Wait(_Action, frozen=True, tag="wait"):
    """Wait; None leaves the length to the environment, 0 only looks again."""

    seconds: float | None = None


class Visit(_Action, frozen=True, tag="visit"):
    """Go to an address."""

    url: str


class Search(_Action, frozen=True, tag="search"):
    """Ask the search engine."""

    query: str


class Back(_Action, frozen=True, tag="back"):
    """One page back in the history."""


class Forward(_Action, frozen=True, tag="forward"):
    """One page forward in the history."""


class SwitchTab(_Action, frozen=True, tag="switch_tab"):
    """Bring a tab to the front, counted from 0 as in `Observation.tabs`."""

    index: int


class CloseTab(_Action, frozen=True, tag="close_tab"):
    """Close a tab; None is the one in front."""

    index: int | None = None


class Memorize(_Action, frozen=True, tag="memorize"):
    """Keep a fact for later steps."""

    fact: str


class Ask(_Action, frozen=True, tag="ask"):
    """Ask the user."""

    question: str


class ReadPage(_Action, frozen=True, tag="read_page"):
    """Have the page's text read for the answer to a question."""

    question: str = ""


class Terminate(_Action, frozen=True, tag="terminate"):
    """Say that the task is over."""

    status: Status = "success"
    answer: str | None = None


class Opaque(_Action, frozen=True, tag="opaque"):
    """An imported action that could not be read, kept as it was written. It is never executed."""

    text: str
    reason: str = ""


Action = (
    Click | Move | Drag | Scroll | Write | Press | Hotkey | KeyDown | KeyUp | MouseDown | MouseUp | Wait
    | Visit | Search | Back | Forward | SwitchTab | CloseTab | Memorize | Ask | ReadPage | Terminate | Opaque
)  # fmt: skip


CONVERSATION = (Memorize, Ask, Terminate)
"""What is said and does nothing to a screen."""
_SECRET = "•"


def kind(action: Action) -> str:
    """The name an action has in JSON and in tables: `click`, `key_down`, …"""
    return str(action.__struct_config__.tag)


def points(action: Action) -> tuple[Point, ...]:
    """Every place an action names, in the order the pointer gets there."""
    match action:
        case Click(at=at) | Scroll(at=at) | MouseDown(at=at) | MouseUp(at=at):
            return () if at is None else (at,)
        case Move(to=to):
            return (to,)
        case Drag(start=start, path=path):
            return path if start is None else (start, *path)
        case _:
            return ()


def with_points(action: Action, moved: Callable[[Point], Point]) -> Action:
    """The same action at other places."""
    match action:
        case Click(at=at) | Scroll(at=at) | MouseDown(at=at) | MouseUp(at=at) if at is not None:
            return replace(action, at=moved(at))
        case Move(to=to):
            return Move(moved(to))
        case Drag(path=path, start=start):
            return replace(action, path=tuple(map(moved, path)), start=moved(start) if start else None)
        case _:
            return action


def without_secrets(action: Action) -> Action:
    """What may be written down of an action on a password field: how many characters, and which keys type none."""
    match action:
        case Write(text=text):
            return Write(_SECRET * len(text))
        case Press(keys=keys):
            return Press(tuple(map(_hidden, keys)))
        case Hotkey(keys=keys) if not _is_command(keys):
            return Hotkey(tuple(map(_hidden, keys)))
        case KeyDown(key=key):
            return KeyDown(_hidden(key))
        case KeyUp(key=key):
            return KeyUp(_hidden(key))
        case _:
            return action


def _hidden(key: str) -> str:
    name = canonical(key)
    return _SECRET if name is None or types_character(name) else key


def _is_command(keys: tuple[str, ...]) -> bool:
    """Whether keys together do something rather than type: ctrl+a does, ctrl+alt+q types an @ on some keyboards."""
    held = {modifier(canonical(key) or key) for key in keys}
    return bool(held & {"ctrl", "command", "win"}) and "alt" not in held


def _need_keys(keys: tuple[str, ...]) -> None:
    if not keys or not all(keys):
        raise ValueError("a press or hotkey needs at least one key, none of them empty")
