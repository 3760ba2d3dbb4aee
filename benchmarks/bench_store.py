"""The store against the bare calls underneath it: a synced step, a random picture out of an archive, reading."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import Figure, interleaved
from workalike.core.actions import Click
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory, Usage
from workalike.store.archives import ZipPictures
from workalike.store.packed import read_packed, write_packed
from workalike.store.pictures import PictureStore
from workalike.store.trajectories import FILE, TrajectoryWriter

SCREEN = Size(1440, 900)
TASK = Task(
    "hotels/17", "Find a quiet double room for three nights from Friday and book the cheapest that has breakfast."
)
PICTURES, VOLUMES, PICTURE_SIZE = 400, 20, 427_000  # AgentNet: 180 GB for 421,453 pictures


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # a real disk; /tmp may be memory
        root = Path(folder)
        return [*_writing(root / "write"), *_archives(root / "archives"), *_reading(root / "read")]


def _step(number: int) -> Step:
    text = "The calendar is open on November. I have to choose the 14th, and then the 17th as the day of leaving. " * 4
    hit = Element("button", "14", Box(0.4, 0.5, 0.02, 0.03), selector="#calendar td:nth-child(5)")
    taken = ActionResult(Click(Point(0.4123, 0.5321)), 12.5 + number, 12.9 + number, hit=hit)
    seen = Observation(ImageRef("0" * 64 + ".png", "0" * 64, SCREEN), SCREEN, url="https://inn.town.localhost/rooms")
    return Step(seen, (taken,), reply=text, observation_text=text, thought=text, usage=Usage(1, 4_000, 200, cost=0.01))


def _writing(root: Path) -> Iterator[Figure]:
    root.mkdir()
    writer = TrajectoryWriter.create(root / FILE, "bench", TASK)
    writer.step(_step(0))
    size = len((root / FILE).read_bytes().splitlines()[1])
    bare = os.open(root / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    store, picture = PictureStore(root / "pictures"), random.Random(1).randbytes(PICTURE_SIZE)
    fresh = iter(range(1_000_000))
    seconds = interleaved(
        {
            "bare": lambda: _bare_line(bare, size),
            "step": lambda: writer.step(_step(1)),
            "bare picture": lambda: _bare_picture(root, next(fresh), picture),
            "picture": lambda: store.put(b"%d" % next(fresh) + picture),
            "known picture": lambda: store.put(picture),
        },
        times=200,
    )
    writer.close()
    os.close(bare)
    yield _against("a synced step, against a bare write and fsync", seconds, "step", "bare", "at most 2")
    bare_calls = "hash, write, fsync, rename, fsync"
    yield _against(f"a new picture, against bare {bare_calls}", seconds, "picture", "bare picture", "at most 2")
    yield Figure("a picture that is there already", seconds["known picture"] * 1e3, "ms", detail="hashing 427 kB")


def _bare_line(file: int, size: int) -> None:
    os.write(file, b"x" * size)
    os.fsync(file)


def _bare_picture(root: Path, number: int, data: bytes) -> None:
    hashlib.sha256(data).hexdigest()
    with open(root / "one.tmp", "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.rename(root / "one.tmp", root / f"{number}.png")
    folder = os.open(root, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def _archives(root: Path) -> Iterator[Figure]:
    if shutil.which("zip") is None:
        yield Figure("a random picture out of a 20-volume archive", float("nan"), detail="zip is not installed")
        return
    names = _make_archives(root)
    stored, checking = (ZipPictures(root / "stored.zip", check=check) for check in (False, True))
    deflated = ZipPictures(root / "deflated.zip")
    seconds = interleaved(
        {
            "plain": _each(names, lambda name: _plain(root / "images" / name)),
            "stored": _each(names, lambda name: stored.read(ImageRef(name))),
            "checked": _each(names, lambda name: checking.read(ImageRef(name))),
            "plain, inflated": _each(names, lambda name: _inflated(root / "packed" / name)),
            "deflated": _each(names, lambda name: deflated.read(ImageRef(name))),
        },
        times=7,
    )
    seconds = {name: value / PICTURES for name, value in seconds.items()}
    what = f"a random picture out of {stored.index.volumes} volumes, against a plain file"
    yield _against(what, seconds, "stored", "plain", "at most 1.3")
    yield _against("  the same, compared with its checksum", seconds, "checked", "plain")
    yield _against(
        "  the same deflated, against a plain file inflated", seconds, "deflated", "plain, inflated", "at most 1.3"
    )


def _make_archives(root: Path) -> list[str]:
    """Pictures in a folder, each deflated in another, and all in two archives. Their bytes shrink by about 2 %, as
    those of screenshots do. The names come shuffled."""
    chance, table = random.Random(2), bytes(max(byte, 20) for byte in range(256))
    for folder in ("images", "packed"):
        (root / folder).mkdir(parents=True)
    names = [f"{number}.png" for number in range(PICTURES)]
    for name in names:
        data = chance.randbytes(chance.randint(1, 2 * PICTURE_SIZE)).translate(table)
        (root / "images" / name).write_bytes(data)
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        (root / "packed" / name).write_bytes(packer.compress(data) + packer.flush())
    each = PICTURES * PICTURE_SIZE // (VOLUMES - 1) // 1024
    for archive, level in (("stored", "-0"), ("deflated", "-6")):
        subprocess.run(["zip", "-qr", level, "-s", f"{each}k", f"{archive}.zip", "images"], cwd=root, check=True)
    _as_after_a_download(root)
    chance.shuffle(names)
    return names


def _as_after_a_download(root: Path) -> None:
    """Have every file in memory as it is read from disk: what was just written lies there in larger pieces for some
    files than for others, which changes reading by half."""
    for path in root.rglob("*.*"):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            while file.read(1 << 20):
                pass


def _plain(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _inflated(path: Path) -> bytes:
    return zlib.decompress(_plain(path), -15, 2 * PICTURE_SIZE)


def _each(names: list[str], read: Callable[[str], bytes]) -> Callable[[], None]:
    def work() -> None:
        for name in names:
            read(name)

    return work


def _reading(root: Path) -> Iterator[Figure]:
    root.mkdir()
    one = Trajectory("x", TASK, tuple(_step(number) for number in range(19)), Observation(), stop=Stop("terminated"))
    paths = {ending: root / f"d.jsonl{ending}" for ending in ("", ".gz", ".zst")}
    for path in paths.values():
        write_packed(path, [one] * 400)
    size = paths[""].stat().st_size
    works: dict[str, Callable[[], object]] = {name: _counting(path) for name, path in paths.items()}
    works["json.loads"] = lambda: sum(1 for line in paths[""].read_bytes().splitlines() if json.loads(line))
    seconds = interleaved(works, times=5)
    for name in paths:
        rate = f"{size / seconds[name] / 1e6:.0f} MB/s of JSON, typed and checked"
        what = f"reading .jsonl{name}, against json.loads of the lines"
        yield Figure(what, seconds["json.loads"] / seconds[name], "×", "" if name else "at least 1", rate)


def _counting(path: Path) -> Callable[[], object]:
    return lambda: sum(1 for _ in read_packed(path))


def _against(name: str, seconds: dict[str, float], ours: str, bare: str, aim: str = "") -> Figure:
    detail = f"{seconds[ours] * 1e3:.3f} ms, bare {seconds[bare] * 1e3:.3f} ms"
    return Figure(name, seconds[ours] / seconds[bare], "×", aim, detail)
