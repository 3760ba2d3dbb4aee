"""A file is replaced whole or not at all; folders are listed in order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workalike.core.errors import BadInput
from workalike.store.files import appearing, clear_temporaries, in_order, make_folder, replacing, write_file


def test_a_file_is_written_with_its_folders_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c.json"
    write_file(path, b"one")
    write_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in path.parent.iterdir()] == ["c.json"]


def test_what_fails_half_way_leaves_the_former_file(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    write_file(path, b"one")
    with pytest.raises(ZeroDivisionError), replacing(path) as file:
        file.write(b"tw"[: 1 // 0])
    assert path.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["c.json"]


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    write_file(tmp_path / "run.json", b"one", new=True)
    with pytest.raises(FileExistsError):
        write_file(tmp_path / "run.json", b"two", new=True)
    assert (tmp_path / "run.json").read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["run.json"]


def test_a_long_name_is_still_short_enough_under_its_temporary_name(tmp_path: Path) -> None:
    write_file(tmp_path / ("n" * 250), b"x")
    assert (tmp_path / ("n" * 250)).read_bytes() == b"x"


def test_a_file_where_a_folder_is_needed_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(BadInput, match="there is a file where a folder is needed; choose a folder"):
        write_file(tmp_path / "a" / "b", b"x")
    with pytest.raises(NotADirectoryError):
        make_folder(tmp_path / "a")


_FILL = """
import resource, sys
from pathlib import Path
from workalike.core.errors import Infrastructure
from workalike.store.files import write_file
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
path = Path(sys.argv[1])
write_file(path, b"small")
try:
    write_file(path, b"x" * 200_000)
except Infrastructure as error:
    print(error)
"""


def test_a_disk_that_refuses_leaves_the_former_file_and_no_temporary_one(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    said = subprocess.run([sys.executable, "-c", _FILL, path], capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"cannot write {path}: file too large; ")
    assert path.read_bytes() == b"small"
    assert os.listdir(tmp_path) == ["c.json"]


def test_names_come_in_order_whatever_their_number(tmp_path: Path) -> None:
    names = [f"{number * 7919 % 1000:03}" for number in range(100)]
    for name in names:
        (tmp_path / name).mkdir()
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / ".x.tmp").write_bytes(b"")
    for batch in (1, 3, 99, 100, 101, 1024):
        assert list(in_order(tmp_path, batch=batch)) == [*sorted(names), "file"]
        assert list(in_order(tmp_path, folders=True, batch=batch)) == sorted(names)


def test_only_temporary_files_are_cleared(tmp_path: Path) -> None:
    for name in (".a.png.123.tmp", ".b.tmp", "c.tmp", "d.png"):
        (tmp_path / name).write_bytes(b"")
    assert clear_temporaries(tmp_path) == 2
    assert sorted(os.listdir(tmp_path)) == ["c.tmp", "d.png"]
    assert clear_temporaries(tmp_path / "nowhere") == 0


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("new", "empty"):
        with appearing(tmp_path / name) as folder:
            (folder / "a").write_bytes(b"x")
            assert not (tmp_path / name / "a").exists()
        assert (tmp_path / name / "a").read_bytes() == b"x"
    with pytest.raises(ZeroDivisionError), appearing(tmp_path / "failed") as folder:
        (folder / "a").write_bytes(bytes(1 // 0))
    with pytest.raises(BadInput, match="is not an empty folder; name a new one"), appearing(tmp_path / "new"):
        pass
    assert sorted(os.listdir(tmp_path)) == ["empty", "new"]
