"""Names are safe everywhere and never shared, whatever a task id contains."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workalike.store.names import safe_name, slug

anything = st.text(st.characters(), max_size=60)
AWKWARD = [
    "", ".", "..", "/", "a/b", "a\\b", "../../etc/passwd", "CON", "con", "nul.txt", "COM1", "LPT9.", " a", "a ", "a.",
    "A", "a", "Ä", "ä", "a\u0308", "ﬁ", "fi", "ß", "ss", "İ", "i", "a\0b", "\n", "😀", "\ud800", "-", "--",
    "x" * 10_000, "x" * 10_001, "*?<>|:\"", "~", "$HOME", "%20", "\u202egnp", "a-b", "a b", "a_b",
]  # fmt: skip


@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_every_awkward_id_makes_a_folder_of_its_own(text: str, tmp_path: Path) -> None:
    name = safe_name(text)
    (tmp_path / name).mkdir()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_no_two_awkward_ids_share_a_name_even_where_case_does_not_matter() -> None:
    assert len({safe_name(text).casefold() for text in AWKWARD}) == len(AWKWARD)


@given(anything)
def test_a_name_has_only_plain_characters_and_is_short(text: str) -> None:
    assert re.fullmatch(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?-)?[0-9a-f]{16}", safe_name(text))
    assert len(safe_name(text)) <= 65


@given(anything, anything)
@example("a/b", "a-b")
@example("Task", "task")
def test_different_texts_have_different_names(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) == (one == other)


def test_the_name_can_be_read() -> None:
    assert slug("Shopping/Café №7 …") == "shopping-cafe-no7"
    assert safe_name("hotels/17").startswith("hotels-17-")
