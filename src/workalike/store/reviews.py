"""Reviews on disk: a layer of the kind `reviews` in a recording's folder, or beside trajectories. Every edit adds a
line with the review as it stands from then on; undoing adds another. The last line counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from workalike.core.errors import BadInput
from workalike.core.provenance import Provenance
from workalike.core.review import (
    CAPTURED,
    DemonstrationReview,
    Revision,
    StepEdit,
    check_review,
    redone,
    revised,
    undone,
)
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.store.layers import Layer, LayerWriter, find_layers, history

REVIEWS = "reviews"
NAME = "review"
_NOTHING = StepEdit()


class Outdated(BadInput):
    """An edit of a review that somebody else has edited meanwhile."""


def revisions(root: Path, id: str) -> list[Revision]:
    """Every revision of the review of a recording or trajectory, the first edit first."""
    layers = find_layers(root, REVIEWS)
    return [revision for path in layers for revision in history(path, Revision, id)]


def latest(root: Path, id: str) -> Revision:
    """The revision that counts; number 0 where nobody has reviewed it."""
    return (revisions(root, id) or [CAPTURED])[-1]


def revise(root: Path, id: str, review: DemonstrationReview, by: str, what: str, base: int) -> Revision:
    """Add an edit, made by somebody who looked at revision `base`."""
    check_review(review)
    return _add(root, id, base, lambda before: revised(before, review, by, _now(), what[:200]))


def undo(root: Path, id: str, by: str, base: int) -> Revision:
    """Undo the last edit."""
    return _add(root, id, base, lambda before: undone(before, by, _now()))


def redo(root: Path, id: str, by: str, base: int) -> Revision:
    """Redo what was undone last."""
    return _add(root, id, base, lambda before: redone(before, by, _now()))


def reviews_of(root: Path) -> list[Layer[Revision]]:
    """The layers of reviews beside the trajectories in `root`."""
    return [Layer(path, Revision) for path in find_layers(root, REVIEWS)]


def reviewed(trajectory: Trajectory, revision: Revision) -> Trajectory:
    """A trajectory with its review laid over it: steps left out, relabelled, the task in other words. What a review
    says of recordings alone (trims, regions) is none of a trajectory's."""
    review = revision.review
    steps = [
        _edited(step, review.steps.get(number, _NOTHING))
        for number, step in enumerate(trajectory.steps)
        if not review.steps.get(number, _NOTHING).deleted
    ]
    task = trajectory.task if review.task is None else replace(trajectory.task, instruction=review.task)
    said = {"by": revision.by, "decision": review.decision, "quality": review.quality, "revision": revision.number}
    told = {name: value for name, value in said.items() if value is not None}
    return replace(trajectory, task=task, steps=tuple(steps), extra={**trajectory.extra, "review": told})


def _edited(step: Step, edit: StepEdit) -> Step:
    if edit.text is not None:
        step = replace(step, action_text=edit.text or None)
    if edit.actions is not None:
        first = step.actions[0] if step.actions else ActionResult(edit.actions[0])
        step = replace(step, actions=tuple(replace(first, action=action, hit=None) for action in edit.actions))
    return step


def _add(root: Path, id: str, base: int, make: Callable[[Sequence[Revision]], Revision]) -> Revision:
    """Add a revision to those there are; nobody else can meanwhile. What is refused leaves no file behind."""
    before = revisions(root, id)
    _need_current(before, base)
    make(before)
    with LayerWriter(root, REVIEWS, NAME, Revision, provenance=Provenance("view")) as layer:
        before = revisions(root, id)
        _need_current(before, base)
        made = make(before)
        layer.put(id, made)
    return made


def _need_current(before: Sequence[Revision], base: int) -> None:
    current = before[-1] if before else CAPTURED
    if current.number != base:
        raise Outdated(f"{current.by} has edited this review meanwhile ({current.what}): load it again and edit that")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
