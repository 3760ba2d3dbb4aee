"""Texts that give away what only the annotator saw are found, and ordinary ones are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.dataset.leaks import leaks, may_leak


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
    ],
)
def test_what_is_not(text: str) -> None:
    assert leaks(text) == []


pieces = st.sampled_from(
    ["red ", "circle", "cropped ", "image", "oordinate", "s at ", "(0.12, 0.34)", "(12,34)", "pyautogui", "x"]
)


@given(st.lists(pieces, max_size=6).map("".join) | st.text(max_size=50))
def test_a_closer_look_is_taken_wherever_there_is_something(text: str) -> None:
    assert may_leak(text) or not leaks(text)
