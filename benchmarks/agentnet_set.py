"""A set of AgentNet's published size and shape, made up: as many rows, steps and bytes, with the published defects.

The texts are ordinary English about screens, put together from a pool of a few thousand steps; codes, places and names
are drawn anew for every step. How often published rows have null for an answer and stand twice is known; how often a
place lies off the screen or a text gives something away is assumed. The same seed gives the same bytes.
"""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import BinaryIO

import msgspec

ROWS = {"agentnet_ubuntu_5k.jsonl": 5_000, "agentnet_win_mac_18k.jsonl": 17_625}
STEPS_A_ROW = 18.6
POOL = 3_000
NULLS, TWICE, OFF_SCREEN, LEAKS, HARMLESS = 2_327 / 5_000, 93 / 22_625, 0.001, 0.012, 0.02
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A picture of one pixel."""
_NAMED = re.compile(rb'"image": "([^"]+)"')
_ENGLISH = """
the a of to and in is on this that with for it as from now by an be are which at has not will can menu window button
field text page list panel toolbar option dialog icon settings browser file folder document spreadsheet cell row column
search result tab link image video message table chart slide layer search address bar sidebar header footer label name
value date time click open close select choose type enter save cancel apply confirm copy paste drag scroll move shows
displays contains appears visible current active next previous first last left right top bottom upper lower corner
center already still need should must task goal step progress complete correct expected change update new existing
user system application desktop screen cursor keyboard shortcut default custom format style font color size layout
"""
_WORDS = _ENGLISH.split()
_KEYS = (
    "['ctrl', 'c']",
    "['ctrl', 'v']",
    "['ctrl', 's']",
    "['enter']",
    "['backspace']",
    "['alt', 'tab']",
    "['command', 'c']",
)
_LEAK = (
    "the element in the red circle near the top",
    "at coordinates (0.412, 0.733)",
    "the cropped image shows",
    "pyautogui.click",
)
_APPS = (
    "Chrome",
    "Excel",
    "Finder",
    "Files",
    "VS Code",
    "Word",
    "Photoshop",
    "Terminal",
    "GIMP",
    "Calendar",
    "Spotify",
)
_DOMAINS = ("Work", "Professional", "Daily", "System")


class MadeUp(msgspec.Struct, frozen=True):
    """What was made."""

    folder: Path
    rows: int
    steps: int
    bytes: int


def write_set(folder: Path, share: float = 1.0, seed: int = 0) -> MadeUp:
    """Write the files of a set into a folder, or of a share of it."""
    random = Random(seed)
    pool = [_texts(random) for _ in range(max(50, int(POOL * min(1, share * 20))))]
    rows = steps = size = 0
    metas: list[bytes] = []
    for name, count in ROWS.items():
        ubuntu = "ubuntu" in name
        before: bytes | None = None
        with open(folder / name, "wb") as file:
            for _ in range(max(1, round(count * share))):
                again = not ubuntu and before is not None and random.random() < TWICE
                task_id = before.decode() if again and before else f"{random.getrandbits(128):032x}"
                line, length = _row(task_id, ubuntu, pool, random)
                before = task_id.encode()
                file.write(line)
                rows, steps, size = rows + 1, steps + length, size + len(line)
                if not again:
                    metas.append(_meta(task_id, length, ubuntu, random))
    (folder / "meta_data_merged.jsonl").write_bytes(b"".join(metas))
    return MadeUp(folder, rows, steps, size)


def write_pictures(folder: Path, volumes: int = 20) -> int:
    """Beside the rows of a set the pictures that they name, all of them the same tiny one, in an archive of so many
    volumes for each file of rows; returns how many."""
    count = 0
    for name in ROWS:
        with open(folder / name, "rb") as rows:
            names = list(dict.fromkeys(found for row in rows for found in _NAMED.findall(row)))
        with SplitZip((folder / "images" / name).with_suffix(".zip"), -(-len(names) // volumes)) as archive:
            for each in names:
                archive.add(each)
        count += len(names)
    return count


class SplitZip:
    """A split zip of many tiny pictures, written as it grows: so many in each volume, the table of contents in the
    last."""

    def __init__(self, last: Path, a_volume: int) -> None:
        last.parent.mkdir(parents=True, exist_ok=True)
        self._last, self._a_volume, self._count, self._volume = last, max(1, a_volume), 0, 0
        self._table: list[bytes] = []
        self._file = self._opened()
        self._file.write(b"PK\x07\x08")

    def __enter__(self) -> SplitZip:
        return self

    def __exit__(self, *_: object) -> None:
        start, contents = self._file.tell(), b"".join(self._table)
        last, counts, end = self._volume, (self._count, self._count), start + len(contents)
        record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, last, last, *counts, len(contents), start)
        locator = struct.pack("<4sLQL", b"PK\6\7", last, end, last + 1)
        short = struct.pack("<4s4H2LH", b"PK\5\6", *[0xFFFF] * 4, 0xFFFFFFFF, 0xFFFFFFFF, 0)
        self._file.write(contents + record + locator + short)
        self._file.close()
        self._path(last).rename(self._last)

    def add(self, name: bytes) -> None:
        if self._count and self._count % self._a_volume == 0:
            self._file.close()
            self._volume += 1
            self._file = self._opened()
        known, place = (0, 0, zlib.crc32(PICTURE), len(PICTURE), len(PICTURE)), self._file.tell()
        self._file.write(struct.pack("<4s5HL2L2H", b"PK\3\4", 45, 0x800, 0, *known, len(name), 0) + name + PICTURE)
        numbers = (len(name), 0, 0, self._volume, 0, 0, place)
        self._table.append(struct.pack("<4s6HL2L5H2L", b"PK\1\2", 45, 45, 0x800, 0, *known, *numbers) + name)
        self._count += 1

    def _opened(self) -> BinaryIO:
        return self._path(self._volume).open("wb")

    def _path(self, volume: int) -> Path:
        return self._last.with_suffix(f".z{volume + 1:02d}")


def _row(task_id: str, ubuntu: bool, pool: list[bytes], random: Random) -> tuple[bytes, int]:
    length = max(2, min(120, round(random.lognormvariate(2.78, 0.52))))
    steps = b", ".join(_step(task_id, place, length, pool, random) for place in range(length))
    completed = "null" if ubuntu and random.random() < NULLS else random.choice(("true", "true", "true", "false"))
    head = (
        f'{{"task_id": "{task_id}", "instruction": {json.dumps(_sentence(random, 18))}, "task_completed": {completed}, '
        f'"alignment_score": {random.randint(4, 10)}, "efficiency_score": {random.randint(3, 10)}, '
        f'"task_difficulty": {random.randint(1, 9)}, "reason": {json.dumps(_paragraph(random, 380))}, '
        f'"natural_language_task": {json.dumps(_sentence(random, 22))}, '
        f'"actual_task": {json.dumps(_sentence(random, 26))}, '
    )
    tail = f', "domain": "{random.choice(_DOMAINS)}"' if ubuntu else ""
    return head.encode() + b'"traj": [' + steps + b"]" + tail.encode() + b"}\n", length


def _step(task_id: str, place: int, length: int, pool: list[bytes], random: Random) -> bytes:
    code = "computer.terminate(status='success')" if place == length - 1 else _code(random)
    head = f'{{"index": {place}, "image": "{task_id}_{place}.png", "value": {{"code": {json.dumps(code)}, '
    return head.encode() + random.choice(pool) + b"}}"


def _code(random: Random) -> str:
    def at() -> str:
        x = random.random() if random.random() > OFF_SCREEN else 1.0 + random.random() / 50
        return f"x={x:.4f}".rstrip("0") + f", y={random.random():.3f}"

    kind = random.choices(range(9), (66, 6, 4, 5, 6, 8, 2, 2, 1))[0]
    match kind:
        case 0:
            return f"pyautogui.click({at()})"
        case 1:
            return f"pyautogui.doubleClick({at()})"
        case 2:
            return f"pyautogui.rightClick({at()})"
        case 3:
            return f"pyautogui.moveTo({at()})\npyautogui.dragTo({at()}, button='left')"
        case 4:
            return f"pyautogui.moveTo({at()})\npyautogui.scroll({random.choice((-1, 1)) * random.randint(1, 20)})"
        case 5:
            return f"pyautogui.write(message={_sentence(random, 4)!r})"
        case 6:
            return f"pyautogui.hotkey({random.choice(_KEYS)})"
        case 7:
            return f"pyautogui.press(keys={random.choice(_KEYS)})"
        case _:
            return random.choice((f"computer.tripleClick({at()})", "computer.wait()"))


def _texts(random: Random) -> bytes:
    """The texts of a step, about as long as the published ones, encoded and without the code."""
    texts = {
        "observation": _paragraph(random, random.randint(900, 1_700)),
        "thought": _paragraph(random, random.randint(800, 1_500)),
        "action": _paragraph(random, random.randint(90, 260)),
        "last_step_correct": random.random() < 0.93,
        "last_step_redundant": random.random() < 0.05,
        "reflection": _paragraph(random, random.randint(600, 1_200)),
    }
    if random.random() < LEAKS / STEPS_A_ROW:
        texts["thought"] = f"{texts['thought']} I see {random.choice(_LEAK)}."
    elif random.random() < HARMLESS / STEPS_A_ROW:
        texts["thought"] = f"{texts['thought']} The team must coordinate (see page 2)."
    return json.dumps(texts).encode()[1:-1]


def _paragraph(random: Random, length: int) -> str:
    return " ".join(_sentences(random, length))


def _sentences(random: Random, length: int) -> Iterator[str]:
    written = 0
    while written < length:
        sentence = _sentence(random, random.randint(7, 20)) + random.choice(
            (".", ".", ".", ".\n", " ('Save').", ' "OK".')
        )
        written += len(sentence) + 1
        yield sentence


def _sentence(random: Random, words: int) -> str:
    return " ".join(random.choices(_WORDS, k=words)).capitalize()


def _meta(task_id: str, steps: int, ubuntu: bool, random: Random) -> bytes:
    system = "Ubuntu" if ubuntu else random.choices(("Windows", "Darwin"), (12_427, 5_198))[0]
    width, height = random.choice(((1920, 1080), (1440, 900), (2560, 1440)))
    document = {
        "task_id": task_id,
        "system": system,
        "screen_width": width,
        "screen_height": height,
        "applications": random.sample(_APPS, random.randint(1, 3)),
        "step_num": steps,
        "action_frequency": {"click": steps - 1},
        "domains": random.choice(_DOMAINS),
        "verify_feedback": {"quality": random.choice(("good", "good", "bad")), "notes": _paragraph(random, 380)},
    }
    return json.dumps(document).encode() + b"\n"
