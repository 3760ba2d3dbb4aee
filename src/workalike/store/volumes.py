"""The volumes of a split zip (`images.z01`, `images.z02`, …, `images.zip`) read as they are, without merging them."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from workalike.core.errors import Damaged
from workalike.store.files import BINARY, read_at

_LONGEST, _FARTHEST = 1 << 31, 1 << 48


class Volumes:
    """Random access to bytes by volume and offset, going on in the next volume where one ends. A zip in one piece is
    one volume. Files are opened when first needed, so that a volume that is not there only matters for what is in it.
    """

    def __init__(self, last: Path, count: int) -> None:
        self.last, self.count = last, count
        self._files: dict[int, int] = {}
        self._opening = threading.Lock()

    def path(self, volume: int) -> Path:
        """The file of a volume, counted from 0; the last one is the `.zip` itself."""
        return self.last if volume == self.count - 1 else self.last.with_suffix(f".z{volume + 1:02d}")

    def missing(self) -> list[Path]:
        """The volumes that are not there."""
        return [path for path in map(self.path, range(self.count)) if not path.is_file()]

    def read(self, volume: int, offset: int, length: int) -> tuple[bytes, bool]:
        """Bytes from a place, and whether they came from more than one volume."""
        if length > _LONGEST or offset > _FARTHEST:
            raise Damaged(f"the table of contents of {self.last} names places that cannot be; fetch it again")
        data = read_at(self._file(volume), length, offset)
        return (data, False) if len(data) == length else (self._across(data, volume, offset, length), True)

    def _across(self, data: bytes, volume: int, offset: int, length: int) -> bytes:
        """Go on reading in the volumes that follow."""
        pieces, left = [data], length - len(data)
        while left > 0:
            offset = max(offset - os.fstat(self._file(volume)).st_size, 0)
            volume += 1
            if volume >= self.count:
                raise Damaged(f"{self.last} ends too early; fetch it again")
            pieces.append(read_at(self._file(volume), left, offset))
            left -= len(pieces[-1])
        return b"".join(pieces)

    def _file(self, volume: int) -> int:
        found = self._files.get(volume)
        return self._open(volume) if found is None else found

    def _open(self, volume: int) -> int:
        if not 0 <= volume < self.count:
            raise Damaged(f"{self.last} names a volume {volume + 1} of {self.count}; fetch it again")
        path = self.path(volume)
        with self._opening:
            if volume not in self._files:
                try:
                    self._files[volume] = os.open(path, os.O_RDONLY | BINARY)
                except FileNotFoundError:
                    raise Damaged(
                        f"{path.name}, volume {volume + 1} of {self.count}, is missing in {path.parent}; "
                        "fetch it and put it beside the others"
                    ) from None
                except OSError as error:
                    raise Damaged(f"{path} cannot be read ({error.strerror}); fetch it again") from error
            return self._files[volume]

    def close(self) -> None:
        while self._files:
            os.close(self._files.popitem()[1])
