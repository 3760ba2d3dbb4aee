"""Where pictures come from. Whoever needs one has a `PictureSource` and an `ImageRef`, and need not know whether it
lies in a run's own store, in a folder, or in an archive of twenty volumes."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath

from workalike.core.contracts import PictureSource as PictureSource
from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.core.screen import Size
from workalike.store.files import clear_temporaries, make_folder, sync_folder, write_file

_BY_CONTENT = re.compile(r"[0-9a-f]{64}\.[a-z0-9]{1,8}")
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<[\s\0]*[!?a-zA-Z]")


class PictureStore:
    """Pictures by content, each kept once however often it is seen: `ab/abcdef….png`, by the hash of its bytes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: set[str] = set()

    def put(self, data: bytes, size: Size | None = None) -> ImageRef:
        """Keep a picture and say how to refer to it. It is on disk when this returns, so that a line which names it
        can be written; a picture that is there already costs next to nothing."""
        ref = ImageRef.of(data, size)
        if ref.name in self._known:
            return ref
        path = self.path(ref)
        if path.exists():
            sync_folder(path.parent)  # whoever put it there may have died before it was certain to stay
        else:
            write_file(path, data, incoming=self.root / "incoming")
        self._known.add(ref.name)
        return ref

    def path(self, ref: ImageRef) -> Path:
        """Where a picture of this store lies."""
        if not _BY_CONTENT.fullmatch(ref.name):
            raise BadInput(f"{ref.name!r} is not the name of a picture kept by its content; look in its own source")
        return self.root / ref.name[:2] / ref.name

    def read(self, ref: ImageRef) -> bytes:
        path = self.path(ref)
        return checked(_read_file(path, ref), ImageRef(ref.name, path.stem), path)

    def has(self, ref: ImageRef) -> bool:
        return bool(_BY_CONTENT.fullmatch(ref.name)) and self.path(ref).is_file()

    def tidy(self) -> int:
        """Remove what killed writers left half-written; only for who alone writes here. How many there were."""
        make_folder(self.root)
        return clear_temporaries(self.root / "incoming")


class FolderPictures:
    """Pictures in a folder under their own names; also reads a folder of pictures kept by content."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise BadInput(f"there is no folder {root}; name the one that holds the pictures")
        self.root = root

    def read(self, ref: ImageRef) -> bytes:
        path = self._find(ref)
        return checked(_read_file(path, ref), ref, path)

    def has(self, ref: ImageRef) -> bool:
        return self._find(ref).is_file()

    def _find(self, ref: ImageRef) -> Path:
        name = PurePosixPath(ref.name)
        if name.is_absolute() or ".." in name.parts or not name.parts or "\0" in ref.name:
            raise Damaged(f"the picture name {ref.name!r} leads out of {self.root}; correct the line that names it")
        path = self.root / name
        by_content = self.root / ref.name[:2] / ref.name
        return by_content if _BY_CONTENT.fullmatch(ref.name) and by_content.is_file() else path


class FirstOf:
    """Several sources as one: the first that has a picture gives it."""

    def __init__(self, *sources: PictureSource) -> None:
        self.sources = sources

    def read(self, ref: ImageRef) -> bytes:
        complaints = []
        for source in self.sources:
            try:
                return source.read(ref)
            except BadInput as error:
                complaints.append(str(error))
        raise Damaged(" · ".join(complaints) or f"there is nowhere to look for the picture {ref.name!r}")

    def has(self, ref: ImageRef) -> bool:
        return any(source.has(ref) for source in self.sources)


def open_pictures(*paths: Path, check: bool = True) -> PictureSource:
    """The source for paths a user gave: folders, zips, split zips (by any of their volumes), folders of zips, runs,
    demonstrations.

    `check` compares what comes out of an archive with its checksum; without, reading takes a fraction of the time.
    """
    sources = [source for path in paths for source in _sources(path, check)]
    return sources[0] if len(sources) == 1 else FirstOf(*sources)


def _sources(path: Path, check: bool) -> list[PictureSource]:
    from workalike.store.archives import ZipPictures, is_archive, last_volume
    from workalike.store.runs import PICTURES, is_run
    from workalike.store.trajectories import FILE

    if is_archive(path):
        return [ZipPictures(last_volume(path), check=check)]
    if is_run(path) or (path / FILE).is_file():
        return [PictureStore(path / PICTURES)]
    archives = [ZipPictures(archive, check=check) for archive in sorted(path.glob("*.zip"))]
    return [FolderPictures(path), *archives]


def checked(data: bytes, ref: ImageRef, where: Path) -> bytes:
    """The bytes, once they have the hash that the reference promises, if it promises one, and are no page of text."""
    if ref.sha256 is not None and hashlib.sha256(data).hexdigest() != ref.sha256:
        raise Damaged(f"{where} is not the picture it should be: its hash differs; restore it from a copy")
    if _MARKUP.match(data):
        raise Damaged(f"{ref.name} in {where} is HTML or SVG, and no picture of a screen; fetch or restore it")
    return data


def _read_file(path: Path, ref: ImageRef) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise Damaged(f"the picture {ref.name} is missing: there is no {path}; fetch or restore it") from None
    except OSError as error:
        raise Damaged(f"the picture {path} cannot be read ({error.strerror}); fetch or restore it") from error
