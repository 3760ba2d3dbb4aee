"""The table of contents of a zip (its central directory), with zip64 and volumes, as columns of numbers.

Only what is needed to find a file again is kept: 421,453 pictures take tens of megabytes and a few seconds, once.
"""

from __future__ import annotations

import struct
from array import array
from pathlib import Path

import msgspec

from workalike.core.errors import Damaged
from workalike.store.volumes import Volumes

_END = struct.Struct("<4s4H2LH")
_END64_PLACE = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s4B4HL2L5H2L")
_EXTRA = struct.Struct("<HH")
_LONGEST_COMMENT = 0xFFFF
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1
_ZIP64, _UNICODE_NAME = 0x0001, 0x7075
_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF
ENCRYPTED_METHOD = 0xFFFF


class DirectoryPlace(msgspec.Struct, frozen=True):
    """Where a table of contents lies: its volume, offset and length, and how many entries and volumes there are."""

    volume: int
    offset: int
    length: int
    entries: int
    volumes: int


class Columns:
    """One row a file: the volume and offset of its local header, sizes, how it is compressed, checksum, name."""

    def __init__(self) -> None:
        self.volumes, self.offsets, self.packed, self.sizes, self.coding = (array("Q") for _ in range(5))
        self.names: list[bytes] = []

    def add(self, volume: int, offset: int, packed: int, size: int, method: int, crc: int, name: bytes) -> None:
        self.volumes.append(volume)
        self.offsets.append(offset)
        self.packed.append(packed)
        self.sizes.append(size)
        self.coding.append(method << 32 | crc)
        self.names.append(name)


def find_directory(last: Path) -> DirectoryPlace:
    """Find the table of contents from the end of the last volume."""
    try:
        with open(last, "rb") as file:
            size = file.seek(0, 2)
            start = file.seek(max(0, size - _LONGEST_COMMENT - _END.size - _END64_PLACE.size))
            tail = file.read()
    except OSError as error:
        raise Damaged(f"{last} cannot be read ({error.strerror}); fetch it again") from error
    at = tail.rfind(b"PK\5\6")
    if at < 0 or at + _END.size > len(tail):
        raise Damaged(f"{last} is not a zip, or is cut short: its table of contents is not at its end; fetch it again")
    _, disk, volume, _, entries, length, offset, _ = _END.unpack_from(tail, at)
    place = DirectoryPlace(volume, offset, length, entries, disk + 1)
    before = at - _END64_PLACE.size
    if before >= 0 and tail.startswith(b"PK\6\7", before):
        return _zip64(last, *_END64_PLACE.unpack_from(tail, before)[1:])
    return _fitting(place, start + at, last)


def _zip64(last: Path, volume: int, offset: int, count: int) -> DirectoryPlace:
    volumes = Volumes(last, max(count, 1))
    try:
        record, _ = volumes.read(volume, offset, _END64.size)
    finally:
        volumes.close()
    if not record.startswith(b"PK\6\6"):
        raise Damaged(f"{last} has no zip64 record where it says; fetch it again")
    fields = _END64.unpack(record)
    disk, volume, _, entries, length, offset = fields[4:]
    return DirectoryPlace(volume, offset, length, entries, disk + 1)


def _fitting(place: DirectoryPlace, end: int, last: Path) -> DirectoryPlace:
    """The same, once it can be true."""
    if place.volume >= place.volumes or (place.volume == place.volumes - 1 and place.offset + place.length > end):
        raise Damaged(f"{last} is cut short or was joined wrongly: its table of contents does not fit; fetch it again")
    return place


def read_directory(volumes: Volumes, place: DirectoryPlace) -> Columns:
    """Every file of an archive; folders are left out."""
    data, _ = volumes.read(place.volume, place.offset, place.length)
    columns = Columns()
    at = 0
    try:
        for _ in range(place.entries):
            at = _read_entry(data, at, columns)
    except (struct.error, ValueError) as error:
        raise Damaged(f"the table of contents of {volumes.last} is damaged ({error}); fetch it again") from error
    return columns


def _read_entry(data: bytes, at: int, columns: Columns) -> int:
    fields = _ENTRY.unpack_from(data, at)
    if fields[0] != b"PK\1\2":
        raise ValueError(f"no entry at byte {at}")
    flags, method, crc, packed, size = fields[5], fields[6], *fields[9:12]
    name_length, extra_length, comment_length, volume, offset = *fields[12:16], fields[18]
    middle = at + _ENTRY.size + name_length
    name = data[at + _ENTRY.size : middle]
    extra = data[middle : middle + extra_length]
    if _FULL32 in (packed, size, offset) or volume == _FULL16:
        size, packed, offset, volume = _wide(extra, size, packed, offset, volume)
    if not name.endswith(b"/"):
        method = ENCRYPTED_METHOD if flags & _ENCRYPTED else method
        columns.add(volume, offset, packed, size, method, crc, _utf8(name, flags, extra))
    return int(middle + extra_length + comment_length)


def _wide(extra: bytes, size: int, packed: int, offset: int, volume: int) -> tuple[int, int, int, int]:
    """Take from the zip64 field the numbers that did not fit the entry itself; they alone stand there, in order."""
    too_wide = (size == _FULL32, packed == _FULL32, offset == _FULL32, volume == _FULL16)
    form = "<" + "Q" * sum(too_wide[:3]) + "L" * too_wide[3]
    field = _field(extra, _ZIP64)
    if len(field) < struct.calcsize(form):
        return size, packed, offset, volume
    found = iter(struct.unpack_from(form, field))
    values = [
        next(found) if wide else value for wide, value in zip(too_wide, (size, packed, offset, volume), strict=True)
    ]
    return values[0], values[1], values[2], values[3]


def _utf8(name: bytes, flags: int, extra: bytes) -> bytes:
    """The name in UTF-8: as it stands where it can be, from the Unicode field, or from the code page of DOS."""
    if flags & _UTF8_NAME or name.isascii():
        return name
    unicode_name = _field(extra, _UNICODE_NAME)
    if unicode_name[:1] == b"\1":
        return unicode_name[5:]
    try:
        name.decode()
    except UnicodeDecodeError:
        return name.decode("cp437").encode()
    return name


def _field(extra: bytes, wanted: int) -> bytes:
    at = 0
    while at + _EXTRA.size <= len(extra):
        kind, length = _EXTRA.unpack_from(extra, at)
        at += _EXTRA.size
        if kind == wanted:
            return extra[at : at + length]
        at += length
    return b""
