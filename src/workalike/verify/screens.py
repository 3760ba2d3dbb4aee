"""The screenshots a judge looks at: each screen once, however often it was seen, at a size that is stated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from PIL import Image

from workalike.core.contracts import PictureSource
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Size
from workalike.core.trajectory import Trajectory
from workalike.models.messages import Picture
from workalike.pictures.codec import decode, encode, resize, size_of
from workalike.pictures.similar import changed_box

BATCH = 8
"""How many screenshots are shown in one question."""
PIXELS = 1_310_720
"""The most pixels of a screenshot that is sent (1280×1024); a larger one is made smaller."""
PAGE_PIXELS = 2_621_440
"""The same for the picture of a whole page, which would be unreadable at that size."""
CARET = 2
"""A screen that differs from the one before by a bar no wider than this many pixels shows nothing new."""
TOKEN_PIXELS = 750


class Look(msgspec.Struct, frozen=True):
    """One observation of a trajectory that has a picture, and the step it belongs to; None is the final one."""

    step: int | None
    observation: Observation
    picture: ImageRef


class DistinctScreen(msgspec.Struct, frozen=True):
    """A screen that is judged once. `number` counts from 1 in the order of first sight; `looks` are all that showed
    it, so that the latest of two screens can still be told."""

    number: int
    looks: tuple[Look, ...]
    picture: Picture

    @property
    def last_step(self) -> int | None:
        return self.looks[-1].step


def looks_of(trajectory: Trajectory) -> tuple[Look, ...]:
    """Every look with a picture, in order."""
    seen: list[tuple[int | None, Observation]] = [
        *((index, step.observation) for index, step in enumerate(trajectory.steps)),
        *([(None, trajectory.final)] if trajectory.final else []),
    ]
    return tuple(Look(step, look, look.picture) for step, look in seen if look.picture is not None)


def screens_of(trajectory: Trajectory, pictures: PictureSource) -> tuple[DistinctScreen, ...]:
    """The screens of a trajectory. A picture that was seen before, byte for byte, is the same screen; so is one that
    differs from the one right before it by no more than a caret. Anything else is new: a single digit may decide."""
    groups: list[list[Look]] = []
    sent: list[Picture] = []
    known: dict[bytes, int] = {}
    before: Image.Image | None = None
    latest = 0
    for look in looks_of(trajectory):
        data = pictures.read(look.picture)
        image = decode(data)
        place = known.get(data)
        if place is None:
            place = latest if before is not None and _nothing_new(before, image) else len(groups)
        if place == len(groups):
            groups.append([])
            sent.append(shown(image, look))
        groups[place].append(look)
        known[data], latest, before = place, place, image
    return tuple(
        DistinctScreen(number, tuple(group), picture)
        for number, (group, picture) in enumerate(zip(groups, sent, strict=True), 1)
    )


def batches(screens: Sequence[DistinctScreen], size: int = BATCH) -> Iterator[tuple[DistinctScreen, ...]]:
    """Screens in groups of at most this many."""
    for start in range(0, len(screens), size):
        yield tuple(screens[start : start + size])


def shown(image: Image.Image, look: Look) -> Picture:
    """A screenshot as it is sent."""
    most = PAGE_PIXELS if look.observation.kind == "page" or image.height > 2 * image.width else PIXELS
    small = resize(image, fitted(size_of(image), most))
    return Picture(encode(small, "jpeg", 85), size_of(small), look.picture)


def fitted(size: Size, most: int) -> Size:
    """The size with at most so many pixels, in the same proportions.

    >>> fitted(Size(2560, 2048), 1_310_720)
    Size(width=1280, height=1024)
    """
    scale = (most / (size.width * size.height)) ** 0.5
    return size if scale >= 1 else Size(max(1, int(size.width * scale)), max(1, int(size.height * scale)))


def picture_tokens(look: Look) -> int:
    """About how many tokens a screenshot takes, told without reading it."""
    size = look.picture.size or look.observation.size or Size(1280, 1024)
    most = PAGE_PIXELS if look.observation.kind == "page" or size.height > 2 * size.width else PIXELS
    small = fitted(size, most)
    return small.width * small.height // TOKEN_PIXELS + 1


def _nothing_new(before: Image.Image, after: Image.Image) -> bool:
    box = changed_box(before, after)
    return box is None or (before.size == after.size and round(box.width * after.width) <= CARET)
