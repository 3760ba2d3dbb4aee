"""The page that shows one trajectory in every form is what the code makes today."""

from __future__ import annotations

from pathlib import Path

from tests.dataset.side_by_side import page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "formats-side-by-side.md"


def test_the_page_is_true() -> None:
    assert PAGE.read_text() == page()
