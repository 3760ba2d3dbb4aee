"""Texts that give away what only the annotator saw are found, and ordinary ones are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.dataset.leaks import leaks, may_leak


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the button in the red circle", [("mentions the marker", "red circle")]),
        ("marked by a red rectangle", [("mentions the marker", "red rectangle")]),
        ("the cropped image shows it", [("mentions the marker", "cropped image")]),
        ("at coordinates (0.41, 0.73)", [("mentions coordinates", "coordinates (0.41")]),
        ("Coordinates are approximately 512", [("mentions coordinates", "Coordinates are approximately 512")]),
        ("near (512, 384) on the left", [("mentions coordinates", "(512, 384)")]),
        ("at (x=0.50, y=0.25)", [("mentions coordinates", "(x=0.50, y=0.25)")]),
        ("the red-circled icon", [("mentions the marker", "red-circled")]),
        ("the icon circled in red", [("mentions the marker", "circled in red")]),
        ("the field outlined in red.", [("mentions the marker", "outlined in red")]),
        ("at x=512, y=300", [("mentions coordinates", "x=512, y=300")]),
        ("at x: 0.51 and y: 0.32", [("mentions coordinates", "x: 0.51 and y: 0.32")]),
        ("the point [0.5, 0.3]", [("mentions coordinates", "[0.5, 0.3]")]),
        ("at position 512, 300", [("mentions coordinates", "position 512, 300")]),
        ("Positioned at 0.5, 0.3", [("mentions coordinates", "Positioned at 0.5, 0.3")]),
        ("the y coordinate 300 on the left", [("mentions coordinates", "coordinate 300")]),
        ("run pyautogui.click there", [("mentions code", "pyautogui.click")]),
        ("the red dot at (100, 200)", [("mentions the marker", "red dot"), ("mentions coordinates", "(100, 200)")]),
    ],
)
def test_what_is_found(text: str, found: list[tuple[str, str]]) -> None:
    assert leaks(text) == found
    assert may_leak(f"{text}\nand much more")


@pytest.mark.parametrize(
    "text",
    [
        "the red button",
        "a required dot in the name",
        "we coordinate the work (see page 2)",
        "choose items (1, 2) and ('Save')",
        "crop the picture",
        "the year (2024)",
        "version (3.11)",
        "computer science",
        "coordinate 3 meetings",
        "sales in (2024, 2025)",
        "a list of [1, 2, 3] or [10, 20]",
        "x = 3 and y = 4",
        "position 12,000 in the queue",
        "cells highlighted in red",
        "the tired-box",
    ],
)
def test_what_is_not(text: str) -> None:
    assert leaks(text) == []


pieces = st.sampled_from(
    [
        "red ",
        "circle",
        "cropped ",
        "image",
        "oordinate",
        "s at ",
        "(0.12, 0.34)",
        "(12,34)",
        "pyautogui",
        "x",
        "red-",
        "circled in red",
        "osition",
        " ",
        "512",
        ", ",
        "300 px",
        "[",
        "]",
        "0.5",
        "x=",
        "y: ",
        " and ",
        "(",
    ]
)


@given(st.lists(pieces, max_size=6).map("".join) | st.text(max_size=50))
def test_a_closer_look_is_taken_wherever_there_is_something(text: str) -> None:
    assert may_leak(text) or not leaks(text)
