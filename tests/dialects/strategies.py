"""Actions to try dialects on: every kind, at places on a family's own grid or anywhere."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from msgspec.structs import replace

from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Button,
    Click,
    CloseTab,
    Drag,
    Forward,
    Hotkey,
    KeyDown,
    KeyUp,
    Memorize,
    MouseDown,
    MouseUp,
    Move,
    Opaque,
    Press,
    ReadPage,
    Scroll,
    Search,
    SwitchTab,
    Terminate,
    Unit,
    Visit,
    Wait,
    Write,
)
from workalike.core.keyboard import MODIFIERS
from workalike.core.screen import Point, Size
from workalike.core.spaces import Fractions, Space

SCREENS = (Size(1920, 1080), Size(1440, 900), Size(1280, 720), Size(1366, 768), Size(800, 1200))
KEYS = ("enter", "tab", "esc", "a", "Z", "7", "f5", "pagedown", "left", "ctrl", "space", "'", "\\", "+", "é", "delete")
BUTTONS: tuple[Button, ...] = ("left", "right", "middle")

screens = st.sampled_from(SCREENS)
texts = st.text(max_size=40)
words = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40).map(str.strip).filter(bool)
keys = st.sampled_from(KEYS)
modifiers = st.lists(st.sampled_from(MODIFIERS), unique=True, max_size=2).map(tuple)
buttons = st.sampled_from(BUTTONS)
anywhere = st.builds(Point, st.floats(-0.5, 1.5), st.floats(-0.5, 1.5))


def grid(space: Space, screen: Size) -> st.SearchStrategy[Point]:
    """Places that a space writes without rounding."""
    if isinstance(space, Fractions):
        steps = st.integers(0, 10**space.digits).map(lambda step: step / 10**space.digits)
        return st.builds(Point, steps, steps)
    wide, high = space.cell(screen)
    across, down = st.integers(0, round(1 / wide)), st.integers(0, round(1 / high))
    return st.builds(lambda x, y: space.read(x, y, screen), across, down)


def at_places(action: Action, change: Callable[[Point], Point]) -> Action:
    """The action with every place changed."""
    match action:
        case (
            Click(at=Point() as at) | Scroll(at=Point() as at) | MouseDown(at=Point() as at) | MouseUp(at=Point() as at)
        ):
            return replace(action, at=change(at))
        case Move(to=to):
            return replace(action, to=change(to))
        case Drag(start=start, path=path):
            return replace(action, start=start and change(start), path=tuple(change(point) for point in path))
        case _:
            return action


def within_half_a_cell(before: Action, after: Action, space: Space, screen: Size) -> bool:
    """Whether two actions are one but for rounding."""
    wide, high = space.cell(screen)
    places: list[list[Point]] = [[], []]
    for seen, action in zip(places, (before, after), strict=True):
        at_places(action, lambda point, seen=seen: seen.append(point) or point)  # type: ignore[misc]
    near = all(
        abs(a.x - b.x) <= wide / 2 + 1e-9 and abs(a.y - b.y) <= high / 2 + 1e-9 for a, b in zip(*places, strict=True)
    )
    origin = Point(0, 0)
    return near and at_places(before, lambda _: origin) == at_places(after, lambda _: origin)


def clicks(
    points: st.SearchStrategy[Point | None],
    buttons: st.SearchStrategy[Button] = buttons,
    counts: st.SearchStrategy[int] = st.integers(1, 3),
    modifiers: st.SearchStrategy[tuple[str, ...]] = modifiers,
) -> st.SearchStrategy[Action]:
    return st.builds(Click, points, buttons, counts, modifiers)


def drags(
    points: st.SearchStrategy[Point],
    starts: st.SearchStrategy[Point | None],
    buttons: st.SearchStrategy[Button] = buttons,
    longest: int = 4,
    modifiers: st.SearchStrategy[tuple[str, ...]] = modifiers,
) -> st.SearchStrategy[Action]:
    paths = st.lists(points, min_size=1, max_size=longest).map(tuple)
    return st.builds(Drag, paths, starts, buttons, modifiers)


def scrolls(
    points: st.SearchStrategy[Point | None],
    unit: Unit = "notches",
    amounts: st.SearchStrategy[float] = st.integers(-30, 30),
    modifiers: st.SearchStrategy[tuple[str, ...]] = modifiers,
) -> st.SearchStrategy[Action]:
    return st.builds(Scroll, amounts, amounts, st.just(unit), points, modifiers)


key_lists = st.lists(keys, min_size=1, max_size=4).map(tuple)
presses: st.SearchStrategy[Action] = st.builds(Press, key_lists)
hotkeys: st.SearchStrategy[Action] = st.builds(Hotkey, key_lists)
held_keys: st.SearchStrategy[Action] = st.one_of(st.builds(KeyDown, keys), st.builds(KeyUp, keys))
writes: st.SearchStrategy[Action] = st.builds(Write, texts)
waits: st.SearchStrategy[Action] = st.builds(Wait, st.one_of(st.none(), st.integers(0, 60), st.floats(0, 60)))
endings: st.SearchStrategy[Action] = st.builds(
    Terminate, st.sampled_from(["success", "failure"]), st.one_of(st.none(), texts)
)


def moves(points: st.SearchStrategy[Point]) -> st.SearchStrategy[Action]:
    return st.builds(Move, points)


def held_buttons(
    points: st.SearchStrategy[Point | None], buttons: st.SearchStrategy[Button] = buttons
) -> st.SearchStrategy[Action]:
    return st.one_of(st.builds(MouseDown, points, buttons), st.builds(MouseUp, points, buttons))


browsing: st.SearchStrategy[Action] = st.one_of(
    st.builds(Visit, words),
    st.builds(Search, words),
    st.just(Back()),
    st.just(Forward()),
    st.builds(SwitchTab, st.integers(0, 9)),
    st.builds(CloseTab, st.one_of(st.none(), st.integers(0, 9))),
    st.builds(Memorize, words),
    st.builds(Ask, words),
    st.builds(ReadPage, words),
    st.builds(Opaque, words),
)


def everything(points: st.SearchStrategy[Point]) -> st.SearchStrategy[Action]:
    """Any action whatever."""
    perhaps = st.one_of(st.none(), points)
    return st.one_of(
        clicks(perhaps),
        moves(points),
        drags(points, perhaps),
        scrolls(perhaps),
        scrolls(perhaps, "pixels", st.floats(-2000, 2000)),
        writes,
        presses,
        hotkeys,
        held_keys,
        held_buttons(perhaps),
        waits,
        endings,
        browsing,
    )
