"""A review laid over what a recording was reduced to: which gestures stay, what they are called, what must not be seen.
All of it is told from the gestures and the review alone; the raw capture is never touched."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
import numpy as np

from workalike.core.actions import Action, points
from workalike.core.observation import Element
from workalike.core.review import DemonstrationReview, SensitiveRegion, StepEdit
from workalike.reduce.account import Gesture
from workalike.store.recording_video import Pixels

Fate = Literal["kept", "deleted", "trimmed"]
_NOTHING = StepEdit()


def step_place(gesture: Gesture) -> int:
    """By what a review names a gesture: when it began, in whole milliseconds."""
    return round(gesture.start * 1000)


def edit_of(gesture: Gesture, review: DemonstrationReview) -> StepEdit:
    """What a review says of one gesture."""
    return review.steps.get(step_place(gesture), _NOTHING)


def fates(gestures: Sequence[Gesture], stays: Iterable[bool], review: DemonstrationReview) -> list[Fate]:
    """What becomes of each gesture. `stays` is what was decided before the review, which may decide otherwise. One that
    does not lie within the trimmed part as a whole is cut off: half of a typed text is not what anybody typed."""
    found: list[Fate] = []
    for gesture, stayed in zip(gestures, stays, strict=True):
        deleted = edit_of(gesture, review).deleted
        if not _inside(gesture, review):
            found.append("trimmed")
        else:
            found.append("deleted" if (not stayed if deleted is None else deleted) else "kept")
    return found


def without_step(gestures: Sequence[Gesture], review: DemonstrationReview) -> int:
    """How many edits of steps speak of none of these gestures, as happens when they were cut by other thresholds."""
    return len(review.steps.keys() - {step_place(gesture) for gesture in gestures})


def edited_actions(gesture: Gesture, edit: StepEdit) -> tuple[tuple[Action, ...], Element | None]:
    """The actions of a gesture as a review tells them, and what they hit: an action at another place hit something that
    nobody asked for."""
    if edit.actions is None:
        return gesture.actions, gesture.hit
    before = [point for action in gesture.actions for point in points(action)]
    after = [point for action in edit.actions for point in points(action)]
    return edit.actions, gesture.hit if not after or after[:1] == before[:1] else None


def seen_hit(hit: Element | None, regions: Sequence[SensitiveRegion], time: float) -> Element | None:
    """What may be told of an element: one within a region that nobody may see has a role and a place, and no words."""
    if hit is None or hit.box is None:
        return hit
    centre = hit.box.centre
    if any(region.covers(time) and region.box.contains(centre) for region in regions):
        return Element(hit.role, box=hit.box, unsure=hit.unsure)
    return hit


def hidden(pixels: Pixels, regions: Sequence[SensitiveRegion], start: float, end: float) -> Pixels:
    """A picture that was on the screen from one time to another, with the regions of that time filled with the one
    colour most of each has. A region's rim goes, too."""
    height, width = pixels.shape[:2]
    shown = [region.box for region in regions if _meets(region, start, end)]
    if not shown:
        return pixels
    pixels = pixels.copy()
    for box in shown:
        left, right = int(box.x * width), math.ceil(box.right * width)
        top, bottom = int(box.y * height), math.ceil(box.bottom * height)
        patch = pixels[top:bottom, left:right]
        patch[...] = np.median(patch.reshape(-1, patch.shape[-1]), axis=0).astype(np.uint8)
    return pixels


def told(review: DemonstrationReview) -> dict[str, object]:
    """What a trajectory says of the review that was laid over it, beside what became of its steps."""
    said = {"decision": review.decision, "quality": review.quality, "note": review.note or None}
    counts = {"regions": len(review.regions) or None, "relabelled": sum(map(_relabels, review.steps.values())) or None}
    return {name: msgspec.to_builtins(value) for name, value in (said | counts).items() if value is not None}


def _relabels(edit: StepEdit) -> bool:
    return not edit.deleted and (edit.text is not None or edit.actions is not None)


def _inside(gesture: Gesture, review: DemonstrationReview) -> bool:
    after = review.trim_start is None or gesture.start >= review.trim_start
    return after and (review.trim_end is None or gesture.end <= review.trim_end)


def _meets(region: SensitiveRegion, start: float, end: float) -> bool:
    return (region.start is None or region.start <= end) and (region.end is None or start <= region.end)
