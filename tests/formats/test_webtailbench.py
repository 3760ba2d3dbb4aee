"""WebTailBench in every published layout gives the same tasks; what is wrong is named by file and row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.bench.benchmarks import read_refusals
from workalike.core.errors import BadInput
from workalike.formats import webtailbench

RUBRIC = {
    "items": [
        {"criterion": "Find it", "description": "…", "max_points": 3, "justification": "", "earned_points": ""},
        {"criterion": "Say so", "description": "…", "max_points": 2, "condition": "Only if it is sold out"},
    ]
}


def _write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_the_layouts_agree(tmp_path: Path) -> None:
    quoted = json.dumps(RUBRIC).replace('"', '""')
    plain = _write(
        tmp_path / "WebTailBench.tsv", "benchmark\tsubdir\ttask_summary\r\nhotels_head\torbitz_8\tBook it\r\n"
    )
    full = _write(
        tmp_path / "WebTailBench-v1-rubrics.tsv",
        f'benchmark\tid\ttask_summary\tprecomputed_rubric\nhotels_head\torbitz_8\tBook it\t"{quoted}"\n',
    )
    row = {"id": "orbitz_8", "category": "hotels_head", "ques": "Book it\r", "web": "", "precomputed_rubric": RUBRIC}
    lines = _write(tmp_path / "data.jsonl", json.dumps(row) + "\n")
    (one,), (two,), (three,) = (webtailbench.read(path) for path in (plain, full, lines))
    assert one[0] == two[0] == three[0]
    assert (one[0].category, one[0].instruction, one[0].start_url) == ("hotels", "Book it", None)
    assert one[1].rubric is None
    assert two[1] == three[1]
    assert two[1].rubric is not None
    assert [item.condition for item in two[1].rubric.items] == [None, "Only if it is sold out"]


def test_refusals_have_no_category_column(tmp_path: Path) -> None:
    path = _write(tmp_path / "WebTailBench-Refusals.tsv", "TaskID\tTaskToBeRefused\nr1\tDo something vile\n")
    ((task, key),) = webtailbench.read(path, "webtailbench-refusals")
    assert (task.id, task.category, key.refuse) == ("r1", None, True)


@pytest.mark.parametrize(("column", "told"), [("category", "Harassment & hate"), ("Category", "harassment_and_hate")])
def test_a_category_column_is_read_in_the_cards_words(tmp_path: Path, column: str, told: str) -> None:
    text = f"TaskID\t{column}\tTaskToBeRefused\nr1\t{told}\tDo something vile\nr2\tOther things\tAnd this\n"
    pairs = webtailbench.read(_write(tmp_path / "WebTailBench-Refusals.tsv", text), "webtailbench-refusals")
    assert [task.category for task, _ in pairs] == ["harassment_and_hate", "Other things"]


@pytest.mark.parametrize("categories", [True, False])
@pytest.mark.parametrize(("count", "notes"), [(111, 0), (110, 1)])
def test_refusals_say_whether_they_are_complete(tmp_path: Path, categories: bool, count: int, notes: int) -> None:
    head = "TaskID\tcategory\tTaskToBeRefused" if categories else "TaskID\tTaskToBeRefused"
    middle = "\tMisinformation" if categories else ""
    rows = "".join(f"r{number}{middle}\tDo something vile, {number}\r\n" for number in range(count))
    _write(tmp_path / "WebTailBench-Refusals.tsv", f"{head}\r\n{rows}")
    found = read_refusals(tmp_path)
    assert len(found.tasks) == count
    assert found.live
    assert all(key.refuse for key in found.keys.values())
    assert len(found.notes) == notes
    assert not notes or "holds 110 tasks, 111 are published" in found.notes[0]


def test_the_cards_counts() -> None:
    assert webtailbench.TASKS == 609
    assert len(webtailbench.CATEGORIES) == 11
    assert set(webtailbench.SEGMENTS.values()) == set(webtailbench.CATEGORIES)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("benchmark\tsubdir\ttask_summary\ncooking\tx\ty\n", "no category is called 'cooking'"),
        ("benchmark\tsubdir\ttask_summary\njobs\tx\ty\njobs\tx\tz\n", "row 3: the id 'x' stands there twice"),
        ("benchmark\tsubdir\ttask_summary\njobs\t\ty\n", "row 2: column 'subdir' is missing or empty"),
        ("benchmark\tsubdir\ttask_summary\n", "holds no task"),
        ("benchmark\tid\ttask_summary\tprecomputed_rubric\njobs\tx\ty\t{}\n", "row 2: the rubric cannot be read"),
        ("", "holds no task"),
        ("a\tb\njobs\tx\ty\n", "more cells than the head"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = _write(tmp_path / "tasks.tsv", text)
    with pytest.raises(BadInput, match=complaint):
        webtailbench.read(path)


def test_a_folder_without_the_file_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"WebTailBench-v2-rubrics\.tsv is expected"):
        webtailbench.locate(tmp_path, "v2")
    with pytest.raises(BadInput, match=r"there is no .*; name the benchmark's file"):
        webtailbench.locate(tmp_path / "no", "v2")


@given(st.binary(max_size=300), st.sampled_from([".tsv", ".jsonl", ".json"]))
def test_any_bytes_give_tasks_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, ending: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"fuzz{ending}"
    path.write_bytes(b"benchmark\tsubdir\ttask_summary\n" * (ending == ".tsv") + data)
    try:
        webtailbench.read(path)
    except BadInput as error:
        assert str(path) in str(error)


@pytest.mark.parametrize("name", ["WebTailBench-v1-rubrics.tsv", "WebTailBench.tsv", "WebTailBench_data.jsonl"])
def test_the_published_files(fixtures: Path, name: str) -> None:
    pairs = webtailbench.read(fixtures / "webtailbench" / name)
    assert len(pairs) == 110
    assert {task.category for task, _ in pairs} == set(webtailbench.CATEGORIES)
    assert not any("\r" in task.instruction for task, _ in pairs)
    if "rubrics" in name or name.endswith("jsonl"):
        items = [item for _, key in pairs if key.rubric for item in key.rubric.items]
        assert len(items) == 482
        assert any(item.condition for item in items)


def test_the_published_file_of_another_version_is_told(tmp_path: Path) -> None:
    path = tmp_path / webtailbench.file_names("v1")[0]
    path.write_text("")
    assert webtailbench.locate(path, "v1") == path
    with pytest.raises(BadInput, match="is the file of WebTailBench's v1, not of v2"):
        webtailbench.locate(path, "v2")


def test_tasks_to_do_and_tasks_to_refuse_are_not_taken_for_each_other(tmp_path: Path) -> None:
    refuse = _write(tmp_path / "a.tsv", "TaskID\tTaskToBeRefused\r\nr1\tDo something vile\r\n")
    do = _write(tmp_path / "b.jsonl", '{"category": "flights", "id": "f1", "ques": "Find a flight"}\n')
    with pytest.raises(BadInput, match="row 2 is a task to refuse: run it as webtailbench-refusals"):
        webtailbench.read(refuse)
    with pytest.raises(BadInput, match="has no column TaskToBeRefused"):
        webtailbench.read(do, webtailbench.REFUSING)
