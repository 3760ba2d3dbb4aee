"""A folder kept like another: whatever is appended, replaced or cut, in pieces of any size."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.cluster.folders import FolderCopy, apply_changes
from workalike.cluster.wire import FileChange
from workalike.core.errors import Infrastructure

CHANGES = st.tuples(
    st.sampled_from(["a", "b", "sub/c"]), st.sampled_from(["append", "replace"]), st.binary(max_size=40)
)


@given(st.lists(st.lists(CHANGES, max_size=4), max_size=5), st.integers(1, 50))
def test_the_copy_is_like_the_folder_after_every_look(rounds: list[list[tuple[str, str, bytes]]], most: int) -> None:
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        here, there = Path(one), Path(other)
        copy = FolderCopy(here)
        for changes in rounds:
            for name, how, data in changes:
                path = here / name
                path.parent.mkdir(exist_ok=True)
                if how == "append":
                    with open(path, "ab") as file:
                        file.write(data)
                else:
                    (here / ".new").write_bytes(data)
                    (here / ".new").replace(path)
            while told := copy.changes(most):
                apply_changes(there, told)
            assert _read(there) == _read(here)


def _read(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../../x", ""])
def test_a_name_outside_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Infrastructure, match="outside"):
        apply_changes(tmp_path / "job", (FileChange(name, 0, b"x"),))
