"""Pictures are kept once by content, and read from wherever they lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.store.zips import write_volumes
from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.core.screen import Size
from workalike.store.pictures import FirstOf, FolderPictures, PictureSource, PictureStore, open_pictures

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
JPG = b"\xff\xd8\xff" + b"jpeg"


def test_a_picture_is_kept_once_and_comes_back(tmp_path: Path) -> None:
    store = PictureStore(tmp_path / "pictures")
    ref = store.put(PNG, Size(8, 4))
    assert ref == ImageRef.of(PNG, Size(8, 4))
    path = store.path(ref)
    assert path == tmp_path / "pictures" / ref.name[:2] / ref.name
    before = path.stat()
    for again in (store, PictureStore(store.root)):
        assert again.put(PNG, Size(8, 4)) == ref
        assert again.read(ref) == PNG
    after = path.stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert os.listdir(store.root / "incoming") == []


def test_what_a_killed_writer_left_is_tidied_away(tmp_path: Path) -> None:
    store = PictureStore(tmp_path)
    ref = store.put(PNG)
    (tmp_path / "incoming" / ".half.png.0123.tmp").write_bytes(PNG[:9])
    assert store.tidy() == 1
    assert store.read(ref) == PNG


def test_a_picture_that_is_missing_or_changed_is_damaged(tmp_path: Path) -> None:
    store = PictureStore(tmp_path)
    ref = store.put(PNG)
    store.path(ref).write_bytes(PNG[:-1] + b"?")
    with pytest.raises(Damaged, match="is not the picture it should be: its hash differs"):
        store.read(ref)
    store.path(ref).unlink()
    assert not store.has(ref)
    with pytest.raises(Damaged, match=f"the picture {ref.name} is missing: there is no {store.path(ref)}"):
        store.read(ref)


@pytest.mark.parametrize("name", ["../../etc/passwd", "a.png", "", "/etc/passwd", "0" * 64, "0" * 64 + ".p/g"])
def test_a_name_cannot_lead_out_of_the_store(tmp_path: Path, name: str) -> None:
    store = PictureStore(tmp_path)
    assert not store.has(ImageRef(name))
    with pytest.raises(BadInput, match="is not the name of a picture kept by its content"):
        store.read(ImageRef(name))


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "a/../../secret.png", "", ".", "a\0b"])
def test_a_name_cannot_lead_out_of_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "images").mkdir()
    with pytest.raises(Damaged, match="leads out of"):
        FolderPictures(tmp_path / "images").read(ImageRef(name))


def test_a_folder_gives_pictures_by_name_and_by_content(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.png").write_bytes(PNG)
    ref = PictureStore(tmp_path).put(JPG)
    folder = FolderPictures(tmp_path)
    assert folder.read(ImageRef("sub/a.png")) == PNG
    assert folder.read(ref) == JPG
    assert folder.has(ref)
    assert not folder.has(ImageRef("b.png"))
    with pytest.raises(Damaged, match=r"the picture b\.png is missing"):
        folder.read(ImageRef("b.png"))
    with pytest.raises(Damaged, match="its hash differs"):
        folder.read(ImageRef("sub/a.png", sha256="0" * 64))
    with pytest.raises(Damaged, match="cannot be read"):
        folder.read(ImageRef("sub"))
    with pytest.raises(BadInput, match="there is no folder"):
        FolderPictures(tmp_path / "no")


def test_every_kind_of_path_opens(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.png").write_bytes(PNG)
    archives = tmp_path / "archives"
    archives.mkdir()
    write_volumes(archives / "images.zip", {"images/a.png": PNG}, (10, 100))
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_bytes(b"{}")
    kept = PictureStore(run / "pictures").put(PNG)
    for path in (folder, archives, archives / "images.zip", archives / "images.z01"):
        source = open_pictures(path)
        assert isinstance(source, PictureSource)
        assert source.read(ImageRef("a.png")) == PNG
    assert open_pictures(run).read(kept) == PNG
    both = open_pictures(run, folder)
    assert both.read(kept) == both.read(ImageRef("a.png")) == PNG
    for wrong in (tmp_path / "no", tmp_path / "no.zip"):
        with pytest.raises(BadInput, match="there is no"):
            open_pictures(wrong)


def test_of_several_sources_the_first_that_has_it_gives_it(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, data in ((one, PNG), (two, JPG)):
        folder.mkdir()
        (folder / "a.png").write_bytes(data)
    (two / "b.png").write_bytes(PNG)
    both = FirstOf(FolderPictures(one), FolderPictures(two))
    assert both.read(ImageRef("a.png")) == PNG
    assert both.read(ImageRef("b.png")) == PNG
    assert both.has(ImageRef("b.png"))
    assert not both.has(ImageRef("c.png"))
    with pytest.raises(Damaged, match=r"c\.png is missing.* · .*c\.png is missing"):
        both.read(ImageRef("c.png"))
