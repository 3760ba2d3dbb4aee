"""The demonstration that a recording was reduced to on the way to something else: it lies in the recording's folder,
and counts as long as it is what the recording and its review say."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from workalike.core.errors import BadInput
from workalike.core.review import CAPTURED, DemonstrationReview
from workalike.store.recordings import Recording, is_recording
from workalike.store.reviews import latest, revisions
from workalike.store.trajectories import FILE, read_trajectory


def demonstration_in(recording: Path) -> Path:
    return recording / "reduced"


def recording_of(path: Path) -> Path | None:
    """The recording whose demonstration lies at a path."""
    return path.parent if path == demonstration_in(path.parent) and is_recording(path.parent) else None


def rejection(recording: Recording) -> str | None:
    """In words that a reviewer rejected a recording, or None."""
    revision = latest(recording.path, recording.header.id)
    if revision.review.decision != "rejected":
        return None
    note = f" ({revision.review.note})" if revision.review.note else ""
    return f"was rejected by {revision.by}{note}"


def need_current(recording: Recording) -> None:
    """Refuse a demonstration that is not whole, or that a later review would have made another one: words that were
    paid for belong to its steps, so that it is for a person to do away with it."""
    reduced = demonstration_in(recording.path)
    anew = f"move {reduced} away to have it reduced anew, which leaves its annotations behind"
    if not (reduced / FILE).is_file():
        raise BadInput(f"{reduced} holds no {FILE}: move it away, and {recording.path} is reduced anew")
    demonstration = read_trajectory(reduced / FILE).trajectory
    if demonstration.stop is None:
        raise BadInput(f"{reduced / FILE} was cut off, its end is missing: {anew}")
    applied = demonstration.extra.get("review")
    number = applied.get("revision") if isinstance(applied, dict) else 0
    known = {each.number: each.review for each in (CAPTURED, *revisions(recording.path, recording.header.id))}
    now = latest(recording.path, recording.header.id).review
    if number not in known or _content(known[number]) != _content(now):
        raise BadInput(f"{recording.path} was reviewed after it was reduced: {anew}")


def _content(review: DemonstrationReview) -> DemonstrationReview:
    """A review without what it says of the demonstration as a whole, which makes no step another."""
    return replace(review, decision=None, quality=None, note="")
