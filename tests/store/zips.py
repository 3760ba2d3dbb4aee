"""Zip archives of every awkward shape, written here byte by byte: cut into volumes anywhere, with zip64 or without."""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_right
from pathlib import Path


def write_volumes(
    last: Path, files: dict[str, bytes], cuts: tuple[int, ...] = (), *, deflate: bool = False, zip64: bool = False
) -> None:
    """Write files as a zip that is cut at the given offsets of the whole stream, wherever they fall, the end record
    excepted, which stands in one volume by the rules."""
    stream = b"PK\x07\x08" if cuts else b""
    entries = []
    for name, data in files.items():
        packed = _deflated(data) if deflate else data
        entries.append((name.encode(), data, packed, len(stream)))
        stream += _local(name.encode(), data, packed, deflate, zip64) + packed
    start = len(stream)
    bounds = [0, *sorted({cut for cut in cuts if cut > 0})]
    for encoded, data, packed, offset in entries:
        stream += _central(encoded, data, packed, deflate, zip64, *_place(bounds, offset))
    end = len(stream)
    bounds = [bound for bound in bounds if bound < max(end, 1)]
    stream += _end(bounds, start, end, len(entries), zip64)
    for number, (begin, stop) in enumerate(zip(bounds, [*bounds[1:], len(stream)], strict=True)):
        path = last if number == len(bounds) - 1 else last.with_suffix(f".z{number + 1:02d}")
        path.write_bytes(stream[begin:stop])


def _place(bounds: list[int], offset: int) -> tuple[int, int]:
    volume = bisect_right(bounds, offset) - 1
    return volume, offset - bounds[volume]


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def _local(name: bytes, data: bytes, packed: bytes, deflate: bool, zip64: bool) -> bytes:
    sizes = (0xFFFFFFFF, 0xFFFFFFFF) if zip64 else (len(packed), len(data))
    extra = struct.pack("<HHQQ", 1, 16, len(data), len(packed)) if zip64 else struct.pack("<HH4s", 0xCAFE, 4, b"spam")
    fixed = struct.pack(
        "<4s5HL2L2H", b"PK\3\4", 45, 0x800, 8 * deflate, 0, 0, zlib.crc32(data), *sizes, len(name), len(extra)
    )
    return fixed + name + extra


def _central(name: bytes, data: bytes, packed: bytes, deflate: bool, zip64: bool, volume: int, offset: int) -> bytes:
    extra = struct.pack("<HHQQQL", 1, 28, len(data), len(packed), offset, volume) if zip64 else b""
    if zip64:
        sizes, place, disk = (0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF, 0xFFFF
    else:
        sizes, place, disk = (len(packed), len(data)), offset, volume
    return struct.pack(
        "<4s6HL2L5H2L", b"PK\1\2", 45, 45, 0x800, 8 * deflate, 0, 0, zlib.crc32(data), *sizes,
        len(name), len(extra), 3, disk, 0, 0, place,
    ) + name + extra + b"hm!"  # fmt: skip


def _end(bounds: list[int], start: int, end: int, count: int, zip64: bool) -> bytes:
    last = len(bounds) - 1
    volume, offset = _place(bounds, start)
    if not zip64:
        return struct.pack("<4s4H2LH", b"PK\5\6", last, volume, count, count, end - start, offset, 7) + b"comment"
    disk64, offset64 = _place(bounds, end)
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, last, volume, count, count, end - start, offset)
    locator = struct.pack("<4sLQL", b"PK\6\7", disk64, offset64, last + 1)
    full = struct.pack("<4s4H2LH", b"PK\5\6", 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return record + locator + full
