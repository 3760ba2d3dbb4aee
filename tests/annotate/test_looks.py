"""What is shown of a step: the mark where the action was, the zoom of true pixels, the difference when it is small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.annotate.screens import SCREEN, box_element, demonstration, number_on, red_on, screen
from workalike.annotate.looks import ENLARGED, REACH, StepLooks, target_of, zoomed
from workalike.core.actions import Action, Click, Drag, Move, Press, Scroll, Terminate, Wait, Write
from workalike.core.observation import Element
from workalike.core.screen import Box, Point
from workalike.core.trajectory import ActionResult, Trajectory
from workalike.models.messages import Picture
from workalike.pictures.codec import decode
from workalike.pictures.similar import change_between
from workalike.store.pictures import PictureStore


def looks(folder: Path) -> StepLooks:
    return StepLooks(PictureStore(folder / "pictures"))


def red_in(picture: Picture) -> tuple[float, float, float, float]:
    found = red_on(decode(picture.data))
    assert found is not None
    return found


@pytest.mark.parametrize("action", [Click(Point(0.3, 0.4)), Click(Point(0.99, 0.01), "right"), Move(Point(0.5, 0.5))])
def test_the_mark_is_where_the_action_was(action: Click | Move, tmp_path: Path) -> None:
    made = demonstration(tmp_path, [action])
    look = looks(tmp_path).before(made, 0)
    left, top, right, bottom = red_in(look.picture)
    at = action.to if isinstance(action, Move) else action.at
    assert at is not None
    assert left <= at.x <= right
    assert top <= at.y <= bottom
    assert right - left < 40 / SCREEN.width
    assert bottom - top < 40 / SCREEN.height
    assert (look.marked, len(look.closer)) == ("point", 1)


def test_a_drag_shows_both_ends_and_the_way(tmp_path: Path) -> None:
    made = demonstration(tmp_path, [Drag((Point(0.7, 0.6),), Point(0.2, 0.5))])
    look = looks(tmp_path).before(made, 0)
    left, top, right, bottom = red_in(look.picture)
    assert [left, right] == pytest.approx([0.2, 0.7], abs=0.01)
    assert [top, bottom] == pytest.approx([0.5, 0.6], abs=0.02)
    assert (look.marked, len(look.closer)) == ("drag", 2)


@pytest.mark.parametrize("way", ["hit", "focused", "clicked"])
def test_typing_shows_the_field_that_has_the_focus(way: str, tmp_path: Path) -> None:
    box = Box(0.4, 0.3, 0.2, 0.05)
    elements = ((box_element("City", box, "focused"), box_element("Other", Box(0, 0, 0.1, 0.1))),)
    shown = (None, *(elements if way == "focused" else ()))
    made = demonstration(tmp_path, [Click(box.centre), Write("Lisbon")], elements=shown)
    if way == "hit":
        typed = ActionResult(Write("Lisbon"), hit=Element("textbox", "City", box))
        made = replace(made, steps=(replace(made.steps[0], actions=()), replace(made.steps[1], actions=(typed,))))
    look = looks(tmp_path).before(made, 1)
    left, top, right, bottom = red_in(look.picture)
    assert left <= box.centre.x <= right
    assert top <= box.centre.y <= bottom
    if way == "clicked":
        assert look.marked == "point"
    else:
        assert look.marked == "field"
        assert [left, right] == pytest.approx([0.4, 0.6], abs=0.01)


@pytest.mark.parametrize("actions", [[Wait(1)], [Terminate()], [Scroll(dy=3), Press(("enter",))]])
def test_what_has_no_place_is_shown_unmarked(actions: list[Action], tmp_path: Path) -> None:
    made = demonstration(tmp_path, actions)
    look = looks(tmp_path).before(made, len(actions) - 1)
    assert look.marked == "nothing"
    assert red_on(decode(look.picture.data)) is None


def test_a_zoom_is_of_true_pixels() -> None:
    picture, at = screen(5), Point(360 / SCREEN.width, 140 / SCREEN.height)
    part = zoomed(picture, at)
    assert part.size == (REACH * ENLARGED, REACH * ENLARGED)
    original = np.asarray(picture.crop((210, 0, 510, 300)), np.int16)
    shown = np.asarray(part, np.int16)[::ENLARGED, ::ENLARGED]
    outside_ring = np.abs(original - shown).max(axis=2) < 90
    assert outside_ring.mean() > 0.95


def test_the_target_stays_in_a_zoom_at_the_edge() -> None:
    picture = screen(1)
    found = red_on(zoomed(picture, Point(0.999, 0.001)))
    assert found is not None
    assert found[2] > 0.95
    assert found[1] == 0


def test_a_small_change_is_shown_again_and_a_large_one_is_not(tmp_path: Path) -> None:
    made = demonstration(tmp_path, [Click(Point(0.3, 0.4)), Wait(1)])
    after = looks(tmp_path).after(made, 0)
    assert after.change is not None
    assert after.change.box is not None
    assert len(after.closer) == 2
    assert after.picture is not None
    assert number_on(decode(after.picture.data)) == 1
    other = screen(1)
    other.paste((10, 10, 10), (0, 0, 1000, 700))
    assert change_between(screen(0), other).share > 0.5


def test_the_change_is_where_most_of_it_hangs_together() -> None:
    first, second = screen(0), screen(0)
    second.paste((0, 0, 0), (700, 300, 900, 400))
    second.paste((0, 0, 0), (10, 10, 14, 14))  # a clock
    change = change_between(first, second)
    assert change.box is not None
    assert change.box.x == pytest.approx(700 / SCREEN.width, abs=0.03)
    assert change.box.right == pytest.approx(900 / SCREEN.width, abs=0.03)
    assert change_between(first, first.copy()).box is None


def test_no_later_picture_is_opened_for_what_is_shown_before(tmp_path: Path) -> None:
    made = demonstration(tmp_path)
    opened: list[str] = []

    class Source(PictureStore):
        def read(self, ref: object) -> bytes:
            opened.append(ref.name)  # type: ignore[attr-defined]
            return super().read(ref)  # type: ignore[arg-type]

    shown = StepLooks(Source(tmp_path / "pictures"))
    for place, step in enumerate(made.steps):
        opened.clear()
        shown.before(made, place)
        assert step.observation.picture is not None
        assert set(opened) <= {step.observation.picture.name}


def test_a_step_without_a_place_on_the_screen_has_no_target(tmp_path: Path) -> None:
    made: Trajectory = demonstration(tmp_path, [Click(Point(1.4, 0.2))])
    assert target_of(made.steps, 0).marked == "nothing"
