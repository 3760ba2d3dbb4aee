"""Marks: every element is outlined and numbered, and no number hides another."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from workalike.core.observation import Element
from workalike.core.screen import Box
from workalike.pictures.marks import COLOURS, draw_marks, place_labels

Corners = tuple[int, int, int, int]


def overlapping(places: list[tuple[int, int]], sizes: list[tuple[int, int]]) -> int:
    grid = np.zeros((900, 1440), np.int32)
    for (x, y), (wide, high) in zip(places, sizes, strict=True):
        grid[y : y + high, x : x + wide] += 1
    return int((grid > 1).sum())


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 1439), st.integers(0, 899), st.integers(1, 400), st.integers(1, 300)), max_size=60
    ),
    st.tuples(st.integers(8, 40), st.integers(8, 24)),
)
def test_labels_never_overlap_and_never_leave_the_screen(
    boxes: list[tuple[int, int, int, int]], size: tuple[int, int]
) -> None:
    corners = [(x, y, min(1440, x + wide), min(900, y + high)) for x, y, wide, high in boxes]
    sizes = [size] * len(boxes)
    places = place_labels(corners, sizes, (1440, 900))
    assert overlapping(places, sizes) == 0
    assert all(0 <= x <= 1440 - size[0] and 0 <= y <= 900 - size[1] for x, y in places)


def test_even_a_heap_of_elements_is_numbered_apart() -> None:
    corners: list[Corners] = [(700, 400, 760, 430)] * 300
    sizes = [(24, 14)] * 300
    assert overlapping(place_labels(corners, sizes, (1440, 900)), sizes) == 0


def test_a_label_stands_at_its_element_when_there_is_room() -> None:
    assert place_labels([(100, 200, 300, 250)], [(20, 14)], (1440, 900)) == [(100, 186)]
    assert place_labels([(100, 0, 300, 50)], [(20, 14)], (1440, 900)) == [(100, 0)]


def test_a_screen_without_room_still_gets_its_marks() -> None:
    assert len(place_labels([(0, 0, 5, 5)] * 9, [(6, 6)] * 9, (8, 8))) == 9


def test_marks_are_drawn_at_their_elements_and_nowhere_else() -> None:
    picture = Image.new("RGB", (400, 300), "white")
    elements = [Element("button", box=Box(0.5, 0.5, 0.25, 0.2), mark=1), Element("text", box=Box(0, 0, 1, 1))]
    drawn = draw_marks(picture, elements)
    assert drawn is picture
    assert drawn.getpixel((200, 170)) == COLOURS[1]
    assert drawn.getpixel((250, 180)) == (255, 255, 255)
    assert drawn.getpixel((100, 280)) == (255, 255, 255)


def test_boxes_at_and_over_the_edge() -> None:
    picture = Image.new("RGB", (400, 300), "white")
    for box in (Box(-0.1, -0.1, 0.3, 0.3), Box(0.9, 0.9, 0.5, 0.5), Box(1, 1, 0, 0), Box(0.5, 0.5, 0, 0)):
        assert draw_marks(picture, [Element("x", box=box, mark=12)], scale=2).size == (400, 300)
