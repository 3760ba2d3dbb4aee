"""Pictures are looked at once each; what is missing or cannot be decoded is named with its line."""

from __future__ import annotations

from pathlib import Path

from tests.dataset.browsing import picture
from tests.dataset.rows import put, row, step
from workalike.core.screen import Size
from workalike.dataset.defects import Defect
from workalike.dataset.files import find_files
from workalike.dataset.picture_check import check_pictures
from workalike.store.pictures import FolderPictures


def test_missing_and_broken_pictures(tmp_path: Path) -> None:
    images = tmp_path / "images"
    images.mkdir()
    good = picture(1, Size(40, 30))
    (images / "0.png").write_bytes(good)
    (images / "1.png").write_bytes(good[: len(good) // 2])
    (images / "3.png").write_bytes(b"not a picture")
    steps = [step(place) for place in range(4)] + [step(4, image="../0.png"), step(5, image=None)]
    found = find_files([put(tmp_path / "a.jsonl", row("a", steps), row("b", [step(0)]))])
    defects: list[Defect] = []
    survey = check_pictures(found, FolderPictures(images), sink=defects.append)
    assert survey.pictures == 5
    assert survey.unusable == {"1.png", "2.png", "3.png", "../0.png"}
    assert [(defect.kind, defect.step, defect.line) for defect in defects] == [
        ("unreadable picture", 1, 1),
        ("missing picture", 2, 1),
        ("unreadable picture", 3, 1),
        ("missing picture", 4, 1),
    ]
    quick = check_pictures(found, FolderPictures(images), decode=False)
    assert quick.defects == {"missing picture": 2}


def test_a_picture_of_a_kind_that_no_other_verb_reads_is_named(tmp_path: Path) -> None:
    images = tmp_path / "images"
    images.mkdir()
    (images / "0.png").write_bytes(b"P6 1 1 255 abc")  # a portable pixmap: Pillow reads it, the rest of the package not
    found = find_files([put(tmp_path / "a.jsonl", row("a", [step(0)]))])
    assert check_pictures(found, FolderPictures(images)).defects == {"unreadable picture": 1}
