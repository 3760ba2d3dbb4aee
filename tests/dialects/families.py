"""Every dialect behind one face, with what it can say and what a sequence of actions comes back as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.dialects import strategies as some
from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Button,
    Click,
    Forward,
    Hotkey,
    Memorize,
    MouseDown,
    MouseUp,
    Press,
    ReadPage,
    Scroll,
    Search,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.screen import Point, Size
from workalike.core.spaces import Space
from workalike.dialects import anthropic, fara, openai, pyautogui, qwen, uitars
from workalike.dialects.computer_use import Variant
from workalike.dialects.gestures import joined, pressed

Points = st.SearchStrategy[Point]
Actions = st.SearchStrategy[Action]


class Family(NamedTuple):
    """One dialect. `expressible` makes actions it can say at given places, on a given screen; `normal` tells what a
    sequence comes back as."""

    name: str
    parse: Callable[[Any, Size], tuple[Action, ...]]
    format: Callable[[Sequence[Action], Size], Any]
    space: Space
    expressible: Callable[[Points, Size], Actions]
    normal: Callable[[Sequence[Action]], tuple[Action, ...]]
    scroll_cell: Callable[[Size], tuple[float, float]] = lambda screen: (0, 0)

    def __repr__(self) -> str:
        return self.name


_NONE = st.just(())
_LEFT: st.SearchStrategy[Button] = st.just("left")
_ONCE = st.just(1)
_SMALL = [key for key in some.KEYS if key == key.lower()]
_chords: Actions = st.builds(Hotkey, st.lists(st.sampled_from(_SMALL), min_size=2, max_size=4).map(tuple))
_small_presses: Actions = st.builds(Press, st.lists(st.sampled_from(_SMALL), min_size=1, max_size=4).map(tuple))


def _clicks(points: st.SearchStrategy[Point | None], *kinds: tuple[str, int]) -> Actions:
    clicked = st.sampled_from(kinds)
    return st.builds(lambda at, clicked: Click(at, *clicked), points, clicked)


def _pyautogui(points: Points, screen: Size) -> Actions:
    perhaps = st.one_of(st.none(), points)
    return st.one_of(
        some.clicks(perhaps),
        some.moves(points),
        some.drags(points, perhaps),
        some.scrolls(perhaps),
        some.writes,
        some.presses,
        some.hotkeys,
        some.held_keys,
        some.held_buttons(perhaps),
        some.waits,
        some.endings,
    )


def _fara_7b(points: Points, screen: Size) -> Actions:
    perhaps = st.one_of(st.none(), points)
    downward = some.scrolls(perhaps, "pixels", st.integers(-900, 900), _NONE).map(
        lambda scroll: Scroll(dy=scroll.dy, unit="pixels", at=scroll.at) if isinstance(scroll, Scroll) else scroll
    )
    return st.one_of(
        _clicks(points, ("left", 1)),
        some.moves(points),
        downward,
        some.writes,
        some.presses,
        _chords,
        some.waits,
        st.builds(Visit, some.texts),
        st.builds(Search, some.texts),
        st.just(Back()),
        st.builds(Memorize, some.texts),
        st.builds(Terminate, st.sampled_from(["success", "failure"]), st.one_of(st.none(), some.words)),
    )


def _cells(variant: Variant, screen: Size) -> tuple[float, float]:
    wide, high = variant.space.cell(screen)
    return wide * screen.width, high * screen.height


def _fara_15(points: Points, screen: Size) -> Actions:
    across, down = _cells(fara.FARA_15, screen)
    amounts = st.integers(-900, 900)
    perhaps = st.one_of(st.none(), points)
    scrolls = st.builds(lambda x, y, at: Scroll(x * across, -y * down, "pixels", at), amounts, amounts, perhaps)
    return st.one_of(
        _clicks(points, ("left", 1), ("right", 1), ("left", 2), ("left", 3)),
        some.moves(points),
        some.drags(points, perhaps, _LEFT, 1, _NONE),
        scrolls,
        some.writes,
        some.presses,
        _chords,
        some.waits,
        st.builds(Visit, some.texts),
        st.builds(Search, some.texts),
        st.just(Back()),
        st.builds(Memorize, some.texts),
        st.builds(Ask, some.texts),
        st.builds(ReadPage, some.texts),
        st.builds(Terminate, st.just("success"), st.one_of(st.none(), some.texts)),
    )


def _qwen_25(points: Points, screen: Size) -> Actions:
    perhaps = st.one_of(st.none(), points)
    scrolls = st.builds(lambda dy, at: Scroll(dy=dy, unit="pixels", at=at), st.floats(-900, 900), perhaps)
    return st.one_of(
        _clicks(perhaps, ("left", 1), ("right", 1), ("middle", 1), ("left", 2)),
        some.moves(points),
        some.drags(points, perhaps, _LEFT, 1, _NONE),
        scrolls,
        some.writes,
        some.presses,
        _chords,
        some.waits,
        st.builds(Terminate, st.sampled_from(["success", "failure"])),
    )


def _qwen_3(points: Points, screen: Size) -> Actions:
    perhaps = st.one_of(st.none(), points)
    return st.one_of(
        _qwen_25(points, screen),
        _clicks(perhaps, ("left", 3)),
        some.scrolls(perhaps, "pixels", st.integers(-900, 900), _NONE),
        some.endings,
    )


def _openai(points: Points, screen: Size) -> Actions:
    return st.one_of(
        some.clicks(points, counts=_ONCE),
        some.clicks(points, _LEFT, st.just(2)),
        some.moves(points),
        some.drags(points, points, _LEFT),
        some.scrolls(points, "pixels", st.integers(-900, 900)),
        some.writes,
        _small_presses,
        _chords,
        st.just(Wait()),
        st.just(Wait(0)),
        st.just(Back()),
        st.just(Forward()),
        st.builds(Terminate, st.just("success"), st.one_of(st.none(), some.texts)),
    )


def _anthropic(points: Points, screen: Size) -> Actions:
    perhaps = st.one_of(st.none(), points)
    return st.one_of(
        some.clicks(perhaps, counts=_ONCE),
        some.clicks(perhaps, _LEFT),
        some.moves(points),
        some.drags(points, points, _LEFT, 1),
        some.drags(points, perhaps, _LEFT, 4, _NONE),
        some.scrolls(perhaps),
        some.writes,
        some.presses,
        _chords,
        st.builds(MouseDown, perhaps),
        st.builds(MouseUp, perhaps),
        st.builds(Wait, st.floats(0, 60)),
        st.builds(Terminate, st.just("success"), st.one_of(st.none(), some.texts)),
    )


def _uitars(points: Points, screen: Size) -> Actions:
    perhaps = st.one_of(st.none(), points)
    steps = st.sampled_from([(0, 5), (0, -5), (5, 0), (-5, 0)])
    typeable = [key for key in some.KEYS if key != "'"]
    small = [key for key in _SMALL if key != "'"]
    return st.one_of(
        _clicks(points, ("left", 1), ("left", 2), ("right", 1)),
        some.moves(points),
        some.drags(points, points, _LEFT, 1, _NONE),
        st.builds(lambda step, at: Scroll(step[0], step[1], at=at), steps, perhaps),
        some.writes.filter(lambda write: isinstance(write, Write) and not write.text.endswith("\n")),
        st.builds(Press, st.lists(st.sampled_from(typeable), min_size=1, max_size=3).map(tuple)),
        st.builds(Hotkey, st.lists(st.sampled_from(small), min_size=2, max_size=3).map(tuple)),
        st.just(Wait()),
        st.builds(Ask, some.words),
        st.builds(Terminate, st.just("success"), st.one_of(st.none(), some.texts)),
    )


def _small_steps(actions: Sequence[Action]) -> tuple[Action, ...]:
    return pressed(joined(actions))


def _submitted(actions: Sequence[Action]) -> tuple[Action, ...]:
    """What UI-TARS makes of typing nothing and pressing enter: pressing enter."""
    enter, done = Press(("enter",)), list[Action]()
    for action in actions:
        if done and done[-1] == Write("") and action == enter:
            done.pop()
        done.append(action)
    return pressed(done)


def _family(name: str, module: Any, space: Space, expressible: Any, normal: Any, **options: Any) -> Family:
    def parse(text: Any, screen: Size) -> tuple[Action, ...]:
        return tuple(module.parse(text, screen, space))

    def write(actions: Sequence[Action], screen: Size) -> Any:
        return module.format(actions, screen, space, **options)

    return Family(name, parse, write, space, expressible, normal)


def _variant(module: Any, variant: Variant, expressible: Any) -> Family:
    def parse(text: Any, screen: Size) -> tuple[Action, ...]:
        return tuple(module.parse(text, screen, variant))

    def write(actions: Sequence[Action], screen: Size) -> Any:
        return module.format(actions, screen, variant)

    cell = partial(_cells, variant) if variant.scroll_cells else lambda screen: (0, 0)
    return Family(variant.dialect, parse, write, variant.space, expressible, _small_steps, cell)


FAMILIES = (
    _family("pyautogui-fractions", pyautogui, pyautogui.FRACTIONS, _pyautogui, joined),
    _family("pyautogui-pixels", pyautogui, pyautogui.PIXELS, _pyautogui, joined, native=True),
    _variant(fara, fara.FARA_7B, _fara_7b),
    _variant(fara, fara.FARA_15, _fara_15),
    _variant(qwen, qwen.QWEN_25, _qwen_25),
    _variant(qwen, qwen.QWEN_3, _qwen_3),
    _family("openai", openai, openai.PIXELS, _openai, pressed),
    _family("anthropic", anthropic, anthropic.FITTED, _anthropic, _small_steps),
    _family("uitars", uitars, uitars.RESIZED, _uitars, _submitted),
)
OTHER_FORMS = (
    _family("openai-single", openai, openai.PIXELS, _openai, pressed, batched=False),
    _family("anthropic-toolset", anthropic, anthropic.FITTED, _anthropic, _small_steps, form="toolset"),
)
