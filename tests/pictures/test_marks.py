"""Marks: every element is outlined and numbered, and no number hides another."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from workalike.core.observation import Element
from workalike.core.screen import Box
from workalike.pictures.fonts import font
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


def words(picture: Image.Image, place: tuple[int, int], said: str) -> Box:
    """Write something; where it stands."""
    draw = ImageDraw.Draw(picture)
    draw.text(place, said, fill="black", font=font(14))
    left, top, right, bottom = draw.textbbox(place, said, font=font(14))
    return Box(left / 400, top / 300, (right - left) / 400, (bottom - top) / 300)


def test_labels_leave_what_is_written_to_be_read() -> None:
    """A field at the top of the screen, a link within a sentence, and a narrow list: there is room beside each."""
    picture = Image.new("RGB", (400, 300), "white")
    draw = ImageDraw.Draw(picture)
    words(picture, (6, 4), "Search the shop")
    draw.rectangle((0, 0, 200, 26), outline="gray")
    written = [Element("searchbox", box=Box(0, 0, 0.5, 0.09), mark=1)]
    words(picture, (100, 120), "the line above")
    written.append(Element("link", box=words(picture, (100, 138), "a link"), mark=2))
    words(picture, (140, 138), " in the middle of it")
    words(picture, (100, 156), "the line below")
    rows = {number: words(picture, (20, 160 + 17 * number), f"Row {number} of them") for number in range(3, 8)}
    written += [Element("link", box=box, mark=number) for number, box in rows.items()]
    before = np.asarray(picture.convert("L")) < 100
    labelled = np.asarray(draw_marks(picture.copy(), written).convert("RGB")).astype(int)
    hidden = before & ((labelled.max(axis=2) - labelled.min(axis=2)) > 60)
    outlines = np.zeros_like(hidden)
    for one in written:
        assert one.box
        left, top = round(one.box.x * 400), round(one.box.y * 300)
        right, bottom = round(one.box.right * 400), round(one.box.bottom * 300)
        outlines[top:bottom, [left, min(399, right - 1)]] = True
        outlines[[top, min(299, bottom - 1)], left:right] = True
    assert not (hidden & ~outlines).any()


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
