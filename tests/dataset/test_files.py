"""Files are found as a user means them, and ranges of bytes share every line out exactly once."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dataset.rows import meta, put, row
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.dataset.defects import Defect
from workalike.dataset.files import all_lines, find_files, line_at, matches, read_metadata, span_lines, spans, untold
from workalike.store.runs import RunInfo, RunWriter


def test_folders_patterns_and_the_metadata_beside(tmp_path: Path) -> None:
    put(tmp_path / "b.jsonl", row())
    put(tmp_path / "a.jsonl", row())
    put(tmp_path / "meta_data_merged.jsonl", meta())
    (tmp_path / "notes.txt").write_text("no rows")
    found = find_files([tmp_path])
    assert [file.name for file in found.rows] == ["a.jsonl", "b.jsonl"]
    assert [file.name for file in found.metadata] == ["meta_data_merged.jsonl"]
    assert find_files([str(tmp_path / "[ab].jsonl")]) == found
    assert find_files([tmp_path / "a.jsonl"]).metadata == found.metadata
    other = put(tmp_path / "mine.json", meta("x"))
    assert find_files([tmp_path / "a.jsonl"], [other]).metadata == (other,)


def test_a_link_that_leads_nowhere_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    for name in ("round", "gone", "*"):
        with pytest.raises(BadInput, match="there is no"):
            matches(tmp_path / name)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no"):
        find_files([tmp_path / "none*.jsonl"])
    with pytest.raises(BadInput, match="no rows in"):
        find_files([tmp_path])
    put(tmp_path / "meta_data_merged.jsonl", meta())
    with pytest.raises(BadInput, match="only metadata"):
        find_files([tmp_path])
    put(tmp_path / "a.jsonl", row())
    with pytest.raises(BadInput, match="no metadata file"):
        find_files([tmp_path / "a.jsonl"], [tmp_path / "gone"])


@given(
    st.lists(st.binary(max_size=12).map(lambda data: data.replace(b"\n", b"")), max_size=12),
    st.integers(1, 20),
    st.booleans(),
)
@settings(max_examples=80)
def test_spans_share_every_line_once(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], size: int, ends: bool
) -> None:
    data = b"\n".join(parts) + (b"\n" if ends else b"")
    file = tmp_path_factory.mktemp("s") / "a.jsonl"
    file.write_bytes(data)
    found = [(at, bytes(line)) for span in spans(file, size) for at, line in span_lines(span)]
    assert b"".join(line for _, line in found) == data
    assert all(data[at : at + len(line)] == line for at, line in found)
    assert all(line.endswith(b"\n") or at + len(line) == len(data) for at, line in found)


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_packed_files_read_the_same(tmp_path: Path, ending: str) -> None:
    data = b'{"a": 1}\n\n{"a": 2}\n'
    packed = {".jsonl": data, ".jsonl.gz": gzip.compress(data), ".jsonl.zst": zstd.compress(data)}[ending]
    file = tmp_path / f"a{ending}"
    file.write_bytes(packed)
    assert [bytes(line) for span in spans(file) for _, line in span_lines(span)] == data.splitlines(keepends=True)
    assert [number for _, number, _ in all_lines([file], untold)] == [1, 3]
    assert line_at(file, 10, 9) == b'{"a": 2}\n'


def test_metadata_by_id(tmp_path: Path) -> None:
    file = put(tmp_path / "m.jsonl", meta("a", "Darwin"), meta("b", system="?", domains=["X"]), meta("a", "Windows"))
    brief, whole = read_metadata([file], untold), read_metadata([file], untold, whole=True)
    assert brief["a"].system == "macos"
    assert (brief["b"].system, brief["b"].domains) == (None, ("X",))
    assert whole["a"].rest["verify_feedback"] == {"quality": "good"}
    assert {key: (value.system, value.screen, value.quality) for key, value in brief.items()} == {
        key: (value.system, value.screen, value.quality) for key, value in whole.items()
    }


def test_odd_metadata_is_read_the_slow_way_and_bad_metadata_told(tmp_path: Path) -> None:
    file = put(tmp_path / "m.jsonl", meta("a", screen_width="1920", applications="Files"))
    assert read_metadata([file], untold)["a"].applications == ("Files",)
    put(file, meta("a"), '{"system": "Ubuntu"}\n', meta("b"))
    wrong: list[Defect] = []
    assert list(read_metadata([file], wrong.append)) == ["a", "b"]
    assert [(defect.kind, defect.line) for defect in wrong] == [("unreadable metadata", 2)]


def test_a_run_is_not_taken_for_rows(tmp_path: Path) -> None:
    """Its tasks and keys are lines of JSON, too."""
    with RunWriter(tmp_path / "run", RunInfo("r", "", {}), [Task("t", "do")], [Key("t")]):
        pass
    with pytest.raises(BadInput, match="is a run and holds no rows; `workalike dataset export` makes some of it"):
        find_files([tmp_path / "run"])
