"""Pictures out of zips as they were downloaded, in one piece or in volumes: by name, nothing merged or unpacked."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.store.pictures import checked
from workalike.store.volumes import Volumes
from workalike.store.zip_directory import ENCRYPTED_METHOD
from workalike.store.zip_index import ZipEntry, open_index

_LOCAL = struct.Struct("<4s22xHH")
_STORED, _DEFLATED = 0, 8
MOST_PICTURE = 1 << 28
"""The longest picture that is taken out of an archive; a screenshot of 8K takes some 100 MB at the very most."""
_VOLUME = re.compile(r"\.(zip|z\d{2,})", re.IGNORECASE)


def is_archive(path: Path) -> bool:
    """Whether a path names a zip or a volume of one."""
    return bool(_VOLUME.fullmatch(path.suffix)) and not path.is_dir()


def last_volume(path: Path) -> Path:
    """The `.zip` of an archive that was named by any of its volumes; it holds the table of contents."""
    last = path if path.suffix.lower() == ".zip" else path.with_suffix(".zip")
    if last.is_file():
        return last
    if last.with_suffix(".z01").is_file():
        raise BadInput(
            f"{last.name}, the last volume, with the table of contents, is missing in {last.parent}; fetch it"
        )
    raise BadInput(f"there is no archive {last}; look for its name in the folder, or fetch it")


class ZipPictures:
    """A picture source over a zip or split zip. Several threads may read at once; a copy for another process opens the
    archive anew."""

    def __init__(self, path: Path, *, check: bool = True) -> None:
        """`check` compares every picture with its checksum, which takes several times as long as reading it."""
        self.path, self.check = last_volume(path), check
        self.index = open_index(self.path)
        self._volumes = Volumes(self.path, self.index.volumes)

    def read(self, ref: ImageRef) -> bytes:
        entry = self._find(ref)
        if entry is None:
            raise Damaged(f"the picture {ref.name} is not among the {self.index.entries:,} files in {self.path}")
        if max(entry.size, entry.packed) > MOST_PICTURE:
            raise self._damaged(entry, f"it claims {max(entry.size, entry.packed):,} bytes, and no picture is so long")
        packed, spans = self._packed(entry)
        data = packed if entry.method == _STORED else self._inflate(packed, entry)
        if len(data) != entry.size:
            raise self._damaged(entry, f"it is not as long as the {entry.size:,} bytes that it claims")
        if (self.check or spans) and zlib.crc32(data) != entry.crc:
            raise self._damaged(entry, "its checksum differs from the one in the table of contents")
        return checked(data, ref, self.path)

    def has(self, ref: ImageRef) -> bool:
        entry = self._find(ref)
        return entry is not None and entry.volume < self.index.volumes and self._volumes.path(entry.volume).is_file()

    def names(self) -> Iterator[str]:
        """The name of every file in the archive."""
        return self.index.names()

    def missing(self) -> list[Path]:
        """The volumes that are not there."""
        return self._volumes.missing()

    def close(self) -> None:
        self._volumes.close()

    def _find(self, ref: ImageRef) -> ZipEntry | None:
        try:
            return self.index.find(ref.name)
        except IndexError:
            raise Damaged(f"the index beside {self.path} is damaged; delete it, and it is made again") from None

    def _packed(self, entry: ZipEntry) -> tuple[bytes, bool]:
        """The bytes of a file as they lie in the archive, and whether they span volumes."""
        header, header_spans = self._volumes.read(entry.volume, entry.offset, _LOCAL.size)
        signature, name_length, extra_length = _LOCAL.unpack(header)
        if signature != b"PK\3\4":
            raise self._damaged(entry, "it is not where the table of contents says")
        start = entry.offset + _LOCAL.size + name_length + extra_length
        data, spans = self._volumes.read(entry.volume, start, entry.packed)
        return data, spans or header_spans

    def _inflate(self, packed: bytes, entry: ZipEntry) -> bytes:
        if entry.method != _DEFLATED:
            how = "encrypted" if entry.method == ENCRYPTED_METHOD else f"compressed by method {entry.method}"
            raise BadInput(f"{entry.name} in {self.path} is {how}; unpack the archive and name the folder instead")
        try:
            # One byte more than it claims shows that there is more; all of it might fill the memory.
            return zlib.decompressobj(-15).decompress(packed, entry.size + 1)
        except zlib.error as error:
            raise self._damaged(entry, str(error)) from error

    def _damaged(self, entry: ZipEntry, reason: str) -> Damaged:
        volume = self._volumes.path(entry.volume)
        return Damaged(f"the picture {entry.name} in {volume} is damaged: {reason}; fetch {volume.name} again")

    def __reduce__(self) -> tuple[object, ...]:
        return _open, (self.path, self.check)


def _open(path: Path, check: bool) -> ZipPictures:
    return ZipPictures(path, check=check)
