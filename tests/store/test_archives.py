"""Pictures come out of zips and split zips by name, wherever the volumes are cut; what is missing is named."""

from __future__ import annotations

import os
import pickle
import random
import shutil
import struct
import subprocess
import tracemalloc
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.programs import needs
from tests.store.spoiling import spoilt
from tests.store.zips import write_volumes
from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.store.archives import ZipPictures, last_volume
from workalike.store.pictures import open_pictures

FILES = {
    "images/a.png": b"first" * 40,
    "images/sub/b.png": bytes(range(256)) * 3,
    "images/empty.png": b"",
    "images/grüße 图.png": b"umlauts",
}


def _same(archive: ZipPictures, files: dict[str, bytes]) -> bool:
    return all(archive.read(ImageRef(name)) == data for name, data in files.items())


def _pictures(folder: Path, count: int, most: int, seed: int = 1) -> dict[str, bytes]:
    """Pictures of which some shrink when packed and some do not."""
    chance = random.Random(seed)
    folder.mkdir()
    files = {}
    for number in range(count):
        size = chance.randint(1, most)
        data = chance.randbytes(size) if number % 3 else b"abc%d" % number * (size // 5)
        (folder / f"{number}.png").write_bytes(data)
        files[f"{folder.name}/{number}.png"] = data
    return files


def _zip(folder: Path, *options: str) -> None:
    needs("zip")
    subprocess.run(["zip", "-q", *options], cwd=folder, check=True)


@pytest.mark.parametrize("level", ["-0", "-1", "-fz"])
def test_archives_of_the_real_tool_in_twenty_volumes(tmp_path: Path, level: str) -> None:
    files = _pictures(tmp_path / "images", 60, 60_000)
    _zip(tmp_path, "-r", "-s", "64k", level, "pictures.zip", "images")
    archive = ZipPictures(tmp_path / "pictures.zip", check=True)
    assert archive.index.volumes >= 18
    assert sorted(archive.names()) == sorted(files)
    assert _same(archive, files)
    assert _same(ZipPictures(tmp_path / "pictures.zip"), files)


def test_over_a_hundred_volumes(tmp_path: Path) -> None:
    files = _pictures(tmp_path / "images", 110, 130_000)
    _zip(tmp_path, "-r", "-0", "-s", "64k", "pictures.zip", "images")
    assert (tmp_path / "pictures.z100").is_file()
    assert _same(ZipPictures(tmp_path / "pictures.zip"), files)


@given(cuts=st.lists(st.integers(1, 2200), max_size=12).map(tuple), deflate=st.booleans(), zip64=st.booleans())
@example(cuts=tuple(range(1, 2200)), deflate=False, zip64=False)
@example(cuts=tuple(range(1, 2200, 7)), deflate=True, zip64=True)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_volumes_may_be_cut_anywhere(tmp_path: Path, cuts: tuple[int, ...], deflate: bool, zip64: bool) -> None:
    folder = tmp_path / "cut"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    write_volumes(folder / "a.zip", FILES, cuts, deflate=deflate, zip64=zip64)
    archive = ZipPictures(folder / "a.zip")
    assert _same(archive, FILES)
    archive.close()


def test_zip64_by_number_of_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(70_000):
            archive.writestr(f"{number}.png", b"%d" % number)
    pictures = ZipPictures(tmp_path / "many.zip")
    assert pictures.index.entries == 70_000
    assert all(pictures.read(ImageRef(f"{number}.png")) == b"%d" % number for number in range(0, 70_000, 997))


def test_a_missing_volume_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    files = {f"{number}.png": random.Random(number).randbytes(1000) for number in range(20)}
    write_volumes(tmp_path / "images.zip", files, tuple(range(1500, 20_000, 3000)))
    (tmp_path / "images.z03").unlink()
    archive = ZipPictures(tmp_path / "images.zip")
    assert archive.missing() == [tmp_path / "images.z03"]
    with pytest.raises(Damaged) as caught:
        _same(archive, files)
    assert str(caught.value) == (
        f"images.z03, volume 3 of 8, is missing in {tmp_path}; fetch it and put it beside the others"
    )
    readable = [name for name in files if archive.has(ImageRef(name))]
    assert 16 <= len(readable) <= 18
    good = [name for name in readable if _reads(archive, name)]
    assert len(readable) - len(good) <= 1  # one begins before the missing volume and goes on in it


def _reads(archive: ZipPictures, name: str) -> bool:
    try:
        archive.read(ImageRef(name))
    except Damaged:
        return False
    return True


def test_the_last_volume_is_asked_for_by_name(tmp_path: Path) -> None:
    write_volumes(tmp_path / "images.zip", FILES, (100,))
    (tmp_path / "images.zip").unlink()
    with pytest.raises(BadInput, match=r"images\.zip, the last volume, with the table of contents, is missing in"):
        last_volume(tmp_path / "images.z01")
    with pytest.raises(BadInput, match="there is no archive"):
        ZipPictures(tmp_path / "other.zip")


@pytest.mark.parametrize("cut_at", [0, 1, 50, 400])
def test_a_volume_cut_short_is_damage_and_never_another_picture(tmp_path: Path, cut_at: int) -> None:
    files = {f"{number}.png": random.Random(number).randbytes(300) for number in range(20)}
    write_volumes(tmp_path / "images.zip", files, (1000, 3000, 5000))
    volume = tmp_path / "images.z02"
    volume.write_bytes(volume.read_bytes()[:cut_at])
    archive = ZipPictures(tmp_path / "images.zip")
    good = [name for name in files if _reads(archive, name)]
    assert len(good) <= 15
    assert _same(archive, {name: files[name] for name in good})


def test_the_index_is_kept_and_made_again_when_the_archive_changes(tmp_path: Path) -> None:
    path, beside = tmp_path / "a.zip", tmp_path / "a.zip.index"
    write_volumes(path, FILES)
    ZipPictures(path)
    first = beside.stat().st_ino
    assert _same(ZipPictures(path), FILES)
    assert beside.stat().st_ino == first
    write_volumes(path, {"images/c.png": b"new"})
    assert _same(ZipPictures(path), {"images/c.png": b"new"})
    assert beside.stat().st_ino != first
    os.utime(path, ns=(1, 1))
    second = beside.stat().st_ino
    ZipPictures(path)
    assert beside.stat().st_ino != second


@pytest.mark.parametrize("spoil", [b"", b"{}\n", b"\0" * 4096, b'{"format":99}\n', b"no line end"], ids=range(5))
def test_a_spoilt_index_is_made_again(tmp_path: Path, spoil: bytes) -> None:
    path = tmp_path / "a.zip"
    write_volumes(path, FILES)
    ZipPictures(path)
    good = (tmp_path / "a.zip.index").read_bytes()
    for bad in (spoil, good[:-1], good + b"x"):
        (tmp_path / "a.zip.index").write_bytes(bad)
        assert _same(ZipPictures(path), FILES)
        assert (tmp_path / "a.zip.index").read_bytes() == good


def test_an_archive_in_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    write_volumes(path, FILES)
    (tmp_path / "a.zip.index").mkdir()  # nobody, not even root, can replace a folder by a file
    assert _same(ZipPictures(path), FILES)


def test_a_picture_is_found_by_the_end_of_its_name(tmp_path: Path) -> None:
    write_volumes(tmp_path / "a.zip", {**FILES, "x/dup.png": b"1", "y/dup.png": b"2", "top.png": b"3"})
    archive = ZipPictures(tmp_path / "a.zip")
    assert archive.read(ImageRef("a.png")) == FILES["images/a.png"]
    assert archive.read(ImageRef("sub/b.png")) == FILES["images/sub/b.png"]
    assert archive.read(ImageRef("my/images/top.png")) == b"3"
    assert archive.read(ImageRef("y/dup.png")) == b"2"
    with pytest.raises(Damaged, match=r"'dup\.png' could be any of 2 pictures in .* \(x/dup\.png, y/dup\.png, …\)"):
        archive.read(ImageRef("dup.png"))
    with pytest.raises(Damaged, match=r"other/b\.png is not among the 7 files in"):
        archive.read(ImageRef("other/b.png"))
    assert not archive.has(ImageRef("z.png"))
    with pytest.raises(Damaged, match="its hash differs"):
        archive.read(ImageRef("a.png", sha256="0" * 64))


def test_of_equal_names_the_later_file_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.png", b"first")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.png", b"second")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.png", b"third")
    pictures = ZipPictures(tmp_path / "a.zip")
    assert pictures.read(ImageRef("a.png")) == b"third"


@pytest.mark.parametrize(
    ("options", "reason"),
    [(("-P", "secret"), "is encrypted"), (("-Z", "bzip2"), "is compressed by method 12")],
)
def test_what_cannot_be_unpacked_is_said(tmp_path: Path, options: tuple[str, ...], reason: str) -> None:
    (tmp_path / "a.png").write_bytes(b"abc" * 1000)
    _zip(tmp_path, *options, "a.zip", "a.png")
    with pytest.raises(BadInput, match=rf"a\.png in .* {reason}; unpack the archive and name the folder instead"):
        ZipPictures(tmp_path / "a.zip").read(ImageRef("a.png"))


def test_a_flipped_bit_is_found_when_checking(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    write_volumes(path, FILES)
    data = bytearray(path.read_bytes())
    data[data.index(b"firstfirst") + 3] ^= 1
    path.write_bytes(data)
    with pytest.raises(Damaged, match=r"the picture images/a\.png in .* is damaged: .*; fetch a\.zip again"):
        ZipPictures(path, check=True).read(ImageRef("a.png"))


def test_an_archive_of_nothing(tmp_path: Path) -> None:
    write_volumes(tmp_path / "a.zip", {})
    archive = ZipPictures(tmp_path / "a.zip")
    assert list(archive.names()) == []
    assert not archive.has(ImageRef("a.png"))


def test_names_in_the_code_page_of_dos(tmp_path: Path) -> None:
    write_volumes(tmp_path / "a.zip", {"gr__e.png": b"x"})
    data = (tmp_path / "a.zip").read_bytes().replace(b"gr__e.png", b"gr\x81\xe1e.png").replace(b"\0\x08", b"\0\0")
    (tmp_path / "a.zip").write_bytes(data)
    assert list(ZipPictures(tmp_path / "a.zip").names()) == ["grüße.png"]


def test_threads_and_copies_read_at_once(tmp_path: Path) -> None:
    files = {f"{number}.png": random.Random(number).randbytes(5000) for number in range(40)}
    write_volumes(tmp_path / "a.zip", files, tuple(range(7000, 200_000, 7000)))
    archive = ZipPictures(tmp_path / "a.zip")
    names = [*files] * 5
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda name: archive.read(ImageRef(name)), names))
    assert found == [files[name] for name in names]
    assert _same(pickle.loads(pickle.dumps(archive)), files)


def _fuzz(tmp_path: Path, times: int, zip64: bool) -> int:
    path = tmp_path / "a.zip"
    write_volumes(path, FILES, deflate=True, zip64=zip64)
    (tmp_path / "a.zip.index").mkdir()  # so that the index of every try lives in memory, which is quicker
    good, wrong = path.read_bytes(), 0
    for seed in range(times):
        path.write_bytes(spoilt(good, random.Random(seed)) if seed > len(good) else good[:seed])
        try:
            archive = ZipPictures(path, check=True)
            for name, data in FILES.items():
                if archive.has(ImageRef(name)):
                    assert archive.read(ImageRef(name)) in FILES.values() or not data
            archive.close()
        except BadInput:
            wrong += 1
    return wrong


@pytest.mark.parametrize("zip64", [False, True])
def test_no_damage_crashes_the_reader(tmp_path: Path, zip64: bool) -> None:
    assert _fuzz(tmp_path, 2_500, zip64) > 1_000


@pytest.mark.sweep
@pytest.mark.parametrize("zip64", [False, True])
def test_no_damage_crashes_the_reader_at_length(tmp_path: Path, zip64: bool) -> None:
    assert _fuzz(tmp_path, 50_000, zip64) > 10_000


def _claiming(path: Path, data: bytes, claims: int, crc: int | None = None) -> Path:
    """A zip whose one entry says another length, or another checksum, than is true."""
    write_volumes(path, {"a.png": data}, deflate=True)
    raw = bytearray(path.read_bytes())
    for signature, at in ((b"PK\3\4", 14), (b"PK\1\2", 16)):
        place = raw.index(signature) + at
        raw[place : place + 4] = struct.pack("<L", zlib.crc32(data) if crc is None else crc)
        raw[place + 8 : place + 12] = struct.pack("<L", claims)
    path.write_bytes(raw)
    return path


def test_an_entry_is_inflated_to_what_it_claims_and_no_further(tmp_path: Path) -> None:
    """A few megabytes that claim a thousand bytes, and would fill the memory."""
    path = _claiming(tmp_path / "bomb.zip", bytes(64 << 20), 1000)
    tracemalloc.start()
    with pytest.raises(Damaged, match="not as long as the 1,000 bytes that it claims"):
        ZipPictures(path).read(ImageRef("a.png"))
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (999, "not as long as"),
        (1001, "not as long as"),
        (0, "not as long as"),
        (0x7FFFFFFF, "no picture is so long"),
        (0xFFFFFFF0, "no picture is so long"),
    ],
)
def test_other_lengths_than_the_true_one(tmp_path: Path, claims: int, said: str) -> None:
    with pytest.raises(Damaged, match=said):
        ZipPictures(_claiming(tmp_path / "a.zip", bytes(1000), claims)).read(ImageRef("a.png"))


def test_a_wrong_checksum_is_damage_without_being_asked_for(tmp_path: Path) -> None:
    with pytest.raises(Damaged, match="checksum differs"):
        open_pictures(_claiming(tmp_path / "a.zip", bytes(1000), 1000, crc=1)).read(ImageRef("a.png"))


def test_entries_that_overlap_are_each_held_to_their_own_claim(tmp_path: Path) -> None:
    """Many names for one place, as in bombs that do not nest: each is one picture and no more."""
    write_volumes(tmp_path / "a.zip", {"a.png": b"x" * 1000, "b.png": b"y" * 500}, deflate=True)
    raw = bytearray((tmp_path / "a.zip").read_bytes())
    second = raw.rindex(b"PK\1\2")
    raw[second + 42 : second + 46] = struct.pack("<L", 0)
    (tmp_path / "a.zip").write_bytes(raw)
    archive = ZipPictures(tmp_path / "a.zip")
    assert archive.read(ImageRef("a.png")) == b"x" * 1000
    with pytest.raises(Damaged):
        archive.read(ImageRef("b.png"))


@pytest.mark.parametrize(
    "text",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<?xml version='1.0'?><svg/>",
        b"<!doctype html><p>Not found",
        b"\xef\xbb\xbf\n <html>",
        "<html>".encode("utf-16"),
    ],
)
def test_markup_is_no_picture(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.png").write_bytes(text)
    write_volumes(tmp_path / "a.zip", {"a.png": text})
    for source in (tmp_path / "folder", tmp_path / "a.zip"):
        with pytest.raises(Damaged, match="HTML or SVG"):
            open_pictures(source).read(ImageRef("a.png"))
