"""Actions in plain words."""

from __future__ import annotations

from workalike.core.actions import Click
from workalike.core.observation import Element
from workalike.core.screen import Box, Point
from workalike.core.trajectory import ActionResult
from workalike.core.wording import in_words


def test_signs_of_icon_fonts_are_no_words() -> None:
    def told(name: str) -> str:
        return in_words(ActionResult(Click(Point(0.5, 0.5)), hit=Element("button", name, Box(0, 0, 0.1, 0.1))))

    assert told("\uf00d") == "Click the button."
    assert told("\uf055 Add to bag") == 'Click the button "Add to bag".'
