"""Which of some looks at the screen is the state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workalike.core.screen import Size
from workalike.reduce.settling import ChosenFrame, FrameLook, cell_place, cells_of, changed, choose, differing
from workalike.reduce.windows import MatchSettings, SearchWindow

SETTINGS = MatchSettings()
REACH = 5.0
Luma = npt.NDArray[np.uint8]


def screen(seed: int = 0) -> Luma:
    return np.random.default_rng(seed).integers(40, 200, (400, 640)).astype(np.uint8)


def look(time: float, luma: Luma, pointer: tuple[float, float] | None = None) -> FrameLook:
    return FrameLook(time, cells_of(luma), pointer)


def window(began: float, arrival: float, floor: float = 0.0) -> SearchWindow:
    return SearchWindow(0, "before", floor, began, arrival)


def chosen(looks: list[FrameLook], where: SearchWindow) -> ChosenFrame | None:
    return choose(where, looks, SETTINGS, REACH)


def test_cells_are_small_and_say_what_the_picture_says() -> None:
    luma = np.zeros((718, 1276), np.uint8)
    luma[:, 640:] = 200
    cells = cells_of(luma)
    assert cells.shape == (90, 159)
    assert (cells[:, :79] == 0).all()
    assert (cells[:, 81:] == 200).all()
    assert cell_place((683, 384), Size(1366, 768), Size(1276, 718)) == pytest.approx((79.75, 44.875))


def test_noise_is_no_change() -> None:
    luma = screen()
    noisy = np.clip(luma.astype(int) + np.random.default_rng(1).integers(-4, 5, luma.shape), 0, 255).astype(np.uint8)
    assert not changed(look(0, luma), look(1, noisy), SETTINGS, REACH)


def test_a_blinking_caret_is_no_change() -> None:
    luma = screen()
    caret = luma.copy()
    caret[100:118, 200:202] = 0
    assert not changed(look(0, luma), look(1, caret), SETTINGS, REACH)


def test_a_clock_in_the_corner_is_no_change() -> None:
    luma = screen()
    later = luma.copy()
    later[380:392, 600:632] = 255 - later[380:392, 600:632]
    assert not changed(look(0, luma), look(1, later), SETTINGS, REACH)


def test_a_menu_is_a_change() -> None:
    luma = screen()
    menu = luma.copy()
    menu[50:130, 100:220] = 30
    assert changed(look(0, luma), look(1, menu), SETTINGS, REACH)


def test_the_pointer_itself_is_no_change() -> None:
    luma = screen()
    here, there = luma.copy(), luma.copy()
    here[80:110, 80:100] = 255
    there[240:270, 400:420] = 255
    one, other = look(0, here, (11, 11)), look(1, there, (51, 31))
    assert differing(one, other, REACH, SETTINGS.noise) == 0
    assert differing(look(0, here), look(1, there), REACH, SETTINGS.noise) > SETTINGS.cells


def test_a_pointer_off_the_screen_hides_nothing() -> None:
    luma = screen()
    menu = luma.copy()
    menu[:200] = 0
    assert differing(look(0, luma, (-90, -40)), look(1, menu, (900, 900)), REACH, SETTINGS.noise) > SETTINGS.cells


def test_the_last_settled_look_before_the_approach_is_the_state() -> None:
    luma = screen()
    looks = [look(time / 10, luma) for time in range(30)]
    assert chosen(looks, window(2.0, 2.6)) == ChosenFrame(19, True) or chosen(looks, window(2.0, 2.6)) == ChosenFrame(
        20, True
    )


def test_what_the_action_before_brought_up_must_be_in_it() -> None:
    """A menu opens after the person has begun to move: the state shows it."""
    before, after = screen(), screen()
    after[50:130, 100:300] = 30
    looks = [look(time / 10, after if time >= 13 else before) for time in range(20)]
    choice = chosen(looks, window(1.1, 1.7, floor=1.0))
    assert choice is not None
    assert looks[choice.index].time >= 1.3
    assert (choice.settled, choice.before_approach) == (True, False)


def test_however_small_it_is() -> None:
    """A digit changes after the person has moved on at once: it counts; after a look around it would be a clock's."""
    before, after = screen(), screen()
    after[50:62, 100:108] = 255 - after[50:62, 100:108]
    looks = [look(time / 10, after if time >= 13 else before) for time in range(20)]
    hasty, calm = (chosen(looks, window(1.1, 1.7, floor=floor)) for floor in (1.0, 0.2))
    assert hasty is not None
    assert looks[hasty.index].time >= 1.3
    assert calm is not None
    assert looks[calm.index].time <= 1.1


def test_what_lights_up_under_the_pointer_is_not() -> None:
    luma, lit = screen(), screen()
    lit[100:120, 100:300] = np.minimum(lit[100:120, 100:300].astype(int) + 20, 255)
    looks = [look(time / 10, lit if time >= 14 else luma) for time in range(20)]
    choice = chosen(looks, window(1.2, 1.7, floor=0.1))
    assert choice is not None
    assert looks[choice.index].time <= 1.2
    assert choice.settled


def test_a_screen_that_never_rests_gives_its_last_look_and_says_so() -> None:
    looks = [look(time / 10, screen(time)) for time in range(20)]
    choice = chosen(looks, window(1.5, 1.5))
    assert choice == ChosenFrame(15, False)


def test_looks_after_the_arrival_are_never_taken() -> None:
    luma = screen()
    choice = chosen([look(1.0, luma), look(2.0, screen(1))], window(1.5, 1.5))
    assert choice == ChosenFrame(0, True)
    assert chosen([look(2.0, luma)], window(1.5, 1.5)) is None
    assert chosen([], window(1.5, 1.5)) is None


def test_a_frame_that_stood_long_has_settled_even_if_it_is_the_only_one() -> None:
    """Where only changed frames are kept, the last one may be old."""
    assert chosen([look(1.0, screen())], window(9.0, 9.5, floor=8.0)) == ChosenFrame(0, True)


times = st.lists(st.floats(0, 10), min_size=1, max_size=12).map(sorted)


@settings(max_examples=100, deadline=None)
@given(times, st.lists(st.integers(0, 3), min_size=12, max_size=12), st.tuples(*[st.floats(0, 10)] * 3).map(sorted))
def test_the_choice_is_always_before_the_arrival(when: list[float], what: list[int], edges: list[float]) -> None:
    looks = [look(time, screen(seed)[:80, :80]) for time, seed in zip(when, what, strict=False)]
    where = window(edges[1], edges[2], floor=edges[0])
    choice = chosen(looks, where)
    assert (choice is None) == (looks[0].time > where.arrival)
    if choice is not None:
        assert looks[choice.index].time <= where.arrival
        assert choice.before_approach == (looks[choice.index].time <= where.began)
