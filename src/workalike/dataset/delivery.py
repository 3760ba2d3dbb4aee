"""How pictures reach the trainer: by name where they lie, as copies beside the examples, or within the file itself."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath
from typing import Literal

from msgspec.structs import replace

from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef, Observation, extension
from workalike.core.screen import Size
from workalike.core.trajectory import Trajectory
from workalike.families.shots import render
from workalike.formats.agentnet_trajectories import THEIRS
from workalike.models.messages import Picture, Shot
from workalike.models.wire import data_url
from workalike.pictures.codec import stated_size
from workalike.store.files import write_file
from workalike.store.names import safe_name
from workalike.store.pictures import PictureSource

Mode = Literal["names", "copy", "inline"]
FOLDER = "images"
_REMEMBERED = 16


class PictureDelivery:
    """Pictures on their way into an export. `missing` counts those that could not be read."""

    def __init__(self, mode: Mode, folder: Path, source: PictureSource | None, prefix: str = "") -> None:
        if source is None and mode != "names":
            raise BadInput("pictures can only be copied or put inside with --images, the folder or archive they are in")
        self.mode, self.folder, self.source, self.prefix = mode, folder, source, prefix
        self.copied: dict[str, int] = {}
        self._flat: dict[str, str] = {}
        self._copies: dict[Shot, str] = {}
        self._rendered: dict[Shot, Picture] = {}

    def address(self, shot: Shot) -> str:
        """What an example says in a picture's place: a path, or the picture itself as a data URL."""
        if self.mode == "names" and not shot.marked:
            return self.prefix + shot.source.name
        return data_url(self.picture(shot)) if self.mode == "inline" else self._copy(shot)

    def picture(self, shot: Shot) -> Picture:
        """A screenshot as the model is shown it. The last few are at hand, for neighbouring examples show them, too."""
        if shot not in self._rendered:
            if len(self._rendered) >= _REMEMBERED:
                del self._rendered[next(iter(self._rendered))]
            data = self._read(shot.source)
            try:
                self._rendered[shot] = render(shot, data)
            except BadInput as error:
                raise Damaged(f"the picture {shot.source.name} cannot be shown: {error}") from error
        return self._rendered[shot]

    def _read(self, picture: ImageRef) -> bytes:
        if self.source is None:
            raise BadInput(
                "the pictures are needed for this export; name the folder or archive they are in by --images"
            )
        return self.source.read(picture)

    def flat(self, picture: ImageRef) -> str:
        """Copy a picture under its bare name, as tools want it that know no folders; where another picture has that
        name already, under one of its own."""
        if picture.name not in self._flat:
            data = self._read(picture)
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

    def _copy(self, shot: Shot) -> str:
        """Under its own name, so that people find it again; what was scaled or marked is another picture, called by
        its content."""
        if shot not in self._copies:
            data = self.picture(shot).data
            own = data == self._read(shot.source)
            name = _plain_name(shot.source, data) if own else f"{hashlib.sha256(data).hexdigest()}.{extension(data)}"
            if name not in self.copied:
                write_file(self.folder / FOLDER / name, data)
                self.copied[name] = len(data)
            self._copies[shot] = f"{FOLDER}/{name}"
        return self._copies[shot]


class Measuring:
    """Gives trajectories the sizes of their pictures, for exports whose places depend on them: what trainers see is the
    picture. AgentNet's screenshots are scaled, while its metadata tells the screen they were taken on; that size serves
    only where the picture cannot be looked at, and `unmeasured` counts those steps."""

    def __init__(self, delivery: PictureDelivery, needed: bool) -> None:
        self.delivery, self.needed, self.unmeasured = delivery, needed, 0

    def measured(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory with the sizes that only its pictures tell, where places depend on them."""
        theirs = THEIRS in trajectory.extra
        if not self.needed or (not theirs and all(step.observation.size is not None for step in trajectory.steps)):
            return trajectory
        steps = [replace(step, observation=self._sized(step.observation, theirs)) for step in trajectory.steps]
        return replace(trajectory, steps=tuple(steps))

    def notes(self) -> list[str]:
        """What a reader of the export must know of its places."""
        if not self.unmeasured:
            return []
        return [
            f"places refer to the screen that the metadata tells, not to the picture, which may be scaled, in steps "
            f"whose picture could not be measured: {self.unmeasured:,}; name all pictures by --images"
        ]

    def _sized(self, seen: Observation, theirs: bool) -> Observation:
        if seen.picture is None or (seen.size is not None and not theirs):
            return seen
        try:
            size = self.delivery.size(seen.picture)
        except BadInput:  # missing or damaged
            size = None
        self.unmeasured += size is None and seen.size is not None
        return seen if size is None else replace(seen, size=size)


def _plain_name(picture: ImageRef, data: bytes) -> str:
    name, path = picture.name, PurePosixPath(picture.name)
    plain = not path.is_absolute() and ".." not in path.parts and "\\" not in name and "\0" not in name and path.parts
    return str(path) if plain else f"{safe_name(name)}.{extension(data)}"
