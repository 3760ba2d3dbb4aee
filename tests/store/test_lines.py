"""JSON lines are streamed, and what is wrong with them is said with file, line and remedy."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest
from backports import zstd

from workalike.core.errors import BadInput, Damaged
from workalike.core.task import Task
from workalike.store import lines
from workalike.store.lines import Lines, encode, is_json, raw_lines, read_json, whole_lines

TASKS = [Task("a", "do this"), Task("b", "do that")]
DATA = b"".join(map(encode, TASKS))


def _write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def _pack(data: bytes, ending: str) -> bytes:
    return gzip.compress(data) if ending == ".gz" else zstd.compress(data) if ending == ".zst" else data


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_plain_gzip_and_zstd_are_told_by_their_ending(tmp_path: Path, ending: str) -> None:
    path = _write(tmp_path / f"tasks.jsonl{ending}", _pack(DATA, ending))
    assert list(Lines[Task](path, Task)) == [(1, TASKS[0]), (2, TASKS[1])]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_a_packed_file_in_several_parts_is_read_to_its_end(tmp_path: Path, ending: str) -> None:
    path = _write(tmp_path / f"t{ending}", b"".join(_pack(encode(task), ending) for task in TASKS))
    assert [task for _, task in Lines[Task](path, Task)] == TASKS


def _with_window(path: Path, log: int) -> Path:
    options: dict[int, int] = {
        zstd.CompressionParameter.window_log: log,
        zstd.CompressionParameter.enable_long_distance_matching: 1,
    }
    stream = zstd.ZstdCompressor(options=options)
    return _write(path, stream.compress(DATA) + stream.flush())


def test_zstd_with_a_long_window_is_read(tmp_path: Path) -> None:
    path = _with_window(tmp_path / "t.zst", 27)
    assert [task for _, task in Lines[Task](path, Task)] == TASKS


def test_zstd_with_a_window_that_fills_the_memory_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = _with_window(tmp_path / "t.zst", 28)
    with pytest.raises(Damaged, match=r"more than 128 MB of memory to unpack; unpack it by `zstd -d --long=31`"):
        list(Lines[Task](path, Task))


def test_an_unfinished_last_line_is_dropped_and_counted(tmp_path: Path) -> None:
    path = _write(tmp_path / "t.jsonl", DATA + b'{"id":"c","ins')
    lines = Lines[Task](path, Task)
    assert [task for _, task in lines] == TASKS
    assert lines.dropped == 14


def test_a_whole_last_line_counts_without_its_line_end(tmp_path: Path) -> None:
    lines = Lines[Task](_write(tmp_path / "t.jsonl", DATA.rstrip(b"\n")), Task)
    assert [task for _, task in lines] == TASKS
    assert lines.dropped == 0


def test_a_file_written_whole_must_not_end_in_an_unfinished_line(tmp_path: Path) -> None:
    path = _write(tmp_path / "t.jsonl", DATA + b'{"id"')
    with pytest.raises(Damaged, match="its last line is cut short; fetch it again"):
        list(whole_lines(path, Task))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{]", "malformed"),
        (b'{"id":1}', "Expected `str`, got `int` - at `$.id`"),
        (b'{"id":"a"}', "missing required field `instruction`"),
        (b'{"id":"a","instruction":"\xff"}', "not UTF-8"),
        (b'{"extra":{"a":' + b"[" * 100_000, "nested too deep"),
        (b"\x00\x00", "malformed"),
    ],
    ids=range(6),
)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, reason: str) -> None:
    path = _write(tmp_path / "t.jsonl", encode(TASKS[0]) + line + b"\n" + encode(TASKS[1]))
    with pytest.raises(Damaged) as caught:
        list(Lines[Task](path, Task))
    said = str(caught.value)
    assert said.startswith(f"{path}, line 2: ")
    assert reason in said
    assert said.endswith("; mend it by hand or restore it from a copy")


@pytest.mark.parametrize("ending", [".gz", ".zst"])
@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_a_packed_file_cut_short_or_of_another_kind_is_damaged(tmp_path: Path, ending: str, keep: float) -> None:
    data = _pack(DATA * 500, ending)
    path = _write(tmp_path / f"t{ending}", data[: int(len(data) * keep)] if keep else b"not packed at all\n")
    with pytest.raises(Damaged, match=r"unreadable after line .*; fetch or make it again"):
        list(Lines[Task](path, Task))


def test_a_file_that_is_not_there_is_the_users_mistake(tmp_path: Path) -> None:
    for path in (tmp_path / "no.jsonl", tmp_path / "no.gz", tmp_path / "no.zst"):
        with pytest.raises(BadInput, match=f"there is no file {path}"):
            list(raw_lines(path))
    with pytest.raises(BadInput, match=r"cannot read .*: is a directory"):
        list(raw_lines(tmp_path))
    with pytest.raises(BadInput, match="there is no file"):
        read_json(tmp_path / "no.json", Task)


def test_blank_lines_are_no_lines(tmp_path: Path) -> None:
    path = _write(tmp_path / "t.jsonl", encode(TASKS[0]) + b"\n \r\n" + encode(TASKS[1]) + b"\n")
    assert list(Lines[Task](path, Task)) == [(1, TASKS[0]), (4, TASKS[1])]


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    assert encode({"a\ud83d": ["x\ude00", "😀"]}) == '{"a\ufffd":["x\ufffd","😀"]}\n'.encode()


def test_what_is_not_json_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot be written as JSON"):
        encode({"a": object()})


def test_the_start_of_an_object_is_never_whole() -> None:
    line = encode(Task("a", 'say "}"', extra={"a": [1, {"b": "}]"}]})).rstrip()
    assert is_json(line)
    assert not any(is_json(line[:end]) for end in range(len(line)))


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_a_line_without_end_is_read_to_a_bound(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_LINE", 1 << 20)
    path = tmp_path / f"a.jsonl{ending}"
    kept = b'{"a": 1}\n' + b'"' + b"b" * ((1 << 20) - 3) + b'"\n'
    endless = kept + b" " * (64 << 20)
    path.write_bytes(_pack(endless, ending))
    del endless
    tracemalloc.start()
    read = raw_lines(path)
    assert [next(read), next(read)] == list(enumerate(kept.splitlines(keepends=True), 1))
    with pytest.raises(Damaged, match=r"line 3: longer than 1 MB"):
        next(read)
    assert tracemalloc.get_traced_memory()[1] < 32 << 20
    tracemalloc.stop()
