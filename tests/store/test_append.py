"""Appending: every finished line stays, an unfinished one is cut off, and nobody else writes meanwhile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from workalike.core.errors import BadInput, Infrastructure, InUse
from workalike.store.append import LineWriter, last_line


def test_lines_are_added_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.jsonl"
    for number in range(3):
        with LineWriter(path) as writer:
            writer.append({"n": number})
            assert path.read_bytes().endswith(b'{"n":%d}\n' % number)
    assert path.read_bytes() == b'{"n":0}\n{"n":1}\n{"n":2}\n'


@pytest.mark.parametrize(
    ("before", "after", "dropped"),
    [
        (b"", b"", 0),
        (b'{"n":0}\n', b'{"n":0}\n', 0),
        (b'{"n":0}\n{"n"', b'{"n":0}\n', 4),
        (b'{"n":0}\n{"n":1}', b'{"n":0}\n{"n":1}\n', 0),
        (b'{"n', b"", 3),
        (b'{"n":0}\n{"t":"' + b"x" * 200_000, b'{"n":0}\n', 200_006),
        (b'{"n":0}\n' + b"\0" * 5000, b'{"n":0}\n', 5000),
    ],
    ids=range(7),
)
def test_opening_mends_the_end(tmp_path: Path, before: bytes, after: bytes, dropped: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(before)
    with LineWriter(path) as writer:
        assert writer.dropped == dropped
        assert path.read_bytes() == after
        writer.append({"n": 9})
    assert path.read_bytes() == after + b'{"n":9}\n'


def test_two_writers_of_one_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with LineWriter(path), pytest.raises(InUse, match=f"{path} is being written by another process; wait for it"):
        LineWriter(path)
    LineWriter(path).close()


def test_a_closed_writer_says_so(tmp_path: Path) -> None:
    writer = LineWriter(tmp_path / "a.jsonl")
    writer.close()
    writer.close()
    with pytest.raises(Infrastructure, match="was closed"):
        writer.append({})


_FILL = """
import resource, sys
from pathlib import Path
from workalike.core.errors import Infrastructure
from workalike.store.append import LineWriter
resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))
writer, done = LineWriter(Path(sys.argv[1])), 0
try:
    while True:
        writer.append({"n": done, "text": "x" * 90})
        done += 1
except Infrastructure as error:
    print(done, error)
try:
    writer.append({})
except Infrastructure as error:
    print(error)
"""


def test_a_disk_that_refuses_leaves_every_finished_line_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    said = subprocess.run([sys.executable, "-c", _FILL, path], capture_output=True, text=True, check=True).stdout
    first, second = said.splitlines()
    done = int(first.split()[0])
    assert f"cannot write {path}: file too large" in first
    assert "a former write to it failed" in second
    assert [msgspec.json.decode(line)["n"] for line in path.read_bytes().splitlines()] == list(range(done))
    assert done > 10
    assert path.read_bytes().endswith(b"\n")


def test_the_last_finished_line_is_found_from_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    long = b'{"t":"' + b"x" * 150_000 + b'"}\n'
    cases = {
        b"": b"",
        b'{"a"': b"",
        b'{"a":1}\n': b'{"a":1}\n',
        b'{"a":1}\n{"b":2}\n': b'{"b":2}\n',
        b'{"a":1}\n{"b":2}': b'{"b":2}',
        b'{"a":1}\n{"b":': b'{"a":1}\n',
        long + b'{"b":': long,
        b'{"a":1}\n' + long: long,
    }
    for data, last in cases.items():
        path.write_bytes(data)
        assert last_line(path) == last
    with pytest.raises(BadInput, match="there is no file"):
        last_line(tmp_path / "no.jsonl")
