"""Reviews: what an edit adds, that undo and redo lead where they should, and that nothing unreadable is written."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workalike.core.actions import Click, Write
from workalike.core.errors import BadInput
from workalike.core.review import (
    CAPTURED,
    DemonstrationReview,
    Revision,
    SensitiveRegion,
    StepEdit,
    check_review,
    redone,
    revised,
    undone,
)
from workalike.core.screen import Box, Point
from workalike.store import reviews

EDIT = StepEdit(deleted=True, text="Press it", actions=(Write("hi"),))
TRIMMED = DemonstrationReview(trim_start=1.0, steps={2000: EDIT})


def test_every_edit_adds_a_line_and_the_last_one_counts(tmp_path: Path) -> None:
    assert reviews.latest(tmp_path, "a") == CAPTURED
    first = reviews.revise(tmp_path, "a", TRIMMED, "Ann", "trim", 0)
    second = reviews.revise(
        tmp_path, "a", DemonstrationReview(decision="accepted", quality="good"), "Bob", "accepted", first.number
    )
    assert reviews.revisions(tmp_path, "a") == [first, second]
    assert reviews.latest(tmp_path, "b") == CAPTURED
    back = reviews.undo(tmp_path, "a", "Ann", second.number)
    assert back.review == TRIMMED
    assert reviews.redo(tmp_path, "a", "Ann", back.number).review == second.review
    (file,) = tmp_path.rglob("*.jsonl")
    assert len(file.read_text().splitlines()) == 5, "a header and four revisions"


def test_an_edit_of_what_somebody_else_edited_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    reviews.revise(tmp_path, "a", TRIMMED, "Ann", "trim", 0)
    with pytest.raises(reviews.Outdated, match="Ann has edited this review meanwhile"):
        reviews.revise(tmp_path, "a", DemonstrationReview(), "Bob", "whole", 0)
    assert len(reviews.revisions(tmp_path, "a")) == 1


def test_nothing_can_be_undone_that_was_not_done(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nothing to undo"):
        reviews.undo(tmp_path, "a", "Ann", 0)
    with pytest.raises(BadInput, match="nothing to redo"):
        reviews.redo(tmp_path, "a", "Ann", 0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "review",
    [
        DemonstrationReview(trim_start=5.0, trim_end=4.0),
        DemonstrationReview(trim_start=float("nan")),
        DemonstrationReview(trim_end=float("inf")),
        DemonstrationReview(steps={-1: StepEdit()}),
        DemonstrationReview(steps={1: StepEdit(actions=())}),
        DemonstrationReview(steps={1: StepEdit(text="x" * 20_001)}),
        DemonstrationReview(task="  "),
        DemonstrationReview(note="x" * 20_001),
        DemonstrationReview(regions=(SensitiveRegion(Box(0.5, 0.5, 0.6, 0.1)),)),
        DemonstrationReview(regions=(SensitiveRegion(Box(0.5, 0.5, 0.0, 0.1)),)),
        DemonstrationReview(regions=(SensitiveRegion(Box(0.1, 0.1, 0.1, 0.1), 5.0, 4.0),)),
        DemonstrationReview(regions=(SensitiveRegion(Box(0.1, 0.1, 0.1, 0.1)),) * 501),
    ],
)
def test_what_cannot_be_meant_is_refused_and_writes_nothing(tmp_path: Path, review: DemonstrationReview) -> None:
    with pytest.raises(BadInput):
        reviews.revise(tmp_path, "a", review, "Ann", "", 0)
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.sampled_from(["edit", "undo", "redo"]), max_size=40))
def test_undo_and_redo_go_back_and_forth_like_in_any_editor(moves: list[str]) -> None:
    history: list[Revision] = []
    done: list[DemonstrationReview] = [DemonstrationReview()]
    again: list[DemonstrationReview] = []
    for number, move in enumerate(moves):
        if move == "edit":
            history.append(revised(history, DemonstrationReview(note=str(number)), "Ann", "", move))
            done.append(DemonstrationReview(note=str(number)))
            again = []
        elif move == "undo" and len(done) > 1:
            history.append(undone(history, "Ann", ""))
            again.append(done.pop())
        elif move == "redo" and again:
            history.append(redone(history, "Ann", ""))
            done.append(again.pop())
        else:
            with pytest.raises(BadInput):
                (undone if move == "undo" else redone)(history, "Ann", "")
        assert (history or [CAPTURED])[-1].review == done[-1]
    assert [revision.number for revision in history] == list(range(1, len(history) + 1))


_MOMENTS = st.none() | st.floats(-10, 1e8)
_FRACTIONS = st.floats(0, 1.2)
_ACTIONS = st.builds(Click, st.builds(Point, _FRACTIONS, _FRACTIONS)) | st.builds(Write, st.text(max_size=5))
_REVIEWS = st.builds(
    DemonstrationReview,
    _MOMENTS,
    _MOMENTS,
    st.dictionaries(
        st.integers(-5, 10**11),
        st.builds(
            StepEdit,
            st.none() | st.booleans(),
            st.none() | st.text(max_size=8),
            st.none() | st.lists(_ACTIONS, max_size=3).map(tuple),
        ),
        max_size=4,
    ),
    st.none() | st.text(max_size=8),
    st.lists(
        st.builds(SensitiveRegion, st.builds(Box, _FRACTIONS, _FRACTIONS, _FRACTIONS, _FRACTIONS), _MOMENTS, _MOMENTS),
        max_size=3,
    ).map(tuple),
    st.sampled_from([None, "accepted", "rejected"]),
    st.sampled_from([None, "good", "fair", "poor"]),
    st.text(max_size=8),
)


@given(_REVIEWS)
def test_any_review_is_refused_in_a_sentence_or_read_back_as_it_was(review: DemonstrationReview) -> None:
    try:
        check_review(review)
    except BadInput as error:
        assert "\n" not in str(error)
    else:
        assert msgspec.json.decode(msgspec.json.encode(review), type=DemonstrationReview) == review


@settings(max_examples=30)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_line_of_a_review_is_read_or_called_damaged(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    reviews.revise(folder, "a", TRIMMED, "Ann", "trim", 0)
    (file,) = folder.rglob("*.jsonl")
    file.write_bytes(file.read_bytes() + data.replace(b"\n", b" ") + b"\n")
    try:
        found = reviews.revisions(folder, "a")
    except BadInput as error:
        assert str(file) in str(error)
    else:
        assert found[0].review == TRIMMED
