"""How pictures reach the trainer: by name where they lie, as copies beside the examples, or within the file itself."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path, PurePosixPath
from typing import Literal

from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef, extension
from workalike.core.screen import Size
from workalike.dataset.examples import Seen
from workalike.pictures.codec import stated_size
from workalike.store.files import write_file
from workalike.store.names import safe_name
from workalike.store.pictures import PictureSource

Mode = Literal["names", "copy", "inline"]
FOLDER = "images"
_MIME = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}


class Delivery:
    """Pictures on their way into an export. `missing` counts those that could not be read."""

    def __init__(self, mode: Mode, folder: Path, source: PictureSource | None, prefix: str = "") -> None:
        if source is None and mode != "names":
            raise BadInput("pictures can only be copied or put inside with --images, the folder or archive they are in")
        self.mode, self.folder, self.source, self.prefix = mode, folder, source, prefix
        self.copied: dict[str, int] = {}
        self._flat: dict[str, str] = {}

    def address(self, seen: Seen) -> str:
        """What an example says in a picture's place: a path, or the picture itself as a data URL."""
        if self.mode == "names" and not seen.marked:
            return self.prefix + seen.picture.name
        data = self.data(seen)
        if self.mode == "inline":
            return f"data:{_MIME.get(extension(data), 'image/png')};base64,{base64.b64encode(data).decode()}"
        return self._copy(seen, data)

    def data(self, seen: Seen) -> bytes:
        """A picture's bytes, with its marks drawn where it has some."""
        if self.source is None:
            raise BadInput(
                "the pictures are needed for this export; name the folder or archive they are in by --images"
            )
        data = self.source.read(seen.picture)
        return _drawn(data, seen) if seen.marked else data

    def flat(self, picture: ImageRef) -> str:
        """Copy a picture under its bare name, as tools want it that know no folders; where another picture has that
        name already, under one of its own."""
        if picture.name not in self._flat:
            data = self.data(Seen(picture))
            bare = PurePosixPath(picture.name).name
            name = bare if bare not in self.copied else f"{safe_name(picture.name)}.{extension(data)}"
            write_file(self.folder / FOLDER / name, data)
            self.copied[name] = len(data)
            self._flat[picture.name] = name
        return self._flat[picture.name]

    def size(self, picture: ImageRef) -> Size | None:
        """A picture's size, where it can be looked at."""
        if picture.size is not None or self.source is None:
            return picture.size
        return stated_size(self.source.read(picture))

    def _copy(self, seen: Seen, data: bytes) -> str:
        name = copy_name(seen, data)
        if name not in self.copied:
            write_file(self.folder / FOLDER / name, data)
            self.copied[name] = len(data)
        return f"{FOLDER}/{name}"


def copy_name(seen: Seen, data: bytes) -> str:
    """The name a copy is given: its own where that is a plain path, so that people find it again."""
    if seen.marked:
        return f"{hashlib.sha256(data).hexdigest()}.{extension(data)}"
    name = seen.picture.name
    path = PurePosixPath(name)
    plain = not path.is_absolute() and ".." not in path.parts and "\\" not in name and "\0" not in name and path.parts
    return str(path) if plain else f"{safe_name(name)}.{extension(data)}"


def _drawn(data: bytes, seen: Seen) -> bytes:
    from workalike.pictures.codec import decode, encode
    from workalike.pictures.marks import draw_marks

    return encode(draw_marks(decode(data), seen.marked))
