"""The demonstration that a recording was reduced to on the way to something else: it lies in the recording's folder,
and counts as long as it is what the recording and its review say."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from workalike.core.errors import BadInput
from workalike.core.review import CAPTURED, DemonstrationReview
from workalike.core.trajectory import Trajectory
from workalike.store.recordings import Recording, demonstration_in, is_recording
from workalike.store.reviews import latest, revisions


def recording_of(file: Path) -> Recording | None:
    """The recording whose demonstration stands in a file."""
    folder = file.parent
    at = folder.parent if folder.name else Path("..")
    return Recording(at) if folder.absolute().name == demonstration_in(at).name and is_recording(at) else None


def rejection(recording: Recording) -> str | None:
    """In words that a reviewer rejected a recording, or None."""
    revision = latest(recording.path, recording.header.id)
    if revision.review.decision != "rejected":
        return None
    note = f" ({revision.review.note})" if revision.review.note else ""
    return f"was rejected by {revision.by}{note}"


def need_current(recording: Recording, demonstration: Trajectory) -> None:
    """Refuse a demonstration that is not whole, or that a later review would have made another one: words that were
    paid for belong to its steps, so that it is for a person to do away with it."""
    reduced = demonstration_in(recording.path)
    anew = f"move {reduced} away to have it reduced anew, which leaves its annotations behind"
    if demonstration.stop is None:
        raise BadInput(f"the demonstration in {reduced} was cut off, its end is missing: {anew}")
    applied = demonstration.extra.get("review")
    number = applied.get("revision") if isinstance(applied, dict) else 0
    known = [CAPTURED, *revisions(recording.path, recording.header.id)]
    then = next((each.review for each in known if each.number == number), None)
    if then is None or _content(then) != _content(known[-1].review):
        raise BadInput(f"{recording.path} was reviewed after it was reduced: {anew}")


def _content(review: DemonstrationReview) -> DemonstrationReview:
    """A review without what it says of the demonstration as a whole, which makes no step another."""
    return replace(review, decision=None, quality=None, note="")
