"""People label: what a label must be, who gets which case next, and that a table gives back what was put into it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workalike.core.errors import BadInput
from workalike.core.label import Label
from workalike.verify.labelling import LabelBook, LabelForm, LabelQueue, label_of, person_name
from workalike.verify.labels import people_labels, read_table, write_labels, write_table

CASES = [f"case-{number}" for number in range(6)]
PASS = LabelForm(True, 0.9, reason="All of it was done.")
FAIL = LabelForm(False)


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _queue(folder: Path, clock: _Clock | None = None) -> tuple[LabelBook, LabelQueue]:
    book = LabelBook(folder)
    return book, LabelQueue(book, lambda: CASES, clock or _Clock())


def test_a_label_is_kept_as_it_was_given_and_can_be_taken_back(tmp_path: Path) -> None:
    book = LabelBook(tmp_path)
    book.put("case-1", "Ann", PASS)
    (label,) = people_labels(tmp_path)
    assert (label.trajectory, label.labeller, label.success, label.process) == ("case-1", "Ann", True, 0.9)
    assert (label.reason, label.refused, label.blind) == ("All of it was done.", False, True)
    assert label.time
    book.take_back("case-1", "Ann")
    assert people_labels(tmp_path) == []
    (file,) = tmp_path.rglob("labels/*.jsonl")
    assert file.read_text().count("All of it was done.") == 1, "the label stays in the file"
    with pytest.raises(BadInput, match="nothing to take back"):
        book.take_back("case-1", "Ann")


def test_two_people_at_once_get_different_cases_and_each_case_two_labels(tmp_path: Path) -> None:
    book, queue = _queue(tmp_path)
    seen: dict[str, list[str]] = {"Ann": [], "Bob": []}
    for _ in CASES:
        dealt = {name: queue.deal(name) for name in seen}
        assert dealt["Ann"] != dealt["Bob"] or len(seen["Ann"]) == len(CASES) - 1
        for name, case in dealt.items():
            assert case is not None
            seen[name].append(case)
            book.put(case, name, PASS)
            queue.done(name, case)
    assert sorted(seen["Ann"]) == sorted(seen["Bob"]) == CASES
    assert [queue.deal(name) for name in ("Ann", "Bob", "Cid")] == [None, None, None]
    assert book.counts(CASES).enough == len(CASES)


def test_a_third_person_gets_what_only_one_has_labelled(tmp_path: Path) -> None:
    book, queue = _queue(tmp_path)
    for case in CASES[:4]:
        book.put(case, "Ann", PASS)
        book.put(case, "Bob", FAIL)
    book.put(CASES[5], "Ann", PASS)
    assert queue.deal("Cid") == CASES[5], "pairs are finished first"
    assert queue.deal("Ann") == CASES[4]


def test_the_last_case_is_dealt_to_both_where_there_is_no_other(tmp_path: Path) -> None:
    book, queue = _queue(tmp_path)
    for case in CASES[1:]:
        book.put(case, "Ann", PASS)
        book.put(case, "Bob", PASS)
    assert queue.deal("Ann") == queue.deal("Bob") == CASES[0]


def test_what_somebody_has_before_them_stays_theirs_until_they_are_gone(tmp_path: Path) -> None:
    clock = _Clock()
    _, queue = _queue(tmp_path, clock)
    assert [queue.deal("Ann"), queue.deal("Ann"), queue.deal("Bob")] == [CASES[0], CASES[0], CASES[1]]
    clock.now = 1000.0
    assert queue.deal("Cid") == CASES[0], "nothing was heard of Ann for a quarter of an hour"


def test_what_is_skipped_comes_again_when_all_others_are_done(tmp_path: Path) -> None:
    book, queue = _queue(tmp_path)
    first = queue.deal("Ann")
    dealt = [queue.deal("Ann", skip=first)]
    for _ in CASES[2:]:
        assert dealt[-1] is not None
        book.put(dealt[-1], "Ann", PASS)
        queue.done("Ann", dealt[-1])
        dealt.append(queue.deal("Ann"))
    assert first not in dealt
    assert dealt[-1] is not None
    book.put(dealt[-1], "Ann", PASS)
    assert queue.deal("Ann") == first


def test_truth_is_nobodys_label_and_one_person_is_one_in_any_letters(tmp_path: Path) -> None:
    write_labels(tmp_path, [Label(case, True) for case in CASES], "test")
    book, queue = _queue(tmp_path)
    assert book.labellers() == {}
    assert queue.deal("Ann") == CASES[0]
    book.put(CASES[0], "Ann", PASS)
    assert book.known_as(" aNN ") == "Ann"


@pytest.mark.parametrize("name", ["", "   ", "truth", "Majority", "x" * 61, "a\x00b", "a\u202eb", 7, None])
def test_a_name_that_is_none_is_refused(name: object) -> None:
    with pytest.raises(BadInput):
        person_name(name)


@pytest.mark.parametrize("process", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_score_is_from_0_to_1(tmp_path: Path, process: float) -> None:
    with pytest.raises(BadInput, match="from 0 to 1"):
        LabelBook(tmp_path).put("case", "Ann", LabelForm(True, process))
    assert list(tmp_path.iterdir()) == []


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=60)
@given(
    st.lists(
        st.builds(
            LabelForm,
            st.sampled_from([True, False, None]),
            st.none() | st.floats(0, 1).map(lambda score: round(score, 3)),
            st.booleans(),
            _TEXTS.map(str.strip),
            st.booleans(),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_a_table_gives_back_what_was_labelled(tmp_path_factory: pytest.TempPathFactory, forms: list[LabelForm]) -> None:
    folder = tmp_path_factory.mktemp("table")
    given = [label_of(f"case-{number}", "Ann Lee", form) for number, form in enumerate(forms)]
    write_table(folder / "labels.csv", given)
    untold = {"blind": None, "time": ""}
    expected = [msgspec.structs.replace(label, reason=_read(label.reason), **untold) for label in given]
    assert read_table(folder / "labels.csv") == expected


def _read(text: str) -> str:
    """A cell as it is read: every line's end is one sign, and its ends are without blanks."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


@settings(max_examples=40)
@given(st.binary(max_size=300) | _TEXTS.map(lambda text: ("trajectory,label,process\n" + text).encode()))
def test_any_table_is_read_or_refused_in_a_sentence(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "labels.csv"
    path.write_bytes(data)
    try:
        labels = read_table(path)
    except BadInput as error:
        assert "\n" not in str(error).strip()
    else:
        assert all(isinstance(label, Label) for label in labels)
